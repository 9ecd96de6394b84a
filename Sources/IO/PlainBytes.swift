import Glibc

/// Bytes over a TCP socket without TLS.
extension Socket {
    /// Reads what has arrived, at most as much as fits; nil when nothing has, 0 at the end of the stream.
    public static func receive(_ fd: Int32, into buffer: inout [UInt8]) throws(IOError) -> Int? {
        let count = unsafe recv(fd, &buffer, buffer.count, 0)
        let number = errno
        guard count < 0 else { return count }
        guard number == EAGAIN || number == EINTR else { throw IOError(call: "recv", number: number) }
        return nil
    }

    /// Sends as many bytes as the kernel takes now, and says how many: 0 when its buffer is full.
    public static func send(_ fd: Int32, _ bytes: [UInt8]) throws(IOError) -> Int {
        let count = unsafe Glibc.send(fd, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        let number = errno
        guard count < 0 else { return count }
        guard number == EAGAIN || number == EINTR else { throw IOError(call: "send", number: number) }
        return 0
    }
}
