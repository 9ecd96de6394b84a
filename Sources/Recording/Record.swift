public import CastModel
public import CastWire

/// The place of a record in its recorder's archive: 1, 2, 3, … without holes, for ever.
public struct ArchivePosition: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The ordinal number of the record.
    public let number: Int64
    /// A position by its number, 1 or more; 0 stands for "before the first record".
    public init(_ number: Int64) { self.number = number }
    /// The position after this one.
    public var next: ArchivePosition { ArchivePosition(number + 1) }
    /// The plain text.
    public var description: String { String(number) }
    /// Earlier before later.
    public static func < (one: ArchivePosition, other: ArchivePosition) -> Bool { one.number < other.number }
}

/// Which of our links: counted up from 1 by one recorder process, new for every TLS connection.
public struct LinkNumber: Sendable, Hashable {
    /// The count.
    public let number: Int64
    /// A link by its count.
    public init(_ number: Int64) { self.number = number }
}

/// Something that happened, as the one who saw it hands it over: not yet in the archive, hence without a position.
public struct Observation: Sendable, Equatable {
    /// When, for people.
    public var at: WallTime
    /// When, for durations.
    public var monotonic: MonotonicTime
    /// What.
    public var body: RecordBody
    /// An observation.
    public init(at: WallTime, monotonic: MonotonicTime, _ body: RecordBody) {
        self.at = at
        self.monotonic = monotonic
        self.body = body
    }
}

extension Observation {
    /// How much of it a device decides: the bytes of a frame's payload, or of what was no message.
    public var frameBytes: Int {
        switch body {
        case .frame(let frame): (frame.message.payloadUTF8?.count ?? 0) + (frame.message.payloadBinary?.count ?? 0)
        case .frameMalformed(let frame): frame.bytes.count
        case .recorderStarted, .recorderStopped, .deviceSeen, .deviceWithdrawn, .linkOpened, .linkClosed, .framesLost,
            .gap, .segmentsPruned:
            0
        }
    }
}

/// One entry of the archive.
public struct Record: Sendable, Equatable {
    /// Its place.
    public var position: ArchivePosition
    /// When, for people.
    public var at: WallTime
    /// When, for durations; comparable to others of the same `boot`.
    public var monotonic: MonotonicTime
    /// Which boot of the machine: the kernel's boot id, a UUID.
    public var boot: String
    /// What.
    public var body: RecordBody
    /// A record.
    public init(
        position: ArchivePosition, at: WallTime, monotonic: MonotonicTime, boot: String, body: RecordBody
    ) {
        self.position = position
        self.at = at
        self.monotonic = monotonic
        self.boot = boot
        self.body = body
    }
}

/// What a record records.
///
/// The closed list of DESIGN's archive kinds.
public enum RecordBody: Sendable, Equatable {
    /// The recorder began; `recorder` is its id, `version` the program's, `redaction` what it leaves out until it stops.
    case recorderStarted(recorder: String, version: String, redaction: Set<RedactionChoice> = [])
    /// The recorder ended in good order, and why ("SIGTERM").
    case recorderStopped(reason: String)
    /// A device announced itself, or announced something new.
    case deviceSeen(DeviceAdvertisement)
    /// mDNS says that the device is gone. Not the truth about the device: its link decides (PROTOCOL 1.5).
    case deviceWithdrawn(DeviceID)
    /// TLS is up.
    case linkOpened(LinkOpened)
    /// A link that was up is no more.
    case linkClosed(LinkClosed)
    /// A message, either way.
    case frame(RecordedFrame)
    /// Bytes from the device that are no message.
    case frameMalformed(MalformedFrame)
    /// Frames that could not be kept: how many, and why. `device` nil: of several devices.
    case framesLost(device: DeviceID?, count: Int, why: String)
    /// A stretch without observation.
    case gap(Gap)
    /// The archive lets go of its oldest segments; told before they are removed.
    case segmentsPruned(SegmentsPruned)
}

/// A link that came up.
public struct LinkOpened: Sendable, Equatable {
    /// Whose.
    public var device: DeviceID
    /// Which.
    public var link: LinkNumber
    /// Numeric address.
    public var address: String
    /// TCP port.
    public var port: UInt16
    /// "TLSv1.3" and the like.
    public var tlsVersion: String
    /// OpenSSL's name of the cipher suite.
    public var cipher: String
    /// The device's certificate, DER.
    ///
    /// Self-signed and changed daily; kept for the identity check (PROTOCOL 2.8).
    public var peerCertificate: [UInt8]
    /// How we join receiver apps on this link.
    public var attachMode: AttachMode
    /// A link that came up.
    public init(
        device: DeviceID, link: LinkNumber, address: String, port: UInt16, tlsVersion: String, cipher: String,
        peerCertificate: [UInt8], attachMode: AttachMode
    ) {
        self.device = device
        self.link = link
        self.address = address
        self.port = port
        self.tlsVersion = tlsVersion
        self.cipher = cipher
        self.peerCertificate = peerCertificate
        self.attachMode = attachMode
    }
}

