import CastModel
import CastWire
import IO
import Recording

/// The sidecar `<segment>.index`: JSON Lines, one about itself, one table, then one per zstd frame (docs/format.md).
extension SegmentIndex {
    /// What ties an index to the very bytes of a segment.
    ///
    /// A segment ends with the checksum of a zstd frame, whose content ends with a hash over all that came before. Another
    /// segment of the same length has another end.
    struct Seal: Sendable, Equatable {
        /// The segment's name without folders.
        var file: String
        /// The segment's size.
        var bytes: Int64
        /// CRC32C of its last 4,096 bytes.
        var end: UInt32

        private static let endBytes = 4096

        /// The seal of a segment as it is now.
        init(_ name: SegmentName, _ file: any ArchiveFile) throws(IOError) {
            self.file = name.file
            bytes = try file.size()
            let start = max(0, bytes - Int64(Self.endBytes))
            end = CRC32C.checksum(try file.read(at: start, limit: Self.endBytes)[...])
        }
    }

    /// Where the index of a segment is kept.
    static func path(of name: SegmentName, in folder: ArchiveFolder) -> String { folder.path(of: name) + suffix }
    static let suffix = ".index"
    /// No index is longer: 256 KiB of texts, and lists of 4,096 numbers for each of some hundred frames.
    static let limitBytes = 16 << 20

    // MARK: Writing

    /// The sidecar's content.
    func encoded(_ seal: Seal) -> [UInt8] {
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
        for frame in frames { lines += JSONValue.object(Self.object(frame)).utf8 + [UInt8(ascii: "\n")] }
        let head = JSONObject([
            ("kind", .string("index")), ("format", .integer(1)), ("segment", .string(seal.file)),
            ("bytes", .integer(seal.bytes)), ("end_crc32c", .integer(Int64(seal.end))),
            ("crc32c", .integer(Int64(CRC32C.checksum(lines[...])))),
        ])
        return JSONValue.object(head).utf8 + [UInt8(ascii: "\n")] + lines
    }

    private static func list<Element>(_ elements: [Element]?, _ value: (Element) -> JSONValue) -> JSONValue {
        elements.map { .array($0.map(value)) } ?? .null
    }

    private static func object(_ frame: Frame) -> JSONObject {
        JSONObject([
            ("offset", .integer(frame.bytes.lowerBound)), ("bytes", .integer(Int64(frame.bytes.count))),
            ("first_position", .integer(frame.first.number)), ("last_position", .integer(frame.last.number)),
            ("earliest", .string(frame.earliest.text)), ("latest", .string(frame.latest.text)),
            ("previous_chain", .string(frame.previous.description)),
            ("devices", list(frame.devices) { .integer(Int64($0)) }),
            ("namespaces", list(frame.namespaces) { .integer(Int64($0)) }),
        ])
    }

    // MARK: Reading

    /// The index that a sidecar holds; nil when it is damaged, or made of other bytes than the segment has now.
    init?(_ content: [UInt8], of name: SegmentName, _ seal: Seal) {
        let parser = JSONParser()
        guard let headEnd = content.firstIndex(of: UInt8(ascii: "\n")),
            let head = (try? parser.parse(Array(content[..<headEnd])))?.object,
            head["kind"]?.string == "index", head["format"]?.whole == 1, head["segment"]?.string == seal.file,
            head["bytes"]?.whole == seal.bytes, head["end_crc32c"]?.whole == Int64(seal.end),
            head["crc32c"]?.whole == Int64(CRC32C.checksum(content[(headEnd + 1)...]))
        else { return nil }
        let lines = content[(headEnd + 1)...].split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first, let table = (try? parser.parse(Array(first)))?.object, readTable(table) else {
            return nil
        }
        var (offset, position) = (Int64(0), name.firstPosition)
        for line in lines.dropFirst() {
            guard let frame = (try? parser.parse(Array(line))).flatMap(Self.frame), frame.bytes.lowerBound == offset,
                frame.first == position, frame.last >= frame.first
            else { return nil }
            frames.append(frame)
            (offset, position) = (frame.bytes.upperBound, frame.last.next)
        }
        guard offset == seal.bytes else { return nil }
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

    private static func frame(_ value: JSONValue) -> Frame? {
        guard let offset = value["offset"]?.whole, let bytes = value["bytes"]?.whole, offset >= 0, bytes > 0,
            bytes <= Int64.max - offset, let first = value["first_position"]?.whole,
            let last = value["last_position"]?.whole, last < Int64.max,
            let earliest = value["earliest"]?.string.flatMap({ WallTime(text: $0) }),
            let latest = value["latest"]?.string.flatMap({ WallTime(text: $0) }),
            let previous = value["previous_chain"]?.string.flatMap({ ChainValue(hexadecimal: Array($0.utf8)) })
        else { return nil }
        return Frame(
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
