import CastModel
import Differ
import Plays
import Recording

/// How a filter becomes conditions of a statement: once, for every command.
extension LedgerQueries {
    /// Adds the filter's devices and time to a statement; returns the names of all devices.
    ///
    /// - Parameter ended: The column that ends a row's time, NULL while it lasts; nil for rows of one moment.
    func prepare(
        _ statement: inout FilteredStatement, _ filter: LedgerFilter, started: String, ended: String?
    ) throws(StoreError) -> [DeviceID: String] {
        let known = try devices()
        if let wanted = try deviceIDs(filter, among: known) {
            if wanted.count == 1, let only = wanted.first {
                statement.require("device_id = $", .text(only))
            } else {
                statement.require("device_id = ANY ($::text[])", .texts(wanted))
            }
        }
        if let site = filter.site { require(site: site, of: &statement) }
        if let position = filter.position { statement.require("position = $", .integer(position.number)) }
        if let recorder = filter.recorderID { statement.require("recorder_id = $::uuid", .text(recorder)) }
        if let from = filter.from {
            statement.require(ended.map { "coalesce(\($0) > $::timestamptz, true)" } ?? "\(started) >= $", .time(from))
        }
        if let to = filter.to { statement.require("\(started) < $", .time(to)) }
        if let hours = filter.hours, !hours.isWholeWeek {
            require(hours, of: &statement, started: started, ended: ended, filter)
        }
        return Dictionary(known.compactMap { row in row.name.map { (row.deviceID, $0) } }) { first, _ in first }
    }

    /// Adds the filter's time for views with a `span`: by the index of times, where ``prepare(_:_:started:ended:)`` says it to
    /// the moment.
    ///
    /// Not for one device, whose rows are found by its key: the index of times would give those of all devices.
    func requireTime(_ filter: LedgerFilter, of statement: inout FilteredStatement) {
        guard filter.from != nil || filter.to != nil else { return }
        guard filter.device == nil, filter.devices.count != 1 else { return }
        let (from, to) = (statement.place(.time(filter.from)), statement.place(.time(filter.to)))
        statement.require("span && tstzrange(\(from)::timestamptz, \(to)::timestamptz)")
    }

    /// The ids of the devices that a filter names; nil for all.
    func deviceIDs(_ filter: LedgerFilter, among known: [DeviceRow]) throws(StoreError) -> [String]? {
        var wanted: Set<String>?
        for spelling in (filter.device.map { [$0] } ?? []) + filter.devices {
            wanted = (wanted ?? []).union([try DeviceLookup.find(spelling, among: known).deviceID.text])
        }
        if let spelling = filter.group {
            let group = try DeviceLookup.find(spelling, among: known).deviceID.text
            let members = try rows(
                """
                SELECT DISTINCT m FROM ledger.plays p, jsonb_array_elements_text(p.members) m
                WHERE p.device_id = $1::text
                """, [.text(group)], doing: "reading the members of a group"
            ) { $0.text(0) }
            let all = Set([group] + members)
            wanted = wanted.map { $0.intersection(all) } ?? all
        }
        if let site = filter.site {
            let there = try rows(
                """
                SELECT DISTINCT w.device_id FROM ledger.watched w JOIN ledger.recorders r USING (recorder_id)
                WHERE lower(r.site) = lower($1::text)
                """, [.text(site)], doing: "reading the devices of a site"
            ) { $0.text(0) }
            wanted = wanted.map { $0.intersection(there) } ?? Set(there)
        }
        return wanted?.sorted()
    }

    /// What passes was seen by a recorder of a site.
    func require(site: String, of statement: inout FilteredStatement) {
        statement.require(
            "recorder_id IN (SELECT r.recorder_id FROM ledger.recorders r WHERE lower(r.site) = lower($::text))",
            .text(site))
    }

    /// What passes touches one of the hours; a row of one moment lies in one.
    private func require(
        _ hours: LedgerHours, of statement: inout FilteredStatement, started: String, ended: String?,
        _ filter: LedgerFilter
    ) {
        let zone = statement.place(.text(hours.zone))
        if ended == nil {
            let clock = "(\(started) AT TIME ZONE \(zone)::text)"
            if let weekdays = hours.weekdays {
                let days = statement.place(.text(Self.array(weekdays)))
                statement.require("extract(isodow FROM \(clock))::integer = ANY (\(days)::integer[])")
            }
            guard let between = hours.betweenMinutes else { return }
            let from = statement.place(.text(Self.clock(between.from)))
            let to = statement.place(.text(Self.clock(between.to)))
            let word = between.from < between.to ? "AND" : "OR"
            statement.require("(\(clock)::time >= \(from)::time \(word) \(clock)::time < \(to)::time)")
            return
        }
        let earliest = "(SELECT min(d.first_seen_at) FROM ledger.devices d)"
        let from = filter.from.map { statement.place(.time($0)) + "::timestamptz" } ?? earliest
        let latest = "(SELECT max(r.observed_at) + interval '1 day' FROM ledger.recorders r)"
        let to = filter.to.map { statement.place(.time($0)) + "::timestamptz" } ?? latest
        let window = Self.window(hours, of: &statement)
        statement.require(
            """
            EXISTS (SELECT FROM ledger.buckets(\(from), \(to), \(zone)::text, 'day', \(window)) b
                WHERE b.to_at > \(started)
                    AND (b.from_at < coalesce(\(ended ?? started), 'infinity') OR b.from_at <= \(started)))
            """)
    }

