import CastModel
import Differ
import Recording
import Testing

@testable import Report

/// 2026-03-01T20:15:04.123456Z, by GNU date.
let evening = WallTime(microseconds: 1_772_396_104_123_456)

/// A change event with only what a test is about.
func changeEvent(
    _ kind: ChangeEvent.Kind, before: JSONValue? = nil, after: JSONValue? = nil,
    attribution: ChangeEvent.Attribution = .receiver, requestID: Int64? = 0, effective: Bool = true,
    positionSeconds: Double? = nil, observedAt: WallTime = evening
) -> ChangeEvent {
    ChangeEvent(
        id: ChangeEvent.ID(position: ArchivePosition(812), ordinal: 1), observedAt: observedAt,
        deviceID: DeviceID("ab12"), appSessionID: AppSessionID("s-1"), mediaSessionID: 3, kind: kind,
        attribution: attribution, requestID: requestID, callbacks: [.mediaMetadata, .mediaStatus],
        effective: effective, before: before, after: after, positionSeconds: positionSeconds)
}

@Suite("Plain text") struct PlainTextTests {
    @Test func `does not let a name steer the terminal`() {
        #expect(PlainText.neutralized("\u{1b}[2JTV") == "\u{FFFD}[2JTV")
        #expect(PlainText.neutralized("a\u{7}b\u{7f}c\u{9b}d") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d")
        #expect(PlainText.neutralized("one\ntwo\tthree\r") == "one two three ")
        #expect(PlainText.neutralized("abc\u{202E}def") == "abc\u{FFFD}def")
    }

    @Test func `leaves letters of all scripts alone`() {
        for text in ["Küche", "居間のテレビ", "Гостиная", "Salon 📺", "غرفة"] { #expect(PlainText.neutralized(text) == text) }
    }

    @Test func `no scalar below U+00A0 that is a control comes through`() {
        for value in (UInt32(0)..<0x20).map({ $0 }) + Array(UInt32(0x7F)..<0xA0) {
            let text = Unicode.Scalar(value).map { PlainText.neutralized(String($0)) }
            #expect(text == "\u{FFFD}" || text == " ", "U+\(value)")
        }
    }

    @Test func `is cut with an ellipsis`() {
        #expect(PlainText.neutralized("abcdef", limitCharacters: 4) == "abc…")
        #expect(PlainText.neutralized("abcd", limitCharacters: 4) == "abcd")
        #expect(PlainText.neutralized(String(repeating: "x", count: 100_000), limitCharacters: 4) == "xxx…")
    }

    @Test(arguments: [("TV", 2), ("Küche", 5), ("居間", 4), ("📺", 2), ("e\u{301}", 1), ("", 0), ("한국", 4)])
    func `is as wide as a terminal shows it`(text: String, columns: Int) {
        #expect(PlainText.columns(text) == columns)
    }

    @Test(arguments: [
        ("TV", 5, "TV   "), ("Living Room", 7, "Living…"), ("居間のテレビ", 6, "居間… "), ("居間のテレビ", 12, "居間のテレビ"),
        ("abc", 3, "abc"), ("abc", 1, "…"), ("abc", 0, ""),
    ])
    func `fits a column exactly`(text: String, columns: Int, fitted: String) {
        #expect(PlainText.fitted(text, columns: columns) == fitted)
    }
}

@Suite("Figures") struct FigureTests {
    @Test(
        arguments: [
            (0.0, "0:00"), (5.9, "0:05"), (65, "1:05"), (3723, "1:02:03"), (36_000, "10:00:00"), (-5, "-0:05"),
            (1e300, "?"), (Double.nan, "?"),
        ] as [(Double, String)])
    func `write a position`(seconds: Double, text: String) {
        #expect(Figures.position(seconds) == text)
    }

    @Test(
        arguments: [
            (0.0, "0.0 s"), (0.44, "0.4 s"), (11.2, "11.2 s"), (59.97, "1 min 0 s"), (185, "3 min 5 s"),
            (7800, "2 h 10 min"), (273_600, "3 d 4 h"), (-1, "? s"), (Double.infinity, "? s"),
        ] as [(Double, String)])
    func `write a stretch of time`(seconds: Double, text: String) {
        #expect(Figures.stretch(seconds) == text)
    }

    @Test(
        arguments: [
            (0.4, "40%"), (1, "100%"), (0.225, "22.5%"), (0.2258, "22.6%"), (0, "0%"), (1.0 / 3, "33.3%"),
        ] as [(Double, String)])
    func `write a level`(level: Double, text: String) {
        #expect(Figures.percent(level) == text)
    }

    @Test(
        arguments: [(1.5, "1.5"), (2, "2"), (0.75, "0.75"), (-0.5, "-0.5"), (-0.0001, "0"), (0.001, "0.001")]
            as [(Double, String)])
    func `write a number without trailing zeros`(number: Double, text: String) {
        #expect(Figures.decimal(number) == text)
    }

