import Archive
import Arguments
import CastModel
import Recording

/// `castledger archive repair`: what a recorder does first when it starts, without one.
struct ArchiveRepairCommand {
    let context: CommandContext

    func run() throws -> Int32 {
        let folders = try ArchiveReading.folders(context)
        guard !folders.isEmpty else { throw Ledger.nothingRecorded(context, ExitCode.nothing) }
        var isIntact = true
        for folder in folders {
            let repair = try ArchiveRepair.run(folder)
            // Verified after the lock is free: a recorder may start again meanwhile, which harms nothing.
            let verified = try ArchiveVerification.run(folder)
            isIntact = isIntact && verified.isIntact
            let report = RepairReport(recorder: folder.recorder, repair: repair, damage: verified.damage)
            for line in context.arguments.has(.json) ? [report.json] : report.lines { try context.output.line(line) }
        }
        return isIntact ? ExitCode.done : ExitCode.dataError
    }
}

/// What a repair did and left, for people and for programs.
private struct RepairReport {
    let recorder: String
    let repair: ArchiveRepair
    let damage: [ArchiveDamage]

    var lines: [String] {
        let end =
            repair.recovery.lastDurable.map { "the last record is \($0.position) of \($0.at.text)" } ?? "no record"
        // Damage that is left ends with a status that says so: then it is not that there was nothing to repair.
        let verdict = repair.hasChanged ? "repaired" : damage.isEmpty ? "nothing to repair" : "not repaired"
        var lines = ["\(verdict): \(recorder): \(end)"]
        lines += repair.recovery.cuts.map { "cut: \($0.bytes) bytes of \($0.segment), now in \($0.torn)" }
        if let ended = repair.recovery.ended { lines.append("ended: the zstd frame that was open in \(ended)") }
        lines += damage.map { "left as it is: \($0)" }
        return lines
    }

    var json: String {
        JSONValue.object(
            JSONObject([
                ("recorder_id", .string(recorder)), ("repaired", .bool(repair.hasChanged)),
                ("last_position", repair.recovery.lastDurable.map { .integer($0.position.number) } ?? .null),
                ("last_at", repair.recovery.lastDurable.map { .string($0.at.text) } ?? .null),
                (
                    "cuts",
                    .array(
                        repair.recovery.cuts.map {
                            .object(
                                JSONObject([
                                    ("segment", .string($0.segment)), ("torn", .string($0.torn)),
                                    ("bytes", .integer($0.bytes)),
                                ]))
                        })
                ),
                ("ended_segment", repair.recovery.ended.map { .string($0) } ?? .null),
                ("damage", .array(damage.map { .string($0.description) })),
            ])
        ).text
    }
}
