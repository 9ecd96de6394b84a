import CastModel
import CastWire
import Differ
import Plays
import Recording
import TestSupport

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
    private let messages: [Corpus.Message]

    init(_ name: String) throws { messages = try Corpus.messages(name) }

    /// A moment, `seconds` after the link came up.
    static func time(_ seconds: Double) -> WallTime {
        WallTime(microseconds: start.microseconds + Int64((seconds * 1e6).rounded()))
    }

    /// Seconds since the link came up.
    static func seconds(_ time: WallTime) -> Double { time.seconds(since: start) }

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
        for message in messages {
            add(
                message.seconds,
                .frame(
                    RecordedFrame(
                        device: Self.device, link: LinkNumber(1),
                        direction: message.isOutbound ? .outbound : .inbound,
                        message: CastMessage(
                            from: message.sourceID, to: message.destinationID, Namespace(message.namespace),
                            text: message.text))))
        }
        let clock = messages.last?.seconds ?? 0
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
