import Glibc
public import IO

/// Reads a text line by line, whether it is compressed with zstd or not: a segment of an archive, or anybody's log.
///
/// Nothing is verified beyond what zstd itself checks; ``ArchiveReader`` does that. Memory does not grow with the text.
/// For one thread.
public final class LineFile {
    /// Why a line, or the rest of the text, cannot be had.
    public enum Failure: Error, Sendable, Equatable {
        /// The line is longer than ``limitBytes``; it is passed over, and reading goes on with the next one.
        case tooLong
        /// The text ends in the middle of a zstd frame; there is nothing more.
        case cutOff
        /// zstd refuses the bytes, in its words; there is nothing more.
        case compression(String)
        /// Reading failed; there is nothing more.
        case files(IOError)
    }

    /// No line may be longer: a message has at most 1 MiB, and escapes make six bytes of one.
    public static let limitBytes = 16 << 20
    private static let chunkBytes = 1 << 16
    /// So much of a chunk is decompressed at a time: it becomes 32 MiB at most, since four bytes can stand for the
    /// 128 KiB of a block (RFC 8878, 3.1.1.2).
    private static let compressedPartBytes = 1024
    private static let mark: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]  // RFC 8878, 3.1.1

    private let input: PlainInput
    private let limitBytes: Int
    private var decompressor = ZstdDecompressor()
    private var isCompressed: Bool?
    /// What was read and is not decompressed yet.
    private var chunk: ArraySlice<UInt8> = []
    private var pending: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var isAtEnd = false
    private var failure: Failure?
    private var isSkipping = false

    /// The number of the line read last, from 1 on.
    public private(set) var lineNumber = 0

    /// Opens a file; `-` is the standard input.
    public convenience init(_ path: String) throws(IOError) {
        try self.init(path, limitBytes: Self.limitBytes)
    }

    init(_ path: String, limitBytes: Int) throws(IOError) {
        input = try PlainInput(path)
        self.limitBytes = limitBytes
    }

    /// The next line, without its newline; nil after the last one.
    public func next() throws(Failure) -> ArraySlice<UInt8>? {
        while true {
            if let newline = newline() { return try take(to: newline) }
            searched = pending.count
            if pending.count - start > limitBytes {
                isSkipping = true
                start = pending.count
            }
            guard isAtEnd else {
                fill()
                continue
            }
            if let failure {
                // What precedes a break is no whole line.
                start = pending.count
                self.failure = nil
                isSkipping = false
                throw failure
            }
            guard start < pending.count || isSkipping else { return nil }
            return try take(to: pending.count)
        }
    }

    /// Where the next newline is, in what was read but not searched yet.
    private func newline() -> Int? {
        unsafe pending.withUnsafeBytes { buffer in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[searched...])
            guard let base = rest.baseAddress, let found = unsafe memchr(base, 10, rest.count) else { return nil }
            return unsafe searched + (UnsafeRawPointer(found) - base)
        }
    }

    private func take(to end: Int) throws(Failure) -> ArraySlice<UInt8> {
        let line = pending[start..<end]
        start = min(end + 1, pending.count)
        searched = start
        lineNumber += 1
        guard !isSkipping, line.count <= limitBytes else {
            isSkipping = false
            throw .tooLong
        }
        return line
    }

    /// Reads on; what goes wrong is thrown after the last whole line.
    private func fill() {
        pending.removeFirst(start)
        (start, searched) = (0, pending.count)
        if chunk.isEmpty {
            do throws(IOError) { chunk = try readChunk()[...] } catch { return end(.files(error)) }
        }
        if chunk.isEmpty {
            isAtEnd = true
            if isCompressed == true, decompressor.isInsideFrame { end(.cutOff) }
        } else if isCompressed == true {
            decompress(chunk.prefix(Self.compressedPartBytes))
        } else {
            pending += chunk
            chunk = []
        }
    }

    private func readChunk() throws(IOError) -> [UInt8] {
        var bytes = try input.read(Self.chunkBytes)
        if isCompressed == nil {
            // A pipe may hand over its first bytes one by one.
            while bytes.count < Self.mark.count, Self.mark.starts(with: bytes) {
                let more = try input.read(Self.chunkBytes)
                guard !more.isEmpty else { break }
                bytes += more
            }
            isCompressed = bytes.starts(with: Self.mark)
        }
        return bytes
    }

    /// Takes the first bytes of the chunk.
    private func decompress(_ part: ArraySlice<UInt8>) {
        chunk = chunk.dropFirst(part.count)
        do throws(ZstdError) { try decompressor.decompress(part, to: &pending) } catch {
            end(.compression(error.description))
        }
    }

    private func end(_ failure: Failure) {
        isAtEnd = true
        self.failure = failure
    }
}

/// A descriptor that is closed once.
private final class PlainInput {
    private let path: String
    private let fd: Int32

    init(_ path: String) throws(IOError) {
        self.path = path == "-" ? "the standard input" : path
        fd = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { throw IOError(call: "open", number: errno, subject: path) }
    }

    deinit { if fd != STDIN_FILENO { close(fd) } }

    /// At most `limit` bytes; none at the end.
    func read(_ limit: Int) throws(IOError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            repeat {
                count = unsafe Glibc.read(fd, buffer.baseAddress, limit)
            } while count < 0 && errno == EINTR
            if count < 0 { (failure, count) = (errno, 0) }
        }
        guard failure == 0 else { throw IOError(call: "read", number: failure, subject: path) }
        return bytes
    }
}
extension LineFile.Failure: CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    public var description: String {
        switch self {
        case .tooLong: "longer than \(LineFile.limitBytes >> 20) MiB; passed over"
        case .cutOff: "the compressed text breaks off here: it was cut, or is still being written"
        case .compression(let words): "zstd refuses the rest (\(words))"
        case .files(let error): "\(error)"
        }
    }
}
