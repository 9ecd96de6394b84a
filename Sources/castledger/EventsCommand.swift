import Arguments
import CastModel
import Report
import Store

/// `castledger timeline` and `castledger events`: change events as a story, as a table, or for programs.
struct EventsCommand {
    /// How the events are printed.
    enum Form {
        case story, table, json, jsonWithSentence, csv

        /// Whether it has sentences, in which apps are called by name.
        var namesApps: Bool {
            switch self {
            case .story, .jsonWithSentence: true
            case .table, .json, .csv: false
            }
        }
    }

    private let context: CommandContext
    private let form: Form

    /// The story that `timeline` prints.
    static func timeline(_ context: CommandContext) -> EventsCommand {
        EventsCommand(context: context, form: context.arguments.has(.json) ? .jsonWithSentence : .story)
    }

    /// The rows that `events` prints.
    static func events(_ context: CommandContext) -> EventsCommand {
        let arguments = context.arguments
        return EventsCommand(
            context: context, form: arguments.has(.json) ? .json : arguments.has(.csv) ? .csv : .table)
    }

    private init(context: CommandContext, form: Form) {
        self.context = context
        self.form = form
    }

    func run() throws -> Int32 {
        let (zone, filter) = try FilterReading(context.arguments).zoneAndFilter()
        var printer = EventPrinter(
            form: form, zone: zone, apps: form.namesApps ? try KnownApps.registry(context) : .builtIn,
            output: context.output,
            isOneDevice: filter.device != nil)
        let unknown = try Ledger.ask(context) { queries in
            var failure: (any Error)?
            let unknown = try queries.events(filter) { row in
                do { try printer.emit(row.event, recorderID: row.recorderID, deviceName: row.deviceName) } catch {
                    failure = error
                }
                return failure == nil && !context.output.isClosed
            }
            if let failure { throw failure }
            return unknown
        }
        try printer.finish()
        if unknown > 0 {
            Terminal.complain(["castledger: \(unknown) change events of kinds that only a newer castledger knows"])
        }
        guard printer.count > 0 else {
            Terminal.complain(["castledger: nothing in that period"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }
}
