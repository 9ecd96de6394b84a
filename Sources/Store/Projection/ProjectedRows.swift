import CastModel
import Differ
import Recording

/// What a batch of change events says about devices, app sessions, media sessions and gaps.
///
/// A pure function of the events. It holds *changes* to rows, which compose: two batches one after the other leave the
/// same rows as both in one. ``ProjectedTables`` has the statements that apply them.
struct ProjectedRows {
    /// The key of a row, beside its recorder; parts that a table does not have stay empty.
    struct Key: Hashable {
        var device: String
        var appSession = ""
        /// The media session; of a gap its position.
        var number: Int64 = 0
        /// Of a gap.
        var ordinal: Int32 = 0
    }

    /// What is to change in a row.
    struct Change {
        /// The event that brings the row into being, unless it exists: its moment and attribution.
        private(set) var begun: (at: WallTime, attribution: ChangeEvent.Attribution)?
        /// The columns that the events speak of.
        var told = JSONObject()

        fileprivate mutating func begin(with event: ChangeEvent) {
            if begun == nil { begun = (event.observedAt, event.attribution) }
        }
    }

    private(set) var devices: [Key: Change] = [:]
    /// When each device was last heard.
    private(set) var heard: [Key: WallTime] = [:]
    private(set) var appSessions: [Key: Change] = [:]
    private(set) var mediaSessions: [Key: Change] = [:]
    /// Gaps that begin.
    private(set) var gaps: [Key: JSONObject] = [:]
    /// When the gaps that began earlier end, by device.
    private(set) var gapEnds: [Key: String] = [:]

    /// Folds events, in the order of the archive, and the moments at which devices were last heard.
    init(_ events: [ChangeEvent], heard moments: [DeviceID: WallTime] = [:]) {
        for event in events {
            let device = Self.clean(event.deviceID.text)
            fold(event, intoDevice: Key(device: device))
            fold(event, intoAppSessionsOf: device)
            fold(event, intoMediaSessionsOf: device)
            fold(event, intoGapsOf: device)
        }
        // This alone makes no row: how often it is told depends on the size of batches, the rows must not.
        for (device, time) in moments { hear(Key(device: Self.clean(device.text)), at: time) }
    }

    // MARK: Devices

    private mutating func hear(_ device: Key, at time: WallTime) {
        if let earlier = heard[device], earlier >= time { return }
        heard[device] = time
    }

    private mutating func fold(_ event: ChangeEvent, intoDevice key: Key) {
        hear(key, at: event.observedAt)
        devices[key, default: Change()].begin(with: event)
        switch event.kind {
        case .deviceSeen, .deviceRenamed, .addressChanged:
            devices[key]?.told.set("name", Self.text(event.after?["name"]))
            devices[key]?.told.set("model", Self.text(event.after?["model"]))
            devices[key]?.told.set("address", Self.text(event.after?["addresses"]?.array?.first))
            if event.kind == .deviceSeen { devices[key]?.told.enter("seen", unlessLinked: true) }
        case .deviceWithdrawn: devices[key]?.told.enter("withdrawn", unlessLinked: true)
        case .linkOpened:
            devices[key]?.told.set("address", Self.text(event.after?["address"]))
            if devices[key]?.told["first_linked_at"] == nil {
                devices[key]?.told.set("first_linked_at", event.observedAt.text)
            }
            devices[key]?.told.enter("linked", unlessLinked: false)
        case .linkClosed: devices[key]?.told.enter("lost", unlessLinked: false)
        default: break
        }
    }

    // MARK: App sessions

    private mutating func fold(_ event: ChangeEvent, intoAppSessionsOf device: String) {
        guard let appSession = event.appSessionID else { return }
        let key = Key(device: device, appSession: Self.clean(appSession.text))
        // Media proves that an app runs; other events of an idle screen make no app session.
        if event.mediaSessionID != nil { appSessions[key, default: Change()].begin(with: event) }
        switch event.kind {
        case .appStarted, .appReplaced:
            appSessions[key, default: Change()].begin(with: event)
            appSessions[key]?.told.describe(app: event.after)
            appSessions[key]?.told.reopen()
        case .appStopped:
            appSessions[key, default: Change()].begin(with: event)
            appSessions[key]?.told.describe(app: event.before)
            appSessions[key]?.told.end(at: event.observedAt, reason: "stopped")
        case .appStatusTextChanged:
            appSessions[key, default: Change()].told.set("status_text", Self.text(event.after?["statusText"]))
        default: break
        }
        guard event.kind == .appReplaced, let replaced = event.before?["sessionId"]?.string else { return }
        guard replaced != appSession.text else { return }
        appSessions[Key(device: device, appSession: Self.clean(replaced)), default: Change()]
            .told.end(at: event.observedAt, reason: "replaced")
    }

    // MARK: Media sessions

    private mutating func fold(_ event: ChangeEvent, intoMediaSessionsOf device: String) {
        guard let mediaSession = event.mediaSessionID else { return }
        let appSession = event.appSessionID.map { Self.clean($0.text) } ?? ""
        let key = Key(device: device, appSession: appSession, number: mediaSession)
        mediaSessions[key, default: Change()].begin(with: event)
        switch event.kind {
        case .mediaSessionStarted:
            mediaSessions[key]?.told.replace(media: event.after?["media"])
            mediaSessions[key]?.told.describe(player: event.after)
            mediaSessions[key]?.told.reopen()
        case .mediaLoading:
            if let media = event.after?["media"] { mediaSessions[key]?.told.replace(media: media) }
        case .mediaChanged: mediaSessions[key]?.told.replace(media: event.after)
        case .metadataChanged, .durationChanged: mediaSessions[key]?.told.describe(media: event.after)
        case .playerStateChanged: mediaSessions[key]?.told.describe(player: event.after)
        case .mediaSessionEnded:
            let reason = Self.text(event.after?["idleReason"]).map { $0.lowercased() }
            mediaSessions[key]?.told.describe(player: event.after)
            mediaSessions[key]?.told.end(at: event.observedAt, reason: reason)
        default: break
        }
    }

    // MARK: Gaps

    private mutating func fold(_ event: ChangeEvent, intoGapsOf device: String) {
        switch event.kind {
        case .gapStarted:
            let key = Key(device: device, number: event.id.position.number, ordinal: event.id.ordinal)
            var row = JSONObject()
            row["started_at"] = .string(Self.moment(event.after?["from"]) ?? event.observedAt.text)
            row["reason"] = .string(Self.text(event.after?["reason"]) ?? "unknown")
            gaps[key] = row
        case .gapEnded:
            let end = Self.moment(event.after?["to"]) ?? event.observedAt.text
            for key in gaps.keys where key.device == device && gaps[key]?["ended_at"] == nil {
                gaps[key]?["ended_at"] = .string(end)
            }
            // Of gaps that began in earlier batches the first end counts.
            if gapEnds[Key(device: device)] == nil { gapEnds[Key(device: device)] = end }
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
    /// A column that the event speaks of; one it does not speak of stays as it is.
    fileprivate mutating func set(_ column: String, _ text: String?) {
        if let text { self[column] = .string(text) }
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
