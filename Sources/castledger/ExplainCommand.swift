import Archive
import Arguments
import CastModel
import Differ
import IO
import Identity
import Recording

/// `castledger explain`: what a log of messages means, without an archive or a database.
///
/// Reads line by line and keeps only what the differ keeps, so that a log may be of any length.
struct ExplainCommand {
    private let context: CommandContext
    private var reader = TranscriptReader()
    private var differ = StatusDiffer(judge: CertificateJudge())
    private var printer: any ExplanationPrinter
    private var names: [DeviceID: String] = [:]
    private var filesByDevice: [DeviceID: String] = [:]
    private var hasBadLines = false
    private var hasMissingFiles = false

    init(_ context: CommandContext) {
        self.context = context
        let (zone, isJSON) = (Ledger.zone(context.arguments), context.arguments.has(.json))
        printer =
            context.arguments.has(.plays)
            ? PlayPrinter(isJSON: isJSON, zone: zone, output: context.output)
            : EventPrinter(form: isJSON ? .json : .story, zone: zone, output: context.output, isOneDevice: false)
    }

    mutating func run() throws -> Int32 {
        for path in context.arguments.operands where !context.output.isClosed { try explain(path) }
        try printer.finish()
        if hasBadLines { return ExitCode.dataError }
        if hasMissingFiles { return ExitCode.noInput }
        guard printer.count > 0 else {
            let missing = context.arguments.has(.plays) ? "plays anything" : "changes anything"
            Terminal.complain(["castledger: nothing in these messages \(missing)"])
            return ExitCode.nothing
        }
        return ExitCode.done
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
            do throws(TranscriptError) {
                guard let entry = try reader.read(line) else { continue }
                try? tell(entry)
            } catch {
                complain("\(error)", path, line: file.lineNumber)
            }
        }
    }

    private mutating func tell(_ entry: TranscriptReader.Entry) throws {
        if case .deviceSeen(let said) = entry.record.body { names[said.deviceID] = said.name }
        for event in differ.fold(entry.record) {
            try printer.emit(event, recorderID: entry.recorder ?? "transcript", deviceName: names[event.deviceID])
        }
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
