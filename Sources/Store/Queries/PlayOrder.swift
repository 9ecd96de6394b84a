extension LedgerPage.Order {
    /// What the database orders plays by before the time, and its type: never NULL, so that any two rows compare.
    ///
    /// Nil for the time itself.
    var place: (sql: String, type: String)? {
        switch self {
        case .startedAt: nil
        case .endedAt: ("coalesce(ended_at, 'infinity')", "timestamptz")
        case .device: ("device_key", "text")
        case .members: ("jsonb_array_length(members)", "integer")
        case .appName: (Self.folded("coalesce(app_name, app_id, '')"), "text")
        case .title: (Self.folded("coalesce(title, content_id, entity, content_url, '')"), "text")
        case .playedSeconds: ("played_seconds", Self.number)
        case .pausedSeconds: ("paused_seconds", Self.number)
        case .adSeconds: ("ad_seconds", Self.number)
        case .bufferingSeconds: ("buffering_seconds", Self.number)
        case .durationSeconds: ("coalesce(duration_seconds, -1)", Self.number)
        case .progress: (Self.progressOfPlay, Self.number)
        case .seeks: ("seeks", "bigint")
        case .captions: (Self.folded(Self.captionsOfPlay), "text")
        case .endReason: ("coalesce(end_reason, '') COLLATE \"C\"", "text")
        case .startCause: ("start_cause COLLATE \"C\"", "text")
        case .coverage: (Self.coverageOfPlay, Self.number)
        case .contentID: (Self.folded("coalesce(content_id, entity, '')"), "text")
        }
    }

    /// Where plays come from, with what they are ordered by.
    var source: String {
        guard self == .device else { return "ledger.plays" }
        return """
            ledger.plays LEFT JOIN (
                SELECT d.device_id AS named_id, \(Self.folded("coalesce(d.name, d.device_id)")) AS device_key
                FROM ledger.devices d
            ) n ON n.named_id = device_id
            """
    }

    private static let number = "double precision"

    /// Small and capital letters of English alike, and otherwise by bytes: the same on every machine.
    ///
    /// The first 100 characters decide, so that a place in the list stays short.
    private static func folded(_ text: String) -> String { "lower(left(\(text), 100) COLLATE \"C\")" }

    /// As a play tells it: see `Play.progress`.
    private static let progressOfPlay = """
        coalesce(CASE WHEN upper(stream_type) IS DISTINCT FROM 'LIVE' AND duration_seconds > 0
                AND max_position_seconds IS NOT NULL
            THEN greatest(0, least(1, max_position_seconds / duration_seconds)) END, -1)
        """

    /// As a play tells it: see `Play.coverage`.
    private static let coverageOfPlay = """
        (CASE WHEN coalesce(ended_at, counted_at) > started_at
            THEN greatest(0, least(1, 1 - gap_seconds
                / extract(epoch FROM coalesce(ended_at, counted_at) - started_at)::double precision))
            ELSE 1 END)
        """

    /// "on" where captions tell no language.
    private static let captionsOfPlay = """
        coalesce((
            SELECT coalesce(t.value -> 'languages' ->> 0, 'on')
            FROM jsonb_array_elements(tracks) WITH ORDINALITY t (value, number)
            WHERE (t.value ->> 'captions')::boolean
            ORDER BY t.number LIMIT 1
        ), '')
        """
}
