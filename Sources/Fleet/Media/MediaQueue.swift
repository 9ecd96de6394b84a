import CastModel

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
    /// What a status shows of the queue: so many items before the current one, and so many after it (PROTOCOL 4.3).
    private static let window = (before: 1, after: 2)

    private(set) var items: [Item] = []
    var currentIndex = 0
    var repeatMode = "REPEAT_OFF"
    /// QueueData as its loader wrote it, without items; nil when nobody wrote any.
    var data: JSONObject?
    /// Counts changes (PROTOCOL 5.10).
    private(set) var sequenceNumber = 0
    private var lastItemID = 0

    var current: Item? { items.indices.contains(currentIndex) ? items[currentIndex] : nil }

    /// The items that a status shows: a window, not the queue.
    var shownItems: ArraySlice<Item> {
        guard !items.isEmpty else { return [] }
        let first = max(0, currentIndex - Self.window.before)
        return items[first..<min(items.count, max(first, currentIndex + Self.window.after + 1))]
    }

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
        if !made.isEmpty { sequenceNumber += 1 }
        return made.map(\.itemID)
    }

    /// Removes items; says which there were.
    ///
    /// When the one that plays is among them, the next one that stays becomes the current one: beyond the last item when
    /// none is left.
    mutating func remove(_ itemIDs: [Int]) -> [Int] {
        let unwanted = Set(itemIDs)
        let gone = items.map(\.itemID).filter { unwanted.contains($0) }
        guard !gone.isEmpty else { return [] }
        let before = items.prefix(currentIndex).count { !unwanted.contains($0.itemID) }
        items.removeAll { unwanted.contains($0.itemID) }
        currentIndex = before
        sequenceNumber += 1
        return gone
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

    /// Moves items, in the order given, before another one or to the end; says which were moved.
    mutating func reorder(_ itemIDs: [Int], before itemID: Int?) -> [Int] {
        guard itemID.map({ !itemIDs.contains($0) }) ?? true else { return [] }
        let moved = itemIDs.prefix(Self.limitItems).compactMap { wanted in items.first { $0.itemID == wanted } }
        var order = items.filter { item in !moved.contains { $0.itemID == item.itemID } }
        order.insert(contentsOf: moved, at: order.firstIndex { $0.itemID == itemID } ?? order.count)
        guard Set(moved.map(\.itemID)).count == moved.count, take(order) else { return [] }
        return moved.map(\.itemID)
    }

    /// Brings what comes after the current item into another order: every second one first.
    ///
    /// No chance is needed for a shuffle that people can see. False when there is nothing to shuffle.
    mutating func shuffle() -> Bool {
        let head = items.prefix(currentIndex + 1)
        let tail = Array(items.dropFirst(currentIndex + 1))
        let odd = tail.indices.filter { $0 % 2 == 1 }.map { tail[$0] }
        let even = tail.indices.filter { $0 % 2 == 0 }.map { tail[$0] }
        return take(head + odd + even)
    }

    /// Takes another order of the same items; false when it is the same.
    private mutating func take(_ order: [Item]) -> Bool {
        guard order.map(\.itemID) != items.map(\.itemID) else { return false }
        let playing = current?.itemID
        items = order
        currentIndex = items.firstIndex { $0.itemID == playing } ?? currentIndex
        sequenceNumber += 1
        return true
    }

    /// The index that a sender's step leads to; nil beyond the ends, unless the queue repeats.
    func index(steppingBy offset: Int) -> Int? {
        let (target, overflow) = currentIndex.addingReportingOverflow(offset)
        guard !overflow, !items.isEmpty else { return nil }
        if items.indices.contains(target) { return target }
        guard repeatMode != "REPEAT_OFF" else { return nil }
        return ((target % items.count) + items.count) % items.count
    }

    /// The index of what plays when the current item has come to its end; nil at the end of the queue.
    var indexAfterEnd: Int? { repeatMode == "REPEAT_SINGLE" ? currentIndex : index(steppingBy: 1) }
}
