import Recording
import Testing

@testable import Report

@Suite("Rows of coverage") struct CoverageFieldsTests {
    private func day(
        _ device: String, _ day: String, known: Double = 86_400, observed: Double, media: Double? = nil,
        _ missed: [String: Double] = [:]
    ) -> CoverageFields {
        CoverageFields(
            scope: .day, deviceID: device, deviceName: device.uppercased(), day: day,
            figures: CoverageFigures(
                knownSeconds: known, observedSeconds: observed, mediaObservedSeconds: media ?? observed,
                missedSeconds: missed))
    }

    @Test func `add up by device, and over all where there are several`() {
        let rows = CoverageFields.withSums([
            day("tv1", "2026-03-01", observed: 86_400),
            day("tv1", "2026-03-02", observed: 50_400, ["device_unreachable": 35_400, "link_lost": 600]),
            day(
                "tv2", "2026-03-02", known: 43_200, observed: 42_600, media: 39_000,
                ["link_lost": 600, "not_joined": 3600]),
        ])
        #expect(
            Table(CoverageFields.columns(zone: "UTC"), rows: rows.map(\.cells)).lines(widthColumns: nil) == [
                "day, UTC    device       observed  with media  time observed              missed",
                "2026-03-01  TV1              100%        100%  1 d 0 h of 1 d 0 h",
                "2026-03-02  TV1             58.3%       58.3%  14 h 0 min of 1 d 0 h      device_unreachable 9 h 50 min, link_lost 10 min 0 s",
                "all days    TV1             79.1%       79.1%  1 d 14 h of 2 d 0 h        device_unreachable 9 h 50 min, link_lost 10 min 0 s",
                "2026-03-02  TV2             98.6%       90.2%  11 h 50 min of 12 h 0 min  not_joined 1 h 0 min, link_lost 10 min 0 s",
                "all days    TV2             98.6%       90.2%  11 h 50 min of 12 h 0 min  not_joined 1 h 0 min, link_lost 10 min 0 s",
                "all days    all devices       83%       81.3%  2 d 1 h of 2 d 12 h        device_unreachable 9 h 50 min, not_joined 1 h 0 min, link_lost 20 min 0 s",
            ])
        #expect(CoverageFields.withSums([day("tv1", "2026-03-01", observed: 1)]).map(\.scope) == [.day, .device])
        #expect(CoverageFields.withSums([]).isEmpty)
    }

    @Test(arguments: [
        (86_399.999999, "99.9%"), (86_400.0, "100%"), (0.0, "0%"), (0.001, "0%"), (86_400 * 0.123, "12.3%"),
        (86_400 * 0.29, "29%"), (86_400 * 0.2899999, "28.9%"), (43_200.0, "50%"),
    ])
    func `round shares down, so that 100% is all of it`(observed: Double, expected: String) {
        #expect(day("tv1", "2026-03-01", observed: observed).cells[2] == expected)
    }

    @Test func `have stable names in JSON and CSV`() {
        let row = day(
            "tv1", "2026-03-02", observed: 64_800, media: 43_200, ["link_lost": 21_600, "not_joined": 21_600.5])
        #expect(
            row.json == #"{"row":"day","device_id":"tv1","device":"TV1","day":"2026-03-02","known_seconds":86400.0,"#
                + #""observed_seconds":64800.0,"media_observed_seconds":43200.0,"observed":0.75,"media_observed":0.5,"#
                + #""gaps":[{"reason":"not_joined","seconds":21600.5},{"reason":"link_lost","seconds":21600.0}]}"#)
        #expect(
            CoverageFields.csvHeading
                == "row,device_id,device,day,known_seconds,observed_seconds,media_observed_seconds,observed,media_observed,gaps\r\n"
        )
        #expect(
            CoverageFields(
                scope: .all, deviceID: nil, deviceName: nil, day: nil, figures: .none
            ).csv == "all,,,,0.0,0.0,0.0,,,[]\r\n")
    }

    @Test func `tell spans with their moments on the clocks of a zone`() throws {
        let from = try #require(WallTime(text: "2026-03-01T23:30:00.000000Z"))
        let to = try #require(WallTime(text: "2026-03-02T00:45:30.500000Z"))
        let span = UnobservedFields(
            deviceID: "tv1", deviceName: nil, from: from, to: to, reason: "link_lost", missed: "device", lasts: true)
        let zone = Zone(name: "CET") { _ in 3600 }
        #expect(
            Table(UnobservedFields.columns(zone: "CET"), rows: [span.cells(zone: zone)]).lines(widthColumns: nil) == [
                "device  from, CET                to                              for         missed  reason",
                "tv1     2026-03-02 00:30:00.000  2026-03-02 01:45:30.500 and on  1 h 15 min  device  link_lost",
            ])
        #expect(
            span.json == #"{"device_id":"tv1","device":null,"from":"2026-03-01T23:30:00.000000Z","#
                + #""to":"2026-03-02T00:45:30.500000Z","reason":"link_lost","missed":"device","seconds":4530.5,"lasts":true}"#
        )
        #expect(
            span.csv == "tv1,,2026-03-01T23:30:00.000000Z,2026-03-02T00:45:30.500000Z,link_lost,device,4530.5,true\r\n")
    }
}