    @Test(arguments: [(512, "512 B"), (1536, "1.5 KiB"), (67_108_864, "64 MiB")] as [(Int64, String)])
    func `write bytes`(count: Int64, text: String) {
        #expect(Figures.bytes(count) == text)
    }
}

// A made-up zone, one hour ahead, two from 2026-03-29T01:00:00Z to 2026-10-25T01:00:00Z: central Europe's rules.
let centralEurope = Zone(name: "CET") { time in
    (1_774_746_000_000_000..<1_792_890_000_000_000).contains(time.microseconds) ? 7200 : 3600
}

@Suite("A zone") struct ZoneTests {
    @Test func `shows the calendar and clocks of its place`() {
        #expect(Zone.utc.day(evening) == "2026-03-01")
        #expect(Zone.utc.timeOfDay(evening) == "20:15:04.123")
        #expect(centralEurope.timeOfDay(evening) == "21:15:04.123")
        #expect(centralEurope.day(WallTime(microseconds: 1_772_406_000_000_000)) == "2026-03-02")
    }

    @Test func `finds the moment that a local time means`() {
        // 2026-03-01T21:15 in Berlin is 20:15 UTC; 2026-07-01T12:00 is 10:00 UTC.
        #expect(
            centralEurope.resolve(WallTime(microseconds: 1_772_399_700_000_000)).microseconds == 1_772_396_100_000_000)
        #expect(
            centralEurope.resolve(WallTime(microseconds: 1_782_907_200_000_000)).microseconds == 1_782_900_000_000_000)
    }
}

@Suite("CSV") struct CSVTests {
    @Test func `quotes what RFC 4180 asks to quote`() {
        #expect(
            CSVLine.text(["a", "b,c", "say \"hi\"", "two\nlines"]) == "a,\"b,c\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n")
    }

    @Test func `keeps absent and empty apart`() {
        #expect(CSVLine.text([nil, "", "x"]) == ",\"\",x\r\n")
    }

    @Test func `defuses formulas and leaves numbers`() {
        #expect(CSVLine.text(["=1+1", "@SUM(A1)", "+49", "-0.5", "-x"]) == "'=1+1,'@SUM(A1),+49,-0.5,'-x\r\n")
        #expect(CSVLine.text(["=HYPERLINK(\"http://x\")"]) == "\"'=HYPERLINK(\"\"http://x\"\")\"\r\n")
        // An accent makes no other sign of a quote.
        #expect(
            Array(CSVLine.text(["a\"\u{301},b"]).unicodeScalars) == Array("\"a\"\"\u{301},b\"\r\n".unicodeScalars))
        // Where the comma is the decimal sign, a semicolon begins a cell; so do tabs and line breaks, unquoted.
        #expect(
            CSVLine.text(["a;=1+1", "a; \"@b", "a\n-b", "a;b=c", "a-b", " =1", "1e5", "-0x1p3", "-inf"])
                == "a;'=1+1,\"a; \"\"'@b\",\"a\n'-b\",a;b=c,a-b, '=1,1e5,'-0x1p3,'-inf\r\n")
        #expect(CSVLine.text(["a\t＝b", "＋1"]) == "a\t'＝b,'＋1\r\n")
    }
}

@Suite("A table") struct TableTests {
    let table = Table(
        [.init("name", limitColumns: 12), .init("count", isNumeric: true), .init("note")],
        rows: [["Living Room TV", "7", "first"], ["居間", "1200", "a note that is long"]])

    @Test func `is as wide as its content when nothing limits it`() {
        #expect(
            table.lines(widthColumns: nil) == [
                "name            count  note",
                "Living Room TV      7  first",
                "居間             1200  a note that is long",
            ])
    }

    @Test func `fits the width of a terminal`() {
        #expect(
            table.lines(widthColumns: 30) == [
                "name        count  note",
                "Living Ro…      7  first",
                "居間         1200  a note tha…",
            ])
        for width in 20...60 {
            for line in table.lines(widthColumns: width) { #expect(PlainText.columns(line) <= width) }
        }
    }

    @Test func `leaves out columns before it cuts what is whole, and empty ones always`() {
        let table = Table(
            [
                .init("began", isWhole: true), .init("title"), .init("played", isNumeric: true),
                .init("cause", leavingRank: 2), .init("end", leavingRank: 1), .init("seeks", leavesEmpty: true),
            ],
            rows: [["20:00:00", "The Lighthouse Keeper", "12 min 5 s", "sender request", "finished", ""]])
        #expect(
            table.lines(widthColumns: nil) == [
                "began     title                      played  cause           end",
                "20:00:00  The Lighthouse Keeper  12 min 5 s  sender request  finished",
            ])
        #expect(table.lines(widthColumns: 60)[1] == "20:00:00  The Lighthou…  12 min 5 s  sender reque…  finished")
        #expect(table.lines(widthColumns: 50)[1] == "20:00:00  The Lighthouse Ke…  12 min 5 s  finished")
        #expect(table.lines(widthColumns: 36)[1] == "20:00:00  The Lighthous…  12 min 5 s")
        #expect(table.lines(widthColumns: 24)[1] == "20:00:00  The…  12 min …")
        for width in 16...80 {
            for line in table.lines(widthColumns: width) { #expect(PlainText.columns(line) <= width) }
        }
    }

    @Test func `neutralizes its cells`() {
        let table = Table([.init("name")], rows: [["\u{1b}c"]])
        #expect(table.lines(widthColumns: 80) == ["name", "\u{FFFD}c"])
    }
}
