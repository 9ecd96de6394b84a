import CastModel
import CastWire
import Recording

/// One device of a virtual fleet: performs what its ``ReceiverMachine`` decides, as ``SimulatedDevice`` does with sockets.
final class VirtualDevice: GroupPart {
    let profile: DeviceProfile
    private unowned let world: VirtualWorld
    private var machine: ReceiverMachine
    private var peers: [ReceiverMachine.LinkNumber: VirtualLink] = [:]
    private var userAgents: [ReceiverMachine.LinkNumber: String] = [:]
    private var timers: [ReceiverMachine.Timer: Agenda.Token] = [:]
    private var random: RandomSource
    private var lastLinkNumber = 0
    private var boots: UInt64 = 0
    private var advertisedText = ""
    private var act = OpenAct()
    /// Whether it has power.
    private(set) var isOn = true
    /// Told when what it advertises has changed, or that it is gone.
    var onAdvertised: ((_ isThere: Bool) -> Void)?
    var onGroupNews: ((GroupNews) -> Void)?

    init(_ profile: DeviceProfile, _ world: VirtualWorld) {
        self.profile = profile
        self.world = world
        machine = ReceiverMachine(profile: profile, seed: world.options.seed)
        random = world.options.seed.source("links", profile.index)
    }

    /// What mDNS says of it now.
    var advertisement: DeviceAdvertisement {
        let number = profile.index
        return DeviceAdvertisement(
            deviceID: profile.deviceID, name: profile.name, model: profile.model,
            addresses: ["10.\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)"],
            port: profile.kind == .group ? 32_187 : 8009, capabilities: profile.capabilities,
            txt: profile.txt(runningAppText: machine.runningAppText), source: .mdns)
    }

    // MARK: Links

    /// Takes a link; nil when there is nobody to take it.
    func connect(toSender: @escaping (FramedLink.News) -> Void) -> VirtualLink? {
        guard isOn, peers.count < SimulatedDevice.linksLimit else { return nil }
        lastLinkNumber += 1
        let number = lastLinkNumber
        let chance = RandomSource(seed: random.next())
        let link = VirtualLink(world, chance, toSender: toSender) { [unowned self] news in hear(news, from: number) }
        peers[number] = link
        return link
    }

    private func hear(_ news: FramedLink.News, from number: ReceiverMachine.LinkNumber) {
        switch news {
        case .up: handle(.linkOpened(number))
        case .received(let message):
            let payload = world.payload(of: message)
            if message.namespace == .connection, let userAgent = payload?["userAgent"]?.string {
                userAgents[number] = userAgent
            }
            noteFrame("frame_received", message, number)
            handle(.received(number, message, payload: payload))
        case .ended:
            peers[number] = nil
            userAgents[number] = nil
            handle(.linkClosed(number))
        }
    }

    // MARK: The room

    /// Something happens in the device's room.
    func happen(_ roomEvent: ReceiverMachine.RoomEvent) {
        guard isOn else { return }
        world.onTruth?("happened", profile, ["event": .string(roomEvent.name)], world.wall)
        handle(.happened(roomEvent))
    }

    /// An act begins or ends here.
    func take(_ mark: ActMark) {
        guard let label = act.take(mark, device: profile.deviceID, at: world.wall) else { return }
        world.tell(label)
    }

    /// The device loses its power, or has it again.
    func power(_ on: Bool) {
        guard on != isOn else { return }
        isOn = on
        world.onTruth?("power", profile, ["is_on": .bool(on)], world.wall)
        guard on else { return losePower() }
        boots += 1
        machine = ReceiverMachine(profile: profile, seed: FleetSeed(world.options.seed.number &+ boots))
        // mDNS tells of it once it has started.
        world.schedule(after: .seconds(20)) { [unowned self] in if isOn { onAdvertised?(true) } }
        onGroupNews?(.member(machine.ownRecord))
    }

    private func losePower() {
        onGroupNews?(.left(uuid: profile.uuid))
        for (number, link) in peers.sorted(by: { $0.key < $1.key }) {
            if !world.options.heartbeats { signOfLife(number, link) }
            link.lose(.device)
        }
        peers = [:]
        userAgents = [:]
        for token in timers.values { world.cancel(token) }
        timers = [:]
        advertisedText = ""
        let boot = boots
        // What nobody renews is forgotten (PROTOCOL 1.5).
        world.schedule(after: .seconds(4500)) { [unowned self] in if !isOn, boots == boot { onAdvertised?(false) } }
    }

    /// What there would have been within the last seconds.
    private func signOfLife(_ number: ReceiverMachine.LinkNumber, _ link: VirtualLink) {
        guard userAgents[number]?.hasPrefix(VirtualSender.userAgentPrefix) == true else { return }
        link.send(
            CastMessage(from: ReceiverMachine.platform, to: "sender-0", .heartbeat, text: "{\"type\":\"PING\"}"),
            from: .device)
    }

    // MARK: Its group

    var groupRecord: GroupMember { machine.ownRecord }

    func hear(_ news: GroupNews) { if isOn { handle(.heard(news)) } }

    // MARK: Effects

    private func handle(_ event: ReceiverMachine.Event) {
        for effect in machine.handle(event, at: world.now) { perform(effect) }
        guard machine.runningAppText != advertisedText else { return }
        advertisedText = machine.runningAppText
        onAdvertised?(true)
    }

    private func perform(_ effect: ReceiverMachine.Effect) {
        switch effect {
        case .send(let message, let number):
            guard let link = peers[number] else { return }
            noteFrame("frame_sent", message, number)
            link.send(message, from: .device)
        case .closeLink(let number, _): peers.removeValue(forKey: number)?.close(by: .device)
        case .arm(.heartbeat, _) where !world.options.heartbeats: return
        case .arm(let timer, let delay):
            disarm(timer)
            timers[timer] = world.schedule(after: delay) { [unowned self] in
                timers[timer] = nil
                handle(.fired(timer))
            }
        case .disarm(let timer): disarm(timer)
        case .fetch: return
        case .note(let what, let facts): world.onTruth?(what, profile, facts, world.wall)
        case .tell(let news): onGroupNews?(news)
        }
    }

    private func disarm(_ timer: ReceiverMachine.Timer) {
        if let token = timers.removeValue(forKey: timer) { world.cancel(token) }
    }

    private func noteFrame(_ what: String, _ message: CastMessage, _ number: ReceiverMachine.LinkNumber) {
        guard let onTruth = world.onTruth else { return }
        let facts = TruthFile.facts(
            of: message, payload: world.payload(of: message), link: number, userAgent: userAgents[number] ?? "")
        onTruth(what, profile, facts, world.wall)
    }
}
