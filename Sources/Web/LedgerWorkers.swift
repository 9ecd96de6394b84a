import IO
import Store

/// Threads that ask the database, each over a connection of its own that may only read.
///
/// The daemon's thread gives them work and never waits for them.
final class LedgerWorkers: Sendable {
    /// A question.
    struct Job: Sendable {
        /// Asks, and answers whoever wants to know; the ledger is connected to when it is first wanted.
        var ask: @Sendable (_ ledger: () throws -> LedgerQueries) throws -> Void
        /// Says why there is no answer.
        var fail: @Sendable (any Error) -> Void
    }

    private struct Queue {
        var waiting: [Job] = []
        /// Workers that have nothing to do.
        var idle: [Int] = []
        var isStopping = false
    }

    private let limit: Int
    private let queue = Guarded(Queue())
    private let wakeups: [Mailbox<Bool>]
    private let connect: @Sendable () throws -> PostgresConnection
    private let threads = Guarded<[OwnedThread]>([])

    /// - Parameters:
    ///   - limit: How many questions may wait; more are refused.
    ///   - connect: Called on the thread that asks.
    init(
        count: Int, limit: Int, connect: @escaping @Sendable () throws -> PostgresConnection
    ) throws(IOError) {
        self.limit = limit
        self.connect = connect
        var wakeups: [Mailbox<Bool>] = []
        for _ in 0..<count { wakeups.append(try Mailbox(limit: 1)) }
        self.wakeups = wakeups
    }

    /// Starts the threads, with names that begin so.
    func start(_ name: String) {
        let started = wakeups.indices.map { index in OwnedThread("\(name)-\(index)") { self.run(index) } }
        threads.withLock { $0 = started }
    }

    /// Ends the threads; those that wait for PostgreSQL end when its patience says so.
    func stop(within limit: Duration) -> Bool {
        let left = queue.withLock { queue in
            queue.isStopping = true
            defer { queue.waiting = [] }
            return queue.waiting
        }
        for job in left { job.fail(StoreError.connectionLost(doing: "stopping")) }
        for wakeup in wakeups { wakeup.close() }
        let deadline = Clock.monotonicNanoseconds(after: limit)
        let ended = threads.withLock { threads in
            defer { threads = [] }
            return threads.map { $0.join(within: .nanoseconds(max(0, deadline - Clock.monotonicNanoseconds()))) }
        }
        return !ended.contains(false)
    }

    /// Gives a question to the next worker that has time; false when too many wait.
    func post(_ job: Job) -> Bool {
        let (isTaken, worker) = queue.withLock { queue -> (Bool, Int?) in
            guard !queue.isStopping, queue.waiting.count < limit else { return (false, nil) }
            queue.waiting.append(job)
            return (true, queue.idle.popLast())
        }
        if let worker { _ = wakeups[worker].post([true]) }
        return isTaken
    }

    private func run(_ index: Int) {
        var queries: LedgerQueries?
        while true {
            let job = queue.withLock { queue -> Job? in
                guard queue.waiting.isEmpty else { return queue.waiting.removeFirst() }
                if !queue.isStopping { queue.idle.append(index) }
                return nil
            }
            guard let job else {
                // Woken for a question, or told to end; a question may have gone to another one meanwhile.
                guard wakeups[index].take(timeout: .seconds(3600)) != nil else { return }
                queue.withLock { $0.idle.removeAll { $0 == index } }
                continue
            }
            run(job, &queries)
        }
    }

    private func run(_ job: Job, _ queries: inout LedgerQueries?) {
        let isKept = queries != nil
        do {
            try ask(job, &queries)
        } catch let error as StoreError where isKept && error.isOfConnection {
            // It broke while nobody used it: the database was started again.
            queries = nil
            do { try ask(job, &queries) } catch {
                queries = nil
                job.fail(error)
            }
        } catch {
            if (error as? StoreError)?.isOfConnection == true { queries = nil }
            job.fail(error)
        }
    }

    private func ask(_ job: Job, _ queries: inout LedgerQueries?) throws {
        var open = queries
        defer { queries = open }
        try job.ask {
            if let open { return open }
            let made = try LedgerQueries(connection: connect())
            open = made
            return made
        }
    }
}

extension StoreError {
    /// Whether the connection is of no more use.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .connectionLost, .noAnswer, .cannotConnect, .unexpectedAnswer: true
        default: false
        }
    }
}
