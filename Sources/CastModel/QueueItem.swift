/// An item of a queue: an element of `items` (PROTOCOL 4.8).
public struct QueueItem: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The item that an object describes.
    public init(_ json: JSONObject) { self.json = json }

    /// Its number within its queue, given by the receiver app.
    public var itemID: Field<Int64> { json.integerField("itemId") }
    /// What it plays.
    public var media: Field<MediaInformation> { json.view("media") { MediaInformation($0) } }
}

/// A queue without its items: `queueData` (PROTOCOL 4.8).
public struct QueueData: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The queue that an object describes.
    public init(_ json: JSONObject) { self.json = json }

    /// Whether it plays in another order than its own.
    public var shuffle: Field<Bool> { json.flagField("shuffle") }
    /// What follows its end; a status says so beside it, too.
    public var repeatMode: Field<RepeatMode> { json.wordField("repeatMode") }

    /// What names it: the fields that say which queue it is.
    public static let namingKeys = ["id", "name", "description", "entity", "queueType"]
}

/// A QUEUE_CHANGE, or an answer about a queue: what it says of items and their order (PROTOCOL 4.2).
public struct QueueMessage: Sendable, Equatable {
    /// The whole payload.
    public let json: JSONObject

    /// The message that a payload is.
    public init(_ payload: Payload) { json = payload.json }

    /// What happened to the items.
    public var changeType: Field<QueueChangeType> { json.wordField("changeType") }
    /// Counts the changes of the queue, the only order that Cast numbers (PROTOCOL 5.10).
    public var sequenceNumber: Field<Int64> { json.integerField("sequenceNumber") }
    /// The media session that owns the queue; most apps leave it out.
    public var mediaSessionID: Field<Int64> { json.integerField("mediaSessionId") }
    /// The items concerned; in a QUEUE_ITEM_IDS, the whole queue in its order.
    public var itemIDs: Field<[Int64]> { ids("itemIds") }
    /// The items, in a QUEUE_ITEMS.
    public var items: Field<[QueueItem]> { json.queueItems("items") }

    /// The ids in an array field, at most as many as a queue may have; elements that are no integers are left out.
    private func ids(_ key: String) -> Field<[Int64]> {
        json.field(key) { value in
            value.array.map { Array($0.lazy.compactMap { $0.lossyInteger }.prefix(MediaStatus.itemLimit)) }
        }
    }
}

extension JSONObject {
    /// The queue items in an array field.
    func queueItems(_ key: String) -> Field<[QueueItem]> {
        views(key, limit: MediaStatus.itemLimit) { QueueItem($0) }
    }
}