/// How we join receiver apps: the attach ladder (PROTOCOL 2.6, 7.4).
public enum AttachMode: String, Sendable, CaseIterable {
    /// Stay with `receiver-0`; join no app.
    case platform
    /// Join apps with `connType` 2: the app is not told of us. The default.
    case invisible
    /// Join apps with `connType` 1. The app is told of us; an operator's explicit choice.
    case weak
    /// Join apps with `connType` 0. The app is told of us and may stay alive for us; an operator's explicit choice.
    case strong
}

/// A link that went down.
public struct LinkClosed: Sendable, Equatable {
    /// Whose.
    public var device: DeviceID
    /// Which.
    public var link: LinkNumber
    /// Why it went down.
    public var reason: LinkCloseReason
    /// More words for a person; may be empty.
    public var detail: String
    /// A link that went down.
    public init(device: DeviceID, link: LinkNumber, reason: LinkCloseReason, detail: String) {
        self.device = device
        self.link = link
        self.reason = reason
        self.detail = detail
    }
}

/// Why a link went down.
public enum LinkCloseReason: String, Sendable, CaseIterable {
    /// The device ended the TLS connection.
    case closedByDevice = "closed_by_device"
    /// Nothing came for 15 s.
    case silent
    /// The network or the device reset it.
    case connectionReset = "connection_reset"
    /// The stream lost its framing.
    case protocolError = "protocol_error"
    /// TLS failed.
    case tlsError = "tls_error"
    /// The device moved to another address.
    case addressChanged = "address_changed"
    /// Another link reaches the same device.
    case duplicate
    /// We begin anew, to join receiver apps otherwise: the device did not keep us invisible, or did so after all.
    case attachModeChanged = "attach_mode_changed"
    /// The device is not to be recorded any more: the operator's rules say so.
    case deviceExcluded = "device_excluded"
    /// We end.
    case recorderStopping = "recorder_stopping"
}

/// A message that passed over a link.
public struct RecordedFrame: Sendable, Equatable {
    /// From the device, or from us.
    public enum Direction: String, Sendable { case inbound = "in", outbound = "out" }

    /// Whose link.
    public var device: DeviceID
    /// Which link.
    public var link: LinkNumber
    /// Which way.
    public var direction: Direction
    /// The message; chunks come reassembled where that was possible.
    public var message: CastMessage
    /// Whether secrets were taken out of the message, so that it is not exactly what passed.
    public var isRedacted: Bool
    /// A message that passed over a link.
    public init(
        device: DeviceID, link: LinkNumber, direction: Direction, message: CastMessage, isRedacted: Bool = false
    ) {
        self.device = device
        self.link = link
        self.direction = direction
        self.message = message
        self.isRedacted = isRedacted
    }
}

/// Bytes from a device that are no message.
public struct MalformedFrame: Sendable, Equatable {
    /// Whose link.
    public var device: DeviceID
    /// Which link.
    public var link: LinkNumber
    /// The body as it came, without its length prefix.
    public var bytes: [UInt8]
    /// What is wrong with it.
    public var why: String
    /// Bytes that are no message.
    public init(device: DeviceID, link: LinkNumber, bytes: [UInt8], why: String) {
        self.device = device
        self.link = link
        self.bytes = bytes
        self.why = why
    }
}

/// A stretch without observation.
public struct Gap: Sendable, Equatable {
    /// Why nothing was observed.
    public enum Reason: String, Sendable, CaseIterable {
        /// We did not run.
        case recorderDown = "recorder_down"
        /// The link broke.
        case linkLost = "link_lost"
        /// The device could not be reached at all.
        case deviceUnreachable = "device_unreachable"
        /// We were not attached to the app.
        case notJoined = "not_joined"
        /// The app refused us.
        case attachRefused = "attach_refused"
        /// The operator's rules leave the device out.
        case deviceExcluded = "device_excluded"
        /// The wall clock jumped.
        case clockJump = "clock_jump"
    }

    /// Of which device; nil means of all.
    public var device: DeviceID?
    /// The last moment observed.
    public var from: WallTime
    /// The first moment observed again; nil while it lasts.
    public var to: WallTime?
    /// Why.
    public var reason: Reason
    /// A stretch without observation.
    public init(device: DeviceID?, from: WallTime, to: WallTime?, reason: Reason) {
        self.device = device
        self.from = from
        self.to = to
        self.reason = reason
    }
}

/// Where observations go: the archive in the program, an array in tests.
///
/// Called on the sender's own thread only; must not block.
public protocol RecordSink: AnyObject {
    /// Takes observations, in order. False when it is full: nothing was taken, so keep them and stop reading links.
    func append(_ observations: [Observation]) -> Bool
}
