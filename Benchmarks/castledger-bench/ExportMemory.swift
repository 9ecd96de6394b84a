import CastModel
import Differ
import Exports
import Glibc
import IO
import Plays
import Recording
import Report

/// How much memory each form of export takes, while it is fed with generated rows as `castledger export` feeds it.
///
/// The rows are made one by one, and what the writer makes of them is counted and dropped, so that what grows is the
/// writer's.
enum ExportMemory {
    static let forms = ["csv", "jsonl", "ics", "xmltv", "otio", "perfetto", "html"]

    /// Feeds one form, and prints the memory in use after a hundredth, a tenth and all of the time.
    static func run(_ form: String, devices: Int, days: Int, playsPerDay: Int) throws {
        var feed = GeneratedFeed(devices: devices, days: days, playsPerDay: playsPerDay)
        let stages = [days * devices / 100, days * devices / 10, days * devices].map { max(1, $0) }
        var marks: [String] = []
        try feed.run(form) { deviceDays, plays, bytes in
            guard marks.count < stages.count, deviceDays >= stages[marks.count] else { return }
            marks.append("\(plays) plays, \(bytes >> 10) KiB written: \(try residentKibibytes()) KiB")
        }
        try say("\(form): " + marks.joined(separator: "; "))
    }

    /// The resident memory of this process.
    private static func residentKibibytes() throws -> Int {
        let words = String(decoding: try Files.read("/proc/self/statm"), as: UTF8.self).split(separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE)) / 1024
    }
}

/// A year, or as much as somebody wants, of many devices: plays, gaps, change events and conflicts at the rate of a busy
/// household.
struct GeneratedFeed {
    private static let begins: Int64 = 1_767_225_600_000_000  // 2026-01-01T00:00:00Z
    private static let day: Int64 = 86_400_000_000

    let devices: Int
    let days: Int
    let playsPerDay: Int
    private var plays = 0
    private var bytes = 0
    private var deviceDays = 0

    init(devices: Int, days: Int, playsPerDay: Int) {
        (self.devices, self.days, self.playsPerDay) = (devices, days, playsPerDay)
    }

    private var heading: ExportHeading {
        ExportHeading(
            from: moment(0, 0), to: moment(days, 0),
            devices: (0..<devices).map { ExportDevice(deviceID: id($0), deviceName: name($0)) })
    }

    /// Feeds a form; after each day of a device somebody is told how far it is.
    mutating func run(_ form: String, _ told: (_ deviceDays: Int, _ plays: Int, _ bytes: Int) throws -> Void) throws {
        var writer = try Self.writer(form)
        bytes += writer.begin(heading).utf8.count
        switch form {
        case "otio", "perfetto":
            for device in 0..<devices { try feed(device, &writer, withEvents: form == "perfetto", told) }
        default:
            for day in 0..<days {
                if form == "html" { add(.day(from: moment(day, 0), to: moment(day + 1, 0)), &writer) }
                for device in 0..<devices {
                    if form == "html" {
                        add(.conflict(conflict(device, day)), &writer)
                        for number in 0..<playsPerDay { addLanes(device, day, number, &writer) }
                    }
                    for number in 0..<playsPerDay { add(.play(play(device, day, number)), &writer) }
                    deviceDays += 1
                    try told(deviceDays, plays, bytes)
                }
            }
        }
        bytes += writer.end().utf8.count
    }

    private static func writer(_ form: String) throws -> any ExportWriter {
        switch form {
        case "csv": CSVExport(.plays)
        case "jsonl": JSONLinesExport(.plays)
        case "ics": CalendarExport()
        case "xmltv": XMLTVExport()
        case "otio": EditingTimelineExport()
        case "perfetto": TraceExport()
        case "html": HTMLExport(totals: ExportTotals())
        default: throw UnknownForm(name: form)
        }
    }

    struct UnknownForm: Error { let name: String }

    private mutating func add(_ row: ExportRow, _ writer: inout any ExportWriter) {
        if case .play = row { plays += 1 }
        bytes += writer.add(row).utf8.count
    }

