import Discovery
import IO
import Sender

/// Asks the links' thread how it is doing, from other threads.
final class LinkQuestions: Sendable {
    /// What the loop tells of every device.
    struct Answer: Sendable {
        var links: [LinkSummary] = []
        var counters = SenderSupervisor.Counters()
    }

    /// What the loop tells in a few numbers.
    struct Tally: Sendable, Equatable {
        var known = 0
        var linked = 0
        var framesLost = 0
    }

    private struct Shared {
        var answer = Answer()
        var tally = Tally()
        /// Nanoseconds of the monotonic clock.
        var lifeSign = Clock.monotonicNanoseconds()
        /// Whether a question is on its way: a loop that is late must not find a heap of them.
        var isAsked = false
        var isTallied = false
    }

    private let loop: EventLoop
    private let supervisor: SenderSupervisor
    private let browser: ServiceBrowser?
    private let shared = Guarded(Shared())
    private let answered: Mailbox<Bool>

    init(_ loop: EventLoop, _ supervisor: SenderSupervisor, _ browser: ServiceBrowser?) throws(IOError) {
        self.loop = loop
        self.supervisor = supervisor
        self.browser = browser
        answered = try Mailbox(limit: 1)
    }

    /// All devices as they are, or were when the loop last answered in time.
    ///
    /// For one thread at a time.
    func answer(within limit: Duration) -> Answer {
        _ = answered.take(timeout: .zero)
        ask()
        _ = answered.take(timeout: limit)
        return latest
    }

    /// All devices as they were when the loop last answered; asks it again.
    func latestAnswer() -> Answer {
        ask()
        return latest
    }

    private var latest: Answer { shared.withLock { $0.answer } }

    private func ask() {
        guard
            shared.withLock({ shared in
                defer { shared.isAsked = true }
                return !shared.isAsked
            })
        else { return }
        loop.post { [self] in
            let answer = Answer(links: supervisor.summaries, counters: supervisor.counters)
            shared.withLock { shared in
                shared.answer = answer
                shared.lifeSign = Clock.monotonicNanoseconds()
                shared.isAsked = false
            }
            _ = answered.post([true])
        }
    }

    /// The numbers as they were at the last call; asks for them again.
    func tally() -> Tally {
        let (last, isNew) = shared.withLock { shared in
            defer { shared.isTallied = true }
            return (shared.tally, !shared.isTallied)
        }
        guard isNew else { return last }
        loop.post { [self] in
            let (known, linked) = supervisor.tally
            let lost = supervisor.counters.framesLost
            shared.withLock { shared in
                shared.tally = Tally(known: known, linked: linked, framesLost: lost)
                shared.lifeSign = Clock.monotonicNanoseconds()
                shared.isTallied = false
            }
        }
        return last
    }

    /// When the loop last answered, in nanoseconds of the monotonic clock.
    var lifeSign: Int64 { shared.withLock { $0.lifeSign } }

    /// Why no devices are discovered; nil while discovery works or is not wanted.
    var discoveryTrouble: String? {
        guard let counts = browser?.counts else { return nil }
        return counts.isDaemonRunning ? nil : counts.daemonReason
    }
}
