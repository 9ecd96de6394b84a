import CastModel
import CastWire
import Recording

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
    /// Bytes of the texts of each list, at most.
    static let textLimitBytes = 1 << 18

    private var entries: [SegmentIndex.Entry] = []
    private var devices = Places<DeviceID>(limit: deviceLimit)
    private var namespaces = Places<Namespace>(limit: namespaceLimit)
    private var names: [SegmentIndex.Name]? = []
    private var nameBytes = 0
    private var lastNames: [Int: String?] = [:]
    private var entry: SegmentIndex.Entry?
    private var devicesInEntry: Set<Int> = []
    private var namespacesInEntry: Set<Int> = []

    private let entryBytes: Int
    private var lineBytes = 0

    /// - Parameter entryBytes: An entry ends with the zstd frame that brings it to so many bytes of lines.
    init(entryBytes: Int) { self.entryBytes = entryBytes }

    /// Where the entry begins that the next record is in; 0 at first.
    private(set) var offset: Int64 = 0

    /// What was noted, as far as entries have ended.
    var index: SegmentIndex {
        var index = SegmentIndex()
        index.devices = devices.list
        index.namespaces = namespaces.list
        index.names = devices.list == nil ? nil : names
        index.entries = entries.map { entry in
            var entry = entry
            if index.devices == nil { entry.devices = nil }
            if index.namespaces == nil { entry.namespaces = nil }
            return entry
        }
        return index
    }

    /// Notes a record.
    ///
    /// - Parameter previous: The chain value that its batch follows; nil behind a hole.
    mutating func note(_ record: Record, following previous: ChainValue?) {
        if var known = entry {
            known.last = record.position
            known.earliest = min(known.earliest, record.at)
            known.latest = max(known.latest, record.at)
            entry = known
        } else {
            entry = SegmentIndex.Entry(
                bytes: offset..<offset, first: record.position, last: record.position, earliest: record.at,
                latest: record.at, previous: previous)
        }
        guard let device = record.body.device else { return }
        let place = devices.place(of: device, text: device.text)
        if let place { devicesInEntry.insert(place) }
        switch record.body {
        case .frame(let message):
            let namespace = message.message.namespace
            if let place = namespaces.place(of: namespace, text: namespace.urn) { namespacesInEntry.insert(place) }
        case .deviceSeen(let said): note(said.name, of: place, at: record.position)
        case .recorderStarted, .recorderStopped, .deviceWithdrawn, .linkOpened, .linkClosed, .frameMalformed,
            .framesLost, .gap, .segmentsPruned:
            break
        }
    }

    /// Notes that a batch of so many bytes of lines has ended.
    mutating func endBatch(_ bytes: Int) { lineBytes += bytes }

    /// Ends the zstd frame, whose compressed bytes end before `end`; and the entry, if that is long enough.
    mutating func endFrame(at end: Int64) { if lineBytes >= entryBytes { endEntry(at: end) } }

    /// Ends the entry, as at the end of the segment.
    mutating func endEntry(at end: Int64) {
        guard var ended = entry else { return }
        ended.bytes = offset..<end
        ended.devices = devicesInEntry.sorted()
        ended.namespaces = namespacesInEntry.sorted()
        entries.append(ended)
        offset = end
        entry = nil
        lineBytes = 0
        devicesInEntry.removeAll(keepingCapacity: true)
        namespacesInEntry.removeAll(keepingCapacity: true)
    }

    /// Goes on behind a hole, where a zstd frame begins.
    mutating func goOn(at start: Int64) { offset = start }

    private mutating func note(_ name: String?, of device: Int?, at position: ArchivePosition) {
        guard let device, let count = names?.count else { return }
        if let known = lastNames[device], known == name { return }
        nameBytes += name?.utf8.count ?? 0
        guard count < Self.nameLimit, nameBytes <= Self.textLimitBytes else {
            names = nil
            lastNames = [:]
            return
        }
        lastNames[device] = .some(name)
        names?.append(SegmentIndex.Name(position: position, device: device, name: name))
    }
}

/// One list of an index: each key once, in the order in which they first come.
private struct Places<Key: Hashable> {
    /// Nil once there is too much to list.
    private(set) var list: [Key]? = []
    private let limit: Int
    private var places: [Key: Int] = [:]
    private var textBytes = 0
    private var last: (key: Key, place: Int)?

    init(limit: Int) { self.limit = limit }

    /// A key's place, which is a new one when it was not there yet; nil once there is too much to list.
    ///
    /// - Parameter text: What a new key takes in the list.
    mutating func place(of key: Key, text: @autoclosure () -> String) -> Int? {
        if let last, last.key == key { return last.place }
        guard let count = list?.count else { return nil }
        if let place = places[key] {
            last = (key, place)
            return place
        }
        textBytes += text().utf8.count
        guard count < limit, textBytes <= SegmentIndexBuilder.textLimitBytes else {
            (list, places, last) = (nil, [:], nil)
            return nil
        }
        places[key] = count
        list?.append(key)
        last = (key, count)
        return count
    }
}
