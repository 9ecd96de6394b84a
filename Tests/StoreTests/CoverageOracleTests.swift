import CastModel
import Recording
import TestSupport
import Testing

@testable import Store

// Goal: the coverage that SQL works out with ranges is what one finds by looking at every minute.
// Method: random devices, recorders and gaps in whole minutes around the night in which Berlin sets its clocks, written
// into the tables as they are; a naive model that asks each minute of each recorder.
@Suite("Coverage, minute by minute", .waits) struct CoverageOracleTests {
    /// Minute 0 is 2026-03-27T00:00Z; the clocks of Berlin go from 02:00 to 03:00 on the 29th, at 01:00Z.
    private static let start: Int64 = 1_774_569_600_000_000
    private static let clockChange = (2 * 24 + 1) * 60
    private static let asked = 100..<5_500
    private static let recorders = [recorderOne, recorderTwo]
    private static let reasons = [
        "device_unreachable", "link_lost", "frames_lost", "recorder_down", "attach_refused", "not_joined", "clock_jump",
        "of_a_later_version", "device_excluded",
    ]

    /// What one recorder says of one device.
    private struct Watch {
        var seen: Int
        var linked: Int?
        var checkpoint: Int
        var gaps: [(from: Int, to: Int?, reason: String)]

        private static func hides(_ reason: String) -> String {
            switch reason {
            case "attach_refused", "not_joined": "media"
            case "clock_jump", "device_excluded": "nothing"
            default: "device"
            }
        }

        private func reasons(at minute: Int, hiding what: String) -> [String] {
            var found = gaps.filter { gap in
                Self.hides(gap.reason) == what && gap.from <= minute && (gap.to.map { minute < $0 } ?? true)
            }.map(\.reason)
            // Linked within a minute, it counts from its link; otherwise it is unreachable until then.
            let isLate = linked.map { $0 > seen + 1 } ?? true
            if what == "device", isLate, minute >= seen, linked.map({ minute < $0 }) ?? true {
                found.append("device_unreachable")
            }
            return found
        }

        /// Whether the recorder can tell at all, be it that its clock was set.
        func watches(at minute: Int) -> Bool {
            var from = seen
            if let linked, linked <= seen + 1 { from = linked }
            var lost = gaps.filter { gap in
                gap.to == nil && Self.hides(gap.reason) == "device" && gap.reason != "recorder_down"
            }.map(\.from)
            if linked == nil { lost.append(seen) }
            let givenUp = lost.min().map { $0 + 30 * 24 * 60 } ?? .max
            return minute >= from && minute < min(checkpoint, givenUp)
        }

        func missesDevice(at minute: Int) -> [String] { reasons(at: minute, hiding: "device") }
        func missesMedia(at minute: Int) -> [String] { reasons(at: minute, hiding: "media") }
        func isSkipped(at minute: Int) -> Bool { !reasons(at: minute, hiding: "nothing").isEmpty }
    }

    /// What a minute of a device comes to.
    private enum Finding: Equatable {
        case unknown, observed
        case mediaMissed(String)
        case missed(String)
    }

    private func finding(_ watches: [Watch], at minute: Int) -> Finding {
        let watching = watches.filter { $0.watches(at: minute) }
        let knowing = watching.filter { !$0.isSkipped(at: minute) }
        guard !knowing.isEmpty else { return .unknown }
        let seeing = knowing.filter { $0.missesDevice(at: minute).isEmpty }
        func first(_ reasons: [String]) -> String {
            // The order in which reasons are told, by hand.
            let order = [
                "device_unreachable", "link_lost", "frames_lost", "of_a_later_version", "recorder_down",
                "attach_refused", "not_joined",
            ]
            return order.first { reasons.contains($0) } ?? "?"
        }
        if seeing.contains(where: { $0.missesMedia(at: minute).isEmpty }) { return .observed }
        guard seeing.isEmpty else { return .mediaMissed(first(watching.flatMap { $0.missesMedia(at: minute) })) }
        return .missed(first(watching.flatMap { $0.missesDevice(at: minute) }))
    }

    private func randomWatch(_ dice: inout Dice, checkpoint: Int) -> Watch {
        // Some have been known, and lost, for about thirty days, which are 43,200 minutes.
        let isOld = dice.isLucky(4)
        let seen = isOld ? dice.below(7_000) - 44_000 : dice.below(4_000)
        let linked = dice.isLucky(3) ? nil : seen + [0, 1, 2, dice.below(600)][dice.below(4)]
        var gaps: [(from: Int, to: Int?, reason: String)] = []
        for _ in 0..<dice.below(9) {
            let from = isOld && dice.isLucky(3) ? dice.below(7_000) - 44_000 : dice.below(5_800)
            let reason = Self.reasons[dice.below(Self.reasons.count)]
            // Some are empty, some end before they begin, some last.
            let to = dice.isLucky(from < 0 ? 2 : 10) && reason != "clock_jump" ? nil : from - 20 + dice.below(700)
            gaps.append((from, to, reason))
        }
        return Watch(seen: seen, linked: linked, checkpoint: checkpoint, gaps: gaps)
    }

