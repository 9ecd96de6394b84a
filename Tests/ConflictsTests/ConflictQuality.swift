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
    /// One line for each act that was missed, and for each conflict that was invented.
    private(set) var mistakes: [String] = []

    /// What a conflict may begin before an act or end after it, in seconds.
    private static let slack = 3.0

    /// Watches a fleet of so many devices for a while.
    mutating func watch(seed: UInt64, devices: Int, duration: Duration, _ rules: ConflictRules = ConflictRules()) {
        let fleet = VirtualFleet(
            VirtualFleetOptions(
                devices: devices, scenario: .fights, seed: FleetSeed(seed), duration: duration, heartbeats: false))
        var (differ, ledger) = (StatusDiffer(), ConflictLedger(rules: rules))
        var (rows, labels): ([Conflict.ID: Conflict], [ActLabel]) = ([:], [])
        while let happening = fleet.next() {
            switch happening {
            case .record(let record):
                for event in differ.fold(record) { for row in ledger.fold(event) { rows[row.id] = row } }
            case .label(let label): labels.append(label)
            }
        }
        judge(rows.values.sorted { $0.id < $1.id }, labels, seed)
    }

    private mutating func judge(_ rows: [Conflict], _ labels: [ActLabel], _ seed: UInt64) {
        var used: Set<Conflict.ID> = []
        for label in labels {
            acts[label.kind, default: 0] += 1
            guard let kind = Conflict.Kind(rawValue: label.kind.rawValue) else { continue }
            let matches = rows.filter { $0.id.kind == kind && Self.touches($0, label) }
            used.formUnion(matches.map(\.id))
            if matches.isEmpty {
                figures[kind, default: Figures()].missed += 1
                mistakes.append(
                    "seed \(seed) missed \(kind.rawValue) \(label.variant) of \(label.moves) moves at \(label.from.text) on \(label.device)"
                )
            } else {
                figures[kind, default: Figures()].found += 1
            }
        }
        for row in rows where !used.contains(row.id) {
            // What an act that had not ended was, nobody knows.
            guard let last = labels.last(where: { $0.device == row.deviceID }), row.from < last.to else { continue }
            let act = labels.first { $0.device == row.deviceID && Self.touches(row, $0) }
            figures[row.id.kind, default: Figures()].invented += 1
            mistakes.append(
                "seed \(seed) invented \(row.id.kind.rawValue) in \(act.map { "\($0.kind.rawValue) \($0.variant)" } ?? "no act") at \(row.from.text) on \(row.deviceID): \(row.sentence) \(row.score) \(row.actorsJSON.text)"
            )
        }
    }

    private static func touches(_ row: Conflict, _ label: ActLabel) -> Bool {
        row.deviceID == label.device && row.from.seconds(since: label.to) <= slack
            && label.from.seconds(since: row.to) <= slack
    }

    /// The figures as lines of a table.
    var lines: [String] {
        Conflict.Kind.allCases.map { kind in
            let told = figures[kind] ?? Figures()
            return "\(kind.rawValue): \(told.found) found, \(told.missed) missed, \(told.invented) invented; precision "
                + "\(Self.short(told.precision)), recall \(Self.short(told.recall))"
        }
    }

    private static func short(_ share: Double) -> String { "\((share * 1000).rounded(.down) / 1000)" }
}
