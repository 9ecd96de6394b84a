import Arguments
import CastModel
import Plays
import Recording
import Report
import Store

/// `castledger report as-run`: what each device played, a day at a time.
///
/// Memory holds the rows of one day of one device.
struct AsRunReport {
    private let writer: ReportWriter
    private let choice: ZoneChoice
    private let apps: AppRegistry
    /// Neighbors of one content that lie less than so many seconds apart are one row; nil keeps all apart.
    private let mergeSeconds: Double?
    private var rows: [AsRunFields] = []
    private var total: AsRunFields?
    private var count = 0

    init(_ writer: ReportWriter, _ choice: ZoneChoice, _ apps: AppRegistry, _ arguments: ParsedArguments) {
        self.writer = writer
        self.choice = choice
        self.apps = apps
        mergeSeconds = arguments.text(.groupBy) == nil ? nil : arguments.duration(.groupGap).map { $0 / .seconds(1) }
    }

    /// Writes the report; says how many days it tells of.
    func write(_ filter: LedgerFilter, _ queries: LedgerQueries) throws -> Int {
        var report = self
        if let mergeSeconds {
            Terminal.complain([
                "castledger: plays of the same device, app and content that lie less than \(Int(mergeSeconds)) s apart are one row"
            ])
        }
        try writer.heading(AsRunFields.csvHeading)
        var failure: (any Error)?
        let unknown = try queries.asRun(filter, zone: choice.name) { row in
            do { try report.take(row) } catch { failure = error }
            return failure == nil && !writer.isClosed
        }
        if let failure { throw failure }
        try report.finishDay()
        if unknown > 0 { Terminal.complain(["castledger: \(unknown) plays that only a newer castledger understands"]) }
        return report.count
    }

    private mutating func take(_ row: AsRunRow) throws {
        if let total, total.deviceID != row.deviceID.text || total.day != row.day { try finishDay() }
        if total == nil {
            count += 1
            total = AsRunFields(
                deviceID: row.deviceID.text, deviceName: row.deviceName, day: row.day, play: nil,
                time: TimePlayed(knownSeconds: row.knownSeconds, observedSeconds: row.observedSeconds))
        }
        guard let play = row.play, let share = row.share else { return }
        let time = TimePlayed(
            plays: 1, playedSeconds: share.playedSeconds, pausedSeconds: share.pausedSeconds, adSeconds: share.adSeconds
        )
        var fields = AsRunFields(
            deviceID: row.deviceID.text, deviceName: row.deviceName, day: row.day, play: (play.play, play.recorderID),
            time: time)
        fields.gapSeconds = share.gapSeconds
        total?.time.add(time)
        if let mergeSeconds, let last = rows.indices.last, rows[last].merge(fields, within: mergeSeconds) { return }
        rows.append(fields)
    }

    private mutating func finishDay() throws {
        guard let total else { return }
        switch writer.format {
        case .csv, .json:
            for row in rows + [total] {
                try writer.row(json: row.json(zone: choice.zone), csv: row.csv(zone: choice.zone))
            }
        case .table, .html:
            if count > 1 { try writer.line("") }
            let name = PlainText.neutralized(total.deviceName ?? total.deviceID)
            try writer.line("\(name), \(total.day) (\(choice.name))")
            if !rows.isEmpty {
                try writer.table(
                    Table(AsRunFields.columns, rows: rows.map { $0.cells(zone: choice.zone, apps: apps) }))
            }
            let plays = total.time.plays
            try writer.line("\(plays == 1 ? "1 play" : "\(plays) plays"): \(total.time.claim)")
        }
        rows = []
        self.total = nil
    }
}
