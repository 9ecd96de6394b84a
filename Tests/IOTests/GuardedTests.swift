import IO
import Testing

@Suite("A guarded value")
struct GuardedTests {
    private struct Refused: Error {}

    @Test func `loses nothing to threads that change it at the same time`() {
        let count = Guarded(0)
        let threads = (0..<4).map { _ in
            OwnedThread("counts") { for _ in 0..<10_000 { count.withLock { $0 += 1 } } }
        }
        for thread in threads { thread.join() }
        #expect(count.withLock { $0 } == 40_000)
    }

    @Test func `is free again after an error`() {
        let count = Guarded(0)
        #expect(throws: Refused.self) {
            try count.withLock { number throws(Refused) in
                number += 1
                throw Refused()
            }
        }
        #expect(count.withLock { $0 } == 1)
    }
}
