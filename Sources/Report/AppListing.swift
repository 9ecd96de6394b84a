public import CastModel

/// What we know of one receiver app: a row of `castledger apps`.
public struct AppListing: Sendable {
    private let app: KnownApp

    /// The row of an app.
    public init(app: KnownApp) { self.app = app }

    /// The columns of ``row``.
    public static let columns: [Table.Column] = [
        .init("name", limitColumns: 32), .init("kind"), .init("id"), .init("notes"),
    ]

    /// Name, kind, id, and what is special or doubtful about it.
    public var row: [String] {
        [
            app.name, app.kind.rawValue, app.appID.text,
            (habits + [app.note].compactMap(\.self)).joined(separator: "; "),
        ]
    }

    private var habits: [String] {
        var habits: [String] = []
        if let delay = app.quirks.joinDelayMilliseconds { habits.append("joined after \(delay) ms") }
        if app.quirks.adsInCustomData { habits.append("tells of ads in customData") }
        if app.quirks.noMediaNamespace { habits.append("does not tell what it plays") }
        return habits
    }

    /// One JSON object, without newline, in the form of `apps/registry.json`.
    public var json: String {
        var quirks = JSONObject()
        quirks["joinDelayMilliseconds"] = app.quirks.joinDelayMilliseconds.map { .integer(Int64($0)) }
        if app.quirks.adsInCustomData { quirks["adsInCustomData"] = true }
        if app.quirks.noMediaNamespace { quirks["noMediaNamespace"] = true }
        var object = JSONObject([
            ("id", .string(app.appID.text)), ("name", .string(app.name)), ("kind", .string(app.kind.rawValue)),
        ])
        if !quirks.pairs.isEmpty { object["quirks"] = .object(quirks) }
        object["note"] = app.note.map { .string($0) }
        return JSONValue.object(object).text
    }
}
