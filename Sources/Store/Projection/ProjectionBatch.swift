public import CastModel
public import Conflicts
public import Differ
public import Plays
public import Recording

/// What a stretch of the archive comes to: applied as a whole or not at all.
public struct ProjectionBatch: Sendable {
    /// The last record before the stretch: the checkpoint that the database must be at.
    public var startingAt: ArchivePosition
    /// The last record of the stretch.
    public var through: ArchivePosition
    /// When that record was observed.
    public var throughTime: WallTime
    /// The change events of the stretch, in the order of the archive.
    public var events: [ChangeEvent]
    /// What the differ knows, after the stretch, of each device that the stretch touched.
    public var deviceStates: [(DeviceID, JSONValue)]
    /// When something of a device was last received, for devices that were heard in the stretch: the part of what the
    /// differ knows that every heartbeat changes.
    ///
    /// May be empty; for people, change events count in any case.
    public var heard: [DeviceID: WallTime]
    /// The plays that the stretch began, changed or ended, in the order of the archive; of several rows of a play the last
    /// one counts.
    public var plays: [Play] = []
    /// What is known, after the stretch, of the plays of each device whose plays the stretch touched.
    public var playStates: [(DeviceID, JSONValue)] = []
    /// The conflicts that the stretch began or changed, in the order of the archive; of several rows of a conflict the last
    /// one counts.
    public var conflicts: [Conflict] = []
    /// What may become a conflict, after the stretch, on each device that the stretch touched so.
    public var conflictStates: [(DeviceID, JSONValue)] = []
    /// What the stretch said that was not understood, to be added to what is stored.
    public var notUnderstood: [NotUnderstood]
    /// How titles are left out after the stretch; nil when they are kept.
    public var titleSalt: UInt64?
    /// The archive files that the stretch lies in, as far as it goes.
    public var segments: [AppliedSegment]

    /// A batch, part by part.
    public init(
        startingAt: ArchivePosition, through: ArchivePosition, throughTime: WallTime, events: [ChangeEvent] = [],
        deviceStates: [(DeviceID, JSONValue)] = [], heard: [DeviceID: WallTime] = [:],
        notUnderstood: [NotUnderstood] = [], titleSalt: UInt64? = nil, segments: [AppliedSegment] = []
    ) {
        self.startingAt = startingAt
        self.through = through
        self.throughTime = throughTime
        self.events = events
        self.deviceStates = deviceStates
        self.heard = heard
        self.notUnderstood = notUnderstood
        self.titleSalt = titleSalt
        self.segments = segments
    }
}

/// One archive file, as far as it was applied.
public struct AppliedSegment: Sendable, Equatable {
    /// The file, relative to the archive of its recorder.
    public var path: String
    /// Its first record.
    public var firstPosition: ArchivePosition
    /// Its last record applied.
    public var lastPosition: ArchivePosition
    /// When its first applied record was observed; what is stored first stays.
    public var firstAt: WallTime
    /// When the last applied record was observed.
    public var lastAt: WallTime

    /// An archive file, part by part.
    public init(
        path: String, firstPosition: ArchivePosition, lastPosition: ArchivePosition, firstAt: WallTime,
        lastAt: WallTime
    ) {
        self.path = path
        self.firstPosition = firstPosition
        self.lastPosition = lastPosition
        self.firstAt = firstAt
        self.lastAt = lastAt
    }
}

/// What became of a batch.
public struct ProjectionOutcome: Sendable, Equatable {
    /// Change events stored.
    public var events = 0
    /// Of them, how many hold a text or number that was changed to fit PostgreSQL.
    public var sanitized = 0
    /// Rows that PostgreSQL refused even so: change events are kept without `before` and `after`, others not at all.
    public var refused = 0
    /// What the first refused rows were for, and PostgreSQL's code for the reason.
    public var refusals: [String] = []

    /// Nothing stored yet.
    public init() {}
}
