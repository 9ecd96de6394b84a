import CastModel
import Differ
import Recording

/// What a batch of change events says about devices, app sessions, media sessions and gaps.
///
/// A pure function of the events. It holds *changes* to rows, which compose: two batches one after the other leave the
/// same rows as both in one. ``ProjectedTables`` has the statements that apply them.
struct ProjectedRows {
    /// The rows of one table that change, as JSON objects under their keys.
    typealias Table = [[String]: JSONObject]

    private(set) var devices: Table = [:]
    private(set) var appSessions: Table = [:]
    private(set) var mediaSessions: Table = [:]
    private(set) var gaps: Table = [:]

    /// Folds events, in the order of the archive, and the moments at which devices were last heard.
    init(_ events: [ChangeEvent], heard: [DeviceID: WallTime] = [:]) {
        for event in events {
            fold(intoDevices: event)
            fold(intoAppSessions: event)
            fold(intoMediaSessions: event)
            fold(intoGaps: event)
        }
        // This alone makes no row: how often it is told depends on the size of batches, the rows must not.
        for (device, time) in heard { devices[[Self.clean(device.text)], default: JSONObject()].hear(at: time) }
    }

    // MARK: Devices

    private mutating func fold(intoDevices event: ChangeEvent) {
        let key = [Self.clean(event.deviceID.text)]
        var row = devices[key] ?? JSONObject()
        row.touch(at: event.observedAt)
        switch event.kind {
        case .deviceSeen, .deviceRenamed, .addressChanged:
            row.set("name", Self.text(event.after?["name"]))
            row.set("model", Self.text(event.after?["model"]))
            row.set("address", Self.text(event.after?["addresses"]?.array?.first))
            if event.kind == .deviceSeen { row.enter("seen", unlessLinked: true) }
        case .deviceWithdrawn: row.enter("withdrawn", unlessLinked: true)
        case .linkOpened:
            row.set("address", Self.text(event.after?["address"]))
            row.enter("linked", unlessLinked: false)
        case .linkClosed: row.enter("lost", unlessLinked: false)
        default: break
        }
        devices[key] = row
    }

    // MARK: App sessions

    private mutating func fold(intoAppSessions event: ChangeEvent) {
        guard let appSession = event.appSessionID else { return }
        let device = Self.clean(event.deviceID.text)
        let key = [device, Self.clean(appSession.text)]
        // Media proves that an app runs; other events of an idle screen make no app session.
        if event.mediaSessionID != nil { appSessions[key, default: JSONObject()].begin(with: event) }
        switch event.kind {
        case .appStarted, .appReplaced:
            var row = appSessions[key] ?? JSONObject()
            row.begin(with: event)
            row.describe(app: event.after)
            row.reopen()
            appSessions[key] = row
        case .appStopped:
            var row = appSessions[key] ?? JSONObject()
            row.begin(with: event)
            row.describe(app: event.before)
            row.end(at: event.observedAt, reason: "stopped")
            appSessions[key] = row
        case .appStatusTextChanged:
            appSessions[key, default: JSONObject()].set("status_text", Self.text(event.after?["statusText"]))
        default: break
        }
        guard event.kind == .appReplaced, let replaced = event.before?["sessionId"]?.string else { return }
        guard replaced != appSession.text else { return }
        appSessions[[device, Self.clean(replaced)], default: JSONObject()]
            .end(at: event.observedAt, reason: "replaced")
    }

    // MARK: Media sessions

    private mutating func fold(intoMediaSessions event: ChangeEvent) {
        guard let mediaSession = event.mediaSessionID else { return }
        let app = event.appSessionID.map { Self.clean($0.text) } ?? ""
        let key = [Self.clean(event.deviceID.text), app, String(mediaSession)]
        var row = mediaSessions[key] ?? JSONObject()
        row.begin(with: event)
        switch event.kind {
        case .mediaSessionStarted:
            row.replace(media: event.after?["media"])
            row.describe(player: event.after)
            row.reopen()
        case .mediaLoading: if let media = event.after?["media"] { row.replace(media: media) }
        case .mediaChanged: row.replace(media: event.after)
        case .metadataChanged, .durationChanged: row.describe(media: event.after)
        case .playerStateChanged: row.describe(player: event.after)
        case .mediaSessionEnded:
            row.describe(player: event.after)
            row.end(
                at: event.observedAt, reason: Self.text(event.after?["idleReason"]).map { $0.lowercased() })
        default: break
        }
        mediaSessions[key] = row
    }

    // MARK: Gaps

