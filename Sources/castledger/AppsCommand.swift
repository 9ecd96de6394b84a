import Arguments
import CastModel
import Report

/// `castledger apps`: the receiver apps known by id, the operator's own ones included.
struct AppsCommand {
    let context: CommandContext

    func run() throws -> Int32 {
        let apps = try KnownApps.registry(context).all
        if context.arguments.has(.json) {
            for app in apps { try context.output.line(AppListing(app: app).json) }
        } else {
            let table = Table(AppListing.columns, rows: apps.map { AppListing(app: $0).row })
            for line in table.lines(widthColumns: Terminal.widthColumns) { try context.output.line(line) }
        }
        return ExitCode.done
    }
}
