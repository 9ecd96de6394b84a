import Glibc
import IO
import Recording
import Report
import Telemetry

/// What the program knows of the terminal and the machine around it.
enum Terminal {
    /// Whether results go to a person's screen.
    static var showsOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether colors are wanted: on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb.
    static var wantsColor: Bool {
        showsOutput && (ThisProcess.environment("NO_COLOR") ?? "").isEmpty && ThisProcess.environment("TERM") != "dumb"
    }

    /// The width to fit tables to; nil when results do not go to a terminal.
    static var widthColumns: Int? {
        showsOutput ? askedColumns ?? size.columns : nil
    }

    /// The width that somebody asks for by `COLUMNS`; nil for none, and for what no terminal has.
    static var askedColumns: Int? {
        ThisProcess.environment("COLUMNS").flatMap { Int($0) }.flatMap { (20...10_000).contains($0) ? $0 : nil }
    }

    /// The terminal's size; 80 by 24 when it does not say.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20, size.ws_row >= 5 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// What a person types to run this program again, from the same folder: the word that ran it.
    static var programWord: String { shellWord(CommandLine.arguments.first ?? "castledger") }

    /// A word as a shell wants it typed.
    static func shellWord(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "/._-+=:@".unicodeScalars.contains(scalar)
            }
        return isPlain
            ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Writes lines to stderr.
    ///
    /// A stderr that is gone is nobody's loss.
    static func complain(_ lines: [String]) {
        let text = lines.map { $0 + "\n" }.joined()
        try? Files.writeAll(STDERR_FILENO, Array(text.utf8), subject: "stderr")
    }

    /// Structured log lines on stderr, each with its time.
    static func log(minimum: LogLevel = .info) -> Log {
        Log(minimum: minimum) { _, line in
            let now = WallTime(microseconds: Clock.wallMicroseconds())
            complain(["time=\(now.text) \(line)"])
        }
    }

    /// This machine's time zone, by the C library's rules (`TZ`, /etc/localtime).
    static var localZone: Zone {
        tzset()
        let now = WallTime(microseconds: Clock.wallMicroseconds())
        return Zone(name: local(at: now).name) { local(at: $0).offsetSeconds }
    }

    private static func local(at time: WallTime) -> (name: String, offsetSeconds: Int) {
        var seconds = time_t(time.microseconds / 1_000_000)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        guard let name = unsafe parts.tm_zone else { return unsafe ("local time", Int(parts.tm_gmtoff)) }
        return unsafe (String(cString: name), Int(parts.tm_gmtoff))
    }
}