    private mutating func fold(intoGaps event: ChangeEvent) {
        let device = Self.clean(event.deviceID.text)
        switch event.kind {
        case .gapStarted:
            let key = [device, String(event.id.position.number), String(event.id.ordinal)]
            var row = JSONObject()
            row["started_at"] = .string(Self.moment(event.after?["from"]) ?? event.observedAt.text)
            row["reason"] = .string(Self.text(event.after?["reason"]) ?? "unknown")
            gaps[key] = row
        case .gapEnded:
            let end = JSONValue.string(Self.moment(event.after?["to"]) ?? event.observedAt.text)
            for key in gaps.keys where key[0] == device && key.count == 3 && gaps[key]?["ended_at"] == nil {
                gaps[key]?["ended_at"] = end
            }
            // Gaps of earlier batches, under a key of the device alone: the first end counts.
            if gaps[[device]] == nil { gaps[[device], default: JSONObject()]["ended_at"] = end }
        default: break
        }
    }

    // MARK: Values

    /// A key or text without NUL, of bounded length.
    private static func clean(_ text: String) -> String {
        var changed = false
        return Sanitizing.id(text, changed: &changed)
    }

    /// A string without NUL; nil when this is no string.
    fileprivate static func text(_ value: JSONValue?) -> String? {
        guard let string = value?.string else { return nil }
        var changed = false
        return Sanitizing.text(string, changed: &changed)
    }

    /// A moment as the differ spells it; nil when this is none.
    private static func moment(_ value: JSONValue?) -> String? {
        value?.string.flatMap { WallTime(text: $0) }?.text
    }
}

extension JSONObject {
    /// The event brings the row into being, unless it exists.
    fileprivate mutating func begin(with event: ChangeEvent) {
        guard self["started_at"] == nil else { return }
        self["started_at"] = .string(event.observedAt.text)
        self["start_attribution"] = .string(event.attribution.rawValue)
    }

    /// A column that the event speaks of; one it does not speak of stays as it is.
    fileprivate mutating func set(_ column: String, _ text: String?) {
        if let text { self[column] = .string(text) }
    }

    /// The device had a change event: the first one counts as the first sight of it.
    fileprivate mutating func touch(at time: WallTime) {
        if self["first_seen_at"] == nil { self["first_seen_at"] = .string(time.text) }
        hear(at: time)
    }

    /// Something of the device was received.
    fileprivate mutating func hear(at time: WallTime) {
        // RFC 3339 in UTC with six digits: the order of texts is the order of moments.
        let text = time.text
        if (self["last_heard_at"]?.string ?? "") < text { self["last_heard_at"] = .string(text) }
    }

    /// A step of the device's state, as a function: what a linked device becomes, and what any other becomes.
    fileprivate mutating func enter(_ state: String, unlessLinked: Bool) {
        let linked = self["state_if_linked"]?.string ?? "linked"
        let otherwise = self["state_otherwise"]?.string
        self["state_if_linked"] = .string(unlessLinked && linked == "linked" ? "linked" : state)
        self["state_otherwise"] = .string(unlessLinked && otherwise == "linked" ? "linked" : state)
    }

    fileprivate mutating func end(at time: WallTime, reason: String?) {
        self["ends"] = true
        self["ended_at"] = .string(time.text)
        self["end_reason"] = reason.map { .string($0) }
    }

    /// It runs, also when an end was seen before.
    fileprivate mutating func reopen() {
        self["ends"] = true
        self["ended_at"] = nil
        self["end_reason"] = nil
    }

    fileprivate mutating func describe(app: JSONValue?) {
        set("app_id", ProjectedRows.text(app?["appId"]))
        set("app_name", ProjectedRows.text(app?["displayName"]))
        set("status_text", ProjectedRows.text(app?["statusText"]))
    }

    fileprivate mutating func describe(player status: JSONValue?) {
        set("player_state", ProjectedRows.text(status?["playerState"]))
    }

    /// Another media takes the place of the one before: what it does not say is not known of it.
    fileprivate mutating func replace(media: JSONValue?) {
        for column in ["content_id", "content_type", "stream_type", "title", "duration_seconds"] { self[column] = nil }
        self["replaces_media"] = true
        describe(media: media)
    }

    /// Media, or a part of it.
    fileprivate mutating func describe(media: JSONValue?) {
        set("content_id", ProjectedRows.text(media?["contentId"]))
        set("content_type", ProjectedRows.text(media?["contentType"]))
        set("stream_type", ProjectedRows.text(media?["streamType"]))
        let title = media?["metadata"]?.object.flatMap { MediaMetadata($0).displayTitle }
        set("title", title.flatMap { ProjectedRows.text(.string($0)) })
        switch media?["duration"] {
        case .number(let seconds) where seconds.isFinite: self["duration_seconds"] = .number(seconds)
        case .integer(let seconds): self["duration_seconds"] = .integer(seconds)
        default: break
        }
    }
}
