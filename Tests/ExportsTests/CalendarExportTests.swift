import CastModel
import Plays
import Recording
import Testing

@testable import Exports

@Suite("A calendar of plays") struct CalendarExportTests {
    private func read(_ rows: [ExportRow]) throws -> JSONValue {
        try SampleLedger.read("ics", SampleLedger.file(CalendarExport(), rows))
    }

    @Test func `is read by icalendar: an event per play, at its times, on its device`() throws {
        let calendar = try read(SampleLedger.playRows)
        let events = try #require(calendar["events"]?.array)
        func texts(_ name: String) -> [String?] { events.map { $0[name]?.string } }

        #expect(calendar["broken"] == [])
        #expect(calendar["version"] == "2.0")
        #expect(
            texts("uid")
                == ["10-0", "11-2", "12-0", "13-0", "14-0"].map {
                    $0 + "@95f615df-a075-4de9-a1b9-d14addf0f875.castledger"
                })
        #expect(
            texts("start") == [
                "2026-03-01T20:00:00+00:00", "2026-03-01T20:10:00+00:00", "2026-03-01T20:15:00+00:00",
                "2026-03-01T20:30:00+00:00", "2026-03-01T20:50:00+00:00",
            ])
        // Half a second, and an end before the beginning, are a moment.
        #expect(
            texts("end") == [
                "2026-03-01T20:42:00+00:00", "2026-03-01T20:30:00+00:00", nil, "2026-03-01T20:35:00+00:00", nil,
            ])
        #expect(
            texts("stamp") == [
                "2026-03-01T20:42:00+00:00", "2026-03-01T20:30:00+00:00", "2026-03-01T20:15:00+00:00",
                "2026-03-01T20:35:00+00:00", "2026-03-01T20:49:00+00:00",
            ])
        #expect(
            texts("summary") == [
                "A Quiet Harbour",
                "Serie; with, commas: ]]>" + String(repeating: "é", count: 2048) + "\u{FFFD}\u{FFFE}end",
                "=1+1\nline\ntwo (עברית)", "Unknown content", "Back",
            ])
        #expect(
            Set(texts("location").compactMap { $0 }) == [
                "\"><script>alert(1)</script>", "=HYPERLINK(\"http://x\",\"y\")", "Küche 📺 \u{202E}gnp\nTwo",
            ])
        #expect(events[1]["categories"] == ["Telly, more; and\\more"])
    }

    @Test func `tells what is known of each play`() throws {
        let events = try #require(try read(SampleLedger.playRows)["events"]?.array)
        #expect(
            events[0]["description"]?.string == """
                App: Default Media Receiver
                Played 41 min 40 s, paused 20.5 s
                Begun by: a sender
                Ended: finished
                Content: http://192.0.2.1/a.mp4?x=1&y=2
                Play: 10/0 of recorder 95f615df-a075-4de9-a1b9-d14addf0f875
                """)
        #expect(
            events[1]["description"]?.string == """
                App: Telly, more; and\\more
                Episode: S02E05
                Played 20 min 0 s
                Begun by: the app itself
                Lasts, playing when last seen
                Play: 11/2 of recorder 95f615df-a075-4de9-a1b9-d14addf0f875
                """)
        #expect(
            events[4]["description"]?.string == """
                Played at least 30.0 s
                Not observed for 1 min 0 s: 100% observed
                Begun by: unknown
                Ended: stopped
                Play: 14/0 of recorder 95f615df-a075-4de9-a1b9-d14addf0f875
                """)
    }

    @Test func `has lines of at most 75 bytes, and no line break of the content`() throws {
        let calendar = try read(SampleLedger.playRows)
        #expect(calendar["longest_line"] == 75)
        #expect(calendar["stray_line_breaks"] == 0)
        #expect(calendar["ends_with_line"] == true)
    }

    @Test func `is folded between characters, at every length`() {
        for count in 60...90 {
            for tail in ["é", "📺", "e\u{301}"] {
                let line = String(repeating: "x", count: count) + tail + tail
                let folded = CalendarExport.lines([line])
                let lines = Array(folded.utf8).split(separator: UInt8(ascii: "\n"))
                #expect(lines.allSatisfy { $0.count <= 76 && $0.last == UInt8(ascii: "\r") })
                let unfolded = lines.enumerated().flatMap { ($0 == 0 ? $1 : $1.dropFirst()).dropLast() }
                #expect(String(decoding: unfolded, as: UTF8.self) == line)
            }
        }
    }

    @Test func `is the same file whenever it is written, and whole without plays`() throws {
        #expect(
            SampleLedger.file(CalendarExport(), SampleLedger.playRows)
                == SampleLedger.file(CalendarExport(), SampleLedger.playRows))
        #expect(
            SampleLedger.file(CalendarExport(), []) == """
                BEGIN:VCALENDAR\r
                VERSION:2.0\r
                PRODID:-//CastLedger//castledger 1.0//EN\r
                CALSCALE:GREGORIAN\r
                METHOD:PUBLISH\r
                NAME:What was played\r
                X-WR-CALNAME:What was played\r
                END:VCALENDAR\r

                """)
    }
}
