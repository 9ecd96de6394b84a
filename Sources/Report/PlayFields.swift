public import CastModel
import Differ
public import Plays
import Recording

/// A play with the names of DESIGN 5, for programs: JSON Lines and CSV.
///
/// The names and their order are stable.
public struct PlayFields: Sendable {
    /// The play.
    public var play: Play
    /// The recorder whose archive holds it: a UUID.
    public var recorderID: String
    /// The device's friendly name; nil when it never told one.
    public var deviceName: String?
    /// On whose clocks the times are written; each tells its distance from UTC.
    public var zone = Zone.utc

    /// A play with what surrounds it.
    public init(play: Play, recorderID: String, deviceName: String?) {
        self.play = play
        self.recorderID = recorderID
        self.deviceName = deviceName
    }

    /// The names, in order.
    public static let names = [
        "recorder_id", "position", "ordinal", "play_id", "device_id", "device", "app_session_id", "media_session_id",
        "queue_item_id", "app_id", "app_name", "content_id", "content_url", "entity", "title", "series", "season",
        "episode", "artist", "album", "content_type", "stream_type", "duration_seconds", "started_at", "start_cause",
        "ended_at", "end_reason", "end_is_uncertain", "phase", "played_seconds", "paused_seconds",
        "buffering_seconds", "ad_seconds", "input_inactive_seconds", "gap_seconds", "coverage",
        "first_position_seconds", "last_position_seconds", "max_position_seconds", "progress", "seeks", "tracks",
        "members", "continued_from", "continued_in",
    ]

    /// The values in the order of ``names``; nil where there is none.
    private var values: [JSONValue?] { identity + content + course }

    private var identity: [JSONValue?] {
        [
            .string(recorderID), .integer(play.id.position.number), .integer(Int64(play.id.ordinal)),
            .string(play.id.playName), .string(play.deviceID.text), deviceName.map(JSONValue.string),
            play.appSessionID.map { .string($0.text) }, play.mediaSessionID.map(JSONValue.integer),
            play.queueItemID.map(JSONValue.integer), play.appID.map { .string($0.text) },
            play.appName.map(JSONValue.string),
        ]
    }

    private var content: [JSONValue?] {
        let content = play.content
        return [
            content.contentID.map(JSONValue.string), content.contentURL.map(JSONValue.string),
            content.entity.map(JSONValue.string), content.title.map(JSONValue.string),
            content.seriesTitle.map(JSONValue.string), content.season.map(JSONValue.integer),
            content.episode.map(JSONValue.integer), content.artist.map(JSONValue.string),
            content.album.map(JSONValue.string), content.contentType.map(JSONValue.string),
            content.streamType.map(JSONValue.string), content.durationSeconds.map(JSONValue.number),
        ]
    }

    private var course: [JSONValue?] {
        let time = play.time
        return [
            .string(zone.text(play.startedAt)), .string(play.startCause.rawValue),
            play.endedAt.map { .string(zone.text($0)) },
            play.endReason.map { .string($0.rawValue) }, .bool(play.endIsUncertain),
            play.phase.map { .string($0.rawValue) }, .number(time.playedSeconds), .number(time.pausedSeconds),
            .number(time.bufferingSeconds), .number(time.adSeconds), .number(time.inputInactiveSeconds),
            .number(time.gapSeconds), .number(play.coverage), play.firstPositionSeconds.map(JSONValue.number),
            play.lastPositionSeconds.map(JSONValue.number), play.maxPositionSeconds.map(JSONValue.number),
            play.progress.map(JSONValue.number), .integer(play.seeks), play.tracksJSON(times: zone.text),
            play.membersJSON,
            play.continuedFrom.map { .string($0.playName) }, play.continuedIn.map { .string($0.playName) },
        ]
    }

    /// One JSON object, without newline; absent values are `null`.
    public var json: String { JSONValue.object(object).text }

    /// The same, to be put into another one.
    public var object: JSONObject { JSONObject(zip(Self.names, values).map { (key: $0, value: $1 ?? .null) }) }

    /// The heading of a CSV file, with its CRLF.
    public static let csvHeading = CSVLine.text(names.map { $0 })

    /// One CSV line with its CRLF: members separated by blanks, tracks as JSON.
    public var csv: String {
        CSVLine.text(
            zip(Self.names, values).map { name, value in
                switch value {
                case nil: nil
                case .string(let text)?: text
                case .array(let words)? where name == "members": words.compactMap(\.string).joined(separator: " ")
                case let value?: value.text
                }
            })
    }

    /// The row of a table for people.
    ///
    /// - Parameters:
    ///   - apps: Names for apps whose device said none.
    ///   - isRecorded: Whether the device is recorded now, so that a play that has not ended goes on.
    public func row(zone: Zone, apps: AppRegistry = .builtIn, isRecorded: Bool = true) -> [String] {
        [
            zone.day(play.startedAt) + " " + zone.timeOfDay(play.startedAt),
            deviceName ?? play.deviceID.text,
            play.appName ?? play.appID.map { apps[$0]?.name ?? $0.text } ?? "-",
            title,
            played,
            ending(zone, isRecorded),
        ]
    }

    /// The columns of ``row(zone:apps:isRecorded:)``.
    public static let columns: [Table.Column] = [
        .init("started"), .init("device", limitColumns: 24), .init("app", limitColumns: 24), .init("title"),
        .init("played"), .init("end"),
    ]

    private var title: String {
        let content = play.content
        let name = content.title ?? content.contentID ?? content.entity ?? content.contentURL ?? "-"
        guard let by = content.artist ?? content.seriesTitle, by != name else { return name }
        return "\(name) (\(by))"
    }

    /// The time played, with the share that was observed where it was not all.
    private var played: String {
        let stretch = Figures.stretch(play.time.playedSeconds)
        guard play.time.gapSeconds > 0 else { return stretch }
        return "\(stretch), \(Figures.percent(play.coverage)) observed"
    }

    private func ending(_ zone: Zone, _ isRecorded: Bool) -> String {
        guard let endedAt = play.endedAt else {
            return play.phase.map { isRecorded ? "now \($0.rawValue)" : "\($0.rawValue) when last known" } ?? "-"
        }
        let reason = (play.endReason ?? .unknown).rawValue.split(separator: "_").joined(separator: " ")
        return "\(reason) \(play.endIsUncertain ? "after " : "")\(zone.timeOfDay(endedAt))"
    }
}
