import CastModel
import CastWire
import Recording

/// What is where in one segment: an entry per 1 MiB of lines, so that a search reads only what may matter.
///
/// Derived from the segment and never trusted: whatever it points to is verified as always (docs/format.md).
struct SegmentIndex: Sendable, Equatable {
    /// One zstd frame, or several that follow each other.
    struct Entry: Sendable, Equatable {
        /// Where its compressed bytes are, the checksums at the ends of its frames included.
        var bytes: Range<Int64>
        var first: ArchivePosition
        var last: ArchivePosition
        /// The earliest moment of a record in it: the wall clock may go back.
        var earliest: WallTime
        /// The latest moment of a record in it.
        var latest: WallTime
        /// The chain value that its first batch follows; nil behind a hole, where nobody knows.
        var previous: ChainValue?
        /// Whose records it holds, as places in ``SegmentIndex/devices``; nil: any device's.
        var devices: [Int]?
        /// Of which namespaces its frames are, as places in ``SegmentIndex/namespaces``; nil: any.
        var namespaces: [Int]?
    }

    /// A name that a device announced, where it differs from what that device announced before in the segment.
    struct Name: Sendable, Equatable {
        var position: ArchivePosition
        /// A place in ``SegmentIndex/devices``.
        var device: Int
        var name: String?
    }

    /// In the order of the segment, without holes.
    var entries: [Entry] = []
    /// The devices that records tell of, in the order of their first records; nil when there are too many to list.
    var devices: [DeviceID]? = []
    /// The namespaces of frames, in the order of their first frames; nil when there are too many to list.
    var namespaces: [Namespace]? = []
    /// What devices are called; nil when there is too much to list.
    var names: [Name]? = []

    /// The places of what a filter asks for, within one segment.
    struct Wanted {
        /// Nil: every device's.
        var devices: Set<Int>?
        /// Nil: all namespaces.
        var namespaces: Set<Int>?
    }

    /// What a filter asks for, in the words of this segment.
    func wanted(by filter: RecordFilter) -> Wanted {
        var wanted = Wanted()
        if !filter.devices.isEmpty, let devices {
            wanted.devices = Set(devices.indices.filter { filter.devices.contains(devices[$0]) })
        }
        if !filter.namespaces.isEmpty || filter.namespaceSuffix != nil, let namespaces {
            wanted.namespaces = Set(namespaces.indices.filter { filter.matches(namespaces[$0]) })
        }
        return wanted
    }

    /// Whether an entry may hold a record that passes the filter; false only when it surely holds none.
    static func mayHold(_ entry: Entry, _ filter: RecordFilter, _ wanted: Wanted) -> Bool {
        if let positions = filter.positions, positions.lowerBound > entry.last || positions.upperBound < entry.first {
            return false
        }
        if let from = filter.from, entry.latest < from { return false }
        if let to = filter.to, entry.earliest >= to { return false }
        if let devices = entry.devices, let places = wanted.devices, !devices.contains(where: places.contains) {
            return false
        }
        if let namespaces = entry.namespaces, let places = wanted.namespaces,
            !namespaces.contains(where: places.contains)
        {
            return false
        }
        return true
    }
}
