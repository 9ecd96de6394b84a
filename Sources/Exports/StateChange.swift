import CastModel
import Differ

/// What a change event says of a lane of a trace.
struct StateChange {
    var lane: TraceLane
    /// What is so from now on; nil when nothing is.
    var after: StateLane.Value?
    /// What was so, by the word of the event.
    var before: StateLane.Value?

    /// The lanes that an event changes.
    static func changes(of event: ChangeEvent, _ apps: AppRegistry) -> [StateChange] {
        switch event.kind {
        case .appStarted, .appStopped, .appReplaced:
            let change = StateChange(lane: .app, after: app(event.after, apps), before: app(event.before, apps))
            // What an app played ends with it.
            return event.kind == .appStarted ? [change] : [change] + mediaEnds
        case .idleScreenShown: return [StateChange(lane: .app, after: nil, before: nil)] + mediaEnds
        case .mediaSessionStarted:
            return [StateChange(lane: .playerState, after: playerState(event.after), before: nil)]
                + (tracks(event.after).map { [StateChange(lane: .tracks, after: $0, before: nil)] } ?? [])
                + (style(event.after?["media"]).map { [StateChange(lane: .style, after: $0, before: nil)] } ?? [])
        case .mediaSessionEnded:
            return mediaEnds.map { change in
                var change = change
                if change.lane == .playerState { change.before = playerState(event.before) }
                return change
            }
        case .playerStateChanged:
            return [
                StateChange(lane: .playerState, after: playerState(event.after), before: playerState(event.before))
            ]
        case .activeTracksChanged:
            return [StateChange(lane: .tracks, after: tracks(event.after), before: tracks(event.before))]
        case .textTrackStyleChanged:
            return [StateChange(lane: .style, after: style(event.after), before: style(event.before))]
        default: return []
        }
    }

    private static let mediaEnds = [TraceLane.playerState, .tracks, .style].map {
        StateChange(lane: $0, after: nil, before: nil)
    }

    private static func app(_ value: JSONValue?, _ apps: AppRegistry) -> StateLane.Value? {
        guard let object = value?.object else { return nil }
        let app = ReceiverApp(object)
        return StateLane.Value(name: apps.name(of: app) ?? app.appID?.text ?? "unknown app", arguments: object)
    }

    private static func playerState(_ value: JSONValue?) -> StateLane.Value? {
        guard let word = value?["playerState"]?.string else { return nil }
        return StateLane.Value(name: word, arguments: JSONObject())
    }

    private static func tracks(_ value: JSONValue?) -> StateLane.Value? {
        guard let ids = value?["activeTrackIds"]?.array, !ids.isEmpty else { return nil }
        let known = value?["tracks"]?.array ?? []
        let names = ids.prefix(16).map { id in
            let track = known.first { $0["trackId"] == id }
            let words = [track?["type"]?.string, track?["language"]?.string].compactMap { $0 }
            return words.isEmpty ? id.text : words.joined(separator: " ")
        }
        return StateLane.Value(name: names.joined(separator: ", "), arguments: value?.object ?? JSONObject())
    }

    private static func style(_ value: JSONValue?) -> StateLane.Value? {
        guard let style = value?["textTrackStyle"]?.object, !style.pairs.isEmpty else { return nil }
        let words = style.pairs.prefix(6).map { "\($0.key) \($0.value.string ?? $0.value.text)" }
        return StateLane.Value(name: words.joined(separator: ", "), arguments: style)
    }
}
