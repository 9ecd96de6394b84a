import CastModel
import Glibc
import Recording

/// The lines of a segment that are no records (docs/format.md).
enum SegmentFormat {
    /// The first line: which segment this is, and which chain value it follows.
    static func segmentLine(recorder: String, first: ArchivePosition, previous: ChainValue) -> [UInt8] {
        segmentLineStart(recorder: recorder, first: first) + "\(previous)\"}\n".utf8
    }

    /// The chain value that a first line names; nil when the line is not the one of this segment.
    static func previousChain(_ line: ArraySlice<UInt8>, recorder: String, first: ArchivePosition) -> ChainValue? {
        let start = segmentLineStart(recorder: recorder, first: first)
        guard line.starts(with: start), line.count == start.count + 64 + lineEnd.count,
            line.suffix(lineEnd.count).elementsEqual(lineEnd)
        else { return nil }
        return ChainValue(hexadecimal: line.dropFirst(start.count).prefix(64))
    }

    private static func segmentLineStart(recorder: String, first: ArchivePosition) -> [UInt8] {
        var line = Array(#"{"kind":"segment","format":1,"recorder":"#.utf8)
        JSONValue.writeString(Array(recorder.utf8), to: &line)
        line += ",\"first_position\":\(first),\"previous_chain\":\"".utf8
        return line
    }

    /// What a batch says of itself in its last line.
    struct BatchSummary {
        var records: Int
        var first: ArchivePosition
        var last: ArchivePosition
        var checksum: UInt32
        var chain: ChainValue
    }

    /// The last line of a batch.
    ///
    /// There is one way to write it, so readers compare bytes.
    static func batchLine(_ batch: BatchSummary) -> [UInt8] {
        var line = batchLineStart(batch)
        line += "\",\"chain\":\"\(batch.chain)\"}\n".utf8
        return line
    }

    /// The last line of a batch up to its checksum, which comes next in eight hexadecimal digits.
    private static func batchLineStart(_ batch: BatchSummary) -> [UInt8] {
        var line = Array(
            "{\"kind\":\"batch\",\"records\":\(batch.records),\"first_position\":\(batch.first),\"last_position\":\(batch.last),\"crc32c\":\""
                .utf8)
        for shift in [24, 16, 8, 0] as [UInt32] {
            line += Hexadecimal.digits(UInt8(truncatingIfNeeded: batch.checksum >> shift))
        }
        return line
    }

    static let batchMark = Array(#"{"kind":"batch","#.utf8)
    /// No last line is longer: three numbers of at most 19 digits, eight and 64 hexadecimal digits, the names.
    static let batchLineLimitBytes = 256
    private static let lineEnd = Array("\"}\n".utf8)

    /// The chain value that a last line names, whether or not it is right; nil when it names none.
    static func chain(_ line: ArraySlice<UInt8>) -> ChainValue? {
        guard line.suffix(lineEnd.count).elementsEqual(lineEnd) else { return nil }
        return ChainValue(hexadecimal: line.dropLast(lineEnd.count).suffix(64))
    }

    /// The checksum that a last line names, whether or not it is right; nil when it names none.
    static func checksum(_ line: ArraySlice<UInt8>) -> UInt32? {
        let digits = line.dropLast(lineEnd.count + 64 + "\",\"chain\":\"".utf8.count).suffix(8)
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// The position that a record's line begins with; nil when it begins otherwise.
    static func position(_ line: ArraySlice<UInt8>) -> ArchivePosition? {
        guard line.starts(with: positionMark) else { return nil }
        var number: Int64 = 0
        for byte in line.dropFirst(positionMark.count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                return byte == UInt8(ascii: ",") && number > 0 ? ArchivePosition(number) : nil
            }
            let (tens, overflowed) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            guard !overflowed, !overflowedToo else { return nil }
            number = sum
        }
        return nil
    }

    private static let positionMark = Array("{\"position\":".utf8)

    /// Where the lines are; the last one must end in a newline, or nil is returned.
    static func lines(_ bytes: ArraySlice<UInt8>) -> [Range<Int>]? {
        guard bytes.last == UInt8(ascii: "\n") else { return nil }
        return unsafe bytes.withUnsafeBytes { buffer in
            var lines: [Range<Int>] = []
            var start = 0
            while start < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                guard let base = rest.baseAddress, let found = unsafe memchr(base, 10, rest.count) else { return nil }
                let end = unsafe start + UnsafeRawPointer(found).distance(from: base) + 1
                lines.append(bytes.startIndex + start..<bytes.startIndex + end)
                start = end
            }
            return lines
        }
    }
}

extension UnsafeRawPointer {
    /// Bytes from `base` to this address.
    fileprivate func distance(from base: UnsafeRawPointer) -> Int { unsafe self - base }
}
