import CastModel
import CastWire
import Differ
import Recording
import Testing

/// Writes records by hand: a device, its link, and what passes over it, second by second.
struct Replay {
    static let device = DeviceID("0123456789abcdef0123456789abcdef")
    static let boot = "b0000000-0000-0000-0000-000000000001"
    /// 2026-03-01T20:00:00Z.
    static let start = WallTime(microseconds: 1_772_395_200_000_000)

    private(set) var records: [Record] = []
    var boot = Replay.boot
    var device = Replay.device

    /// An app that we saw start, so that its first status is a change and not a snapshot.
    static func appSeenStarting() -> Replay {
        var replay = Replay()
        replay.open(0)
        replay.receiver(0.1, #""volume":{"level":0.5,"muted":false}"#)
        replay.receiver(
            1, #""applications":[{"appId":"CC1AD845","sessionId":"s-1","transportId":"t-1","displayName":"Player"}]"#)
        return replay
    }

    /// Adds a record, `seconds` after the start.
    mutating func add(_ seconds: Double, _ body: RecordBody) {
        let microseconds = Int64((seconds * 1e6).rounded())
        records.append(
            Record(
                position: ArchivePosition(Int64(records.count) + 1),
                at: WallTime(microseconds: Self.start.microseconds + microseconds),
                monotonic: MonotonicTime(nanoseconds: microseconds * 1000), boot: boot, body: body))
    }

    /// A message from the device.
    mutating func receive(
        _ seconds: Double, from source: String, to destination: String = "*", _ namespace: Namespace, _ text: String
    ) {
        let message = CastMessage(from: source, to: destination, namespace, text: text)
        add(seconds, .frame(RecordedFrame(device: device, link: LinkNumber(1), direction: .inbound, message: message)))
    }

    /// A MEDIA_STATUS of transport `t-1`: the statuses as JSON, without their brackets.
    mutating func media(_ seconds: Double, _ requestID: Int64?, to destination: String = "*", _ statuses: String) {
        let request = requestID.map { #","requestId":\#($0)"# } ?? ""
        receive(
            seconds, from: "t-1", to: destination, .media,
            #"{"type":"MEDIA_STATUS"\#(request),"status":[\#(statuses)]}"#)
    }

    /// A RECEIVER_STATUS: the fields of its status as JSON, without their braces.
    mutating func receiver(
        _ seconds: Double, requestID: Int64 = 0, to destination: String = "*", _ fields: String
    ) {
        receive(
            seconds, from: "receiver-0", to: destination, .receiver,
            #"{"type":"RECEIVER_STATUS","requestId":\#(requestID),"status":{\#(fields)}}"#)
    }

    /// A GET_STATUS of ours.
    mutating func ask(_ seconds: Double, _ requestID: Int64, _ namespace: Namespace) {
        let message = CastMessage(
            from: "sender-us", to: "t-1", namespace, text: #"{"type":"GET_STATUS","requestId":\#(requestID)}"#)
        add(seconds, .frame(RecordedFrame(device: device, link: LinkNumber(1), direction: .outbound, message: message)))
    }

    /// The link comes up.
    mutating func open(_ seconds: Double, link: Int64 = 1) {
        add(
            seconds,
            .linkOpened(
                LinkOpened(
                    device: device, link: LinkNumber(link), address: "192.0.2.7", port: 8009, tlsVersion: "TLSv1.3",
                    cipher: "TLS_AES_256_GCM_SHA384", peerCertificate: [], attachMode: .invisible)))
    }

    /// The link goes down.
    mutating func close(_ seconds: Double, link: Int64 = 1, _ reason: LinkCloseReason) {
        add(
            seconds, .linkClosed(LinkClosed(device: device, link: LinkNumber(link), reason: reason, detail: "")))
    }

    /// The events of all records, each as one line.
    var lines: [String] {
        var differ = StatusDiffer()
        return records.flatMap { differ.fold($0) }.map { $0.line }
    }

    /// The events of the records after the first `count`, each as one line.
    func lines(after count: Int) -> [String] {
        var differ = StatusDiffer()
        for record in records.prefix(count) { _ = differ.fold(record) }
        return records.dropFirst(count).flatMap { differ.fold($0) }.map { $0.line }
    }
}

extension ChangeEvent {
    /// The event for comparison by eye: kind, attribution, "no effect" where so, callbacks, before and after.
    var line: String {
        var words = ["\(kind.rawValue) \(attribution.rawValue)"]
        if !effective { words.append("no effect") }
        if !callbacks.isEmpty { words.append(callbacks.map { $0.rawValue }.joined(separator: "+")) }
        if let before { words.append("was \(before.text)") }
        if let after { words.append("is \(after.text)") }
        return words.joined(separator: " | ")
    }
}
