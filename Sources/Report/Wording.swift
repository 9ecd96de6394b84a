import CastModel
import Differ
import Recording

/// Says in one plain clause what a change event is: the only place that words the kinds.
struct Wording {
    let event: ChangeEvent
    /// Names for apps whose device said none.
    var apps = AppRegistry.builtIn

    /// What happened, without subject and cause: "paused at 1:02:03".
    ///
    /// The wording is Cast's view: what an app session reports, never what was on a screen.
    var clause: String {
        switch event.kind {
        case .deviceSeen: deviceSeen
        case .deviceWithdrawn: "withdrawn from the network"
        case .deviceRenamed: "renamed" + change("name", by: named)
        case .addressChanged: "moved from \(address(of: before) ?? "unknown") to \(address(of: after) ?? "unknown")"
        case .linkOpened: "observed from here on" + detail(" over a link to ", address(of: after)) + platformOnly
        case .linkClosed: "link closed" + detail(": ", reason(of: after) ?? reason(of: before))
        case .identityVerified: "identity verified" + detail(": ", text(after, "hash").map(clean))
        case .identityFailed: "identity not verified" + detail(": ", text(after, "why").map(clean))
        case .gapStarted: gapStarted
        case .gapEnded: gapEnded
        case .appStarted: "app started: " + app(after) + silence(after)
        case .appStopped: "app ended: " + app(before)
        case .appReplaced: "app \(app(before)) replaced by \(app(after))" + silence(after)
        case .idleScreenShown: "idle screen shown"
        case .appStatusTextChanged: "app says " + (text(after, "statusText").map(PlainText.quoted) ?? "nothing")
        case .senderConnectedChanged:
            flag(
                "senderConnected", "app has a sender", "app has no sender", "app no longer says whether it has a sender"
            )
        case .deviceVolumeChanged: "volume" + change("level", by: level)
        case .deviceMuteChanged: flag("muted", "muted", "unmuted", "mute unknown")
        case .standbyChanged: flag("isStandBy", "in standby", "out of standby", "standby unknown")
        case .activeInputChanged:
            flag("isActiveInput", "active input of the TV", "not the active input of the TV", "active input unknown")
        case .launchStatus: "launch" + detail(": ", text(after, "status").map(clean))
        case .launchError: "launch failed" + detail(": ", text(after, "reason", "extendedError", "error").map(clean))
        case .mediaSessionStarted: "media session began" + detail(": ", title(after)) + state + at
        case .mediaSessionEnded: "media session ended" + detail(": ", title(before)) + ended + at
        case .mediaLoading: "loading" + detail(" ", title(after))
        case .mediaChanged: "media \(title(before) ?? "none") to \(title(after) ?? "none")"
        case .mediaReasserted: "media sent again" + detail(": ", title(after)) + at
        case .metadataChanged: metadata
        case .durationChanged: "duration" + change("duration", by: Figures.position)
        case .playerStateChanged: playerState + at
        case .seeked: "seeked" + seek
        case .playbackRateChanged: "playback rate" + change("playbackRate", by: { Figures.decimal($0) }) + at
        case .streamVolumeChanged: streamVolume
        case .liveRangeChanged: "live range" + detail(" now ", liveRange)
        case .videoInfoChanged: "video" + detail(" now ", videoInfo)
        case .supportedCommandsChanged:
            SupportedCommands.change(
                from: integer(before, "supportedMediaCommands"), to: integer(after, "supportedMediaCommands"))
        case .mediaError: "media error" + detail(": ", mediaError)
        case .trackListChanged: "track list" + detail(": ", trackCount)
        case .activeTracksChanged: "active tracks \(tracks(before)) to \(tracks(after))" + at
        case .textTrackStyleChanged: "text track style changed" + detail(": ", styleChange) + at
        case .textTrackStyleReasserted: "text track style sent again" + at
        case .queueChanged: "queue" + queue
        case .queueItemChanged: "queue item \(item(before)) to \(item(after))" + at
        case .repeatModeChanged: "repeat mode" + change("repeatMode", by: { clean($0) })
        case .breakStarted: "ad break began" + advertisement(after) + at
        case .breakClipChanged: "next ad of the break" + advertisement(after) + at
        case .breakEnded: "ad break ended" + advertisement(before) + at
        case .groupMemberAdded: "group member added: " + member(after)
        case .groupMemberUpdated: "group member \(member(after))" + detail(", volume ", memberLevel)
        case .groupMemberRemoved: "group member removed: " + member(before)
        case .playbackSessionChanged: after == nil ? "group playback ended" : "group playback changed"
        case .customMessage: "app message" + customMessage
        case .malformedPayload: "unreadable message" + detail(": ", text(after, "why").map(clean))
        case .stormStarted: "storm of messages began" + storm
        case .stormEnded: "storm of messages ended" + storm
        }
    }