    private func store(_ watches: [[Watch]], over connection: PostgresConnection) throws {
        func time(_ minute: Int?) -> String {
            minute.map { "timestamptz '2026-03-27 00:00Z' + \($0) * interval '1 minute'" } ?? "NULL"
        }
        var position = 0
        for (device, ofDevice) in watches.enumerated() {
            for (recorder, watch) in zip(Self.recorders, ofDevice) {
                try connection.execute(
                    """
                    INSERT INTO projection.device (
                        device_id, recorder_id, state, first_seen_at, last_heard_at, first_linked_at)
                    VALUES ('tv\(device)', '\(recorder)', 'linked', \(time(watch.seen)), \(time(watch.checkpoint)),
                        \(time(watch.linked)))
                    """)
                for gap in watch.gaps {
                    position += 1
                    try connection.execute(
                        """
                        INSERT INTO projection.gap
                        VALUES ('tv\(device)', '\(recorder)', \(position), 0, \(time(gap.from)), \(time(gap.to)),
                            '\(gap.reason)')
                        """)
                }
            }
        }
        for (recorder, watch) in zip(Self.recorders, watches.first ?? []) {
            try connection.execute(
                """
                INSERT INTO projection.checkpoint (
                    recorder_id, position, observed_at, events, sanitized_rows, refused_rows)
                VALUES ('\(recorder)', 1, \(time(watch.checkpoint)), 0, 0, 0)
                """)
        }
    }

    @Test(arguments: 1...40)
    func `is the same as by ranges`(seed: Int) throws {
        var dice = Dice(seed: UInt64(seed))
        let checkpoints = [3_000 + dice.below(3_500), 2_000 + dice.below(4_500)]
        let watches = (0..<3).map { _ in checkpoints.map { randomWatch(&dice, checkpoint: $0) } }
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Migration.applyAll(to: connection)
        try store(watches, over: connection)

        var days: [String: [String: Int]] = [:]
        var findings: [String: [Finding]] = [:]
        for (device, ofDevice) in watches.enumerated() {
            for minute in Self.asked {
                let finding = finding(ofDevice, at: minute)
                findings["tv\(device)", default: []].append(finding)
                let local = minute + (minute < Self.clockChange ? 60 : 120)
                let day = "tv\(device) 2026-03-\(27 + local / 1440)"
                switch finding {
                case .unknown: continue
                case .observed:
                    days[day, default: [:]]["observed", default: 0] += 60
                    days[day, default: [:]]["media", default: 0] += 60
                case .mediaMissed(let reason):
                    days[day, default: [:]]["observed", default: 0] += 60
                    days[day, default: [:]][reason, default: 0] += 60
                case .missed(let reason): days[day, default: [:]][reason, default: 0] += 60
                }
                days[day, default: [:]]["known", default: 0] += 60
            }
        }

        func moment(_ minute: Int) -> WallTime {
            WallTime(microseconds: Self.start + Int64(minute) * 60_000_000)
        }
        let question = CoverageQuestion(
            from: moment(Self.asked.lowerBound), to: moment(Self.asked.upperBound), zone: "Europe/Berlin")
        let queries = try LedgerQueries(connection: connection)
        var found: [String: [String: Int]] = [:]
        for row in try queries.coverage(question) {
            var figures = [
                "known": Int(row.knownSeconds), "observed": Int(row.observedSeconds),
                "media": Int(row.mediaObservedSeconds),
            ].filter { $0.value > 0 }
            for gap in row.gaps { figures[gap.reason] = Int(gap.seconds) }
            found["\(row.deviceID.text) \(row.day)"] = figures
        }
        #expect(found == days, "seed \(seed)")

        // Each minute missed is in one span, and in the one of its reason.
        var spans = findings.mapValues { $0.map { _ in [Finding]() } }
        for row in try queries.unobserved(question) {
            let first = Int((row.from.microseconds - Self.start) / 60_000_000) - Self.asked.lowerBound
            let end = Int((row.to.microseconds - Self.start) / 60_000_000) - Self.asked.lowerBound
            for index in first..<end {
                spans[row.deviceID.text]?[index].append(
                    row.hidesMediaOnly ? .mediaMissed(row.reason) : .missed(row.reason))
            }
        }
        let missed = findings.mapValues { $0.map { [.unknown, .observed].contains($0) ? [] : [$0] } }
        #expect(spans == missed, "seed \(seed)")
    }
}

/// Random numbers that a seed repeats (splitmix64).
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// True once in so many times.
    mutating func isLucky(_ times: Int) -> Bool { below(times) == 0 }
}
