import CastModel
import CastWire
import Differ
import FoundationEssentials
import Plays
import Recording
import Testing

/// A file of real messages as the records of one device, whose link comes up a second before the first message.
///
/// Ten seconds after the last message the device still answers, and then is observed no more.
struct CorpusFile {
    /// What happens then.
    enum End {
        case recorderStops
        case linkLost
    }

    static let device = DeviceID("0123456789abcdef0123456789abcdef")
    /// 2026-03-01T20:00:00Z.
    static let start = WallTime(microseconds: 1_772_395_200_000_000)

    var end = End.recorderStops
    private let lines: [JSONValue]

    init(_ name: String) throws {
        let data = try Data(contentsOf: URL(filePath: "\(Self.folder)/\(name).jsonl"))
        let parser = JSONParser()
        lines = try data.split(separator: UInt8(ascii: "\n")).map { try parser.parse(Array($0)) }
    }

    private static var folder: String {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(2)
        return parts.joined(separator: "/") + "/Fixtures/corpus"
    }

    /// The names of all files of messages, without `.jsonl`, sorted.
    static func allNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
            .map { String($0.dropLast(6)) }.filter { $0 != "discovery" }.sorted()
    }

    /// A moment, `seconds` after the link came up.
    static func time(_ seconds: Double) -> WallTime {
        WallTime(microseconds: start.microseconds + Int64((seconds * 1e6).rounded()))
    }

    /// Seconds since the link came up.
    static func seconds(_ time: WallTime) -> Double { time.seconds(since: start) }

    /// The first message comes at second 1, a message without a time a second after the one before.
    private var records: [Record] {
        var records: [Record] = []
        func add(_ seconds: Double, _ body: RecordBody) {
            records.append(
                Record(
                    position: ArchivePosition(Int64(records.count) + 1), at: Self.time(seconds),
                    monotonic: MonotonicTime(nanoseconds: Int64((seconds * 1e9).rounded())), boot: "b-1", body: body))
        }
        add(
            0,
            .linkOpened(
                LinkOpened(
                    device: Self.device, link: LinkNumber(1), address: "192.0.2.7", port: 8009, tlsVersion: "TLSv1.3",
                    cipher: "TLS_AES_256_GCM_SHA384", peerCertificate: [], attachMode: .invisible)))
        var clock = 0.0
        let first = lines.lazy.compactMap { $0["t"]?.lossyNumber }.first ?? 0
        for line in lines {
            clock = line["t"]?.lossyNumber.map { $0 - first + 1 } ?? clock + 1
            let payload = line["payload"] ?? .null
            let message = CastMessage(
                from: line["source_id"]?.string ?? "receiver-0", to: line["destination_id"]?.string ?? "*",
                Namespace(line["namespace"]?.string ?? ""), text: payload.string ?? payload.text)
            add(
                clock,
                .frame(
                    RecordedFrame(
                        device: Self.device, link: LinkNumber(1),
                        direction: line["dir"] == "out" ? .outbound : .inbound, message: message)))
        }
        let answer = CastMessage(from: "receiver-0", to: "sender-0", .heartbeat, text: #"{"type":"PONG"}"#)
        add(
            clock + 10,
            .frame(
                RecordedFrame(device: Self.device, link: LinkNumber(1), direction: .inbound, message: answer)))
        switch end {
        case .recorderStops: add(clock + 10, .recorderStopped(reason: "asked to"))
        case .linkLost:
            add(
                clock + 10,
                .linkClosed(
                    LinkClosed(device: Self.device, link: LinkNumber(1), reason: .connectionReset, detail: "")))
            // An hour later the recorder still hears of other devices only.
            add(
                clock + 3600,
                .deviceSeen(
                    DeviceAdvertisement(
                        deviceID: DeviceID("fedcba9876543210fedcba9876543210"), name: "Other", model: nil,
                        addresses: ["192.0.2.8"], port: 8009, capabilities: nil, txt: [], source: .mdns)))
        }
        return records
    }

    /// The change events of all records.
    var events: [ChangeEvent] {
        var differ = StatusDiffer()
        return records.flatMap { differ.fold($0) }
    }

    /// Every play as it stands in the end, in the order of their beginnings.
    var plays: [Play] {
        var ledger = PlayLedger()
        var plays: [ChangeEvent.ID: Play] = [:]
        for event in events {
            for play in ledger.fold(event) { plays[play.id] = play }
        }
        return plays.values.sorted { $0.id < $1.id }
    }
}
