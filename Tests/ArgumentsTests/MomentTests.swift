import Arguments
import Testing

// Expected values: GNU date, such as `date -u -d 2026-03-01T20:15:00Z +%s`.
@Suite("A moment") struct MomentTests {
    @Test(arguments: [
        ("2026-03-01", 1_772_323_200_000_000, true),
        ("2026-03-01T20:15", 1_772_396_100_000_000, true),
        ("2026-03-01 20:15", 1_772_396_100_000_000, true),
        ("2026-03-01T20:15:04", 1_772_396_104_000_000, true),
        ("2026-03-01T20:15:04.5Z", 1_772_396_104_500_000, false),
        ("2026-03-01T20:15:04.123456Z", 1_772_396_104_123_456, false),
        ("2026-03-01T20:15:04+01:00", 1_772_392_504_000_000, false),
        ("2026-03-01T20:15-03:30", 1_772_408_700_000_000, false),
        ("1970-01-01", 0, true),
        ("2024-02-29", 1_709_164_800_000_000, true),
        ("2000-02-29", 951_782_400_000_000, true),
        ("2000-03-01", 951_868_800_000_000, true),
        ("9999-12-31", 253_402_214_400_000_000, true),
        ("now", noon, false),
        ("-2h", noon - 7_200_000_000, false),
        ("-1d12h", noon - 129_600_000_000, false),
    ])
    func `is read from what people type`(text: String, microseconds: Int64, isWithoutZone: Bool) {
        #expect(
            Moment(text, now: noon) == Moment(microseconds: microseconds, isWithoutZone: isWithoutZone))
    }

    @Test(arguments: [
        "", "-", "2h", "yesterday", "2026-3-1", "2026-13-01", "2026-00-10", "2026-02-29", "2100-02-29", "1969-12-31",
        "2026-03-01T", "2026-03-01T24:00", "2026-03-01T20:60", "2026-03-01T20:15:60", "2026-03-01T20:15:04.",
        "2026-03-01T20:15:04.1234567Z", "2026-03-01T20:15Zx", "2026-03-01T20:15+1:00", "-2x", "+2h", "-99999999999d",
        "２026-03-01",
    ])
    func `is refused when it is none`(text: String) {
        #expect(Moment(text, now: noon) == nil)
    }
}

@Suite("A duration") struct DurationTests {
    @Test(arguments: [
        ("90s", 90), ("5m", 300), ("2h", 7200), ("7d", 604_800), ("1h30m", 5400), ("1d2h3m4s", 93_784), ("0s", 0),
    ])
    func `is a number and a unit, or several from large to small`(text: String, seconds: Int64) {
        #expect(DurationText.parse(text) == .seconds(seconds))
    }

    @Test(arguments: ["", "5", "s", "5 m", "30m1h", "1h1h", "-5m", "1.5h", "100001d", "9999999999d", "５m", "5M"])
    func `is refused otherwise`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }
}

@Suite("A suggestion") struct SuggestionTests {
    @Test(arguments: [
        ("--devcie", "--device"), ("--form", "--from"), ("--jsn", "--json"), ("--DEVICE", "--device"),
        ("--no-discovry", "--no-discovery"),
    ])
    func `is the nearest candidate`(word: String, meant: String) {
        let names = ["--device", "--from", "--to", "--json", "--no-discovery"]
        #expect(Suggestion.nearest(to: word, among: names) == meant)
    }

    @Test(arguments: ["--colour", "--x", "", "--verbose"])
    func `is not made when nothing is near`(word: String) {
        #expect(Suggestion.nearest(to: word, among: ["--device", "--from", "--json"]) == nil)
    }
}
