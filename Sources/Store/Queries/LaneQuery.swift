public import CastModel
public import Recording

/// What a device did for a while.
public struct LaneRow: Sendable, Equatable {
    /// Which device.
    public var deviceID: DeviceID
    /// Its first moment.
    public var from: WallTime
    /// The first moment after it.
    public var to: WallTime
    /// What it did, in the words of `ledger.lanes`.
    public var activity: String
    /// Why it was not observed; nil where it was.
    public var reason: String?
    /// Which app; nil where none ran or none is known.
    public var appID: AppID?
    /// The app's display name; nil when not said.
    public var appName: String?
    /// What was on; nil where nothing was.
    public var title: String?
}

extension LedgerQueries {
    /// What all devices, or one, did at every known moment of a period: by device, then by time; never overlapping.
    public func lanes(
        of device: DeviceID? = nil, from: WallTime, to: WallTime
    ) throws(StoreError) -> [LaneRow] {
        guard from < to else { return [] }
        return try rows(
            """
            SELECT device_id, from_at, to_at, activity, reason, app_id, app_name, title
            FROM ledger.lanes($1::timestamptz, $2::timestamptz, $3::text)
            ORDER BY device_id COLLATE "C", from_at
            """, [.time(from), .time(to), .text(device?.text)], doing: "reading what devices did"
        ) { row in
            guard let device = row.text(0).map(DeviceID.init), let from = row.time(1), let to = row.time(2),
                let activity = row.text(3)
            else { return nil }
            return LaneRow(
                deviceID: device, from: from, to: to, activity: activity, reason: row.text(4),
                appID: row.text(5).map(AppID.init), appName: row.text(6), title: row.text(7))
        }
    }
}
