public import CastModel
import Glibc
import IO
public import Recording

/// Finds records in a large archive: reads only those zstd frames in which the indexes see a chance.
///
/// Everything found is verified as ``ArchiveReader`` verifies it, but for the chain between zstd frames that are not read.
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
    /// Indexes that had to be made, so that one search makes each once also where none can be kept.
    private var made: [SegmentName: (index: SegmentIndex, damage: ArchiveError?)] = [:]
    /// Segments whose index had to be made by reading them.
    public private(set) var segmentsIndexed = 0
    /// Zstd frames that were read.
    public private(set) var framesRead = 0

    /// A search in a recorder's archive.
    ///
    /// - Parameter keepsIndexes: Whether an index that had to be made is kept beside its segment; never the newest one's.
    public init(_ folder: ArchiveFolder, files: any ArchiveFiles = DiskFiles(), keepsIndexes: Bool = true) {
        self.folder = folder
        self.files = files
        self.keepsIndexes = keepsIndexes
    }

    /// Hands over the records that pass a filter, in order, each with its line as archived, newline included.
    ///
    /// Throws the first damage that it meets, after everything before it was handed over.
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
            let wanted = segment.index.wanted(by: filter)
            for frame in segment.index.frames.reversed()
            where found.count < count && SegmentIndex.mayHold(frame, filter, wanted) {
                var inFrame: [Record] = []
                _ = try read(frame, of: segment, filter) { record, _ in
                    inFrame.append(record)
                    return true
                }
                found = inFrame.suffix(count - found.count) + found
            }
        }
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
                name, in: folder, files: files, keepsIndex: keepsIndexes && name != newest, known: made[name])
            if !segment.isFromSidecar { noteMade(segment) }
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
        func searchFrames() throws -> Bool {
            let wanted = segment.index.wanted(by: filter)
            for frame in segment.index.frames where frame.last > seen && SegmentIndex.mayHold(frame, filter, wanted) {
                let goesOn = try read(frame, of: segment, filter) { record, line in
                    guard record.position > seen else { return true }
                    seen = record.position
                    return try visit(record, line)
                }
                guard goesOn else { return false }
            }
            return true
        }
        do {
            guard try searchFrames() else { return false }
        } catch ArchiveError.damaged where segment.isFromSidecar {
            // Either the index is wrong or the segment is: the segment decides.
            try segment.make()
            noteMade(segment)
            guard try searchFrames() else { return false }
        }
        if let damage = segment.damage, filter.positions.map({ $0.upperBound > segment.lastGood }) ?? true {
            throw damage
        }
        return true
    }

    private func noteMade(_ segment: IndexedSegment) {
        if made.updateValue((segment.index, segment.damage), forKey: segment.name) == nil { segmentsIndexed += 1 }
    }

    /// Hands over the records of one zstd frame that pass the filter.
    private func read(
        _ frame: SegmentIndex.Frame, of segment: IndexedSegment, _ filter: RecordFilter,
        _ visit: (Record, ArraySlice<UInt8>) throws -> Bool
    ) throws -> Bool {
        framesRead += 1
        let sieve = LineSieve(filter)
        return try segment.read(frame) { batch in
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
