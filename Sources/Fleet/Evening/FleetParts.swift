import CastModel
import IO
import Recording
import TLS
import Telemetry

/// What a fleet is made of: devices, the phones at each, what happens at each, and where each can be reached.
struct FleetParts {
    /// Keys are shared: making one per device would take a thousand devices a second for nothing.
    private static let identitiesLimit = 4

    private(set) var surroundings: FleetSurroundings
    private(set) var devices: [SimulatedDevice] = []
    private(set) var phones: [[Phone]] = []
    private(set) var scripts: [DeviceScript] = []
    private(set) var endpoints: [FleetEndpoint] = []

    /// Makes and binds everything; nothing happens yet.
    static func make(_ options: FleetOptions, _ log: Log) throws(FleetError) -> FleetParts {
        var profiles = (0..<min(max(0, options.devices), FleetOptions.deviceLimit)).map {
            DeviceProfile(index: $0, seed: options.seed)
        }
        let groups = FleetGroups(of: profiles, count: options.groups)
        let addresses = try FleetAddresses.plan(options, groups: groups.members.count)
        profiles += groups.members.indices.map { DeviceProfile.group($0, after: options.devices, seed: options.seed) }
        do {
            let loop = try EventLoop()
            let truth: TruthFile? = if let path = options.truthPath { try TruthFile(path) } else { nil }
            var parts = FleetParts(
                surroundings: FleetSurroundings(
                    loop: loop, log: log, truth: truth, fetchesMedia: options.fetchesMedia))
            let identities = try (0..<min(identitiesLimit, options.devices)).map { number in
                try TLSIdentity.selfSigned(commonName: "simulated device \(number)")
            }
            let deviceSides = try identities.map {
                (try TLSContext.forSimulatedDevice(identity: $0), $0.certificateDER)
            }
            let phoneContext = try TLSContext.forDeviceLinks()
            for (profile, address) in zip(profiles, addresses) {
                let identity = deviceSides[profile.index % deviceSides.count]
                try parts.add(profile, at: address, options, identity, phoneContext)
            }
            groups.connect(parts.devices)
            return parts
        } catch let error as IOError { throw .io(error) } catch let error as TLSError { throw .tls(error) } catch {
            preconditionFailure("only IO and TLS throw here, not \(error)")
        }
    }

    private init(surroundings: FleetSurroundings) { self.surroundings = surroundings }

    private mutating func add(
        _ made: DeviceProfile, at address: SocketAddress, _ options: FleetOptions,
        _ identity: (context: TLSContext, certificateDER: [UInt8]), _ phoneContext: TLSContext
    ) throws(IOError) {
        var profile = made
        options.adjustsProfile?(&profile)
        let listener = try Socket.listen(on: address, backlog: 64)
        let port = Socket.localPort(listener)
        let device = try SimulatedDevice(
            profile, seed: options.seed, certificateDER: identity.certificateDER, context: identity.context,
            listener: listener, surroundings)
        let script = DeviceScript(
            options.scenario, for: profile, seed: options.seed,
            begins: WallTime(microseconds: Clock.wallMicroseconds()))
        let host = address.host == FleetAddresses.everywhere ? "127.0.0.1" : address.host
        let reachable = SocketAddress(host: host, port: port) ?? address
        devices.append(device)
        scripts.append(script)
        phones.append(
            (0..<script.phones).map { number in
                Phone(
                    PhoneMachine(deviceIndex: profile.index, number: number, seed: options.seed), number: number,
                    of: device, at: reachable, context: phoneContext, surroundings)
            })
        endpoints.append(FleetEndpoint(name: profile.name, deviceID: profile.deviceID.text, host: host, port: port))
    }
}

/// A device that may be part of a group, or a group: whoever performs what its machine decides.
protocol GroupPart: AnyObject {
    /// How its group knows it.
    var groupRecord: GroupMember { get }
    /// Carries what concerns its group to the other devices of it.
    var onGroupNews: ((GroupNews) -> Void)? { get set }
    /// Another device of its group has something to tell.
    func hear(_ news: GroupNews)
}

/// Which devices form which group.
struct FleetGroups {
    private static let membersLimit = 6

    /// Of each group: its members' numbers, its leader's first.
    let members: [[Int]]
    private let devices: Int

    /// Up to `count` groups of what makes sound and is no television, six members each.
    init(of profiles: [DeviceProfile], count: Int) {
        devices = profiles.count
        let eligible = profiles.indices.filter { profiles[$0].kind == .speaker || profiles[$0].kind == .display }
        let groups = stride(from: 0, to: eligible.count, by: Self.membersLimit).map { first in
            Array(eligible[first..<min(eligible.count, first + Self.membersLimit)])
        }
        members = Array(groups.prefix(max(0, count)))
    }

    /// Lets the devices of each group hear of each other.
    ///
    /// - Parameter all: The devices, then the groups.
    func connect(_ all: [some GroupPart]) {
        for (number, indices) in members.enumerated() {
            let group = all[devices + number]
            let members = indices.map { all[$0] }
            for member in members {
                member.onGroupNews = { [unowned group] news in group.hear(news) }
                group.hear(.member(member.groupRecord))
            }
            group.onGroupNews = { news in
                for (position, member) in members.enumerated() {
                    switch news {
                    case .plays(let sessionID) where position == 0:
                        member.hear(.playsUnderYourLead(sessionID: sessionID))
                    default: member.hear(news)
                    }
                }
            }
        }
    }
}
