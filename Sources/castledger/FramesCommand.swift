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
    private var names: [DeviceID: String] = [:]
    /// Every device that the archives tell of, with the last name it had in any.
    private var seen: [DeviceID: String] = [:]
    private var count = 0
    private let parser = JSONParser()

    init(_ context: CommandContext) { self.context = context }

    mutating func run() throws -> Int32 {
        let arguments = context.arguments
        let zone = Ledger.zone(arguments)
        var filter = RecordFilter()
        (filter.from, filter.to) = try Ledger.stretch(arguments, zone)
        let limit = arguments.integer(.limit).map { Int(clamping: $0) } ?? .max
        let folders = try ArchiveReading.folders(context)
        guard !folders.isEmpty else { throw Ledger.nothingRecorded(context, ExitCode.nothing) }
        for folder in folders {
            names = [:]
            try ArchiveReading.records(of: folder, from: ArchivePosition(1)) { record in
                if case .deviceSeen(let said) = record.body {
                    names[said.deviceID] = said.name
                    seen[said.deviceID] = said.name ?? seen[said.deviceID] ?? said.deviceID.text
                }
                guard case .frame(let frame) = record.body, filter.matches(record), fits(frame) else { return true }
                count += 1
                try emit(record, frame, zone)
                return count < limit && !context.output.isClosed
            }
        }
        guard count > 0 else {
            try refuseUnknownDevice()
            Terminal.complain(["castledger: nothing in that period"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }

    /// A device that the archive never saw is a mistake, not a quiet period.
    private func refuseUnknownDevice() throws {
        guard let wanted = context.arguments.text(.deviceSought) else { return }
        guard !seen.contains(where: { $0.key.text == wanted || $0.value.lowercased() == wanted.lowercased() }) else {
            return
        }
        let candidates = Set(seen.values).sorted() + seen.keys.map(\.text).sorted()
        let hint = Suggestion.nearest(to: wanted, among: candidates).map { "Did you mean '\($0)'?" }
        throw CommandFailure(
            ExitCode.usage,
            "no device has the name or id '\(PlainText.neutralized(wanted))'. "
                + PlainText.neutralized(hint ?? "'castledger devices' lists all."))
    }

    private func fits(_ frame: RecordedFrame) -> Bool {
        if let wanted = context.arguments.text(.namespace), !frame.message.namespace.urn.hasSuffix(wanted) {
            return false
        }
        guard let wanted = context.arguments.text(.deviceSought) else { return true }
        return DeviceID(wanted) == frame.device || names[frame.device]?.lowercased() == wanted.lowercased()
    }

    private func emit(_ record: Record, _ frame: RecordedFrame, _ zone: Zone) throws {
        var record = record
        let shown = context.arguments.has(.raw) ? frame : FrameRedaction.redacted(frame, keeping: false, with: parser)
        record.body = .frame(shown)
        guard !context.arguments.has(.json) else {
            var line: [UInt8] = []
            RecordLine.write(record, to: &line)
            if line.last != UInt8(ascii: "\n") { line.append(UInt8(ascii: "\n")) }
            return try context.output.bytes(line)
        }
        let name = PlainText.neutralized(names[frame.device] ?? frame.device.text)
        let message = frame.message
        let payload =
            shown.message.textBytes.map { String(decoding: $0, as: UTF8.self) }
            ?? "(\(message.payloadBytes.count) bytes)"
        let line =
            "\(zone.day(record.at)) \(zone.timeOfDay(record.at))  \(PlainText.fitted(name, columns: 20))  "
            + "\(frame.direction == .inbound ? "from" : "to  ")  "
            + "\(PlainText.neutralized(message.namespace.urn)) \(PlainText.neutralized(payload, limitCharacters: 100_000))"
        try context.output.line(Terminal.widthColumns.map { PlainText.fitted(line, columns: $0) } ?? line)
    }
}
