public import CastModel
public import IO
public import Telemetry

/// The devices that a person gave with `--device`, looked up by name again every minute, on a thread of its own.
///
/// They carry ``CastModel/DeviceID/unidentified(host:port:)`` until a link has told who they are.
public final class StaticDevices: Sendable {
    /// How long an address is believed.
    public static let lookupInterval = Duration.seconds(60)

    private enum Wish: Sendable {
        case lookUp
        /// What was told is told again.
        case tellAgain
    }

    private struct Typed {
        var devices: [DeviceAddress]
        /// Those that were typed at some time since the last look, and were not at another.
        var dropped: Set<DeviceAddress> = []
    }

    private let typed: Guarded<Typed>
    private let log: Log
    private let onChange: @Sendable (RosterChange) -> Void
    private let wishes: Mailbox<Wish>
    private let thread = Guarded<OwnedThread?>(nil)
    private let lookUp: @Sendable (String) throws -> [String]

    /// Devices that are not looked up yet.
    ///
    /// - Parameter onChange: Called on the thread of this object; must not wait, nor call it.
    public convenience init(
        _ devices: [DeviceAddress], log: Log, onChange: @escaping @Sendable (RosterChange) -> Void
    ) throws(IOError) {
        try self.init(devices, log: log, lookUp: { try HostNames.addresses(of: $0) }, onChange: onChange)
    }

    init(
        _ devices: [DeviceAddress], log: Log, lookUp: @escaping @Sendable (String) throws -> [String],
        onChange: @escaping @Sendable (RosterChange) -> Void
    ) throws(IOError) {
        typed = Guarded(Typed(devices: Self.unique(devices)))
        self.log = log
        self.lookUp = lookUp
        self.onChange = onChange
        wishes = try Mailbox(limit: 16)
    }

    private static func unique(_ devices: [DeviceAddress]) -> [DeviceAddress] {
        var seen: Set<DeviceAddress> = []
        return devices.filter { seen.insert($0).inserted }
    }

    /// Other devices are typed from now on; of those that were typed before nothing is told.
    ///
    /// - Parameters:
    ///   - tellingAgain: Whether those are told of again, too.
    ///   - forget: Called when nothing more is told of devices that are not typed any more, and before all of the others
    ///     is told that has to be.
    public func change(to devices: [DeviceAddress], tellingAgain: Bool = false, forget: () -> Void = {}) {
        let wanted = Self.unique(devices)
        typed.withLock { typed in
            typed.dropped.formUnion(Set(typed.devices).subtracting(wanted))
            typed.devices = wanted
        }
        forget()
        _ = wishes.post([tellingAgain ? .tellAgain : .lookUp])
        start()
    }

    /// Starts the thread `static-devices`.
    ///
    /// Starting twice is nothing, and so is starting without devices.
    public func start() {
        thread.withLock { thread in
            guard thread == nil, typed.withLock({ !$0.devices.isEmpty }) else { return }
            thread = OwnedThread("static-devices") { self.run() }
        }
    }

    /// Ends the thread for good; waits for the lookup under way, which the system's resolver may draw out for seconds.
    public func stop() { _ = stop(within: .seconds(3600)) }

    /// The same, but waits no longer than this; false when the thread was left behind in a lookup.
    public func stop(within limit: Duration) -> Bool {
        wishes.close()
        return thread.withLock { thread in
            defer { thread = nil }
            return thread?.join(within: limit) ?? true
        }
    }

    /// Looks all names up again now.
    public func refresh() { _ = wishes.post([.lookUp]) }

    private func run() {
        var told: [DeviceAddress: [String]] = [:]
        var wishes: [Wish]? = []
        while let wanted = wishes {
            let (devices, dropped) = typed.withLock { typed in
                defer { typed.dropped = [] }
                return (typed.devices, typed.dropped)
            }
            told = wanted.contains(.tellAgain) ? [:] : told.filter { !dropped.contains($0.key) }
            for device in devices {
                guard let addresses = addresses(of: device, known: told[device]) else { continue }
                let isTyped = typed.withLock { typed in
                    // A lookup may take long, and the device be gone meanwhile: then it is not to come back by this.
                    guard typed.devices.contains(device) else { return false }
                    onChange(.seen(Self.advertisement(of: device, addresses: addresses)))
                    return true
                }
                if isTyped { told[device] = addresses }
            }
            wishes = self.wishes.take(timeout: Self.lookupInterval)
        }
    }

    /// What to tell about a device; nil when that is nothing new.
    ///
    /// A device whose name cannot be looked up is told without an address at first, and keeps its addresses later.
    private func addresses(of device: DeviceAddress, known: [String]?) -> [String]? {
        do {
            let addresses = try lookUp(device.host)
            guard Set(addresses) != Set(known ?? []) || known == nil else { return nil }
            if known == [] { log(.notice, "host name found", [.address: device.description]) }
            return addresses
        } catch {
            guard known == nil else { return nil }
            log(
                .warning, "host name not found; it is looked up again every minute",
                [.address: device.description, .reason: "\(error)"])
            return []
        }
    }

    private static func advertisement(of device: DeviceAddress, addresses: [String]) -> DeviceAdvertisement {
        DeviceAdvertisement(
            deviceID: .unidentified(host: device.host, port: device.port), name: nil, model: nil, addresses: addresses,
            port: device.port, capabilities: nil, txt: [], source: .static)
    }
}
