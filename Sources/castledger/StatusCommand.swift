import Archive
import Arguments
import CastModel
import IO
import Recorder
import Recording
import Report

/// `castledger status`: how the running recorder is; 0 healthy, 1 degraded, 2 down.
struct StatusCommand {
    /// A recorder that is alive answers within milliseconds, and within a second when its links' thread is busy.
    private static let answerLimit = Duration.seconds(5)
    private static let degraded: Int32 = 1
    private static let down: Int32 = 2
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        guard let answer = try answer() else {
            return try tellDown(isHung: false)
        }
        guard let health = try? JSONParser().parse(answer), let word = health["health"]?.string else {
            return try tellDown(isHung: true)
        }
        if context.arguments.has(.json) {
            try context.output.line(withoutSummary(health).text)
        } else {
            for line in health["summary"]?.array ?? [] {
                try context.output.line(PlainText.neutralized(line.string ?? "", limitCharacters: 1000))
            }
            try printStorage()
            if context.arguments.has(.devices) { try printDevices(health) }
        }
        return word == "healthy" ? ExitCode.done : Self.degraded
    }

    /// What the recorder says of itself; nil when none listens, empty when it does not answer.
    private func answer() throws -> [UInt8]? {
        do throws(IOError) {
            return try LocalSocket.readAll(from: context.folder.statusSocket, within: Self.answerLimit)
        } catch {
            guard !error.isPermission else { throw error }
            return []
        }
    }

    /// Programs have the facts; devices only where they are asked for, since there may be thousands.
    private func withoutSummary(_ health: JSONValue) -> JSONValue {
        guard var object = health.object else { return health }
        object["summary"] = nil
        if !context.arguments.has(.devices) { object["device_list"] = nil }
        object["storage"] = storage
        return .object(object)
    }

    /// What the archive takes and whether it is whole: told whether or not a recorder runs.
    private var storage: JSONValue { StoredArchive.storage(context.folder).map { .object($0.object) } ?? .null }

    private func printStorage() throws {
        for line in StoredArchive.storage(context.folder)?.summary ?? [] { try context.output.line(line) }
    }

    private func printDevices(_ health: JSONValue) throws {
        let rows = (health["device_list"]?.array ?? []).map { device in
            [
                device["name"]?.string ?? "-", device["model"]?.string ?? "-", device["reach"]?.string ?? "-",
                Self.heard(device), device["app"]?.string ?? "-",
                device["address"]?.string ?? "-", device["last_failure"]?.string ?? "",
            ]
        }
        let table = Table(
            [
                .init("name", limitColumns: 30), .init("model", limitColumns: 24), .init("reach"),
                .init("heard s ago", isNumeric: true), .init("app", limitColumns: 24), .init("address"),
                .init("why not"),
            ], rows: rows)
        try context.output.line("")
        for line in table.lines(widthColumns: Terminal.widthColumns) { try context.output.line(line) }
    }

    /// A device that never answered has `null`.
    private static func heard(_ device: JSONValue) -> String {
        guard let seconds = device["last_heard_seconds_ago"], seconds != .null else { return "-" }
        return seconds.text
    }

    /// - Parameter isHung: Whether something listens that does not answer.
    private func tellDown(isHung: Bool) throws -> Int32 {
        var folder: ArchiveFolder?
        var last: Record?
        var trouble: String?
        // A disk that is bad is one more reason to be down: only who may not look is told so instead.
        do {
            folder = try context.folder.existingRecorderID().map {
                try ArchiveFolder(data: context.folder.path, recorder: $0)
            }
            last = try folder.flatMap { try ArchiveReading.last(of: $0) }
        } catch  where ExitCode.of(error) != ExitCode.noPermission { trouble = "\(error)" }
        let hasWriter = folder?.hasWriter == true
        var reason =
            isHung || hasWriter ? "the recorder does not answer" : "no recorder writes into \(context.folder.path)"
        if let trouble { reason += "; its archive cannot be read: \(trouble)" }
        let since =
            last.map { ", the last record is \($0.position) of \($0.at.text)" }
            ?? (trouble == nil ? ", nothing was recorded yet" : "")
        if context.arguments.has(.json) {
            let fields = JSONObject([
                ("health", .string("down")), ("reason", .string(reason)),
                ("last_position", last.map { .integer($0.position.number) } ?? .null),
                ("last_record_at", last.map { .string($0.at.text) } ?? .null), ("storage", storage),
            ])
            try context.output.line(JSONValue.object(fields).text)
        } else {
            try context.output.line("down       \(PlainText.neutralized(reason))\(since)")
            if last != nil { try printStorage() }
        }
        return Self.down
    }
}
