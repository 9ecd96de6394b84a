public import CastModel
public import Differ
public import Recording

/// What a device did in a span of time.
public struct LaneRow: Sendable, Equatable {
    /// Which device.
    public var deviceID: DeviceID
    /// Its present friendly name; nil when it never said one.
    public var deviceName: String?
    /// The first moment.
    public var from: WallTime
    /// The first moment after it.
    public var to: WallTime
    /// `playing`, `idle`, `unobserved` and the like: the list is in docs/reports.md.
    public var activity: String
    /// Why it was not observed; nil when it was.
    public var reason: String?
    /// Whether the TV said that it is in standby or on another input.
    public var isInputInactive: Bool
    /// The play, and the recorder that observed it; nil for none.
    public var play: (recorderID: String, id: ChangeEvent.ID)?
    /// Which receiver app; nil for none, and when not said.
    public var appID: AppID?
    /// The app's display name; nil when not said.
    public var appName: String?
    /// What played: the title, else what identifies the content; nil for none.
    public var title: String?
    /// Whether it reaches the end of what is known.
    public var lasts: Bool

    /// Whether all of it is the same.
    public static func == (one: LaneRow, other: LaneRow) -> Bool {
        one.deviceID == other.deviceID && one.deviceName == other.deviceName && one.from == other.from
            && one.to == other.to && one.activity == other.activity && one.reason == other.reason
            && one.isInputInactive == other.isInputInactive && one.play?.recorderID == other.play?.recorderID
            && one.play?.id == other.play?.id && one.appID == other.appID && one.appName == other.appName
            && one.title == other.title && one.lasts == other.lasts
    }
}

extension LedgerQueries {
    /// The devices that a filter names, in the order of ``devices()``.
    public func shownDevices(_ filter: LedgerFilter) throws(StoreError) -> [DeviceRow] {
        let known = try devices()
        let wanted = try deviceIDs(filter, among: known).map { Set($0) }
        return known.filter { wanted?.contains($0.deviceID.text) ?? true }
    }

    /// Hands over what each device did at every known moment of a period, by device in the order of ``devices()``, then by
    /// time, until `each` returns false.
    ///
    /// The lanes of a device never overlap, and leave no hole but what is not known, and what lies out of the filter's
    /// hours. The filter must have a period; what it says of plays is not looked at.
    public func lanes(
        _ filter: LedgerFilter, each: (LaneRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let doing = "reading what devices did"
        let known = try devices()
        let scope = try ReportScope(filter, zone: "UTC", known: known, self)
        let names = Dictionary(known.compactMap { row in row.name.map { (row.deviceID, $0) } }) { first, _ in first }
        var statement = FilteredStatement(
            "",
            parameters: [
                .time(filter.from), .time(filter.to), .texts(scope.deviceIDs),
                .text(scope.deviceIDs.count == 1 ? scope.deviceIDs[0] : nil),
            ])
        var lanes = "ledger.lanes($1::timestamptz, $2::timestamptz, $4::text)"
        if let hours = filter.hours, !hours.isWholeWeek {
            let parts = Self.parts(hours, of: &statement, from: "$1::timestamptz", to: "$2::timestamptz")
            lanes = "\(parts) CROSS JOIN LATERAL ledger.lanes(lower(h.span), upper(h.span), $4::text)"
        }
        try connection.stream(
            """
            SELECT l.device_id, l.from_at, l.to_at, l.activity, l.reason, l.input_inactive, l.recorder_id::text,
                l.position, l.ordinal, l.app_id, l.app_name, l.title, l.lasts
            FROM \(lanes) l
            JOIN unnest($3::text[]) WITH ORDINALITY d (device_id, place) ON l.device_id = d.device_id
            ORDER BY d.place, l.from_at
            """, statement.parameters, doing: doing
        ) { row throws(StoreError) in
            guard let device = row.text(0).map(DeviceID.init), let from = row.time(1), let to = row.time(2),
                let activity = row.text(3), let isInputInactive = row.bool(5), let lasts = row.bool(12)
            else { throw .unexpectedAnswer(doing: doing) }
            var play: (recorderID: String, id: ChangeEvent.ID)?
            if let recorder = row.text(6), let position = row.integer(7),
                let ordinal = row.integer(8).flatMap(Int32.init(exactly:))
            {
                play = (recorder, ChangeEvent.ID(position: ArchivePosition(position), ordinal: ordinal))
            }
            return try each(
                LaneRow(
                    deviceID: device, deviceName: names[device], from: from, to: to, activity: activity,
                    reason: row.text(4), isInputInactive: isInputInactive, play: play,
                    appID: row.text(9).map(AppID.init), appName: row.text(10), title: row.text(11), lasts: lasts))
        }
    }
}
