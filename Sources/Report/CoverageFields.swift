public import CastModel
public import Recording

/// A row of `castledger coverage`: a device's day, a device's sum, or the sum of all.
///
/// The names and their order are stable.
public struct CoverageFields: Sendable {
    /// Of what the row tells.
    public enum Scope: String, Sendable, CaseIterable {
        /// One day of one device.
        case day
        /// All days of one device.
        case device
        /// All days of all devices.
        case all
    }

    /// Of what it tells.
    public var scope: Scope
    /// Which device; nil for all.
    public var deviceID: String?
    /// Its friendly name; nil when it never said one, and for all.
    public var deviceName: String?
    /// "2026-03-01"; nil for sums.
    public var day: String?
    /// How much was observed.
    public var figures: CoverageFigures

    /// A row, part by part.
    public init(scope: Scope, deviceID: String?, deviceName: String?, day: String?, figures: CoverageFigures) {
        self.scope = scope
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.day = day
        self.figures = figures
    }

    /// The days, each device's followed by its sum, and the sum of all where there are several devices.
    ///
    /// - Parameter days: By device, then by day.
    public static func withSums(_ days: [CoverageFields]) -> [CoverageFields] {
        var rows: [CoverageFields] = []
        var ofDevice = CoverageFigures.none
        var ofAll = CoverageFigures.none
        var devices = 0
        for (index, day) in days.enumerated() {
            rows.append(day)
            ofDevice.add(day.figures)
            ofAll.add(day.figures)
            guard index + 1 == days.count || days[index + 1].deviceID != day.deviceID else { continue }
            rows.append(
                CoverageFields(
                    scope: .device, deviceID: day.deviceID, deviceName: day.deviceName, day: nil, figures: ofDevice))
            ofDevice = .none
            devices += 1
        }
        if devices > 1 {
            rows.append(CoverageFields(scope: .all, deviceID: nil, deviceName: nil, day: nil, figures: ofAll))
        }
        return rows
    }

    /// The names, in order.
    public static let names = [
        "row", "device_id", "device", "day", "known_seconds", "observed_seconds", "media_observed_seconds", "observed",
        "media_observed", "gaps",
    ]

    private var values: [JSONValue?] {
        [
            .string(scope.rawValue), deviceID.map(JSONValue.string), deviceName.map(JSONValue.string),
            day.map(JSONValue.string), .number(figures.knownSeconds), .number(figures.observedSeconds),
            .number(figures.mediaObservedSeconds), figures.observedShare.map(JSONValue.number),
            figures.mediaObservedShare.map(JSONValue.number),
            .array(
                figures.gaps.map { gap in
                    .object(JSONObject([("reason", .string(gap.reason)), ("seconds", .number(gap.seconds))]))
                }),
        ]
    }

    /// One JSON object, without newline; absent values are `null`.
    public var json: String { JSONValue.object(object).text }

    /// The same, to be put into another one.
    public var object: JSONObject {
        JSONObject(zip(Self.names, values).map { (key: $0, value: $1 ?? .null) })
    }

    /// The heading of a CSV file, with its CRLF.
    public static let csvHeading = CSVLine.text(names.map { $0 })

    /// One CSV line with its CRLF: the gaps as JSON.
    public var csv: String { CSVLine.text(values.map { $0?.string ?? $0?.text }) }

    /// The columns of ``cells``.
    ///
    /// - Parameter zone: Whose days they are.
    public static func columns(zone: String) -> [Table.Column] {
        [
            .init("day, \(zone)"), .init("device", limitColumns: 24), .init("observed", isNumeric: true),
            .init("with media", isNumeric: true), .init("time observed"), .init("missed"),
        ]
    }

    /// The row of a table for people.
    ///
    /// Shares are rounded down: 100% is all of it.
    public var cells: [String] {
        let whose =
            switch scope {
            case .day: day ?? "-"
            case .device, .all: "all days"
            }
        let device = scope == .all ? "all devices" : deviceName ?? deviceID ?? "-"
        return [
            whose, device, Self.percent(figures.observedSeconds, of: figures.knownSeconds),
            Self.percent(figures.mediaObservedSeconds, of: figures.knownSeconds),
            "\(Figures.stretch(figures.observedSeconds)) of \(Figures.stretch(figures.knownSeconds))",
            figures.gaps.map { "\($0.reason) \(Figures.stretch($0.seconds))" }.joined(separator: ", "),
        ]
    }

    /// A share, rounded down to a tenth of a percent.
    private static func percent(_ part: Double, of whole: Double) -> String {
        guard whole > 0, part >= 0 else { return "-" }
        guard part < whole else { return "100%" }
        // What is 12.3% stays so, although a Double is a hair below it.
        guard let tenths = Int64(exactly: (part / whole * 1000 + 1e-9).rounded(.down)) else { return "-" }
        return Figures.decimal(Double(min(tenths, 999)) / 10, digits: 1) + "%"
    }
}

/// A row of `castledger coverage --gaps`: a span that was missed.
///
/// The names and their order are stable.
public struct UnobservedFields: Sendable {
    /// Which device.
    public var deviceID: String
    /// Its friendly name; nil when it never said one.
    public var deviceName: String?
    /// The first moment missed.
    public var from: WallTime
    /// The first moment after it.
    public var to: WallTime
    /// Why.
    public var reason: String
    /// What was missed: "device", or the "media" of an app.
    public var missed: String
    /// Whether it reaches the end of what is known.
    public var lasts: Bool
    /// On whose clocks the times are written; each tells its distance from UTC.
    public var zone = Zone.utc

    /// A span, part by part.
    public init(
        deviceID: String, deviceName: String?, from: WallTime, to: WallTime, reason: String, missed: String, lasts: Bool
    ) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.from = from
        self.to = to
        self.reason = reason
        self.missed = missed
        self.lasts = lasts
    }

    /// The names, in order.
    public static let names = ["device_id", "device", "from", "to", "reason", "missed", "seconds", "lasts"]

    private var values: [JSONValue?] {
        [
            .string(deviceID), deviceName.map(JSONValue.string), .string(zone.text(from)), .string(zone.text(to)),
            .string(reason), .string(missed), .number(to.seconds(since: from)), .bool(lasts),
        ]
    }

    /// One JSON object, without newline.
    public var json: String { JSONValue.object(object).text }

    /// The same, to be put into another one.
    public var object: JSONObject {
        JSONObject(zip(Self.names, values).map { (key: $0, value: $1 ?? .null) })
    }

    /// The heading of a CSV file, with its CRLF.
    public static let csvHeading = CSVLine.text(names.map { $0 })

    /// One CSV line with its CRLF.
    public var csv: String { CSVLine.text(values.map { $0?.string ?? $0?.text }) }

    /// The columns of ``cells(zone:)``.
    ///
    /// - Parameter zone: On whose clocks.
    public static func columns(zone: String) -> [Table.Column] {
        [
            .init("device", limitColumns: 24), .init("from, \(zone)"), .init("to"), .init("for"), .init("missed"),
            .init("reason"),
        ]
    }

    /// The row of a table for people.
    public func cells(zone: Zone) -> [String] {
        [
            deviceName ?? deviceID, Self.moment(from, zone), Self.moment(to, zone) + (lasts ? " and on" : ""),
            Figures.stretch(to.seconds(since: from)), missed, reason,
        ]
    }

    private static func moment(_ time: WallTime, _ zone: Zone) -> String { zone.day(time) + " " + zone.timeOfDay(time) }
}
