/// Columns of text that fit a width.
public struct Table: Sendable {
    /// One column.
    public struct Column: Sendable {
        /// Its heading.
        public var heading: String
        /// What it takes when there is room: its content, but at most this.
        public var limitColumns: Int
        /// Whether numbers stand in it, which are set to the right.
        public var isNumeric: Bool
        /// A column.
        public init(_ heading: String, limitColumns: Int = 40, isNumeric: Bool = false) {
            self.heading = heading
            self.limitColumns = limitColumns
            self.isNumeric = isNumeric
        }
    }

    /// The columns, from the left.
    public var columns: [Column]
    /// The rows; each has one text per column, control characters and all.
    public var rows: [[String]]

    /// A table.
    public init(_ columns: [Column], rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }

    /// The lines, heading first.
    ///
    /// The last column takes what room is left.
    ///
    /// - Parameter widthColumns: The width to fit; nil cuts nothing, for pipes.
    public func lines(widthColumns: Int?) -> [String] {
        let safeRows = rows.map { row in row.map { PlainText.neutralized($0) } }
        let all = [columns.map(\.heading)] + safeRows
        var widths = columns.indices.map { column in
            all.map { column < $0.count ? PlainText.columns($0[column]) : 0 }.max() ?? 0
        }
        if let widthColumns { shrink(&widths, to: widthColumns) }
        return all.map { row in
            var line = ""
            for (column, text) in row.enumerated() where column < widths.count {
                let cell = PlainText.fitted(text, columns: widths[column])
                let isNumber = columns[column].isNumeric && PlainText.columns(text) <= widths[column]
                let padding = String(repeating: " ", count: max(0, widths[column] - PlainText.columns(text)))
                line += (column > 0 ? "  " : "") + (isNumber ? padding + text : cell)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// First to each column's limit, then the widest columns narrower, one at a time, down to 4 each.
    private func shrink(_ widths: inout [Int], to total: Int) {
        func excess() -> Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) - total }
        for column in widths.indices.dropLast() where excess() > 0 {
            widths[column] = min(widths[column], max(columns[column].limitColumns, 4))
        }
        while excess() > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 4 {
            let others = widths.enumerated().filter { $0.offset != widest }.map(\.element).max() ?? 0
            let step = max(1, min(excess(), widths[widest] - max(others, 4)))
            widths[widest] -= min(step, widths[widest] - 4)
        }
    }
}
