import CastModel
import Plays
import Recording
import Report
import Store

/// What a device does now, under the names of the interface.
struct NowFields {
    let row: NowRow
    let listing: DeviceListing
    /// The play that lasts; nil for none.
    let play: Play?
    /// The share of the last day that was observed; nil when nothing is known.
    let coverage: Double?
    let showsImages: Bool
    let apps: AppRegistry

    /// All fields, in their order.
    func object(at now: WallTime) -> JSONObject {
        JSONObject(device(now) + content + course + rest)
    }

    private typealias Pairs = [(key: String, value: JSONValue)]

    private func device(_ now: WallTime) -> Pairs {
        let heard = max(row.heardAt ?? row.device.lastHeardAt, row.device.lastHeardAt)
        return [
            ("device_id", .string(listing.deviceID)), ("device", Self.text(listing.name)),
            ("model", Self.text(listing.model)), ("site", Self.text(row.site)),
            ("address", Self.text(listing.address)), ("group_members", .array(members)),
            ("state", .string(listing.state)), ("attach_mode", Self.text(row.attachMode)),
            ("last_heard_at", .string(heard.text)),
            ("frame_age_seconds", .number(max(0, now.seconds(since: heard)))),
        ]
    }

    /// Others that play together with it; a device that is no group tells of itself.
    private var members: [JSONValue] {
        let told = (row.state?["multizone"]?["members"]?.array ?? []).compactMap { $0["deviceId"]?.string }
        // By the ids that devices have here: a group may spell those of its members otherwise.
        let members = told.isEmpty ? play?.memberIDs.map(\.text) ?? [] : told.map { DeviceID($0).text }
        return members == [listing.deviceID] ? [] : members.map { .string($0) }
    }

    private var content: Pairs {
        let appID = row.appID ?? play?.appID
        let app = row.appName ?? play?.appName ?? appID.flatMap { apps[$0]?.name }
        let content = play?.content
        return [
            ("app_id", Self.text(appID?.text)), ("app", Self.text(app)),
            ("title", Self.text(content?.title ?? content?.contentID ?? content?.entity)),
            ("subtitle", Self.text(content?.artist ?? content?.seriesTitle)), ("image", image),
        ]
    }

    /// The first picture of the media, where pictures are wanted.
    private var image: JSONValue {
        guard showsImages else { return .null }
        let url = mediaSession?["media"]?["metadata"]?["images"]?.array?.first?["url"]?.string
        return Self.text(url.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil })
    }

    /// The media session that is on, in the differ's own form.
    private var mediaSession: JSONValue? {
        let sessions = (row.state?["transports"]?.array ?? []).flatMap { $0["sessions"]?.array ?? [] }
        return sessions.last { $0["ended"] == nil && $0["superseded"] == nil }
    }

    private var course: Pairs {
        let player = isObserved ? mediaSession?["playerState"]?.string : nil
        return [
            ("player_state", Self.text(player)),
            ("position_seconds", play == nil ? .null : row.positionSeconds.map(JSONValue.number) ?? .null),
            ("position_at", play == nil ? .null : row.positionAt.map { .string($0.text) } ?? .null),
            ("playback_rate", play == nil ? .null : mediaSession?["rate"] ?? .null),
            ("duration_seconds", play?.content.durationSeconds.map(JSONValue.number) ?? .null),
            ("volume", row.state?["level"] ?? .null), ("muted", row.state?["muted"] ?? .null),
            ("captions", captions),
        ]
    }

    /// The text track that is on: id, language and name; null for none.
    private var captions: JSONValue {
        guard play != nil, let active = mediaSession?["activeTracks"]?.array else { return .null }
        let tracks = mediaSession?["media"]?["tracks"]?.array ?? []
        let text = tracks.first { track in
            track["type"]?.string == "TEXT" && active.contains { $0 == track["trackId"] }
        }
        guard let text else { return .null }
        return [
            "trackId": text["trackId"] ?? .null, "language": text["language"] ?? .null, "name": text["name"] ?? .null,
        ]
    }

    private var rest: Pairs {
        [
            ("senders", .integer(row.senders)), ("sender_connected", senderConnected),
            ("activity", .string(activity)), ("play_id", Self.text(play?.id.playName)),
            ("coverage", coverage.map(JSONValue.number) ?? .null), ("conflicts", .integer(row.conflicts)),
            ("storm", .bool(row.state?["storm"]?["frames"] != nil)), ("gap", Self.text(listing.gapReason)),
        ]
    }

    /// Whether the app that runs has a sender that it knows of; null when it does not say, and while nobody looks.
    private var senderConnected: JSONValue {
        guard isObserved, let apps = row.state?["apps"]?.array else { return .null }
        let app = apps.last { $0["appId"]?.string == row.appID?.text } ?? (apps.count == 1 ? apps.first : nil)
        return app?["senderConnected"] ?? .null
    }

    private var isObserved: Bool { listing.gapReason == nil && listing.state == "linked" }

    /// In the words of lanes (docs/reports.md).
    private var activity: String {
        guard isObserved else { return "unobserved" }
        switch play?.phase {
        case .playing?: return "playing"
        case .paused?: return "paused"
        case .buffering?: return "buffering"
        case .loading?: return "loading"
        case .advertisement?: return "advertisement"
        case .unobserved?: return "unobserved"
        case .unknown?: return "unknown"
        case .idle?, nil: break
        }
        if row.state?["standBy"] == true { return "standby" }
        if row.state?["activeInput"] == false { return "other_input" }
        return row.appID == nil ? "idle" : "app_only"
    }

    private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
