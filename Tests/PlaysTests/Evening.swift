import CastModel
import Differ
import Plays
import Recording

/// Writes change events by hand, second by second, and tells the plays that come of them.
struct Evening {
    static let device = DeviceID("0123456789abcdef0123456789abcdef")
    /// 2026-03-01T20:00:00Z.
    static let start = WallTime(microseconds: 1_772_395_200_000_000)

    private(set) var events: [ChangeEvent] = []
    var device = Evening.device
    var appSession: String? = "s-1"
    var mediaSession: Int64? = 1
    /// Whether the next event comes from the same record as the one before.
    private var position: Int64 = 0

    /// Adds an event, `seconds` after the start; one with `sameRecord` comes of the record of the event before.
    mutating func add(
        _ seconds: Double, _ kind: ChangeEvent.Kind, _ attribution: ChangeEvent.Attribution = .receiver,
        requestID: Int64? = nil, before: JSONValue? = nil, after: JSONValue? = nil, at positionSeconds: Double? = nil,
        sameRecord: Bool = false
    ) {
        if !sameRecord { position += 1 }
        let ordinal = sameRecord ? (events.last?.id.ordinal ?? -1) + 1 : 0
        events.append(
            ChangeEvent(
                id: ChangeEvent.ID(position: ArchivePosition(position), ordinal: ordinal),
                observedAt: Self.time(seconds),
                deviceID: device, appSessionID: appSession.map { AppSessionID($0) }, mediaSessionID: mediaSession,
                kind: kind, attribution: attribution, requestID: requestID, callbacks: [], effective: true,
                before: before, after: after, positionSeconds: positionSeconds))
    }

    /// An app starts.
    mutating func app(
        _ seconds: Double, _ name: String = "Default Media Receiver", id: String = "CC1AD845",
        _ attribution: ChangeEvent.Attribution = .senderRequest, fromCloud: Bool = false
    ) {
        var app: [(key: String, value: JSONValue)] = [
            ("appId", .string(id)), ("displayName", .string(name)), ("sessionId", .string(appSession ?? "")),
        ]
        if fromCloud { app.append(("launchedFromCloud", true)) }
        add(seconds, .appStarted, attribution, after: .object(JSONObject(app)))
    }

    /// The app of the current app session ends.
    mutating func appStops(_ seconds: Double, _ attribution: ChangeEvent.Attribution = .senderRequest) {
        add(seconds, .appStopped, attribution, before: ["sessionId": .string(appSession ?? "")])
    }

    /// A media session begins.
    mutating func begins(
        _ seconds: Double, _ state: String, _ media: JSONValue? = nil,
        _ attribution: ChangeEvent.Attribution = .senderRequest, requestID: Int64? = nil, at position: Double? = nil,
        sameRecord: Bool = false
    ) {
        var after: [(key: String, value: JSONValue)] = [("playerState", .string(state))]
        if let media { after.append(("media", media)) }
        add(
            seconds, .mediaSessionStarted, attribution, requestID: requestID, after: .object(JSONObject(after)),
            at: position, sameRecord: sameRecord)
    }

    /// The player does something else.
    mutating func player(
        _ seconds: Double, _ state: String, _ attribution: ChangeEvent.Attribution = .senderRequest,
        at position: Double? = nil
    ) {
        add(seconds, .playerStateChanged, attribution, after: ["playerState": .string(state)], at: position)
    }

    /// The media session ends.
    mutating func ends(
        _ seconds: Double, _ idleReason: String?, _ attribution: ChangeEvent.Attribution = .receiver,
        at position: Double? = nil, sameRecord: Bool = false
    ) {
        let after: JSONValue? = idleReason.map { ["playerState": "IDLE", "idleReason": .string($0)] }
        add(seconds, .mediaSessionEnded, attribution, after: after, at: position, sameRecord: sameRecord)
    }

    /// The device is not observed from one moment to another; told when the gap begins, and when it ends.
    mutating func gap(_ from: Double, to: Double? = nil, told: Double? = nil, _ reason: String = "link_lost") {
        let began = Self.time(from).text
        add(told ?? from, .gapStarted, .unknown, after: ["reason": .string(reason), "from": .string(began)])
        if let to { gapEnds(from, to, reason) }
    }

    /// The gap that began at a moment ends.
    mutating func gapEnds(_ from: Double, _ to: Double, _ reason: String = "link_lost") {
        add(
            to, .gapEnded, .unknown,
            after: [
                "reason": .string(reason), "from": .string(Self.time(from).text), "to": .string(Self.time(to).text),
                "seconds": .number(to - from),
            ])
    }

    /// The recorder's clock is set; told by the clock as it is then.
    mutating func jump(from: Double, to: Double, told: Double? = nil) {
        let moments: [(key: String, value: JSONValue)] = [
            ("reason", "clock_jump"), ("from", .string(Self.time(from).text)), ("to", .string(Self.time(to).text)),
        ]
        add(told ?? to, .gapStarted, .unknown, after: .object(JSONObject(moments)))
        add(
            told ?? to, .gapEnded, .unknown, after: .object(JSONObject(moments + [("seconds", 0)])), sameRecord: true)
    }

    static func time(_ seconds: Double) -> WallTime {
        WallTime(microseconds: start.microseconds + Int64((seconds * 1e6).rounded()))
    }

    /// The plays of all events, in the order of their beginnings.
    var plays: [Play] {
        var ledger = PlayLedger()
        return Self.latest(events.flatMap { ledger.fold($0) })
    }

    /// The plays, each as one line.
    var lines: [String] { plays.map(\.line) }

    /// The last row of each play, in the order of their beginnings.
    static func latest(_ rows: [Play]) -> [Play] {
        var latest: [ChangeEvent.ID: Play] = [:]
        for row in rows { latest[row.id] = row }
        return latest.values.sorted { $0.id < $1.id }
    }

    /// A movie of so many seconds.
    static func movie(_ title: String = "Movie", _ id: String = "http://m/1", seconds: Double? = 600) -> JSONValue {
        var media: [(key: String, value: JSONValue)] = [
            ("contentId", .string(id)), ("contentType", "video/mp4"), ("streamType", "BUFFERED"),
            ("metadata", ["metadataType": 0, "title": .string(title)]),
        ]
        if let seconds { media.append(("duration", .number(seconds))) }
        return .object(JSONObject(media))
    }
}

extension Play {
    /// The play for comparison by eye.
    ///
    /// Title, start and cause, end and reason, then what is not zero of played/paused/buffering/ad, gap and seeks.
    var line: String {
        func seconds(_ time: WallTime) -> String { Self.number(time.seconds(since: Evening.start)) }
        var words = ["\(content.title ?? content.contentID ?? "-"): \(startCause.rawValue) \(seconds(startedAt))"]
        if let endedAt {
            words.append("\(endReason?.rawValue ?? "-") \(endIsUncertain ? "after " : "")\(seconds(endedAt))")
        } else {
            words.append("\(phase?.rawValue ?? "-")")
        }
        for (name, amount) in [
            ("played", time.playedSeconds), ("paused", time.pausedSeconds), ("buffering", time.bufferingSeconds),
            ("ads", time.adSeconds), ("inactive", time.inputInactiveSeconds), ("gap", time.gapSeconds),
            ("seeks", Double(seeks)),
        ] where amount != 0 {
            words.append("\(name) \(Self.number(amount))")
        }
        return words.joined(separator: ", ")
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
