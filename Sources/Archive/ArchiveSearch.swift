public import CastModel
import Glibc
import IO
public import Recording

/// Finds records in a large archive: reads only those stretches in which the indexes see a chance.
///
/// Everything found is verified as ``ArchiveReader`` verifies it, but for the chain between stretches that are not read.
/// An index that is missing, stale, damaged or wrong costs time and hides nothing. For one thread.
public final class ArchiveSearch {
    /// What a device announced as its name.
    public struct NameSaid: Sendable, Equatable {
        /// The record that told of it.
        public var position: ArchivePosition
        /// Whose name.
        public var device: DeviceID
        /// The name; nil when it announced none.
        public var name: String?
    }

    private let folder: ArchiveFolder
    private let files: any ArchiveFiles
    private let keepsIndexes: Bool
    private let reader = RecordLineReader()
    private var opened: IndexedSegment?
    /// The segment that a writer may be writing: an index of it would be stale at once.
    private var newest: SegmentName?
    /// Indexes that had to be made and could not be kept, so that one search makes each once all the same.
    private var made: [SegmentName: (index: SegmentIndex, holes: [IndexedSegment.Hole])] = [:]
    private let entryBytes: Int
    /// Segments whose index had to be made by reading them.
    public private(set) var segmentsIndexed = 0
    /// Entries of indexes, of 1 MiB of lines each, that were read.
    public private(set) var entriesRead = 0
    /// The damage that was met where a search had to look, in the order in which it was met; at most 1,000 places are kept.
    public private(set) var damage: [ArchiveDamage] = []
    private static let damageLimit = 1000

    /// A search in a recorder's archive.
    ///
    /// - Parameter keepsIndexes: Whether an index that had to be made is kept beside its segment; never the newest one's.
    public convenience init(
        _ folder: ArchiveFolder, files: any ArchiveFiles = DiskFiles(), keepsIndexes: Bool = true
    ) {
        self.init(
            folder, files: files, keepsIndexes: keepsIndexes, entryBytes: ArchiveLimits.standard.indexEntryBytes)
    }

    init(_ folder: ArchiveFolder, files: any ArchiveFiles, keepsIndexes: Bool, entryBytes: Int) {
        self.folder = folder
        self.entryBytes = entryBytes
        self.files = files
        self.keepsIndexes = keepsIndexes
    }

    /// Hands over the records that pass a filter, in order, each with its line as archived, newline included.
    ///
    /// Goes on behind damage, and notes it in ``damage``.
    ///
    /// - Parameter visit: False ends the search.
    public func run(_ filter: RecordFilter, visit: (Record, ArraySlice<UInt8>) throws -> Bool) throws {
        let names = try segments()
        for (place, name) in names.enumerated() {
            if let positions = filter.positions {
                guard name.firstPosition <= positions.upperBound else { return }
                if place + 1 < names.count, names[place + 1].firstPosition <= positions.lowerBound { continue }
            }
            guard let segment = try open(name) else { continue }
            guard try search(segment, filter, visit) else { return }
        }
    }

    /// The record at a position; nil when the archive has none there.
    public func record(at position: ArchivePosition) throws -> Record? {
        var filter = RecordFilter()
        filter.positions = position...position
        var found: Record?
        try run(filter) { record, _ in
            found = record
            return false
        }
        return found
    }

    /// The last records before a position that pass a filter, in order: at most `count`.
    public func last(_ count: Int, before position: ArchivePosition, _ filter: RecordFilter) throws -> [Record] {
        var filter = filter
        filter.positions = ArchivePosition(0)...ArchivePosition(position.number - 1)
        var found: [Record] = []
        for name in try segments().reversed() where name.firstPosition < position {
            guard found.count < count else { break }
            guard let segment = try open(name) else { continue }
            found = try last(count - found.count, of: segment, filter) + found
        }
        return found
    }

    private func last(_ count: Int, of segment: IndexedSegment, _ filter: RecordFilter) throws -> [Record] {
        var found: [Record] = []
        func searchEntries() throws {
            found = []
            let wanted = segment.index.wanted(by: filter)
            for entry in segment.index.entries.reversed()
            where found.count < count && SegmentIndex.mayHold(entry, filter, wanted) {
                var inEntry: [Record] = []
                _ = try read(entry, of: segment, filter) { record, _ in
                    inEntry.append(record)
                    return true
                }
                found = inEntry.suffix(count - found.count) + found
            }
        }
        try searchTwice(segment, searchEntries)
        var reached = filter
        if found.count == count, let first = found.first?.position, let positions = filter.positions {
            reached.positions = first...positions.upperBound
        }
        noteDamage(of: segment, reached)
        return found
    }

    /// The names that devices announced, in order; what a device repeats may be left out.
    public func names() throws -> [NameSaid] {
        var all: [NameSaid] = []
        for name in try segments() {
            guard let segment = try open(name) else { continue }
            if let names = segment.index.names, let devices = segment.index.devices {
                all += names.map { NameSaid(position: $0.position, device: devices[$0.device], name: $0.name) }
                continue
            }
            _ = try search(segment, RecordFilter()) { record, _ in
                guard case .deviceSeen(let said) = record.body else { return true }
                all.append(NameSaid(position: record.position, device: said.deviceID, name: said.name))
                return true
            }
        }
        return all
    }

