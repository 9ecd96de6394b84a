/// Columns of text that fit a width.
public struct Table: Sendable {
    /// One column.
    public struct Column: Sendable {
        /// Its heading.
        public var heading: String
        /// What it takes when there is room: its content, but at most this.
        public var limitColumns: Int
        /// Whether numbers stand in it, which are set to the right, and cut last.
        public var isNumeric: Bool
        /// Whether its cells are cut last although no numbers stand in it: times, say.
        public var isWhole: Bool
        /// When it is left out of a table that is too narrow: the highest rank first, 0 never.
        public var leavingRank: Int
        /// Whether it is left out when no row has anything in it.
        public var leavesEmpty: Bool
        /// A column.
        public init(
            _ heading: String, limitColumns: Int = 40, isNumeric: Bool = false, isWhole: Bool = false,
            leavingRank: Int = 0, leavesEmpty: Bool = false
        ) {
            self.heading = heading
            self.limitColumns = limitColumns
            self.isNumeric = isNumeric
            self.isWhole = isWhole
            self.leavingRank = leavingRank
            self.leavesEmpty = leavesEmpty
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

    /// What a text is left at least when columns could leave instead.
    private static let roomyColumns = 10
    /// What any cell is left.
    private static let leastColumns = 4

    /// The lines, heading first.
    ///
    /// Where they do not fit, columns leave that may, then the widest ones are cut; those that are whole come last.
    ///
    /// - Parameter widthColumns: The width to fit; nil cuts nothing, for pipes.
    public func lines(widthColumns: Int?) -> [String] {
        let safeRows = rows.map { row in row.map { PlainText.neutralized($0) } }
        let all = [columns.map(\.heading)] + safeRows
        func widest(_ column: Int, in rows: [[String]]) -> Int {
            rows.map { column < $0.count ? PlainText.columns($0[column]) : 0 }.max() ?? 0
        }
        var widths = columns.indices.map { widest($0, in: all) }
        let floors = columns.indices.map { column -> Int in
            // The heading of numbers is as short as they are; that of times may say more.
            if columns[column].isNumeric { return max(Self.leastColumns, widths[column]) }
            return columns[column].isWhole ? max(Self.leastColumns, widest(column, in: safeRows)) : Self.leastColumns
        }
        var shown = columns.indices.filter { !columns[$0].leavesEmpty || widest($0, in: safeRows) > 0 }
        if let widthColumns {
            leave(&shown, widths, floors, total: widthColumns)
            shrink(&widths, shown, floors, to: widthColumns)
        }
        return all.map { line($0, shown, widths) }
    }

    /// The columns that a reader sees where there is room for all: those that leave when they are empty, left out.
    public var shownColumns: [Int] {
        columns.indices.filter { column in
            !columns[column].leavesEmpty || rows.contains { column < $0.count && !$0[column].isEmpty }
        }
    }

    private func line(_ row: [String], _ shown: [Int], _ widths: [Int]) -> String {
        var line = ""
        for column in shown where column < row.count {
            let text = row[column]
            let cell = PlainText.fitted(text, columns: widths[column])
            let isNumber = columns[column].isNumeric && PlainText.columns(text) <= widths[column]
            let padding = String(repeating: " ", count: max(0, widths[column] - PlainText.columns(text)))
            line += (column == shown.first ? "" : "  ") + (isNumber ? padding + text : cell)
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Leaves columns out, by their rank, until what is left can be read.
    private func leave(_ shown: inout [Int], _ widths: [Int], _ floors: [Int], total: Int) {
        func needed() -> Int {
            shown.map { min(widths[$0], max(floors[$0], Self.roomyColumns)) }.reduce(0, +) + 2 * max(0, shown.count - 1)
        }
        while needed() > total {
            let next = shown.filter { columns[$0].leavingRank > 0 }
                .max { columns[$0].leavingRank < columns[$1].leavingRank }
            guard let next else { return }
            shown.removeAll { $0 == next }
        }
    }

    /// First to each column's limit, then the widest columns narrower, one at a time: those that are whole last.
    private func shrink(_ widths: inout [Int], _ shown: [Int], _ floors: [Int], to total: Int) {
        func excess() -> Int { shown.map { widths[$0] }.reduce(0, +) + 2 * max(0, shown.count - 1) - total }
        for column in shown.dropLast() where excess() > 0 {
            widths[column] = min(widths[column], max(columns[column].limitColumns, floors[column]))
        }
        for floors in [floors, floors.map { _ in Self.leastColumns }] {
            while excess() > 0 {
                let wide = shown.filter { widths[$0] > floors[$0] }
                guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { break }
                let others = wide.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
                let step = max(1, min(excess(), widths[widest] - max(others, floors[widest])))
                widths[widest] -= min(step, widths[widest] - floors[widest])
            }
        }
    }
}
