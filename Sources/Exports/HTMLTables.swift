public import Report

/// Tables of a report as a page to look at and to print: without scripts, and fetching nothing.
///
/// What `castledger report` prints to a terminal, with nothing cut. Nothing is kept: what is given is written.
public struct HTMLTables {
    private let title: String
    private let heading: ExportHeading

    /// A page.
    public init(title: String, _ heading: ExportHeading) {
        self.title = title
        self.heading = heading
    }

    /// The top of the page.
    public var begin: String {
        HTMLExport.head(title: title, heading)
    }

    /// A table.
    public func table(_ table: Table) -> String {
        let shown = table.shownColumns
        func row(_ cells: [String], _ tag: String) -> String {
            HTMLText.row(
                shown.map { column in
                    let text = column < cells.count ? cells[column] : ""
                    return (HTMLText.isolated(text, limitCharacters: 2_000), table.columns[column].isNumeric)
                }, tag)
        }
        return "<div class=\"card\"><table>\n<thead>\n" + row(table.columns.map(\.heading), "th")
            + "</thead>\n<tbody>\n"
            + table.rows.map { row($0, "td") }.joined() + "</tbody>\n</table></div>\n"
    }

    /// A line of text between tables.
    public func line(_ text: String) -> String {
        text.isEmpty ? "" : "<p>\(HTMLText.isolated(text, limitCharacters: 2_000))</p>\n"
    }

    /// The bottom of the page.
    public var end: String { HTMLExport.foot(heading) }
}
