import IO
import TestSupport
import Testing

@testable import Store

// Goal: colors for people at a terminal who want them, and for nobody else; bars as wide as the terminal.
// Method: the program on a pseudo-terminal of a width, which Python's pty module makes; and into a pipe.
//
// Sunday on the clocks of UTC: a film from 20:00 to 22:00, a gap from 12:00 to 13:00.
@Suite("What goes to a terminal", .waits) struct TerminalTests {
    private let stage: DayStage

    init() throws {
        stage = try DayStage()
        try stage.record(until: "2026-03-02T00:00:00Z") { story in
            story.link("2026-03-01T00:00:00Z", "tv1")
            story.gap("2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z", on: "tv1")
            story.film("2026-03-01T20:00:00Z", "2026-03-01T22:00:00Z", on: "tv1")
        }
    }

    private static let terminal = """
        import fcntl, os, pty, struct, sys, termios
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[1]), 0, 0))
            os.execv(sys.argv[2], sys.argv[2:])
        while True:
            try:
                content = os.read(terminal, 65536)
            except OSError:  # Linux says so when the other side is closed.
                break
            if not content:
                break
            os.write(1, content)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """

    /// The lines that the program prints of that day to a terminal, or into a pipe, in an environment.
    private func lines(
        _ words: [String], terminalColumns: Int?, _ environment: [String] = []
    ) throws -> [String] {
        let question =
            words + [
                "--from", "2026-03-01", "--to", "2026-03-02", "--data", "/nonexistent/castledger", "--database",
                stage.address,
            ]
        let program =
            ["/usr/bin/env", "-u", "NO_COLOR", "-u", "COLUMNS", "TERM=xterm"] + environment + [Program.path] + question
        let command = terminalColumns.map { ["python3", "-c", Self.terminal, "\($0)"] + program } ?? program
        let (exit, output) = try ChildProcess.run(command)
        #expect(exit == .code(0))
        return String(decoding: output, as: UTF8.self).split { $0.isNewline }.map(String.init)
            .filter { !$0.hasPrefix("castledger: ") }
    }

    private static let escape: Character = "\u{1B}"

    @Test(arguments: [["timeline"], ["timeline", "--chart"]])
    func `has colors only there, and only if NO_COLOR and TERM want them`(words: [String]) throws {
        func isColored(_ terminalColumns: Int?, _ environment: [String] = []) throws -> Bool {
            try lines(words, terminalColumns: terminalColumns, environment).contains { $0.contains(Self.escape) }
        }
        #expect(try isColored(80))
        #expect(try !isColored(80, ["NO_COLOR=1"]))
        // As no-color.org has it: an empty one is none.
        #expect(try isColored(80, ["NO_COLOR="]))
        #expect(try !isColored(80, ["TERM=dumb"]))
        #expect(try !isColored(nil))
    }

    // The name takes 3 columns and 2 stand between: the bar has the rest. Of a day, an hour of a gap and two hours of a film
    // are at least one cell and two, where there is one for each hour.
    @Test(arguments: [40, 80, 200]) func `has bars as wide as it is`(columns: Int) throws {
        let drawn = try lines(["timeline", "--chart"], terminalColumns: columns, ["NO_COLOR=1"])
        let bar = try #require(drawn.first { $0.hasPrefix("TV1") })
        // The last two hours of the day are idle: the bar goes to the end.
        #expect(bar.count == columns, "\(bar)")
        let cells = Double(columns - 5)
        #expect(abs(Double(bar.filter { $0 == "█" }.count) - cells * 2 / 24) <= 1, "\(bar)")
        #expect(abs(Double(bar.filter { $0 == "?" }.count) - cells / 24) <= 1, "\(bar)")
        for line in drawn.dropFirst() { #expect(line.count <= columns, "\(line)") }
        // Whoever sets COLUMNS has the last word, also where no terminal says how wide it is.
        let piped = try lines(["timeline", "--chart"], terminalColumns: nil, ["COLUMNS=\(columns)"])
        #expect(piped.first { $0.hasPrefix("TV1") } == bar)
        let other = try lines(["timeline", "--chart"], terminalColumns: 120, ["COLUMNS=\(columns)", "NO_COLOR=1"])
        #expect(other.first { $0.hasPrefix("TV1") } == bar)
    }
}
