public import CastModel
public import Recording

/// A span of a device's known time, and whether it was observed.
public struct ObservedRow: Sendable, Equatable {
    /// Which device.
    public var deviceID: DeviceID
    /// Its first moment.
    public var from: WallTime
    /// The first moment after it.
    public var to: WallTime
    /// Whether the device was observed.
    public var isObserved: Bool
    /// Whether the media of all its apps was observed, too.
    public var isMediaObserved: Bool
    /// Why not; nil where all was.
    public var reason: String?
}

extension LedgerQueries {
    /// The known time of all devices, or of one, within a period and its hours: by device, then by time; spans never
    /// overlap.
    public func observations(
        of device: DeviceID? = nil, from: WallTime, to: WallTime, hours: LedgerHours? = nil
    ) throws(StoreError) -> [ObservedRow] {
        guard from < to else { return [] }
        var statement = FilteredStatement("", parameters: [.time(from), .time(to), .text(device?.text)])
        var spans = "ledger.observed_span($1::timestamptz, $2::timestamptz, $3::text)"
        if let hours, !hours.isWholeWeek {
            let parts = Self.parts(hours, of: &statement, from: "$1::timestamptz", to: "$2::timestamptz")
            spans = "\(parts) CROSS JOIN LATERAL ledger.observed_span(lower(h.span), upper(h.span), $3::text)"
        }
        return try rows(
            """
            SELECT o.device_id, o.from_at, o.to_at, o.observed, o.media_observed, o.reason
            FROM \(spans) o
            ORDER BY o.device_id COLLATE "C", o.from_at
            """, statement.parameters, doing: "reading what was observed"
        ) { row in
            guard let device = row.text(0).map(DeviceID.init), let from = row.time(1), let to = row.time(2),
                let observed = row.bool(3), let mediaObserved = row.bool(4)
            else { return nil }
            return ObservedRow(
                deviceID: device, from: from, to: to, isObserved: observed, isMediaObserved: mediaObserved,
                reason: row.text(5))
        }
    }
}
