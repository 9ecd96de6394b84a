/// Why a file is no registry of apps.
public enum AppRegistryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// It is no JSON, from that line on.
    case notJSON(line: Int, why: String)
    /// Something under this path is not as it should be: "apps[3].kind".
    case unusable(path: String, why: String)

    /// Where, what, and what to do.
    public var description: String {
        switch self {
        case .notJSON(let line, let why): "line \(line): not JSON (\(why))"
        case .unusable(let path, let why): "\(path): \(why)"
        }
    }
}

extension AppRegistry {
    /// Apps that one file may hold.
    static let limitApps = 10_000
    private static let longestJoinDelayMilliseconds: Int64 = 60_000

    /// The registry that a file holds: `{"apps": [{"id": ..., "name": ..., "kind": ..., "quirks": {...}}]}`.
    ///
    /// `kind`, `quirks` and `note` may be left out. A key that means nothing is refused: it would be a slip of the pen.
    public init(parsing bytes: [UInt8]) throws(AppRegistryError) {
        let json: JSONValue
        do { json = try JSONParser().parse(bytes) } catch {
            throw .notJSON(line: JSONFault.line(in: bytes), why: error.description)
        }
        let root = try Self.object(json, "the file", keys: ["apps"])
        guard let list = root["apps"]?.array else { throw .unusable(path: "apps", why: "should be an array of apps") }
        guard list.count <= Self.limitApps else {
            throw .unusable(path: "apps", why: "has \(list.count) apps; \(Self.limitApps) are the most")
        }
        var apps: [KnownApp] = []
        for (index, element) in list.enumerated() { apps.append(try Self.app(element, "apps[\(index)]")) }
        self.init(apps)
    }

    private static func app(_ json: JSONValue, _ path: String) throws(AppRegistryError) -> KnownApp {
        let fields = try object(json, path, keys: ["id", "name", "kind", "quirks", "note"])
        var kind = KnownApp.Kind.other
        if let value = fields["kind"] {
            guard let word = value.string.flatMap(KnownApp.Kind.init) else {
                let words = KnownApp.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw .unusable(path: path + ".kind", why: "should be one of \(words)")
            }
            kind = word
        }
        let note: String? = if fields["note"] == nil { nil } else { try text(fields, "note", path) }
        return KnownApp(
            appID: AppID(try text(fields, "id", path)), name: try text(fields, "name", path), kind: kind,
            quirks: try quirks(fields["quirks"], path + ".quirks"), note: note)
    }

    private static func quirks(_ json: JSONValue?, _ path: String) throws(AppRegistryError) -> KnownApp.Quirks {
        guard let json else { return KnownApp.Quirks() }
        let fields = try object(json, path, keys: ["joinDelayMilliseconds", "adsInCustomData", "noMediaNamespace"])
        var quirks = KnownApp.Quirks()
        if let value = fields["joinDelayMilliseconds"] {
            guard case .integer(let delay) = value, (0...longestJoinDelayMilliseconds).contains(delay) else {
                throw .unusable(
                    path: path + ".joinDelayMilliseconds",
                    why: "should be a whole number from 0 to \(longestJoinDelayMilliseconds)")
            }
            quirks.joinDelayMilliseconds = Int(delay)
        }
        quirks.adsInCustomData = try flag(fields, "adsInCustomData", path)
        quirks.noMediaNamespace = try flag(fields, "noMediaNamespace", path)
        return quirks
    }

    private static func object(
        _ json: JSONValue, _ path: String, keys: Set<String>
    ) throws(AppRegistryError) -> JSONObject {
        guard let object = json.object else { throw .unusable(path: path, why: "should be an object") }
        if let strange = object.pairs.first(where: { !keys.contains($0.key) }) {
            let known = keys.sorted().joined(separator: ", ")
            throw .unusable(path: path, why: "unknown key '\(strange.key)'; it may have \(known)")
        }
        return object
    }

    private static func text(_ fields: JSONObject, _ key: String, _ path: String) throws(AppRegistryError) -> String {
        guard let text = fields[key]?.string, !text.isEmpty else {
            throw .unusable(path: "\(path).\(key)", why: "should be a text")
        }
        return text
    }

    private static func flag(_ fields: JSONObject, _ key: String, _ path: String) throws(AppRegistryError) -> Bool {
        switch fields[key] {
        case nil: return false
        case .bool(let value)?: return value
        default: throw .unusable(path: "\(path).\(key)", why: "should be true or false")
        }
    }
}
