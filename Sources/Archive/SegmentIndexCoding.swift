import CastModel
import CastWire
import IO
import Recording

/// The sidecar `<segment>.index`: JSON Lines, one about itself, one table, then one per entry (docs/format.md).
extension SegmentIndex {
    /// What ties an index to the very bytes of a segment.
    ///
    /// A segment ends with the checksum of a zstd frame, whose content ends with a hash over all that came before. Another
    /// segment of the same length has another end.
    struct Seal: Sendable, Equatable {
        /// The segment's size.
        var bytes: Int64
        /// CRC32C of its last 4,096 bytes.
        var end: UInt32

        private static let endBytes = 4096

        /// The seal of a segment as it is now.
        init(_ file: any ArchiveFile) throws(IOError) {
            bytes = try file.size()
            let start = max(0, bytes - Int64(Self.endBytes))
            end = CRC32C.checksum(try file.read(at: start, limit: Self.endBytes)[...])
        }
    }

    /// Where the index of a segment is kept.
    static func path(of name: SegmentName, in folder: ArchiveFolder) -> String { folder.path(of: name) + suffix }
    static let suffix = ".index"
    /// No index is longer: three lists of 256 KiB of texts, sixfold when escaped, and lists of at most 4,352 numbers for each
    /// of the 65 entries that a segment of 64 MiB of lines has.
    static let limitBytes = 16 << 20

    // MARK: Writing

    /// The sidecar's content.
    func encoded(_ name: SegmentName, _ seal: Seal) -> [UInt8] {
        let table = JSONObject([
            ("devices", Self.list(devices) { .string($0.text) }),
            ("namespaces", Self.list(namespaces) { .string($0.urn) }),
            (
                "names",
                Self.list(names) { name in
                    let text = name.name.map { JSONValue.string($0) } ?? .null
                    return .array([.integer(name.position.number), .integer(Int64(name.device)), text])
                }
            ),
        ])
        var lines = JSONValue.object(table).utf8 + [UInt8(ascii: "\n")]
        for entry in entries { lines += JSONValue.object(Self.object(entry)).utf8 + [UInt8(ascii: "\n")] }
        let head = JSONObject([
            ("kind", .string("index")), ("format", .integer(1)), ("segment", .string(name.file)),
            ("bytes", .integer(seal.bytes)), ("end_crc32c", .integer(Int64(seal.end))),
            ("crc32c", .integer(Int64(CRC32C.checksum(lines[...])))),
        ])
        return JSONValue.object(head).utf8 + [UInt8(ascii: "\n")] + lines
    }

    private static func list<Element>(_ elements: [Element]?, _ value: (Element) -> JSONValue) -> JSONValue {
        elements.map { .array($0.map(value)) } ?? .null
    }

    private static func object(_ entry: Entry) -> JSONObject {
        JSONObject([
            ("offset", .integer(entry.bytes.lowerBound)), ("bytes", .integer(Int64(entry.bytes.count))),
            ("first_position", .integer(entry.first.number)), ("last_position", .integer(entry.last.number)),
            ("earliest", .string(entry.earliest.text)), ("latest", .string(entry.latest.text)),
            ("previous_chain", entry.previous.map { .string($0.description) } ?? .null),
            ("devices", list(entry.devices) { .integer(Int64($0)) }),
            ("namespaces", list(entry.namespaces) { .integer(Int64($0)) }),
        ])
    }

    // MARK: Reading

    /// The index that a sidecar holds; nil when it is damaged, or made of other bytes than the segment has now.
    init?(_ content: [UInt8], of name: SegmentName, _ seal: Seal) {
        let parser = JSONParser()
        guard let (head, lines) = Self.parts(content, of: name), head["bytes"]?.whole == seal.bytes,
            head["end_crc32c"]?.whole == Int64(seal.end), let first = lines.first,
            let table = (try? parser.parse(Array(first)))?.object, readTable(table)
        else {
            return nil
        }
        var (offset, position) = (Int64(0), name.firstPosition)
        for line in lines.dropFirst() {
            guard let entry = (try? parser.parse(Array(line))).flatMap(Self.entry), entry.bytes.lowerBound == offset,
                entry.first == position, entry.last >= entry.first
            else { return nil }
            entries.append(entry)
            (offset, position) = (entry.bytes.upperBound, entry.last.next)
        }
        guard offset == seal.bytes else { return nil }
    }

    /// The last record that a sidecar lists, whatever has become of the segment since; nil when the sidecar is damaged.
    static func lastPosition(_ content: [UInt8], of name: SegmentName) -> ArchivePosition? {
        guard let line = parts(content, of: name)?.lines.dropFirst().last else { return nil }
        return (try? JSONParser().parse(Array(line))).flatMap(entry)?.last
    }

    /// The first line, and the others when its checksum is theirs.
    private static func parts(
        _ content: [UInt8], of name: SegmentName
    ) -> (head: JSONObject, lines: [ArraySlice<UInt8>])? {
        guard let headEnd = content.firstIndex(of: UInt8(ascii: "\n")),
            let head = (try? JSONParser().parse(Array(content[..<headEnd])))?.object, head["kind"]?.string == "index",
            head["format"]?.whole == 1, head["segment"]?.string == name.file,
            head["crc32c"]?.whole == Int64(CRC32C.checksum(content[(headEnd + 1)...]))
        else { return nil }
        return (head, content[(headEnd + 1)...].split(separator: UInt8(ascii: "\n")))
    }

    private mutating func readTable(_ table: JSONObject) -> Bool {
        guard let devices = table["devices"], let namespaces = table["namespaces"], let names = table["names"] else {
            return false
        }
        self.devices = devices.array?.compactMap { $0.string.map { DeviceID($0) } }
        self.namespaces = namespaces.array?.compactMap { $0.string.map { Namespace($0) } }
        self.names = names.array?.compactMap { entry in
            guard let parts = entry.array, parts.count == 3, let position = parts[0].whole, let device = parts[1].whole
            else { return nil }
            return Name(position: ArchivePosition(position), device: Int(device), name: parts[2].string)
        }
        let known = self.devices?.count ?? 0
        return self.names?.allSatisfy { (0..<known).contains($0.device) } ?? true
    }

    private static func entry(_ value: JSONValue) -> Entry? {
        guard let offset = value["offset"]?.whole, let bytes = value["bytes"]?.whole, offset >= 0, bytes > 0,
            bytes <= Int64.max - offset, let first = value["first_position"]?.whole,
            let last = value["last_position"]?.whole, last < Int64.max,
            let earliest = value["earliest"]?.string.flatMap({ WallTime(text: $0) }),
            let latest = value["latest"]?.string.flatMap({ WallTime(text: $0) }),
            let previous = value["previous_chain"]?.string.flatMap({ ChainValue(hexadecimal: Array($0.utf8)) })
        else { return nil }
        return Entry(
            bytes: offset..<offset + bytes, first: ArchivePosition(first), last: ArchivePosition(last),
            earliest: earliest, latest: latest, previous: previous, devices: places(value["devices"]),
            namespaces: places(value["namespaces"]))
    }

    private static func places(_ value: JSONValue?) -> [Int]? {
        value?.array?.compactMap { $0.whole.map { Int($0) } }
    }
}

extension JSONValue {
    /// The number, when it is a whole one that fits.
    fileprivate var whole: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }
}
