import Glibc

/// A system call that failed, and why.
public struct IOError: Error, Sendable, Equatable {
    /// The system call, such as "connect".
    public var call: String
    /// `errno` as the call left it.
    public var number: Int32
    /// The file or address it was about; empty when there is none.
    public var subject: String

    /// A failure of `call` with `number` as its errno.
    public init(call: String, number: Int32, subject: String = "") {
        self.call = call
        self.number = number
        self.subject = subject
    }

    /// The result of a call, or the error it left in errno when the result is negative.
    ///
    /// Reads errno at once: nothing of Swift's may run between the call and this.
    static func check(_ call: String, _ result: Int32, subject: String = "") throws(IOError) -> Int32 {
        let number = errno
        guard result >= 0 else { throw IOError(call: call, number: number, subject: subject) }
        return result
    }

    /// Whether we lack the right to do it.
    public var isPermission: Bool { number == EACCES || number == EPERM }

    /// Whether the file system is mounted read-only, or became so after an error.
    public var isReadOnly: Bool { number == EROFS }

    /// Whether the disk or the quota is full.
    public var isVolumeFull: Bool { number == ENOSPC || number == EDQUOT }
}

extension IOError: CustomStringConvertible {
    /// "connect 192.0.2.1:8009: Connection refused".
    public var description: String {
        let reason = unsafe String(cString: strerror(number))
        return subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }
}
