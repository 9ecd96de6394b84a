import CastModel
import CastWire
import Glibc
import IO
import Recording
import TestSupport
import Testing

@testable import Archive

// Goal: a search by index finds exactly what reading everything finds, whatever became of the indexes.
// Method: random archives and filters, with indexes whole, missing, and changed at every single byte.
@Suite("Searching an archive")
struct ArchiveSearchTests {
    /// Five devices, two namespaces, announcements now and then, and a wall clock that jumps back.
    static func observations(_ count: Int, _ generator: inout SeededNumbers) -> [Observation] {
        var clock = Samples.evening
        return (0..<count).map { number in
            clock += Int64(generator.below(2_000_000))
            if generator.below(40) == 0 { clock -= 30_000_000 }
            let device = Samples.device(generator.below(5))
            let body: RecordBody
            switch generator.below(10) {
            case 0:
                body = .deviceSeen(
                    DeviceAdvertisement(
                        deviceID: device, name: ["Kitchen", "Attic", nil][generator.below(3)], model: nil,
                        addresses: ["192.0.2.1"], port: 8009, capabilities: nil, txt: [], source: .mdns))
            case 1: body = .gap(Gap(device: nil, from: WallTime(microseconds: clock), to: nil, reason: .clockJump))
            case let choice:
                let namespace: Namespace = choice < 4 ? .receiver : .media
                body = .frame(
                    RecordedFrame(
                        device: device, link: LinkNumber(1), direction: .inbound,
                        message: CastMessage(from: "a", to: "*", namespace, text: "{\"number\":\(number)}")))
            }
            return Observation(at: WallTime(microseconds: clock), monotonic: MonotonicTime(nanoseconds: 0), body)
        }
    }

    static func filter(_ generator: inout SeededNumbers, records: Int) -> RecordFilter {
        var filter = RecordFilter()
        if generator.below(2) == 0 { filter.devices = [Samples.device(generator.below(6))] }
        if generator.below(4) == 0 { filter.devices.insert(Samples.device(generator.below(6))) }
        if generator.below(3) == 0 { filter.namespaceSuffix = ["media", "receiver", "none"][generator.below(3)] }
        if generator.below(6) == 0 { filter.namespaces = [.media] }
        if generator.below(6) == 0 { filter.framesOnly = true }
        let span = records * 1_000_000
        if generator.below(2) == 0 {
            filter.from = WallTime(microseconds: Samples.evening + Int64(generator.below(span)))
        }
        if generator.below(2) == 0 {
            filter.to = WallTime(microseconds: Samples.evening + Int64(generator.below(span)))
        }
        if generator.below(3) == 0 {
            let first = Int64(generator.below(records) + 1)
            filter.positions = ArchivePosition(first)...ArchivePosition(first + Int64(generator.below(records)))
        }
        return filter
    }

