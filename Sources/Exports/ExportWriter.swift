/// Writes one form of file, text by text.
///
/// What it keeps in memory does not grow with the number of rows. Rows of kinds that a form has no place for give no
/// text.
public protocol ExportWriter {
    /// What the file begins with.
    mutating func begin(_ heading: ExportHeading) -> String
    /// What the next row adds.
    mutating func add(_ row: ExportRow) -> String
    /// What the file ends with.
    mutating func end() -> String
}
