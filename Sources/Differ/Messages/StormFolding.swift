import CastModel
import CastWire
import Recording

/// How storms of frames are told, and got through.
extension DeviceState {
    /// Counts a frame; true when it need not be read, since in a storm it repeats the one before.
    mutating func foldStorm(_ message: CastMessage, of record: Record, into events: inout EventCollector) -> Bool {
        tell(storm.count(at: record.monotonic, boot: record.boot), into: &events)
        guard storm.rages, [.media, .receiver, .multizone].contains(message.namespace) else { return false }
        var hash = Fingerprint.of(message.payloadBytes)
        for end in [message.sourceID, message.destinationID] { hash = hash &* 31 &+ Fingerprint.of(end.utf8) }
        return storm.repeats(hash, at: record.monotonic)
    }

    /// A heartbeat is no part of a storm, but tells that time went by; true when that changed anything.
    mutating func foldStorm(heartbeat record: Record, into events: inout EventCollector) -> Bool {
        guard storm.rages else { return false }
        tell(storm.lookAt(record.monotonic.nanoseconds, record.boot), into: &events)
        return true
    }

    /// The link is gone, and the storm with it.
    mutating func endStorm(into events: inout EventCollector) {
        tell(storm.end().map { .ended($0) } ?? .none, into: &events)
    }

    private func tell(_ change: StormWatch.Change, into events: inout EventCollector) {
        switch change {
        case .none: break
        case .started(let extent): events.add(.stormStarted, after: extent.json)
        case .ended(let extent): events.add(.stormEnded, after: extent.json)
        }
    }
}
