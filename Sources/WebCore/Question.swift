import CastModel

/// The checked query of a request.
public struct Question: Sendable, Equatable {
    /// What is asked for.
    public var route: Route
    /// The request.
    public var request: HTTPRequest

    /// The longest value, in bytes.
    static let valueLimitBytes = 1_000
    /// The longest place in a list, in bytes: it may hold a title, in digits.
    static let placeLimitBytes = 4_096

    /// Checks names and forms: 404, 405 or 400 where something is wrong.
    public init(_ request: HTTPRequest) throws(HTTPProblem) {
        guard let route = Route(path: request.path) else { throw HTTPProblem(404, "There is nothing at this path.") }
        guard request.method == route.method || route.method == "GET" && request.method == "HEAD" else {
            let allowed = route.method == "GET" ? "GET, HEAD" : route.method
            throw HTTPProblem(405, "This takes \(allowed) only.", headers: [.init("Allow", allowed)])
        }
        self.route = route
        self.request = request
        if case .page = route { return }
        let known = route.parameters
        for item in request.query {
            guard let parameter = known.first(where: { $0.name == item.name }) else {
                let names = known.isEmpty ? "none" : known.map(\.name).joined(separator: ", ")
                throw HTTPProblem(400, "'\(Self.shown(item.name))' is no parameter here; there are: \(names).")
            }
            guard parameter.isRepeatable || request.values(item.name).count == 1 else {
                throw HTTPProblem(400, "'\(item.name)' is there more than once.")
            }
            let limit = parameter == .after ? Self.placeLimitBytes : Self.valueLimitBytes
            guard item.value.utf8.count <= limit, !item.value.isEmpty else {
                throw HTTPProblem(400, "'\(item.name)' is empty or too long.")
            }
            if let words = parameter.schema["enum"]?.array?.compactMap(\.string), !words.contains(item.value) {
                throw HTTPProblem(400, "'\(item.name)' is one of: \(words.joined(separator: ", ")).")
            }
        }
    }

    /// A text that others wrote, as a complaint may quote it.
    public static func shown(_ text: String) -> String { String(text.prefix(100)) }

    /// A parameter's value; nil when it is not there.
    public func text(_ name: String) -> String? { request.value(name) }

    /// All values of a parameter.
    public func texts(_ name: String) -> [String] { request.values(name) }

    /// A whole number within a range; nil when it is not there.
    public func integer(_ name: String, in range: ClosedRange<Int>) throws(HTTPProblem) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number), text.utf8.first != UInt8(ascii: "+") else {
            throw HTTPProblem(
                400, "'\(name)' is a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// A number within a range; nil when it is not there.
    public func number(_ name: String, in range: ClosedRange<Double>) throws(HTTPProblem) -> Double? {
        guard let text = text(name) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw HTTPProblem(400, "'\(name)' is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
