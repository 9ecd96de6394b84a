/// Figures in the text form of Prometheus (version 0.0.4).
public struct MetricsText: Sendable {
    /// What kind of figure it is.
    public enum Kind: String, Sendable {
        /// Only grows while a program runs.
        case counter
        /// Any number.
        case gauge
        /// A sum and a count.
        case summary
    }

    /// Labels in their order, each with its value.
    public typealias Labels = [(name: String, value: String)]

    /// The media type.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The text so far.
    public private(set) var text = ""
    private var begun: Set<String> = []

    /// A page without figures.
    public init() {}

    /// Begins a family of figures, once.
    public mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        guard begun.insert(name).inserted else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds a figure; what is not known is left out.
    public mutating func add(_ name: String, _ labels: Labels = [], _ value: Double?) {
        guard let value else { return }
        let shown = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += "\(name)\(shown.isEmpty ? "" : "{\(shown)}") \(Self.number(value))\n"
    }

    /// A family of one figure.
    public mutating func one(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        guard value != nil else { return }
        family(name, kind, help)
        add(name, [], value)
    }

    /// A family that tells how often something was done, and how long it took in all.
    public mutating func summary(_ name: String, _ help: String, sum: Double, count: Double) {
        family(name, .summary, help)
        add(name + "_sum", [], sum)
        add(name + "_count", [], count)
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value), abs(whole) < 1 << 53 { return "\(whole)" }
        return "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
