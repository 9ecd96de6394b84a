import CastModel
import Recording
import Store

/// Makes the spans of one lane few enough to be drawn: those that share a point of the screen become one.
///
/// A span that is longer than a point stays as it is. Of several short ones in the same point the longest activity wins,
/// and the span says how many it stands for; one that stands alone is never dropped. Time that was not observed merges with
/// nothing but its like: a gap is shown however short it is.
struct LaneMerging {
    private let start: WallTime
    private let resolution: Double
    private var spans: [Span] = []
    private var seconds: [(activity: String, seconds: Double)] = []
    private var known = 0.0
    private var observed = 0.0

    private struct Span {
        var row: TimelineRow
        var merged = 1
        /// Seconds of each activity; empty while there is one.
        var shares: [String: Double] = [:]
        /// How long the longest row was that gave it its words.
        var longestSeconds: Double
        var point: Int64?
    }

    /// - Parameter resolutionSeconds: The width of a point; 0 merges nothing.
    init(from start: WallTime, resolutionSeconds: Double) {
        self.start = start
        resolution = resolutionSeconds
    }

    /// Takes the next row of the lane.
    ///
    /// - Returns: How many spans more there are.
    mutating func add(_ row: TimelineRow) -> Int {
        let length = row.to.seconds(since: row.from)
        count(row, length)
        let point = resolution > 0 && length < resolution ? Int64(row.from.seconds(since: start) / resolution) : nil
        guard let point, let last = spans.last, last.point == point, last.row.to == row.from,
            last.row.reason == row.reason, (last.row.activity == "unobserved") == (row.activity == "unobserved")
        else {
            spans.append(Span(row: row, longestSeconds: length, point: point))
            return 1
        }
        var span = last
        if span.shares.isEmpty { span.shares[span.row.activity] = span.row.to.seconds(since: span.row.from) }
        span.shares[row.activity, default: 0] += length
        span.merged += 1
        let (from, to) = (span.row.from, row.to)
        let best = span.shares.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? row.activity
        if row.activity == best, span.row.activity != best || length > span.longestSeconds {
            span.row = row
            span.longestSeconds = length
        }
        span.row.activity = best
        (span.row.from, span.row.to) = (from, to)
        spans[spans.count - 1] = span
        return 0
    }

    private mutating func count(_ row: TimelineRow, _ length: Double) {
        known += length
        if row.activity != "unobserved" { observed += length }
        if let index = seconds.firstIndex(where: { $0.activity == row.activity }) {
            seconds[index].seconds += length
        } else {
            seconds.append((row.activity, length))
        }
    }

    /// The spans, the seconds of each activity, and the share that was observed; nil when nothing is known.
    func finished() -> (spans: [JSONValue], totals: JSONObject, coverage: Double?) {
        let shown = spans.map { span -> JSONValue in
            guard var object = LedgerAnswers.span(span.row).object else { return .null }
            object["merged"] = .integer(Int64(span.merged))
            return .object(object)
        }
        let totals = seconds.sorted { $0.activity < $1.activity }.map { ($0.activity, JSONValue.number($0.seconds)) }
        return (shown, JSONObject(totals.map { (key: $0.0, value: $0.1) }), known > 0 ? observed / known : nil)
    }
}
