import CastModel
import Conflicts
import Differ
import IO
import Plays
import Recording
import Report
import Store
import WebCore

/// What devices do now, and what they did when.
extension LedgerAnswers {
    private static let dayMicroseconds: Int64 = 86_400_000_000

    private var present: WallTime { WallTime(microseconds: Clock.wallMicroseconds()) }

    // MARK: Now

    func now() throws -> HTTPAnswer {
        var filter = LedgerFilter()
        filter.devices = question.texts("device")
        let rows = try queries.now(filter)
        filter.plays.isLasting = true
        var lasting: [DeviceID: PlayRow] = [:]
        for row in try queries.plays(filter) where row.play.phase != .idle || lasting[row.play.deviceID] == nil {
            lasting[row.play.deviceID] = row
        }
        let shares = try surroundings.observed.shares(queries, now: present)
        let present = self.present
        let items = rows.map { row -> JSONValue in
            .object(
                NowFields(
                    row: row, listing: listing(row.device), play: lasting[row.device.deviceID]?.play,
                    coverage: shares[row.device.deviceID], showsImages: surroundings.showsImages,
                    apps: surroundings.apps
                ).object(at: present))
        }
        return .list(items)
    }

    // MARK: One device

    func devices() throws -> HTTPAnswer {
        let counts = try surroundings.observed.counts(queries, now: present)
        return .list(try queries.now().map { .object(device($0, counts)) })
    }

    func device(_ name: String) throws -> HTTPAnswer {
        let id = try queries.device(name).deviceID
        guard let row = try queries.now(LedgerFilter(device: id.text)).first else {
            throw HTTPProblem(404, "There is no '\(Question.shown(name))'.")
        }
        return .json(.object(device(row, try surroundings.observed.counts(queries, now: present))))
    }

    private func device(_ row: NowRow, _ counts: DeviceCounts) -> JSONObject {
        var object = listing(row.device).object
        let announced = row.state?["announcement"]
        let told = row.state?["identity"]?["told"]
        let counted = counts.events[row.device.deviceID.text] ?? [:]
        for (key, value) in [
            ("recorder_id", JSONValue.string(row.device.recorderID)), ("site", row.site.map(JSONValue.string) ?? .null),
            ("first_seen_at", .string(row.device.firstSeenAt.text)),
            ("addresses", announced?["addresses"] ?? .array([])), ("port", announced?["port"] ?? .null),
            ("attach_mode", row.attachMode.map(JSONValue.string) ?? .null),
            ("round_trip_seconds", surroundings.links.roundTrips()[row.device.deviceID.text] ?? .null),
            ("is_group", announced?["group"] ?? false), ("members", row.state?["multizone"]?["members"] ?? .array([])),
            ("identity", told ?? .null),
            ("reconnects", .integer(counted["link_opened"] ?? 0)), ("storms", .integer(counted["storm_started"] ?? 0)),
            ("facts_from", .string(counts.from.text)),
        ] { object[key] = value }
        return object
    }

    // MARK: Timeline

    /// The longest stretch, in days, and the most spans of an answer.
    private static let timelineLimitDays: Int64 = 400
    private static let timelineLimitSpans = 200_000

    func timeline() throws -> HTTPAnswer {
        let zone = try question.zone()
        let (from, to) = try question.stretch(zone)
        let end = to ?? present
        let start = from ?? WallTime(microseconds: end.microseconds - Self.dayMicroseconds)
        guard start < end else { throw HTTPProblem(400, "'from' is not before the present: name 'to'.") }
        guard end.microseconds - start.microseconds <= Self.timelineLimitDays * Self.dayMicroseconds else {
            throw HTTPProblem(400, "A timeline has \(Self.timelineLimitDays) days at most.")
        }
        let resolution = try question.number("resolution", in: 0...86_400) ?? 0
        var filter = LedgerFilter(from: start, to: end)
        filter.devices = question.texts("device")
        let devices = try queries.named(filter)
        var lanes = Dictionary(
            devices.map { ($0.deviceID, LaneMerging(from: start, resolutionSeconds: resolution)) }
        ) { first, _ in first }
        let only = filter.devices.isEmpty || devices.count != 1 ? nil : devices.first?.deviceID
        var count = 0
        try queries.timeline(of: only, from: start, to: end) { row in
            count += lanes[row.deviceID]?.add(row) ?? 0
            return count <= Self.timelineLimitSpans
        }
        guard count <= Self.timelineLimitSpans else {
            throw HTTPProblem(400, "That is more than \(Self.timelineLimitSpans) spans: ask with 'resolution'.")
        }
        let conflicts = try queries.conflicts(filter).map { row -> JSONValue in
            [
                "id": .string(row.conflict.id.name), "device_id": .string(row.conflict.deviceID.text),
                "kind": .string(row.conflict.id.kind.rawValue), "from": .string(row.conflict.from.text),
                "to": .string(row.conflict.to.text), "sentence": .string(row.conflict.sentence),
            ]
        }
        let groups = try surroundings.observed.groups(queries, now: present)
        return .json([
            "from": .string(start.text), "to": .string(end.text),
            "lanes": .array(devices.map { lane($0, of: groups[$0.deviceID], lanes[$0.deviceID]) }),
            "conflicts": .array(conflicts),
        ])
    }