    /// Who caused it, for brackets; nil for what we did or saw ourselves.
    var cause: String? {
        switch event.attribution {
        case .senderRequest:
            "sender request" + detail(" ", event.requestID.map { "\($0)" })
                + detail(", probably sender ", event.senderSeries.map { "\($0)" })
        case .receiver: "receiver"
        case .snapshot: "snapshot"
        case .unknown: Self.isOurOwnObservation(event.kind) ? nil : "unknown"
        }
    }

    /// Kinds that no message of a device causes: mDNS, our links, our gaps.
    static func isOurOwnObservation(_ kind: ChangeEvent.Kind) -> Bool {
        switch kind {
        case .deviceSeen, .deviceWithdrawn, .deviceRenamed, .addressChanged, .linkOpened, .linkClosed, .gapStarted,
            .gapEnded, .identityVerified, .identityFailed, .stormStarted, .stormEnded:
            true
        default: false
        }
    }

    private var before: JSONValue? { event.before }
    private var after: JSONValue? { event.after }
}

// Parts of clauses.
extension Wording {
    /// " at 1:02:03", where the position is known.
    private var at: String { event.positionSeconds.map { " at " + Figures.position($0) } ?? "" }

    /// On such a link no app is joined, by choice or because the device would show us to it.
    private var platformOnly: String {
        text(after, "attachMode") == AttachMode.platform.rawValue ? "; apps are not joined" : ""
    }

    private var gapReason: String? { reason(of: after) ?? reason(of: before) }

    /// A gap is noticed after it began: a link is silent for 15 s, a recorder starts again after a power cut.
    private var gapStarted: String {
        if let jump = clockJump { return "the recorder's clock was set " + jump }
        let since = text(after, "from").flatMap { WallTime(text: $0) }.map { event.observedAt.seconds(since: $0) } ?? 0
        // Below a tenth of a second the figure would say nothing.
        let past = since >= 0.1 ? "for the last \(Figures.stretch(since)) and " : ""
        return "not observed " + past + "from here on" + detail(": ", gapReason)
    }

    private var gapEnded: String {
        if clockJump != nil { return "observed on, by the clock as it was set" }
        let seconds = number(after, "seconds") ?? number(before, "seconds")
        let length = seconds.map { "not observed for " + Figures.stretch($0) } ?? "observed again"
        return length + detail(": ", gapReason)
    }

    /// "forward by 1 h 0 min"; nil when the clock was not set.
    private var clockJump: String? {
        guard text(after, "reason") == Gap.Reason.clockJump.rawValue,
            let from = text(after, "from").flatMap({ WallTime(text: $0) }),
            let to = text(after, "to").flatMap({ WallTime(text: $0) })
        else { return nil }
        return (to < from ? "back by " : "forward by ") + Figures.stretch(abs(to.seconds(since: from)))
    }

    private var state: String {
        text(after, "playerState").map { ", " + Self.playerStateWord($0) } ?? ""
    }

    private var playerState: String {
        text(after, "playerState").map(Self.playerStateWord) ?? "player state unknown"
    }

    static func playerStateWord(_ raw: String) -> String {
        switch PlayerState(raw) {
        case .playing: "playing"
        case .paused: "paused"
        case .buffering: "buffering"
        case .loading: "loading"
        case .idle: "idle"
        default: "player state " + clean(raw)
        }
    }

    private var ended: String {
        guard let raw = text(after, "idleReason") ?? text(before, "idleReason") else { return "" }
        return switch IdleReason(raw) {
        case .finished: ", finished"
        case .cancelled: event.attribution == .senderRequest ? ", stopped by a sender" : ", stopped"
        case .interrupted: ", replaced by other media"
        case .error: ", failed"
        default: ", idle reason " + Self.clean(raw)
        }
    }

    private var metadata: String {
        let (old, new) = (title(before), title(after))
        guard old == new else { return "title \(old ?? "none") to \(new ?? "none")" }
        let keys = (after ?? before)?.object?.pairs.map(\.key).prefix(8).map { clean($0) } ?? []
        return "media details changed" + detail(": ", new ?? (keys.isEmpty ? nil : keys.joined(separator: ", ")))
    }

    private var seek: String {
        let end = number(after, "currentTime") ?? event.positionSeconds
        return detail(" from ", number(before, "currentTime").map(Figures.position))
            + detail(" to ", end.map(Figures.position))
            + (after?["restart"]?.lossyFlag == true ? ", the same media from its start" : "")
    }

