import CastModel
import Differ
import Plays
import Recording
import Testing

@testable import Store

/// Days made by hand: plays written as what devices told, by the ledger of plays.
struct DayStage {
    let address: String
    let connection: PostgresConnection

    init() throws {
        address = try TestCluster.shared.newDatabase()
        connection = try PostgresConnection(address)
    }

    /// Change events as they are told, in the order of the archive.
    struct Story {
        private(set) var events: [ChangeEvent] = []

        static func second(_ text: String) -> Double {
            let full = String(text.dropLast()) + ".000000Z"
            return WallTime(text: full)?.seconds(since: WallTime(microseconds: eveningStart)) ?? 0
        }

        mutating func add(
            _ at: String, _ device: String, _ kind: ChangeEvent.Kind, app: String? = nil, media: Int64? = nil,
            _ attribution: ChangeEvent.Attribution = .senderRequest, before: JSONValue? = nil, after: JSONValue? = nil
        ) {
            events.append(
                sample(
                    Int64(events.count + 1), kind, second: Self.second(at), device: device, app: app, media: media,
                    attribution: attribution, before: before, after: after))
        }

        mutating func link(_ at: String, _ device: String) {
            add(at, device, .deviceSeen, after: ["name": .string(device.uppercased())])
            add(at, device, .linkOpened)
        }

        /// A film from one moment to another, in an app of its own.
        mutating func film(
            _ from: String, _ to: String?, on device: String, _ title: String = "Film", app: String = "Player",
            _ attribution: ChangeEvent.Attribution = .senderRequest, end: String = "CANCELLED"
        ) {
            let session = "s\(events.count)"
            add(
                from, device, .appStarted, app: session, attribution,
                after: ["appId": .string(app.uppercased()), "displayName": .string(app), "sessionId": .string(session)])
            add(
                from, device, .mediaSessionStarted, app: session, media: 1, attribution,
                after: [
                    "playerState": "PLAYING",
                    "media": [
                        "contentId": .string("id-" + title), "duration": 36_000,
                        "metadata": ["metadataType": 0, "title": .string(title)],
                    ],
                ])
            guard let to else { return }
            add(
                to, device, .mediaSessionEnded, app: session, media: 1, attribution,
                after: ["playerState": "IDLE", "idleReason": .string(end)])
            add(to, device, .appStopped, app: session, attribution, before: ["sessionId": .string(session)])
        }

        mutating func gap(_ from: String, _ to: String, on device: String, _ reason: String = "link_lost") {
            func full(_ text: String) -> JSONValue { .string(String(text.dropLast()) + ".000000Z") }
            add(from, device, .gapStarted, after: ["reason": .string(reason), "from": full(from)])
            add(to, device, .gapEnded, after: ["reason": .string(reason), "from": full(from), "to": full(to)])
        }
    }

    /// Records a story; the last record comes at `until`.
    func record(until: String, recorder: String = recorderOne, site: String? = nil, _ tell: (inout Story) -> Void)
        throws
    {
        var story = Story()
        tell(&story)
        let projection = try Projection(
            connection: PostgresConnection(address), recorderID: recorder, site: site)
        // Two stories of two devices need not be told in the order of time.
        var ledger = PlayLedger()
        var batch = ProjectionBatch(story.events)
        for event in story.events { batch.plays += ledger.fold(event) }
        batch.playStates = ledger.takeStates()
        batch.through = ArchivePosition(Int64(story.events.count + 1))
        batch.throughTime = WallTime(microseconds: eveningStart + Int64(Story.second(until) * 1e6))
        try projection.apply(batch)
    }

    func filter(_ from: String, _ to: String) -> LedgerFilter {
        LedgerFilter(from: moment(from), to: moment(to))
    }

    func moment(_ text: String) -> WallTime {
        WallTime(microseconds: eveningStart + Int64(Story.second(text) * 1e6))
    }

