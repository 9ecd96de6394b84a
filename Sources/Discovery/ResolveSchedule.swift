/// When to ask each instance for its address and text: a value that takes the time as an argument.
///
/// Times are nanoseconds of the monotonic clock.
struct ResolveSchedule {
    /// One question to ask.
    struct Question: Equatable {
        var instance: ServiceInstance
        /// Whether an address of the other family will do, since none of its own came last time.
        var anyFamily: Bool
    }

    /// How many questions may be open at the same time.
    ///
    /// A daemon allows 1,024 objects per client; watches need the rest.
    static let openLimit = 100

    private struct Entry {
        var dueAt: Int64
        var failures = 0
        var isOpen = false
        /// Wanted again while the question was open: the answer may be older than the wish.
        var isWantedAgain = false
    }

    private let refreshNanoseconds: Int64
    private var entries: [ServiceInstance: Entry] = [:]
    private var openCount = 0
    /// No question is due before this.
    private var nextAt = Int64.max

    /// - Parameter refreshNanoseconds: How long an answer is believed.
    init(refreshNanoseconds: Int64) { self.refreshNanoseconds = refreshNanoseconds }

    /// An instance is to be asked at once.
    mutating func want(_ instance: ServiceInstance, now: Int64) {
        var entry = entries[instance] ?? Entry(dueAt: now)
        if entry.isOpen { entry.isWantedAgain = true } else { entry.dueAt = now }
        entries[instance] = entry
        if !entry.isOpen { nextAt = min(nextAt, now) }
    }

    /// An instance is not to be asked any more.
    mutating func forget(_ instance: ServiceInstance) {
        if entries.removeValue(forKey: instance)?.isOpen == true { openCount -= 1 }
    }

    /// How long nothing is to be done, unless an answer comes.
    func quietNanoseconds(now: Int64) -> Int64 { hasRoom ? max(0, nextAt - now) : .max }

    /// Questions are opened by the half limit at a time, so that finding them costs little.
    private var hasRoom: Bool { openCount <= Self.openLimit / 2 }

    /// The questions that are due, oldest first, as far as the limit allows.
    mutating func open(now: Int64) -> [Question] {
        guard now >= nextAt, hasRoom else { return [] }
        let due = entries.filter { !$0.value.isOpen && $0.value.dueAt <= now }
            .sorted { ($0.value.dueAt, $0.key.name) < ($1.value.dueAt, $1.key.name) }
        let questions = due.prefix(Self.openLimit - openCount).map { instance, entry in
            Question(instance: instance, anyFamily: entry.failures % 2 == 1)
        }
        for question in questions { entries[question.instance]?.isOpen = true }
        openCount += questions.count
        nextAt = entries.values.reduce(Int64.max) { $1.isOpen ? $0 : min($0, $1.dueAt) }
        return questions
    }

    /// An instance has answered.
    mutating func answered(_ instance: ServiceInstance, now: Int64) {
        close(instance, now: now, waitNanoseconds: refreshNanoseconds, failures: 0)
    }

    /// An instance has not answered: it is asked again after 5 s, then 10 s, up to 5 minutes, for ever.
    ///
    /// Says how often it has failed in a row.
    @discardableResult
    mutating func failed(_ instance: ServiceInstance, now: Int64) -> Int {
        let failures = (entries[instance]?.failures ?? 0) + 1
        let seconds = min(300, Int64(5) << Int64(min(failures - 1, 6)))
        close(instance, now: now, waitNanoseconds: seconds * 1_000_000_000, failures: failures)
        return failures
    }

    /// The daemon is gone, and all open questions with it: everything known is asked again when it appears again.
    mutating func forgetAll() {
        entries = [:]
        openCount = 0
        nextAt = .max
    }

    private mutating func close(
        _ instance: ServiceInstance, now: Int64, waitNanoseconds: Int64, failures: Int
    ) {
        guard let entry = entries[instance] else { return }
        if entry.isOpen { openCount -= 1 }
        let dueAt = entry.isWantedAgain ? now : now &+ waitNanoseconds
        entries[instance] = Entry(dueAt: dueAt, failures: failures)
        nextAt = min(nextAt, dueAt)
    }
}
