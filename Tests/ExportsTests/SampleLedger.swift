import CastModel
import Differ
import IO
import Plays
import Recording
import Report
import TestSupport

@testable import Exports

/// Three devices with hostile names, and what they played on the evening of 2026-03-01.
enum SampleLedger {
    static let recorder = "95f615df-a075-4de9-a1b9-d14addf0f875"
    /// 2026-03-01T20:00:00Z.
    static let eight: Int64 = 1_772_395_200_000_000

    static func at(_ minute: Double) -> WallTime { WallTime(microseconds: eight + Int64(minute * 60_000_000)) }

    static let names = [
        "aa01": "\"><script>alert(1)</script>", "bb02": "=HYPERLINK(\"http://x\",\"y\")",
        "cc03": "Küche 📺 \u{202E}gnp\nTwo",
    ]
    static let devices = names.sorted { $0.key < $1.key }.map {
        ExportDevice(deviceID: DeviceID($0.key), deviceName: $0.value)
    }
    static let longTitle = "]]>" + String(repeating: "é", count: 2048) + "\u{1}\u{FFFE}end"

    static func heading(zone: Zone = .utc, from: Double = 0, to: Double = 60) -> ExportHeading {
        ExportHeading(from: at(from), to: at(to), zone: zone, devices: devices, program: "castledger 1.0")
    }

    static let india = Zone(name: "Asia/Kolkata") { _ in 19_800 }

    /// A play with what every one has.
    static func play(
        _ device: String, _ position: Int64, _ ordinal: Int32 = 0, from: Double, to: Double?, counted: Double? = nil,
        _ reason: Play.EndReason? = nil, played: Double, paused: Double = 0, gap: Double = 0
    ) -> Play {
        var play = Play(
            id: .init(position: ArchivePosition(position), ordinal: ordinal), deviceID: DeviceID(device),
            startedAt: at(from), countedAt: at(counted ?? to ?? from))
        play.endedAt = to.map { at($0) }
        play.endReason = reason
        play.time = TimeSpent(
            playedSeconds: played, pausedSeconds: paused, bufferingSeconds: 0, adSeconds: 0, inputInactiveSeconds: 0,
            gapSeconds: gap)
        return play
    }

    /// A play as the ledger hands it out.
    static func fields(_ play: Play) -> PlayFields {
        PlayFields(play: play, recorderID: recorder, deviceName: names[play.deviceID.text])
    }

    /// One that ended by itself, from 20:00:00 to 20:42:00.5.
    static let film: Play = {
        var film = play("aa01", 10, from: 0, to: 42 + 0.5 / 60, .finished, played: 2500, paused: 20.5)
        film.startCause = .senderRequest
        film.appID = AppID("CC1AD845")
        film.appName = "Default Media Receiver"
        film.content.title = "A Quiet Harbour"
        film.content.contentID = "http://192.0.2.1/a.mp4?x=1&y=2"
        film.content.durationSeconds = 2520
        return film
    }()

    /// One that lasts since 20:10:00, counted up to 20:30:00.
    static let episode: Play = {
        var episode = play("bb02", 11, 2, from: 10, to: nil, counted: 30, played: 1200)
        episode.startCause = .receiver
        episode.phase = .playing
        episode.appName = "Telly, more; and\\more"
        episode.content.title = longTitle
        episode.content.seriesTitle = "Serie; with, commas"
        episode.content.season = 2
        episode.content.episode = 5
        return episode
    }()

    /// Half a second of music, from 20:15:00.25 on.
    static let song: Play = {
        var song = play("cc03", 12, from: 15 + 0.25 / 60, to: 15 + 0.75 / 60, .failed, played: 0.5)
        song.startCause = .cloud
        song.content.title = "=1+1\nline\u{2028}two"
        song.content.artist = "עברית"
        song.content.album = "Album"
        return song
    }()

    /// One without any name, inside the film, from 20:30 to 20:35.
    static let unnamed: Play = {
        var unnamed = play("aa01", 13, from: 30, to: 35, .replaced, played: 300)
        unnamed.endIsUncertain = true
        return unnamed
    }()

    /// One in which the clock was set back: it begins at 20:50 and ends at 20:49.
    static let back: Play = {
        var back = play("cc03", 14, from: 50, to: 49, .stopped, played: 30, gap: 60)
        back.content.title = "Back"
        return back
    }()

    /// All, in the order of the ledger.
    static let plays = [film, episode, song, unnamed, back]

    /// What was observed of the first device: twice something was missed, and the last five minutes are not known.
    static let observation: [ObservationSpan] = [
        .init(from: at(-5), to: at(10), missed: .nothing),
        .init(from: at(10), to: at(12), missed: .device, reason: "link_lost"),
        .init(from: at(12), to: at(40), missed: .nothing),
        .init(from: at(40), to: at(41), missed: .media, reason: "not_joined"),
        .init(from: at(41), to: at(55), missed: .nothing),
    ]

    /// Two senders at the volume of the first device, and something at the end of the hour.
    static let conflicts: [ConflictMark] = [
        mark("volume_fight", from: 20, to: 20.25, deeds: [20, 20.125, 20.25]),
        mark("takeover", from: 59.9, to: 61, deeds: [59.9]),
    ]

    private static func mark(_ kind: String, from: Double, to: Double, deeds: [Double]) -> ConflictMark {
        ConflictMark(
            deviceID: DeviceID("aa01"), deviceName: names["aa01"], kind: kind, from: at(from), to: at(to), score: 0.9,
            sentence: "Two senders <b>fought</b>.",
            evidence: deeds.enumerated().map { number, minute in
                .init(
                    eventID: .init(position: ArchivePosition(100 + Int64(number)), ordinal: 0), at: at(minute))
            })
    }

    /// Everything of each device, one after the other.
    static func rowsByDevice(events: [EventFields] = []) -> [ExportRow] {
        var rows: [ExportRow] = []
        for device in devices {
            rows.append(.device(device))
            if device.deviceID.text == "aa01" {
                rows += observation.map { ExportRow.observation($0) }
                rows += conflicts.map { ExportRow.conflict($0) }
            }
            rows += events.filter { $0.event.deviceID == device.deviceID }.map { ExportRow.event($0) }
            rows += plays.filter { $0.deviceID == device.deviceID }.map { ExportRow.play(fields($0)) }
        }
        return rows
    }

    /// The file that a writer makes of the rows.
    static func file(_ writer: some ExportWriter, _ rows: [ExportRow], _ heading: ExportHeading = heading()) -> String {
        var writer = writer
        return writer.begin(heading) + rows.map { writer.add($0) }.joined() + writer.end()
    }

    static let playRows = plays.map { ExportRow.play(fields($0)) }

    /// What another program reads in a file.
    static func read(_ form: String, _ content: String) throws -> JSONValue {
        let folder = try Files.makeTemporaryFolder("castledger-export")
        defer { try? Files.removeTree(folder) }
        let path = folder + "/file"
        try Files.replace(path, with: Array(content.utf8))
        let scripts = root + "/deploy/readers/"
        let reader = form == "trace" ? [scripts + "check_trace.py"] : [scripts + "read_export.py", form]
        let (exit, output) = try ChildProcess.run([try TestPython.path()] + reader + [path], includingErrors: true)
        guard exit == .code(0) else { throw Unreadable(words: String(decoding: output, as: UTF8.self)) }
        return try JSONParser().parse(output)
    }

    struct Unreadable: Error { var words: String }

    // #filePath is <root>/Tests/ExportsTests/SampleLedger.swift.
    static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
}
