import CastModel

/// The requests about queues, in their simple form.
extension MediaMachine {
    mutating func queueLoad(_ request: Request, at now: Duration) -> [Effect] {
        let items = (request.body["items"]?.array ?? []).compactMap(\.object)
        let start = request.body["startIndex"]?.wholeNumber ?? 0
        guard items.indices.contains(start), items.count <= MediaQueue.limitItems else {
            return refuse(request, "INVALID_PARAMS")
        }
        var queue = MediaQueue()
        queue.insert(items)
        queue.currentIndex = start
        queue.repeatMode = request.body["repeatMode"]?.string ?? queue.repeatMode
        guard let media = queue.current?.media, !media.pairs.isEmpty else { return refuse(request, "INVALID_PARAMS") }
        return beginLoad(request, media, queue, at: now)
    }

    mutating func queueCommand(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        switch request.type {
        case "QUEUE_NEXT": return jump(request, playback, by: 1, at: now)
        case "QUEUE_PREV": return jump(request, playback, by: -1, at: now)
        case "QUEUE_UPDATE": return queueUpdate(request, playback, at: now)
        case "QUEUE_INSERT":
            let items = (request.body["items"]?.array ?? []).compactMap(\.object)
            guard !items.isEmpty else { return refuse(request, "INVALID_PARAMS") }
            let itemIDs = playback.queue.insert(items, before: request.body["insertBefore"]?.wholeNumber)
            return [queueChange("INSERT", itemIDs, request, playback)]
                + announce(request, playback, .withMedia, at: now)
        case "QUEUE_REMOVE":
            let itemIDs = (request.body["itemIds"]?.array ?? []).compactMap(\.wholeNumber)
            guard !itemIDs.isEmpty else { return refuse(request, "INVALID_PARAMS") }
            playback.queue.remove(itemIDs)
            return [queueChange("REMOVE", itemIDs, request, playback)]
                + announce(request, playback, .withItems, at: now)
        case "QUEUE_GET_ITEM_IDS":
            let answer: JSONValue = [
                "type": "QUEUE_ITEM_IDS", "requestId": .count(request.requestID),
                "itemIds": .integers(playback.queue.items.map(\.itemID)),
                "sequenceNumber": .count(playback.queue.sequenceNumber),
            ]
            return [.reply(answer, to: request.asker)]
        case "QUEUE_GET_ITEMS":
            let wanted = (request.body["itemIds"]?.array ?? []).compactMap(\.wholeNumber)
            let items = playback.queue.items.filter { wanted.contains($0.itemID) }
            let answer: JSONValue = [
                "type": "QUEUE_ITEMS", "requestId": .count(request.requestID),
                "items": .array(items.map { .object($0.body) }),
                "sequenceNumber": .count(playback.queue.sequenceNumber),
            ]
            return [.reply(answer, to: request.asker)]
        default: return refuse(request, "INVALID_COMMAND")
        }
    }

    private mutating func jump(
        _ request: Request, _ playback: MediaPlayback, by offset: Int, at now: Duration
    ) -> [Effect] {
        guard let index = playback.queue.index(steppingBy: offset) else { return refuse(request, "END_OF_QUEUE") }
        return step(
            playback, to: index, because: "INTERRUPTED", asker: request.asker, requestID: request.requestID, at: now)
    }

    private mutating func queueUpdate(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        if let mode = request.body["repeatMode"]?.string { playback.queue.repeatMode = mode }
        if let offset = request.body["jump"]?.wholeNumber { return jump(request, playback, by: offset, at: now) }
        if let itemID = request.body["currentItemId"]?.wholeNumber {
            guard let index = playback.queue.items.firstIndex(where: { $0.itemID == itemID }) else {
                return refuse(request, "INVALID_PARAMS")
            }
            return step(
                playback, to: index, because: "INTERRUPTED", asker: request.asker, requestID: request.requestID,
                at: now)
        }
        guard let items = request.body["items"]?.array else { return announce(request, playback, .brief, at: now) }
        let changed = playback.queue.update(items.compactMap(\.object))
        return [queueChange("UPDATE", changed, request, playback)] + announce(request, playback, .withMedia, at: now)
    }

    private func queueChange(
        _ changeType: String, _ itemIDs: [Int], _ request: Request, _ playback: MediaPlayback
    ) -> Effect {
        .broadcast([
            "type": "QUEUE_CHANGE", "requestId": .count(request.requestID), "changeType": .string(changeType),
            "itemIds": .integers(itemIDs), "sequenceNumber": .count(playback.queue.sequenceNumber),
        ])
    }
}
