import CastModel
import Recording

/// Collects the change events of one record, in order.
///
/// What the events of one message share is set once, on the collector.
struct EventCollector {
    /// The record they come from.
    let position: ArchivePosition
    /// When that record was written.
    let at: WallTime
    /// Whose state changes.
    var deviceID: DeviceID
    /// In which app session.
    var appSessionID: AppSessionID?
    /// In which media session.
    var mediaSessionID: Int64?
    /// Who caused it.
    var attribution: ChangeEvent.Attribution = .unknown
    /// The message's requestId.
    var requestID: Int64?
    /// Which sender asked, where requestIds tell.
    var senderSeries: Int32?
    /// Whether other senders get the message too; an answer to our own question calls nobody's listener.
    var isForEverybody = false
    /// Position in the media, in seconds.
    var positionSeconds: Double?
    /// What was collected so far.
    private(set) var events: [ChangeEvent]
    /// What of the message is not understood.
    var notUnderstood: [NotUnderstood.Name] = []

    /// Collects after those events that the record has made already.
    init(record: Record, deviceID: DeviceID, after earlier: [ChangeEvent] = []) {
        events = earlier
        position = record.position
        at = record.at
        self.deviceID = deviceID
    }

    /// Adds an event; `callbacks` are those that a message for everybody fires.
    mutating func add(
        _ kind: ChangeEvent.Kind, before: JSONValue? = nil, after: JSONValue? = nil, effective: Bool = true,
        callbacks: [ChangeEvent.Callback] = []
    ) {
        events.append(
            ChangeEvent(
                id: ChangeEvent.ID(position: position, ordinal: Int32(clamping: events.count)), observedAt: at,
                deviceID: deviceID, appSessionID: appSessionID, mediaSessionID: mediaSessionID, kind: kind,
                attribution: attribution, requestID: requestID, senderSeries: senderSeries,
                callbacks: isForEverybody ? callbacks : [],
                effective: effective, before: before, after: after, positionSeconds: positionSeconds))
    }

    /// Adds an event of a field that changed: before and after as an object of that one field.
    mutating func add(
        _ kind: ChangeEvent.Kind, _ key: String, from before: JSONValue?, to after: JSONValue?,
        callbacks: [ChangeEvent.Callback]
    ) {
        add(
            kind, before: before.map { .object(JSONObject([(key, $0)])) },
            after: after.map { .object(JSONObject([(key, $0)])) }, callbacks: callbacks)
    }
}

extension JSONObject {
    /// An object of those fields that have a value.
    init(known pairs: [(key: String, value: JSONValue?)]) {
        self.init(pairs.compactMap { pair in pair.value.map { (key: pair.key, value: $0) } })
    }

    /// The object as a value; nil when it has no field.
    var unlessEmpty: JSONValue? { pairs.isEmpty ? nil : .object(self) }
}
