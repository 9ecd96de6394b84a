public import CastModel

/// What can go wrong when a ledger of plays picks up where another stopped.
public enum PlaysError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stored state is not one that this version wrote.
    case unreadableState(DeviceID, field: String)

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .unreadableState(let deviceID, let field):
            """
            The stored plays of device \(deviceID) have no usable \(field). They were written by another version, or \
            changed by hand. Run 'castledger rebuild' to replay the archive.
            """
        }
    }
}
