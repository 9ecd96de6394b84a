/// What the log of a PostgreSQL server tells of its end.
enum ServerLog {
    /// The severities that name a cause, the gravest first; PostgreSQL writes them untranslated, since we start it so.
    private static let severities = [" PANIC: ", " FATAL: ", " ERROR: ", "error: "]

    /// A line is cut after this many bytes.
    private static let lengthLimit = 500

    /// Why a server that has ended did so, in its own words.
    ///
    /// The log's last line is seldom the reason: a server that cannot write says so, then that a process of it was aborted, and
    /// last that it is shut down. So the gravest line since its last start is taken, and the last one when none is grave.
    static func reason(in log: [UInt8]) -> String {
        let lines = log.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0.prefix(lengthLimit), as: UTF8.self)
        }
        let start = lines.lastIndex { $0.contains("starting PostgreSQL") } ?? lines.startIndex
        for severity in severities {
            if let line = lines[start...].last(where: { $0.contains(severity) }) { return line }
        }
        return lines.last ?? ""
    }
}
