public import CastModel
public import Recording

/// How visible a virtual connection is to the receiver app: `connType` of CONNECT (PROTOCOL 2.6).
public enum ConnectionType: Int64, Sendable, CaseIterable {
    /// The app is told of us, and should not end while we stay.
    case strong = 0
    /// The app is told of us.
    case weak = 1
    /// The app is not told of us; it can only broadcast to us.
    case invisible = 2
}

/// Our virtual connection to one receiver app.
public struct VirtualConnection: Sendable, Equatable {
    /// Where the app's messages go.
    public let transport: TransportID
    /// How visible we are to the app.
    public let type: ConnectionType

    /// A virtual connection of this attach mode.
    ///
    /// Nil when the mode joins no apps, or when the transport id cannot be an app's: see ``canBeApp(_:)``.
    public init?(to transport: TransportID, _ mode: AttachMode) {
        guard Self.canBeApp(transport) else { return nil }
        switch mode {
        case .platform: return nil
        case .invisible: type = .invisible
        case .weak: type = .weak
        case .strong: type = .strong
        }
        self.transport = transport
    }

    /// Whether an app may have this transport id.
    ///
    /// Not the platforms and not everybody (`*`): a CONNECT or CLOSE of ours would reach others than one app. Not an id
    /// that is empty, longer than ``PermittedMessage/endpointLimitBytes``, or more than visible ASCII: no device sends
    /// such an id in earnest (PROTOCOL 2.4).
    static func canBeApp(_ transport: TransportID) -> Bool {
        let id = transport.text
        let others = [PermittedMessage.receiverPlatformID, PermittedMessage.senderPlatformID, "*"]
        return !others.contains(id) && (1...PermittedMessage.endpointLimitBytes).contains(id.utf8.count)
            && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// A virtual connection that may be closed with CLOSE, because the app never knew of it.
///
/// CLOSE on a visible one can stop the app (PROTOCOL 5.7); there is no way to make this value from such a one.
public struct InvisibleConnection: Sendable, Equatable {
    /// Where the app's messages go.
    public let transport: TransportID

    /// Nil when the app knows of the virtual connection.
    public init?(_ connection: VirtualConnection) {
        guard connection.type == .invisible else { return nil }
        transport = connection.transport
    }
}
