public import CastModel
import Differ
public import Plays
import Recording

/// A row of `castledger report as-run`: what of a play lies in one day, or what a day comes to.
///
/// The names and their order are stable.
public struct AsRunFields: Sendable {
    /// How a play lies to a day.
    public enum Part: String, Sendable, CaseIterable {
        /// It begins and ends in it.
        case whole
        /// It begins in it and goes on.
        case first
        /// It began before and goes on.
        case middle
        /// It began before and ends in it.
        case last
    }

    /// Which device.
    public var deviceID: String
    /// Its friendly name; nil when it never said one.
    public var deviceName: String?
    /// "2026-03-01".
    public var day: String
    /// The play, and the recorder that observed it; nil for the sum of the day.
    public var play: (fields: Play, recorderID: String)?
    /// What lies in the day.
    public var time: TimePlayed
    /// Seconds of the play that lie in the day and were not observed; 0 for a sum.
    public var gapSeconds = 0.0
    /// How many neighbors of the same content the row stands for.
    public var mergedCount = 1

    /// A row, part by part.
    public init(
        deviceID: String, deviceName: String?, day: String, play: (fields: Play, recorderID: String)?, time: TimePlayed
    ) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.day = day
        self.play = play
        self.time = time
    }

    /// The names, in order.
    public static let names = [
        "row", "device_id", "device", "day", "recorder_id", "play_id", "part", "merged", "started_at", "ended_at",
        "members", "app_id", "app_name", "title", "series", "artist", "content_id", "played_seconds", "paused_seconds",
        "ad_seconds", "gap_seconds", "seeks", "languages", "captions", "progress", "start_cause", "end_reason",
        "end_is_uncertain", "plays", "known_seconds", "observed_seconds", "coverage",
    ]

    /// The values in the order of ``names``; nil where there is none.
    private func values(_ zone: Zone) -> [JSONValue?] {
        let played = play?.fields
        let content = played?.content
        return [
            .string(play == nil ? "day" : "play"), .string(deviceID), deviceName.map(JSONValue.string), .string(day),
            play.map { .string($0.recorderID) }, played.map { .string($0.id.playName) },
            played.map { .string(Self.part($0, of: day, zone).rawValue) },
            played.map { _ in .integer(Int64(mergedCount)) },
            played.map { .string($0.startedAt.text) }, played?.endedAt.map { .string($0.text) }, played?.membersJSON,
            played?.appID.map { .string($0.text) }, played?.appName.map(JSONValue.string),
            content?.title.map(JSONValue.string), content?.seriesTitle.map(JSONValue.string),
            content?.artist.map(JSONValue.string), content?.contentID.map(JSONValue.string),
            .number(time.playedSeconds), .number(time.pausedSeconds), .number(time.adSeconds),
            played.map { _ in .number(gapSeconds) }, played.map { .integer($0.seeks) },
            played.map { .array(Self.languages($0).map { .string($0) }) },
            played.flatMap(Self.captions).map(JSONValue.bool),
            played?.progress.map(JSONValue.number), played.map { .string($0.startCause.rawValue) },
            played?.endReason.map { .string($0.rawValue) }, played.map { .bool($0.endIsUncertain) },
            play == nil ? .integer(time.plays) : nil, time.knownSeconds.map(JSONValue.number),
            time.observedSeconds.map(JSONValue.number), (played.map(\.coverage) ?? time.coverage).map(JSONValue.number),
        ]
    }

    /// One JSON object, without newline; absent values are `null`.
    public func json(zone: Zone) -> String {
        JSONValue.object(JSONObject(zip(Self.names, values(zone)).map { (key: $0, value: $1 ?? .null) })).text
    }

    /// The heading of a CSV file, with its CRLF.
    public static let csvHeading = CSVLine.text(names.map { $0 })

    /// One CSV line with its CRLF: members and languages separated by blanks.
    public func csv(zone: Zone) -> String {
        CSVLine.text(
            values(zone).map { value in
                switch value {
                case nil: nil
                case .string(let text)?: text
                case .array(let words)?: words.compactMap(\.string).joined(separator: " ")
                case let value?: value.text
                }
            })
    }

    /// The columns of ``cells(zone:apps:)``.
    public static let columns: [Table.Column] = [
        .init("started", isWhole: true), .init("ended", isWhole: true, leavingRank: 1),
        .init("app", limitColumns: 20, leavingRank: 2), .init("title", limitColumns: 36),
        .init("played", isNumeric: true), .init("paused", isNumeric: true, leavingRank: 4, leavesEmpty: true),
        .init("seeks", isNumeric: true, leavingRank: 6, leavesEmpty: true),
        .init("tracks", limitColumns: 14, leavingRank: 8, leavesEmpty: true),
        .init("seen", isNumeric: true, leavingRank: 5, leavesEmpty: true),
        .init("began by", limitColumns: 16, leavingRank: 7), .init("end", leavingRank: 3),
    ]

    /// The row of a table for people; only of a play.
    ///
    /// - Parameter apps: Names for apps whose device said none.
    public func cells(zone: Zone, apps: AppRegistry) -> [String] {
        guard let played = play?.fields else { return [] }
        let part = Self.part(played, of: day, zone)
        let began = part == .whole || part == .first
        let ends = part == .whole || part == .last
        let lasts = played.endedAt == nil && ends ? "lasts" : "goes on"
        return [
            began ? Self.clock(played.startedAt, zone) : "before",
            played.endedAt.map { ends ? Self.clock($0, zone) : lasts } ?? "lasts",
            played.appName ?? played.appID.map { apps[$0]?.name ?? $0.text } ?? "-", title(of: played),
            Figures.stretch(time.playedSeconds), time.pausedSeconds >= 0.05 ? Figures.stretch(time.pausedSeconds) : "",
            played.seeks > 0 ? "\(played.seeks)" : "", tracks(of: played),
            played.progress.map { TimePlayed.percent($0) } ?? "", Self.words(played.startCause.rawValue),
            played.endedAt == nil
                ? played.phase.map { "now \($0.rawValue)" } ?? "-"
                : (played.endReason.map { Self.words($0.rawValue) } ?? "-") + (played.endIsUncertain ? ", unseen" : ""),
        ]
    }

    private func title(of play: Play) -> String {
        let content = play.content
        let name = content.title ?? content.contentID ?? content.entity ?? content.contentURL ?? "-"
        let by = (content.artist ?? content.seriesTitle).flatMap { $0 == name ? nil : " (\($0))" } ?? ""
        let group = play.memberIDs.isEmpty ? "" : " [group of \(play.memberIDs.count)]"
        return name + by + group + (mergedCount > 1 ? " [\(mergedCount) plays]" : "")
    }

    private func tracks(of play: Play) -> String {
        let words = Self.languages(play) + (Self.captions(play) == true ? ["captions"] : [])
        return words.joined(separator: " ")
    }

    /// The languages of the tracks that were selected, each once.
    private static func languages(_ play: Play) -> [String] {
        var found: [String] = []
        for language in play.tracks.flatMap(\.languages) where !found.contains(language) { found.append(language) }
        return found
    }

    /// Whether captions were on at any time; nil when nothing was told of tracks.
    private static func captions(_ play: Play) -> Bool? {
        play.tracks.isEmpty ? nil : play.tracks.contains { $0.hasText }
    }

    /// How a play lies to a day.
    private static func part(_ play: Play, of day: String, _ zone: Zone) -> Part {
        let begins = zone.day(play.startedAt) >= day
        let end = play.endedAt ?? play.countedAt
        // What ends at midnight has ended on the day before.
        let last = max(play.startedAt, WallTime(microseconds: end.microseconds &- 1))
        let ends = zone.day(last) <= day
        return begins ? (ends ? .whole : .first) : (ends ? .last : .middle)
    }

    private static func clock(_ time: WallTime, _ zone: Zone) -> String { String(zone.timeOfDay(time).prefix(8)) }

    private static func words(_ word: String) -> String { word.split(separator: "_").joined(separator: " ") }
}
