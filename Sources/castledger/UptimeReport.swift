import CastModel
import Report
import Store

/// `castledger report uptime`: how each device spent its days, with sums.
struct UptimeReport {
    /// A table needs all its rows before its first line; beyond this many it prints what it has and begins again.
    private static let tableLimitRows = 10_000

    private let writer: ReportWriter
    private let choice: ZoneChoice
    private var rows: [[String]] = []
    private var ofDevice: UptimeFields?
    private var ofAll = UptimeFields(scope: .all, deviceID: nil, deviceName: nil, day: nil)
    private var devices = 0
    private var daysOfDevice = 0
    private var count = 0

    init(_ writer: ReportWriter, _ choice: ZoneChoice) {
        self.writer = writer
        self.choice = choice
    }

    /// Writes the report; says how many rows it has.
    func write(_ filter: LedgerFilter, _ queries: LedgerQueries) throws -> Int {
        var report = self
        try writer.heading(UptimeFields.csvHeading)
        var failure: (any Error)?
        try queries.uptime(filter, zone: choice.name) { row in
            do { try report.take(row) } catch { failure = error }
            return failure == nil && !writer.isClosed
        }
        if let failure { throw failure }
        try report.finish()
        return report.count
    }

    private mutating func take(_ row: UptimeRow) throws {
        if let ofDevice, ofDevice.deviceID != row.deviceID.text { try finishDevice() }
        let day = UptimeFields(
            scope: .day, deviceID: row.deviceID.text, deviceName: row.deviceName, day: row.day,
            knownSeconds: row.knownSeconds, observedSeconds: row.observedSeconds,
            reachableSeconds: row.reachableSeconds, unreachableSeconds: row.unreachableSeconds,
            activities: row.activities)
        try emit(day)
        if ofDevice == nil {
            ofDevice = UptimeFields(scope: .device, deviceID: day.deviceID, deviceName: day.deviceName, day: nil)
            devices += 1
        }
        daysOfDevice += 1
        ofDevice?.add(day)
        ofAll.add(day)
    }

    private mutating func finishDevice() throws {
        // A person sees that the sum of one day is that day.
        if let ofDevice, daysOfDevice > 1 || !writer.isForPeople { try emit(ofDevice) }
        (ofDevice, daysOfDevice) = (nil, 0)
    }

    private mutating func finish() throws {
        try finishDevice()
        if devices > 1 { try emit(ofAll) }
        try printTable()
    }

    private mutating func emit(_ row: UptimeFields) throws {
        count += 1
        try writer.row(json: row.json, csv: row.csv)
        guard writer.isForPeople else { return }
        rows.append(row.cells)
        if rows.count >= Self.tableLimitRows { try printTable() }
    }

    private mutating func printTable() throws {
        guard !rows.isEmpty else { return }
        try writer.table(Table(UptimeFields.columns(zone: choice.name), rows: rows))
        rows = []
    }
}
