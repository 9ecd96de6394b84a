import Glibc
import IO
import Testing

@Suite("The event loop")
struct EventLoopTests {
    @Test func `runs posted work in order, also what was posted before it ran`() throws {
        let loop = try EventLoop()
        let seen = Guarded<[Int]>([])
        for number in 0..<1000 { loop.post { seen.withLock { $0.append(number) } } }
        loop.post { loop.stop() }
        loop.run()
        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test func `fires timers in order of their deadlines and forgets cancelled ones`() throws {
        let loop = try EventLoop()
        var fired: [String] = []
        loop.schedule(after: .milliseconds(20)) {
            fired.append("late")
            loop.stop()
        }
        loop.schedule(after: .milliseconds(1)) { fired.append("early") }
        let cancelled = loop.schedule(after: .milliseconds(2)) { fired.append("never") }
        loop.cancel(cancelled)
        loop.run()
        #expect(fired == ["early", "late"])
    }

    @Test func `tells a handler about its own descriptor, not about the one that had the number before`() throws {
        let loop = try EventLoop()
        var first: [Int32] = [0, 0]
        try #require(pipe(&first) == 0)
        var handled: [String] = []
        let old = try loop.watch(first[0], for: .readable) { _ in handled.append("old") }
        loop.unwatch(old)
        loop.unwatch(old)
        _ = try loop.watch(first[0], for: .readable) { readiness in
            handled.append("new \(readiness.readable)")
            loop.stop()
        }
        #expect(write(first[1], "x", 1) == 1)
        loop.run()
        #expect(handled == ["new true"])
        close(first[0])
        close(first[1])
    }

    @Test func `a handler that comes late in a long turn has its own time`() throws {
        let loop = try EventLoop()
        var ends: [[Int32]] = []
        var times: [Int64] = []
        for _ in 0..<2 {
            var pair: [Int32] = [0, 0]
            try #require(pipe(&pair) == 0)
            #expect(write(pair[1], "x", 1) == 1)
            ends.append(pair)
            // Both are ready in the first turn; each handler takes two milliseconds.
            _ = try loop.watch(pair[0], for: .readable) { _ in
                times.append(loop.nowNanoseconds)
                let end = Clock.monotonicNanoseconds() + 2_000_000
                while Clock.monotonicNanoseconds() < end {}
                if times.count == 2 { loop.stop() }
            }
        }
        loop.run()
        #expect(times.count == 2)
        #expect(times[1] - times[0] >= 2_000_000)
        for pair in ends { pair.forEach { close($0) } }
    }

    @Test func `used from a foreign thread, traps with a sentence`() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            let running = try Mailbox<Bool>(limit: 1)
            let thread = OwnedThread("loop") {
                loop.post { _ = running.post([true]) }
                loop.run()
            }
            _ = running.take(timeout: .seconds(10))
            loop.schedule(after: .seconds(1)) {}
            thread.join()
        }
    }
}

@Suite("The timer heap")
struct TimerOrderTests {
    @Test func `a thousand timers in random order fire sorted`() throws {
        let loop = try EventLoop()
        let delays = (0..<1000).map { ($0 * 7919) % 1000 }
        var fired: [Int] = []
        for delay in delays {
            loop.schedule(after: .microseconds(delay)) {
                fired.append(delay)
                if fired.count == 1000 { loop.stop() }
            }
        }
        loop.run()
        #expect(fired == Array(0..<1000))
    }
}