    /// Totals as "key plays played paused", in the order of the report.
    func totals(_ filter: LedgerFilter, zone: String, by key: TotalKey?) throws -> [String] {
        try LedgerQueries(connection: connection).totals(filter, zone: zone, by: key).map { row in
            let parts = [row.key ?? "-", "\(row.plays)", "\(Int(row.playedSeconds))"]
            return
                (parts + (row.pausedSeconds > 0 ? ["paused \(Int(row.pausedSeconds))"] : [])
                + (row.adSeconds > 0 ? ["ads \(Int(row.adSeconds))"] : [])).joined(separator: " ")
        }
    }

    /// The rows of as-run as "device day title played", and "device day - known observed" of days without plays.
    func asRun(_ filter: LedgerFilter, zone: String) throws -> [String] {
        var lines: [String] = []
        try LedgerQueries(connection: connection).asRun(filter, zone: zone) { row in
            let head = "\(row.deviceID.text) \(row.day)"
            if let play = row.play, let share = row.share {
                lines.append("\(head) \(play.play.content.title ?? "-") \(Int(share.playedSeconds))")
            } else {
                lines.append("\(head) - \(Int(row.knownSeconds)) \(Int(row.observedSeconds))")
            }
            return true
        }
        return lines
    }
}

// Goal: what reports add up is what one adds up by hand.
// Method: days told event by event; each comment has the sum.
@Suite("A report") struct ReportDayTests {
    private let stage: DayStage

    init() throws { stage = try DayStage() }

