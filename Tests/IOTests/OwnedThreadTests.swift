import IO
import Testing

@Suite("A thread of our own")
struct OwnedThreadTests {
    /// The thread sanitizer reports one that leaves something behind.
    @Test func `runs on to its end when nobody holds it`() throws {
        let go = try Mailbox<Int>(limit: 1)
        let answers = try Mailbox<Int>(limit: 1)
        _ = OwnedThread("echo") {
            for number in go.take(timeout: .seconds(60)) ?? [] { _ = answers.post([number]) }
        }
        #expect(go.post([7]))
        #expect(answers.take(timeout: .seconds(60)) == [7])
    }

    @Test func `has ended when join returns, and may be joined twice`() {
        let ended = Guarded(false)
        let thread = OwnedThread("ends") { ended.withLock { $0 = true } }
        thread.join()
        #expect(ended.withLock { $0 })
        thread.join()
    }

    @Test func `that does not end in time is left behind, one that does is joined`() throws {
        let gate = try Mailbox<Bool>(limit: 1)
        let patient = OwnedThread("patient") { while gate.take(timeout: .seconds(10)) != nil {} }
        #expect(!patient.join(within: .milliseconds(20)))
        #expect(patient.join(within: .milliseconds(20)), "it is nobody's any more")
        gate.close()
        #expect(OwnedThread("short") {}.join(within: .seconds(10)))
    }
}
