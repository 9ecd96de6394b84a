/// What a device says of itself before anyone connects: its mDNS record, or what a person typed.
public struct DeviceAdvertisement: Sendable, Equatable {
    /// Who told us about the device.
    public enum Source: String, Sendable {
        case mdns
        /// `--device HOST[:PORT]`.
        case `static`
    }

    /// The device or group.
    public var deviceID: DeviceID
    /// Friendly name: TXT `fn`.
    ///
    /// Nil when not said, or said to be empty.
    public var name: String?
    /// Model, TXT `md`: "Chromecast Ultra", or "Google Cast Group" for groups.
    ///
    /// Nil when not said.
    public var model: String?
    /// Numeric addresses, IPv4 first, IPv6 with scope id where it is link-local.
    ///
    /// May be empty before resolution.
    public var addresses: [String]
    /// TCP port, 1 to 65535: 8009 on a device, another one on a group.
    public var port: UInt16
    /// TXT `ca` (PROTOCOL 1.3).
    ///
    /// Nil when not said.
    public var capabilities: Capabilities?
    /// All TXT pairs as they came, unknown keys included, in their order.
    ///
    /// A key without `=` has a nil value.
    public var txt: [TXTPair]
    /// mDNS or typed by a person.
    public var source: Source

    /// One `key=value` of a TXT record.
    public struct TXTPair: Sendable, Equatable {
        /// The key as it came; compare without regard to case.
        public var key: String
        /// The value; nil when the pair has no `=`.
        public var value: String?
        /// A pair.
        public init(key: String, value: String?) {
            self.key = key
            self.value = value
        }
    }

    /// An advertisement, part by part.
    public init(
        deviceID: DeviceID, name: String?, model: String?, addresses: [String], port: UInt16,
        capabilities: Capabilities?, txt: [TXTPair], source: Source
    ) {
        self.deviceID = deviceID
        self.name = name
        self.model = model
        self.addresses = addresses
        self.port = port
        self.capabilities = capabilities
        self.txt = txt
        self.source = source
    }
}

extension DeviceAdvertisement {
    /// Whether this is a group of devices rather than a device (PROTOCOL 1.6).
    ///
    /// What the record says decides: the model "Google Cast Group", or capability bit 32, or 64 for a group of the moment.
    /// Only an mDNS record that tells neither its model nor its capabilities is judged by its port, which is 8009 on
    /// devices and another one on groups.
    public var isGroup: Bool {
        if model == "Google Cast Group" { return true }
        if let capabilities { return !capabilities.isDisjoint(with: [.multizoneGroup, .dynamicGroup]) }
        guard source == .mdns, model == nil else { return false }
        return port != 8009
    }

    /// The value of a TXT key in either case; the first one counts (RFC 6763, 6.4).
    ///
    /// Nil when the key is missing or has no `=`.
    public func text(_ key: String) -> String? { Self.text(key, in: txt) }

    static func text(_ key: String, in pairs: [TXTPair]) -> String? {
        pairs.first { $0.key.lowercased() == key }?.value
    }
}

/// What a device can do: TXT `ca`, also used by multizone records (PROTOCOL 1.3).
public struct Capabilities: OptionSet, Sendable, Hashable {
    /// All bits, those without a known meaning included.
    public let rawValue: Int64
    /// Capabilities by their bits.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Shows pictures.
    public static let videoOut = Capabilities(rawValue: 1)
    /// Has a camera.
    public static let videoIn = Capabilities(rawValue: 2)
    /// Makes sound.
    public static let audioOut = Capabilities(rawValue: 4)
    /// Has a microphone.
    public static let audioIn = Capabilities(rawValue: 8)
    /// Is a development device.
    public static let developerMode = Capabilities(rawValue: 16)
    /// This service is a group, not a device.
    public static let multizoneGroup = Capabilities(rawValue: 32)
    /// A group for the moment only.
    public static let dynamicGroup = Capabilities(rawValue: 64)
    /// A stereo pair or the like.
    public static let multiChannelGroup = Capabilities(rawValue: 128)
    /// Part of a stereo pair or the like.
    public static let multiChannelMember = Capabilities(rawValue: 256)
}

/// News about which devices exist.
public enum RosterChange: Sendable, Equatable {
    /// A device announced itself, or announced something new.
    case seen(DeviceAdvertisement)
    /// mDNS says that it is gone. A healthy link knows better (PROTOCOL 1.5).
    case withdrawn(DeviceID)
}
