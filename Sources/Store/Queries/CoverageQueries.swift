public import CastModel
public import Recording

/// How much of one day of one device was observed.
public struct CoverageRow: Sendable, Equatable {
    /// Which device.
    public var deviceID: DeviceID
    /// Its present friendly name; nil when it never said one.
    public var deviceName: String?
    /// "2026-03-01", in the time zone asked for.
    public var day: String
    /// How long it is known whether the device was observed, in seconds.
    public var knownSeconds: Double
    /// Of them, those in which it was.
    public var observedSeconds: Double
    /// Of those, the ones in which no app was left unjoined.
    public var mediaObservedSeconds: Double
    /// Why the rest was missed, and for how long in seconds, the longest first.
    public var gaps: [Missed]

    /// What one reason made us miss.
    public struct Missed: Sendable, Equatable {
        /// `link_lost` and the like.
        public var reason: String
        /// How long.
        public var seconds: Double
    }
}

/// A span in which a device, or the media of its app, was not observed by any recorder.
public struct UnobservedRow: Sendable, Equatable {
    /// Which device.
    public var deviceID: DeviceID
    /// Its present friendly name; nil when it never said one.
    public var deviceName: String?
    /// Its first moment.
    public var from: WallTime
    /// The first moment after it.
    public var to: WallTime
    /// Why.
    public var reason: String
    /// Whether the device itself was observed, and only an app's media was not.
    public var hidesMediaOnly: Bool
    /// Whether it reaches the end of what is known.
    public var lasts: Bool
}

/// A period and the time zone whose days count.
public struct CoverageQuestion: Sendable, Equatable {
    /// A device's name or id, as a person writes it; nil for all devices.
    public var device: String?
    /// The first moment; nil for the beginning of the sixth day before that of `to`.
    public var from: WallTime?
    /// The first moment that is too late.
    public var to: WallTime
    /// A name that the database knows: "Europe/Berlin".
    public var zone: String
    /// A group's name or id: it and its members; nil for all devices.
    public var group: String?
    /// The site of a recorder: the devices that it saw; nil for all devices.
    public var site: String?
    /// Times of day and days of the week, on the clocks of ``zone``; nil for all.
    public var hours: LedgerHours?

    /// A question, part by part.
    public init(device: String? = nil, from: WallTime? = nil, to: WallTime, zone: String = "UTC") {
        self.device = device
        self.from = from
        self.to = to
        self.zone = zone
    }

    /// Whether the period has no moment: it begins in the future, say.
    var isEmpty: Bool { from.map { $0 >= to } ?? false }
}

/// A row that tells of one device.
private protocol RowOfDevice {
    var deviceID: DeviceID { get }
    var deviceName: String? { get set }
}

extension CoverageRow: RowOfDevice {}
extension UnobservedRow: RowOfDevice {}

/// Questions about what was observed: the views and functions of `schema/` named `coverage` answer them.
extension LedgerQueries {
    /// How much was observed, by device in the order of ``devices()``, then by day.
    ///
    /// A day of which nothing is known has no row.
    public func coverage(_ question: CoverageQuestion) throws(StoreError) -> [CoverageRow] {
        let (parameters, devices) = try prepare(question)
        guard !question.isEmpty else { return [] }
        var statement = FilteredStatement("", parameters: parameters)
        let window = Self.window(question.hours, of: &statement)
        let found = try rows(
            """
            SELECT device_id, day::text, known_seconds, observed_seconds, media_observed_seconds, gaps
            FROM ledger.coverage(\(Self.from), $2::timestamptz, $3::text, $4::text, \(window)) ORDER BY day
            """, statement.parameters, doing: "reading the coverage"
        ) { row -> CoverageRow? in
            guard let device = row.text(0).map(DeviceID.init), let day = row.text(1), let known = row.double(2),
                let observed = row.double(3), let mediaObserved = row.double(4),
                let gaps = row.jsonText(5).flatMap({ try? parser.parse($0) })?.array
            else { return nil }
            let missed = gaps.compactMap { gap -> CoverageRow.Missed? in
                guard let reason = gap["reason"]?.string, let seconds = gap["seconds"]?.seconds else { return nil }
                return .init(reason: reason, seconds: seconds)
            }
            guard missed.count == gaps.count else { return nil }
            return CoverageRow(
                deviceID: device, deviceName: nil, day: day, knownSeconds: known, observedSeconds: observed,
                mediaObservedSeconds: mediaObserved, gaps: missed)
        }
        return Self.byDevice(found, devices)
    }

    /// The spans that were missed, cut to the period and its hours: by device in the order of ``devices()``, then by time.
    public func unobserved(_ question: CoverageQuestion) throws(StoreError) -> [UnobservedRow] {
        let (parameters, devices) = try prepare(question)
        guard !question.isEmpty else { return [] }
        var statement = FilteredStatement("", parameters: parameters)
        var spans = "ledger.observed_span(\(Self.from), $2::timestamptz, $4::text)"
        if let hours = question.hours, !hours.isWholeWeek {
            let parts = Self.parts(hours, of: &statement, from: Self.from, to: "$2::timestamptz")
            spans = """
                (SELECT o.device_id, greatest(o.from_at, lower(h.span)) AS from_at, least(o.to_at, upper(h.span)) AS to_at,
                    o.reason, o.observed, o.media_observed, o.lasts AND o.to_at <= upper(h.span) AS lasts
                FROM \(spans) o JOIN \(parts) ON h.span && tstzrange(o.from_at, o.to_at)) s
                """
        }
        let found = try rows(
            """
            SELECT device_id, from_at, to_at, reason, observed, lasts
            FROM \(spans)
            WHERE NOT media_observed AND $3::text IS NOT NULL ORDER BY from_at
            """, statement.parameters, doing: "reading what was not observed"
        ) { row -> UnobservedRow? in
            guard let device = row.text(0).map(DeviceID.init), let from = row.time(1), let to = row.time(2),
                let reason = row.text(3), let observed = row.bool(4), let lasts = row.bool(5)
            else { return nil }
            return UnobservedRow(
                deviceID: device, deviceName: nil, from: from, to: to, reason: reason, hidesMediaOnly: observed,
                lasts: lasts)
        }
        return Self.byDevice(found, devices)
    }

    /// Rows in the order of their devices, each with its device's name.
    private static func byDevice<Row: RowOfDevice>(_ rows: [Row], _ devices: [DeviceRow]) -> [Row] {
        let rowsOfDevice = Dictionary(grouping: rows, by: \.deviceID)
        return devices.flatMap { device in
            (rowsOfDevice[device.deviceID] ?? []).map { row in
                var row = row
                row.deviceName = device.name
                return row
            }
        }
    }

    /// The first moment of the question; without one, whole days up to its end.
    private static let from =
        "coalesce($1::timestamptz, ledger.day_start(($2::timestamptz AT TIME ZONE $3::text)::date - 6, $3::text))"

    private func prepare(
        _ question: CoverageQuestion
    ) throws(StoreError) -> (parameters: [PostgresParameter], devices: [DeviceRow]) {
        var filter = LedgerFilter(device: question.device)
        (filter.group, filter.site) = (question.group, question.site)
        let known = try shownDevices(filter)
        let device = known.count == 1 ? known.first?.deviceID.text : nil
        return ([.time(question.from), .time(question.to), .text(question.zone), .text(device)], known)
    }
}

extension JSONValue {
    /// A number, as PostgreSQL spells it in JSON.
    fileprivate var seconds: Double? {
        switch self {
        case .integer(let whole): Double(whole)
        case .unsigned(let whole): Double(whole)
        case .number(let number): number
        default: nil
        }
    }
}
