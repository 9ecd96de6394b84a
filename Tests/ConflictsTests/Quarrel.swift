import CastModel
import Conflicts
import Differ
import Recording

/// Writes change events by hand, second by second, and tells the conflicts that come of them.
struct Quarrel {
    /// Who does something.
    enum Hand {
        /// A sender with its requestId, and its number in the app session where that is clear.
        case sender(Int64, series: Int32? = nil)
        /// The device: its app, or a remote control.
        case device
        /// What was already so.
        case snapshot
        /// A status without a requestId.
        case unknown
    }

    static let device = DeviceID("0123456789abcdef0123456789abcdef")
    /// 2026-03-01T20:00:00Z.
    static let start = WallTime(microseconds: 1_772_395_200_000_000)

    private(set) var events: [ChangeEvent] = []
    var device = Quarrel.device
    var appSession: String? = "s-1"
    var mediaSession: Int64? = 1
    private var position: Int64 = 0

    /// Adds an event, `seconds` after the start; one with `sameRecord` comes of the record of the event before.
    mutating func add(
        _ seconds: Double, _ kind: ChangeEvent.Kind, by hand: Hand = .device, before: JSONValue? = nil,
        after: JSONValue? = nil, effective: Bool = true, sameRecord: Bool = false
    ) {
        if !sameRecord { position += 1 }
        let ordinal = sameRecord ? (events.last?.id.ordinal ?? -1) + 1 : 0
        let cause: (ChangeEvent.Attribution, Int64?, Int32?) =
            switch hand {
            case .sender(let id, let series): (.senderRequest, id, series)
            case .device: (.receiver, 0, nil)
            case .snapshot: (.snapshot, 0, nil)
            case .unknown: (.unknown, nil, nil)
            }
        events.append(
            ChangeEvent(
                id: ChangeEvent.ID(position: ArchivePosition(position), ordinal: ordinal),
                observedAt: Self.time(seconds), deviceID: device, appSessionID: appSession.map { AppSessionID($0) },
                mediaSessionID: mediaSession, kind: kind, attribution: cause.0, requestID: cause.1,
                senderSeries: cause.2, callbacks: [], effective: effective, before: before, after: after,
                positionSeconds: nil))
    }

    mutating func volume(_ seconds: Double, _ from: Double?, _ to: Double, by hand: Hand) {
        let before = from.map { level -> JSONValue in ["level": .number(level)] }
        add(seconds, .deviceVolumeChanged, by: hand, before: before, after: ["level": .number(to)])
    }

    mutating func mute(_ seconds: Double, _ muted: Bool, by hand: Hand) {
        add(seconds, .deviceMuteChanged, by: hand, before: ["muted": .bool(!muted)], after: ["muted": .bool(muted)])
    }

    mutating func player(_ seconds: Double, _ state: String, by hand: Hand, sameRecord: Bool = false) {
        add(
            seconds, .playerStateChanged, by: hand, after: ["playerState": .string(state)], sameRecord: sameRecord)
    }

    mutating func seek(_ seconds: Double, _ from: Double, _ to: Double, by hand: Hand) {
        add(seconds, .seeked, by: hand, before: ["currentTime": .number(from)], after: ["currentTime": .number(to)])
    }

    /// Tracks 1 to 3 are subtitles, 7 and 8 are audio.
    mutating func tracks(_ seconds: Double, _ from: [Int64], _ to: [Int64], by hand: Hand) {
        func selection(_ ids: [Int64]) -> JSONValue {
            [
                "activeTrackIds": .array(ids.map { .integer($0) }),
                "tracks": .array(
                    ids.map { ["trackId": .integer($0), "type": $0 < 7 ? "TEXT" : "AUDIO", "language": "en"] }),
            ]
        }
        add(seconds, .activeTracksChanged, by: hand, before: selection(from), after: selection(to))
    }

    mutating func style(_ seconds: Double, _ from: JSONValue, _ to: JSONValue, by hand: Hand) {
        add(
            seconds, .textTrackStyleChanged, by: hand, before: ["textTrackStyle": from],
            after: ["textTrackStyle": to])
    }

    /// An app starts, in an app session of its own.
    mutating func app(
        _ seconds: Double, _ name: String, appSession: String, by hand: Hand = .device, cloud: Bool = false,
        senderConnected: Bool? = true
    ) {
        self.appSession = appSession
        mediaSession = nil
        var app: [(key: String, value: JSONValue)] = [
            ("displayName", .string(name)), ("sessionId", .string(appSession)), ("launchedFromCloud", .bool(cloud)),
        ]
        if let senderConnected { app.append(("senderConnected", .bool(senderConnected))) }
        add(seconds, .appStarted, by: hand, after: .object(JSONObject(app)))
    }

    mutating func appStops(_ seconds: Double, by hand: Hand = .device) {
        let media = mediaSession
        mediaSession = nil
        add(seconds, .appStopped, by: hand, before: ["sessionId": .string(appSession ?? "")])
        mediaSession = media
    }

    /// A LOAD as CAF tells it: the old media is interrupted with requestId 0, the new one completes with the loader's.
    mutating func load(
        _ seconds: Double, _ title: String, mediaSession next: Int64, over old: Int64? = nil, by hand: Hand
    ) {
        if let old {
            mediaSession = old
            add(seconds, .mediaSessionEnded, after: ["playerState": "IDLE", "idleReason": "INTERRUPTED"])
        }
        mediaSession = next
        let media: JSONValue = ["contentId": .string("c-\(next)"), "metadata": ["title": .string(title)]]
        add(
            seconds, .mediaSessionStarted, after: ["playerState": "LOADING", "media": media], sameRecord: old != nil)
        add(seconds, .mediaLoading, after: ["media": media], sameRecord: true)
        player(seconds + 0.5, "PLAYING", by: hand)
    }

    /// The device is not observed for a moment.
    mutating func gap(_ seconds: Double, _ reason: String = "link_lost") {
        add(seconds, .gapStarted, by: .unknown, after: ["reason": .string(reason)])
        add(seconds + 0.1, .gapEnded, by: .unknown, after: ["reason": .string(reason)])
    }

    static func time(_ seconds: Double) -> WallTime {
        WallTime(microseconds: start.microseconds + Int64((seconds * 1e6).rounded()))
    }

    /// The conflicts of all events, as they stand in the end, in the order of their names.
    func conflicts(_ rules: ConflictRules = ConflictRules()) -> [Conflict] {
        var ledger = ConflictLedger(rules: rules)
        return Self.latest(events.flatMap { ledger.fold($0) })
    }

    /// The conflicts, each as one line.
    var lines: [String] { conflicts().map(\.line) }

    /// The last row of each conflict, in the order of their names.
    static func latest(_ rows: [Conflict]) -> [Conflict] {
        var latest: [Conflict.ID: Conflict] = [:]
        for row in rows { latest[row.id] = row }
        return latest.values.sorted { $0.id < $1.id }
    }
}

extension Conflict {
    /// The conflict for comparison by eye: name, from and to, score, undoings (of them certain), evidence, sentence.
    var line: String {
        func seconds(_ time: WallTime) -> String { Self.number(time.seconds(since: Quarrel.start)) }
        return "\(id.name) \(seconds(from))-\(seconds(to)) \(Self.number(score)) \(undoings)(\(certainUndoings)) "
            + "[\(evidence.map { "\($0.position.number)/\($0.ordinal)" }.joined(separator: " "))] \(sentence)"
    }

    private static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }
}