    private func lane(_ device: DeviceRow, of group: DeviceID?, _ merging: LaneMerging?) -> JSONValue {
        let lane = merging?.finished()
        return [
            "device_id": .string(device.deviceID.text), "device": device.name.map(JSONValue.string) ?? .null,
            "group": group.map { .string($0.text) } ?? .null,
            "spans": .array(lane?.spans ?? []), "totals": .object(lane?.totals ?? JSONObject()),
            "coverage": lane?.coverage.map(JSONValue.number) ?? .null,
        ]
    }

    // MARK: Coverage

    func coverage() throws -> HTTPAnswer {
        let zone = try question.zone()
        let (from, to) = try question.stretch(zone)
        let wanted = question.texts("device")
        guard wanted.count <= 1 else { throw HTTPProblem(400, "'device' is there more than once.") }
        let end = to ?? present
        if let from, end.microseconds - from.microseconds > Self.timelineLimitDays * Self.dayMicroseconds {
            throw HTTPProblem(400, "The coverage of \(Self.timelineLimitDays) days at most is told at once.")
        }
        let rows = try queries.coverage(
            CoverageQuestion(device: wanted.first, from: from, to: end, zone: zone.name))
        let days = rows.map { row in
            CoverageFields(
                scope: .day, deviceID: row.deviceID.text, deviceName: row.deviceName, day: row.day,
                figures: CoverageFigures(
                    knownSeconds: row.knownSeconds, observedSeconds: row.observedSeconds,
                    mediaObservedSeconds: row.mediaObservedSeconds,
                    missedSeconds: Dictionary(row.gaps.map { ($0.reason, $0.seconds) }, uniquingKeysWith: +)))
        }
        return .list(CoverageFields.withSums(days).map { .object($0.object) })
    }
}

/// How many change events of some kinds each device had in the last 24 hours.
struct DeviceCounts: Sendable {
    static let kinds = ["link_opened", "storm_started"]
    /// Since when it is counted.
    var from: WallTime
    /// By device and kind.
    var events: [String: [String: Int64]]
}

/// What is worked out over the last day of each device: found anew every minute, since it costs more than the rest.
final class ObservedShares: Sendable {
    private static let freshMicroseconds: Int64 = 60_000_000
    private let found = Guarded<(at: WallTime, shares: [DeviceID: Double])?>(nil)
    private let counted = Guarded<DeviceCounts?>(nil)
    private static let groupsFreshMicroseconds: Int64 = 5_000_000
    private let grouped = Guarded<(at: WallTime, groups: [DeviceID: DeviceID])?>(nil)

    init() {}

    /// The group below which each member is shown: asked with every portion of lanes, and changing seldom.
    func groups(_ queries: LedgerQueries, now: WallTime) throws -> [DeviceID: DeviceID] {
        let known = grouped.withLock { $0 }
        if let known, abs(now.microseconds - known.at.microseconds) < Self.groupsFreshMicroseconds {
            return known.groups
        }
        let groups = try queries.groupsOfMembers()
        grouped.withLock { $0 = (now, groups) }
        return groups
    }

    /// How often links came up, and the like.
    func counts(_ queries: LedgerQueries, now: WallTime) throws -> DeviceCounts {
        let from = WallTime(microseconds: now.microseconds - 86_400_000_000)
        let known = counted.withLock { $0 }
        if let known, abs(from.microseconds - known.from.microseconds) < Self.freshMicroseconds { return known }
        let made = DeviceCounts(from: from, events: try queries.counts(of: DeviceCounts.kinds, since: from))
        counted.withLock { $0 = made }
        return made
    }

    /// The shares, 0 through 1.
    func shares(_ queries: LedgerQueries, now: WallTime) throws -> [DeviceID: Double] {
        let known = found.withLock { $0 }
        if let known, abs(now.microseconds - known.at.microseconds) < Self.freshMicroseconds { return known.shares }
        let rows = try queries.coverage(
            CoverageQuestion(from: WallTime(microseconds: now.microseconds - 86_400_000_000), to: now))
        var sums: [DeviceID: (known: Double, observed: Double)] = [:]
        for row in rows {
            sums[row.deviceID, default: (0, 0)].known += row.knownSeconds
            sums[row.deviceID, default: (0, 0)].observed += row.mediaObservedSeconds
        }
        let shares = sums.compactMapValues { $0.known > 0 ? min(1, $0.observed / $0.known) : nil }
        found.withLock { $0 = (now, shares) }
        return shares
    }
}
