import Arguments
import CastModel
import IO
import Recorder
import Store
import Web

/// `castledger serve`: the page without a recorder.
struct ServeCommand {
    private static let statusLimit = Duration.seconds(3)
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        // Before the first thread, so that every thread leaves the signals alone.
        let signals = try EndingSignals.watch()
        let log = Terminal.log()
        guard let page = try WebPage(context, log: log, insists: true) else {
            throw CommandFailure(ExitCode.usage, "--listen none: then there is nothing to do.")
        }
        let url = context.arguments.text(.database)
        guard url != nil || Files.exists(context.folder.postgres) else {
            throw Ledger.nothingRecorded(context, ExitCode.unavailable)
        }
        _ = ThisProcess.raiseOpenFilesLimit()
        let database = try LedgerDatabase(address: url, data: context.folder.path, log: log)
        defer { database.close() }
        // The one connection of this command that could write: it brings a private cluster's schema up to date.
        _ = try database.queries()
        let (address, socket) = (database.address, context.folder.statusSocket)
        let sources = try WebPage.sources(context) {
            address
        } health: {
            let answer = try? LocalSocket.readAll(from: socket, within: Self.statusLimit)
            return answer.flatMap { try? JSONParser().parse($0) }
        }
        try page.start(sources)
        while true {
            guard let signal = signals.next(timeout: .seconds(3600)) else { continue }
            guard signal == 1 else { break }  // SIGHUP changes nothing here.
        }
        if !page.stop() {
            database.close()
            ThisProcess.exitNow(ExitCode.done)
        }
        return ExitCode.done
    }
}
