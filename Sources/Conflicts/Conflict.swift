public import CastModel
public import Differ
public import Recording

/// Two senders, or a sender and the device, undoing each other on one device (DESIGN 5).
public struct Conflict: Sendable, Equatable {
    /// What they fought over.
    ///
    /// Raw values are stored and printed.
    public enum Kind: String, Sendable, CaseIterable {
        /// A sender ended what another sender's media was doing, by a LAUNCH or a LOAD of its own.
        case takeover
        case volumeFight = "volume_fight"
        case playPauseFight = "play_pause_fight"
        case seekFight = "seek_fight"
        case trackFight = "track_fight"
        case styleFight = "style_fight"
    }

    /// Its name for ever, within its recorder: the change event that its evidence begins with, and its kind.
    public struct ID: Sendable, Hashable, Comparable {
        /// The first of its evidence.
        public var first: ChangeEvent.ID
        /// What was fought over.
        public var kind: Kind
        /// A conflict's name.
        public init(first: ChangeEvent.ID, kind: Kind) {
            self.first = first
            self.kind = kind
        }
        /// The order of the archive, then of the kinds' names.
        public static func < (one: ID, other: ID) -> Bool {
            (one.first, one.kind.rawValue) < (other.first, other.kind.rawValue)
        }
    }

    /// One of those who fought, and what it did.
    public struct Actor: Sendable, Equatable {
        /// Whether it is the device itself: its app, a remote control, a hand on it.
        public var isReceiver = false
        /// The number of the sender in its app session; nil for the device, and where the numbers are unclear.
        public var senderSeries: Int32?
        /// The requestId of its first move here; nil for the device.
        public var firstRequestID: Int64?
        /// The requestId of its last move here; nil for the device.
        public var lastRequestID: Int64?
        /// How many change events it caused here.
        public var moves: Int64 = 0
        /// How often it took back what another one had done.
        public var undoings: Int64 = 0
        /// What it left behind with its last move; nil when the events do not say.
        public var lastValue: JSONValue?

        /// An actor who has done nothing yet.
        public init() {}
    }

    /// Its name.
    public var id: ID
    /// Where.
    public var deviceID: DeviceID
    /// In which app session; nil when none was known.
    public var appSessionID: AppSessionID?
    /// When its evidence begins.
    public var from: WallTime
    /// When its evidence ends, as far as it was seen.
    public var to: WallTime
    /// How sure it is, from 0 through 1; docs/conflicts.md has the formula.
    public var score: Double
    /// How often one took back what another had done; 1 for a takeover.
    public var undoings: Int64
    /// Of those, how many were by somebody who was certainly another one.
    public var certainUndoings: Int64
    /// The change events that show it: the first ones, ``evidenceLimit`` at most.
    public var evidence: [ChangeEvent.ID]
    /// How many change events show it in all.
    public var evidenceCount: Int64
    /// Who fought, in the order of their first moves: ``actorLimit`` at most.
    public var actors: [Actor]
    /// Turns of those who found no room in ``actors``.
    public var otherTurns: Int64 = 0
    /// What was so before the first move; nil when unknown.
    public var before: JSONValue?
    /// What was so after the last one; nil when unknown.
    public var after: JSONValue?
    /// What happened, in words, without time and device.
    ///
    /// It may quote what a device said: neutralize it before showing it on a terminal or a page.
    public var sentence: String

    /// Change events named as evidence, at most; the others are counted.
    public static let evidenceLimit = 64
    /// Actors told apart, at most; turns of others are counted.
    public static let actorLimit = 8

    /// A conflict, part by part.
    public init(
        id: ID, deviceID: DeviceID, appSessionID: AppSessionID?, from: WallTime, to: WallTime, score: Double,
        undoings: Int64, certainUndoings: Int64, evidence: [ChangeEvent.ID], evidenceCount: Int64, actors: [Actor],
        before: JSONValue?, after: JSONValue?, sentence: String
    ) {
        self.id = id
        self.deviceID = deviceID
        self.appSessionID = appSessionID
        self.from = from
        self.to = to
        self.score = score
        self.undoings = undoings
        self.certainUndoings = certainUndoings
        self.evidence = evidence
        self.evidenceCount = evidenceCount
        self.actors = actors
        self.before = before
        self.after = after
        self.sentence = sentence
    }
}
