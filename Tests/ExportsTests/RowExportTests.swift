import CastModel
import Conflicts
import Differ
import Plays
import Recording
import Report
import Testing

@testable import Exports

@Suite("Rows for programs") struct RowExportTests {
    private let longTitle = "]]>" + String(repeating: "é", count: 2048) + "\u{1}\u{FFFE}end"

    @Test func `as CSV, are read back by Python as they were, and formulas are only text`() throws {
        let read = try SampleLedger.read("csv", SampleLedger.file(CSVExport(.plays), SampleLedger.playRows))
        let rows = try #require(read.array)
        func column(_ name: String) -> [String?] { rows.map { $0[name]?.string } }

        #expect(rows.count == 5)
        #expect(column("play_id") == ["10/0", "11/2", "12/0", "13/0", "14/0"])
        #expect(
            column("device") == [
                "\"><script>alert(1)</script>", "'=HYPERLINK(\"http://x\",\"y\")", "Küche 📺 \u{202E}gnp\nTwo",
                "\"><script>alert(1)</script>", "Küche 📺 \u{202E}gnp\nTwo",
            ])
        #expect(column("title") == ["A Quiet Harbour", longTitle, "'=1+1\nline\u{2028}two", "", "Back"])
        #expect(column("started_at").first == "2026-03-01T20:00:00.000000Z")
        #expect(
            column("ended_at") == [
                "2026-03-01T20:42:00.500000Z", "", "2026-03-01T20:15:00.750000Z", "2026-03-01T20:35:00.000000Z",
                "2026-03-01T20:49:00.000000Z",
            ])
        #expect(column("paused_seconds") == ["20.5", "0.0", "0.0", "0.0", "0.0"])
        #expect(rows.allSatisfy { $0.object?.pairs.count == 45 })
    }

    @Test func `have times on the clocks that were asked for`() throws {
        let heading = SampleLedger.heading(zone: SampleLedger.india)
        let csv = SampleLedger.file(CSVExport(.plays), SampleLedger.playRows, heading)
        let first = try #require(try SampleLedger.read("csv", csv).array?.first)
        #expect(first["started_at"]?.string == "2026-03-02T01:30:00.000000+05:30")
        #expect(first["ended_at"]?.string == "2026-03-02T02:12:00.500000+05:30")

        var west = heading
        west.zone = Zone(name: "America/St_Johns") { _ in -12_600 }
        let lines = SampleLedger.file(JSONLinesExport(.plays), SampleLedger.playRows, west).split(separator: "\n")
        #expect(lines[1].contains("\"started_at\":\"2026-03-01T16:30:00.000000-03:30\""))
        #expect(lines[0].contains("\"zone\":\"America/St_Johns\""))
    }

    @Test func `as JSON Lines, begin with the name of their schema`() throws {
        let text = SampleLedger.file(JSONLinesExport(.plays), SampleLedger.playRows)
        let lines = try text.split(separator: "\n").map { try JSONParser().parse(Array($0.utf8)) }
        #expect(
            lines[0] == [
                "schema": "castledger.plays/1", "from": "2026-03-01T20:00:00.000000Z",
                "to": "2026-03-01T21:00:00.000000Z", "zone": "UTC", "program": "castledger 1.0",
            ])
        #expect(lines.count == 6)
        #expect(lines[1]["title"] == "A Quiet Harbour")
        #expect(lines[2]["title"]?.string == longTitle)
        #expect(lines[2]["ended_at"] == .null)
        #expect(lines[4]["title"] == .null)
    }

    @Test func `of change events and of gaps have the names that their commands print`() throws {
        let event = ChangeEvent(
            id: .init(position: ArchivePosition(5), ordinal: 1), observedAt: SampleLedger.at(1),
            deviceID: DeviceID("bb02"), appSessionID: nil, mediaSessionID: nil, kind: .deviceVolumeChanged,
            attribution: .senderRequest, requestID: 7, callbacks: [.receiverStatus], effective: true,
            before: ["level": 0.5], after: ["level": 0.25], positionSeconds: nil)
        let gap = UnobservedFields(
            deviceID: "cc03", deviceName: nil, from: SampleLedger.at(2), to: SampleLedger.at(3), reason: "link_lost",
            missed: "device", lasts: false)
        let rows: [ExportRow] = [
            .event(EventFields(event: event, recorderID: SampleLedger.recorder, deviceName: "=TV")), .gap(gap),
            .device(SampleLedger.devices[0]),
        ]
        let events = SampleLedger.file(CSVExport(.events), rows)
        #expect(
            events == EventFields.csvHeading
                + "95f615df-a075-4de9-a1b9-d14addf0f875,5,1,2026-03-01T20:01:00.000000Z,bb02,'=TV,,,"
                + "device_volume_changed,sender_request,7,,receiver_status,true,\"{\"\"level\"\":0.5}\","
                + "\"{\"\"level\"\":0.25}\",\r\n")
        #expect(
            SampleLedger.file(CSVExport(.gaps), rows)
                == "device_id,device,from,to,reason,missed,seconds,lasts\r\n"
                + "cc03,,2026-03-01T20:02:00.000000Z,2026-03-01T20:03:00.000000Z,link_lost,device,60.0,false\r\n")
        let gaps = SampleLedger.file(JSONLinesExport(.gaps), rows)
        #expect(gaps.hasPrefix("{\"schema\":\"castledger.gaps/1\",") && gaps.split(separator: "\n").count == 2)
        let told = SampleLedger.file(JSONLinesExport(.events), rows)
        #expect(told.hasPrefix("{\"schema\":\"castledger.events/1\",") && told.split(separator: "\n").count == 2)
    }

    @Test func `of conflicts have the names that their command prints`() throws {
        let first = ChangeEvent.ID(position: ArchivePosition(812), ordinal: 1)
        let conflict = Conflict(
            id: Conflict.ID(first: first, kind: .volumeFight), deviceID: DeviceID("ab12"), appSessionID: nil,
            from: SampleLedger.at(1), to: SampleLedger.at(2), score: 0.5, undoings: 2, certainUndoings: 1,
            evidence: [first, .init(position: ArchivePosition(820), ordinal: 0)], evidenceCount: 7, actors: [],
            before: nil, after: nil, sentence: "=two, fought")
        let rows = [
            ExportRow.conflictFields(
                ConflictFields(conflict: conflict, recorderID: SampleLedger.recorder, deviceName: nil))
        ]
        let heading = SampleLedger.heading(zone: SampleLedger.india)
        let read = try SampleLedger.read("csv", SampleLedger.file(CSVExport(.conflicts), rows, heading))
        let row = try #require(read.array?.first)
        #expect(read.array?.count == 1)
        #expect(row["kind"] == "volume_fight" && row["evidence"] == "812/1 820/0" && row["sentence"] == "'=two, fought")
        #expect(row["from"] == "2026-03-02T01:31:00.000000+05:30" && row["to"] == "2026-03-02T01:32:00.000000+05:30")
        let lines = SampleLedger.file(JSONLinesExport(.conflicts), rows)
        #expect(lines.hasPrefix("{\"schema\":\"castledger.conflicts/1\",") && lines.split(separator: "\n").count == 2)
    }

    @Test func `are not broken open by accents upon quotes, commas and line breaks`() throws {
        let hostile = "a\"\u{301},=b\"\u{20DD},\r\u{301}\nc,\u{301}\"\u{FE0F}"
        var play = SampleLedger.film
        (play.content.title, play.content.artist) = (hostile, "after it")
        let rows = try SampleLedger.read(
            "csv", SampleLedger.file(CSVExport(.plays), [.play(SampleLedger.fields(play))]))
        #expect(rows.array?.count == 1)
        #expect(rows.array?.first?["title"]?.string?.unicodeScalars.elementsEqual(hostile.unicodeScalars) == true)
        #expect(rows.array?.first?["artist"] == "after it")
        let lines = SampleLedger.file(JSONLinesExport(.plays), [.play(SampleLedger.fields(play))])
        let read = try JSONParser().parse(Array((lines.split(separator: "\n").last ?? "").utf8))
        #expect(read["title"]?.string?.unicodeScalars.elementsEqual(hostile.unicodeScalars) == true)
    }

    @Test func `of an empty ledger are a heading alone`() throws {
        #expect(try SampleLedger.read("csv", SampleLedger.file(CSVExport(.plays), [])) == [])
        #expect(SampleLedger.file(JSONLinesExport(.plays), []).split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t1", "\r1", "\n1", "＝1+1", "＋1", "－1", "＠SUM(A1)",
    ])
    func `that a spreadsheet would run get an apostrophe`(text: String) throws {
        var play = SampleLedger.film
        play.content.title = text
        let file = SampleLedger.file(CSVExport(.plays), [.play(SampleLedger.fields(play))])
        #expect(try SampleLedger.read("csv", file).array?.first?["title"]?.string == "'" + text)
    }
}
