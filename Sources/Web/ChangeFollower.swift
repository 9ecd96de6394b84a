import CastModel
import Conflicts
import Differ
import Plays
import Recording
import Report
import Store
import WebCore

/// Follows the ledger: each turn tells what is new since the one before, in the order in which it happened.
///
/// Belongs to the thread of its connection. Change events are told exactly once, in the order of each recorder's archive;
/// after them the plays that began or ended and the conflicts that are new or went on.
struct ChangeFollower {
    /// One thing that is new.
    struct News: Sendable {
        /// As it goes over the wire.
        var frame: EventFrame
        /// Of which device; nil for none.
        var deviceID: DeviceID?
        /// Which change event; nil for other news.
        var place: (recorder: String, at: ResumePoint.Place)?
        /// What it is, for those who want to be told of certain things only.
        var subject: Subject
    }

    /// What a piece of news is of.
    enum Subject: Sendable {
        case event(EventRow)
        case playBegan(PlayRow)
        case playEnded(PlayRow)
        case conflict(ConflictRow)
    }

    /// Change events of one turn, at most.
    static let turnLimit = 1_000
    /// How far back the clock of a recorder may have been set between two looks.
    private static let slackMicroseconds: Int64 = 3_600_000_000
    /// Conflicts go on for so long, at most, and are told again meanwhile.
    private static let conflictMicroseconds: Int64 = 600_000_000

    private let apps: AppRegistry
    /// The last change event told, by recorder.
    var heads: [String: ResumePoint.Place] = [:]
    /// The time of the last record applied that was looked at, by recorder.
    var times: [String: WallTime] = [:]
    var openPlays: Set<String> = []
    var conflicts: [String: WallTime] = [:]
    var hasBegun = false

    init(apps: AppRegistry) { self.apps = apps }

    /// From where a reader would go on after all that was told.
    var resumePoint: ResumePoint { ResumePoint(heads) }

    /// Whether plays and conflicts are looked for, too: they cost a question each.
    var tellsOfPlays = true

    /// Begins at what is applied now, so that only what comes later is new.
    mutating func begin(_ queries: LedgerQueries) throws {
        for row in try queries.recorders() {
            heads[row.recorderID] = ResumePoint.Place(position: row.checkpoint.number, ordinal: .max)
            times[row.recorderID] = row.checkpointAt
        }
        try lookAtPlays(queries) { _ in }
        try lookAtConflicts(queries) { _ in }
        hasBegun = true
    }

    /// Begins at a moment, so that what came later is new, though it may be applied already.
    mutating func begin(_ queries: LedgerQueries, since moment: WallTime) throws {
        try begin(queries)
        for row in try queries.recorders() {
            guard let first = try queries.firstChange(of: row.recorderID, since: moment) else { continue }
            heads[row.recorderID] = ResumePoint.Place(position: first.number - 1, ordinal: .max)
            times[row.recorderID] = moment
        }
        for row in try queries.plays(LedgerFilter(from: moment)) {
            let key = "\(row.recorderID)/\(row.play.id.playName)"
            ended.remove(key)
            if row.play.startedAt < moment { openPlays.insert(key) } else { openPlays.remove(key) }
        }
        for row in try queries.conflicts(LedgerFilter(from: moment)) {
            conflicts["\(row.recorderID)/\(row.conflict.id.name)"] = nil
        }
    }

    /// Begins behind a point that somebody saw before.
    ///
    /// - Returns: False when the point is none of this ledger's; then it begins at what is applied now.
    mutating func begin(_ queries: LedgerQueries, after point: ResumePoint) throws -> Bool {
        try begin(queries)
        let known = try queries.recorders()
        if let only = point.places[""] {
            guard known.count == 1, let row = known.first, only.position <= row.checkpoint.number else { return false }
            heads[row.recorderID] = only
            times[row.recorderID] = nil
            return true
        }
        guard point.places.keys.allSatisfy({ recorder in known.contains { $0.recorderID == recorder } }) else {
            return false
        }
        for row in known {
            guard let place = point.places[row.recorderID] else { continue }
            guard place.position <= row.checkpoint.number else { return false }
            heads[row.recorderID] = place
            times[row.recorderID] = nil
        }
        return true
    }

    /// Leaves out what is applied by now.
    mutating func skip(_ queries: LedgerQueries) throws {
        for row in try queries.recorders() where (heads[row.recorderID]?.position ?? -1) < row.checkpoint.number {
            heads[row.recorderID] = ResumePoint.Place(position: row.checkpoint.number, ordinal: .max)
            times[row.recorderID] = row.checkpointAt
        }
    }

