import Archive
import Arguments
import CastModel
import CastWire
import Differ
import Recording
import Report

/// `castledger frames`: frames from the archive, one line each.
///
/// Names come from the archive too, as far as it was read: no database is asked.
struct FramesCommand {
    private let context: CommandContext
    private let zone: Zone
    private var count = 0
    private var damage: [ArchiveDamage] = []
    private let parser = JSONParser()

    init(_ context: CommandContext) {
        self.context = context
        zone = Ledger.zone(context.arguments)
    }

    mutating func run() throws -> Int32 {
        var filter = RecordFilter()
        (filter.from, filter.to) = try Ledger.stretch(context.arguments, zone)
        let folders = try ArchiveReading.folders(context)
        guard !folders.isEmpty else { throw Ledger.nothingRecorded(context, ExitCode.nothing) }
        if let event = context.arguments.text(.event) { return try showEvent(event, folders) }
        filter.namespaceSuffix = context.arguments.text(.namespace)
        filter.framesOnly = true
        let wanted = context.arguments.text(.deviceSought)
        let limit = context.arguments.integer(.limit).map { Int(clamping: $0) } ?? .max
        var archives: [ArchiveNames] = []
        for folder in folders where count < limit {
            let search = ArchiveSearch(folder)
            var names = ArchiveNames(try search.names())
            archives.append(names)
            if let wanted { filter.devices = names.devices(called: wanted) }
            try search.run(filter) { record, _ in
                names.advance(to: record.position)
                if let wanted, let device = record.body.device, !names.isMeant(device, by: wanted) { return true }
                count += 1
                try emit(record, names)
                return count < limit && !context.output.isClosed
            }
            damage += search.damage
        }
        if let exit = ArchiveReading.complain(of: damage) { return exit }
        guard count > 0 else {
            try ArchiveNames.refuseUnknown(wanted, archives)
            Terminal.complain(["castledger: nothing in that period"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }

    /// The record behind a change event, and frames of the same device around it.
    private mutating func showEvent(_ event: String, _ folders: [ArchiveFolder]) throws -> Int32 {
        let parts = event.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let number = Int64(parts[0]), (1..<Int64.max).contains(number),
            parts.count == 1 || Int(parts[1]).map({ $0 >= 0 }) == true
        else {
            throw CommandFailure(
                ExitCode.usage, "--event '\(PlainText.neutralized(event))' is no position such as 812 or 812/0.")
        }
        let position = ArchivePosition(number)
        let around = context.arguments.integer(.around).map { Int(clamping: $0) } ?? 0
        for folder in folders {
            let search = ArchiveSearch(folder)
            defer { damage += search.damage }
            guard let record = try search.record(at: position) else { continue }
            var names = ArchiveNames(try search.names())
            var filter = RecordFilter()
            filter.devices = record.body.device.map { [$0] } ?? []
            filter.framesOnly = true
            filter.namespaceSuffix = context.arguments.text(.namespace)
            var shown = around > 0 ? try search.last(around, before: position, filter) : []
            shown.append(record)
            filter.positions = position.next...ArchivePosition(.max)
            let wanted = shown.count + around
            if around > 0 {
                try search.run(filter) { record, _ in
                    shown.append(record)
                    return shown.count < wanted
                }
            }
            for record in shown {
                names.advance(to: record.position)
                count += 1
                try emit(record, names)
            }
        }
        if let exit = ArchiveReading.complain(of: damage) { return exit }
        guard count > 0 else {
            Terminal.complain(["castledger: the archive has no record at position \(position)"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }

    private func emit(_ record: Record, _ names: ArchiveNames) throws {
        var record = record
        if !context.arguments.has(.raw) {
            if case .frame(let frame) = record.body {
                record.body = .frame(FrameRedaction.redacted(frame, keeping: false, with: parser))
            } else {
                record.body = FrameRedaction.redacted(record.body, with: parser)
            }
        }
        var json: [UInt8] = []
        RecordLine.write(record, to: &json)
        guard !context.arguments.has(.json) else { return try context.output.bytes(json) }
        let device = record.body.device
        let name = PlainText.neutralized(device.flatMap { names[$0] ?? $0.text } ?? "-")
        let line =
            "\(zone.day(record.at)) \(zone.timeOfDay(record.at))  \(PlainText.fitted(name, columns: 20))  "
            + Self.content(record.body, json)
        try context.output.line(Terminal.widthColumns.map { PlainText.fitted(line, columns: $0) } ?? line)
    }

    /// Direction, namespace and payload of a frame; of what is no frame, its kind and its line.
    private static func content(_ body: RecordBody, _ json: [UInt8]) -> String {
        guard case .frame(let frame) = body else {
            return "\(body.kind)  "
                + PlainText.neutralized(String(decoding: json.dropLast(), as: UTF8.self), limitCharacters: 100_000)
        }
        let message = frame.message
        let payload =
            message.textBytes.map { String(decoding: $0, as: UTF8.self) } ?? "(\(message.payloadBytes.count) bytes)"
        return "\(frame.direction == .inbound ? "from" : "to  ")  \(PlainText.neutralized(message.namespace.urn)) "
            + PlainText.neutralized(payload, limitCharacters: 100_000)
    }
}
