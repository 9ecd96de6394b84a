/// What has to be watched over time to tell how a recorder is doing, one look a second.
///
/// Pure: times are seconds on a clock that never jumps.
struct Vitals: Sendable {
    private var lag = ProjectionLag()
    private var losses = RecentCount(stretchSeconds: 3600)
    private var volume = VolumeForecast()
    private var noLinkSince: Double?
    private var stalledSince: Double?

    /// What one look sees.
    struct Look {
        var durable: Int64
        var applied: Int64?
        var framesLost: Int
        var isStalled: Bool
        var hasLink: Bool
        var freeBytes: Int64?
    }

    mutating func take(_ look: Look, at now: Double) {
        lag.take(durable: look.durable, applied: look.applied, at: now)
        losses.take(look.framesLost, at: now)
        if let freeBytes = look.freeBytes { volume.take(freeBytes: freeBytes, at: now) }
        noLinkSince = look.hasLink ? nil : noLinkSince ?? now
        stalledSince = look.isStalled ? stalledSince ?? now : nil
    }

    func lagSeconds(at now: Double) -> Double { lag.seconds(at: now) }
    var framesLostLately: Int { losses.lately }
    var daysUntilFull: Double? { volume.daysUntilFull }
    func noLinkSeconds(at now: Double) -> Double? { noLinkSince.map { now - $0 } }
    func stalledSeconds(at now: Double) -> Double? { stalledSince.map { now - $0 } }
}

/// How long the oldest record has waited that the database does not know, to the second.
struct ProjectionLag: Sendable {
    /// So many looks are kept; of more, every other one is forgotten, which makes old ones less exact.
    static let limit = 1024
    /// When the archive had reached a position, oldest first; only those beyond what is applied.
    private var looks: [(position: Int64, at: Double)] = []

    mutating func take(durable: Int64, applied: Int64?, at now: Double) {
        looks.removeAll { $0.position <= applied ?? 0 }
        guard durable > looks.last?.position ?? applied ?? 0 else { return }
        looks.append((durable, now))
        guard looks.count > Self.limit else { return }
        looks = looks.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }

    func seconds(at now: Double) -> Double { looks.first.map { max(0, now - $0.at) } ?? 0 }
}

/// How much a counter has grown within the last stretch of time, to a sixtieth of it.
struct RecentCount: Sendable {
    private let stepSeconds: Double
    /// The counter at the end of each step, oldest first; at most 60.
    private var steps: [(at: Double, count: Int)] = []
    private var now = 0
    private var base = 0

    init(stretchSeconds: Double) { stepSeconds = stretchSeconds / 60 }

    mutating func take(_ count: Int, at time: Double) {
        now = count
        if time - (steps.last?.at ?? -.infinity) >= stepSeconds { steps.append((time, count)) }
        while let first = steps.first, time - first.at > stepSeconds * 60 {
            base = first.count
            steps.removeFirst()
        }
    }

    var lately: Int { max(0, now - base) }
}

/// When a volume will be full, by how its room has shrunk within the last day.
struct VolumeForecast: Sendable {
    /// Less than this tells nothing, in seconds: what others write in an hour, such as a backup, is no rate.
    static let leastSeconds = 6 * 3600.0
    private static let stepSeconds = 900.0
    private static let steps = 96
    private var looks: [(at: Double, freeBytes: Int64)] = []

    mutating func take(freeBytes: Int64, at now: Double) {
        guard now - (looks.last?.at ?? -.infinity) >= Self.stepSeconds else { return }
        looks.append((now, freeBytes))
        if looks.count > Self.steps + 1 { looks.removeFirst() }
    }

    /// Nil when the room does not shrink, or when that cannot be told yet.
    var daysUntilFull: Double? {
        guard let first = looks.first, let last = looks.last, last.at - first.at >= Self.leastSeconds,
            first.freeBytes > last.freeBytes
        else { return nil }
        let bytesPerSecond = Double(first.freeBytes - last.freeBytes) / (last.at - first.at)
        return Double(last.freeBytes) / bytesPerSecond / 86_400
    }
}
