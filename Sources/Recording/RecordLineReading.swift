public import CastModel
import CastWire

/// Reads many lines: keeps the parser's memory and the names that come again and again.
///
/// For one thread.
public final class RecordLineReader {
    private let parser = JSONParser()
    private var known = KnownNames()

    /// A reader that knows no names yet.
    public init() {}

    /// The record that a line holds, with or without its newline: the same as ``RecordLine/read(_:parser:)`` says.
    public func read(_ line: ArraySlice<UInt8>) throws(RecordingError) -> Record {
        if let record = line.withUnsafeBufferPointer({ FrameLine.read($0, known: &known) }) { return record }
        return try RecordLine.read(Array(line), parser: parser)
    }
}

extension RecordLine {
    /// The record that a line holds, with or without its newline.
    ///
    /// - Parameter parser: Of the calling thread; its memory is used again for each line.
    public static func read(_ line: [UInt8], parser: JSONParser) throws(RecordingError) -> Record {
        let value: JSONValue
        do { value = try parser.parse(line) } catch { throw .notAnObject(reason: error.description) }
        guard let object = value.object else { throw .notAnObject(reason: "it is another JSON value") }
        return try read(object)
    }

    /// The record that a JSON object holds.
    ///
    /// Fields that this version does not know are passed over.
    public static func read(_ object: JSONObject) throws(RecordingError) -> Record {
        let fields = LineFields(object)
        return Record(
            position: ArchivePosition(try fields.integer("position", in: 1...Int64.max)),
            at: try fields.time("at"),
            monotonic: MonotonicTime(nanoseconds: try fields.integer("monotonic_ns")),
            boot: try fields.text("boot"),
            body: try body(fields))
    }

    private static func body(_ fields: LineFields) throws(RecordingError) -> RecordBody {
        switch try fields.text("kind") {
        case "frame": .frame(try frame(fields))
        case "recorder_started":
            .recorderStarted(
                recorder: try fields.text("recorder"), version: try fields.text("version"),
                redaction: try redaction(fields))
        case "recorder_stopped": .recorderStopped(reason: try fields.text("reason"))
        case "device_seen": .deviceSeen(try advertisement(fields))
        case "device_withdrawn": .deviceWithdrawn(try fields.device())
        case "link_opened": .linkOpened(try linkOpened(fields))
        case "link_closed":
            .linkClosed(
                LinkClosed(
                    device: try fields.device(), link: try fields.link(), reason: try fields.choice("reason"),
                    detail: try fields.text("detail")))
        case "frame_malformed":
            .frameMalformed(
                MalformedFrame(
                    device: try fields.device(), link: try fields.link(), bytes: try fields.base64("bytes_base64"),
                    why: try fields.text("why")))
        case "frames_lost":
            .framesLost(
                device: try fields.deviceIfThere(), count: Int(try fields.integer("count")), why: try fields.text("why")
            )
        case "gap":
            .gap(
                Gap(
                    device: try fields.deviceIfThere(), from: try fields.time("from"),
                    to: try fields.has("to") ? fields.time("to") : nil, reason: try fields.choice("reason")))
        case "segments_pruned": .segmentsPruned(try pruned(fields))
        case let kind: throw .unknownKind(kind)
        }
    }

    private static func pruned(_ fields: LineFields) throws(RecordingError) -> SegmentsPruned {
        SegmentsPruned(
            first: ArchivePosition(try fields.integer("first_position", in: 1...Int64.max)),
            last: ArchivePosition(try fields.integer("last_position", in: 1...Int64.max - 1)),
            segments: Int(try fields.integer("segments")), tornFiles: Int(try fields.integer("torn_files")),
            bytes: try fields.integer("bytes"), chain: try fields.text("chain"), rule: try fields.text("rule"),
            recorderStarted: try fields.textIfThere("recorder_started"),
            observedUntil: try fields.has("observed_until") ? fields.time("observed_until") : nil)
    }

    private static func advertisement(_ fields: LineFields) throws(RecordingError) -> DeviceAdvertisement {
        var addresses: [String] = []
        for address in try fields.array("addresses") {
            guard let text = address.string else { throw .malformedField("addresses") }
            addresses.append(text)
        }
        var pairs: [DeviceAdvertisement.TXTPair] = []
        for pair in try fields.array("txt") {
            guard let parts = pair.array, (1...2).contains(parts.count), let key = parts[0].string else {
                throw .malformedField("txt")
            }
            let value = parts.count == 2 ? parts[1].string : nil
            guard parts.count == 1 || value != nil else { throw .malformedField("txt") }
            pairs.append(.init(key: key, value: value))
        }
        return DeviceAdvertisement(
            deviceID: try fields.device(),
            name: try fields.textIfThere("name"),
            model: try fields.textIfThere("model"),
            addresses: addresses,
            port: UInt16(try fields.integer("port", in: 0...65_535)),
            capabilities: try fields.has("capabilities")
                ? Capabilities(rawValue: fields.integer("capabilities")) : nil,
            txt: pairs,
            source: try fields.choice("found_by"))
    }

    private static func linkOpened(_ fields: LineFields) throws(RecordingError) -> LinkOpened {
        LinkOpened(
            device: try fields.device(),
            link: try fields.link(),
            address: try fields.text("address"),
            port: UInt16(try fields.integer("port", in: 0...65_535)),
            tlsVersion: try fields.text("tls_version"),
            cipher: try fields.text("cipher"),
            peerCertificate: try fields.base64("peer_certificate_base64"),
            attachMode: try fields.choice("attach_mode"))
    }

    private static func frame(_ fields: LineFields) throws(RecordingError) -> RecordedFrame {
        let source = try fields.text("source")
        let destination = try fields.text("destination")
        let namespace = Namespace(try fields.text("namespace"))
        let payload = try fields.payload("payload", "payload_base64")
        let other = try fields.payload("other_payload", "other_payload_base64")
        var message = CastMessage(from: source, to: destination, namespace, binary: [])
        switch try fields.textIfThere("payload_type") {
        case nil:
            message.payloadType = .string
            message.payloadUTF8 = payload
            message.payloadBinary = other
        case "binary":
            message.payloadBinary = payload
            message.payloadUTF8 = other
        case .some: throw .malformedField("payload_type")
        }
        if fields.has("protocol_version") { message.protocolVersion = Int(try fields.integer("protocol_version")) }
        if fields.has("continued") { message.continued = try fields.bool("continued") }
        if fields.has("remaining_length") {
            message.remainingLengthBytes = UInt32(
                try fields.integer("remaining_length", in: 0...Int64(UInt32.max)))
        }
        return RecordedFrame(
            device: try fields.device(), link: try fields.link(), direction: try fields.choice("direction"),
            message: message, isRedacted: fields.has("redacted") ? try fields.bool("redacted") : false)
    }

    /// What the recorder left out.
    ///
    /// A choice that this version does not know is refused: whoever passes over it would show what was to be hidden.
    private static func redaction(_ fields: LineFields) throws(RecordingError) -> Set<RedactionChoice> {
        guard fields.has("redaction") else { return [] }
        var choices: Set<RedactionChoice> = []
        for name in try fields.array("redaction") {
            guard let choice = name.string.flatMap(RedactionChoice.init) else { throw .malformedField("redaction") }
            choices.insert(choice)
        }
        return choices
    }
}
