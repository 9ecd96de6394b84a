public import CastModel
import CastWire

/// A record as one line of JSON: what the archive holds (docs/format.md).
///
/// Keys come in a fixed order, so equal records are equal bytes. A field that has nothing to say is left out.
public enum RecordLine {
    /// Appends a record as one line, its newline included.
    public static func write(_ record: Record, to bytes: inout [UInt8]) {
        var line = LineWriter(bytes: bytes)
        bytes = []  // The writer is now the only owner, so that appending copies nothing.
        line.number("position", record.position.number)
        line.time("at", record.at)
        line.number("monotonic_ns", record.monotonic.nanoseconds)
        line.text("boot", record.boot)
        line.text("kind", record.body.kind)
        write(record.body, to: &line)
        bytes = line.finish()
    }

    private static func write(_ body: RecordBody, to line: inout LineWriter) {
        switch body {
        case .recorderStarted(let recorder, let version, let redaction):
            line.text("recorder", recorder)
            line.text("version", version)
            let choices = redaction.map(\.rawValue).sorted()
            if !choices.isEmpty { line.value("redaction", .array(choices.map { .string($0) })) }
        case .recorderStopped(let reason): line.text("reason", reason)
        case .deviceSeen(let advertisement): write(advertisement, to: &line)
        case .deviceWithdrawn(let device): line.text("device", device.text)
        case .linkOpened(let link): write(link, to: &line)
        case .linkClosed(let link):
            line.text("device", link.device.text)
            line.number("link", link.link.number)
            line.text("reason", link.reason.rawValue)
            line.text("detail", link.detail)
        case .frame(let frame): write(frame, to: &line)
        case .frameMalformed(let frame):
            line.text("device", frame.device.text)
            line.number("link", frame.link.number)
            line.base64("bytes_base64", frame.bytes)
            line.text("why", frame.why)
        case .framesLost(let device, let count, let why):
            line.text("device", device?.text)
            line.number("count", Int64(count))
            line.text("why", why)
        case .gap(let gap):
            line.text("device", gap.device?.text)
            line.time("from", gap.from)
            if let to = gap.to { line.time("to", to) }
            line.text("reason", gap.reason.rawValue)
        case .segmentsPruned(let pruned): write(pruned, to: &line)
        }
    }

    private static func write(_ pruned: SegmentsPruned, to line: inout LineWriter) {
        line.number("first_position", pruned.first.number)
        line.number("last_position", pruned.last.number)
        line.number("segments", Int64(pruned.segments))
        line.number("torn_files", Int64(pruned.tornFiles))
        line.number("bytes", pruned.bytes)
        line.text("chain", pruned.chain)
        line.text("rule", pruned.rule)
        line.text("recorder_started", pruned.recorderStarted)
        if let until = pruned.observedUntil { line.time("observed_until", until) }
    }

    private static func write(_ advertisement: DeviceAdvertisement, to line: inout LineWriter) {
        line.text("device", advertisement.deviceID.text)
        line.text("name", advertisement.name)
        line.text("model", advertisement.model)
        line.value("addresses", .array(advertisement.addresses.map { .string($0) }))
        line.number("port", Int64(advertisement.port))
        if let capabilities = advertisement.capabilities { line.number("capabilities", capabilities.rawValue) }
        let pairs = advertisement.txt.map { pair in
            JSONValue.array([.string(pair.key)] + (pair.value.map { [.string($0)] } ?? []))
        }
        line.value("txt", .array(pairs))
        line.text("found_by", advertisement.source.rawValue)
    }

    private static func write(_ link: LinkOpened, to line: inout LineWriter) {
        line.text("device", link.device.text)
        line.number("link", link.link.number)
        line.text("address", link.address)
        line.number("port", Int64(link.port))
        line.text("tls_version", link.tlsVersion)
        line.text("cipher", link.cipher)
        line.base64("peer_certificate_base64", link.peerCertificate)
        line.text("attach_mode", link.attachMode.rawValue)
    }

    private static func write(_ frame: RecordedFrame, to line: inout LineWriter) {
        let message = frame.message
        line.text("device", frame.device.text)
        line.number("link", frame.link.number)
        line.text("direction", frame.direction.rawValue)
        if message.protocolVersion != 0 { line.number("protocol_version", Int64(message.protocolVersion)) }
        line.text("source", message.sourceID)
        line.text("destination", message.destinationID)
        line.text("namespace", message.namespace.urn)
        switch message.payloadType {
        case .string:
            line.payload("payload", "payload_base64", message.payloadUTF8)
            line.payload("other_payload", "other_payload_base64", message.payloadBinary)
        case .binary:
            line.text("payload_type", "binary")
            if let binary = message.payloadBinary { line.base64("payload_base64", binary) }
            line.payload("other_payload", "other_payload_base64", message.payloadUTF8)
        }
        if frame.isRedacted { line.value("redacted", true) }
        if let continued = message.continued { line.value("continued", .bool(continued)) }
        if let remaining = message.remainingLengthBytes { line.number("remaining_length", Int64(remaining)) }
    }
}

extension RecordBody {
    /// The name of the kind in the archive.
    public var kind: String {
        switch self {
        case .recorderStarted: "recorder_started"
        case .recorderStopped: "recorder_stopped"
        case .deviceSeen: "device_seen"
        case .deviceWithdrawn: "device_withdrawn"
        case .linkOpened: "link_opened"
        case .linkClosed: "link_closed"
        case .frame: "frame"
        case .frameMalformed: "frame_malformed"
        case .framesLost: "frames_lost"
        case .gap: "gap"
        case .segmentsPruned: "segments_pruned"
        }
    }

    /// Whom it concerns; nil for records of the recorder itself and gaps of every device.
    public var device: DeviceID? {
        switch self {
        case .recorderStarted, .recorderStopped, .segmentsPruned: nil
        case .deviceSeen(let advertisement): advertisement.deviceID
        case .deviceWithdrawn(let device): device
        case .linkOpened(let link): link.device
        case .linkClosed(let link): link.device
        case .frame(let frame): frame.device
        case .frameMalformed(let frame): frame.device
        case .framesLost(let device, _, _): device
        case .gap(let gap): gap.device
        }
    }
}