    /// What these forms want of one device after the other, each kind of row by time.
    private mutating func feed(
        _ device: Int, _ writer: inout any ExportWriter, withEvents: Bool,
        _ told: (_ deviceDays: Int, _ plays: Int, _ bytes: Int) throws -> Void
    ) throws {
        add(.device(ExportDevice(deviceID: id(device), deviceName: name(device))), &writer)
        for day in 0..<days {
            let (lost, found) = (moment(day, 3), moment(day, 3.5))
            add(.observation(ObservationSpan(from: moment(day, 0), to: lost, missed: .nothing)), &writer)
            add(.observation(ObservationSpan(from: lost, to: found, missed: .device, reason: "link_lost")), &writer)
            add(.observation(ObservationSpan(from: found, to: moment(day + 1, 0), missed: .nothing)), &writer)
        }
        for day in 0..<days where withEvents {
            for number in 0..<playsPerDay { for event in events(device, day, number) { add(.event(event), &writer) } }
        }
        for day in 0..<days { add(.conflict(conflict(device, day)), &writer) }
        for day in 0..<days {
            for number in 0..<playsPerDay { add(.play(play(device, day, number)), &writer) }
            deviceDays += 1
            try told(deviceDays, plays, bytes)
        }
    }

    // MARK: Rows

    private func moment(_ day: Int, _ hour: Double) -> WallTime {
        WallTime(microseconds: Self.begins + Int64(day) * Self.day + Int64(hour * 3_600_000_000))
    }

    /// The hours of a play: they share the day from 8 o'clock on.
    private func hours(_ number: Int) -> (from: Double, to: Double) {
        let length = 15.0 / Double(max(1, playsPerDay))
        return (8 + Double(number) * length, 8 + (Double(number) + 0.9) * length)
    }

    private func id(_ device: Int) -> DeviceID { DeviceID("0123456789abcdef01234567" + String(10_000_000 + device)) }
    private func name(_ device: Int) -> String { "Room \(device), TV" }

    private func play(_ device: Int, _ day: Int, _ number: Int) -> PlayFields {
        let place = Int64((device * days + day) * playsPerDay + number)
        let hours = hours(number)
        var play = Play(
            id: .init(position: ArchivePosition(place * 10 + 1), ordinal: 0), deviceID: id(device),
            startedAt: moment(day, hours.from), countedAt: moment(day, hours.to))
        play.endedAt = moment(day, hours.to)
        play.endReason = .finished
        play.startCause = .senderRequest
        play.appID = AppID("CC1AD845")
        play.appName = "Default Media Receiver"
        play.content.title = "Film number \(place % 5000), \"the long one\""
        play.content.contentID = "https://media.example/\(place % 5000)/film.mp4"
        play.content.durationSeconds = 5400
        play.time = TimeSpent(
            playedSeconds: (hours.to - hours.from) * 3600, pausedSeconds: 0, bufferingSeconds: 0, adSeconds: 0,
            inputInactiveSeconds: 0, gapSeconds: 0)
        return PlayFields(play: play, recorderID: "95f615df-a075-4de9-a1b9-d14addf0f875", deviceName: name(device))
    }

    private func events(_ device: Int, _ day: Int, _ number: Int) -> [EventFields] {
        let hours = hours(number)
        let states = ["PLAYING", "PAUSED", "BUFFERING", "PLAYING", "IDLE"]
        return states.enumerated().map { step, state in
            let at = moment(day, hours.from + (hours.to - hours.from) * Double(step) / 5)
            let event = ChangeEvent(
                id: .init(position: ArchivePosition(at.microseconds), ordinal: 0), observedAt: at,
                deviceID: id(device), appSessionID: AppSessionID("s"), mediaSessionID: 1, kind: .playerStateChanged,
                attribution: .senderRequest, requestID: Int64(step + 1), senderSeries: nil, callbacks: [],
                effective: true, before: nil, after: ["playerState": .string(state)], positionSeconds: nil)
            return EventFields(
                event: event, recorderID: "95f615df-a075-4de9-a1b9-d14addf0f875", deviceName: name(device))
        }
    }

    private func conflict(_ device: Int, _ day: Int) -> ConflictMark {
        let evidence = (0..<3).map { step in
            ConflictMark.Evidence(
                eventID: .init(position: ArchivePosition(Int64(day * 100 + step + 1)), ordinal: 0),
                at: moment(day, 9 + Double(step) / 100))
        }
        return ConflictMark(
            deviceID: id(device), deviceName: name(device), kind: "volume_fight", from: moment(day, 9),
            to: moment(day, 9.02), score: 0.75,
            sentence: "two senders set the volume against each other twice; ended at 35 %", evidence: evidence)
    }

    private mutating func addLanes(_ device: Int, _ day: Int, _ number: Int, _ writer: inout any ExportWriter) {
        let hours = hours(number)
        add(
            .lane(
                LaneSpan(
                    deviceID: id(device), from: moment(day, hours.from), to: moment(day, hours.to), activity: .playing,
                    app: "Default Media Receiver", title: "Film number \(number)")), &writer)
    }
}
