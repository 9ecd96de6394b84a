import CastModel
import Conflicts
import Differ
import Testing

@Suite("A takeover") struct TakeoverTests {
    /// An app with a film in it, which sender 1 loaded with request 5 at second 2.
    private func film(senderConnected: Bool? = true) -> Quarrel {
        var quarrel = Quarrel()
        quarrel.app(0, "Player", appSession: "s-1", senderConnected: senderConnected)
        quarrel.load(2, "Film", mediaSession: 1, by: .sender(5, series: 1))
        return quarrel
    }

    @Test func `by media is told with both titles`() throws {
        var quarrel = film()
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(70_000, series: 2))
        // Records: 1 app, 2 load, 3 plays, 4 ends and loads, 5 plays.
        #expect(
            quarrel.lines == [
                "4/0/takeover 60-60.5 0.95 1(1) [4/0 4/1 5/0] a sender loaded \"Clip\" while \"Film\" of another sender played"
            ])
        let row = try #require(quarrel.conflicts().first)
        #expect(row.actors.map(\.senderSeries) == [1, 2])
        #expect(row.actors.map(\.firstRequestID) == [5, 70_000])
        #expect(row.before == ["app": "Player", "title": "Film"])
        #expect(row.after == ["app": "Player", "title": "Clip"])
        #expect(row.appSessionID == AppSessionID("s-1"))
    }

    @Test func `is none where the same sender loads another film`() {
        var quarrel = film()
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(8, series: 1))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is none where the app itself loads`() {
        var quarrel = film()
        quarrel.load(60, "Ad", mediaSession: 2, over: 1, by: .device)
        quarrel.load(90, "Film", mediaSession: 3, over: 2, by: .device)
        quarrel.load(120, "Ad", mediaSession: 4, over: 3, by: .device)
        #expect(quarrel.lines.isEmpty)
        // What the app loaded was nobody's.
        quarrel.load(150, "Clip", mediaSession: 5, over: 4, by: .sender(70_000, series: 2))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `takes the ids of a sender without a number, where they cannot be one counter's`() {
        var quarrel = film()
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(3))
        #expect(quarrel.conflicts().map(\.score) == [0.95])
        quarrel = film()
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(20))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is told where it shows in hindsight that another sender had the film's number`() {
        var quarrel = film()
        quarrel.player(10, "PAUSED", by: .sender(9, series: 1))
        quarrel.player(12, "PLAYING", by: .sender(7, series: 2))
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(10, series: 1))
        #expect(quarrel.conflicts().map(\.score) == [0.95])
    }

    @Test func `is of media that was paused for two minutes at most`() {
        for (seconds, count) in [(120.0, 1), (120.001, 0)] {
            var quarrel = film()
            quarrel.player(10, "PAUSED", by: .sender(6, series: 1))
            quarrel.load(10 + seconds, "Clip", mediaSession: 2, over: 1, by: .sender(70_000, series: 2))
            #expect(quarrel.lines.count == count)
            #expect(quarrel.conflicts().allSatisfy { $0.sentence.hasSuffix("\"Film\" of another sender was paused") })
        }
    }

    @Test func `is none after the film was over, or stopped by its sender`() {
        for (reason, hand) in [
            ("FINISHED", Quarrel.Hand.device), ("CANCELLED", .sender(6, series: 1)), ("ERROR", .device),
        ] {
            var quarrel = film()
            quarrel.add(
                59, .mediaSessionEnded, by: hand, after: ["playerState": "IDLE", "idleReason": .string(reason)])
            quarrel.load(60, "Clip", mediaSession: 2, by: .sender(70_000, series: 2))
            #expect(quarrel.lines.isEmpty)
        }
    }

    @Test func `is told where another sender stops the film and loads its own at once`() {
        var quarrel = film()
        quarrel.add(
            59, .mediaSessionEnded, by: .sender(70_000, series: 2),
            after: ["playerState": "IDLE", "idleReason": "CANCELLED"])
        quarrel.load(60, "Clip", mediaSession: 2, by: .sender(70_001, series: 2))
        #expect(quarrel.conflicts().map(\.score) == [0.95])
    }

    @Test func `is none once the app had no sender any more`() {
        var quarrel = film()
        quarrel.add(30, .senderConnectedChanged, before: ["senderConnected": true], after: ["senderConnected": false])
        quarrel.add(50, .senderConnectedChanged, before: ["senderConnected": false], after: ["senderConnected": true])
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(70_000, series: 2))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `is told where the sender came back and took the film in hand again`() {
        var quarrel = film()
        quarrel.add(30, .senderConnectedChanged, before: ["senderConnected": true], after: ["senderConnected": false])
        quarrel.add(40, .senderConnectedChanged, before: ["senderConnected": false], after: ["senderConnected": true])
        quarrel.player(50, "PAUSED", by: .sender(800_000, series: 2))
        quarrel.player(52, "PLAYING", by: .sender(800_001, series: 2))
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(3, series: 3))
        #expect(quarrel.conflicts().map(\.score) == [0.855])
        #expect(
            quarrel.conflicts().map(\.sentence) == [
                "a sender loaded \"Clip\" while \"Film\" that a sender had taken in hand played"
            ])
    }

    @Test func `is less sure where the device does not tell whether a sender is there`() {
        var quarrel = film(senderConnected: nil)
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(70_000, series: 2))
        #expect(quarrel.conflicts().map(\.score) == [0.903])
    }

    @Test func `is none of what was already on when we came, unless a sender gave it a command`() {
        var quarrel = Quarrel()
        quarrel.app(0, "Player", appSession: "s-1", by: .snapshot)
        quarrel.mediaSession = 1
        quarrel.add(
            0.1, .mediaSessionStarted, by: .snapshot,
            after: ["playerState": "PLAYING", "media": ["metadata": ["title": "Film"]]])
        var other = quarrel
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(70_000, series: 2))
        #expect(quarrel.lines.isEmpty)
        other.player(10, "PAUSED", by: .sender(5, series: 1))
        other.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(70_000, series: 2))
        #expect(other.conflicts().map(\.score) == [0.855])
    }

    // MARK: By an app

    @Test func `by an app is known by the LOAD of whoever launched it`() {
        var quarrel = film()
        quarrel.appStops(60)
        quarrel.app(61, "Tube", appSession: "s-2")
        quarrel.load(63, "Clip", mediaSession: 1, by: .sender(70_000, series: 1))
        #expect(
            quarrel.lines == [
                "4/0/takeover 60-63.5 0.75 1(0) [4/0 5/0 7/0] "
                    + "a sender started Tube with \"Clip\" while \"Film\" of another sender played in Player"
            ])
    }

    @Test func `by an app is none where the same sender switches apps`() {
        var quarrel = film()
        quarrel.appStops(60)
        quarrel.app(61, "Tube", appSession: "s-2")
        quarrel.load(63, "Clip", mediaSession: 1, by: .sender(9, series: 1))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `by an app is certain where the LAUNCH bears an id of the senders of the old app`() {
        for (series, id, lines) in [(Int32(2), Int64(70_000), 1), (1, 6, 0)] {
            var quarrel = film()
            quarrel.app(61, "Tube", appSession: "s-2", by: .sender(id, series: series))
            #expect(quarrel.lines.isEmpty, "an app that starts beside another one replaces nothing")
            quarrel = film()
            quarrel.appSession = "s-2"
            quarrel.mediaSession = nil
            quarrel.add(
                60, .appReplaced, by: .sender(id, series: series),
                before: ["displayName": "Player", "sessionId": "s-1"],
                after: ["displayName": "Tube", "sessionId": "s-2", "launchedFromCloud": false])
            #expect(quarrel.lines.count == lines)
            #expect(quarrel.conflicts().allSatisfy { $0.score == 0.95 && $0.certainUndoings == 1 })
        }
    }

    @Test func `by an app is none of a routine, a remote control, or after the launch took too long`() {
        var routine = film()
        routine.appStops(60)
        routine.app(61, "Tube", appSession: "s-2", cloud: true)
        routine.load(63, "Clip", mediaSession: 1, by: .device)
        #expect(routine.lines.isEmpty)
        var remote = film()
        remote.appStops(60)
        remote.app(61, "Tube", appSession: "s-2")
        remote.load(63, "Clip", mediaSession: 1, by: .device)
        #expect(remote.lines.isEmpty)
        for (seconds, count) in [(10.0, 1), (10.001, 0)] {
            var late = film()
            late.appStops(60)
            late.app(60 + seconds, "Tube", appSession: "s-2")
            late.load(75, "Clip", mediaSession: 1, by: .sender(70_000))
            #expect(late.lines.count == count)
        }
        for (seconds, count) in [(30.0, 1), (30.001, 0)] {
            var late = film()
            late.appStops(60)
            late.app(61, "Tube", appSession: "s-2")
            late.load(60 + seconds - 0.5, "Clip", mediaSession: 1, by: .sender(70_000))
            #expect(late.lines.count == count)
        }
    }

    @Test func `by an app is none after the sender stopped its own, and where a group takes the device along`() {
        var quarrel = film()
        quarrel.appStops(60, by: .sender(6, series: 1))
        quarrel.app(61, "Tube", appSession: "s-2")
        quarrel.load(63, "Clip", mediaSession: 1, by: .sender(70_000))
        #expect(quarrel.lines.isEmpty)
        var group = film()
        group.appStops(60)
        group.appSession = nil
        group.mediaSession = nil
        group.add(60, .appStarted, after: ["appId": "705D30C6", "placeholder": true], sameRecord: true)
        #expect(group.lines.isEmpty)
    }

    @Test func `does not go on through a gap`() {
        var quarrel = film()
        quarrel.gap(30)
        quarrel.load(60, "Clip", mediaSession: 2, over: 1, by: .sender(70_000, series: 2))
        #expect(quarrel.lines.isEmpty)
    }

    @Test func `does not compare numbers from before and after a LOAD that has none`() {
        var quarrel = film()
        // The LOAD may be sender 1's; from it on senders are numbered anew.
        quarrel.mediaSession = 1
        quarrel.add(
            60, .mediaSessionEnded, by: .sender(9), after: ["playerState": "IDLE", "idleReason": "INTERRUPTED"])
        quarrel.mediaSession = 2
        quarrel.add(60, .mediaSessionStarted, by: .sender(9), after: ["playerState": "LOADING"], sameRecord: true)
        quarrel.player(61, "PLAYING", by: .sender(9))
        quarrel.player(70, "PAUSED", by: .sender(10, series: 3))
        quarrel.player(72, "PLAYING", by: .sender(11, series: 3))
        quarrel.load(80, "Clip", mediaSession: 3, over: 2, by: .sender(12, series: 3))
        #expect(quarrel.lines.isEmpty)
    }
}
