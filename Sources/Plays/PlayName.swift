public import Differ
import Recording

/// How a play is called, within its recorder: by the change event that began it.
extension ChangeEvent.ID {
    /// Position and ordinal, with a stroke between them.
    public var playName: String { "\(position.number)/\(ordinal)" }

    /// What ``playName`` calls so; nil when it calls nothing so.
    public init?(playName: String) {
        let parts = playName.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = Int64(parts[0]), let ordinal = Int32(parts[1]) else { return nil }
        self.init(position: ArchivePosition(position), ordinal: ordinal)
    }
}
