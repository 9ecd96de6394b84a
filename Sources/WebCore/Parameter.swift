public import CastModel

/// One name that a query may have: the same rules for checking and for the description.
public struct Parameter: Sendable, Equatable {
    /// The name.
    public var name: String
    /// What it means, for the description.
    public var summary: String
    /// Its JSON Schema.
    public var schema: JSONValue
    /// Whether it may come several times.
    public var isRepeatable: Bool

    init(_ name: String, _ summary: String, _ schema: JSONValue = Parameter.anyText, isRepeatable: Bool = false) {
        self.name = name
        self.summary = summary
        self.schema = schema
        self.isRepeatable = isRepeatable
    }

    /// Any text of a length that is taken; what it must look like stands in the summary.
    private static let anyText: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200]

    private static func words(_ words: [String]) -> JSONValue {
        ["type": "string", "enum": .array(words.map(JSONValue.string))]
    }

    static let device = Parameter(
        "device", "Only this device, by id or by name in any case. Several: any of them.", isRepeatable: true)
    static let group = Parameter("group", "Only this group and the devices that are known as its members.")
    static let site = Parameter("site", "Only what recorders of this site saw, in any case.")
    static let app = Parameter("app", "Only plays of this receiver app, by name or id, in any case.")
    static let title = Parameter("title", "Only plays with this text in title, series, artist or album, in any case.")
    static let endReason = Parameter("end_reason", "Only plays that ended so.", isRepeatable: true)
    static let startCause = Parameter("start_cause", "Only plays that began so.", isRepeatable: true)
    static let min = Parameter("min", "Only plays that played so long or longer: seconds, or 30s, 5m, 1h.")
    static let between = Parameter(
        "between", "Only this time of day on the clocks of the zone: 18:00-23:00; it may go on after midnight.")
    static let weekday = Parameter("weekday", "Only these days of the week in the zone: mon, tue-fri or sat,sun.")
    static let from = Parameter("from", "The first moment: RFC 3339, a day such as 2026-03-01, or -2h.")
    static let to = Parameter("to", "The first moment that is too late: RFC 3339, a day, -2h or now.")
    static let zone = Parameter("zone", "An IANA time zone, in which days and times of day are meant. Default: UTC.")
    static let limit = Parameter(
        "limit", "At most so many rows.", ["type": "integer", "minimum": 1, "maximum": 1000, "default": 100])
    static let after = Parameter(
        "after", "Where to go on: `next` of the answer before, asked with the same filters.",
        ["type": "string", "minLength": 1, "maxLength": .integer(Int64(Question.placeLimitBytes))])
    static let kind = Parameter("kind", "Only change events of this kind.", isRepeatable: true)
    static let conflictKind = Parameter("kind", "Only conflicts of this kind.", isRepeatable: true)
    static let minScore = Parameter(
        "min_score", "Only conflicts at least so sure.", ["type": "number", "minimum": 0, "maximum": 1])
    static let sort = Parameter(
        "sort", "The order; with a minus the other way round. What is not told comes as the least of all.",
        words(playOrders.flatMap { [$0, "-" + $0] }))
    /// The columns of a table of plays, as the ledger orders by them.
    public static let playOrders = [
        "started_at", "ended_at", "device", "members", "app_name", "title", "played_seconds", "paused_seconds",
        "ad_seconds", "buffering_seconds", "duration_seconds", "progress", "seeks", "captions", "end_reason",
        "start_cause", "coverage", "content_id",
    ]
    static let order = Parameter("order", "Earliest or latest first.", words(["earliest", "latest"]))
    static let resolution = Parameter(
        "resolution", "Seconds of a point on the screen: shorter neighbors become one span.",
        ["type": "number", "minimum": 0, "maximum": 86_400])
    static let recorder = Parameter("recorder", "The recorder whose record it is, where several have one of that name.")
    static let format = Parameter("format", "The form of the report.", words(["json", "csv"]))
    static let what = Parameter("what", "Of csv and jsonl: the rows.", words(["plays", "events", "gaps"]))
    static let resumeAfter = Parameter("after", "The id of the last event that was seen, as Last-Event-ID.")
}
