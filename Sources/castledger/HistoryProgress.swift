import Fleet
import IO
import Recording

/// How far a history is, and how fast it goes.
struct HistoryProgress {
    private static let intervalNanoseconds: Int64 = 2_000_000_000
    private static let microsecondsPerDay = 86_400e6

    private let devices: Int
    private let begins: WallTime
    /// Nil when it has no end.
    private let microseconds: Double?
    private let began: Int64
    private var toldAt: Int64
    private var records = 0
    private var last: WallTime

    /// - Parameter now: The machine's monotonic clock, in nanoseconds, as everywhere here.
    init(devices: Int, _ options: VirtualFleetOptions, now: Int64) {
        self.devices = devices
        begins = options.begins
        microseconds = options.duration.map { $0 / .microseconds(1) }
        (began, toldAt, last) = (now, now, options.begins)
    }

    mutating func note(_ record: Record) {
        records += 1
        last = record.at
    }

    /// A line for those who wait, every two seconds; nil meanwhile.
    ///
    /// - Parameter moment: What the clock of the fleet shows.
    mutating func line(at moment: WallTime, now: Int64) -> String? {
        guard now - toldAt >= Self.intervalNanoseconds else { return nil }
        toldAt = now
        let share = microseconds.map { passed(moment) / max(1, $0) }
        let left = share.map { Double(now - began) / 1e9 * (1 - $0) / max($0, 1e-9) }
        return "castledger: \(moment.text), "
            + (share.map { "\(Int(clamping: ($0 * 100).wholeNumber))%, " } ?? "") + pace(moment, now)
            + (left.map { ", about \(Int(clamping: $0.wholeNumber)) s left" } ?? "")
    }

    /// What is told at the end.
    func end(isWhole: Bool, now: Int64) -> String {
        (isWhole ? "wrote " : "stopped early: wrote ") + "\(records) records up to \(last.text): "
            + pace(last, now)
    }

    private func passed(_ moment: WallTime) -> Double { Double(moment.microseconds - begins.microseconds) }

    private func pace(_ moment: WallTime, _ now: Int64) -> String {
        let seconds = max(Double(now - began) / 1e9, 0.001)
        let days = passed(moment) / Self.microsecondsPerDay * Double(devices)
        return
            "\((Double(records) / seconds).wholeNumber) records and \((days / seconds).wholeNumber) device-days per second"
    }
}

extension Double {
    /// Without what is behind the point; 0 when it is no number that has a whole one.
    fileprivate var wholeNumber: Int64 { Int64(exactly: rounded()) ?? 0 }
}
