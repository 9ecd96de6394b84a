public import CastModel
import CastWire

/// Reads somebody's log of messages, line by line, as the records that our archive would hold of it.
///
/// Three kinds of lines are understood, in any mixture: the archive's own lines (docs/format.md); objects with a
/// `payload` and whatever is known around it (`t`, `dir`, `source_id`, `destination_id`, `namespace`, `device`); and
/// payloads alone. What a line does not say is guessed, see ``PayloadGuess``.
///
/// Such a log has no calendar: second 0 is ``start``, and a line without `t` comes one second after the one before.
/// For one thread.
public struct TranscriptReader {
    /// A record of a transcript.
    public struct Entry: Sendable, Equatable {
        /// The record; its position counts the lines of all transcripts, unless an archive gave it one.
        public var record: Record
        /// The recorder whose archive the line is from, where its segment says so.
        public var recorder: String?
        /// Whether the line is one of an archive.
        public var isArchived = false
        /// Whether it is an archive's first record in its file, or after a segment's own line: what came before is not
        /// here, unless it was read before.
        public var isFirst = false
    }

    /// Second 0 of a transcript: 2000-01-01T00:00:00Z.
    public static let start = WallTime(microseconds: 946_684_800_000_000)
    /// `t` may be this far from 0, in seconds: some 31 years.
    public static let limitSeconds = 1e9

    private let records = RecordLineReader()
    // Our own wrapping adds two levels around a payload.
    private let parser = JSONParser(depthLimit: JSONParser.depthLimit + 2)
    private var position = ArchivePosition(0)
    private var fileDevice = DeviceID("")
    /// The recorder whose archive is read, as the last segment said, or where none did, its last start.
    public private(set) var recorder: String?
    private var hasSegmentLine = false
    private var isAtFirst = true
    private var seconds: Double?
    private var transports: [DeviceID: String] = [:]

    /// A reader of transcripts.
    public init() {}

    /// Goes on with another file; its lines are about `device` where they do not say otherwise.
    public mutating func begin(device: DeviceID) {
        fileDevice = device
        recorder = nil
        hasSegmentLine = false
        isAtFirst = true
        seconds = nil
    }

    /// The record that a line holds, with or without its newline; nil for lines that hold none, such as empty ones.
    public mutating func read(_ line: ArraySlice<UInt8>) throws(TranscriptError) -> Entry? {
        let text = Self.trimmed(line)
        guard !text.isEmpty else { return nil }
        if text.starts(with: Self.archiveMark) {
            do throws(RecordingError) { return entry(try records.read(text)) } catch {
                throw Self.isStart(text) ? .recorderStart(error) : .record(error)
            }
        }
        let json: JSONValue
        do throws(JSONError) { json = try parser.parse(Array(text)) } catch {
            throw Self.isStart(text)
                ? .recorderStart(.notAnObject(reason: error.description)) : .notJSON(error.description)
        }
        guard case .object(let object) = json else { throw .notAnObject }
        if object["kind"] != nil, object["payload"] == nil || object["position"] != nil {
            return try archived(object)
        }
        return Entry(record: try message(object))
    }

    private mutating func archived(_ object: JSONObject) throws(TranscriptError) -> Entry? {
        switch object["kind"]?.string {
        case "segment":
            recorder = object["recorder"]?.string
            hasSegmentLine = true
            isAtFirst = true
            return nil
        case "batch": return nil
        case let kind:
            do throws(RecordingError) { return entry(try RecordLine.read(object)) } catch {
                throw kind == Self.startKind ? .recorderStart(error) : .record(error)
            }
        }
    }

    private mutating func entry(_ record: Record) -> Entry {
        if !hasSegmentLine, case .recorderStarted(let name, _, _) = record.body { recorder = name }
        defer { isAtFirst = false }
        return Entry(record: record, recorder: recorder, isArchived: true, isFirst: isAtFirst)
    }

    /// Whether a line that cannot be read seems to tell of a recorder's start; within a payload its quotes are escaped.
    private static func isStart(_ text: ArraySlice<UInt8>) -> Bool {
        String(decoding: text, as: UTF8.self).contains("\"\(startKind)\"")
    }

    private static let startKind = "recorder_started"

