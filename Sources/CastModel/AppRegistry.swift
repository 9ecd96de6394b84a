/// The receiver apps we know, by id.
///
/// The built-in list is `apps/registry.json`; an operator's own file of the same form is merged over it. It labels what a
/// report shows and tells our sender when to join: what the ledger records does not depend on an operator's file.
public struct AppRegistry: Sendable, Equatable {
    private var apps: [String: KnownApp] = [:]

    /// A registry of these apps; of two with one id, the later.
    public init(_ apps: [KnownApp] = []) {
        for app in apps { self.apps[Self.key(app.appID)] = app }
    }

    /// What the program itself knows.
    public static let builtIn: AppRegistry = {
        do { return try AppRegistry(parsing: Array(builtInText.utf8)) } catch {
            preconditionFailure("apps/registry.json: \(error)")
        }
    }()

    /// Ids are compared without regard to case.
    private static func key(_ appID: AppID) -> String { appID.text.uppercased() }

    /// The app of an id; nil when it is unknown.
    public subscript(appID: AppID) -> KnownApp? { apps[Self.key(appID)] }

    /// All apps that are known, by name and then by id.
    public var all: [KnownApp] { apps.values.sorted { ($0.name, $0.appID.text) < ($1.name, $1.appID.text) } }

    /// How many apps are known.
    public var count: Int { apps.count }

    /// This registry with every app of another one, which is believed where both know an id.
    public func merged(with other: AppRegistry) -> AppRegistry {
        var merged = self
        merged.apps.merge(other.apps) { $1 }
        return merged
    }

    /// What to call an app: what its device said, else the name we know, else nil.
    public func name(of app: ReceiverApp) -> String? {
        if let said = app.displayName.ifPresent, !said.isEmpty { return said }
        return known(app)?.name
    }

    /// What we know of an app, by its own id or else by its universal one.
    public func known(_ app: ReceiverApp) -> KnownApp? {
        app.appID.flatMap { self[$0] } ?? app.universalAppID.flatMap { self[$0] }
    }
}
