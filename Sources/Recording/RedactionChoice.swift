/// What an operator wants left out, besides secrets, which no reader ever sees (PROTOCOL 7.5).
public enum RedactionChoice: String, Sendable, Hashable, CaseIterable {
    /// What was played: the database knows app, times and durations, and no titles.
    case titles
    /// Secrets, already in the archive: its payloads are then not exact.
    case archive
}
