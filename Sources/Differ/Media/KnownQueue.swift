import CastModel

/// What is known of the queue of one media session.
///
/// A status tells a window of the queue around the current item, not the queue (PROTOCOL 4.3): items that come into view
/// or leave it have not changed.
struct KnownQueue: Equatable {
    /// The ids last told, in their order: a window, or the whole queue after a QUEUE_ITEM_IDS.
    ///
    /// Nil until told, and after a QUEUE_CHANGE: that has told the change, whatever the next window shows.
    var window: [Int64]?
    /// Fingerprint of the items as they came; nil until told.
    var items: UInt64?
    /// What the items around the current one play, as far as told.
    var media: [ItemMedia] = []
    /// The number of the last change; nil until told.
    var sequenceNumber: Int64?
    /// Fingerprint of the last QUEUE_CHANGE: the same again is a duplicate.
    var changeHash: UInt64?
    /// The request that caused the last QUEUE_CHANGE, until its media status comes.
    var changeRequestID: Int64?
    /// What follows the end; nil until told.
    var repeatMode: RepeatMode?
    /// Whether the order is another than the queue's own; nil until told.
    var shuffle: Bool?
    /// What names the queue; nil until told.
    var naming: JSONObject?

    /// What an item plays.
    struct ItemMedia: Equatable {
        var itemID: Int64
        var media: JSONObject
    }

    /// Items whose media is kept, at most: a window of the usual size.
    static let mediaLimit = 20

    /// What an item plays; nil when it was never told.
    func media(of itemID: Int64?) -> JSONObject? { media.first { $0.itemID == itemID }?.media }

    /// Takes items of a window; true when they are not the ones last told.
    ///
    /// Items told for the first time are no change.
    mutating func take(_ status: MediaStatus, _ list: [QueueItem]?, around currentItemID: Int64?) -> Bool {
        guard let told = status.json["items"], let list else { return false }
        let hash = Fingerprint.of(told)
        guard hash != items else { return false }
        let isFirst = items == nil
        items = hash
        takeMedia(of: list, around: currentItemID)
        return !isFirst
    }

    /// Keeps what the items around the current one play.
    mutating func takeMedia(of list: [QueueItem], around currentItemID: Int64?) {
        let current = list.firstIndex { $0.itemID.ifPresent == currentItemID } ?? 0
        let told = list.dropFirst(max(0, current - 2)).prefix(Self.mediaLimit).compactMap { item in
            item.itemID.ifPresent.flatMap { itemID in
                item.media.ifPresent.map { ItemMedia(itemID: itemID, media: KeptMedia.named(KeptMedia.kept($0.json))) }
            }
        }
        let ids = Set(told.map { $0.itemID })
        media = Array((told + media.filter { !ids.contains($0.itemID) }).prefix(Self.mediaLimit))
    }
}

/// How one window of a queue differs from the one before it, where both show the queue.
struct QueueWindowDifference: Equatable {
    /// Items between two that were neighbours.
    var inserted: [Int64] = []
    /// Items gone from between two that still are there.
    var removed: [Int64] = []
    /// Whether the items that both show stand in another order; then nothing else can be said.
    var isReordered = false

    /// Whether both can be windows of one queue.
    var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && !isReordered }

    /// The difference between two windows.
    ///
    /// Only what lies between items that both show tells anything: beyond them, the window may just have moved. Windows
    /// without a common item tell nothing.
    init(from before: [Int64], to after: [Int64]) {
        if before == after { return }
        let (old, new) = (Set(before), Set(after))
        isReordered = before.filter { new.contains($0) } != after.filter { old.contains($0) }
        if isReordered { return }
        inserted = Self.inside(after, old)
        removed = Self.inside(before, new)
    }

    /// The ids that are not among the others, yet between two that are.
    private static func inside(_ window: [Int64], _ others: Set<Int64>) -> [Int64] {
        guard let first = window.firstIndex(where: { others.contains($0) }),
            let last = window.lastIndex(where: { others.contains($0) })
        else { return [] }
        return window[first...last].filter { !others.contains($0) }
    }
}

/// The queue as JSON, for the checkpoint.
extension KnownQueue {
    var stateJSON: JSONValue? {
        JSONObject(known: [
            ("window", window.map { .array($0.map { .integer($0) }) }),
            ("items", items.map { .string(Fingerprint.text($0)) }),
            // Not "media": that would be the media itself, of which `--redact titles` keeps only some fields.
            (
                "itemMedia",
                media.isEmpty
                    ? nil : .array(media.map { ["item": .integer($0.itemID), "content": .object($0.media)] })
            ),
            ("sequence", sequenceNumber.map { .integer($0) }),
            ("changeHash", changeHash.map { .string(Fingerprint.text($0)) }),
            ("changeRequest", changeRequestID.map { .integer($0) }),
            ("repeatMode", repeatMode.map { .string($0.raw) }), ("shuffle", shuffle.map { .bool($0) }),
            ("queueData", naming.map { .object($0) }),
        ]).unlessEmpty
    }

    init(_ fields: StateFields) throws(DifferError) {
        window = try fields.optionalList("window").map { $0.compactMap { $0.lossyInteger } }
        items = try fields.hash("items")
        for item in try fields.list("itemMedia") {
            let item = try StateFields(item, of: fields.deviceID, "itemMedia")
            media.append(
                ItemMedia(itemID: try item.required("item"), media: try item.object("content") ?? JSONObject()))
        }
        sequenceNumber = try fields.integer("sequence")
        changeHash = try fields.hash("changeHash")
        changeRequestID = try fields.integer("changeRequest")
        repeatMode = try fields.text("repeatMode").map { RepeatMode($0) }
        shuffle = try fields.flag("shuffle")
        naming = try fields.object("queueData")
    }
}
