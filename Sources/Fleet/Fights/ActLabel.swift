public import CastModel
public import Recording

/// What an act of the scenario `fights` is: a fight, or something innocent that looks like one.
///
/// The raw values are the names in truth files. Those of fights are the kinds of conflicts (DESIGN 5).
public enum ActKind: String, Sendable, CaseIterable {
    /// Somebody's media makes way for another sender's app or media; perhaps they are taken back.
    case takeover
    /// Two who want another volume.
    case volumeFight = "volume_fight"
    /// One pauses, the other plays.
    case playPauseFight = "play_pause_fight"
    /// Two who want to be elsewhere in the media.
    case seekFight = "seek_fight"
    /// Two who want other tracks.
    case trackFight = "track_fight"
    /// Two who want text tracks drawn otherwise.
    case styleFight = "style_fight"

    /// One person drags the volume slider up and down.
    case volumeDrag = "volume_drag"
    /// Two persons turn the volume the same way, one after the other.
    case volumeTogether = "volume_together"
    /// One person skips through a queue, forwards and back.
    case queueSkipping = "queue_skipping"
    /// The app stops its own media for an ad and loads it again (PROTOCOL 6.4).
    case adReload = "ad_reload"
    /// The remote control pauses and plays, perhaps what a phone paused.
    case remotePause = "remote_pause"
    /// One person pauses and plays several times.
    case pausingAlone = "pausing_alone"
    /// One person looks for a scene.
    case scrubbing
    /// One person tries out tracks and styles.
    case trackTrial = "track_trial"
    /// An equal style is sent again, by whoever (PROTOCOL 5.3).
    case styleAgain = "style_again"
    /// A routine launches an app over the idle screen.
    case routineOverIdle = "routine_over_idle"
    /// A routine launches an app over something that plays.
    case routineOverPlay = "routine_over_play"
    /// What plays moves to another device, or comes from one (PROTOCOL 5.9).
    case streamTransfer = "stream_transfer"
    /// A second phone joins and only listens.
    case listener
    /// The same person goes to another app, and perhaps back.
    case appSwitch = "app_switch"
    /// A phone comes back and counts its requests anew.
    case reconnect

    /// Whether two sides undo each other.
    public var isFight: Bool {
        switch self {
        case .takeover, .volumeFight, .playPauseFight, .seekFight, .trackFight, .styleFight: true
        case .volumeDrag, .volumeTogether, .queueSkipping, .adReload, .remotePause, .pausingAlone, .scrubbing,
            .trackTrial, .styleAgain, .routineOverIdle, .routineOverPlay, .streamTransfer, .listener, .appSwitch,
            .reconnect:
            false
        }
    }
}

/// One act as it really was: what a detector of conflicts should find, or should not.
public struct ActLabel: Sendable, Equatable {
    /// What it was.
    public var kind: ActKind
    /// How it was done, for whoever explains a miss: `by_app`, `by_media`, `phone_and_remote` and the like.
    public var variant: String
    /// How often somebody moved; of fights, how often sides changed and one more.
    public var moves: Int
    /// Where.
    public var device: DeviceID
    /// Just before the first move.
    public var from: WallTime
    /// When the device had carried out the last one.
    public var to: WallTime

    /// Whether two sides undo each other.
    public var isFight: Bool { kind.isFight }

    /// Its line in a truth file, but for the device.
    var facts: JSONValue {
        [
            "kind": .string(kind.rawValue), "is_fight": .bool(isFight), "variant": .string(variant),
            "moves": .count(moves), "from": .string(from.text), "to": .string(to.text),
        ]
    }
}

/// The beginning or the end of an act, as a script has it.
public enum ActMark: Sendable, Equatable {
    /// From here on.
    case begins(ActKind, variant: String, moves: Int)
    /// Up to here.
    case ends
}

/// The act that is under way at one device.
struct OpenAct {
    private var label: ActLabel?

    /// Takes a mark; a label when an act ends.
    mutating func take(_ mark: ActMark, device: DeviceID, at now: WallTime) -> ActLabel? {
        switch mark {
        case .begins(let kind, let variant, let moves):
            label = ActLabel(kind: kind, variant: variant, moves: moves, device: device, from: now, to: now)
            return nil
        case .ends:
            defer { label = nil }
            label?.to = now
            return label
        }
    }
}