    private var liveRange: String? {
        guard let range = after?["liveSeekableRange"], let start = number(range, "start"),
            let end = number(range, "end")
        else { return nil }
        let edge = text(after, "edge").map { ", its edge \(clean($0))" } ?? ""
        let isDone =
            range["isLiveDone"]?.lossyFlag == true && before?["liveSeekableRange"]?["isLiveDone"]?.lossyFlag != true
        return "\(Figures.position(start)) to \(Figures.position(end))" + edge
            + (isDone ? ", the broadcast is over" : "")
    }

    private var videoInfo: String? {
        guard let info = after?["videoInfo"], let width = number(info, "width"), let height = number(info, "height")
        else { return nil }
        return "\(Figures.decimal(width))x\(Figures.decimal(height))" + detail(" ", text(info, "hdrType").map(clean))
    }

    private var streamVolume: String {
        var parts: [String] = []
        if let muted = after?["muted"]?.lossyFlag { parts.append(muted ? "stream muted" : "stream unmuted") }
        if number(after, "level") != nil { parts.append("stream volume" + change("level", by: level)) }
        return parts.isEmpty ? "stream volume unknown" : parts.joined(separator: ", ")
    }

    private var mediaError: String? {
        let words = ["type", "responseType", "reason", "detailedErrorCode", "errorName"].compactMap {
            text(after, $0).map(clean)
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    private var trackCount: String? {
        (after?["tracks"]?.array ?? after?.array).map { $0.count == 1 ? "1 track" : "\($0.count) tracks" }
    }

    private func tracks(_ value: JSONValue?) -> String {
        guard let ids = (value?["activeTrackIds"] ?? value)?.array else { return "unknown" }
        let named = value?["tracks"]?.array ?? []
        let words = ids.prefix(16).map { id in
            let track = named.first { $0["trackId"] == id }
            return (id.lossyText ?? "?") + detail(" ", text(track, "language", "name").map(clean))
        }
        return words.isEmpty ? "none" : words.joined(separator: "+")
    }

    /// Every style attribute that differs, old and new: "fontScale 1 to 1.5, edgeType NONE to OUTLINE".
    private var styleChange: String? {
        let old = before?["textTrackStyle"]?.object
        guard let new = after?["textTrackStyle"]?.object else { return "none" }
        let parts = new.pairs.filter { old?[$0.key] != $0.value }.prefix(12).map { key, value in
            Self.clean(key) + detail(" ", old?[key].map(scalar)) + " to " + scalar(value)
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private var queue: String {
        func items(_ key: String) -> String? {
            after?[key]?.array.map { $0.count == 1 ? "1 item" : "\($0.count) items" }
        }
        if let shuffle = after?["shuffle"]?.lossyFlag { return shuffle ? " shuffled" : " no longer shuffled" }
        if after?["reordered"]?.lossyFlag == true { return " in another order" }
        let told = [items("inserted").map { $0 + " inserted" }, items("removed").map { $0 + " removed" }]
        if told.contains(where: { $0 != nil }) { return ": " + told.compactMap { $0 }.joined(separator: ", ") }
        let named = text(after, "name") == text(before, "name") ? nil : text(after, "name").map(PlainText.quoted)
        return detail(" ", text(after, "changeType").map { clean($0.lowercased()) }) + detail(", ", items("itemIds"))
            + detail(" now ", named)
            + detail(", changes missed before it: ", number(after, "missed").map { Figures.decimal($0) })
    }

    private func item(_ value: JSONValue?) -> String {
        guard let id = text(value, "currentItemId") else { return "none" }
        return clean(id) + detail(" ", title(value))
    }

    private func advertisement(_ value: JSONValue?) -> String {
        detail(": ", text(value, "title", "breakClipId", "breakId").map(PlainText.quoted))
    }

    private func member(_ value: JSONValue?) -> String {
        text(value, "name", "deviceId").map(PlainText.quoted) ?? "unknown"
    }

    private var memberLevel: String? { after?["volume"].flatMap { number($0, "level") }.map(level) }

    private var storm: String {
        detail(": ", number(after, "frames").map { "\(Figures.decimal($0)) frames" })
            + detail(" in ", number(after, "seconds").map(Figures.stretch))
    }

    private var customMessage: String {
        detail(" ", text(after, "type").map(clean)) + detail(" on ", text(after, "namespace").map(clean))
            + detail(", ", number(after, "size").map { "\(Figures.decimal($0)) bytes" })
            + detail(", ", number(after, "suppressed").map { "\(Figures.decimal($0)) before it not told" })
    }
}

// Reading the two sides of an event.
extension Wording {
    private static func clean(_ text: String) -> String { PlainText.neutralized(text, limitCharacters: 120) }
    private func clean(_ text: String) -> String { Self.clean(text) }

    private func text(_ value: JSONValue?, _ keys: String...) -> String? {
        for key in keys {
            if let text = value?[key]?.lossyText { return text }
        }
        return nil
    }

    private func number(_ value: JSONValue?, _ keys: String...) -> Double? {
        for key in keys {
            if let number = value?[key]?.lossyNumber { return number }
        }
        return nil
    }

    private func integer(_ value: JSONValue?, _ key: String) -> Int64? {
        number(value, key).flatMap { Int64(exactly: $0) }
    }

    private func scalar(_ value: JSONValue) -> String {
        if let number = value.lossyNumber, value.string == nil { return Figures.decimal(number) }
        return clean(value.string ?? value.text)
    }

    private func detail(_ lead: String, _ text: String?) -> String { text.map { lead + $0 } ?? "" }

    /// " 0.4 to 0.5", each side by its key; a side that does not say it is "unknown".
    private func change(_ key: String, by render: (Double) -> String) -> String {
        " \(number(before, key).map(render) ?? "unknown") to \(number(after, key).map(render) ?? "unknown")"
    }

    private func change(_ key: String, by render: (String) -> String) -> String {
        " from \(text(before, key).map(render) ?? "unknown") to \(text(after, key).map(render) ?? "unknown")"
    }

    private func level(_ level: Double) -> String { Figures.percent(level) }
    private func named(_ text: String) -> String { PlainText.quoted(text) }

    private func flag(_ key: String, _ yes: String, _ no: String, _ unknown: String) -> String {
        switch after?[key]?.lossyFlag {
        case true?: yes
        case false?: no
        case nil: unknown
        }
    }

    private var deviceSeen: String {
        let isTyped = text(after, "source") == "static"
        return (isTyped ? "added by address" : "seen on the network")
            + detail(" as ", text(after, "name").map(PlainText.quoted)) + detail(", ", text(after, "model").map(clean))
            + detail(", at ", address(of: after))
    }

    private func address(of value: JSONValue?) -> String? {
        guard let host = text(value, "address") ?? value?["addresses"]?.array?.first?.string else { return nil }
        guard let port = text(value, "port") else { return clean(host) }
        return host.contains(":") ? "[\(clean(host))]:\(port)" : "\(clean(host)):\(port)"
    }

    private func app(_ value: JSONValue?) -> String {
        guard let app = value?.object.map(ReceiverApp.init) else { return "unknown" }
        let name = (apps.name(of: app) ?? app.appID?.text).map(clean) ?? "unknown"
        return app.json["placeholder"]?.lossyFlag == true ? "placeholder of a group, \(name)" : name
    }

    /// Some apps tell nobody what they play: that nothing is recorded of them means nothing.
    private func silence(_ value: JSONValue?) -> String {
        let known = value?.object.map(ReceiverApp.init).flatMap { apps.known($0) }
        return known?.quirks.noMediaNamespace == true ? ", which does not tell what it plays" : ""
    }

    /// The title in quotes, or the content id where there is no title.
    private func title(_ value: JSONValue?) -> String? {
        let media = value?["media"] ?? value
        let metadata = (media?["metadata"] ?? media)?.object.map(MediaMetadata.init)
        return (metadata?.displayTitle ?? text(media, "contentId", "contentUrl")).map(PlainText.quoted)
    }

    private func reason(of value: JSONValue?) -> String? {
        guard let raw = text(value, "reason") else { return nil }
        if raw == "frames_lost" {
            return detail("", number(value, "count").map { Figures.decimal($0) + " " }) + "frames lost"
        }
        return Self.reasons[raw] ?? clean(raw)
    }

    /// Why we did not observe, or why a link closed.
    private static let reasons: [String: String] = [
        "recorder_down": "recorder was down",
        "link_lost": "link was lost",
        "device_unreachable": "device could not be reached",
        "not_joined": "not joined to the app",
        "attach_refused": "the app refused us",
        "device_excluded": "left out by the recorder's rules",
        "archive_damaged": "the archive is damaged",
        "clock_jump": "the clock jumped",
        "closed_by_device": "closed by the device",
        "silent": "nothing heard for 15 s",
        "connection_reset": "reset by the device or the network",
        "protocol_error": "framing lost",
        "tls_error": "TLS failed",
        "address_changed": "the device moved",
        "duplicate": "another link reaches the device",
        "recorder_stopping": "recorder is stopping",
    ]
}
