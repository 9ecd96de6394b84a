import Archive
import Arguments
import CastModel
import Conflicts
import Differ
import IO
import Recording

/// `castledger explain`: what a log of messages means, without an archive or a database.
///
/// Reads line by line and keeps only what the differ keeps, of each recorder, so that a log may be of any length.
struct ExplainCommand {
    /// Of so many recorders' archives, and of logs that are none, may be told at once; each takes memory.
    private static let limitLogs = 256

    private let context: CommandContext
    private var reader = TranscriptReader()
    private var logs: [ExplainedLog.Source: ExplainedLog] = [:]
    private var printer: any ExplanationPrinter
    private var names: [DeviceID: String] = [:]
    private var filesByDevice: [DeviceID: String] = [:]
    private var tellsUnknownChoice: Set<ExplainedLog.Source> = []
    private var hasTooManyLogs = false
    private var hasBadLines = false
    private var hasMissingFiles = false

    init(_ context: CommandContext) throws {
        self.context = context
        printer = try Self.printer(context)
    }

    private static func printer(_ context: CommandContext) throws -> any ExplanationPrinter {
        let (arguments, output) = (context.arguments, context.output)
        let (zone, isJSON) = (Ledger.zone(arguments), arguments.has(.json))
        let rules = try ConflictsCommand.rules(arguments)
        func conflicts(_ form: ConflictPrinter.Form) -> ConflictPrinter {
            ConflictPrinter(form, rules: rules ?? ConflictRules(), zone: zone, output: output)
        }
        if arguments.has(.conflictsOfLog) { return conflicts(isJSON ? .json : .table) }
        if rules != nil { throw CommandFailure(ExitCode.usage, "--rule goes with --conflicts only.") }
        if arguments.has(.plays) { return PlayPrinter(isJSON: isJSON, zone: zone, output: output) }
        let events = EventPrinter(form: isJSON ? .json : .story, zone: zone, output: output, isOneDevice: false)
        return isJSON ? events : StoryPrinter(events, conflicts(.postscript))
    }

    mutating func run() throws -> Int32 {
        for path in context.arguments.operands where !context.output.isClosed { try explain(path) }
        try printer.finish()
        if hasBadLines { return ExitCode.dataError }
        if hasMissingFiles { return ExitCode.noInput }
        guard printer.count > 0 else {
            Terminal.complain(["castledger: nothing in these messages \(missing)"])
            return ExitCode.nothing
        }
        return ExitCode.done
    }

    private var missing: String {
        if context.arguments.has(.conflictsOfLog) { return "is a conflict" }
        return context.arguments.has(.plays) ? "plays anything" : "changes anything"
    }

    private mutating func explain(_ path: String) throws {
        let file: LineFile
        do { file = try LineFile(path) } catch { return missed(error) }
        reader.begin(device: device(of: path))
        while !context.output.isClosed {
            let line: ArraySlice<UInt8>
            do throws(LineFile.Failure) {
                guard let next = try file.next() else { return }
                line = next
            } catch {
                if case .files(let error) = error { return missed(error) }
                complain("\(error)", path, line: error == .tooLong ? file.lineNumber : file.lineNumber + 1)
                continue
            }
            let entry: TranscriptReader.Entry
            do throws(TranscriptError) {
                guard let next = try reader.read(line) else { continue }
                entry = next
            } catch {
                if case .recorderStart = error {
                    let source = ExplainedLog.Source.archive(recorder: reader.recorder)
                    if hasRoom(for: source, path, line: file.lineNumber) {
                        logs[source, default: ExplainedLog()].isRefused = true
                    }
                }
                complain("\(error)", path, line: file.lineNumber)
                continue
            }
            try tell(entry, path, line: file.lineNumber)
        }
    }

    private mutating func tell(_ entry: TranscriptReader.Entry, _ path: String, line: Int) throws {
        let source: ExplainedLog.Source = entry.isArchived ? .archive(recorder: entry.recorder) : .transcript
        guard hasRoom(for: source, path, line: line) else { return }
        let events = logs[source, default: ExplainedLog()].fold(entry)
        guard let log = logs[source] else { return }
        if log.isChoiceUnknown, tellsUnknownChoice.insert(source).inserted {
            let recorder = entry.recorder.map { "the recorder '\($0)'" } ?? "the recorder"
            Terminal.complain([
                "castledger: \(path):\(line): \(recorder) started before this, so titles are left out in case it hides "
                    + "them; name its earlier segments first"
            ])
        }
        for event in events {
            let name = log.names[event.deviceID] ?? names[event.deviceID]
            try printer.emit(event, recorderID: source.recorderID, deviceName: name)
        }
    }

    private mutating func hasRoom(for source: ExplainedLog.Source, _ path: String, line: Int) -> Bool {
        if logs[source] != nil || logs.count < Self.limitLogs { return true }
        if !hasTooManyLogs {
            complain(
                "more than \(Self.limitLogs) recorders: what this and further ones say is left out", path, line: line)
        }
        hasTooManyLogs = true
        return false
    }

    /// A file is about one device, named as the file is; where two files would be one device, as their whole paths are.
    private mutating func device(of path: String) -> DeviceID {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = path == "-" ? "stdin" : file.prefix { $0 != "." }.isEmpty ? file : String(file.prefix { $0 != "." })
        let isTaken = filesByDevice[DeviceID(name)].map { $0 != path } ?? false
        let device = DeviceID(isTaken ? path : name)
        filesByDevice[device] = path
        names[device] = isTaken ? path : name
        return device
    }

    private mutating func complain(_ problem: String, _ path: String, line: Int) {
        hasBadLines = true
        Terminal.complain(["\(path):\(line): \(problem)"])
    }

    private mutating func missed(_ error: IOError) {
        hasMissingFiles = true
        Terminal.complain(["castledger: \(error)"])
    }
}

/// Prints what a log means, one change event after the other.
protocol ExplanationPrinter {
    /// What there was to print so far.
    var count: Int { get }
    /// Takes the next change event.
    mutating func emit(_ event: ChangeEvent, recorderID: String, deviceName: String?) throws
    /// Prints what is still held.
    mutating func finish() throws
}
