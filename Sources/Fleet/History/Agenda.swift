/// What is yet to happen, in the order of its time; what is due at one moment keeps the order in which it was planned.
///
/// A binary heap. Cancelled entries leave it at the latest when they are the most of it.
struct Agenda {
    struct Token: Hashable { fileprivate var number: UInt64 }

    private struct Entry {
        var due: Int64
        var number: UInt64
    }

    private var heap: [Entry] = []
    private var actions: [UInt64: () -> Void] = [:]
    private var lastNumber: UInt64 = 0

    /// When the next thing is due; nil when there is none.
    var nextDue: Int64? {
        mutating get {
            dropCancelled()
            return heap.first?.due
        }
    }

    mutating func add(at due: Int64, _ action: @escaping () -> Void) -> Token {
        lastNumber += 1
        actions[lastNumber] = action
        heap.append(Entry(due: due, number: lastNumber))
        siftUp(heap.count - 1)
        return Token(number: lastNumber)
    }

    mutating func cancel(_ token: Token) {
        guard actions.removeValue(forKey: token.number) != nil else { return }
        guard heap.count > 64, heap.count > actions.count * 2 else { return }
        heap = heap.filter { actions[$0.number] != nil }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    /// Takes the next thing out.
    mutating func takeNext() -> (due: Int64, action: () -> Void)? {
        dropCancelled()
        guard let first = heap.first, let action = actions.removeValue(forKey: first.number) else { return nil }
        removeFirst()
        return (first.due, action)
    }

    private mutating func dropCancelled() {
        while let first = heap.first, actions[first.number] == nil { removeFirst() }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        siftDown(0)
    }

    private func isBefore(_ one: Entry, _ other: Entry) -> Bool { (one.due, one.number) < (other.due, other.number) }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, isBefore(heap[child], heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && isBefore(heap[child], heap[least]) { least = child }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
