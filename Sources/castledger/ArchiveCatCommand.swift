import Archive
import Arguments
import Recording

/// `castledger archive cat`: records as archived.
struct ArchiveCatCommand {
    let context: CommandContext

    func run() throws -> Int32 {
        var filter = RecordFilter()
        (filter.from, filter.to) = try Ledger.stretch(context.arguments, Ledger.zone(context.arguments))
        filter.namespaceSuffix = context.arguments.text(.namespace)
        let first = ArchivePosition(context.arguments.integer(.fromPosition) ?? 1)
        let last = ArchivePosition(context.arguments.integer(.toPosition) ?? .max)
        guard first <= last else {
            throw CommandFailure(ExitCode.usage, "--from-position \(first) is behind --to-position \(last).")
        }
        filter.positions = first...last
        var count = 0
        var names: [ArchiveNames] = []
        var damage: [ArchiveDamage] = []
        let folders = try ArchiveReading.folders(context)
        guard !folders.isEmpty else { throw Ledger.nothingRecorded(context, ExitCode.nothing) }
        for folder in folders {
            let search = ArchiveSearch(folder)
            if let wanted = context.arguments.text(.deviceSought) {
                let known = ArchiveNames(try search.names())
                names.append(known)
                filter.devices = known.devices(called: wanted)
            }
            try search.run(filter) { _, line in
                try context.output.bytes(Array(line))
                count += 1
                return !context.output.isClosed
            }
            damage += search.damage
        }
        if let exit = ArchiveReading.complain(of: damage) { return exit }
        guard count > 0 else {
            try ArchiveNames.refuseUnknown(context.arguments.text(.deviceSought), names)
            Terminal.complain(["castledger: no such record"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }
}
