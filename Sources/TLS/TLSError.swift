/// A failure of libssl, in its own words.
public struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What we were doing.
    public var operation: String
    /// libssl's reason; empty when it gave none.
    public var reason: String

    /// A failure of `operation`, for `reason`.
    public init(operation: String, reason: String) {
        self.operation = operation
        self.reason = reason
    }

    /// "handshake: sslv3 alert handshake failure".
    public var description: String { reason.isEmpty ? operation : "\(operation): \(reason)" }
}