    /// An archive of some segments of several zstd frames each; the index has an entry for each, if it is not told to take
    /// several into one.
    static func archive(
        _ observations: [Observation], isOver: Bool, segmentBytes: Int = 6000, entryBytes: Int = 1
    ) throws -> MemoryFiles {
        let files = MemoryFiles()
        let limits = Samples.limits(frameBytes: 1200, segmentBytes: segmentBytes, indexEntryBytes: entryBytes)
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: files)
        for start in stride(from: 0, to: observations.count, by: 7) {
            try writer.append(Array(observations[start..<min(start + 7, observations.count)]), now: Samples.now)
        }
        if isOver { try writer.finish(now: Samples.now) }
        return files
    }

    static func search(_ files: MemoryFiles, keepsIndexes: Bool = true, entryBytes: Int = 1) -> ArchiveSearch {
        ArchiveSearch(Samples.folder, files: files, keepsIndexes: keepsIndexes, entryBytes: entryBytes)
    }

    static func found(
        _ files: MemoryFiles, _ filter: RecordFilter, keepsIndexes: Bool = true, entryBytes: Int = 1
    ) throws -> [Record] {
        try found(search(files, keepsIndexes: keepsIndexes, entryBytes: entryBytes), filter)
    }

    static func found(_ search: ArchiveSearch, _ filter: RecordFilter) throws -> [Record] {
        var found: [Record] = []
        var line: [UInt8] = []
        try search.run(filter) { record, bytes in
            line.removeAll()
            RecordLine.write(record, to: &line)
            #expect(bytes.elementsEqual(line), "the line is the one that was archived")
            found.append(record)
            return true
        }
        return found
    }

    static func indexPaths(_ files: MemoryFiles) -> [String] {
        files.contents.keys.filter { $0.hasSuffix(".index") }.sorted()
    }

    @Test func `finds what a reading of everything finds, with and without indexes`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededNumbers(seed: seed)
        for round in 0..<10 {
            let observations = Self.observations(150, &generator)
            let all = Samples.records(observations)
            let entryBytes = [1, 2500][round % 2]
            let files = try Self.archive(observations, isOver: generator.below(2) == 0, entryBytes: entryBytes)
            let segments = files.contents.keys.filter { $0.hasSuffix(".zst") }.count
            try #require(segments > 3)
            #expect(Self.indexPaths(files).count >= segments - 1, "each segment that is over has its index")
            for _ in 0..<20 {
                let filter = Self.filter(&generator, records: 150)
                if generator.below(4) == 0, let path = Self.indexPaths(files).randomElement(using: &generator) {
                    files.state.withLock { _ = $0.files.removeValue(forKey: path) }
                }
                let expected = all.filter { filter.matches($0) }
                #expect(
                    try Self.found(files, filter, entryBytes: entryBytes) == expected,
                    "seed \(seed), round \(round), \(filter)")
            }
        }
    }

    @Test(arguments: [(1, 4), (2500, 2), (100_000, 1)])
    func `an index that the writer kept is, byte for byte, the one that a search makes`(
        entryBytes: Int, entries: Int
    ) throws {
        var generator = SeededNumbers(seed: 4711)
        let files = try Self.archive(
            Self.observations(150, &generator), isOver: false, entryBytes: entryBytes)
        let kept = files.contents.filter { $0.key.hasSuffix(".index") }
        #expect(kept.count > 3)
        for path in kept.keys { files.state.withLock { _ = $0.files.removeValue(forKey: path) } }
        let search = Self.search(files, entryBytes: entryBytes)
        _ = try search.names()
        #expect(search.segmentsIndexed == kept.count + 1)
        #expect(files.contents.filter { $0.key.hasSuffix(".index") } == kept, "none of the segment being written")
        let lines = kept.values.map { $0.count { $0 == UInt8(ascii: "\n") } - 2 }
        #expect(lines.min() ?? 0 >= entries, "an entry ends with the zstd frame that makes it long enough")
        if entries == 1 { #expect(Set(lines) == [1]) }
        let again = Self.search(files, entryBytes: entryBytes)
        _ = try again.names()
        #expect(again.segmentsIndexed == 1)
    }

    @Test func `an index with any byte changed costs time and hides nothing`() throws {
        var generator = SeededNumbers(seed: 12)
        let observations = Self.observations(30, &generator)
        let files = try Self.archive(observations, isOver: true, segmentBytes: 4000, entryBytes: 2500)
        var filter = RecordFilter()
        filter.devices = [Samples.device(1)]
        filter.from = WallTime(microseconds: Samples.evening + 5_000_000)
        let expected = Samples.records(observations).filter { filter.matches($0) }
        #expect(expected.count > 2)
        let path = try #require(Self.indexPaths(files).first)
        let whole = try #require(files.contents[path])
        for place in whole.indices {
            var changed = whole
            changed[place] ^= 1 << UInt8(place % 8)
            files.state.withLock { $0.files[path]?.content = changed }
            guard try Self.found(files, filter, keepsIndexes: false, entryBytes: 2500) == expected else {
                Issue.record("byte \(place) changed: other records came out")
                return
            }
        }
        for size in stride(from: 0, to: whole.count, by: 13) {
            files.state.withLock { $0.files[path]?.content = Array(whole.prefix(size)) }
            #expect(
                try Self.found(files, filter, keepsIndexes: false, entryBytes: 2500) == expected, "cut to \(size) bytes"
            )
        }
    }

    @Test func `an index of another segment is not believed, though its checksum is right`() throws {
        var generator = SeededNumbers(seed: 5)
        let observations = Self.observations(90, &generator)
        let files = try Self.archive(observations, isOver: true)
        let paths = Self.indexPaths(files)
        let other = try #require(files.contents[paths[1]])
        files.state.withLock { $0.files[paths[0]]?.content = other }
        #expect(try Self.found(files, RecordFilter()) == Samples.records(observations))
        #expect(files.contents[paths[0]] != other, "it was made anew")
    }

    @Test func `an index that lists wrong positions is found out by what is read`() throws {
        var generator = SeededNumbers(seed: 6)
        let observations = Self.observations(90, &generator)
        let files = try Self.archive(observations, isOver: true)
        let name = try #require(try Samples.folder.segments(files).first)
        var index = try IndexedSegment(
            name, in: Samples.folder, files: files, isOver: false, keepsIndex: false, entryBytes: 1
        ).index
        #expect(index.entries.count > 2)
        index.entries[1].previous = .start
        IndexedSegment.write(index, of: name, in: Samples.folder, files)
        let search = Self.search(files)
        var found: [Record] = []
        try search.run(RecordFilter()) { record, _ in
            found.append(record)
            return true
        }
        #expect(found == Samples.records(observations))
        #expect(search.segmentsIndexed == 1)
    }

    @Test func `reads only the stretches that may hold what is asked for`() throws {
        let files = try Self.archive(Samples.frames(0..<300), isOver: true)
        let search = Self.search(files)
        var filter = RecordFilter()
        filter.devices = [Samples.device(1)]
        filter.from = WallTime(microseconds: Samples.evening + 100_000_000)
        filter.to = WallTime(microseconds: Samples.evening + 106_000_000)
        var positions: [Int64] = []
        try search.run(filter) { record, _ in
            positions.append(record.position.number)
            return true
        }
        #expect(positions == [101, 104], "seconds 100 to 105, every third is this device's")
        #expect(search.entriesRead <= 3, "of more than 60")
        filter.devices = [Samples.device(7)]
        try search.run(filter) { _, _ in true }
        #expect(search.entriesRead <= 3, "a device that no segment lists needs no reading")
    }

    @Test func `shows the frames before a position, across segments`() throws {
        let files = try Self.archive(Samples.frames(0..<100), isOver: false)
        let search = Self.search(files)
        var filter = RecordFilter()
        filter.devices = [Samples.device(2)]
        #expect(
            try search.last(20, before: ArchivePosition(90), filter).map(\.position.number)
                == (0..<20).map { 30 + 3 * $0 })
        #expect(try search.last(3, before: ArchivePosition(4), filter).map(\.position.number) == [3])
        #expect(try search.last(3, before: ArchivePosition(1), filter).isEmpty)
        #expect(try search.record(at: ArchivePosition(77)) == Samples.records(Samples.frames(0..<100))[76])
        #expect(try search.record(at: ArchivePosition(101)) == nil)
    }

    @Test func `beyond what an index can list, every frame is any device's`() throws {
        let device = { (number: Int) in DeviceID("ffff\(10_000 + number)") }
        let observations = (0..<5000).map { number in
            Observation(
                at: WallTime(microseconds: Samples.evening), monotonic: Samples.now, .deviceWithdrawn(device(number)))
        }
        let files = MemoryFiles()
        let writer = try ArchiveWriter(Samples.folder, boot: Samples.boot, files: files)
        try writer.append(observations, now: Samples.now)
        try writer.finish(now: Samples.now)
        let name = try #require(try Samples.folder.segments(files).first)
        let segment = try IndexedSegment(
            name, in: Samples.folder, files: files, isOver: false, keepsIndex: false, entryBytes: 1)
        #expect(segment.isFromSidecar)
        #expect(segment.index.devices == nil)
        #expect(segment.index.names == nil)
        #expect(segment.index.entries.allSatisfy { $0.devices == nil })
        var filter = RecordFilter()
        for number in [0, 4095, 4096, 4999] {
            filter.devices = [device(number)]
            #expect(try Self.found(files, filter).map(\.position.number) == [Int64(number + 1)])
        }
    }

    @Test func `names beyond what an index can list leave room for devices and namespaces`() throws {
        let name = String(repeating: "n", count: 95)
        let said = (0..<3000).map { number in
            Observation(
                at: WallTime(microseconds: Samples.evening), monotonic: Samples.now,
                .deviceSeen(
                    DeviceAdvertisement(
                        deviceID: Samples.device(0), name: "\(name)\(number)", model: nil, addresses: ["192.0.2.1"],
                        port: 8009, capabilities: nil, txt: [], source: .mdns)))
        }
        let files = try Self.archive(said + Samples.frames(0..<3), isOver: true, segmentBytes: 64 << 20)
        let newest = try #require(try Samples.folder.segments(files).last)
        let index = try IndexedSegment(
            newest, in: Samples.folder, files: files, isOver: false, keepsIndex: false, entryBytes: 1
        ).index
        #expect(index.names == nil, "3,000 names of 98 bytes are more than 256 KiB")
        #expect(index.devices?.count == 3)
        #expect(index.namespaces == [.media])
    }

    @Test func `a folder that cannot be written is searched all the same`() throws {
        let files = try Self.archive(Samples.frames(0..<100), isOver: true)
        for path in Self.indexPaths(files) { files.state.withLock { _ = $0.files.removeValue(forKey: path) } }
        files.fail(0..<1_000_000, EROFS)
        #expect(try Self.found(files, RecordFilter()) == Samples.records(Samples.frames(0..<100)))
        #expect(Self.indexPaths(files).isEmpty)
    }

    @Test func `damage is met only where a search has to look, and costs only the frame that it is in`() throws {
        // Large enough that the damage is not near the end, which an index is tied to.
        let files = try Self.archive(Samples.frames(0..<200), isOver: true, segmentBytes: 1 << 20)
        let name = try #require(try Samples.folder.segments(files).first)
        let index = try IndexedSegment(
            name, in: Samples.folder, files: files, isOver: false, keepsIndex: false, entryBytes: 1
        ).index
        let frame = index.entries[1]
        try #require(index.entries.count > 4)
        let path = Samples.folder.path(of: name)
        files.state.withLock { $0.files[path]?.content[Int(frame.bytes.lowerBound) + 40] ^= 0x55 }
        var filter = RecordFilter()
        filter.positions = index.entries[2].first...ArchivePosition(200)
        let behind = Self.search(files)
        #expect(try Self.found(behind, filter).count == 200 - Int(frame.last.number))
        #expect(behind.damage.isEmpty)
        let others = Array(1..<frame.first.number) + Array(frame.last.number + 1...200)
        for hasIndex in [true, false] {
            if !hasIndex { files.state.withLock { $0.files[path + ".index"] = nil } }
            let search = Self.search(files)
            for _ in 0..<2 {
                #expect(try Self.found(search, RecordFilter()).map(\.position.number) == others)
                #expect(search.damage.map(\.firstPosition) == [frame.first], "once, however often it is met")
            }
            #expect(try search.last(200, before: ArchivePosition(201), RecordFilter()).map(\.position.number) == others)
            #expect(try search.record(at: frame.first) == nil)
            let last = Self.search(files)
            #expect(try last.last(5, before: ArchivePosition(201), RecordFilter()).count == 5)
            #expect(try last.record(at: ArchivePosition(200)) != nil)
            #expect(last.damage.isEmpty, "it is before all that was asked for")
        }
        #expect(files.contents[path + ".index"] == nil, "of a damaged segment none is kept")
        let listed = try #require(try ArchiveListing.segments(Samples.folder, files: files).first)
        #expect(listed.records == others.count)
        #expect(listed.lastPosition == ArchivePosition(200))
        #expect(listed.damage?.firstPosition == frame.first)
    }

    @Test func `what the disk does not give costs what follows it in its segment`() throws {
        let files = try Self.archive(Samples.frames(0..<400), isOver: true, segmentBytes: 60_000)
        let names = try Samples.folder.segments(files)
        try #require(names.count > 2)
        let path = Samples.folder.path(of: names[0])
        let index = try IndexedSegment(
            names[0], in: Samples.folder, files: files, isOver: true, keepsIndex: false, entryBytes: 1
        ).index
        let sector = Int64(8192)..<8704
        try #require(try #require(files.contents[path]).count > 8704)
        let lost = try #require(index.entries.last { $0.bytes.lowerBound < sector.lowerBound })
        files.state.withLock { $0.unreadable[path] = sector }
        for hasIndex in [true, false] {
            if !hasIndex { files.state.withLock { $0.files[path + ".index"] = nil } }
            let search = Self.search(files)
            let found = try Self.found(search, RecordFilter()).map(\.position.number)
            let good = found.prefix { $0 < names[1].firstPosition.number }
            #expect(good.elementsEqual(1...Int64(good.count)))
            #expect(good.count >= lost.first.number - 1)
            #expect(Array(found.dropFirst(good.count)) == Array(names[1].firstPosition.number...400))
            guard case .unreadable? = search.damage.first?.problem, search.damage.count == 1 else {
                Issue.record("\(search.damage)")
                return
            }
            #expect(search.damage.first?.firstPosition == ArchivePosition(Int64(good.count) + 1))
        }
        #expect(
            try ArchiveListing.segments(Samples.folder, files: files).map { $0.damage != nil }.prefix(2) == [
                true, false,
            ])
    }

    @Test func `names are those that devices announced, in order`() throws {
        var generator = SeededNumbers(seed: 99)
        let observations = Self.observations(200, &generator)
        let files = try Self.archive(observations, isOver: false)
        var last: [DeviceID: String?] = [:]
        let changes = try ArchiveSearch(Samples.folder, files: files).names().filter { said in
            defer { last[said.device] = .some(said.name) }
            return last[said.device] != .some(said.name)
        }
        var known: [DeviceID: String?] = [:]
        var expected: [Int64] = []
        for record in Samples.records(observations) {
            guard case .deviceSeen(let said) = record.body, known[said.deviceID] != .some(said.name) else { continue }
            known[said.deviceID] = .some(said.name)
            expected.append(record.position.number)
        }
        #expect(changes.map(\.position.number) == expected)
        #expect(expected.count > 5)
    }
}
