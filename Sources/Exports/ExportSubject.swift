/// Of what a file for programs has rows.
public enum ExportSubject: String, Sendable, CaseIterable {
    /// What was played.
    case plays
    /// What changed.
    case events
    /// What was missed.
    case gaps
    /// Who undid whom.
    case conflicts

    /// The version of its names: it grows when a name changes its meaning or goes, not when one is added at the end.
    public var schemaVersion: Int { 1 }

    /// What the first line of a JSON Lines file says: "castledger.plays/1".
    public var schemaName: String { "castledger.\(rawValue)/\(schemaVersion)" }
}
