import CastModel
import Conflicts
import Differ
import IO
import Plays
import Recording
import Report
import Store
import WebCore

/// Answers questions that the ledger is asked: the rows of the command line's commands, under the same names.
///
/// Belongs to the thread of its connection.
struct LedgerAnswers {
    /// What answers are made from, beside the ledger.
    struct Surroundings: Sendable {
        /// Names for apps whose device said none.
        var apps: AppRegistry = .builtIn
        /// Whether a recorder runs, by its id.
        var isDown: @Sendable (String) -> Bool = { _ in false }
        /// Whether pictures that apps name are shown: asking for them tells others who watches.
        var showsImages = false
        /// The shares that were observed in the last 24 hours, as they were found lately.
        var observed = ObservedShares()
        /// What the recorder knows of its links, as it was found lately.
        var links = LinkFacts { nil }
        /// The record behind a change event.
        var rawRecord: @Sendable (_ recorder: String, _ position: ArchivePosition) throws -> JSONValue? = { _, _ in nil
        }
    }

    let queries: LedgerQueries
    let question: Question
    let surroundings: Surroundings

    /// The answer, where the route is one of rows.
    func answer() throws -> HTTPAnswer {
        switch question.route {
        case .now: try now()
        case .devices: try devices()
        case .device(let name): try device(name)
        case .timeline: try timeline()
        case .plays: try plays()
        case .play(let name): try play(name)
        case .events: try events()
        case .event(let name): try moment(name)
        case .conflicts: try conflicts()
        case .conflict(let name): try conflict(name)
        case .coverage: try coverage()
        case .page, .health, .metrics, .login, .logout, .openAPI, .report, .export, .changes, .status:
            throw HTTPProblem(404, "There is nothing at this path.")
        }
    }

    func listing(_ row: DeviceRow) -> DeviceListing {
        DeviceListing(
            deviceID: row.deviceID.text, name: row.name, model: row.model, address: row.address,
            state: surroundings.isDown(row.recorderID) ? "not recorded" : row.reach.rawValue,
            lastHeardAt: row.lastHeardAt, gapReason: row.gapReason)
    }

    // MARK: Plays

    private func plays() throws -> HTTPAnswer {
        let limit = try question.integer("limit", in: 1...1000) ?? 100
        var filter = try question.filter()
        let page = try Paging.plays(question)
        filter.page = page
        filter.limit = limit + 1
        let rows = try queries.plays(filter)
        let items = rows.prefix(limit).map { JSONValue.object(Self.fields($0).object) }
        return .list(items, next: rows.count > limit ? Paging.cursor(rows[limit - 1], page) : nil)
    }

    private static func fields(_ row: PlayRow) -> PlayFields {
        PlayFields(play: row.play, recorderID: row.recorderID, deviceName: row.deviceName)
    }

    /// One play, with what it did when, and its change events.
    private func play(_ name: String) throws -> HTTPAnswer {
        guard let id = ChangeEvent.ID(playName: name) else { throw Self.noName(name, "play", "812/0") }
        var filter = LedgerFilter()
        filter.position = id.position
        filter.recorderID = try recorder()
        let row = try only(try queries.plays(filter).filter { $0.play.id == id }, name) { $0.recorderID }
        var object = Self.fields(row).object
        let end = row.play.endedAt ?? row.play.countedAt
        var spans: [JSONValue] = []
        let until = WallTime(microseconds: max(end.microseconds, row.play.startedAt.microseconds + 1))
        try queries.timeline(of: row.play.deviceID, from: row.play.startedAt, to: until) { span in
            if span.playID == name { spans.append(Self.span(span)) }
            return true
        }
        object["spans"] = .array(spans)
        var around = LedgerFilter(
            device: row.play.deviceID.text, from: row.play.startedAt,
            to: WallTime(microseconds: end.microseconds + 1), limit: 1000)
        around.recorderID = row.recorderID
        let events = try queries.events(around).filter { event in
            event.event.appSessionID == nil || event.event.appSessionID == row.play.appSessionID
        }
        object["events"] = .array(events.map { .object(eventObject($0)) })
        return .json(.object(object))
    }

    // MARK: Change events

    private func events() throws -> HTTPAnswer {
        let limit = try question.integer("limit", in: 1...1000) ?? 100
        var filter = try question.filter()
        filter.page = try Paging.events(question)
        filter.limit = limit + 1
        let rows = try queries.events(filter)
        let items = rows.prefix(limit).map { JSONValue.object(eventObject($0)) }
        return .list(items, next: rows.count > limit ? Paging.cursor(rows[limit - 1]) : nil)
    }

    private func eventObject(_ row: EventRow) -> JSONObject {
        Self.eventObject(row, surroundings.apps)
    }

    /// A change event with its name and its sentence.
    static func eventObject(_ row: EventRow, _ apps: AppRegistry) -> JSONObject {
        var object = EventFields(event: row.event, recorderID: row.recorderID, deviceName: row.deviceName)
            .object(withSentence: true, apps: apps)
        object["event_id"] = .string(row.event.id.playName)
        return object
    }

    /// How many change events of the device are shown before and after one.
    private static let neighbors = 20

