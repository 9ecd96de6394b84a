import Recording

/// Decides when waiting observations are written: at 100 of them, or 200 ms after the first came.
struct BatchTiming {
    static let waitNanoseconds: Int64 = 200_000_000
    /// How often the archive looks at the age of its zstd frame while nothing comes.
    static let idleNanoseconds: Int64 = 5_000_000_000

    private let records: Int
    private var firstCame: MonotonicTime?
    private var count = 0

    init(records: Int) { self.records = records }

    /// More observations wait.
    mutating func add(_ more: Int, now: MonotonicTime) {
        guard more > 0 else { return }
        firstCame = firstCame ?? now
        count += more
    }

    /// All that waited was written.
    mutating func wrote() {
        firstCame = nil
        count = 0
    }

    /// Nanoseconds until it is time to write; 0 when it is time now.
    func wait(_ now: MonotonicTime) -> Int64 {
        guard let firstCame else { return Self.idleNanoseconds }
        if count >= records { return 0 }
        let waited = max(0, now.nanoseconds - firstCame.nanoseconds)
        return max(0, Self.waitNanoseconds - waited)
    }

    /// How many more make it time to write, or begin the wait for it.
    var enough: Int { firstCame == nil ? 1 : max(1, records - count) }

    /// Whether it is time to write.
    func isDue(_ now: MonotonicTime) -> Bool { firstCame != nil && wait(now) == 0 }
}
