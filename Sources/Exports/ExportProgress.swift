public import Recording
import Report

/// What whoever waits for a long export is told meanwhile: how many rows, how much, and how far.
///
/// Pure: the caller says what time it is.
public struct ExportProgress: Sendable {
    /// What takes no longer needs no word, in nanoseconds.
    static let quietNanoseconds: Int64 = 2_000_000_000
    /// Between two words, in nanoseconds.
    static let stepNanoseconds: Int64 = 500_000_000

    private let begunAt: Int64
    private var toldAt: Int64
    private let stretch: (from: WallTime, to: WallTime)?

    /// Of an export that begins now.
    ///
    /// - Parameters:
    ///   - from: The beginning of the stretch that the rows are from; without both ends, no share is told.
    ///   - now: A monotonic time, in nanoseconds.
    public init(from: WallTime?, to: WallTime?, now: Int64) {
        (begunAt, toldAt) = (now, now)
        stretch = if let from, let to, from < to { (from, to) } else { nil }
    }

    /// The next word, when it is time for one: "120,000 rows, 5.2 MB, at 2026-03-01T20:15, 42%".
    public mutating func word(rows: Int, bytes: Int64, moment: WallTime, now: Int64) -> String? {
        guard now &- begunAt > Self.quietNanoseconds, now &- toldAt > Self.stepNanoseconds else { return nil }
        toldAt = now
        var line = "\(rows) rows, \(Figures.bytes(bytes)), at \(moment.text.prefix(16))"
        if let stretch {
            let share = moment.seconds(since: stretch.from) / stretch.to.seconds(since: stretch.from)
            line += ", \(Int(max(0, min(1, share)) * 100))%"
        }
        return line
    }
}
