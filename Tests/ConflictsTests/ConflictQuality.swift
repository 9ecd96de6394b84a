import CastModel
import Conflicts
import Differ
import Fleet
import Recording

/// What the detector makes of labelled acts: how many of each kind it finds, misses and invents.
struct ConflictQuality {
    /// The figures of one kind.
    struct Figures {
        /// Acts that were found.
        var found = 0
        /// Acts that were not.
        var missed = 0
        /// Conflicts told where there was no such act.
        var invented = 0

        var precision: Double { found + invented == 0 ? 1 : Double(found) / Double(found + invented) }
        var recall: Double { found + missed == 0 ? 1 : Double(found) / Double(found + missed) }
    }

    private(set) var figures: [Conflict.Kind: Figures] = [:]
    /// How many acts of each kind there were, innocent ones included.
    private(set) var acts: [ActKind: Int] = [:]
    /// One line for each act that was missed, and for each conflict that was invented, with what there was to see.
    private(set) var mistakes: [String] = []

    /// How many acts that are no fights there were.
    var innocentActs: Int { acts.filter { !$0.key.isFight }.map(\.value).reduce(0, +) }

    /// What a conflict may begin before an act or end after it, in seconds.
    private static let slack = 3.0

    /// Watches a fleet of so many devices for a while.
    mutating func watch(seed: UInt64, devices: Int, duration: Duration, _ rules: ConflictRules = ConflictRules()) {
        let fleet = VirtualFleet(
            VirtualFleetOptions(
                devices: devices, scenario: .fights, seed: FleetSeed(seed), duration: duration, heartbeats: false))
        var (differ, ledger) = (StatusDiffer(), ConflictLedger(rules: rules))
        var (rows, labels): ([Conflict.ID: Conflict], [ActLabel]) = ([:], [])
        var seen: [ChangeEvent] = []
        while let happening = fleet.next() {
            switch happening {
            case .record(let record):
                for event in differ.fold(record) {
                    if event.requestID ?? 0 > 0 { seen.append(event) }
                    for row in ledger.fold(event) { rows[row.id] = row }
                }
            case .label(let label): labels.append(label)
            }
        }
        judge(rows.values.sorted { $0.id < $1.id }, labels, seen, seed)
    }

    private mutating func judge(_ rows: [Conflict], _ labels: [ActLabel], _ seen: [ChangeEvent], _ seed: UInt64) {
        var used: Set<Conflict.ID> = []
        for label in labels {
            acts[label.kind, default: 0] += 1
            guard let kind = Conflict.Kind(rawValue: label.kind.rawValue) else { continue }
            let matches = rows.filter { $0.id.kind == kind && Self.touches($0, label) }
            used.formUnion(matches.map(\.id))
            if matches.isEmpty {
                figures[kind, default: Figures()].missed += 1
                mistakes.append(
                    "seed \(seed) missed \(kind.rawValue) \(label.variant) of \(label.moves) moves at "
                        + "\(label.from.text) on \(label.device): \(Self.requests(of: label, seen))")
            } else {
                figures[kind, default: Figures()].found += 1
            }
        }
        for row in rows where !used.contains(row.id) {
            // What an act that had not ended was, nobody knows.
            guard let last = labels.last(where: { $0.device == row.deviceID }), row.from < last.to else { continue }
            let act = labels.first { $0.device == row.deviceID && Self.touches(row, $0) }
            figures[row.id.kind, default: Figures()].invented += 1
            let within = act.map { "\($0.kind.rawValue) \($0.variant), \(Self.requests(of: $0, seen))" } ?? "no act"
            mistakes.append(
                "seed \(seed) invented \(row.id.kind.rawValue) at \(row.from.text) on \(row.deviceID): "
                    + "\(row.sentence) \(row.score), in \(within)")
        }
    }

    /// The requests before and in an act, as they were told: "sender 1: 4 5 9", so that one sees who could be who.
    private static func requests(of label: ActLabel, _ seen: [ChangeEvent]) -> String {
        let events = seen.filter {
            $0.deviceID == label.device && $0.observedAt.seconds(since: label.from) >= -40
                && $0.observedAt <= label.to
        }
        var words: [String] = []
        for event in events {
            let who = event.senderSeries.map { "\($0)" } ?? "?"
            let isAct = event.observedAt >= label.from
            let word = "\(isAct ? "" : "(")\(event.kind.rawValue) \(event.requestID ?? 0) of \(who)\(isAct ? "" : ")")"
            if words.last != word { words.append(word) }
        }
        return words.isEmpty ? "no request was told" : words.joined(separator: ", ")
    }

    private static func touches(_ row: Conflict, _ label: ActLabel) -> Bool {
        row.deviceID == label.device && row.from.seconds(since: label.to) <= slack
            && label.from.seconds(since: row.to) <= slack
    }

    /// The figures as lines of a table.
    var lines: [String] {
        ["\(innocentActs) innocent acts of \(acts.keys.filter { !$0.isFight }.count) kinds"]
            + Conflict.Kind.allCases.map { kind in
                let told = figures[kind] ?? Figures()
                return "\(kind.rawValue): \(told.found) found, \(told.missed) missed, \(told.invented) invented; "
                    + "precision \(Self.short(told.precision)), recall \(Self.short(told.recall))"
            }
    }

    private static func short(_ share: Double) -> String { "\((share * 1000).rounded(.down) / 1000)" }
}
