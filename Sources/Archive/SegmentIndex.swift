import CastModel
import CastWire
import Recording

/// What is where in one segment: an entry per zstd frame, so that a search reads only frames that may matter.
///
/// Derived from the segment and never trusted: whatever it points to is verified as always (docs/format.md).
struct SegmentIndex: Sendable, Equatable {
    /// One zstd frame.
    struct Frame: Sendable, Equatable {
        /// Where its compressed bytes are, the checksum at its end included.
        var bytes: Range<Int64>
        var first: ArchivePosition
        var last: ArchivePosition
        /// The earliest moment of a record in it: the wall clock may go back.
        var earliest: WallTime
        /// The latest moment of a record in it.
        var latest: WallTime
        /// The chain value that its first batch follows.
        var previous: ChainValue
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
    var frames: [Frame] = []
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

    /// Whether a zstd frame may hold a record that passes the filter; false only when it surely holds none.
    static func mayHold(_ frame: Frame, _ filter: RecordFilter, _ wanted: Wanted) -> Bool {
        if let positions = filter.positions, positions.lowerBound > frame.last || positions.upperBound < frame.first {
            return false
        }
        if let from = filter.from, frame.latest < from { return false }
        if let to = filter.to, frame.earliest >= to { return false }
        if let devices = frame.devices, let places = wanted.devices, !devices.contains(where: places.contains) {
            return false
        }
        if let namespaces = frame.namespaces, let places = wanted.namespaces,
            !namespaces.contains(where: places.contains)
        {
            return false
        }
        return true
    }
}

/// Makes the index of a segment, record by record.
///
/// Bounded, whatever devices say: what does not fit is "any", which costs time and hides nothing.
struct SegmentIndexBuilder {
    /// Devices of a segment that are listed, at most.
    static let deviceLimit = 4096
    /// Namespaces of a segment that are listed, at most.
    static let namespaceLimit = 256
    /// Names of a segment that are listed, at most.
    static let nameLimit = 4096
    /// Bytes of all texts, at most.
    static let textLimitBytes = 1 << 18

    private(set) var index = SegmentIndex()
    private var devicePlaces: [DeviceID: Int] = [:]
    private var namespacePlaces: [Namespace: Int] = [:]
    private var lastNames: [Int: String?] = [:]
    private var textBytes = 0
    private var frame: SegmentIndex.Frame?
    private var devicesInFrame: Set<Int> = []
    private var namespacesInFrame: Set<Int> = []
    private var lastDevice: (id: DeviceID, place: Int)?
    private var lastNamespace: (namespace: Namespace, place: Int)?

    init() {}

    /// Where the frame begins that the next record is in; 0 at first.
    private(set) var offset: Int64 = 0

    /// Notes a record.
    ///
    /// - Parameter previous: The chain value that its batch follows.
    mutating func note(_ record: Record, following previous: ChainValue) {
        if var known = frame {
            known.last = record.position
            known.earliest = min(known.earliest, record.at)
            known.latest = max(known.latest, record.at)
            frame = known
        } else {
            frame = SegmentIndex.Frame(
                bytes: offset..<offset, first: record.position, last: record.position, earliest: record.at,
                latest: record.at, previous: previous)
        }
        guard let device = record.body.device else { return }
        let place = self.place(of: device)
        if let place { devicesInFrame.insert(place) }
        switch record.body {
        case .frame(let message):
            if let place = self.place(of: message.message.namespace) { namespacesInFrame.insert(place) }
        case .deviceSeen(let said): note(said.name, of: place, at: record.position)
        case .recorderStarted, .recorderStopped, .deviceWithdrawn, .linkOpened, .linkClosed, .frameMalformed,
            .framesLost, .gap, .segmentsPruned:
            break
        }
    }

    /// Ends the zstd frame, whose compressed bytes end before `end`.
    mutating func endFrame(at end: Int64) {
        guard var ended = frame else { return }
        ended.bytes = offset..<end
        ended.devices = index.devices == nil ? nil : devicesInFrame.sorted()
        ended.namespaces = index.namespaces == nil ? nil : namespacesInFrame.sorted()
        index.frames.append(ended)
        offset = end
        frame = nil
        devicesInFrame.removeAll(keepingCapacity: true)
        namespacesInFrame.removeAll(keepingCapacity: true)
    }

    private mutating func place(of device: DeviceID) -> Int? {
        if let lastDevice, lastDevice.id == device { return lastDevice.place }
        guard index.devices != nil else { return nil }
        let place: Int
        if let known = devicePlaces[device] {
            place = known
        } else {
            textBytes += device.text.utf8.count
            guard devicePlaces.count < Self.deviceLimit, textBytes <= Self.textLimitBytes else {
                forgetDevices()
                return nil
            }
            place = devicePlaces.count
            devicePlaces[device] = place
            index.devices?.append(device)
        }
        lastDevice = (device, place)
        return place
    }

    /// Too many devices to list them: names go with them, and every frame is any device's.
    private mutating func forgetDevices() {
        index.devices = nil
        index.names = nil
        lastDevice = nil
        devicePlaces = [:]
        for place in index.frames.indices { index.frames[place].devices = nil }
    }

    private mutating func place(of namespace: Namespace) -> Int? {
        if let lastNamespace, lastNamespace.namespace == namespace { return lastNamespace.place }
        guard index.namespaces != nil else { return nil }
        let place: Int
        if let known = namespacePlaces[namespace] {
            place = known
        } else {
            textBytes += namespace.urn.utf8.count
            guard namespacePlaces.count < Self.namespaceLimit, textBytes <= Self.textLimitBytes else {
                index.namespaces = nil
                lastNamespace = nil
                namespacePlaces = [:]
                for place in index.frames.indices { index.frames[place].namespaces = nil }
                return nil
            }
            place = namespacePlaces.count
            namespacePlaces[namespace] = place
            index.namespaces?.append(namespace)
        }
        lastNamespace = (namespace, place)
        return place
    }

    private mutating func note(_ name: String?, of device: Int?, at position: ArchivePosition) {
        guard let device, let count = index.names?.count else { return }
        if let known = lastNames[device], known == name { return }
        textBytes += name?.utf8.count ?? 0
        guard count < Self.nameLimit, textBytes <= Self.textLimitBytes else {
            index.names = nil
            return
        }
        lastNames[device] = .some(name)
        index.names?.append(SegmentIndex.Name(position: position, device: device, name: name))
    }
}
