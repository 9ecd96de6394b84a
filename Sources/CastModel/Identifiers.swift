/// A device or a group, for ever: its TXT `id` in lower case without dashes (PROTOCOL 1.2).
///
/// Devices spell the same id with and without dashes and in either case; all spellings are equal here.
public struct DeviceID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// 32 hexadecimal digits on real hardware; something else for a device that never told its id.
    public let text: String

    /// Normalises an id as a device, a group or a person spells it.
    public init(_ spelling: String) {
        text = spelling.lowercased().filter { $0 != "-" }
    }

    /// Stands for a device known by address only, until it tells its id.
    public static func unidentified(host: String, port: UInt16) -> DeviceID { DeviceID("at:\(host):\(port)") }

    /// The plain text.
    public var description: String { text }

    /// The order of the normalised texts.
    public static func < (one: DeviceID, other: DeviceID) -> Bool { one.text < other.text }
}

/// A receiver app's id: eight hexadecimal digits, or an older name such as `YouTube` (PROTOCOL 3.2).
public struct AppID: Sendable, Hashable, CustomStringConvertible {
    /// The id as on the wire.
    public let text: String
    /// Names an app by its id.
    public init(_ text: String) { self.text = text }
    /// The plain text.
    public var description: String { text }
}

/// One launch of a receiver app: `sessionId`.
public struct AppSessionID: Sendable, Hashable, CustomStringConvertible {
    /// The id as on the wire.
    public let text: String
    /// Names an app session by its id.
    public init(_ text: String) { self.text = text }
    /// The plain text.
    public var description: String { text }
}

/// Where messages for one app session go: `transportId`.
///
/// Often equal to the app session's id, not the same thing.
public struct TransportID: Sendable, Hashable, CustomStringConvertible {
    /// The id as on the wire.
    public let text: String
    /// Names a transport by its id.
    public init(_ text: String) { self.text = text }
    /// The plain text.
    public var description: String { text }
}
