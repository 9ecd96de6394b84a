import CastModel
import Recording

/// What happens at one device over days, weeks and years: the scenario `days`.
///
/// Nights are quiet, evenings busy, weekends more than weekdays, all in UTC. Some devices hang at a switch that is off at
/// night; each is away now and then. One act in twenty is one of the scenario `fights`, with its label.
struct DayPlan: Sendable {
    private static let hour: Int64 = 3_600_000_000
    /// How busy an hour is, 0 through 100: on weekdays, and on Saturdays and Sundays.
    private static let weekday = [
        4, 2, 1, 1, 1, 3, 15, 25, 18, 10, 10, 12, 18, 15, 10, 12, 20, 35, 55, 80, 100, 85, 45, 15,
    ]
    private static let weekend = [
        8, 4, 2, 1, 1, 2, 6, 15, 30, 40, 40, 40, 45, 45, 45, 50, 55, 60, 75, 95, 100, 90, 60, 30,
    ]

    private let profile: DeviceProfile
    private var random: RandomSource
    private var deck = ActDeck()
    /// Up to where the script has been written.
    private var moment: WallTime
    /// Acts per hour where an hour is as busy as it gets.
    private let actsPerHour: Double
    /// When its switch goes off and on, in minutes of the day; nil for those that always have power.
    private let switchedOff: (from: Int64, to: Int64)?

    init(of profile: DeviceProfile, seed: FleetSeed, begins: WallTime) {
        self.profile = profile
        random = seed.source("days", profile.index)
        moment = begins
        let usual =
            switch profile.kind {
            case .television: 0.55
            case .display: 0.7
            case .speaker: 0.6
            case .group: 0.12
            }
        // Some homes are livelier than others.
        actsPerHour = usual * Double(Int.random(in: 50...150, using: &random)) / 100
        switchedOff =
            profile.kind != .group && profile.index % 5 == 1
            ? (
                from: 1400 + Int64.random(in: 0...30, using: &random),
                to: 395 + Int64.random(in: 0...40, using: &random)
            )
            : nil
    }

    /// The next act, from the end of the one before to its own end.
    mutating func nextAct() -> [ScenarioStep] {
        let due = nextBusyMoment()
        var writer = ActWriter(random)
        if let night = nightBefore(due) {
            writer.sleep(from: night.from, to: night.to, now: moment)
        } else {
            writer.waits(due.microseconds - moment.microseconds)
            writer.act(at: profile, &deck)
        }
        random = writer.random
        moment.microseconds += writer.steps.reduce(0) { $0 + $1.delay.wholeMicroseconds }
        return writer.steps
    }

    /// By thinning: candidates at the highest rate, of which each hour keeps its share.
    private mutating func nextBusyMoment() -> WallTime {
        var candidate = moment
        for _ in 0..<10_000 {
            let chance = Double(Int64.random(in: 1...1_000_000, using: &random)) / 1e6
            candidate.microseconds += Int64(-Math.logarithm(chance) / actsPerHour * Double(Self.hour))
            if Int.random(in: 0..<100, using: &random) < Self.busy(at: candidate) { return candidate }
        }
        return candidate
    }

    private static func busy(at moment: WallTime) -> Int {
        let day = moment.dayUTC
        let hour = Int((moment.microseconds - day.start.microseconds) / Self.hour)
        // 1970-01-01 was a Thursday.
        let isWeekend = (day.number + 3) % 7 >= 5
        return (isWeekend ? weekend : weekday)[min(max(0, hour), 23)]
    }

    /// The night at whose beginning the switch goes off before `due`; nil when it does not.
    private func nightBefore(_ due: WallTime) -> (from: WallTime, to: WallTime)? {
        guard let switchedOff else { return nil }
        let minute: Int64 = 60_000_000
        var from = moment.dayUTC.start
        from.microseconds += switchedOff.from * minute
        // An act may have lasted beyond the hour: the switch then goes off at its end, unless the morning has come.
        let morning = moment.dayUTC.start.microseconds + switchedOff.to * minute
        if moment.microseconds < morning { return (moment, WallTime(microseconds: morning)) }
        guard due > from else { return nil }
        let next = from.dayUTC.start.microseconds + 24 * Self.hour + switchedOff.to * minute
        return (max(from, moment), WallTime(microseconds: next))
    }
}

/// Mathematics without a library of the system, so that every machine gets the same.
enum Math {
    /// The natural logarithm of a number above 0, to about nine digits.
    static func logarithm(_ number: Double) -> Double {
        guard number > 0, number.isFinite else { return 0 }
        // The exponent, and twice the series of artanh for what is left.
        let z = (number.significand - 1) / (number.significand + 1)
        var (sum, power, divisor) = (0.0, z, 1.0)
        for _ in 0..<12 {
            sum += power / divisor
            power *= z * z
            divisor += 2
        }
        return Double(number.exponent) * 0.693147180559945309 + 2 * sum
    }
}
