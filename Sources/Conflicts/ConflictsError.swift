public import CastModel

/// What can go wrong with conflicts.
public enum ConflictsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stored state is not one that this version wrote.
    case unreadableState(DeviceID, field: String)
    /// A rule that a person set is none, or has a value that it cannot have.
    case badRule(String, why: String)

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .unreadableState(let deviceID, let field):
            """
            The stored conflicts of device \(deviceID) have no usable \(field). They were written by another version, or \
            changed by hand. Run 'castledger rebuild' to replay the archive.
            """
        case .badRule(let text, let why): "rule '\(text)': \(why)"
        }
    }
}