    /// One change event, the record that it came from, and what happened around it.
    private func moment(_ name: String) throws -> HTTPAnswer {
        guard let id = ChangeEvent.ID(playName: name) else { throw Self.noName(name, "change event", "812/0") }
        var filter = LedgerFilter()
        filter.position = id.position
        filter.recorderID = try recorder()
        let row = try only(try queries.events(filter).filter { $0.event.id == id }, name) { $0.recorderID }
        let key = LedgerPage.Key(
            at: row.event.observedAt, deviceID: row.event.deviceID.text, recorderID: row.recorderID,
            position: id.position.number, ordinal: Int64(id.ordinal))
        func around(isDescending: Bool) throws -> [JSONValue] {
            var filter = LedgerFilter(device: row.event.deviceID.text, limit: Self.neighbors)
            filter.page = LedgerPage(isDescending: isDescending, after: key)
            if isDescending { filter.to = WallTime(microseconds: row.event.observedAt.microseconds + 1) }
            if !isDescending { filter.from = row.event.observedAt }
            return try queries.events(filter).map { .object(eventObject($0)) }
        }
        let object = JSONObject([
            ("event", .object(eventObject(row))),
            ("words", .string(Timeline.sentence(for: row.event, apps: surroundings.apps))),
            ("callbacks", .array(row.event.callbacks.map { .string($0.rawValue) })),
            ("finding", row.finding.map(JSONValue.string) ?? .null),
            ("raw_frame", try surroundings.rawRecord(row.recorderID, id.position) ?? .null),
            ("before", .array(try around(isDescending: true).reversed())),
            ("after", .array(try around(isDescending: false))),
        ])
        return .json(.object(object))
    }

    // MARK: Conflicts

    private func conflicts() throws -> HTTPAnswer {
        let limit = try question.integer("limit", in: 1...1000) ?? 100
        var filter = try question.filter()
        filter.page = try Paging.conflicts(question)
        filter.limit = limit + 1
        var wanted = ConflictFilter()
        wanted.kinds = Set(try question.words("kind", Conflict.Kind.init(rawValue:)))
        wanted.minScore = try question.number("min_score", in: 0...1)
        let rows = try queries.conflicts(filter, wanted)
        let items = rows.prefix(limit).map { JSONValue.object(Self.fields($0).object) }
        return .list(items, next: rows.count > limit ? Paging.cursor(rows[limit - 1]) : nil)
    }

    private static func fields(_ row: ConflictRow) -> ConflictFields {
        ConflictFields(conflict: row.conflict, recorderID: row.recorderID, deviceName: row.deviceName)
    }

    /// One conflict, why it is one, and its evidence.
    private func conflict(_ name: String) throws -> HTTPAnswer {
        guard let id = Conflict.ID(name: name) else { throw Self.noName(name, "conflict", "812/0/volume_fight") }
        var wanted = ConflictFilter()
        wanted.id = id
        var filter = LedgerFilter()
        filter.recorderID = try recorder()
        let row = try only(try queries.conflicts(filter, wanted), name) { $0.recorderID }
        var object = Self.fields(row).object
        object["explanation"] = .array(
            ConflictReasons(row.conflict, rules: ConflictRules()).lines.map { .string($0) })
        let evidence = Set(row.conflict.evidence)
        var around = LedgerFilter(
            device: row.conflict.deviceID.text,
            from: WallTime(microseconds: row.conflict.from.microseconds - 5_000_000),
            to: WallTime(microseconds: max(row.conflict.from, row.conflict.to).microseconds + 5_000_000), limit: 1000)
        around.recorderID = row.recorderID
        object["events"] = .array(
            try queries.events(around).map { event in
                var fields = eventObject(event)
                fields["is_evidence"] = .bool(evidence.contains(event.event.id))
                return .object(fields)
            })
        return .json(.object(object))
    }

    // MARK: Names

    /// The recorder that a query names.
    private func recorder() throws -> String? {
        guard let text = question.text("recorder") else { return nil }
        let isHex = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Character(UnicodeScalar($0)).isHexDigit }
        guard isHex, text.utf8.count == 36 else { throw HTTPProblem(400, "'recorder' is no UUID.") }
        return text.lowercased()
    }

    private static func noName(_ name: String, _ what: String, _ example: String) -> HTTPProblem {
        HTTPProblem(404, "'\(Question.shown(name))' names no \(what), as \(example) does.")
    }

    /// The one row of a name.
    private func only<Row>(_ rows: [Row], _ name: String, recorder: (Row) -> String) throws -> Row {
        guard let first = rows.first else { throw HTTPProblem(404, "There is no '\(Question.shown(name))'.") }
        guard Set(rows.map(recorder)).count == 1 else {
            throw HTTPProblem(
                409,
                "Several recorders have '\(name)'; name one with 'recorder': "
                    + rows.map(recorder).sorted().joined(separator: ", "))
        }
        return first
    }

    static func span(_ row: TimelineRow) -> JSONValue {
        .object(
            JSONObject([
                ("from", .string(row.from.text)), ("to", .string(row.to.text)), ("activity", .string(row.activity)),
                ("reason", row.reason.map(JSONValue.string) ?? .null),
                ("play_id", row.playID.map(JSONValue.string) ?? .null),
                ("app", row.app.map(JSONValue.string) ?? .null), ("title", row.title.map(JSONValue.string) ?? .null),
                ("merged", 1),
            ]))
    }
}
