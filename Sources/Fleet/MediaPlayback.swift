import CastModel

/// One loaded media session: what plays, where, and with which tracks.
struct MediaPlayback: Sendable, Equatable {
    enum PlayerState: String, Sendable {
        case playing = "PLAYING"
        case paused = "PAUSED"
        case buffering = "BUFFERING"
    }

    var mediaSessionID: Int
    /// As the loading sender wrote it (PROTOCOL 4.4).
    var media: JSONObject
    var playerState: PlayerState
    /// The position at `anchoredAt`, in seconds of the media.
    var anchorSeconds: Double
    var anchoredAt: Duration
    var rate: Double
    var activeTrackIDs: [Int]
    var queue: MediaQueue

    /// Length in seconds; nil when unknown, as for live media.
    var durationSeconds: Double? {
        guard let duration = media["duration"]?.anyNumber, duration > 0 else { return nil }
        return duration
    }

    /// The position: it moves with time while PLAYING only, and stays within the media.
    func positionSeconds(at now: Duration) -> Double {
        var position = anchorSeconds
        if playerState == .playing { position += (now - anchoredAt).inSeconds * rate }
        return min(max(0, position), durationSeconds ?? .greatestFiniteMagnitude)
    }

    /// Goes on from where it is, as something else.
    mutating func become(_ newState: PlayerState, at now: Duration) {
        anchor(positionSeconds(at: now), at: now)
        playerState = newState
    }

    /// Moves to a position, kept within the media.
    mutating func anchor(_ seconds: Double, at now: Duration) {
        anchorSeconds = min(max(0, seconds), durationSeconds ?? .greatestFiniteMagnitude)
        anchoredAt = now
    }

    /// Real time until the end; nil unless it is playing towards one.
    func remaining(at now: Duration) -> Duration? {
        guard playerState == .playing, let durationSeconds else { return nil }
        // A peer may name any duration: three years are for ever here, and no overflow.
        return .seconds(min((durationSeconds - positionSeconds(at: now)) / rate, 1e8))
    }

    /// The tracks on offer: ids and types.
    var tracks: [(trackID: Int, type: String, language: String)] {
        (media["tracks"]?.array ?? []).compactMap { track in
            guard let trackID = track["trackId"]?.wholeNumber else { return nil }
            return (trackID, track["type"]?.string ?? "", track["language"]?.string ?? "")
        }
    }

    /// What to call it on the screen.
    var title: String {
        let metadata = media["metadata"]
        return metadata?["title"]?.string ?? metadata?["songName"]?.string ?? ""
    }
}

/// The items of a media session, and which one plays.
///
/// CAF makes a queue of one for every LOAD.
struct MediaQueue: Sendable, Equatable {
    struct Item: Sendable, Equatable {
        var itemID: Int
        var body: JSONObject

        var media: JSONObject { body["media"]?.object ?? JSONObject() }
    }

    /// More than this are refused: a simulated device is no warehouse.
    static let limitItems = 200

    private(set) var items: [Item] = []
    var currentIndex = 0
    var repeatMode = "REPEAT_OFF"
    /// Counts changes (PROTOCOL 5.10).
    private(set) var sequenceNumber = 0
    private var lastItemID = 0

    var current: Item? { items.indices.contains(currentIndex) ? items[currentIndex] : nil }

    /// The item that plays is the loaded media: what changes in one changes in the other.
    mutating func amendCurrent(_ media: JSONObject) {
        guard items.indices.contains(currentIndex) else { return }
        items[currentIndex].body["media"] = .object(media)
    }

    /// Item ids start at 1, grow, and are not used again (PROTOCOL 4.8).
    @discardableResult
    mutating func insert(_ bodies: [JSONObject], before itemID: Int? = nil) -> [Int] {
        let index = items.firstIndex { $0.itemID == itemID } ?? items.count
        var made: [Item] = []
        for body in bodies.prefix(max(0, Self.limitItems - items.count)) {
            lastItemID += 1
            var body = body
            body["itemId"] = .count(lastItemID)
            made.append(Item(itemID: lastItemID, body: body))
        }
        if index <= currentIndex && !items.isEmpty { currentIndex += made.count }
        items.insert(contentsOf: made, at: index)
        sequenceNumber += 1
        return made.map(\.itemID)
    }

    /// Removes items other than the one that plays.
    mutating func remove(_ itemIDs: [Int]) {
        let playing = current?.itemID
        items.removeAll { itemIDs.contains($0.itemID) && $0.itemID != playing }
        currentIndex = items.firstIndex { $0.itemID == playing } ?? 0
        sequenceNumber += 1
    }

    /// Changes items in place, by their ids; says which.
    mutating func update(_ bodies: [JSONObject]) -> [Int] {
        var changed: [Int] = []
        for body in bodies {
            guard let itemID = body["itemId"]?.wholeNumber,
                let index = items.firstIndex(where: { $0.itemID == itemID })
            else { continue }
            for pair in body.pairs { items[index].body[pair.key] = pair.value }
            changed.append(itemID)
        }
        if !changed.isEmpty { sequenceNumber += 1 }
        return changed
    }

    /// The index that a step leads to; nil beyond the ends, unless the queue repeats.
    func index(steppingBy offset: Int) -> Int? {
        let (target, overflow) = currentIndex.addingReportingOverflow(offset)
        guard !overflow, !items.isEmpty else { return nil }
        if items.indices.contains(target) { return target }
        guard repeatMode != "REPEAT_OFF" else { return nil }
        return ((target % items.count) + items.count) % items.count
    }
}
