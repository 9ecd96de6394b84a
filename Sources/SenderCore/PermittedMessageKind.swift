extension PermittedMessage {
    /// What is sent, in the words of the wire, to count it by.
    public enum Kind: String, Sendable, CaseIterable {
        /// A deviceauth challenge; it has no word of its own.
        case challenge = "CHALLENGE"
        /// To the platform or to a receiver app.
        case connect = "CONNECT"
        /// Of a virtual connection.
        case close = "CLOSE"
        /// Ours.
        case ping = "PING"
        /// The answer to the device's.
        case pong = "PONG"
        /// To the platform, of groups, or to a receiver app.
        case getStatus = "GET_STATUS"
        /// Who the device is.
        case getDeviceInformation = "GET_DEVICE_INFO"
    }

    /// What this is.
    public var kind: Kind {
        switch self {
        case .challenge: .challenge
        case .connectPlatform, .join: .connect
        case .leave: .close
        case .ping: .ping
        case .pong: .pong
        case .getReceiverStatus, .getMultizoneStatus, .getMediaStatus: .getStatus
        case .getDeviceInformation: .getDeviceInformation
        }
    }
}
