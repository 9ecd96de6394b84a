import Archive
import Arguments
import IO
import Recorder
import Recording
import Store

/// `castledger archive prune`: lets go of the oldest segments, by hand.
struct ArchivePruneCommand {
    let context: CommandContext

    func run() throws -> Int32 {
        let rule = try Self.rule(context.arguments)
        guard !rule.keepsEverything else {
            throw CommandFailure(ExitCode.usage, "say what to keep: --keep, --keep-size or --keep-free.")
        }
        let isDry = context.arguments.has(.dryRun)
        guard isDry || context.arguments.has(.yes) else {
            throw CommandFailure(
                ExitCode.usage, "this removes records for ever. See with --dry-run what goes, then say --yes.")
        }
        guard let recorder = try context.folder.existingRecorderID() else {
            throw Ledger.nothingRecorded(context, ExitCode.nothing)
        }
        let folder = try ArchiveFolder(data: context.folder.path, recorder: recorder)
        // The lock comes first: what a recorder appends meanwhile would not be known.
        let writer = isDry ? nil : try ArchiveWriter(folder, boot: Clock.bootID(), purpose: "pruning")
        if writer != nil, let finished = try ArchivePruning(folder).finish() { try tell(finished) }
        return try holdingDatabase(recorder) { applied in try prune(rule, folder, writer, applied) }
    }

    private func prune(
        _ rule: PruningRule, _ folder: ArchiveFolder, _ writer: ArchiveWriter?, _ applied: ArchivePosition
    ) throws -> Int32 {
        var pruning = ArchivePruning(folder)
        let now = WallTime(microseconds: Clock.wallMicroseconds())
        let plan = try pruning.plan(rule, now: now, applied: applied)
        if plan.held > 0 {
            Terminal.complain(["castledger: \(plan.held) more segments are kept: the database has not applied them yet"]
            )
        }
        guard let first = plan.first, let last = plan.last else {
            Terminal.complain(["castledger: nothing to prune"])
            return ExitCode.nothing
        }
        guard let writer else {
            try context.output.line(
                "would prune \(plan.segments) segments, positions \(first) to \(last), \(plan.bytes) bytes, by "
                    + plan.rule)
            return ExitCode.done
        }
        guard let pruned = try pruning.announcement(of: plan, observedUntil: writer.recovery.lastDurable?.at) else {
            return ExitCode.nothing
        }
        let monotonic = MonotonicTime(nanoseconds: Clock.monotonicNanoseconds())
        try writer.append([Observation(at: now, monotonic: monotonic, .segmentsPruned(pruned))], now: monotonic)
        let position = writer.durable
        try writer.finish(now: monotonic)
        guard let told = try ArchiveSearch(folder).record(at: position) else {
            throw ArchiveError.notAnnounced(position: position)
        }
        try tell(pruning.carryOut(told))
        return ExitCode.done
    }

    /// What `--keep`, `--keep-size` and `--keep-free` ask for.
    ///
    /// No age is a mistake: who says `--keep 0d` may mean for ever, and would lose nearly everything.
    static func rule(_ arguments: ParsedArguments) throws -> PruningRule {
        if let age = arguments.duration(.keep), age <= .zero {
            throw CommandFailure(ExitCode.usage, "--keep 0 would keep nothing. Leave it out to keep everything.")
        }
        return PruningRule(
            age: arguments.duration(.keep), bytes: arguments.integer(.keepSize),
            freePercent: arguments.integer(.keepFree))
    }

    private func tell(_ outcome: ArchivePruning.Outcome) throws {
        guard case .segmentsPruned(let pruned) = outcome.told.body else { return }
        let segments = outcome.segments == 1 ? "1 segment" : "\(outcome.segments) segments"
        let others = outcome.others == 1 ? "1 file" : "\(outcome.others) files"
        try context.output.line(
            "pruned \(segments) and \(others) beside \(outcome.segments == 1 ? "it" : "them"), up to position "
                + "\(pruned.last), by \(pruned.rule)")
    }

    /// Does the work with the last record that the database keeps, while nobody can drop the rows.
    private func holdingDatabase(_ recorder: String, _ work: (ArchivePosition) throws -> Int32) throws -> Int32 {
        let url = context.arguments.text(.database)
        guard url != nil || Files.exists(context.folder.postgres) else {
            throw CommandFailure(
                ExitCode.unavailable,
                "there is no database that has the records; nothing is pruned. 'castledger rebuild' makes one.")
        }
        let database = try LedgerDatabase(
            address: url, data: context.folder.path, patience: StillWaiting.patience())
        defer { database.close() }
        return try Projection(connection: database.connect(), recorderID: recorder).holdingCheckpoint(work)
    }
}