    /// The arguments of time of day and weekdays, as the functions of the schema take them.
    static func window(_ hours: LedgerHours?, of statement: inout FilteredStatement) -> String {
        let from = statement.place(.text(hours?.betweenMinutes.map { clock($0.from) }))
        let to = statement.place(.text(hours?.betweenMinutes.map { clock($0.to) }))
        let days = statement.place(.text(hours?.weekdays.map { array($0) }))
        return "\(from)::time, \(to)::time, \(days)::integer[]"
    }

    /// A table `h` of the parts of a period that lie within hours, as ranges `span`: parts that touch each other are one.
    ///
    /// - Parameters:
    ///   - from: Its first moment, as an expression.
    ///   - to: The first moment after it, as an expression.
    static func parts(
        _ hours: LedgerHours, of statement: inout FilteredStatement, from: String, to: String
    ) -> String {
        let zone = statement.place(.text(hours.zone))
        let window = window(hours, of: &statement)
        return """
            (SELECT unnest(range_agg(tstzrange(b.from_at, b.to_at))) AS span
            FROM ledger.buckets(\(from), \(to), \(zone)::text, 'day', \(window)) b) h
            """
    }

    /// Minutes after midnight as PostgreSQL reads a time.
    private static func clock(_ minutes: Int) -> String {
        let (hour, minute) = (minutes / 60, minutes % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    private static func array(_ numbers: [Int]) -> String { "{\(numbers.map(String.init).joined(separator: ","))}" }

    /// Adds what a filter says of plays to rows of something else: they pass when they happened on a device while a play
    /// that passes was on, from its first sign to its last, both included.
    ///
    /// - Parameters:
    ///   - row: The name of the rows, whose column `device_id` tells the device.
    ///   - span: Their time, as a range.
    ///   - hasAppSession: Whether they have a column `app_session_id`: then, where only an app is asked for, what happened
    ///     in its app sessions passes, too.
    func require(
        during plays: PlayFilter, of statement: inout FilteredStatement, row: String, span: String, hasAppSession: Bool
    ) {
        guard plays != PlayFilter() else { return }
        var inner = FilteredStatement("SELECT FROM ledger.plays p", parameters: statement.parameters)
        inner.require("p.device_id = \(row).device_id AND p.span && \(span)")
        require(plays, of: &inner)
        var onlyApp = PlayFilter()
        onlyApp.app = plays.app
        guard hasAppSession, plays == onlyApp, let app = plays.app else { return statement.require(any: inner) }
        let place = inner.place(.text(app)) + "::text"
        statement.require(
            any: inner,
            or: """
                EXISTS (SELECT FROM ledger.app_sessions a WHERE a.device_id = \(row).device_id
                    AND a.app_session_id = \(row).app_session_id
                    AND (lower(a.app_name) = lower(\(place)) OR lower(a.app_id) = lower(\(place))))
                """)
    }

    /// Adds what a filter says of plays.
    func require(_ plays: PlayFilter, of statement: inout FilteredStatement) {
        if let app = plays.app {
            statement.require("(lower(app_name) = lower($::text) OR lower(app_id) = lower($::text))", .text(app))
        }
        if let title = plays.title {
            statement.require(
                "position(lower($::text) IN lower(concat_ws(E'\\n', title, series, artist, album))) > 0", .text(title))
        }
        if plays.isLasting { statement.require("ended_at IS NULL") }
        if !plays.endReasons.isEmpty {
            statement.require("end_reason = ANY ($::text[])", .texts(plays.endReasons.map(\.rawValue).sorted()))
        }
        if !plays.startCauses.isEmpty {
            statement.require("start_cause = ANY ($::text[])", .texts(plays.startCauses.map(\.rawValue).sorted()))
        }
        if let seconds = plays.minimumPlayedSeconds {
            statement.require("played_seconds >= $::double precision", .text("\(seconds)"))
        }
    }
}
