public import CastModel

/// The devices now known, from all sources: a value that says what each piece of news changes.
///
/// What changes nothing need not be recorded again.
public struct DeviceRoster: Sendable {
    /// What a piece of news changed about one device; empty when nothing.
    public struct Difference: OptionSet, Sendable, Hashable, CustomStringConvertible {
        /// The changes as bits.
        public let rawValue: Int
        /// Changes by their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Never seen before.
        public static let appeared = Difference(rawValue: 1)
        /// Announced again after it had been withdrawn.
        public static let returned = Difference(rawValue: 2)
        /// Another friendly name.
        public static let renamed = Difference(rawValue: 4)
        /// Another address or port.
        public static let moved = Difference(rawValue: 8)
        /// Another model, capability or other TXT value.
        public static let redescribed = Difference(rawValue: 16)
        /// Only the hints about the running app, TXT `st` and `rs`, which are often wrong (PROTOCOL 1.2).
        public static let hinted = Difference(rawValue: 32)
        /// No longer announced.
        public static let withdrawn = Difference(rawValue: 64)
        /// Not taken: ``DeviceRoster/deviceLimit`` devices are known already.
        public static let refused = Difference(rawValue: 128)

        /// The names of the changes, such as "renamed, moved".
        public var description: String {
            let names: [(Difference, String)] = [
                (.appeared, "appeared"), (.returned, "returned"), (.renamed, "renamed"), (.moved, "moved"),
                (.redescribed, "redescribed"), (.hinted, "hinted"), (.withdrawn, "withdrawn"), (.refused, "refused"),
            ]
            return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
        }
    }

    /// One device.
    public struct Entry: Sendable, Equatable {
        /// What was said last.
        public var advertisement: DeviceAdvertisement
        /// Whether it is announced now; false after a withdrawal, which proves little.
        public var isAnnounced: Bool
    }

    /// How many devices are kept: five times the fleet that one recorder is built for.
    public static let deviceLimit = 50_000

    private var entries: [DeviceID: Entry] = [:]
    /// Devices without room.
    public private(set) var refusedCount = 0

    /// A roster without devices.
    public init() {}

    /// What is known about a device; nil when it was never seen.
    public subscript(_ device: DeviceID) -> Entry? { entries[device] }

    /// All devices, by id.
    public var devices: [Entry] {
        entries.values.sorted { $0.advertisement.deviceID < $1.advertisement.deviceID }
    }

    /// Takes in one piece of news, and says what it changes.
    public mutating func fold(_ change: RosterChange) -> Difference {
        switch change {
        case .seen(let advertisement): seen(advertisement)
        case .withdrawn(let device): withdrawn(device)
        }
    }

    private mutating func seen(_ advertisement: DeviceAdvertisement) -> Difference {
        guard let known = entries[advertisement.deviceID] else {
            guard entries.count < Self.deviceLimit else {
                refusedCount += 1
                return .refused
            }
            entries[advertisement.deviceID] = Entry(advertisement: advertisement, isAnnounced: true)
            return .appeared
        }
        entries[advertisement.deviceID] = Entry(advertisement: advertisement, isAnnounced: true)
        let difference = Self.difference(known.advertisement, advertisement)
        return known.isAnnounced ? difference : difference.union(.returned)
    }

    private mutating func withdrawn(_ device: DeviceID) -> Difference {
        guard entries[device]?.isAnnounced == true else { return [] }
        entries[device]?.isAnnounced = false
        return .withdrawn
    }

    private static func difference(_ old: DeviceAdvertisement, _ new: DeviceAdvertisement) -> Difference {
        var difference: Difference = []
        if old.name != new.name { difference.insert(.renamed) }
        if old.addresses != new.addresses || old.port != new.port { difference.insert(.moved) }
        let isRedescribed =
            old.model != new.model || old.capabilities != new.capabilities || old.source != new.source
            || description(old) != description(new)
        if isRedescribed { difference.insert(.redescribed) }
        if hints(old) != hints(new) { difference.insert(.hinted) }
        return difference
    }

    /// The TXT pairs that neither name the device nor hint at its app.
    private static func description(_ advertisement: DeviceAdvertisement) -> [DeviceAdvertisement.TXTPair] {
        advertisement.txt.filter { !["fn", "st", "rs"].contains($0.key.lowercased()) }
    }

    private static func hints(_ advertisement: DeviceAdvertisement) -> [DeviceAdvertisement.TXTPair] {
        advertisement.txt.filter { ["st", "rs"].contains($0.key.lowercased()) }
    }
}
