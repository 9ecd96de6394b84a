import CastModel
import Recording

/// How a device lives through a hole in the archive: records that were written and cannot be read any more.
///
/// A link may have ended or begun within it. Whether the device is linked, its next frame tells.
extension DeviceState {
    /// Why nothing is known of the time in a hole; no recorder tells of it, it is found.
    static let damageReason = "archive_damaged"

    /// Records are missing since a moment.
    mutating func foldHole(from: WallTime, into events: inout EventCollector) {
        // A device that had been waited for since the recorder's return may have come back meanwhile.
        if link != nil || openGap?.recorderBackAt != nil {
            loseLink(Self.damageReason, from: from, into: &events)
            noteRecorderBack(at: events.at)
        }
        forgetLink()
        linkIsUnknown = true
    }

    /// A frame after a hole: when it came from the device, the device is linked; true when that was not known.
    mutating func foundLinked(_ frame: RecordedFrame, into events: inout EventCollector) -> Bool {
        guard linkIsUnknown, frame.direction == .inbound else { return false }
        foundLinked(by: frame.link, into: &events)
        return true
    }

    /// Something came over a link of which it may not be known that it is up.
    mutating func foundLinked(by number: LinkNumber, into events: inout EventCollector) {
        guard linkIsUnknown else { return }
        linkIsUnknown = false
        link = number
        if openGap == nil, lastObservedAt == nil { tellWaited(into: &events) }
        endGap(at: events.at, into: &events)
    }
}
