import CastModel
import Differ
import Plays
import Recording
import Testing

@testable import Report

/// 2026-03-01T20:00:00Z.
private let start = WallTime(microseconds: 1_772_395_200_000_000)

private func time(_ seconds: Double) -> WallTime {
    WallTime(microseconds: start.microseconds + Int64(seconds * 1e6))
}

@Suite("Time that was added up") struct TimePlayedTests {
    @Test(arguments: [
        (86_400.0, 86_400.0, "3 h 12 min played; 100% observed"),
        (86_400, 83_000, "at least 3 h 12 min played; 96% observed"),
        (86_400, 86_399, "at least 3 h 12 min played; 99.9% observed"),
        (100, 4.25, "at least 3 h 12 min played; 4.2% observed"),
        (100, 0, "at least 3 h 12 min played; 0% observed"),
    ])
    func `is a lower bound unless all was observed`(known: Double, observed: Double, claim: String) {
        // 3 * 3600 + 12 * 60 = 11,520.
        let time = TimePlayed(plays: 2, playedSeconds: 11_520, knownSeconds: known, observedSeconds: observed)
        #expect(time.claim == claim)
    }

    @Test func `says pauses and ads apart`() {
        let time = TimePlayed(plays: 1, playedSeconds: 60, pausedSeconds: 5, adSeconds: 125)
        #expect(time.claim == "1 min 0 s played, 5.0 s paused, 2 min 5 s of ads")
    }

    @Test func `adds up`() {
        var time = TimePlayed(plays: 1, playedSeconds: 1, knownSeconds: 10, observedSeconds: 5)
        time.add(TimePlayed(plays: 2, playedSeconds: 2, pausedSeconds: 4, knownSeconds: 10, observedSeconds: 10))
        #expect(
            time == TimePlayed(plays: 3, playedSeconds: 3, pausedSeconds: 4, knownSeconds: 20, observedSeconds: 15))
        #expect(time.coverage == 0.75)
        #expect(TimePlayed.none.coverage == nil)
    }
}

@Suite("A row of what was played") struct AsRunFieldsTests {
    private func play(_ from: Double, _ to: Double?, id: String = "x", title: String = "Film") -> Play {
        var play = Play(
            id: .init(position: ArchivePosition(7), ordinal: 1), deviceID: DeviceID("tv"), startedAt: time(from),
            countedAt: time(to ?? from))
        play.endedAt = to.map(time)
        play.endReason = to == nil ? nil : .finished
        play.phase = to == nil ? .playing : nil
        play.content.contentID = id
        play.content.title = title
        return play
    }

    private func row(_ play: Play, day: String = "2026-03-01", played: Double = 60) -> AsRunFields {
        AsRunFields(
            deviceID: "tv", deviceName: "TV", day: day, play: (play, "r"),
            time: TimePlayed(plays: 1, playedSeconds: played))
    }

    private func part(_ row: AsRunFields) -> String? {
        let cells = row.csv(zone: .utc).split(separator: ",", omittingEmptySubsequences: false)
        return AsRunFields.names.firstIndex(of: "part").map { String(cells[$0]) }
    }

    @Test func `says how it lies to its day`() {
        // 20:00 is four hours before midnight.
        #expect(part(row(play(0, 60))) == "whole")
        #expect(part(row(play(0, 4 * 3600))) == "whole", "what ends at midnight ended on the day before")
        #expect(part(row(play(0, 5 * 3600))) == "first")
        #expect(part(row(play(0, 5 * 3600), day: "2026-03-02")) == "last")
        #expect(part(row(play(0, 50 * 3600), day: "2026-03-02")) == "middle")
    }

    @Test func `has as many values as names, in CSV and JSON`() throws {
        for row in [
            row(play(0, 60)), AsRunFields(deviceID: "tv", deviceName: nil, day: "2026-03-01", play: nil, time: .none),
        ] {
            let object = try #require(try JSONParser().parse(Array(row.json(zone: .utc).utf8)).object)
            #expect(object.pairs.map(\.key) == AsRunFields.names)
            #expect(
                row.csv(zone: .utc).split(separator: ",", omittingEmptySubsequences: false).count
                    == AsRunFields.names.count)
        }
    }

    @Test func `takes neighbors of the same content that lie close enough, and nothing else`() {
        var first = row(play(0, 60))
        let tooFar = first.merge(row(play(180, 240)), within: 120)
        #expect(!tooFar, "exactly as far apart is too far")
        let another = first.merge(row(play(100, 240, id: "y")), within: 120)
        #expect(!another)
        let nextDay = first.merge(row(play(100, 240), day: "2026-03-02"), within: 120)
        #expect(!nextDay)
        let near = first.merge(row(play(179, 240)), within: 120)
        #expect(near)
        #expect(first.mergedCount == 2)
        #expect(first.time.playedSeconds == 120)
        #expect(first.play?.fields.endedAt == time(240))
        #expect(first.play?.fields.startedAt == time(0))
        // One that lasts is followed by nothing.
        var lasting = row(play(0, nil))
        let isTaken = lasting.merge(row(play(10, 20)), within: 120)
        #expect(!isTaken)
    }

    @Test func `reads as a table`() {
        var content = play(0, 3600)
        content.appName = "Cinema"
        content.startCause = .senderRequest
        content.seeks = 2
        content.content.durationSeconds = 7200
        content.maxPositionSeconds = 3600
        content.tracks = [
            .init(["from": "2026-03-01T20:00:00.000000Z", "trackIds": [1], "languages": ["de"], "captions": true])
        ]
        .compactMap { $0 }
        #expect(
            row(content, played: 3000).cells(zone: .utc, apps: .builtIn) == [
                "20:00:00", "21:00:00", "Cinema", "Film", "50 min 0 s", "", "2", "de captions", "50%", "sender request",
                "finished",
            ])
    }
}

