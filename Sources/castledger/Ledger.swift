import Archive
import Arguments
import Differ
import IO
import Recorder
import Recording
import Report
import Store

/// Asks the ledger's database for a command, whether a recorder runs or not.
enum Ledger {
    /// Opens the database, lets `body` ask, and closes what was opened.
    static func ask<Answer>(_ context: CommandContext, _ body: (LedgerQueries) throws -> Answer) throws -> Answer {
        let url = context.arguments.text(.database)
        guard url != nil || Files.exists(context.folder.postgres) else {
            throw nothingRecorded(context, ExitCode.unavailable)
        }
        let database = try LedgerDatabase(
            address: url, data: context.folder.path, patience: StillWaiting.patience())
        defer { database.close() }
        let queries = try database.queries()
        // Before the answer: what is applied meanwhile is then in it and told as missing, never the other way round.
        let ends = try queries.recorders().map { LedgerEnd($0, context) }
        let answer = try body(queries)
        Terminal.complain(ends.flatMap { $0.lines(context) })
        return answer
    }

    /// Whether the recorder is one of this data folder's and does not run.
    static func isDown(_ recorderID: String, _ context: CommandContext) -> Bool {
        let folder = try? ArchiveFolder(data: context.folder.path, recorder: recorderID)
        return folder?.hasWriter == false
    }

    /// Says that nothing is in the data folder.
    static func nothingRecorded(_ context: CommandContext, _ exitCode: Int32) -> CommandFailure {
        CommandFailure(
            exitCode,
            "nothing was recorded into \(context.folder.path) yet. Run 'castledger record', or name another folder "
                + "with --data.")
    }

    /// What `--device`, `--from`, `--to`, `--kind` and `--limit` ask for.
    ///
    /// - Parameter hasEventKinds: False where `--kind` is not of change events.
    static func filter(_ arguments: ParsedArguments, zone: Zone, hasEventKinds: Bool) throws -> LedgerFilter {
        let (from, to) = try stretch(arguments, zone)
        return LedgerFilter(
            device: arguments.text(.deviceSought), from: from, to: to,
            kinds: hasEventKinds ? try kinds(arguments) : [],
            limit: arguments.integer(.limit).map { Int(clamping: $0) })
    }

    /// What `--from` and `--to` ask for; a stretch that ends before it begins is a mistake, not a quiet period.
    static func stretch(_ arguments: ParsedArguments, _ zone: Zone) throws -> (from: WallTime?, to: WallTime?) {
        let (from, to) = (moment(arguments, .from, zone), moment(arguments, .to, zone))
        if let from, let to, from >= to {
            throw CommandFailure(
                ExitCode.usage, "--from \(from.text) is not before --to \(to.text): nothing can lie between them.")
        }
        return (from, to)
    }

    /// The zone of all times, read and printed.
    static func zone(_ arguments: ParsedArguments) -> Zone { arguments.has(.local) ? Terminal.localZone : .utc }

    /// A moment of the command line; one without a zone is meant in `zone`.
    private static func moment(_ arguments: ParsedArguments, _ option: Arguments.Option, _ zone: Zone) -> WallTime? {
        arguments.moment(option).map { moment in
            let time = WallTime(microseconds: moment.microseconds)
            return moment.isWithoutZone ? zone.resolve(time) : time
        }
    }

    private static func kinds(_ arguments: ParsedArguments) throws -> Set<ChangeEvent.Kind> {
        var kinds: Set<ChangeEvent.Kind> = []
        for text in arguments.texts(.kind) {
            guard let kind = ChangeEvent.Kind(rawValue: text) else {
                let names = ChangeEvent.Kind.allCases.map(\.rawValue)
                let hint = Suggestion.nearest(to: text, among: names).map { " Did you mean '\($0)'?" } ?? ""
                throw CommandFailure(ExitCode.usage, "unknown kind '\(text)'.\(hint)")
            }
            kinds.insert(kind)
        }
        return kinds
    }
}
