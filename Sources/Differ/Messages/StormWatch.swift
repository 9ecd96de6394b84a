import CastModel
import Recording

/// Counts the frames of a device, and knows a storm of them: more than a device sends in its right mind.
///
/// A storm begins with the frame that is one of more than 100 within a second, and ends after five seconds with fewer
/// than 20 each, or with the link. Launching an app or stepping a volume makes bursts of ten to twenty frames
/// (PROTOCOL 3.2), a group's fade some fifty. Seconds are those of the monotonic clock. Heartbeats are not counted.
struct StormWatch: Equatable {
    /// What a storm amounts to.
    struct Extent: Equatable {
        /// The frames in it, from the first of the second that began it.
        var frames = 0
        /// When the first came.
        var from: Int64 = 0
        /// When the last came.
        var to: Int64 = 0

        /// How it is told.
        var json: JSONValue {
            ["frames": .integer(Int64(frames)), "seconds": .number(Double(max(0, to &- from)) / 1e9)]
        }
    }

    /// What a frame changes.
    enum Change: Equatable {
        case none
        case started(Extent)
        case ended(Extent)
    }

    /// More frames than this within a second begin a storm.
    static let startLimit = 100
    /// A second with fewer frames than this is calm.
    static let calmLimit = 20
    /// Calm seconds that end a storm.
    static let calmSeconds: Int64 = 5
    /// A status that repeats the one before it, byte for byte, within this time in a storm need not be read.
    static let repeatNanoseconds: Int64 = 250_000_000

    private static let second: Int64 = 1_000_000_000

    /// The boot that the moments below are of.
    private var boot = ""
    /// When the second that is counted began.
    private var windowStart: Int64 = 0
    /// Frames in that second.
    private var windowFrames = 0
    /// The storm that rages.
    private var storm: Extent?
    /// How many seconds in a row were calm.
    private var calmSeconds: Int64 = 0
    /// Fingerprint of the last status read in the storm, and when.
    private var lastRead: (hash: UInt64, at: Int64) = (0, 0)

    /// Whether a storm rages.
    var rages: Bool { storm != nil }

    /// Counts a frame.
    mutating func count(at monotonic: MonotonicTime, boot: String) -> Change {
        let now = monotonic.nanoseconds
        let change = lookAt(now, boot)
        if storm != nil {
            windowFrames &+= 1
            storm?.frames &+= 1
            storm?.to = now
            return change
        }
        if now &- windowStart >= Self.second || now < windowStart {
            windowStart = now
            windowFrames = 0
        }
        windowFrames &+= 1
        guard windowFrames > Self.startLimit else { return change }
        let extent = Extent(frames: windowFrames, from: windowStart, to: now)
        (storm, calmSeconds, windowStart, windowFrames) = (extent, 0, now, 0)
        return .started(extent)
    }

    /// Time went by without a frame that counts: the storm may be over.
    mutating func lookAt(_ now: Int64, _ boot: String) -> Change {
        if boot != self.boot {
            self.boot = boot
            (windowStart, windowFrames) = (now, 0)
            return end().map { .ended($0) } ?? .none
        }
        guard storm != nil, now &- windowStart >= Self.second else { return .none }
        let seconds = (now &- windowStart) / Self.second
        calmSeconds = (windowFrames < Self.calmLimit ? calmSeconds &+ 1 : 0) &+ (seconds &- 1)
        windowStart = windowStart &+ seconds &* Self.second
        windowFrames = 0
        guard calmSeconds >= Self.calmSeconds, let over = end() else { return .none }
        return .ended(over)
    }

    /// Whether a status need not be read, since it is the one just read over again.
    mutating func repeats(_ hash: UInt64, at monotonic: MonotonicTime) -> Bool {
        let now = monotonic.nanoseconds
        if hash == lastRead.hash, now &- lastRead.at < Self.repeatNanoseconds, now >= lastRead.at { return true }
        lastRead = (hash, now)
        return false
    }

    /// The storm is over; nil when there was none.
    mutating func end() -> Extent? {
        defer { (storm, calmSeconds, lastRead) = (nil, 0, (0, 0)) }
        return storm
    }

    static func == (one: StormWatch, other: StormWatch) -> Bool {
        one.boot == other.boot && one.windowStart == other.windowStart && one.windowFrames == other.windowFrames
            && one.storm == other.storm && one.calmSeconds == other.calmSeconds && one.lastRead == other.lastRead
    }
}

extension StormWatch {
    /// The state as JSON; nil when nothing was counted.
    var stateJSON: JSONValue? {
        guard !boot.isEmpty else { return nil }
        return JSONObject(known: [
            ("boot", .string(boot)), ("second", .integer(windowStart)), ("count", .integer(Int64(windowFrames))),
            ("frames", storm.map { .integer(Int64($0.frames)) }), ("from", storm.map { .integer($0.from) }),
            ("to", storm.map { .integer($0.to) }), ("calm", calmSeconds == 0 ? nil : .integer(calmSeconds)),
            ("read", storm.map { _ in .string(Fingerprint.text(lastRead.hash)) }),
            ("readAt", storm.map { _ in .integer(lastRead.at) }),
        ]).unlessEmpty
    }

    /// The state that ``stateJSON`` wrote.
    init(_ fields: StateFields) throws(DifferError) {
        self.init()
        boot = try fields.text("boot") ?? ""
        windowStart = try fields.required("second")
        windowFrames = Int(clamping: try fields.required("count"))
        calmSeconds = try fields.integer("calm") ?? 0
        guard let frames = try fields.integer("frames") else { return }
        storm = Extent(
            frames: Int(clamping: frames), from: try fields.required("from"), to: try fields.required("to"))
        lastRead = (try fields.hash("read") ?? 0, try fields.required("readAt"))
    }
}
