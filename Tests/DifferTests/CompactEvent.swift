import CastModel
import Differ

extension ChangeEvent {
    /// Kind, attribution, "no effect" where so, and the value that matters most.
    var compact: String {
        var words = [kind.rawValue, attribution.rawValue]
        if !effective { words.append("no effect") }
        if let value = compactValue { words.append(value) }
        return words.joined(separator: " ")
    }

    /// * volumes to three digits; an app by its universal id; media by its title, else what identifies it;
    /// * a media session's first state and a new player state with the position;
    /// * errors as type, reason, code and the code's name, `-` where not said.
    private var compactValue: String? {
        let fields = after?.object ?? JSONObject()
        func text(_ key: String) -> String? { fields[key].map { $0.lossyText ?? $0.text } }
        switch kind {
        case .appStarted, .idleScreenShown: return ReceiverApp(fields).canonicalAppID?.text
        case .deviceVolumeChanged: return Self.level(after)
        case .deviceMuteChanged: return text("muted")
        case .standbyChanged: return text("isStandBy")
        case .activeInputChanged: return text("isActiveInput")
        case .mediaSessionStarted:
            return "\(text("playerState") ?? "-") \(Self.title(fields["media"] ?? fields["extendedStatus"]?["media"]))"
                + place
        case .mediaLoading: return Self.title(fields["media"])
        case .metadataChanged: return Self.title(after)
        case .mediaSessionEnded: return text("idleReason")
        case .playerStateChanged: return (text("playerState") ?? "-") + place
        case .supportedCommandsChanged: return text("supportedMediaCommands")
        case .mediaError:
            return ["type", "reason", "detailedErrorCode", "errorName"].map { text($0) ?? "-" }.joined(separator: " ")
        case .launchError: return text("reason")
        case .launchStatus: return text("status")
        case .breakStarted: return text("source")
        case .groupMemberAdded, .groupMemberUpdated: return "\(text("name") ?? "-") \(Self.level(fields["volume"]))"
        case .playbackSessionChanged: return fields.pairs.map(\.key).sorted().joined(separator: " ")
        case .customMessage: return text("type")
        default: return nil
        }
    }

    private var place: String { positionSeconds.map { " at " + (JSONValue.number($0).lossyText ?? "") } ?? "" }

    private static func level(_ volume: JSONValue?) -> String {
        let level = volume?["level"]?.lossyNumber ?? .nan
        return JSONValue.number((level * 1000).rounded() / 1000).lossyText ?? "-"
    }

    /// The title, else the last part of what identifies the content.
    private static func title(_ media: JSONValue?) -> String {
        guard let media = media?.object.map({ MediaInformation($0) }) else { return "-" }
        if let title = media.metadata.ifPresent?.displayTitle { return title }
        let identity = media.identity
        let text = identity.contentID ?? identity.contentURL ?? identity.entity ?? "-"
        return text.split(separator: "/").last.map { String($0) } ?? text
    }
}
