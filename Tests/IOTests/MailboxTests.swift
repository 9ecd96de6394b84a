import IO
import Synchronization
import Testing

@Suite("A mailbox")
struct MailboxTests {
    @Test func `takes whole batches up to its limit and refuses the rest whole`() throws {
        let mailbox = try Mailbox<Int>(limit: 4)
        #expect(mailbox.post([1, 2, 3]))
        #expect(!mailbox.post([4, 5]))
        #expect(mailbox.post([4]))
        #expect(mailbox.take(timeout: .zero) == [1, 2, 3, 4])
        #expect(mailbox.take(timeout: .zero) == [])
    }

    @Test func `takes a batch beyond its limit when it is empty, so that nothing waits for ever`() throws {
        let mailbox = try Mailbox<Int>(limit: 2)
        #expect(mailbox.post([1, 2, 3]))
        #expect(mailbox.take(timeout: .zero) == [1, 2, 3])
    }

    @Test func `closed, gives what is left and then nil`() throws {
        let mailbox = try Mailbox<Int>(limit: 2)
        #expect(mailbox.post([1]))
        mailbox.close()
        #expect(!mailbox.post([2]))
        #expect(mailbox.take(timeout: .seconds(10)) == [1])
        #expect(mailbox.take(timeout: .seconds(10)) == nil)
    }

    @Test func `carries everything between threads in order`() throws {
        let mailbox = try Mailbox<Int>(limit: 100)
        let writer = OwnedThread("writer") {
            for number in 0..<10_000 {
                while !mailbox.post([number]) {}
            }
            mailbox.close()
        }
        var taken: [Int] = []
        while let batch = mailbox.take(timeout: .seconds(10)) { taken.append(contentsOf: batch) }
        writer.join()
        #expect(taken == Array(0..<10_000))
    }
}
