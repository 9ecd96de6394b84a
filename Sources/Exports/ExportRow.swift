public import CastModel
public import Differ
public import Recording
public import Report

/// One thing that a file tells.
public enum ExportRow: Sendable {
    /// What follows is of this device, up to the next row of this kind.
    case device(ExportDevice)
    /// Something was played.
    case play(PlayFields)
    /// Something changed.
    case event(EventFields)
    /// Something was missed.
    case gap(UnobservedFields)
    /// Whether the device was observed.
    case observation(ObservationSpan)
    /// Two undid each other's doings, as people see it.
    case conflict(ConflictMark)
    /// The same, for programs.
    case conflictFields(ConflictFields)
    /// What follows is of this day, up to the next row of this kind.
    case day(from: WallTime, to: WallTime)
    /// What a device did.
    case lane(LaneSpan)
}

/// A stretch of a device's time, and whether it was observed.
///
/// Those of one device never overlap. Time that is in none of them is not known.
public struct ObservationSpan: Sendable, Equatable {
    /// What was missed in it.
    public enum Missed: String, Sendable, CaseIterable {
        /// Nothing: it was observed.
        case nothing
        /// The media of an app that we had not joined.
        case media
        /// The device.
        case device
    }

    /// Its first moment.
    public var from: WallTime
    /// The first moment after it.
    public var to: WallTime
    /// What was missed.
    public var missed: Missed
    /// Why; nil where nothing was.
    public var reason: String?

    /// A stretch, part by part.
    public init(from: WallTime, to: WallTime, missed: Missed, reason: String? = nil) {
        self.from = from
        self.to = to
        self.missed = missed
        self.reason = reason
    }
}

/// A conflict as files show it.
public struct ConflictMark: Sendable, Equatable {
    /// One thing that somebody did in it.
    public struct Evidence: Sendable, Equatable {
        /// The change event.
        public var eventID: ChangeEvent.ID
        /// When it was observed.
        public var at: WallTime

        /// A change event and its moment.
        public init(eventID: ChangeEvent.ID, at: WallTime) {
            self.eventID = eventID
            self.at = at
        }
    }

    /// Where.
    public var deviceID: DeviceID
    /// Its friendly name; nil when it never said one.
    public var deviceName: String?
    /// `volume_fight` and the like.
    public var kind: String
    /// Its first moment.
    public var from: WallTime
    /// Its last moment.
    public var to: WallTime
    /// How sure it is, 0 through 1.
    public var score: Double
    /// What it is, in one sentence.
    public var sentence: String
    /// What it was found from, in the order of the archive.
    public var evidence: [Evidence]

    /// A conflict, part by part.
    public init(
        deviceID: DeviceID, deviceName: String?, kind: String, from: WallTime, to: WallTime, score: Double,
        sentence: String, evidence: [Evidence]
    ) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.kind = kind
        self.from = from
        self.to = to
        self.score = score
        self.sentence = sentence
        self.evidence = evidence
    }
}
