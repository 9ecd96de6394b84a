import CastModel

/// What each DNS-SD instance says, merged into one advertisement per device: a value that reads no clock.
///
/// One device shows up once per network interface and address family, and a group that has moved shows up under a
/// second name for a while. All of them are one device: its TXT id decides (PROTOCOL 1.6, 1.7).
struct InstanceTable {
    /// How many instances are kept; what comes beyond is counted.
    static let instanceLimit = 20_000

    private struct Entry {
        var generation: Int
        var resolution: Resolution?
        var advertisement: DeviceAdvertisement?
        /// When its address or port last changed, on a count of changes.
        var placedAt = 0
        /// When its text last changed, on the same count.
        var saidAt = 0
    }

    private var entries: [ServiceInstance: Entry] = [:]
    private var members: [DeviceID: Set<ServiceInstance>] = [:]
    private var told: [DeviceID: DeviceAdvertisement] = [:]
    private var changeCount = 0
    private var generation = 0
    /// Why instances were not taken as devices, and how often.
    private(set) var refusals: [AdvertisementRefusal: Int] = [:]
    /// Instances beyond the limit.
    private(set) var overLimitCount = 0

    /// Instances known, resolved or not.
    var instanceCount: Int { entries.count }
    /// Devices announced now.
    var deviceCount: Int { told.count }

    /// The instances that announce a device.
    func instances(of device: DeviceID) -> Set<ServiceInstance> { members[device] ?? [] }

    /// The other instances of the same device and the same name.
    func siblings(of instance: ServiceInstance) -> [ServiceInstance] {
        guard let device = entries[instance]?.advertisement?.deviceID else { return [] }
        return instances(of: device).filter { $0 != instance && $0.name == instance.name }
    }

    /// Whether an instance is announced.
    func contains(_ instance: ServiceInstance) -> Bool { entries[instance] != nil }

    /// An instance is announced; false when there is no room for it.
    mutating func appeared(_ instance: ServiceInstance) -> Bool {
        guard entries[instance] != nil || entries.count < Self.instanceLimit else {
            overLimitCount += 1
            return false
        }
        entries[instance, default: Entry(generation: generation)].generation = generation
        return true
    }

    /// An instance has told its address and text.
    mutating func resolved(_ instance: ServiceInstance, _ resolution: Resolution) -> [RosterChange] {
        guard var entry = entries[instance], entry.resolution != resolution else { return [] }
        changeCount += 1
        let old = entry.resolution
        if old?.address != resolution.address || old?.port != resolution.port { entry.placedAt = changeCount }
        if old?.txt != resolution.txt { entry.saidAt = changeCount }
        entry.resolution = resolution
        let oldDevice = entry.advertisement?.deviceID
        do {
            entry.advertisement = try DeviceAdvertisement(
                instance: instance.name, port: resolution.port, addresses: [resolution.address], txt: resolution.txt,
                source: .mdns)
        } catch {
            entry.advertisement = nil
            refusals[error, default: 0] += 1
        }
        entries[instance] = entry
        var changes: [RosterChange] = []
        if let oldDevice, oldDevice != entry.advertisement?.deviceID { changes += remove(instance, from: oldDevice) }
        if let device = entry.advertisement?.deviceID {
            members[device, default: []].insert(instance)
            changes += tell(device)
        }
        return changes
    }

    /// An instance has announced another text; nothing when it has not been resolved yet.
    mutating func said(_ instance: ServiceInstance, _ txt: [[UInt8]]) -> [RosterChange] {
        guard var resolution = entries[instance]?.resolution else { return [] }
        resolution.txt = txt
        return resolved(instance, resolution)
    }

    /// An instance has said goodbye or has expired.
    mutating func disappeared(_ instance: ServiceInstance) -> [RosterChange] {
        guard let entry = entries.removeValue(forKey: instance), let device = entry.advertisement?.deviceID
        else { return [] }
        return remove(instance, from: device)
    }

    /// The daemon is gone: what it told stays believed until ``forgetUnconfirmed()``.
    ///
    /// A daemon that restarts says nothing about the devices.
    mutating func daemonLost() { generation += 1 }

    /// Drops the instances that have not appeared again since the daemon was lost.
    mutating func forgetUnconfirmed() -> (gone: [ServiceInstance], changes: [RosterChange]) {
        let gone = entries.filter { $0.value.generation != generation }.map(\.key)
            .sorted { ($0.name, $0.interface) < ($1.name, $1.interface) }
        return (gone, gone.flatMap { disappeared($0) })
    }

    private mutating func remove(_ instance: ServiceInstance, from device: DeviceID) -> [RosterChange] {
        members[device]?.remove(instance)
        guard members[device]?.isEmpty == true else { return tell(device) }
        members[device] = nil
        return told.removeValue(forKey: device) == nil ? [] : [.withdrawn(device)]
    }

    private mutating func tell(_ device: DeviceID) -> [RosterChange] {
        guard let merged = merged(device), told[device] != merged else { return [] }
        told[device] = merged
        return [.seen(merged)]
    }

    /// One advertisement out of all instances of a device.
    ///
    /// The text that changed last counts. The place that changed last gives the port, and its address comes first within
    /// its family: when a group moves, its old place may be announced for a while.
    private func merged(_ device: DeviceID) -> DeviceAdvertisement? {
        let known = (members[device] ?? []).compactMap { entries[$0] }
        let byPlace = known.sorted { $0.placedAt > $1.placedAt }
        guard var merged = known.max(by: { $0.saidAt < $1.saidAt })?.advertisement,
            let port = byPlace.first?.advertisement?.port
        else { return nil }
        merged.port = port
        var addresses: [String] = []
        for entry in byPlace where entry.advertisement?.port == port {
            guard let address = entry.resolution?.address, !addresses.contains(address) else { continue }
            addresses.append(address)
        }
        merged.addresses = addresses.filter { !$0.contains(":") } + addresses.filter { $0.contains(":") }
        return merged
    }
}
