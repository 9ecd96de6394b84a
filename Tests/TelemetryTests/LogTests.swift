import Synchronization
import Telemetry
import Testing

@Suite("A log line")
struct LogTests {
    /// The lines that a log wrote, and their levels.
    private final class Lines: Sendable {
        let written = Mutex<[String]>([])
        func log(minimum: LogLevel = .debug) -> Log {
            Log(minimum: minimum) { _, line in self.written.withLock { $0.append(line) } }
        }
        var all: [String] { written.withLock { $0 } }
    }

    @Test func `is a level, a constant message, and data under dotted keys in their order`() {
        let lines = Lines()
        lines.log()(.info, "link opened", [.deviceID: "ab12", .link: "4", .address: "192.0.2.7:8009"])
        #expect(lines.all == [#"level=info msg="link opened" device.id=ab12 link=4 address=192.0.2.7:8009"#])
    }

    @Test(arguments: [
        ("", #""""#), ("two words", #""two words""#), (#"say "hi""#, #""say \"hi\"""#), ("a=b", #""a=b""#),
        ("line\nbreak", #""line\nbreak""#), ("\u{1b}[2J", #""?[2J""#), (#"back\slash"#, #"back\slash"#),
        ("Küche", #""Küche""#), ("a\u{9B}2J", #""a?2J""#), ("a\u{202E}b\u{2066}", #""a?b?""#),
        ("a\u{2028}level=error", #""a?level=error""#), ("nul\u{0}", #""nul?""#),
    ])
    func `quotes what a reader of key and value pairs could misread, and lets no terminal be steered`(
        value: String, written: String
    ) {
        let lines = Lines()
        lines.log()(.notice, "seen", [.deviceName: value])
        #expect(lines.all == ["level=notice msg=seen device.name=\(written)"])
    }

    @Test func `holds no more than 500 characters of one value`() {
        let lines = Lines()
        lines.log()(.notice, "seen", [.deviceName: String(repeating: "n", count: 500)])
        lines.log()(.notice, "seen", [.deviceName: String(repeating: "n", count: 65_536)])
        #expect(
            lines.all == [
                "level=notice msg=seen device.name=" + String(repeating: "n", count: 500),
                "level=notice msg=seen device.name=\"" + String(repeating: "n", count: 500) + "…\"",
            ])
    }

    @Test func `below the minimum is not written`() {
        let lines = Lines()
        let log = lines.log(minimum: .warning)
        for level in LogLevel.allCases { log(level, "x") }
        #expect(lines.all == ["level=warning msg=x", "level=error msg=x"])
    }
}