@Suite("A row of who did what") struct AuditFieldsTests {
    private func row(_ kind: ChangeEvent.Kind, _ attribution: ChangeEvent.Attribution, series: Int32? = nil)
        -> AuditFields
    {
        AuditFields(
            event: ChangeEvent(
                id: .init(position: ArchivePosition(3), ordinal: 0), observedAt: time(0), deviceID: DeviceID("tv"),
                appSessionID: nil, mediaSessionID: nil, kind: kind, attribution: attribution, requestID: 4,
                senderSeries: series, callbacks: [], effective: true, before: ["level": 0.4], after: ["level": 0.3],
                positionSeconds: nil), recorderID: "r", deviceName: "TV")
    }

    @Test func `says who caused it`() {
        #expect(row(.deviceVolumeChanged, .senderRequest, series: 2).who == "probably sender 2")
        #expect(row(.deviceVolumeChanged, .senderRequest).who == "a sender")
        #expect(row(.deviceVolumeChanged, .receiver).who == "the device")
        #expect(row(.deviceVolumeChanged, .snapshot).who == "found so")
        #expect(row(.linkOpened, .unknown).who == "castledger")
        #expect(row(.deviceVolumeChanged, .unknown).who == "unknown")
    }

    @Test func `says what in words`() {
        #expect(
            row(.deviceVolumeChanged, .receiver).cells(zone: .utc, apps: .builtIn) == [
                "2026-03-01 20:00:00.000", "3/0", "TV", "the device", "volume 40% to 30%",
            ])
    }
}

@Suite("A chart of lanes") struct LaneChartTests {
    private func chart(_ hours: Double, columns: Int = 34, zone: Zone = .utc) -> LaneChart {
        LaneChart(from: time(0), to: time(hours * 3600), zone: zone, names: ["TV"], widthColumns: columns)
    }

    private func lane(_ from: Double, _ to: Double, _ activity: String) -> LaneChart.Lane {
        LaneChart.Lane(from: time(from * 60), to: time(to * 60), activity: activity)
    }

    @Test func `shows in each cell what took most of it, and nothing where nothing is known`() {
        // 30 cells of two minutes.
        let line = chart(1).line(
            name: "TV",
            lanes: [
                lane(10, 20, "idle"), lane(20, 24, "app_only"), lane(24, 44, "playing"), lane(44, 50, "paused"),
                lane(50, 60, "unobserved"),
            ])
        #expect(line == "TV       ·····░░██████████▒▒▒?????")
    }

    @Test func `gives what is too short a cell of its own`() {
        // A second of playing in ten hours; and a gap of a minute.
        let cells = chart(10).line(
            name: "TV",
            lanes: [
                lane(0, 300, "idle"), lane(300, 300.02, "playing"), lane(300.02, 500, "idle"),
                lane(500, 501, "unobserved"),
                lane(501, 600, "idle"),
            ])
        #expect(cells == "TV  ···············█·········?····")
    }

    @Test func `has times of its zone above, whole hours where there is room for them`() {
        #expect(
            chart(4, columns: 64).heading == [
                "2026-03-01 20:00 to 2026-03-02 00:00, UTC",
                "    20:00          21:00          22:00          23:00",
            ])
        let kolkata = Zone(name: "Asia/Kolkata") { _ in 19_800 }
        #expect(
            chart(4, columns: 64, zone: kolkata).heading == [
                "2026-03-02 01:30 to 2026-03-02 05:30, Asia/Kolkata",
                "            02:00          03:00          04:00          05:00",
            ])
    }

    @Test func `has a legend with totals that fits the width`() {
        let legend = chart(1).legend(["idle": 600, "playing": 1200, "unobserved": 600, "later": 1], widthColumns: 40)
        #expect(legend == ["█ playing 20 min 0 s   · idle 10 min 0 s", "? unobserved 10 min 0 s   ¿ later 1.0 s"])
    }

    @Test func `is colored only when asked`() {
        let plain = chart(1).line(name: "TV", lanes: [lane(0, 60, "playing")])
        #expect(!plain.contains("\u{1B}"))
        let colored = LaneChart(
            from: time(0), to: time(3600), zone: .utc, names: ["TV"], widthColumns: 14, isColored: true
        ).line(name: "TV", lanes: [lane(0, 60, "playing")])
        #expect(colored == "TV  \u{1B}[32m██████████\u{1B}[0m")
    }

    @Test func `neutralizes names`() {
        let chart = LaneChart(from: time(0), to: time(60), zone: .utc, names: ["\u{1B}[2J"], widthColumns: 40)
        #expect(chart.line(name: "\u{1B}[2J", lanes: []) == "\u{FFFD}[2J")
    }
}
