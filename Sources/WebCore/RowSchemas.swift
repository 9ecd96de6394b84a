/// The rows of plays, change events and coverage, as the command line has them.
extension OpenAPIDocument {
    static let play = [
        FieldSchema("recorder_id", .text, "Who observed it."),
        FieldSchema("position", .integer, "The record that began it."),
        FieldSchema("ordinal", .integer, "The place of its change event within that record."),
        FieldSchema("play_id", .text, "Its name: position/ordinal."), FieldSchema("device_id", .text, "Where."),
        FieldSchema("device", .optional(.text), "The device's name."),
        FieldSchema("app_session_id", .optional(.text), "In which app session."),
        FieldSchema("media_session_id", .optional(.integer), "In which media session."),
        FieldSchema("queue_item_id", .optional(.integer), "Which item of the queue."),
        FieldSchema("app_id", .optional(.text), "Which receiver app."),
        FieldSchema("app_name", .optional(.text), "Its name."),
        FieldSchema("content_id", .optional(.text), "What, as the app calls it."),
        FieldSchema("content_url", .optional(.text), "From where."),
        FieldSchema("entity", .optional(.text), "What, for deep links."),
        FieldSchema("title", .optional(.text), "Its title."), FieldSchema("series", .optional(.text), "Its series."),
        FieldSchema("season", .optional(.integer), "Its season."),
        FieldSchema("episode", .optional(.integer), "Its episode."),
        FieldSchema("artist", .optional(.text), "Its artist."), FieldSchema("album", .optional(.text), "Its album."),
        FieldSchema("content_type", .optional(.text), "Its media type."),
        FieldSchema("stream_type", .optional(.text), "BUFFERED or LIVE."),
        FieldSchema("duration_seconds", .optional(.number), "How long it is."),
        FieldSchema("started_at", .moment, "Its first sign."), FieldSchema("start_cause", .text, "Why it began."),
        FieldSchema("ended_at", .optional(.moment), "Its end; null while it lasts."),
        FieldSchema("end_reason", .optional(.text), "Why it ended."),
        FieldSchema("end_is_uncertain", .flag, "Whether nobody saw the end."),
        FieldSchema("phase", .optional(.text), "What it does now; null once ended."),
        FieldSchema("played_seconds", .number, "How long it played."),
        FieldSchema("paused_seconds", .number, "How long it was paused."),
        FieldSchema("buffering_seconds", .number, "How long it buffered."),
        FieldSchema("ad_seconds", .number, "How long advertisements played."),
        FieldSchema("input_inactive_seconds", .number, "Of played_seconds, those while the TV showed something else."),
        FieldSchema("gap_seconds", .number, "How long nobody watched."),
        FieldSchema("coverage", .number, "The share of its time that was observed."),
        FieldSchema("first_position_seconds", .optional(.number), "The first position told."),
        FieldSchema("last_position_seconds", .optional(.number), "The last one."),
        FieldSchema("max_position_seconds", .optional(.number), "The greatest one."),
        FieldSchema("progress", .optional(.number), "The greatest one as a share of the duration."),
        FieldSchema("seeks", .integer, "How often somebody jumped."),
        FieldSchema("tracks", .list(.object), "Which tracks were selected, and when."),
        FieldSchema("members", .list(.text), "The members of a group that played it."),
        FieldSchema("continued_from", .optional(.text), "The play that it continues."),
        FieldSchema("continued_in", .optional(.text), "The play that continues it."),
    ]

    static let playDetail = [
        FieldSchema("spans", .list(.reference("Span")), "What it did when."),
        FieldSchema("events", .list(.reference("Event")), "Its change events, the first 1,000."),
    ]

    static let event = [
        FieldSchema("recorder_id", .text, "Who observed it."),
        FieldSchema("position", .integer, "The record it is from."),
        FieldSchema("ordinal", .integer, "Its place within that record."),
        FieldSchema("observed_at", .moment, "When it was observed."), FieldSchema("device_id", .text, "Where."),
        FieldSchema("device", .optional(.text), "The device's name."),
        FieldSchema("app_session_id", .optional(.text), "In which app session."),
        FieldSchema("media_session_id", .optional(.integer), "In which media session."),
        FieldSchema("kind", .text, "What changed."),
        FieldSchema(
            "attribution", .word(["sender_request", "receiver", "snapshot", "unknown"]), "What the change is due to."),
        FieldSchema("request_id", .optional(.integer), "The requestId of the message."),
        FieldSchema("sender_series", .optional(.integer), "Which sender of the app session it probably was."),
        FieldSchema("callbacks", .list(.text), "What connected senders were told."),
        FieldSchema("effective", .flag, "Whether anything is different."),
        FieldSchema("before", .anything, "The value before."), FieldSchema("after", .anything, "The value after."),
        FieldSchema("position_seconds", .optional(.number), "The position in the content."),
        FieldSchema("sentence", .text, "The same for people."),
        FieldSchema("event_id", .text, "Its name: position/ordinal."),
    ]

    static let coverage = [
        FieldSchema("row", .word(["day", "device", "all"]), "A day of a device, its sum, or the sum of all."),
        FieldSchema("device_id", .optional(.text), "Which device."),
        FieldSchema("device", .optional(.text), "Its name."),
        FieldSchema("day", .optional(.text), "Which day, in the zone."),
        FieldSchema("known_seconds", .number, "The time of which a recorder knows whether it observed."),
        FieldSchema("observed_seconds", .number, "Of it, those in which the device was observed."),
        FieldSchema("media_observed_seconds", .number, "Of these, those in which no app was left unjoined."),
        FieldSchema("observed", .optional(.number), "observed_seconds as a share."),
        FieldSchema("media_observed", .optional(.number), "media_observed_seconds as a share."),
        FieldSchema("gaps", .list(.reference("Gap")), "Why the rest was missed, the longest first."),
    ]

    static let gap = [
        FieldSchema("reason", .text, "Why."), FieldSchema("seconds", .number, "For how long."),
    ]
}
