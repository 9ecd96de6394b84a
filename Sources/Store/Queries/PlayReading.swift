import CastModel
import Differ
import Plays
import Recording

/// Rows of `ledger.plays` as plays.
enum PlayReading {
    /// What came of a row.
    enum Outcome {
        case play(PlayRow)
        /// A newer program stored it.
        case unknownWord
        /// A column has another type than ours: not our database.
        case malformed
    }

    /// The columns, in the order in which ``read(_:names:parser:)`` takes them.
    static let columns = """
        recorder_id::text, position, ordinal, device_id, started_at, counted_at, start_cause, ended_at, end_reason, \
        end_is_uncertain, phase, app_session_id, media_session_id, queue_item_id, app_id, app_name, content_id, \
        content_url, entity, title, series, season, episode, artist, album, content_type, stream_type, \
        duration_seconds, played_seconds, paused_seconds, buffering_seconds, ad_seconds, input_inactive_seconds, \
        gap_seconds, first_position_seconds, last_position_seconds, max_position_seconds, seeks, tracks, members, \
        continued_from, continued_in, input_is_inactive, phase_since
        """

    static func read(_ row: PostgresRow, names: [DeviceID: String], parser: JSONParser) -> Outcome {
        guard let recorder = row.text(0), let position = row.integer(1),
            let ordinal = row.integer(2).flatMap(Int32.init(exactly:)), let device = row.text(3).map(DeviceID.init),
            let startedAt = row.time(4), let countedAt = row.time(5), let causeName = row.text(6),
            let endIsUncertain = row.bool(9), let time = time(row), let seeks = row.integer(37),
            let isInputInactive = row.bool(42)
        else { return .malformed }
        guard let startCause = Play.StartCause(rawValue: causeName) else { return .unknownWord }
        var play = Play(
            id: .init(position: ArchivePosition(position), ordinal: ordinal), deviceID: device, startedAt: startedAt,
            countedAt: countedAt)
        play.startCause = startCause
        play.endedAt = row.time(7)
        if let reason = row.text(8) {
            guard let known = Play.EndReason(rawValue: reason) else { return .unknownWord }
            play.endReason = known
        }
        play.endIsUncertain = endIsUncertain
        if let phase = row.text(10) {
            guard let known = Play.Phase(rawValue: phase) else { return .unknownWord }
            play.phase = known
        }
        play.appSessionID = row.text(11).map(AppSessionID.init)
        play.mediaSessionID = row.integer(12)
        play.queueItemID = row.integer(13)
        play.appID = row.text(14).map(AppID.init)
        play.appName = row.text(15)
        play.content = content(row)
        play.time = time
        play.firstPositionSeconds = row.double(34)
        play.lastPositionSeconds = row.double(35)
        play.maxPositionSeconds = row.double(36)
        play.seeks = seeks
        play.tracks = list(row, 38, parser).compactMap { Play.TrackInterval($0) }
        play.memberIDs = list(row, 39, parser).compactMap { $0.string.map { DeviceID($0) } }
        play.continuedFrom = row.text(40).flatMap { .init(playName: $0) }
        play.continuedIn = row.text(41).flatMap { .init(playName: $0) }
        play.isInputInactive = isInputInactive
        play.phaseSince = row.time(43)
        return .play(PlayRow(recorderID: recorder, deviceName: names[device], play: play, orderValue: row.text(44)))
    }

    private static func content(_ row: PostgresRow) -> PlayContent {
        var content = PlayContent()
        content.contentID = row.text(16)
        content.contentURL = row.text(17)
        content.entity = row.text(18)
        content.title = row.text(19)
        content.seriesTitle = row.text(20)
        content.season = row.integer(21)
        content.episode = row.integer(22)
        content.artist = row.text(23)
        content.album = row.text(24)
        content.contentType = row.text(25)
        content.streamType = row.text(26)
        content.durationSeconds = row.double(27)
        return content
    }

    private static func time(_ row: PostgresRow) -> TimeSpent? {
        guard let played = row.double(28), let paused = row.double(29), let buffering = row.double(30),
            let advertisement = row.double(31), let inactive = row.double(32), let gap = row.double(33)
        else { return nil }
        return TimeSpent(
            playedSeconds: played, pausedSeconds: paused, bufferingSeconds: buffering, adSeconds: advertisement,
            inputInactiveSeconds: inactive, gapSeconds: gap)
    }

    private static func list(_ row: PostgresRow, _ column: Int, _ parser: JSONParser) -> [JSONValue] {
        row.jsonText(column).flatMap { try? parser.parse($0) }?.array ?? []
    }
}