    private func segments() throws(ArchiveError) -> [SegmentName] {
        let names = try folder.segments(files)
        newest = names.last
        return names
    }

    /// Opens a segment; nil when it was pruned since the folder was looked at.
    private func open(_ name: SegmentName) throws(ArchiveError) -> IndexedSegment? {
        if let opened, opened.name == name { return opened }
        do throws(ArchiveError) {
            let segment = try IndexedSegment(
                name, in: folder, files: files, isOver: name != newest, keepsIndex: keepsIndexes && name != newest,
                entryBytes: entryBytes, known: made[name])
            if made[name] == nil, !segment.isFromSidecar { noteMade(segment) }
            opened = segment
            return segment
        } catch {
            guard case .files(let failure) = error, failure.number == ENOENT, try !folder.segments(files).contains(name)
            else { throw error }
            return nil
        }
    }

    private func search(
        _ segment: IndexedSegment, _ filter: RecordFilter, _ visit: (Record, ArraySlice<UInt8>) throws -> Bool
    ) throws -> Bool {
        var seen = ArchivePosition(0)
        var goesOn = true
        try searchTwice(segment) {
            let wanted = segment.index.wanted(by: filter)
            for entry in segment.index.entries
            where goesOn && entry.last > seen && SegmentIndex.mayHold(entry, filter, wanted) {
                goesOn = try read(entry, of: segment, filter) { record, line in
                    guard record.position > seen else { return true }
                    seen = record.position
                    return try visit(record, line)
                }
            }
        }
        var reached = filter
        if !goesOn { reached.positions = (filter.positions?.lowerBound ?? ArchivePosition(0))...seen }
        noteDamage(of: segment, reached)
        return goesOn
    }

    /// Searches a segment by its sidecar and, when that leads to damage, once more by what is in the segment itself.
    private func searchTwice(_ segment: IndexedSegment, _ search: () throws -> Void) throws {
        guard segment.isFromSidecar else { return try search() }
        do { try search() } catch let error as ArchiveError {
            // Either the index is wrong or the segment is: the segment decides.
            guard isDamage(error) else { throw error }
            try segment.make()
            noteMade(segment)
            try search()
        }
    }

    private func isDamage(_ error: ArchiveError) -> Bool {
        if case .damaged = error { true } else { SegmentScanner.isUnreadable(error) }
    }

    private func noteMade(_ segment: IndexedSegment) {
        segmentsIndexed += 1
        if !segment.isKept { made[segment.name] = (segment.index, segment.holes) }
    }

    /// Notes what is damaged in a segment, where records that were asked for may have been.
    private func noteDamage(of segment: IndexedSegment, _ filter: RecordFilter) {
        for hole in segment.holes where damage.count < Self.damageLimit {
            let next = segment.index.entries.first { $0.first > hole.after }?.first
            if let positions = filter.positions {
                if positions.upperBound <= hole.after { continue }
                if let next, positions.lowerBound >= next { continue }
            }
            if !damage.contains(hole.damage) { damage.append(hole.damage) }
        }
    }

    /// Hands over the records of one entry that pass the filter.
    private func read(
        _ entry: SegmentIndex.Entry, of segment: IndexedSegment, _ filter: RecordFilter,
        _ visit: (Record, ArraySlice<UInt8>) throws -> Bool
    ) throws -> Bool {
        entriesRead += 1
        let sieve = LineSieve(filter)
        return try segment.read(entry) { batch in
            if let positions = filter.positions, positions.upperBound < batch.first { return true }
            for line in batch.lines {
                let bytes = batch.content[line]
                guard sieve.mayPass(bytes) else { continue }
                let record: Record
                do throws(RecordingError) { record = try reader.read(bytes) } catch {
                    throw ArchiveError.damaged(
                        ArchiveDamage(
                            segment: folder.path(of: segment.name), firstPosition: batch.first, bytes: batch.bytes,
                            problem: .record(error)))
                }
                guard filter.matches(record) else { continue }
                guard try visit(record, bytes) else { return false }
            }
            return true
        }
    }
}

/// Tells lines that surely do not pass a filter, without reading them as JSON.
private struct LineSieve {
    /// One of these must follow the mark; none: every line may pass.
    private var devices: [[UInt8]] = []
    /// Whose record it is stands before all texts that others chose, and within texts quotes are escaped.
    private static let mark = Array("\"device\":\"".utf8)
    /// More than these are dearer to look for than a line is to read.
    private static let limit = 4

    init(_ filter: RecordFilter) {
        guard (1...Self.limit).contains(filter.devices.count) else { return }
        for device in filter.devices {
            // Letters, digits and dashes are never escaped in a line that we wrote.
            guard device.text.utf8.allSatisfy(Self.isPlain) else {
                devices = []
                return
            }
            devices.append(Array("\(device.text)\"".utf8))
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    func mayPass(_ line: ArraySlice<UInt8>) -> Bool {
        guard !devices.isEmpty else { return true }
        var rest = line
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[quote...]
            if rest.starts(with: Self.mark) {
                rest = rest.dropFirst(Self.mark.count)
                return devices.contains { rest.starts(with: $0) }
            }
            rest = rest.dropFirst()
        }
        return false
    }
}
