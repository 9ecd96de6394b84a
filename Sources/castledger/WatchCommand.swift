import Arguments
import CastModel
import Glibc
import IO
import Recorder
import Report
import Store
import Web
import WebCore

/// `castledger watch`: changes as they come, for pipes.
struct WatchCommand {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        let arguments = context.arguments
        let url = arguments.text(.database)
        guard url != nil || Files.exists(context.folder.postgres) else {
            throw Ledger.nothingRecorded(context, ExitCode.unavailable)
        }
        let apps = try KnownApps.registry(context)
        let wanted = Set(arguments.texts(.watched))
        let database = try LedgerDatabase(
            address: url, data: context.folder.path, patience: StillWaiting.patience())
        defer { database.close() }
        let watch: ChangeWatch
        do {
            watch = try ChangeWatch(
                try database.queries(), apps: apps, devices: arguments.texts(.deviceWatched),
                after: arguments.text(.afterEvent))
        } catch let problem as HTTPProblem { throw CommandFailure(ExitCode.usage, problem.detail) }
        let end = arguments.duration(.runFor).map { Clock.monotonicNanoseconds(after: $0) }
        while !context.output.isClosed, end.map({ Clock.monotonicNanoseconds() < $0 }) ?? true {
            for frame in try watch.news() where wanted.isEmpty || wanted.contains(frame.name.rawValue) {
                try context.output.line(arguments.has(.json) ? Self.json(frame) : Self.words(frame))
            }
            try context.output.flush()
        }
        return ExitCode.done
    }

    private static func json(_ frame: EventFrame) -> String {
        JSONValue.object(
            JSONObject([
                ("event", .string(frame.name.rawValue)),
                ("id", frame.resumeAfter.map(JSONValue.string) ?? .null), ("data", frame.data),
            ])
        ).text
    }

    private static func words(_ frame: EventFrame) -> String {
        let data = frame.data
        let at =
            data["observed_at"]?.string ?? data["from"]?.string ?? data["ended_at"]?.string
            ?? data["started_at"]?.string ?? ""
        let device = data["device"]?.string ?? data["device_id"]?.string ?? ""
        let sentence =
            data["sentence"]?.string
            ?? "\(data["title"]?.string ?? data["content_id"]?.string ?? "a play") "
            + (data["ended_at"]?.string == nil ? "began" : "ended, \(data["end_reason"]?.string ?? "")")
        return "\(at)  \(PlainText.neutralized(device))  \(frame.name.rawValue)  "
            + PlainText.neutralized(sentence, limitCharacters: 600)
    }
}
