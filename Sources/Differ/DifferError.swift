public import CastModel

/// What can go wrong when a differ picks up where another stopped.
public enum DifferError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stored device state is not one that this version wrote.
    case unreadableState(DeviceID, field: String)

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .unreadableState(let deviceID, let field):
            """
            The stored state of device \(deviceID) has no usable \(field). It was written by another version, or changed \
            by hand. Run 'castledger rebuild' to replay the archive.
            """
        }
    }
}
