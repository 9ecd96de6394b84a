import Recording

/// Which devices with plays are not observed, and when to give up on them: measured by the events of all devices.
///
/// A gap that was told of long ago no longer holds a play open. That costs one comparison per event.
struct GapWatch {
    /// A device in a gap.
    struct Entry: Equatable {
        /// The device, by its place in the ledger.
        var index: Int
        /// When its gap was told of.
        var toldAt: WallTime
        /// From when on its plays have ended.
        var deadline: WallTime
    }

    /// A gap of this length ends a play, in microseconds, as long as it lasts.
    static let limitMicroseconds: Int64 = 900_000_000

    /// The last one is due first.
    private var entries: [Entry] = []

    /// Notes the gap that a device is in, if a play waits in it.
    mutating func note(_ device: DevicePlays, index: Int) {
        guard let toldAt = device.gapToldAt else { return }
        let deadline = WallTime(microseconds: toldAt.microseconds.addingReportingOverflow(Self.limitMicroseconds).0)
        // Gaps come in order but for a clock that was set back, so the place is found at once.
        var place = 0
        while place < entries.count, entries[place].deadline > deadline { place += 1 }
        entries.insert(Entry(index: index, toldAt: toldAt, deadline: deadline), at: place)
    }

    /// Takes an entry that is due; nil when none is.
    ///
    /// The gap may have ended meanwhile.
    mutating func overdue(at now: WallTime) -> Entry? {
        guard let next = entries.last, next.deadline <= now else { return nil }
        return entries.removeLast()
    }
}

extension DevicePlays {
    /// When the gap was told of in which a play waits; nil when none does.
    var gapToldAt: WallTime? {
        open.lazy.filter { $0.hasBegun && $0.phase == .unobserved && $0.play.endedAt == nil }
            .compactMap { $0.absence?.toldAt }.max()
    }

    /// Whether a play waits in the gap that was told of at a moment.
    func waitsInGap(toldAt: WallTime) -> Bool { gapToldAt == toldAt }
}
