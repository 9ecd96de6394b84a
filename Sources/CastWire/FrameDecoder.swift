/// Cuts a stream of bytes into the bodies of frames, however the network split it.
///
/// A frame is a 32-bit big-endian length and a body of that many bytes (PROTOCOL 2.1).
public struct FrameDecoder: Sendable {
    /// The longest body that is read, in bytes.
    ///
    /// Chrome stops at 64 KiB; some recent endpoints send more (PROTOCOL 2.1).
    public static let bodyLimitBytes = 1 << 20
    static let prefixBytes = 4

    private var buffer: [UInt8] = []
    private var start = 0

    /// A decoder that has seen nothing yet.
    public init() {}

    /// How many bytes wait for the rest of their frame.
    public var pendingBytes: Int { buffer.count - start }

    /// Takes the next bytes of the stream, of any number.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole body; nil when the stream has to go on first.
    ///
    /// - Throws: ``WireError/bodyTooLong(announcedBytes:limitBytes:)``, before waiting for such a body.
    ///   The stream has lost its rhythm then: every later call throws the same.
    public mutating func nextBody() throws(WireError) -> [UInt8]? {
        guard pendingBytes >= Self.prefixBytes else { return nil }
        let length = buffer[start..<start + Self.prefixBytes].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.bodyLimitBytes else {
            throw .bodyTooLong(announcedBytes: length, limitBytes: Self.bodyLimitBytes)
        }
        guard pendingBytes >= Self.prefixBytes + length else { return nil }
        let bodyStart = start + Self.prefixBytes
        let body = Array(buffer[bodyStart..<bodyStart + length])
        start = bodyStart + length
        if start == buffer.count {
            // Ten thousand quiet links must not hold a buffer each.
            buffer = []
            start = 0
        }
        return body
    }
}