    @Test func `parts a play over midnight, and has each part in its hour`() throws {
        // Berlin is an hour ahead: 23:30 to 01:30.
        try stage.record(until: "2026-03-02T12:00:00Z") { story in
            story.link("2026-03-01T12:00:00Z", "tv1")
            story.film("2026-03-01T22:30:00Z", "2026-03-02T00:30:00Z", on: "tv1")
        }
        let filter = stage.filter("2026-02-28T23:00:00Z", "2026-03-02T23:00:00Z")
        // Half an hour before midnight, one and a half after.
        #expect(
            try stage.asRun(filter, zone: "Europe/Berlin") == ["tv1 2026-03-01 Film 1800", "tv1 2026-03-02 Film 5400"])
        #expect(
            try stage.totals(filter, zone: "Europe/Berlin", by: .day) == ["2026-03-01 1 1800", "2026-03-02 1 5400"])
        // 2026-03-01 is a Sunday.
        #expect(try stage.totals(filter, zone: "Europe/Berlin", by: .weekday) == ["1 1 5400", "7 1 1800"])
        let hours = try stage.totals(filter, zone: "Europe/Berlin", by: .hour).filter { !$0.hasSuffix(" 0 0") }
        #expect(hours == ["0 1 3600", "1 1 1800", "23 1 1800"])
        #expect(try stage.totals(filter, zone: "Europe/Berlin", by: nil) == ["- 1 7200"])
        // In UTC it is half past ten at night to half past twelve.
        #expect(
            try stage.asRun(filter, zone: "UTC") == [
                "tv1 2026-03-01 Film 5400", "tv1 2026-03-02 Film 1800",
            ])
    }

    @Test func `gives a day of 23 hours its 23, and the hour that is skipped nothing`() throws {
        try stage.record(until: "2026-03-31T00:00:00Z") { story in
            story.link("2026-03-28T00:00:00Z", "tv1")
            // Berlin: 01:30 to 03:30, an hour.
            story.film("2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z", on: "tv1")
        }
        let filter = stage.filter("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z")
        let hours = try stage.totals(filter, zone: "Europe/Berlin", by: .hour)
        #expect(hours.filter { !$0.hasSuffix(" 0 0") } == ["1 1 1800", "3 1 1800"])
        #expect(hours.count == 23)
        let day = try #require(
            try LedgerQueries(connection: stage.connection).totals(filter, zone: "Europe/Berlin", by: .day).first)
        #expect(day.key == "2026-03-29")
        #expect(day.playedSeconds == 3600)
        // 23 * 3600 = 82,800.
        #expect(day.knownSeconds == 82_800)
    }

    @Test func `gives a day of 25 hours its 25, and the hour that comes twice both`() throws {
        try stage.record(until: "2026-10-27T00:00:00Z") { story in
            story.link("2026-10-20T00:00:00Z", "tv1")
            // Berlin: 01:30 to 03:30 on clocks that show 02:00 to 03:00 twice: three hours.
            story.film("2026-10-24T23:30:00Z", "2026-10-25T02:30:00Z", on: "tv1")
        }
        let filter = stage.filter("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")
        let hours = try stage.totals(filter, zone: "Europe/Berlin", by: .hour).filter { !$0.hasSuffix(" 0 0") }
        // 30 + 120 + 30 minutes.
        #expect(hours == ["1 1 1800", "2 1 7200", "3 1 1800"])
        let day = try #require(
            try LedgerQueries(connection: stage.connection).totals(filter, zone: "Europe/Berlin", by: .day).first)
        #expect(day.playedSeconds == 10_800)
        // 25 * 3600 = 90,000.
        #expect(day.knownSeconds == 90_000)
        #expect(day.observedSeconds == 90_000)
    }

    @Test func `counts by the clocks of a zone that is half an hour off`() throws {
        try stage.record(until: "2026-03-03T00:00:00Z") { story in
            story.link("2026-03-01T00:00:00Z", "tv1")
            // In Kolkata, 5:30 ahead: 23:10 to 00:50.
            story.film("2026-03-01T17:40:00Z", "2026-03-01T19:20:00Z", on: "tv1")
        }
        let filter = stage.filter("2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z")
        // 50 minutes on each side of midnight.
        #expect(
            try stage.totals(filter, zone: "Asia/Kolkata", by: .day).prefix(2) == [
                "2026-03-01 1 3000", "2026-03-02 1 3000",
            ])
        let hours = try stage.totals(filter, zone: "Asia/Kolkata", by: .hour).filter { !$0.hasSuffix(" 0 0") }
        #expect(hours == ["0 1 3000", "23 1 3000"])
    }

    @Test func `counts by the clocks of a zone that sets them at midnight`() throws {
        try stage.record(until: "2026-10-27T00:00:00Z") { story in
            story.link("2026-03-20T00:00:00Z", "tv1")
            // Beirut skips 00:00 to 01:00 on 2026-03-29, at 22:00Z: 23:30 to 01:30 is one hour.
            story.film("2026-03-28T21:30:00Z", "2026-03-28T22:30:00Z", on: "tv1")
            // It shows 23:00 to 24:00 twice on 2026-10-24, from 20:00Z to 22:00Z.
            story.film("2026-10-24T20:00:00Z", "2026-10-24T22:30:00Z", on: "tv1")
        }
        let spring = stage.filter("2026-03-28T00:00:00Z", "2026-03-30T00:00:00Z")
        #expect(
            try stage.totals(spring, zone: "Asia/Beirut", by: .day).filter { !$0.hasSuffix(" 0 0") } == [
                "2026-03-28 1 1800", "2026-03-29 1 1800",
            ])
        let autumn = stage.filter("2026-10-24T00:00:00Z", "2026-10-26T00:00:00Z")
        #expect(
            try stage.totals(autumn, zone: "Asia/Beirut", by: .day).filter { !$0.hasSuffix(" 0 0") } == [
                "2026-10-24 1 7200", "2026-10-25 1 1800",
            ])
        #expect(
            try stage.totals(autumn, zone: "Asia/Beirut", by: .hour).filter { !$0.hasSuffix(" 0 0") } == [
                "0 1 1800", "23 1 7200",
            ])
    }

    @Test func `leaves out a gap in the middle, and says how much was observed`() throws {
        try stage.record(until: "2026-03-02T00:00:00Z") { story in
            story.link("2026-03-01T00:00:00Z", "tv1")
            story.add("2026-03-01T18:00:00Z", "tv1", .appStarted, app: "a", after: ["appId": "A", "sessionId": "a"])
            story.add(
                "2026-03-01T18:00:00Z", "tv1", .mediaSessionStarted, app: "a", media: 1,
                after: ["playerState": "PLAYING", "media": ["contentId": "x", "metadata": ["title": "Film"]]])
            story.gap("2026-03-01T19:00:00Z", "2026-03-01T19:36:00Z", on: "tv1")
            story.add(
                "2026-03-01T19:36:00Z", "tv1", .playerStateChanged, app: "a", media: 1, .receiver,
                after: ["playerState": "PAUSED"])
            story.add(
                "2026-03-01T20:00:00Z", "tv1", .playerStateChanged, app: "a", media: 1,
                after: ["playerState": "PLAYING"])
            story.add(
                "2026-03-01T21:00:00Z", "tv1", .mediaSessionEnded, app: "a", media: 1,
                after: ["idleReason": "CANCELLED"])
        }
        let row = try #require(
            try LedgerQueries(connection: stage.connection).totals(
                stage.filter("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"), zone: "UTC", by: .device
            ).first)
        // 60 minutes before the gap and 60 after the pause; 24 paused; 36 of 1,440 minutes missed.
        #expect(row.playedSeconds == 7200)
        #expect(row.pausedSeconds == 1440)
        #expect(row.knownSeconds == 86_400)
        #expect(row.observedSeconds == 84_240)
        // The hour in which it was not observed for 36 minutes.
        let hours = try LedgerQueries(connection: stage.connection).totals(
            stage.filter("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"), zone: "UTC", by: .hour)
        #expect(hours.count == 24)
        #expect(hours[19].knownSeconds == 3600)
        #expect(hours[19].observedSeconds == 1440)
        #expect(hours[19].playedSeconds == 0)
        #expect(hours[18].playedSeconds == 3600)
    }

    @Test func `counts the play of a group once, and ads apart`() throws {
        try stage.record(until: "2026-03-02T00:00:00Z") { story in
            for device in ["group", "left", "right"] { story.link("2026-03-01T00:00:00Z", device) }
            for member in ["left", "right"] {
                story.add("2026-03-01T17:00:00Z", "group", .groupMemberAdded, after: ["deviceId": .string(member)])
            }
            story.film("2026-03-01T18:00:00Z", "2026-03-01T19:00:00Z", on: "group", "Song")
            story.add("2026-03-01T20:00:00Z", "left", .appStarted, app: "b", after: ["appId": "B", "sessionId": "b"])
            story.add(
                "2026-03-01T20:00:00Z", "left", .mediaSessionStarted, app: "b", media: 1,
                after: ["playerState": "PLAYING", "media": ["contentId": "y", "metadata": ["title": "Show"]]])
            story.add(
                "2026-03-01T20:10:00Z", "left", .breakStarted, app: "b", media: 1, .receiver, after: ["source": "media"]
            )
            story.add(
                "2026-03-01T20:12:00Z", "left", .breakEnded, app: "b", media: 1, .receiver, before: ["source": "media"])
            story.add(
                "2026-03-01T20:30:00Z", "left", .mediaSessionEnded, app: "b", media: 1,
                after: ["idleReason": "FINISHED"])
        }
        let day = stage.filter("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z")
        // An hour for the group; 30 minutes less two of ads.
        #expect(
            try stage.totals(day, zone: "UTC", by: .device) == ["group 1 3600", "left 1 1680 ads 120", "right 0 0"])
        #expect(try stage.totals(day, zone: "UTC", by: .title) == ["Song 1 3600", "Show 1 1680 ads 120"])
        #expect(try stage.totals(day, zone: "UTC", by: nil) == ["- 2 5280 ads 120"])
        // The group, and who is known to be in it.
        var ofGroup = day
        ofGroup.group = "GROUP"
        #expect(try stage.totals(ofGroup, zone: "UTC", by: .device).count == 3)
        ofGroup.device = "left"
        #expect(try stage.totals(ofGroup, zone: "UTC", by: nil) == ["- 1 1680 ads 120"])
    }

    @Test func `knows when most was on at once, and counts a play that lasts up to the last record`() throws {
        try stage.record(until: "2026-03-01T20:00:00Z") { story in
            for device in ["tv1", "tv2", "tv3"] { story.link("2026-03-01T00:00:00Z", device) }
            story.film("2026-03-01T18:00:00Z", "2026-03-01T19:00:00Z", on: "tv1", "One")
            story.film("2026-03-01T18:30:00Z", "2026-03-01T19:00:00Z", on: "tv2", "Two")
            // It begins when the others end: then only one is on.
            story.film("2026-03-01T19:00:00Z", nil, on: "tv3", "Three")
        }
        let day = stage.filter("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z")
        #expect(
            try LedgerQueries(connection: stage.connection).mostAtOnce(day, zone: "UTC")
                == MostAtOnce(
                    plays: 2, from: stage.moment("2026-03-01T18:30:00Z"), to: stage.moment("2026-03-01T19:00:00Z")))
        #expect(try stage.totals(day, zone: "UTC", by: .title) == ["One 1 3600", "Three 1 3600", "Two 1 1800"])
        #expect(
            try stage.totals(stage.filter("2026-03-01T19:30:00Z", "2026-03-02T00:00:00Z"), zone: "UTC", by: nil)
                == ["- 1 1800"])
    }

    @Test func `counts the time that passed where the clock was set back`() throws {
        try stage.record(until: "2026-03-01T23:00:00Z") { story in
            story.link("2026-03-01T00:00:00Z", "tv1")
            story.film("2026-03-01T18:00:00Z", nil, on: "tv1")
            let jump: JSONValue = [
                "reason": "clock_jump", "from": "2026-03-01T19:00:00.000000Z", "to": "2026-03-01T18:30:00.000000Z",
            ]
            story.add("2026-03-01T18:30:00Z", "tv1", .gapStarted, .unknown, after: jump)
            story.add("2026-03-01T18:30:00Z", "tv1", .gapEnded, .unknown, after: jump)
            story.add(
                "2026-03-01T19:15:00Z", "tv1", .mediaSessionEnded, app: "s2", media: 1,
                after: ["idleReason": "CANCELLED"])
        }
        // 60 minutes before the jump and 45 after it; the hour from 18:00 has 60 and 30 of them.
        let day = stage.filter("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z")
        #expect(try stage.totals(day, zone: "UTC", by: nil) == ["- 1 6300"])
        #expect(
            try stage.totals(day, zone: "UTC", by: .hour).filter { !$0.hasSuffix(" 0 0") } == ["18 1 5400", "19 1 900"])
    }

    @Test func `has a row for a day on which nothing was played`() throws {
        try stage.record(until: "2026-03-03T12:00:00Z") { story in
            story.link("2026-03-01T12:00:00Z", "tv1")
            story.film("2026-03-02T18:00:00Z", "2026-03-02T19:00:00Z", on: "tv1")
        }
        #expect(
            try stage.asRun(stage.filter("2026-02-27T00:00:00Z", "2026-03-09T00:00:00Z"), zone: "UTC") == [
                "tv1 2026-03-01 - 43200 43200", "tv1 2026-03-02 Film 3600", "tv1 2026-03-03 - 43200 43200",
            ])
    }

    @Test func `tells how a device spent its day`() throws {
        try stage.record(until: "2026-03-02T00:00:00Z") { story in
            story.link("2026-03-01T00:00:00Z", "tv1")
            story.gap("2026-03-01T03:00:00Z", "2026-03-01T05:00:00Z", on: "tv1")
            story.film("2026-03-01T18:00:00Z", "2026-03-01T20:00:00Z", on: "tv1")
            story.add("2026-03-01T22:00:00Z", "tv1", .standbyChanged, .receiver, after: ["isStandBy": true])
        }
        var found: [UptimeRow] = []
        try LedgerQueries(connection: stage.connection).uptime(
            stage.filter("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"), zone: "UTC"
        ) { row in
            found.append(row)
            return true
        }
        // 24 hours: 2 lost, 2 played, 2 in standby, 18 idle.
        let row = try #require(found.first)
        #expect(found.count == 1)
        #expect(row.knownSeconds == 86_400)
        #expect(row.observedSeconds == 79_200)
        #expect(row.reachableSeconds == 79_200)
        #expect(row.unreachableSeconds == 7_200)
        #expect(row.activities == ["unobserved": 7_200, "playing": 7_200, "standby": 7_200, "idle": 64_800])
    }
}
