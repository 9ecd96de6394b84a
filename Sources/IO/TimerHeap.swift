/// Timers by deadline: a binary heap, with cancelled entries skipped when they come up.
struct TimerHeap {
    private struct Entry {
        var deadline: Int64
        var number: UInt64
    }

    private var heap: [Entry] = []
    private var actions: [UInt64: () -> Void] = [:]
    private var lastNumber: UInt64 = 0

    mutating func add(deadline: Int64, _ action: @escaping () -> Void) -> EventLoop.TimerToken {
        lastNumber += 1
        actions[lastNumber] = action
        heap.append(Entry(deadline: deadline, number: lastNumber))
        siftUp(heap.count - 1)
        return EventLoop.TimerToken(number: lastNumber)
    }

    mutating func cancel(_ token: EventLoop.TimerToken) {
        guard actions.removeValue(forKey: token.number) != nil else { return }
        // Cancelled entries stay in the heap until their time. Rebuild it when they are the most of it.
        guard heap.count > 64, heap.count > actions.count * 2 else { return }
        heap = heap.filter { actions[$0.number] != nil }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    /// The actions whose time has come, in order of their deadlines; each is returned once.
    mutating func due(now: Int64) -> [() -> Void] {
        var ready: [() -> Void] = []
        while let first = heap.first, first.deadline <= now || actions[first.number] == nil {
            if let action = actions.removeValue(forKey: first.number) { ready.append(action) }
            let last = heap.removeLast()
            guard !heap.isEmpty else { break }
            heap[0] = last
            siftDown(0)
        }
        return ready
    }

    /// How long to wait for the next one, rounded up; -1 for ever.
    func timeoutMilliseconds(now: Int64) -> Int32 {
        guard let first = heap.first else { return -1 }
        return Duration.nanoseconds(first.deadline - now).pollMilliseconds
    }

    private func isBefore(_ one: Entry, _ other: Entry) -> Bool {
        (one.deadline, one.number) < (other.deadline, other.number)
    }

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
