import CastModel
import Recording

/// The gaps that a device's sender tells of: when they begin and when they end.
///
/// A link that breaks is none of them: whoever reads the archive sees that by itself, and that the next link ends
/// whatever gap lasts.
struct DeviceGaps {
    /// Since when, and why, the running app is not recorded; nil when it is, or none runs.
    private var missed: (from: WallTime, reason: Gap.Reason)?
    /// Since when there is no link: since we know of the device, or since the last link ended.
    private var absentSince: MonotonicTime
    /// Whether it is told that the device cannot be reached.
    private var isToldUnreachable = false
    /// How many links there were that the archive knows of.
    private var links = 0
    /// Whether there ever was a link.
    var wasLinked: Bool { links > 0 }

    init(since now: MonotonicTime) { absentSince = now }

    /// Why the running app is not recorded; nil when it is, or none runs.
    var missedBecause: Gap.Reason? { missed?.reason }

    /// A link is up.
    mutating func linkBegan() {
        isToldUnreachable = false
        links += 1
    }

    /// The link that is up leaves no trace.
    mutating func linkWasDropped() { links -= 1 }

    /// A link is down, and with it ends what was missed on it.
    mutating func linkEnded(at now: MonotonicTime) {
        missed = nil
        absentSince = now
    }

    /// A media app runs that we are not with.
    mutating func begin(_ device: DeviceID, from: WallTime, because reason: Gap.Reason) -> RecordBody {
        missed = (from, reason)
        return .gap(Gap(device: device, from: from, to: nil, reason: reason))
    }

    /// It has ended, or we are with it; nil when nothing was missed.
    mutating func end(_ device: DeviceID, at now: WallTime) -> RecordBody? {
        defer { missed = nil }
        return missed.map { .gap(Gap(device: device, from: $0.from, to: now, reason: $0.reason)) }
    }

    /// An attempt to reach the device has failed: a gap, once per absence.
    mutating func unreachable(_ device: DeviceID, _ resources: LinkResources) -> RecordBody? {
        guard !isToldUnreachable else { return nil }
        isToldUnreachable = true
        return .gap(Gap(device: device, from: resources.wall(at: absentSince), to: nil, reason: .deviceUnreachable))
    }
}
