public import CastModel
public import Recording

/// A device at the checkpoint, for the page: beside ``DeviceRow`` what changes from moment to moment.
public struct NowRow: Sendable, Equatable {
    /// The device.
    public var device: DeviceRow
    /// The site of its recorder; nil when its operator did not say.
    public var site: String?
    /// Up to when its recorder's archive is applied; nil before the first record.
    public var checkpointAt: WallTime?
    /// When the device was last heard.
    public var heardAt: WallTime?
    /// What the differ keeps of it: its own form; nil when there is none.
    public var state: JSONValue?
    /// The last position that an event told, in seconds; nil when none did within a day.
    public var positionSeconds: Double?
    /// When that was.
    public var positionAt: WallTime?
    /// How many different senders asked for something in the last ten minutes, as far as they can be told apart.
    public var senders: Int64
    /// The receiver app that runs; nil for none.
    public var appID: AppID?
    /// Its display name; nil when not said.
    public var appName: String?
    /// Conflicts of the last 24 hours.
    public var conflicts: Int64

    /// How apps are joined on the link that is up, in the words of the archive; nil without one.
    public var attachMode: String? { device.reach == .linked ? state?["attachMode"]?.string : nil }
}

/// A span of a lane, for the page.
public struct TimelineRow: Sendable, Equatable {
    /// Which device.
    public var deviceID: DeviceID
    /// The first moment.
    public var from: WallTime
    /// The first moment after it.
    public var to: WallTime
    /// `playing`, `idle`, `unobserved` and the like.
    public var activity: String
    /// Why it was not observed; nil when it was.
    public var reason: String?
    /// The play's name, `812/0`; nil for none.
    public var playID: String?
    /// The app's display name or id; nil for none.
    public var app: String?
    /// What played; nil for none.
    public var title: String?
}

extension LedgerQueries {
    /// Every device as it is now, by name; of all, or of some.
    public func now(_ filter: LedgerFilter = LedgerFilter()) throws(StoreError) -> [NowRow] {
        let known = try devices()
        let wanted = try deviceIDs(filter, among: known).map { Set($0) }
        var found: [String: NowRow] = [:]
        let byID = Dictionary(known.map { ($0.deviceID.text, $0) }) { first, _ in first }
        // A constant, so that months that are over are not asked device by device.
        let earliest = try recorders().compactMap(\.checkpointAt).min().map {
            WallTime(microseconds: $0.microseconds - 86_400_000_000)
        }
        let rows = try rows(
            Self.nowStatement,
            [.texts(known.map(\.deviceID.text).filter { wanted?.contains($0) ?? true }), .time(earliest)],
            doing: "reading what devices do now"
        ) { row -> NowRow? in
            guard let device = row.text(0).flatMap({ byID[$0] }), let senders = row.integer(7),
                let conflicts = row.integer(10)
            else { return nil }
            return NowRow(
                device: device, site: row.text(1), checkpointAt: row.time(2), heardAt: row.time(3),
                state: row.text(4).flatMap { try? parser.parse(Array($0.utf8)) }, positionSeconds: row.double(5),
                positionAt: row.time(6), senders: senders, appID: row.text(8).map(AppID.init), appName: row.text(9),
                conflicts: conflicts)
        }
        for row in rows { found[row.device.deviceID.text] = row }
        return known.compactMap { found[$0.deviceID.text] }
    }

    private static let nowStatement = """
        SELECT d.device_id, r.site, r.observed_at, s.heard_at, s.state, e.position_seconds, e.observed_at,
            (SELECT count(DISTINCT x.sender_series) FROM ledger.events x
                WHERE x.device_id = d.device_id AND x.observed_at > r.observed_at - interval '10 minutes'
                    AND x.observed_at > $2::timestamptz AND x.sender_series IS NOT NULL),
            a.app_id, a.app_name,
            (SELECT count(*) FROM ledger.conflicts c
                WHERE c.device_id = d.device_id AND c.started_at > r.observed_at - interval '24 hours')
        FROM ledger.devices d
        LEFT JOIN ledger.recorders r ON r.recorder_id = d.recorder_id
        LEFT JOIN ledger.device_states s ON s.device_id = d.device_id AND s.recorder_id = d.recorder_id
        LEFT JOIN LATERAL (
            SELECT p.position_seconds, p.observed_at FROM ledger.events p
            WHERE p.device_id = d.device_id AND p.position_seconds IS NOT NULL
                AND p.observed_at > r.observed_at - interval '1 day' AND p.observed_at > $2::timestamptz
            ORDER BY p.observed_at DESC, p.recorder_id DESC, p.position DESC, p.ordinal DESC LIMIT 1
        ) e ON true
        LEFT JOIN LATERAL (
            SELECT t.app_id, t.app_name FROM ledger.app_sessions t
            WHERE t.device_id = d.device_id AND t.recorder_id = d.recorder_id AND t.ended_at IS NULL
            ORDER BY t.started_at DESC LIMIT 1
        ) a ON true
        WHERE d.device_id = ANY ($1::text[])
        """

    /// Hands over what devices did at every known moment of a period: by device, then by time; spans never overlap.
    public func timeline(
        of device: DeviceID? = nil, from: WallTime, to: WallTime, each: (TimelineRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let doing = "reading what devices did"
        try connection.stream(
            """
            SELECT device_id, from_at, to_at, activity, reason, position::text || '/' || ordinal::text,
                coalesce(app_name, app_id), title
            FROM ledger.lanes($1::timestamptz, $2::timestamptz, $3::text)
            ORDER BY device_id COLLATE "C", from_at
            """, [.time(from), .time(to), .text(device?.text)], doing: doing
        ) { row throws(StoreError) in
            guard let device = row.text(0).map(DeviceID.init), let from = row.time(1), let to = row.time(2),
                let activity = row.text(3)
            else { throw .unexpectedAnswer(doing: doing) }
            return try each(
                TimelineRow(
                    deviceID: device, from: from, to: to, activity: activity, reason: row.text(4),
                    playID: row.text(5), app: row.text(6), title: row.text(7)))
        }
    }

    /// The group of each device that is a member of one, as its group told last: of several the first by name.
    public func groupsOfMembers() throws(StoreError) -> [DeviceID: DeviceID] {
        var found: [DeviceID: DeviceID] = [:]
        let pairs = try rows(
            """
            SELECT m.device_id, m.group_id FROM ledger.group_members m JOIN ledger.devices d ON d.device_id = m.group_id
            ORDER BY lower(d.name) NULLS LAST, m.group_id
            """, doing: "reading the members of groups"
        ) { row in row.text(0).flatMap { member in row.text(1).map { (DeviceID(member), DeviceID($0)) } } }
        for (member, group) in pairs where found[member] == nil { found[member] = group }
        return found
    }

    /// The devices that a filter names, by name.
    public func named(_ filter: LedgerFilter) throws(StoreError) -> [DeviceRow] {
        let known = try devices()
        let wanted = try deviceIDs(filter, among: known).map { Set($0) }
        return known.filter { wanted?.contains($0.deviceID.text) ?? true }
    }
}
