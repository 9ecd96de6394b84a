public import CastModel
public import CastWire
public import Recording

/// Which records `castledger archive cat` and `frames` print: those that fit every part.
public struct RecordFilter: Sendable, Equatable {
    /// Only records of these devices; empty means of all, and also those of no device.
    public var devices: Set<DeviceID> = []
    /// Only frames of these namespaces; empty means all frames, and also what is no frame.
    public var namespaces: Set<Namespace> = []
    /// Only frames whose namespace ends so: `media` stands for `urn:x-cast:com.google.cast.media`.
    public var namespaceSuffix: String?
    /// Only frames.
    public var framesOnly = false
    /// Only records observed at this moment or later.
    public var from: WallTime?
    /// Only records observed before this moment.
    public var to: WallTime?
    /// Only records at these positions.
    public var positions: ClosedRange<ArchivePosition>?

    /// A filter that every record passes.
    public init() {}

    /// Whether a record fits every part.
    public func matches(_ record: Record) -> Bool {
        if let positions, !positions.contains(record.position) { return false }
        if let from, record.at < from { return false }
        if let to, record.at >= to { return false }
        if !devices.isEmpty {
            guard let device = record.body.device, devices.contains(device) else { return false }
        }
        if !namespaces.isEmpty || namespaceSuffix != nil || framesOnly {
            guard case .frame(let frame) = record.body, matches(frame.message.namespace) else { return false }
        }
        return true
    }

    /// Whether frames of a namespace may pass.
    func matches(_ namespace: Namespace) -> Bool {
        guard namespaces.isEmpty || namespaces.contains(namespace) else { return false }
        return namespaceSuffix.map { namespace.urn.hasSuffix($0) } ?? true
    }
}
