import IO
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

    @Test func `asked for enough, gives no fewer before the time is up, and then what there is`() throws {
        let mailbox = try Mailbox<Int>(limit: 10)
        #expect(mailbox.post([1, 2]))
        let start = Clock.monotonicNanoseconds()
        #expect(mailbox.take(timeout: .milliseconds(50), enough: 3) == [1, 2])
        #expect(Clock.monotonicNanoseconds() - start >= 50_000_000)
        #expect(mailbox.post([1, 2]))
        #expect(mailbox.post([3]))
        #expect(mailbox.take(timeout: .seconds(60), enough: 3) == [1, 2, 3])
    }

    @Test func `full, or closed, wakes a reader that asked for more`() throws {
        for closes in [true, false] {
            let mailbox = try Mailbox<Int>(limit: 2)
            #expect(mailbox.post([1, 2]))
            let writer = OwnedThread("writer") {
                if closes { mailbox.close() } else { #expect(!mailbox.post([3])) }
            }
            #expect(mailbox.take(timeout: .seconds(60), enough: 3) == [1, 2])
            writer.join()
        }
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

    @Test(arguments: [2, 7, 99, 100]) func `carries everything to a reader that asks for many`(enough: Int) throws {
        let mailbox = try Mailbox<Int>(limit: 100)
        let writer = OwnedThread("writer") {
            for number in 0..<10_000 {
                while !mailbox.post([number]) {}
            }
            mailbox.close()
        }
        var taken: [Int] = []
        while let batch = mailbox.take(timeout: .seconds(10), enough: enough) { taken.append(contentsOf: batch) }
        writer.join()
        #expect(taken == Array(0..<10_000))
    }
}
