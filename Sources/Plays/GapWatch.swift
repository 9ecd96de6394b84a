import Recording

/// Which devices with plays are not observed, and when to look whether to give up on them: measured by the events of all
/// devices.
///
/// A gap that was told of long ago no longer holds a play open. That costs one comparison per event. An entry only says
/// when to look: what is given up then follows from the plays alone, so that a restored ledger does the same.
struct GapWatch {
    /// A device in a gap.
    struct Entry: Equatable {
        /// The device, by its place in the ledger.
        var index: Int
        /// From when on a play of it has ended.
        var deadline: WallTime
    }

    /// A gap of this length ends a play, in microseconds, as long as it lasts.
    static let limitMicroseconds: Int64 = 900_000_000

    /// The last one is due first.
    private var entries: [Entry] = []

    /// Notes the gaps that plays of a device wait in.
    mutating func note(_ device: DevicePlays, index: Int) {
        for deadline in device.open.compactMap(\.deadlineOfGap) {
            // Gaps come in order but for a clock that was set, so the place is found at once.
            var place = 0
            while place < entries.count, entries[place].deadline > deadline { place += 1 }
            let alike = entries[place...].prefix { $0.deadline == deadline }
            guard !alike.contains(where: { $0.index == index }) else { continue }
            entries.insert(Entry(index: index, deadline: deadline), at: place)
        }
    }

    /// Takes an entry that is due; nil when none is.
    ///
    /// The gap may have ended meanwhile.
    mutating func overdue(at now: WallTime) -> Entry? {
        guard let next = entries.last, next.deadline <= now else { return nil }
        return entries.removeLast()
    }
}

extension OpenPlay {
    /// From when on it has ended if the gap in which it waits still lasts; nil when it waits in none.
    var deadlineOfGap: WallTime? {
        guard hasBegun, phase == .unobserved, play.endedAt == nil, let toldAt = absence?.toldAt else { return nil }
        let (deadline, isOverflow) = toldAt.microseconds.addingReportingOverflow(GapWatch.limitMicroseconds)
        return WallTime(microseconds: isOverflow ? .max : deadline)
    }
}
