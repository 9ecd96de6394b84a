/// A word of a set that devices extend at will: kept as it came, compared without regard to case.
///
/// Receiver apps write `buffered` for `BUFFERED` and make up words of their own (PROTOCOL 8, rows 11 and 27), so an
/// unknown word is a value like any other. `Vocabulary` says which set the word belongs to.
public struct OpenWord<Vocabulary>: Sendable, Hashable, CustomStringConvertible {
    /// The word exactly as on the wire.
    public let raw: String
    /// The word in upper case, for comparison.
    public let word: String

    /// A word as a device spells it.
    public init(_ raw: String) {
        self.raw = raw
        word = raw.utf8.allSatisfy { $0 < 0x80 && !(0x61...0x7A).contains($0) } ? raw : raw.uppercased()
    }

    /// The word as on the wire.
    public var description: String { raw }

    /// Equality of the words, without regard to case.
    public static func == (one: OpenWord, other: OpenWord) -> Bool { one.word == other.word }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(word) }
}

/// The words of `playerState`.
public enum PlayerStateWords {}
/// The words of `idleReason`.
public enum IdleReasonWords {}
/// The words of `streamType`.
public enum StreamTypeWords {}
/// The words of `repeatMode`.
public enum RepeatModeWords {}
/// The words of a QUEUE_CHANGE's `changeType`.
public enum QueueChangeTypeWords {}
/// The words of a track's `type`.
public enum TrackTypeWords {}
/// The words of a track's `subtype`.
public enum TrackSubtypeWords {}
/// The words of a payload's `type`.
public enum PayloadTypeWords {}

/// What a media session does (PROTOCOL 4.3).
public typealias PlayerState = OpenWord<PlayerStateWords>
/// Why a media session is idle (PROTOCOL 5.5).
public typealias IdleReason = OpenWord<IdleReasonWords>
/// Whether media is stored or live (PROTOCOL 4.4).
public typealias StreamType = OpenWord<StreamTypeWords>
/// What follows the end of a queue (PROTOCOL 4.3).
public typealias RepeatMode = OpenWord<RepeatModeWords>
/// What happened to the items of a queue (PROTOCOL 4.2).
public typealias QueueChangeType = OpenWord<QueueChangeTypeWords>
/// Text, sound or picture (PROTOCOL 4.6).
public typealias TrackType = OpenWord<TrackTypeWords>
/// What a text track is for (PROTOCOL 4.6).
public typealias TrackSubtype = OpenWord<TrackSubtypeWords>
/// What a payload is: its `type` (PROTOCOL 3.1, 4.1, 4.2).
public typealias PayloadType = OpenWord<PayloadTypeWords>

extension OpenWord where Vocabulary == PlayerStateWords {
    /// Nothing plays.
    public static let idle = PlayerState("IDLE")
    /// Plays.
    public static let playing = PlayerState("PLAYING")
    /// Stands still on request.
    public static let paused = PlayerState("PAUSED")
    /// Stands still for want of data.
    public static let buffering = PlayerState("BUFFERING")
    /// Loads; seen in `extendedStatus` only.
    public static let loading = PlayerState("LOADING")
}

extension OpenWord where Vocabulary == IdleReasonWords {
    /// A sender stopped it.
    public static let cancelled = IdleReason("CANCELLED")
    /// Another LOAD or a queue step replaced it.
    public static let interrupted = IdleReason("INTERRUPTED")
    /// It came to its end.
    public static let finished = IdleReason("FINISHED")
    /// Playback failed.
    public static let error = IdleReason("ERROR")
}

extension OpenWord where Vocabulary == StreamTypeWords {
    /// Stored media.
    public static let buffered = StreamType("BUFFERED")
    /// A live broadcast.
    public static let live = StreamType("LIVE")
    /// Neither.
    public static let none = StreamType("NONE")
}

extension OpenWord where Vocabulary == RepeatModeWords {
    /// The queue ends after its last item.
    public static let off = RepeatMode("REPEAT_OFF")
    /// The queue starts again.
    public static let all = RepeatMode("REPEAT_ALL")
    /// The current item starts again.
    public static let single = RepeatMode("REPEAT_SINGLE")
    /// The queue starts again in another order.
    public static let allAndShuffle = RepeatMode("REPEAT_ALL_AND_SHUFFLE")
}

extension OpenWord where Vocabulary == QueueChangeTypeWords {
    /// Nothing: the answer to a request that changes nothing.
    public static let noChange = QueueChangeType("NO_CHANGE")
}

extension OpenWord where Vocabulary == TrackTypeWords {
    /// Subtitles, captions and the like.
    public static let text = TrackType("TEXT")
    /// Sound.
    public static let audio = TrackType("AUDIO")
    /// Picture.
    public static let video = TrackType("VIDEO")
}

extension OpenWord where Vocabulary == TrackSubtypeWords {
    /// A translation of what is said.
    public static let subtitles = TrackSubtype("SUBTITLES")
    /// What is heard, in writing.
    public static let captions = TrackSubtype("CAPTIONS")
}

extension OpenWord where Vocabulary == PayloadTypeWords {
    /// Opens a virtual connection.
    public static let connect = PayloadType("CONNECT")
    /// Closes a virtual connection.
    public static let close = PayloadType("CLOSE")
    /// Asks whether the other end lives.
    public static let ping = PayloadType("PING")
    /// Answers PING.
    public static let pong = PayloadType("PONG")
    /// Asks for a receiver status or a media status, by namespace.
    public static let getStatus = PayloadType("GET_STATUS")
    /// A receiver status.
    public static let receiverStatus = PayloadType("RECEIVER_STATUS")
    /// Progress of a LAUNCH.
    public static let launchStatus = PayloadType("LAUNCH_STATUS")
    /// A LAUNCH failed.
    public static let launchError = PayloadType("LAUNCH_ERROR")
    /// A media status.
    public static let mediaStatus = PayloadType("MEDIA_STATUS")
    /// A LOAD failed.
    public static let loadFailed = PayloadType("LOAD_FAILED")
    /// A LOAD was overtaken by another.
    public static let loadCancelled = PayloadType("LOAD_CANCELLED")
    /// A request does not fit what the player does.
    public static let invalidPlayerState = PayloadType("INVALID_PLAYER_STATE")
    /// A request makes no sense.
    public static let invalidRequest = PayloadType("INVALID_REQUEST")
    /// Playback failed.
    public static let error = PayloadType("ERROR")
    /// A queue changed.
    public static let queueChange = PayloadType("QUEUE_CHANGE")
    /// The ids of a queue's items.
    public static let queueItemIDs = PayloadType("QUEUE_ITEM_IDS")
    /// Items of a queue.
    public static let queueItems = PayloadType("QUEUE_ITEMS")
    /// The members of a group.
    public static let multizoneStatus = PayloadType("MULTIZONE_STATUS")
    /// A device joined a group.
    public static let deviceAdded = PayloadType("DEVICE_ADDED")
    /// A member of a group says something else of itself, its volume for one.
    public static let deviceUpdated = PayloadType("DEVICE_UPDATED")
    /// A device left a group.
    public static let deviceRemoved = PayloadType("DEVICE_REMOVED")
    /// What a device is (discovery namespace).
    public static let deviceInfo = PayloadType("DEVICE_INFO")
}