    /// What is new; empty when nothing is.
    ///
    /// - Returns: The news, and whether there is more already.
    mutating func turn(_ queries: LedgerQueries) throws -> (news: [News], hasMore: Bool) {
        if !hasBegun { try begin(queries) }
        var news: [News] = []
        var hasMore = false
        for row in try queries.recorders() {
            let head = heads[row.recorderID] ?? ResumePoint.Place(position: 0, ordinal: .max)
            // One that has applied nothing yet has a place as well, or whoever joins would wait for it.
            heads[row.recorderID] = head
            if row.checkpoint.number < head.position {
                // It was rebuilt: what it tells again is not new.
                heads[row.recorderID] = ResumePoint.Place(position: row.checkpoint.number, ordinal: .max)
                continue
            }
            guard row.checkpoint.number > head.position || head.ordinal != .max else { continue }
            hasMore = try tell(row, after: head, &news, queries) || hasMore
        }
        guard tellsOfPlays, !news.isEmpty || !hasMore else { return (news, hasMore) }
        guard !news.isEmpty else { return (news, hasMore) }
        try lookAtPlays(queries) { news.append($0) }
        try lookAtConflicts(queries) { news.append($0) }
        return (news, hasMore)
    }

    private mutating func tell(
        _ row: RecorderRow, after head: ResumePoint.Place, _ news: inout [News], _ queries: LedgerQueries
    ) throws -> Bool {
        let recorder = row.recorderID
        let since = times[recorder].map { time in
            WallTime(microseconds: min(time, row.checkpointAt ?? time).microseconds - Self.slackMicroseconds)
        }
        let found = try queries.changes(
            of: recorder, after: (head.position, head.ordinal), through: row.checkpoint, since: since,
            limit: Self.turnLimit)
        for event in found.rows {
            let id = event.event.id
            heads[recorder] = ResumePoint.Place(position: id.position.number, ordinal: id.ordinal)
            news.append(
                News(
                    frame: EventFrame(
                        .change, resumeAfter: ResumePoint(heads).text,
                        data: .object(LedgerAnswers.eventObject(event, apps))),
                    deviceID: event.event.deviceID,
                    place: (recorder, ResumePoint.Place(position: id.position.number, ordinal: id.ordinal)),
                    subject: .event(event)))
        }
        guard found.rows.count + found.unknown < Self.turnLimit else { return true }
        heads[recorder] = ResumePoint.Place(position: row.checkpoint.number, ordinal: .max)
        times[recorder] = row.checkpointAt
        return false
    }

    // MARK: Plays and conflicts

    /// What was applied last, and a little before: where plays and conflicts are looked for.
    private var recently: WallTime? { times.values.min() }

    private mutating func lookAtPlays(_ queries: LedgerQueries, _ tell: (News) -> Void) throws {
        guard tellsOfPlays, let recently else { return }
        var filter = LedgerFilter(from: WallTime(microseconds: recently.microseconds - 60_000_000))
        var open: Set<String> = []
        var seen: Set<String> = []
        for row in try queries.plays(filter) {
            let key = "\(row.recorderID)/\(row.play.id.playName)"
            seen.insert(key)
            let wasOpen = openPlays.contains(key)
            if row.play.endedAt == nil { open.insert(key) }
            guard hasBegun else { continue }
            let isNew = !wasOpen && !ended.contains(key)
            if isNew { tell(Self.news(.playBegan(row), row)) }
            if row.play.endedAt != nil, wasOpen || isNew { tell(Self.news(.playEnded(row), row)) }
        }
        for key in openPlays where !seen.contains(key) {
            // Its end was found out to be long ago.
            let parts = key.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, let id = ChangeEvent.ID(playName: String(parts[1])) else { continue }
            filter = LedgerFilter()
            filter.position = id.position
            filter.recorderID = String(parts[0])
            for now in try queries.plays(filter) where now.play.id == id && now.play.endedAt != nil {
                tell(Self.news(.playEnded(now), now))
            }
        }
        ended = seen.subtracting(open)
        openPlays = open
    }

    /// Plays that ended a moment ago, which the next look sees again.
    var ended: Set<String> = []

    private static func news(_ subject: Subject, _ row: PlayRow) -> News {
        let fields = PlayFields(play: row.play, recorderID: row.recorderID, deviceName: row.deviceName)
        return News(
            frame: EventFrame(.play, resumeAfter: nil, data: .object(fields.object)), deviceID: row.play.deviceID,
            subject: subject)
    }

    private mutating func lookAtConflicts(_ queries: LedgerQueries, _ tell: (News) -> Void) throws {
        guard tellsOfPlays, let recently else { return }
        let filter = LedgerFilter(
            from: WallTime(microseconds: recently.microseconds - Self.conflictMicroseconds))
        var seen: [String: WallTime] = [:]
        for row in try queries.conflicts(filter) {
            let key = "\(row.recorderID)/\(row.conflict.id.name)"
            seen[key] = row.conflict.to
            guard hasBegun, conflicts[key] != row.conflict.to else { continue }
            let fields = ConflictFields(
                conflict: row.conflict, recorderID: row.recorderID, deviceName: row.deviceName)
            tell(
                News(
                    frame: EventFrame(.conflict, resumeAfter: nil, data: .object(fields.object)),
                    deviceID: row.conflict.deviceID, subject: .conflict(row)))
        }
        conflicts = seen
    }
}
