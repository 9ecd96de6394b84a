public import CastModel
public import Recording

/// One typed difference between two states of a device: a row of `change_event`.
public struct ChangeEvent: Sendable, Equatable {
    /// Its name for ever: the record it came from, and its place among the events of that record.
    public struct ID: Sendable, Hashable, Comparable {
        /// The record.
        public var position: ArchivePosition
        /// 0, 1, 2, … within the record.
        public var ordinal: Int32
        /// A change event's name.
        public init(position: ArchivePosition, ordinal: Int32) {
            self.position = position
            self.ordinal = ordinal
        }
        /// The order of the archive.
        public static func < (one: ID, other: ID) -> Bool {
            (one.position, one.ordinal) < (other.position, other.ordinal)
        }
    }

    /// Who caused it, as far as the wire tells (DESIGN 4).
    public enum Attribution: String, Sendable, CaseIterable {
        /// A broadcast with a non-zero requestId: some sender asked for it.
        case senderRequest = "sender_request"
        /// requestId 0: the receiver itself.
        case receiver
        /// An answer to our own question, or the first status after joining: a state, not a change.
        case snapshot
        /// Nothing in the message decides.
        case unknown
    }

    /// A listener that every connected sender's SDK calls on this frame (PROTOCOL 5.3).
    public enum Callback: String, Sendable, CaseIterable {
        case receiverStatus = "receiver_status"
        case mediaStatus = "media_status"
        case mediaMetadata = "media_metadata"
        case queue
    }

    /// Its name.
    public var id: ID
    /// When the frame came.
    public var observedAt: WallTime
    /// Whose state changed.
    public var deviceID: DeviceID
    /// In which app session, where there is one.
    public var appSessionID: AppSessionID?
    /// In which media session, where there is one.
    public var mediaSessionID: Int64?
    /// What changed.
    public var kind: Kind
    /// Who caused it.
    public var attribution: Attribution
    /// The frame's requestId, 0 included; nil when it carries none.
    public var requestID: Int64?
    /// Which sender asked, as far as requestIds tell: 1, 2, … within the app session, in the order of their appearance.
    ///
    /// Inferred, never told by the wire (PROTOCOL 5.1). Nil when no sender asked, and when it is unclear which one.
    public var senderSeries: Int32?
    /// Which callbacks fired in every sender.
    public var callbacks: [Callback]
    /// False when the frame re-asserts what was already so.
    public var effective: Bool
    /// The part of the state that changed, before.
    ///
    /// Nil when there was none.
    public var before: JSONValue?
    /// The same part, after.
    ///
    /// Nil when there is none.
    public var after: JSONValue?
    /// Position in the media when the event was observed, in seconds.
    ///
    /// Nil when unknown.
    public var positionSeconds: Double?

    /// A change event, part by part.
    public init(
        id: ID, observedAt: WallTime, deviceID: DeviceID, appSessionID: AppSessionID?, mediaSessionID: Int64?,
        kind: Kind, attribution: Attribution, requestID: Int64?, senderSeries: Int32? = nil,
        callbacks: [Callback], effective: Bool,
        before: JSONValue?, after: JSONValue?, positionSeconds: Double?
    ) {
        self.id = id
        self.observedAt = observedAt
        self.deviceID = deviceID
        self.appSessionID = appSessionID
        self.mediaSessionID = mediaSessionID
        self.kind = kind
        self.attribution = attribution
        self.requestID = requestID
        self.senderSeries = senderSeries
        self.callbacks = callbacks
        self.effective = effective
        self.before = before
        self.after = after
        self.positionSeconds = positionSeconds
    }
}
