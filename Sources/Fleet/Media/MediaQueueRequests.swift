import CastModel

/// The requests about queues (PROTOCOL 4.1, 5.1).
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

    mutating func queueCommand(_ request: Request, _ playback: MediaPlayback, at now: Duration) -> [Effect] {
        // A sender that names a sequence number wants to change the queue that it knows, and no other (PROTOCOL 5.10).
        if let known = request.body["sequenceNumber"], known.wholeNumber != playback.queue.sequenceNumber {
            return refuse(request, "INVALID_PARAMS")
        }
        switch request.type {
        case "QUEUE_NEXT": return jump(request, playback, by: 1, at: now)
        case "QUEUE_PREV": return jump(request, playback, by: -1, at: now)
        case "QUEUE_UPDATE": return queueUpdate(request, playback, at: now)
        case "QUEUE_INSERT": return queueInsert(request, playback, at: now)
        case "QUEUE_REMOVE": return queueRemove(request, playback, at: now)
        case "QUEUE_REORDER": return queueReorder(request, playback, at: now)
        case "QUEUE_SHUFFLE": return queueShuffle(request, playback, at: now)
        case "QUEUE_GET_ITEM_IDS":
            return [
                .reply(
                    queueAnswer("QUEUE_ITEM_IDS", request, playback) {
                        $0["itemIds"] = .integers(playback.queue.items.map(\.itemID))
                    }, to: request.asker)
            ]
        case "QUEUE_GET_ITEMS":
            let wanted = Set(request.wholeNumbers("itemIds"))
            let items = playback.queue.items.filter { wanted.contains($0.itemID) }
            return [
                .reply(
                    queueAnswer("QUEUE_ITEMS", request, playback) {
                        $0["items"] = .array(items.map { .object($0.body) })
                    }, to: request.asker)
            ]
        default: return refuse(request, "INVALID_COMMAND")
        }
    }

    // MARK: Steps

    private mutating func jump(
        _ request: Request, _ playback: MediaPlayback, by offset: Int, at now: Duration
    ) -> [Effect] {
        guard let index = playback.queue.index(steppingBy: offset) else { return refuse(request, "END_OF_QUEUE") }
        return step(request, playback, to: index, at: now)
    }

    private mutating func step(
        _ request: Request, _ playback: MediaPlayback, from old: MediaPlayback? = nil, to index: Int, at now: Duration
    ) -> [Effect] {
        step(
            playback, from: old ?? playback, to: index, because: "INTERRUPTED", asker: request.asker,
            requestID: request.requestID, at: now)
    }

    // MARK: Changes

    private mutating func queueUpdate(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        if let mode = request.body["repeatMode"]?.string { playback.queue.repeatMode = mode }
        if let offset = request.body["jump"]?.wholeNumber { return jump(request, playback, by: offset, at: now) }
        if let itemID = request.body["currentItemId"]?.wholeNumber {
            guard let index = playback.queue.items.firstIndex(where: { $0.itemID == itemID }) else {
                return refuse(request, "INVALID_PARAMS")
            }
            return step(request, playback, to: index, at: now)
        }
        if request.body["shuffle"]?.truth == true { return queueShuffle(request, playback, at: now) }
        guard let items = request.body["items"]?.array else { return announce(request, playback, .brief, at: now) }
        let changed = playback.queue.update(items.compactMap(\.object))
        guard !changed.isEmpty else { return noChange(request, playback) }
        return [queueChange("ITEMS_CHANGE", changed, request, playback)]
            + announce(request, playback, .withMedia, at: now)
    }

    private mutating func queueInsert(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        let items = (request.body["items"]?.array ?? []).compactMap(\.object)
        guard !items.isEmpty else { return refuse(request, "INVALID_PARAMS") }
        let before = request.body["insertBefore"]?.wholeNumber
        let itemIDs = playback.queue.insert(items, before: before)
        guard !itemIDs.isEmpty else { return refuse(request, "INVALID_PARAMS") }
        let change = queueChange("INSERT", itemIDs, request, playback, before: before)
        // `currentItemIndex` counts within the items of the request.
        let wanted = request.body["currentItemIndex"]?.wholeNumber
            .flatMap { itemIDs.indices.contains($0) ? itemIDs[$0] : nil }
        guard let wanted, let index = playback.queue.items.firstIndex(where: { $0.itemID == wanted }) else {
            return [change] + announce(request, playback, .withMedia, at: now)
        }
        return [change] + step(request, playback, to: index, at: now)
    }

    private mutating func queueRemove(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        let playingItemID = playback.queue.current?.itemID
        let gone = playback.queue.remove(request.wholeNumbers("itemIds"))
        guard !gone.isEmpty else { return noChange(request, playing) }
        let change = queueChange("REMOVE", gone, request, playback)
        guard playback.queue.current?.itemID != playingItemID else {
            return [change] + announce(request, playback, .withItems, at: now)
        }
        // The one that plays is gone: the next one plays, or nothing does.
        guard playback.queue.current != nil else { return [change] + stop(request, playing, at: now) }
        let index = playback.queue.currentIndex
        return [change] + step(request, playback, from: playing, to: index, at: now)
    }

    private mutating func queueReorder(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        let before = request.body["insertBefore"]?.wholeNumber
        let moved = playback.queue.reorder(request.wholeNumbers("itemIds"), before: before)
        guard !moved.isEmpty else { return noChange(request, playing) }
        return [queueChange("UPDATE", moved, request, playback, before: before, reordered: true)]
            + announce(request, playback, .withItems, at: now)
    }

    private mutating func queueShuffle(_ request: Request, _ playing: MediaPlayback, at now: Duration) -> [Effect] {
        var playback = playing
        var data = playback.queue.data ?? JSONObject()
        data["shuffle"] = true
        playback.queue.data = data
        guard playback.queue.shuffle() else { return announce(request, playback, .brief, at: now) }
        let order = playback.queue.items.map(\.itemID)
        return [queueChange("UPDATE", order, request, playback, reordered: true)]
            + announce(request, playback, .withItems, at: now)
    }

    // MARK: Answers

    /// Nothing has changed: only the asker is told (PROTOCOL 4.2).
    private func noChange(_ request: Request, _ playback: MediaPlayback) -> [Effect] {
        let answer = queueAnswer("QUEUE_CHANGE", request, playback) { $0["changeType"] = "NO_CHANGE" }
        return [.reply(answer, to: request.asker)]
    }

    private func queueChange(
        _ changeType: String, _ itemIDs: [Int], _ request: Request, _ playback: MediaPlayback, before: Int? = nil,
        reordered: Bool = false
    ) -> Effect {
        .broadcast(
            queueAnswer("QUEUE_CHANGE", request, playback) {
                $0["changeType"] = .string(changeType)
                $0["itemIds"] = .integers(itemIDs)
                $0["insertBefore"] = before.map { .count($0) }
                if reordered { $0["reorderItemIds"] = .integers(itemIDs) }
            })
    }

    private func queueAnswer(
        _ type: String, _ request: Request, _ playback: MediaPlayback, _ fill: (inout JSONObject) -> Void
    ) -> JSONValue {
        var answer = JSONObject([
            ("type", .string(type)), ("requestId", .count(request.requestID)),
            ("sequenceNumber", .count(playback.queue.sequenceNumber)),
        ])
        fill(&answer)
        return .object(answer)
    }
}

extension MediaMachine.Request {
    /// The integers in a field of the request; empty when there are none.
    func wholeNumbers(_ key: String) -> [Int] { (body[key]?.array ?? []).compactMap(\.wholeNumber) }
}
