/// Which records the archive itself let go of, by whose rule, and how what stays is tied to them.
public struct SegmentsPruned: Sendable, Equatable {
    /// The first record that goes.
    public var first: ArchivePosition
    /// The last record that goes; all between go too.
    public var last: ArchivePosition
    /// How many segments.
    public var segments: Int
    /// How many files of cut-off bytes beside them.
    public var tornFiles: Int
    /// Bytes on disk.
    public var bytes: Int64
    /// The chain value of the last batch that goes: 64 hexadecimal digits.
    ///
    /// The first batch that stays follows it.
    public var chain: String
    /// The rule that asked for it, as on the command line: "--keep 90d".
    public var rule: String
    /// The line of the last `recorder_started` record up to there: whoever folds what stays must know what it leaves out.
    public var recorderStarted: String?
    /// The last moment at which something was observed, when that is not the moment of this record: no recorder ran.
    public var observedUntil: WallTime?

    /// What the archive let go of, part by part.
    public init(
        first: ArchivePosition, last: ArchivePosition, segments: Int, tornFiles: Int, bytes: Int64, chain: String,
        rule: String, recorderStarted: String? = nil, observedUntil: WallTime? = nil
    ) {
        self.first = first
        self.last = last
        self.segments = segments
        self.tornFiles = tornFiles
        self.bytes = bytes
        self.chain = chain
        self.rule = rule
        self.recorderStarted = recorderStarted
        self.observedUntil = observedUntil
    }
}
