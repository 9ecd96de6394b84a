public import CastModel

/// One event of a stream of server-sent events (WHATWG HTML, 9.2).
public struct EventFrame: Sendable, Equatable {
    /// What it is of.
    public enum Name: String, Sendable, CaseIterable {
        /// A change event, with the fields of `events`.
        case change
        /// A conflict that is new or went on, with the fields of `conflicts`.
        case conflict
        /// A play that began or ended, with the fields of `plays`.
        case play
        /// What concerns the stream itself or the recorder.
        case status
    }

    /// What it is of.
    public var name: Name
    /// From where to go on after it; nil when it is no place to go on from.
    public var resumeAfter: String?
    /// Its content.
    public var data: JSONValue

    /// An event.
    public init(_ name: Name, resumeAfter: String?, data: JSONValue) {
        self.name = name
        self.resumeAfter = resumeAfter
        self.data = data
    }

    /// The bytes on the wire; JSON text has no line ends.
    public var utf8: [UInt8] {
        var bytes = Array("event: \(name.rawValue)\n".utf8)
        if let resumeAfter { bytes += Array("id: \(resumeAfter)\n".utf8) }
        bytes += Array("data: ".utf8)
        data.write(to: &bytes)
        bytes += [0x0A, 0x0A]
        return bytes
    }

    /// A line that browsers drop: the stream lives.
    public static let heartbeat = Array(": \n\n".utf8)
}