    /// A message with what surrounds it, or alone.
    private mutating func message(_ object: JSONObject) throws(TranscriptError) -> Record {
        let isWrapped = object["payload"] != nil && Self.surroundings.contains { object[$0] != nil }
        let surroundings = isWrapped ? object : JSONObject()
        let payload: JSONValue = isWrapped ? object["payload"] ?? .null : .object(object)
        guard payload != .null else { throw .malformedField("payload") }
        let device = try surroundings.transcriptText("device").map { DeviceID($0) } ?? fileDevice
        let guess = PayloadGuess(payload)
        guard isWrapped || guess.isPayload else { throw .noPayload }
        let moment = try moment(surroundings)
        if let named = guess.transport { transports[device] = named }
        let transport = transports[device] ?? PayloadGuess.transport

        let direction = try direction(surroundings, guess)
        let namespace = try surroundings.transcriptText("namespace").map { Namespace($0) } ?? guess.namespace
        let peer = namespace.isOfPlatform ? "receiver-0" : transport
        let source = try surroundings.transcriptText("source_id") ?? (direction == .inbound ? peer : "sender-0")
        let destination = try surroundings.transcriptText("destination_id") ?? (direction == .inbound ? "*" : peer)
        let message = CastMessage(from: source, to: destination, namespace, text: payload.string ?? payload.text)
        position = position.next
        seconds = moment
        let microseconds = Int64((moment * 1e6).rounded())
        return Record(
            position: position, at: WallTime(microseconds: Self.start.microseconds + microseconds),
            monotonic: MonotonicTime(nanoseconds: microseconds * 1000), boot: "transcript",
            body: .frame(
                RecordedFrame(device: device, link: LinkNumber(1), direction: direction, message: message)))
    }

    private func moment(_ surroundings: JSONObject) throws(TranscriptError) -> Double {
        switch surroundings.field("t") {
        case .absent, .null: return min((seconds ?? -1) + 1, Self.limitSeconds)
        case .value(let told):
            guard let told = told.lossyNumber, told.magnitude <= Self.limitSeconds else { throw .malformedField("t") }
            return told
        }
    }

    private func direction(
        _ surroundings: JSONObject, _ guess: PayloadGuess
    ) throws(TranscriptError) -> RecordedFrame.Direction {
        guard let told = try surroundings.transcriptText("dir") else { return guess.isRequest ? .outbound : .inbound }
        guard let direction = RecordedFrame.Direction(rawValue: told) else { throw .malformedField("dir") }
        return direction
    }

    private static let surroundings = [
        "t", "dir", "source_id", "destination_id", "namespace", "device",
    ]
    private static let archiveMark = Array(#"{"position":"#.utf8)

    /// A line without blanks around it, byte order mark, and the comma or bracket of a list that was written line by line.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
        let blanks = Set(" \t\r\n".utf8)
        while let last = text.last, blanks.contains(last) { text.removeLast() }
        while let first = text.first, blanks.contains(first) { text.removeFirst() }
        if text.last == UInt8(ascii: ",") { text.removeLast() }
        return text.elementsEqual("[".utf8) || text.elementsEqual("]".utf8) ? text.prefix(0) : text
    }
}

extension JSONObject {
    /// A text that a line may give; nil when absent or `null`.
    fileprivate func transcriptText(_ key: String) throws(TranscriptError) -> String? {
        switch field(key) {
        case .absent, .null: return nil
        case .value(.string(let text)): return text
        case .value: throw .malformedField(key)
        }
    }
}

/// Why a line of a transcript is no record.
public enum TranscriptError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not JSON, in the parser's words.
    case notJSON(String)
    /// JSON, yet no object.
    case notAnObject
    /// An object that is neither a record, nor a message, nor a payload.
    case noPayload
    /// A field has the wrong type, or a value outside its range.
    case malformedField(String)
    /// It begins like a line of the archive, and is none.
    case record(RecordingError)
    /// It tells of a recorder's start, and cannot be read: what this recorder wants left out is not known (docs/format.md).
    case recorderStart(RecordingError)

    /// What is wrong with the line.
    public var description: String {
        switch self {
        case .notJSON(let reason): "not JSON: \(reason)"
        case .notAnObject: "JSON, but not an object"
        case .noPayload: "neither a record of an archive, nor a message with a 'payload', nor a payload with a 'type'"
        case .malformedField(let name): "the field '\(name)' has a value that cannot be"
        case .record(let error): "no record of an archive. \(error)"
        case .recorderStart(let error):
            "the recorder's start cannot be read, so what it wants hidden is not known: nothing of it is shown until it "
                + "starts again. \(error)"
        }
    }
}
