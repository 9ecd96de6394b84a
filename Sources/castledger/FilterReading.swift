import Arguments
import Plays
import Recording
import Report
import Store

/// What the filters of a command line ask for: the same for every command that has them.
struct FilterReading {
    private let arguments: ParsedArguments
    private let hasEventKinds: Bool

    /// - Parameter hasEventKinds: False where `--kind` is not of change events.
    init(_ arguments: ParsedArguments, hasEventKinds: Bool = true) {
        self.arguments = arguments
        self.hasEventKinds = hasEventKinds
    }

    /// The zone of all times, and the filter; the zone has a name where days or hours are counted in it.
    func zoneAndFilter() throws -> (zone: Zone, filter: LedgerFilter) {
        let isNamed = arguments.mentions(.zone) || arguments.mentions(.between) || arguments.mentions(.weekday)
        guard isNamed else {
            let zone = Ledger.zone(arguments)
            return (zone, try filter(zone: zone, zoneName: "UTC"))
        }
        let choice = try ZoneChoice(arguments)
        return (choice.zone, try filter(zone: choice.zone, zoneName: choice.name))
    }

    /// The filter; `zoneName` is how the database calls the zone.
    func filter(zone: Zone, zoneName: String) throws -> LedgerFilter {
        var filter = try Ledger.filter(arguments, zone: zone, hasEventKinds: hasEventKinds)
        filter.group = arguments.text(.group)
        filter.site = arguments.text(.siteSought)
        filter.plays.app = arguments.text(.app)
        filter.plays.title = arguments.text(.title)
        filter.plays.endReasons = try words(.endReason, Play.EndReason.allCases)
        filter.plays.startCauses = try words(.startCause, Play.StartCause.allCases)
        filter.plays.minimumPlayedSeconds = arguments.duration(.minimum).map { $0 / .seconds(1) }
        let hours = LedgerHours(zone: zoneName, betweenMinutes: try between(), weekdays: try weekdays())
        filter.hours = hours.isWholeWeek ? nil : hours
        return filter
    }

    private func between() throws -> (from: Int, to: Int)? {
        guard let text = arguments.text(.between) else { return nil }
        guard let range = TimeOfDayRange(text) else {
            throw CommandFailure(ExitCode.usage, "--between takes two times such as 18:00-23:00, not '\(text)'.")
        }
        return (range.fromMinutes, range.toMinutes)
    }

    private func weekdays() throws -> [Int]? {
        guard let text = arguments.text(.weekday) else { return nil }
        guard let days = Weekdays.parse(text) else {
            throw CommandFailure(ExitCode.usage, "--weekday takes days such as mon, tue-fri or sat,sun, not '\(text)'.")
        }
        return days
    }

    private func words<Word: RawRepresentable<String> & Hashable>(
        _ option: Arguments.Option, _ all: [Word]
    ) throws -> Set<Word> {
        var found: Set<Word> = []
        for text in arguments.texts(option) {
            guard let word = Word(rawValue: text) else {
                let names = all.map(\.rawValue)
                let hint =
                    Suggestion.nearest(to: text, among: names).map { "Did you mean '\($0)'?" }
                    ?? "It takes \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")."
                throw CommandFailure(ExitCode.usage, "unknown word '\(text)' for \(option.name). \(hint)")
            }
            found.insert(word)
        }
        return found
    }
}
