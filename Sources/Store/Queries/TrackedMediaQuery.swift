public import CastModel
public import Recording

/// Media that was seen with text tracks.
public struct TrackedMediaRow: Sendable, Equatable {
    /// Where.
    public var deviceID: DeviceID
    /// When it was seen last.
    public var lastAt: WallTime
    /// The media, as the change events tell it: without secrets.
    public var media: MediaInformation
}

extension LedgerQueries {
    /// Media that lists tracks, of one device or of all, the latest first, each once per device.
    ///
    /// - Throws: `unknownDevice`, `ambiguousDevice`, or what the database says.
    public func trackedMedia(device spelling: String?, limit: Int) throws(StoreError) -> [TrackedMediaRow] {
        let device = try spelling.map { text throws(StoreError) in try self.device(text).deviceID.text }
        return try rows(
            """
            SELECT device_id, max(observed_at), media FROM (
                SELECT device_id, observed_at, CASE WHEN kind = 'media_changed' THEN after ELSE after->'media' END AS media
                FROM ledger.events
                WHERE kind IN ('media_session_started', 'media_loading', 'media_changed')
                    AND ($1::text IS NULL OR device_id = $1::text)
            ) told
            WHERE jsonb_typeof(media->'tracks') = 'array' AND media->'tracks' <> '[]'
            GROUP BY device_id, media ORDER BY max(observed_at) DESC, device_id LIMIT $2::bigint
            """, [device.map(PostgresParameter.text) ?? .null, .integer(Int64(limit))], doing: "reading tracked media"
        ) { row in
            guard let device = row.text(0), let lastAt = row.time(1), let text = row.jsonText(2),
                let media = (try? parser.parse(text))?.object
            else { return nil }
            return TrackedMediaRow(deviceID: DeviceID(device), lastAt: lastAt, media: MediaInformation(media))
        }
    }
}
