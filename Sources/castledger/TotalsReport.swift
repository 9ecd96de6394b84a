import Arguments
import CastModel
import Recording
import Report
import Store

/// `castledger report totals`: what plays come to.
struct TotalsReport {
    private let writer: ReportWriter
    private let choice: ZoneChoice
    private let apps: AppRegistry
    private let keys: [TotalKey]
    private let top: Int

    init(_ writer: ReportWriter, _ choice: ZoneChoice, _ apps: AppRegistry, _ arguments: ParsedArguments) {
        self.writer = writer
        self.choice = choice
        self.apps = apps
        let asked = arguments.texts(.totalsBy).compactMap { TotalKey(rawValue: $0) }
        keys = asked.isEmpty ? [.device, .app, .title, .hour, .weekday] : asked
        top = arguments.integer(.top).map { Int(clamping: $0) } ?? 10
    }

    /// Writes the report; says how many rows it has.
    func write(_ filter: LedgerFilter, _ queries: LedgerQueries) throws -> Int {
        let all = try queries.totals(filter, zone: choice.name, by: nil).map { fields($0, by: "all") }
        guard let sum = all.first, sum.time.knownSeconds != nil || sum.time.plays > 0 else { return 0 }
        try writer.heading(TotalFields.csvHeading)
        var count = 1
        for key in keys {
            var limited = filter
            switch key {
            case .device, .app, .title: limited.limit = top
            case .hour, .weekday, .day: limited.limit = nil
            }
            let rows = try queries.totals(limited, zone: choice.name, by: key).map { fields($0, by: key.rawValue) }
            count += rows.count
            for row in rows { try writer.row(json: row.json, csv: row.csv) }
            guard writer.isForPeople, !rows.isEmpty else { continue }
            let scale = rows.map(\.time.playedSeconds).max() ?? 0
            try writer.table(Table(TotalFields.columns(by: key.rawValue), rows: rows.map { $0.cells(scale: scale) }))
            try writer.line("")
        }
        if let most = try queries.mostAtOnce(filter, zone: choice.name) { try write(most) }
        try writer.row(json: sum.json, csv: sum.csv)
        if writer.isForPeople {
            let plays = sum.time.plays
            try writer.line("All: \(plays == 1 ? "1 play" : "\(plays) plays"), \(sum.time.claim)")
        }
        return count
    }

    private func write(_ most: MostAtOnce) throws {
        let row = TotalFields(
            by: "at_once", key: most.from.text, name: most.to.text, time: TimePlayed(plays: most.plays),
            inputInactiveSeconds: 0)
        try writer.row(json: row.json, csv: row.csv)
        guard writer.isForPeople else { return }
        let (from, to) = (moment(most.from), moment(most.to))
        try writer.line("Most at once: \(most.plays), first from \(from) to \(to) (\(choice.name))")
    }

    private func moment(_ time: WallTime) -> String {
        choice.zone.day(time) + " " + String(choice.zone.timeOfDay(time).prefix(8))
    }

    private func fields(_ row: TotalRow, by: String) -> TotalFields {
        var name = row.name
        if by == "app", name == nil { name = row.key.flatMap { apps[AppID($0)]?.name } }
        return TotalFields(
            by: by, key: row.key, name: name,
            time: TimePlayed(
                plays: row.plays, playedSeconds: row.playedSeconds, pausedSeconds: row.pausedSeconds,
                adSeconds: row.adSeconds, knownSeconds: row.knownSeconds, observedSeconds: row.observedSeconds),
            inputInactiveSeconds: row.inputInactiveSeconds)
    }
}
