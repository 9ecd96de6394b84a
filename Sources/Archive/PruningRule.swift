public import Recording

/// How much of an archive is kept: any combination of age, size and free disk; empty keeps everything.
public struct PruningRule: Sendable, Equatable {
    /// `--keep`: segments whose newest record is older than this may go.
    public var age: Duration?
    /// `--keep-size`: bytes on disk that the archive may have, everything beside the segments included.
    public var bytes: Int64?
    /// `--keep-free`: percent of the file system that must stay free for others.
    public var freePercent: Int64?

    /// A rule, part by part.
    public init(age: Duration? = nil, bytes: Int64? = nil, freePercent: Int64? = nil) {
        self.age = age
        self.bytes = bytes
        self.freePercent = freePercent
    }

    /// Whether everything is kept.
    public var keepsEverything: Bool { self == PruningRule() }

    /// "--keep 90d --keep-free 10%".
    public var text: String {
        [ageText, sizeText, freeText].compactMap { $0 }.joined(separator: " ")
    }

    var ageText: String? {
        age.map { age in
            let seconds = age.components.seconds
            let units: [(letter: String, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60)]
            let unit = units.first { seconds > 0 && seconds % $0.seconds == 0 } ?? ("s", 1)
            return "--keep \(seconds / unit.seconds)\(unit.letter)"
        }
    }

    var sizeText: String? {
        bytes.map { bytes in
            let units: [(letter: String, shift: Int64)] = [("T", 40), ("G", 30), ("M", 20), ("K", 10)]
            let unit = units.first { bytes > 0 && bytes % (1 << $0.shift) == 0 } ?? ("", 0)
            return "--keep-size \(bytes >> unit.shift)\(unit.letter)"
        }
    }

    var freeText: String? { freePercent.map { "--keep-free \($0)%" } }
}

/// One segment, as far as the decision to prune it needs.
struct PrunableSegment: Sendable, Equatable {
    var name: SegmentName
    /// Its last record: the one before the next segment's first.
    var last: ArchivePosition
    /// Bytes on disk, with its index and torn tails.
    var bytes: Int64
}

/// What a rule makes of an archive at one moment.
public struct PruningPlan: Sendable, Equatable {
    /// How many segments go, oldest first.
    public var segments = 0
    /// The first record of them; nil when none goes.
    public var first: ArchivePosition?
    /// The last record of them; nil when none goes.
    public var last: ArchivePosition?
    /// Bytes that become free.
    public var bytes: Int64 = 0
    /// Which parts of the rule ask for it: "--keep 90d".
    public var rule = ""
    /// Segments that the rule would have gone, and that stay because the database has not applied them.
    public var held = 0

    /// Nothing goes.
    init() {}

    /// Decides: whole segments, oldest first, never the newest one, never one that the database has not applied.
    ///
    /// - Parameters:
    ///   - segments: All of them, by position.
    ///   - latest: When the newest record of a segment was observed; asked of as few segments as possible.
    ///   - applied: The last record that the database surely keeps.
    init(
        _ segments: [PrunableSegment], _ rule: PruningRule, now: WallTime, free: Int64, total: Int64,
        applied: ArchivePosition, latest: (SegmentName) throws(ArchiveError) -> WallTime
    ) throws(ArchiveError) {
        let mayGo = segments.dropLast()
        var kept = segments.reduce(0) { $0 + $1.bytes }
        var freed = free
        var (isTooOld, isTooMuch, isTooFull) = (false, false, false)
        var wanted = 0
        for segment in mayGo {
            let old = try Self.isTooOld(segment.name, rule, now, latest)
            let much = rule.bytes.map { kept > $0 } ?? false
            let full = rule.freePercent.map { freed < Self.share($0, of: total) } ?? false
            guard old || much || full else { break }
            (isTooOld, isTooMuch, isTooFull) = (isTooOld || old, isTooMuch || much, isTooFull || full)
            kept -= segment.bytes
            freed += segment.bytes
            wanted += 1
        }
        let gone = mayGo.prefix(wanted).prefix { $0.last <= applied }
        self.segments = gone.count
        held = wanted - gone.count
        first = gone.first?.name.firstPosition
        last = gone.last?.last
        bytes = gone.reduce(0) { $0 + $1.bytes }
        let asking = [(isTooOld, rule.ageText), (isTooMuch, rule.sizeText), (isTooFull, rule.freeText)]
        self.rule = asking.compactMap { $0.0 ? $0.1 : nil }.joined(separator: " ")
    }

    private static func isTooOld(
        _ segment: SegmentName, _ rule: PruningRule, _ now: WallTime,
        _ latest: (SegmentName) throws(ArchiveError) -> WallTime
    ) throws(ArchiveError) -> Bool {
        guard let age = rule.age else { return false }
        let (seconds, attoseconds) = age.components
        return try latest(segment).microseconds < now.microseconds &- seconds &* 1_000_000 &- attoseconds
            / 1_000_000_000_000
    }

    /// `percent` of a number of bytes, without overflow.
    private static func share(_ percent: Int64, of total: Int64) -> Int64 {
        total / 100 * percent + total % 100 * percent / 100
    }
}
