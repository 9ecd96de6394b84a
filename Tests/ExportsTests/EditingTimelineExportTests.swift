import CastModel
import Plays
import Recording
import Testing

@testable import Exports

@Suite("An editing timeline") struct EditingTimelineExportTests {
    private func read(_ rows: [ExportRow], _ heading: ExportHeading = SampleLedger.heading()) throws -> JSONValue {
        try SampleLedger.read("otio", SampleLedger.file(EditingTimelineExport(), rows, heading))
    }

    /// "Clip 600 120 +0 10/0": kind, begin, length, part skipped, and the play or the state.
    private func items(_ track: JSONValue) -> [String] {
        (track["items"]?.array ?? []).map { item in
            let ours = item["metadata"]?["castledger"]
            let words =
                ours?["play_id"]?.string
                ?? [ours?["state"]?.string, ours?["missed"]?.string, ours?["reason"]?.string].compactMap { $0 }
                .joined(separator: " ")
            let figures = [item["at"], item["for"], item["skips"]].map { $0?.text ?? "?" }
            return "\(item["kind"]?.string ?? "?") \(figures[0]) \(figures[1]) +\(figures[2]) \(words)"
        }
    }

    @Test func `is read by opentimelineio: a track per device, filled without holes, gaps told apart`() throws {
        let timeline = try read(SampleLedger.rowsByDevice())
        let tracks = try #require(timeline["tracks"]?.array)
        #expect(timeline["begins"] == 1_772_395_200)
        #expect(timeline["for"] == 3600)
        #expect(
            tracks.map { $0["name"]?.string } == [
                "\"><script>alert(1)</script>", "=HYPERLINK(\"http://x\",\"y\")", "Küche 📺 \u{202E}gnp\nTwo",
            ])
        #expect(tracks.allSatisfy { $0["for"] == 3600 && $0["kind"] == "Video" })
        #expect(
            items(tracks[0]) == [
                "Clip 0.0 600.0 +0.0 10/0", "Gap 600.0 120.0 +0.0 unobserved device link_lost",
                "Clip 720.0 1080.0 +720.0 10/0", "Clip 1800.0 300.0 +0.0 13/0", "Clip 2100.0 300.0 +2100.0 10/0",
                "Gap 2400.0 60.0 +0.0 unobserved media not_joined", "Clip 2460.0 60.5 +2460.0 10/0",
                "Gap 2520.5 779.5 +0.0 no_play", "Gap 3300.0 300.0 +0.0 unknown",
            ])
        #expect(
            items(tracks[1]) == [
                "Gap 0.0 600.0 +0.0 unknown", "Clip 600.0 1200.0 +0.0 11/2", "Gap 1800.0 1800.0 +0.0 unknown",
            ])
        // A play that ends before it begins, since the clock was set back, is a moment.
        #expect(
            items(tracks[2]) == [
                "Gap 0.0 900.25 +0.0 unknown", "Clip 900.25 0.5 +0.0 12/0", "Gap 900.75 2099.25 +0.0 unknown",
                "Clip 3000.0 0.0 +0.0 14/0", "Gap 3000.0 600.0 +0.0 unknown",
            ])
    }

    @Test func `has conflicts as markers of the track, and all that is known of a play in its clip`() throws {
        let tracks = try #require(try read(SampleLedger.rowsByDevice())["tracks"]?.array)
        #expect(
            tracks[0]["markers"] == [
                [
                    "name": "volume_fight", "from": 1200, "for": 15, "comment": "Two senders <b>fought</b>.",
                    "color": "RED",
                    "metadata": [
                        "castledger": [
                            "kind": "volume_fight", "score": 0.9, "from": "2026-03-01T20:20:00.000000Z",
                            "to": "2026-03-01T20:20:15.000000Z", "evidence": ["100/0", "101/0", "102/0"],
                        ]
                    ],
                ],
                [
                    "name": "takeover", "from": 3594, "for": 6, "comment": "Two senders <b>fought</b>.",
                    "color": "RED",
                    "metadata": [
                        "castledger": [
                            "kind": "takeover", "score": 0.9, "from": "2026-03-01T20:59:54.000000Z",
                            "to": "2026-03-01T21:01:00.000000Z", "evidence": ["100/0"],
                        ]
                    ],
                ],
            ])
        let clip = try #require(tracks[2]["items"]?.array?[1])
        #expect(clip["name"] == "=1+1\nline\u{2028}two (עברית)")
        #expect(clip["metadata"]?["castledger"]?["artist"] == "עברית")
        #expect(clip["metadata"]?["castledger"]?["end_reason"] == "failed")
        #expect(tracks[1]["items"]?.array?[1]["metadata"]?["castledger"]?["title"]?.string == SampleLedger.longTitle)
    }

    @Test func `is cut to its period`() throws {
        let tracks = try #require(
            try read(SampleLedger.rowsByDevice(), SampleLedger.heading(from: 31, to: 34))["tracks"]?.array)
        #expect(items(tracks[0]) == ["Clip 0.0 180.0 +60.0 13/0"])
        #expect(items(tracks[1]) == ["Gap 0.0 180.0 +0.0 unknown"])
        #expect(tracks[0]["markers"] == [])
    }

    @Test func `of an empty ledger is whole`() throws {
        #expect(try read([])["tracks"] == [])
        let alone = try read([.device(SampleLedger.devices[0])])
        #expect(alone["tracks"]?.array.map { items($0[0]) } == ["Gap 0.0 3600.0 +0.0 unknown"])
    }
}
