public import Recording
public import Sender

/// What a running recorder looks like at one moment, for the people who watch it.
public struct RecorderSnapshot: Sendable {
    /// All devices, by name.
    public var links: [LinkSummary] = []
    /// The last record that is safe on disk.
    public var durable = ArchivePosition(0)
    /// The last record that the database knows; nil while it was never reached.
    public var applied: ArchivePosition?
    /// Change events stored since the start.
    public var events = 0
    /// Why the database is not up to date; nil while it is.
    public var databaseTrouble: String?
    /// Why no devices are discovered; nil while discovery works or is not wanted.
    public var discoveryTrouble: String?
    /// Whether the disk refuses writes at the moment.
    public var isArchiveStalled = false
    /// Frames that could not be kept since the start.
    public var framesLost = 0
}
