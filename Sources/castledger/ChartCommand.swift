import Arguments
import CastModel
import IO
import Recording
import Report
import Store

/// `castledger timeline --chart`: what each device did, as bars.
struct ChartCommand {
    /// The width where there is no terminal to fit.
    private static let usualColumns = 100

    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        var (zone, filter) = try FilterReading(context.arguments).zoneAndFilter()
        let now = WallTime(microseconds: Clock.wallMicroseconds())
        filter.to = min(filter.to ?? now, now)
        guard let from = filter.from, let to = filter.to, from < to else {
            throw CommandFailure(ExitCode.usage, "--chart shows what was; nothing lies between --from and --to yet.")
        }
        if zone.name.isEmpty { zone.name = "local time" }
        let width = Terminal.widthColumns ?? Terminal.askedColumns ?? Self.usualColumns
        let count = try Ledger.ask(context) { queries in
            let names = try queries.shownDevices(filter).map { $0.name ?? $0.deviceID.text }
            let chart = LaneChart(
                from: from, to: to, zone: zone, names: names, widthColumns: width, isColored: Terminal.wantsColor)
            return try draw(chart, filter, queries, widthColumns: width)
        }
        guard count > 0 else {
            Terminal.complain(["castledger: nothing is known of that period"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }

    private func draw(
        _ chart: LaneChart, _ filter: LedgerFilter, _ queries: LedgerQueries, widthColumns: Int
    ) throws -> Int {
        var lanes: [LaneChart.Lane] = []
        var current: (id: DeviceID, name: String)?
        var totals: [(name: String, seconds: [String: Double])] = []
        func finish() throws {
            guard let device = current else { return }
            if totals.isEmpty { for line in chart.heading { try context.output.line(line) } }
            try context.output.line(chart.line(name: device.name, lanes: lanes))
            let seconds = lanes.map { ($0.activity, $0.to.seconds(since: $0.from)) }
            totals.append((device.name, Dictionary(seconds, uniquingKeysWith: +)))
            lanes = []
        }
        var failure: (any Error)?
        try queries.lanes(filter) { row in
            do {
                if current?.id != row.deviceID {
                    try finish()
                    current = (row.deviceID, row.deviceName ?? row.deviceID.text)
                }
            } catch { failure = error }
            // What differs only in its play is one bar.
            if let last = lanes.indices.last, lanes[last].to == row.from, lanes[last].activity == row.activity {
                lanes[last].to = row.to
            } else {
                lanes.append(LaneChart.Lane(from: row.from, to: row.to, activity: row.activity))
            }
            return failure == nil && !context.output.isClosed
        }
        if let failure { throw failure }
        try finish()
        guard !totals.isEmpty else { return 0 }
        let all = totals.reduce(into: [String: Double]()) { $0.merge($1.seconds, uniquingKeysWith: +) }
        try context.output.line("")
        for line in chart.legend(all, widthColumns: widthColumns) { try context.output.line(line) }
        guard totals.count > 1 else { return totals.count }
        try context.output.line("")
        let rows = totals.map { UptimeFields.activityCells(of: $0.name, $0.seconds) }
        let table = Table(UptimeFields.activityColumns, rows: rows)
        for line in table.lines(widthColumns: Terminal.widthColumns) { try context.output.line(line) }
        return totals.count
    }
}
