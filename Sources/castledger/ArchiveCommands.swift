import Archive
import Arguments
import CastModel
import IO
import Recorder
import Recording
import Report

/// `castledger archive list`: one line per segment.
struct ArchiveListCommand {
    let context: CommandContext

    func run() throws -> Int32 {
        var rows: [[String]] = []
        for folder in try ArchiveReading.folders(context) {
            try ArchiveListing.segments(folder) { segment in
                rows.append(SegmentRow(segment: segment, recorder: folder.recorder).cells)
                if context.arguments.has(.json) {
                    try? context.output.line(SegmentRow(segment: segment, recorder: folder.recorder).json)
                }
                return !context.output.isClosed
            }
        }
        guard !rows.isEmpty else { throw Ledger.nothingRecorded(context, ExitCode.nothing) }
        guard !context.arguments.has(.json) else { return ExitCode.done }
        let table = Table(SegmentRow.columns, rows: rows)
        for line in table.lines(widthColumns: Terminal.widthColumns) { try context.output.line(line) }
        return ExitCode.done
    }
}

/// `castledger archive verify`: reads and checks everything.
struct ArchiveVerifyCommand {
    let context: CommandContext

    func run() throws -> Int32 {
        let folders = try ArchiveReading.folders(context)
        guard !folders.isEmpty else { throw Ledger.nothingRecorded(context, ExitCode.nothing) }
        var isIntact = true
        for folder in folders {
            let result = try ArchiveVerification.run(folder)
            StoredArchive.note(result, of: folder.recorder, in: context.folder)
            isIntact = isIntact && result.isIntact
            let verdict = Verdict(recorder: folder.recorder, result: result)
            for line in context.arguments.has(.json) ? [verdict.json] : verdict.lines { try context.output.line(line) }
        }
        return isIntact ? ExitCode.done : ExitCode.dataError
    }
}

/// A segment, for people and for programs.
private struct SegmentRow {
    let segment: Archive.ArchiveSegment
    let recorder: String

    static let columns: [Table.Column] = [
        .init("first", isNumeric: true), .init("last", isNumeric: true), .init("from"), .init("to"),
        .init("bytes", isNumeric: true), .init("on disk", isNumeric: true), .init("state"), .init("file"),
    ]

    private var state: String {
        if segment.damage != nil { return "damaged" }
        return segment.isOpen ? "open" : "closed"
    }

    var cells: [String] {
        [
            "\(segment.firstPosition)", segment.lastPosition.map { "\($0)" } ?? "-", segment.from?.text ?? "-",
            segment.to?.text ?? "-", "\(segment.bytes)", "\(segment.compressedBytes)", state, segment.path,
        ]
    }

    var json: String {
        JSONValue.object(
            JSONObject([
                ("recorder_id", .string(recorder)), ("path", .string(segment.path)),
                ("first_position", .integer(segment.firstPosition.number)),
                ("last_position", segment.lastPosition.map { .integer($0.number) } ?? .null),
                ("from", segment.from.map { .string($0.text) } ?? .null),
                ("to", segment.to.map { .string($0.text) } ?? .null),
                ("records", .integer(Int64(segment.records))), ("bytes", .integer(segment.bytes)),
                ("compressed_bytes", .integer(segment.compressedBytes)), ("state", .string(state)),
                ("damage", segment.damage.map { .string($0.description) } ?? .null),
            ])
        ).text
    }
}

/// What a verification showed, for people and for programs.
private struct Verdict {
    let recorder: String
    let result: ArchiveVerification

    var lines: [String] {
        let span = result.firstPosition.flatMap { first in result.lastPosition.map { "positions \(first) to \($0)" } }
        let counts = [
            Self.counted(result.segments, "segment", "segments"), Self.counted(result.batches, "batch", "batches"),
            Self.counted(result.records, "record", "records"),
        ].joined(separator: ", ")
        var lines =
            prunedLines + [
                "\(result.isIntact ? "intact" : "DAMAGED"): \(recorder): \(counts), \(span ?? "no record")",
                "chain \(result.chain?.description ?? "-")",
            ]
        if result.unfinishedBytes > 0 {
            lines.append(
                "\(result.unfinishedBytes) bytes after the last whole batch: being written, or left by a crash")
        }
        if result.isNewestEmpty {
            lines.append("the newest segment is empty: just begun, left by a crash, or emptied")
        }
        if let others = result.otherFiles, others.torn > 0 {
            lines.append(
                Self.counted(others.torn, "file", "files") + " of torn bytes beside the segments: see docs/format.md")
        }
        if let others = result.otherFiles, others.foreign > 0 {
            lines.append(Self.counted(others.foreign, "file", "files") + " that are no part of the archive, not read")
        }
        lines += result.missing.map { "missing: positions \($0.lowerBound) to \($0.upperBound) cannot be read" }
        lines += result.damage.map { "damage: \($0)" }
        if result.damageCount > result.damage.count {
            lines.append("and \(result.damageCount - result.damage.count) more damaged places")
        }
        return lines
    }

    /// "positions 1 to 812 were pruned on 2026-03-01 by --keep 90d; what follows is from 813 on".
    private var prunedLines: [String] {
        var lines: [String] = []
        if let record = result.pruned, case .segmentsPruned(let pruned) = record.body {
            lines.append(
                "positions 1 to \(pruned.last) were pruned on \(record.at.text.prefix(10)) by \(pruned.rule); the archive "
                    + "says so itself at position \(record.position)")
        }
        if result.isPruningUnfinished {
            lines.append("a pruning was interrupted; the recorder's next start finishes it")
        }
        return lines
    }

    private static func counted(_ count: some BinaryInteger, _ one: String, _ several: String) -> String {
        "\(count) \(count == 1 ? one : several)"
    }

    var json: String {
        JSONValue.object(
            JSONObject([
                ("recorder_id", .string(recorder)), ("intact", .bool(result.isIntact)),
                ("segments", .integer(Int64(result.segments))), ("batches", .integer(Int64(result.batches))),
                ("records", .integer(Int64(result.records))),
                ("first_position", result.firstPosition.map { .integer($0.number) } ?? .null),
                ("last_position", result.lastPosition.map { .integer($0.number) } ?? .null),
                (
                    "pruned",
                    result.pruned.flatMap { record in
                        guard case .segmentsPruned(let pruned) = record.body else { return nil }
                        return .object(
                            JSONObject([
                                ("last_position", .integer(pruned.last.number)), ("at", .string(record.at.text)),
                                ("rule", .string(pruned.rule)), ("position", .integer(record.position.number)),
                            ]))
                    } ?? .null
                ),
                ("pruning_unfinished", .bool(result.isPruningUnfinished)),
                ("chain", result.chain.map { .string($0.description) } ?? .null),
                ("unfinished_bytes", .integer(result.unfinishedBytes)), ("newest_empty", .bool(result.isNewestEmpty)),
                ("torn_files", .integer(Int64(result.otherFiles?.torn ?? 0))),
                ("foreign_files", .integer(Int64(result.otherFiles?.foreign ?? 0))),
                (
                    "missing_positions",
                    .array(
                        result.missing.map { .array([.integer($0.lowerBound.number), .integer($0.upperBound.number)]) })
                ),
                ("damage_count", .integer(Int64(result.damageCount))),
                ("damage", .array(result.damage.map { .string($0.description) })),
            ])
        ).text
    }
}
