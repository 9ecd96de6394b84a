import Arguments
import Differ
import IO
import Plays
import Recording
public import Report
public import Store
public import WebCore

/// What a query says, in the words of the ledger.
extension Question {
    /// The time zone that is named; UTC when none is.
    public func zone() throws(HTTPProblem) -> Zone {
        try text("zone").map { name throws(HTTPProblem) in try ZoneFile.zone(name) } ?? .utc
    }

    /// A moment; one without a zone is meant in `zone`.
    func moment(_ name: String, _ zone: Zone) throws(HTTPProblem) -> WallTime? {
        guard let text = text(name) else { return nil }
        // A plus in a query is a blank, and people forget it.
        let spelled = text.split(separator: " ").count == 2 && text.contains("T") ? text.replacingBlank("+") : text
        guard let moment = Moment(spelled, now: Clock.wallMicroseconds()) else {
            throw HTTPProblem(400, "'\(name)' is a time such as 2026-03-01, 2026-03-01T20:15:00Z, -2h or now.")
        }
        let time = WallTime(microseconds: moment.microseconds)
        return moment.isWithoutZone ? zone.resolve(time) : time
    }

    /// The stretch from `from` to `to`; an empty one is a mistake.
    func stretch(_ zone: Zone) throws(HTTPProblem) -> (from: WallTime?, to: WallTime?) {
        let (from, to) = (try moment("from", zone), try moment("to", zone))
        if let from, let to, from >= to {
            throw HTTPProblem(400, "'from' is not before 'to': nothing can lie between them.")
        }
        return (from, to)
    }

    /// Everything that narrows down rows.
    public func filter() throws(HTTPProblem) -> LedgerFilter {
        let zone = try zone()
        let (from, to) = try stretch(zone)
        var filter = LedgerFilter(from: from, to: to)
        filter.devices = texts("device")
        guard filter.devices.count <= 100 else { throw HTTPProblem(400, "There are more than 100 devices.") }
        filter.group = text("group")
        filter.site = text("site")
        filter.hours = try hours(zone)
        filter.plays = try plays()
        if route == .events {
            filter.kinds = Set(try words("kind", ChangeEvent.Kind.init(rawValue:)))
        }
        if route.parameters.contains(where: { $0.name == "limit" }) {
            filter.limit = try integer("limit", in: 1...1000) ?? 100
        }
        return filter
    }

    private func hours(_ zone: Zone) throws(HTTPProblem) -> LedgerHours? {
        var hours = LedgerHours(zone: zone.name)
        if let text = text("between") {
            guard let range = TimeOfDayRange(text) else {
                throw HTTPProblem(400, "'between' is a stretch of the day such as 18:00-23:00.")
            }
            hours.betweenMinutes = (range.fromMinutes, range.toMinutes)
        }
        if let text = text("weekday") {
            guard let days = Weekdays.parse(text) else {
                throw HTTPProblem(400, "'weekday' is one or more days such as mon, tue-fri or sat,sun.")
            }
            hours.weekdays = days
        }
        return hours.isWholeWeek ? nil : hours
    }

    private func plays() throws(HTTPProblem) -> PlayFilter {
        var plays = PlayFilter()
        plays.app = text("app")
        plays.title = text("title")
        plays.endReasons = Set(try words("end_reason", Play.EndReason.init(rawValue:)))
        plays.startCauses = Set(try words("start_cause", Play.StartCause.init(rawValue:)))
        guard let text = text("min") else { return plays }
        guard let seconds = Double(text) ?? DurationText.parse(text).map({ $0 / .seconds(1) }),
            (0...1e9).contains(seconds)
        else { throw HTTPProblem(400, "'min' is a number of seconds, or 30s, 5m or 1h.") }
        plays.minimumPlayedSeconds = seconds
        return plays
    }

    /// The values of a repeatable parameter that has a fixed set of words.
    func words<Word>(_ name: String, _ read: (String) -> Word?) throws(HTTPProblem) -> [Word] {
        var found: [Word] = []
        for text in texts(name) {
            guard let word = read(text) else {
                throw HTTPProblem(
                    400, "'\(Question.shown(text))' is no \(name.split(separator: "_").joined(separator: " ")).")
            }
            found.append(word)
        }
        return found
    }
}

extension String {
    fileprivate func replacingBlank(_ mark: String) -> String { split(separator: " ").joined(separator: mark) }
}
