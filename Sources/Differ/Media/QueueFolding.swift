import CastModel

/// How statuses change what is known of a queue (PROTOCOL 4.8).
extension MediaSession {
    /// What the queue's part of a status means for the rest of it.
    struct QueueNews {
        /// Another item plays.
        var itemChanged = false
        /// The items are not those told before, so media may have come along with them.
        var itemsChanged = false
    }

    /// Folds the queue's part of a status.
    mutating func foldQueue(
        _ status: MediaStatus, _ arrival: MediaArrival, into events: inout EventCollector
    ) -> QueueNews {
        var news = QueueNews()
        let item = status.currentItemID.ifPresent ?? currentItemID
        let before = lastItem
        let items = status.items.ifPresent
        news.itemsChanged = queue.take(status, items, around: item)
        if let cause = queue.changeRequestID, cause != 0, cause == arrival.requestID {
            news.itemsChanged = true
            queue.changeRequestID = nil
        }
        if item != currentItemID {
            news.itemChanged = currentItemID != nil
            currentItemID = item
            // What was loaded before any item was named is that item's.
            if !news.itemChanged { mediaItemID = item }
            if news.itemChanged {
                awaitsMedia = true
                tellItem(status, before: before, into: &events)
            }
        }
        foldWindow(items, into: &events)
        foldModes(status, into: &events)
        return news
    }

    /// Takes what a first status says of the queue: nothing is known to have changed.
    mutating func takeQueue(_ status: MediaStatus) {
        currentItemID = status.currentItemID.ifPresent ?? currentItemID
        let items = status.items.ifPresent
        _ = queue.take(status, items, around: currentItemID)
        queue.window = items.map { Self.window(of: $0) } ?? queue.window
        let data = status.queueData.ifPresent
        queue.repeatMode = status.repeatMode.ifPresent ?? data?.repeatMode.ifPresent ?? queue.repeatMode
        queue.shuffle = data?.shuffle.ifPresent ?? queue.shuffle
        queue.naming = data.flatMap { Self.naming(of: $0) } ?? queue.naming
    }

    /// The queue for the event that tells of a new media session.
    var queueSummary: [(key: String, value: JSONValue?)] {
        [
            ("currentItemId", currentItemID.map { .integer($0) }),
            ("repeatMode", queue.repeatMode.map { .string($0.raw) }), ("shuffle", queue.shuffle.map { .bool($0) }),
        ]
    }

    /// The item that plays and what it plays, before a status changes it.
    private var lastItem: JSONValue? {
        JSONObject(known: [
            ("currentItemId", currentItemID.map { .integer($0) }),
            ("media", lastItemMedia.map { .object($0) }),
        ]).unlessEmpty
    }

    /// What the current item plays: what is loaded where it came with that item, else what the queue told of it.
    private var lastItemMedia: JSONObject? {
        guard mediaItemID == currentItemID else { return queue.media(of: currentItemID) }
        return media.map { KeptMedia.named($0) }
    }

    private func tellItem(_ status: MediaStatus, before: JSONValue?, into events: inout EventCollector) {
        let media = status.media.ifPresent.map { KeptMedia.named(KeptMedia.kept($0.json)) }
        let after = JSONObject(known: [
            ("currentItemId", currentItemID.map { .integer($0) }),
            ("media", (media ?? queue.media(of: currentItemID)).map { .object($0) }),
        ])
        events.add(.queueItemChanged, before: before, after: .object(after), callbacks: [.mediaStatus])
    }

    /// Compares the window of the queue, where no QUEUE_CHANGE has told the change already.
    private mutating func foldWindow(_ items: [QueueItem]?, into events: inout EventCollector) {
        guard let told = items.map({ Self.window(of: $0) }) else { return }
        defer { queue.window = told }
        guard let known = queue.window else { return }
        let difference = QueueWindowDifference(from: known, to: told)
        guard !difference.isEmpty else { return }
        func list(_ ids: [Int64]) -> JSONValue? { ids.isEmpty ? nil : .array(ids.map { .integer($0) }) }
        events.add(
            .queueChanged, before: JSONObject(known: [("window", list(known))]).unlessEmpty,
            after: JSONObject(known: [
                ("window", list(told)), ("inserted", list(difference.inserted)), ("removed", list(difference.removed)),
                ("reordered", difference.isReordered ? true : nil),
            ]).unlessEmpty,
            callbacks: [.mediaStatus, .queue])
    }

    /// What follows the end, the order, and what names the queue.
    ///
    /// What the completion of a LOAD says for the first time belongs to the LOAD and is no change.
    private mutating func foldModes(_ status: MediaStatus, into events: inout EventCollector) {
        let data = status.queueData.ifPresent
        if let told = status.repeatMode.ifPresent ?? data?.repeatMode.ifPresent, told != queue.repeatMode {
            if queue.repeatMode != nil || !awaitsMedia {
                events.add(
                    .repeatModeChanged, "repeatMode", from: queue.repeatMode.map { .string($0.raw) },
                    to: .string(told.raw), callbacks: [.mediaStatus])
            }
            queue.repeatMode = told
        }
        if let told = data?.shuffle.ifPresent, told != queue.shuffle {
            if queue.shuffle != nil || !awaitsMedia {
                events.add(
                    .queueChanged, "shuffle", from: queue.shuffle.map { .bool($0) }, to: .bool(told),
                    callbacks: [.mediaStatus, .queue])
            }
            queue.shuffle = told
        }
        if let told = data.flatMap({ Self.naming(of: $0) }), told != queue.naming {
            if let known = queue.naming {
                events.add(
                    .queueChanged, before: .object(known), after: .object(told), callbacks: [.mediaStatus, .queue])
            }
            queue.naming = told
        }
    }

    private static func window(of items: [QueueItem]) -> [Int64] { items.compactMap { $0.itemID.ifPresent } }

    private static func naming(of data: QueueData) -> JSONObject? {
        data.json.only(QueueData.namingKeys).flatMap { Redaction.redacted($0).object }
    }
}
