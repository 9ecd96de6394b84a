import CastModel

/// How messages about a queue itself change what is known of it (PROTOCOL 4.2, 5.10).
extension AppTransport {
    /// Folds a QUEUE_CHANGE: told once, whoever it is addressed to and however often it comes.
    mutating func foldQueueChange(_ payload: Payload, into events: inout EventCollector) {
        let message = QueueMessage(payload)
        let index = mediaSessionIndex(of: message)
        let hash = Fingerprint.of(.object(payload.json))
        var queue = index.map { mediaSessions[$0].queue } ?? KnownQueue()
        if queue.changeHash == hash { return }
        let missed = message.sequenceNumber.ifPresent.flatMap { queue.missed(before: $0) }
        queue.changeHash = hash
        queue.sequenceNumber = message.sequenceNumber.ifPresent ?? queue.sequenceNumber
        if message.changeType.ifPresent != .noChange {
            queue.changeRequestID = payload.requestID
            queue.window = nil
            events.mediaSessionID = index.flatMap { mediaSessions[$0].mediaSessionID }
            events.add(.queueChanged, after: Self.shown(payload.json, missed: missed), callbacks: [.queue])
        }
        if let index { mediaSessions[index].queue = queue }
    }

    /// Takes an answer about a queue, QUEUE_ITEM_IDS or QUEUE_ITEMS: what the queue is, not what changed.
    mutating func takeQueueAnswer(_ payload: Payload) {
        let message = QueueMessage(payload)
        guard let index = mediaSessionIndex(of: message) else { return }
        if let told = message.sequenceNumber.ifPresent { mediaSessions[index].queue.sequenceNumber = told }
        if let ids = message.itemIDs.ifPresent { mediaSessions[index].queue.window = ids }
        if let items = message.items.ifPresent {
            mediaSessions[index].queue.takeMedia(of: items, around: mediaSessions[index].currentItemID)
        }
    }

    /// The media session that a message about a queue means: the one it names, else the one that runs.
    private func mediaSessionIndex(of message: QueueMessage) -> Int? {
        let named = message.mediaSessionID.ifPresent
        return mediaSessions.lastIndex { named == nil ? !$0.hasEnded : $0.mediaSessionID == named }
    }

    private static let shownKeys = ["changeType", "itemIds", "insertBefore", "reorderItemIds", "sequenceNumber"]

    /// What an event shows of a QUEUE_CHANGE; lists end where a queue must end.
    private static func shown(_ json: JSONObject, missed: Int64?) -> JSONValue? {
        var pairs = shownKeys.map { key in
            let value = json[key]
            let list = value?.array.map { JSONValue.array(Array($0.prefix(MediaStatus.itemLimit))) }
            return (key: key, value: (list ?? value).map { Redaction.redacted($0) })
        }
        pairs.append(("missed", missed.map { .integer($0) }))
        return JSONObject(known: pairs).unlessEmpty
    }
}

extension KnownQueue {
    /// How many changes were missed between the last one known and this one; nil when none, or when nobody can tell.
    func missed(before told: Int64) -> Int64? {
        guard let sequenceNumber, told > sequenceNumber else { return nil }
        let (step, isFar) = told.subtractingReportingOverflow(sequenceNumber)
        guard !isFar, step > 1 else { return nil }
        return step - 1
    }
}
