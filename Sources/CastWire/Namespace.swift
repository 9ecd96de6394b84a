/// The protocol that a message belongs to, as its URN.
///
/// An open set: receiver apps make up their own. PROTOCOL 2.9 lists the ones the platform uses.
public struct Namespace: Sendable, Hashable, CustomStringConvertible {
    /// The URN exactly as on the wire.
    public let urn: String

    /// Names a namespace by its URN.
    public init(_ urn: String) { self.urn = urn }

    /// The plain text.
    public var description: String { urn }

    /// CONNECT and CLOSE: opens and closes virtual connections (PROTOCOL 2.6).
    public static let connection = Namespace("urn:x-cast:com.google.cast.tp.connection")
    /// PING and PONG (PROTOCOL 2.7).
    public static let heartbeat = Namespace("urn:x-cast:com.google.cast.tp.heartbeat")
    /// The device's proof of identity; always binary (PROTOCOL 2.8).
    public static let deviceAuthentication = Namespace("urn:x-cast:com.google.cast.tp.deviceauth")
    /// RECEIVER_STATUS and the launching of apps (PROTOCOL 3).
    public static let receiver = Namespace("urn:x-cast:com.google.cast.receiver")
    /// MEDIA_STATUS and media commands (PROTOCOL 4).
    public static let media = Namespace("urn:x-cast:com.google.cast.media")
    /// Members of speaker groups (PROTOCOL 6.1).
    public static let multizone = Namespace("urn:x-cast:com.google.cast.multizone")
    /// GET_DEVICE_INFO (PROTOCOL 1.8).
    public static let discovery = Namespace("urn:x-cast:com.google.cast.receiver.discovery")
    /// eureka_info over the link (PROTOCOL 1.8).
    public static let setup = Namespace("urn:x-cast:com.google.cast.setup")
}
