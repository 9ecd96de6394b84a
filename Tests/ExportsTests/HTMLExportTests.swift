import CastModel
import IO
import Plays
import Recording
import Report
import Testing

@testable import Exports

@Suite("A report to look at") struct HTMLExportTests {
    private static let berlin = Zone(name: "Europe/Berlin") { time in
        // Summer time of 2026: from March 29 to October 25, each at 01:00 UTC.
        time.microseconds >= 1_774_746_000_000_000 && time.microseconds < 1_792_890_000_000_000 ? 7200 : 3600
    }

    /// The evening of the three devices, as one section.
    private static func page(_ heading: ExportHeading = SampleLedger.heading()) -> String {
        var totals = ExportTotals()
        for play in SampleLedger.plays { totals.add(SampleLedger.fields(play), apps: .builtIn) }
        for mark in SampleLedger.conflicts { totals.add(mark) }
        totals.add(DeviceID("aa01"), knownSeconds: 3300, observedSeconds: 3120)
        var rows: [ExportRow] = []
        for section in HTMLExport.sections(of: heading) {
            rows.append(.day(from: section.from, to: section.to))
            rows += SampleLedger.conflicts.map { ExportRow.conflict($0) } + SampleLedger.playRows
            for device in SampleLedger.devices {
                let spans = LaneBuilder.spans(
                    of: device,
                    plays: SampleLedger.plays.filter { $0.deviceID == device.deviceID }.map(SampleLedger.fields),
                    observation: device.deviceID.text == "aa01" ? SampleLedger.observation : [], in: heading,
                    from: heading.from, to: heading.to)
                rows += spans.map { ExportRow.lane($0) }
            }
        }
        return SampleLedger.file(HTMLExport(totals: totals), rows, heading)
    }

    @Test func `has no script, fetches nothing, and lets no other style apply`() throws {
        let read = try SampleLedger.read("html", Self.page())
        let style = try #require(read["style"]?.string)
        #expect(
            read["policy"]?.string
                == "default-src 'none'; style-src '\(style)'; base-uri 'none'; form-action 'none'")
        #expect(read["scripts"] == 0)
        #expect(read["foreign"] == [])
        #expect(read["fetches"] == [])
        #expect(read["left_open"] == [])
    }

    @Test func `draws every stretch, hatches gaps, marks conflicts, and names all as text`() throws {
        let read = try SampleLedger.read("html", Self.page())
        // Of the film four parts, of the others one each; idle is what was observed behind the film.
        #expect(
            read["shapes"] == [
                "rect.unknown": 8, "rect.unobserved": 2, "rect.idle": 1, "path.grid": 1, "path.conflict": 2,
            ])
        let texts = (read["texts"]?.array ?? []).compactMap { $0.string }
        for text in [
            "2026-03-01 20:00 to 2026-03-01 21:00, UTC", "\"><script>alert(1)</script>",
            "=HYPERLINK(\"http://x\",\"y\")", "Küche 📺 \u{FFFD}gnp Two", "A Quiet Harbour",
            "=1+1 line two (עברית)", "at least 46 min 40 s", "at least 1 h 7 min", "94.5%", "5",
            "Two senders <b>fought</b>.",
            "Default Media Receiver", "Unknown content", "lasts", "(end not observed)", "at least 30.0 s",
        ] {
            let isThere = texts.contains { $0.contains(text) }
            #expect(isThere, "\(text) is not in \(texts.map { $0.prefix(60) })")
        }
    }

    @Test func `is drawn by Chromium without a complaint`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-html")
        defer { try? Files.removeTree(folder) }
        try Files.replace(folder + "/page.html", with: Array(Self.page().utf8))
        let (exit, output) = try ChildProcess.run(
            [
                "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
                "--disable-background-networking", "--disable-component-update", "--user-data-dir=\(folder)/profile",
                "--enable-logging=stderr", "--log-level=0", "--log-net-log=\(folder)/net.json",
                "--net-log-capture-mode=IncludeSensitive", "--dump-dom", "file://\(folder)/page.html",
            ], includingErrors: true)
        let words = String(decoding: output, as: UTF8.self)
        #expect(exit == .code(0), "\(words)")
        let complaints = words.split(separator: "\n").filter { $0.contains(":CONSOLE") }
        #expect(complaints.isEmpty, "\(complaints)")
        #expect(words.contains("<h1>What was played</h1>"))
        #expect(words.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        // Eight on the timeline, and the one of the legend.
        #expect(words.split(separator: "<rect class=\"unknown\"").count == 10)
        // No name that a device or app told was looked up, and nothing was asked of any host.
        let network = String(decoding: try Files.read(folder + "/net.json", limitBytes: 1 << 26), as: UTF8.self)
        #expect(network.contains("file:///") && !network.contains("192.0.2.1"), "\(network.prefix(2000))")
    }

    @Test func `has a section for each day of a longer period, of 23 hours and of 25 as clocks are set`() throws {
        func hours(_ from: String, _ to: String) throws -> [Double] {
            let heading = ExportHeading(
                from: try #require(WallTime(text: from)), to: try #require(WallTime(text: to)), zone: Self.berlin)
            return HTMLExport.sections(of: heading).map { $0.to.seconds(since: $0.from) / 3600 }
        }
        // Berlin's days of March 28 to 30 begin at 23:00 UTC, those after the change at 22:00.
        #expect(try hours("2026-03-27T23:00:00.000000Z", "2026-03-30T22:00:00.000000Z") == [24, 23, 24])
        #expect(try hours("2026-10-23T22:00:00.000000Z", "2026-10-26T23:00:00.000000Z") == [24, 25, 24])
        // What is short is one section, also over midnight; of what is long, the days are drawn whole.
        #expect(try hours("2026-03-01T12:00:00.000000Z", "2026-03-02T12:00:00.000000Z") == [24])
        #expect(try hours("2026-03-01T12:00:00.000000Z", "2026-03-01T13:00:00.000000Z") == [1])
        #expect(try hours("2026-03-01T12:00:00.000000Z", "2026-03-03T00:00:01.000000Z") == [24, 24, 24])
        #expect(try hours("2026-03-01T12:00:00.000000Z", "2026-03-01T12:00:00.000000Z") == [])
    }

    @Test func `has hours on the axis as the clocks show them, also twice`() throws {
        let start = try #require(WallTime(text: "2026-10-24T22:00:00.000000Z"))
        let marks = HourAxis.marks(
            from: start, to: WallTime(microseconds: start.microseconds + 25 * 3_600_000_000), zone: Self.berlin)
        #expect(
            marks.map(\.text) == [
                "00:00", "02:00", "02:00", "04:00", "06:00", "08:00", "10:00", "12:00", "14:00", "16:00", "18:00",
                "20:00", "22:00", "00:00",
            ])
        let evening = HourAxis.marks(from: SampleLedger.at(1), to: SampleLedger.at(59), zone: SampleLedger.india)
        #expect(
            evening.map(\.text) == [
                "01:35", "01:40", "01:45", "01:50", "01:55", "02:00", "02:05", "02:10", "02:15", "02:20", "02:25",
            ])
    }

    @Test func `of an empty ledger says so`() throws {
        let heading = ExportHeading(from: SampleLedger.at(0), to: SampleLedger.at(60))
        let read = try SampleLedger.read(
            "html",
            SampleLedger.file(
                HTMLExport(totals: ExportTotals()), [.day(from: SampleLedger.at(0), to: SampleLedger.at(60))], heading))
        #expect(read["texts"]?.array?.contains("Nothing is known of this time.") == true)
        #expect(read["left_open"] == [])
    }
}
