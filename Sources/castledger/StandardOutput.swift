import Glibc
import IO

/// Results on stdout: buffered, written with write(2).
///
/// When the reader goes away (`castledger events | head`), the rest is dropped quietly: ask ``isClosed`` in long loops.
/// A class, since everything that prints shares one buffer; used by one thread.
final class StandardOutput {
    private static let bufferBytes = 65_536
    /// Who takes what is printed in place of stdout; false when nobody reads any more.
    private let write: (([UInt8]) -> Bool)?
    private var buffer: [UInt8] = []
    /// Whether the reader has gone away.
    private(set) var isClosed = false

    /// Results to stdout, or to somebody else who takes them.
    init(write: (([UInt8]) -> Bool)? = nil) { self.write = write }

    /// Prints a text and a newline.
    func line(_ text: String) throws(IOError) {
        buffer.append(contentsOf: text.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Prints a text as it is.
    func text(_ text: String) throws(IOError) { try bytes(Array(text.utf8)) }

    /// Prints bytes as they are.
    func bytes(_ bytes: [UInt8]) throws(IOError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Writes out what is still in the buffer.
    func flush() throws(IOError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard !isClosed, !buffer.isEmpty else { return }
        if let write {
            isClosed = !write(buffer)
            return
        }
        do {
            try Files.writeAll(STDOUT_FILENO, buffer, subject: "stdout")
        } catch {
            guard error.number == EPIPE else { throw error }
            isClosed = true
        }
    }
}
