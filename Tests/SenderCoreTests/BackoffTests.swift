import Testing

@testable import SenderCore

@Suite("The wait before the next attempt")
struct BackoffTests {
    /// Seconds: each failure's wait without jitter (PROTOCOL 7.3).
    private static let steps: [Double] = [1, 2, 5, 15, 30, 60, 60, 60, 60, 600, 600, 600]

    @Test func `grows from 1 s to 60 s, then to 10 min, each varied by up to half`() {
        for seed in 0..<500 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var backoff = Backoff()
            for (failures, step) in Self.steps.enumerated() {
                #expect(backoff.failures == failures)
                let wait = backoff.delayAfterFailure(using: &generator)
                #expect(wait >= .seconds(step / 2) && wait <= .seconds(step * 1.5), "failure \(failures), seed \(seed)")
            }
        }
    }

    @Test func `uses the whole range`() {
        var generator = SeededGenerator(seed: 1)
        let waits = (0..<1000).map { _ in
            var backoff = Backoff()
            return backoff.delayAfterFailure(using: &generator)
        }
        #expect((waits.min() ?? .zero) < .milliseconds(510))
        #expect((waits.max() ?? .zero) > .milliseconds(1490))
    }

    @Test func `has no last attempt, and begins anew after a healthy link`() {
        var generator = SeededGenerator(seed: 2)
        var backoff = Backoff()
        for _ in 0..<100_000 { _ = backoff.delayAfterFailure(using: &generator) }
        #expect(backoff.isPatient)
        backoff.reset()
        #expect(!backoff.isPatient)
        #expect(backoff.delayAfterFailure(using: &generator) <= .milliseconds(1500))
    }

    @Test func `is patient from the tenth failure on`() {
        var generator = SeededGenerator(seed: 3)
        var backoff = Backoff()
        for failure in 1...12 {
            _ = backoff.delayAfterFailure(using: &generator)
            #expect(backoff.isPatient == (failure >= 10))
        }
    }
}

@Suite("Random numbers from a seed")
struct SeededGeneratorTests {
    @Test func `are those of SplitMix64`() {
        // Made by a few lines of Python from the published algorithm.
        var generator = SeededGenerator(seed: 0)
        #expect(generator.next() == 0xE220_A839_7B1D_CDAF)
        #expect(generator.next() == 0x6E78_9E6A_A1B9_65F4)
        #expect(generator.next() == 0x06C4_5D18_8009_454F)
    }

    @Test func `survive every duration as a limit`() {
        var generator = SeededGenerator(seed: 1)
        for limit in [Duration.zero, .seconds(-5), .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min)] {
            #expect(generator.delay(upTo: limit) >= .zero)
        }
    }
}
