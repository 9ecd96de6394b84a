import CastModel
import CastWire
import IO
import Recording
import TLS
import Telemetry

/// What all devices and phones of one fleet share on its loop.
final class FleetSurroundings {
    let loop: EventLoop
    let log: Log
    let parser = JSONParser()
    let scratch = FramedLink.Scratch()
    let truth: TruthFile?
    let contents: ContentReader?
    private let beganAtNanoseconds: Int64

    init(loop: EventLoop, log: Log, truth: TruthFile?, fetchesMedia: Bool) {
        self.loop = loop
        self.log = log
        self.truth = truth
        contents = fetchesMedia ? ContentReader(loop: loop, log: log) : nil
        beganAtNanoseconds = loop.nowNanoseconds
    }

    /// Time since the fleet began.
    var now: Duration { .nanoseconds(loop.nowNanoseconds - beganAtNanoseconds) }

    /// A message's payload as JSON; nil when it is binary or none.
    func payload(of message: CastMessage) -> JSONValue? {
        message.textBytes.flatMap { try? parser.parse($0) }
    }
}

/// One device of the fleet: performs what its ``ReceiverMachine`` decides.
///
/// Belongs to the loop's thread.
final class SimulatedDevice: GroupPart {
    /// TLS links that one device takes at a time; more are closed at once and logged.
    static let linksLimit = 512

    private struct Peer {
        let link: FramedLink
        /// As its last CONNECT said; empty before.
        var userAgent = ""
    }

    let profile: DeviceProfile
    private let surroundings: FleetSurroundings
    private let context: TLSContext
    private let listener: Int32
    private var machine: ReceiverMachine
    private var peers: [ReceiverMachine.LinkNumber: Peer] = [:]
    private var timers: [ReceiverMachine.Timer: EventLoop.TimerToken] = [:]
    private var watch: EventLoop.Watch?
    private var lastLinkNumber = 0
    private var advertisedText = ""
    private let seed: FleetSeed
    private let certificateDER: [UInt8]
    private var boots: UInt64 = 0
    private var isOn = true
    private var act = OpenAct()
    /// Told when the TXT record should say something else.
    var onAdvertisedText: ((String) -> Void)?
    var onGroupNews: ((GroupNews) -> Void)?

    init(
        _ profile: DeviceProfile, seed: FleetSeed, certificateDER: [UInt8], context: TLSContext, listener: Int32,
        _ surroundings: FleetSurroundings
    ) throws(IOError) {
        self.profile = profile
        self.seed = seed
        self.certificateDER = certificateDER
        machine = ReceiverMachine(profile: profile, seed: seed, certificateDER: certificateDER)
        self.context = context
        self.listener = listener
        self.surroundings = surroundings
        watch = try surroundings.loop.watch(listener, for: .readable) { [unowned self] _ in accept() }
    }

    /// Closes the listener and every link; nothing happens on this device any more.
    ///
    /// Safe to repeat.
    func stop() {
        guard let open = watch else { return }
        surroundings.loop.unwatch(open)
        watch = nil
        Socket.close(listener)
        for peer in peers.values { peer.link.close(sayingGoodbye: true) }
        peers = [:]
        for token in timers.values { surroundings.loop.cancel(token) }
        timers = [:]
    }

    /// Something happens in the device's room.
    func happen(_ roomEvent: ReceiverMachine.RoomEvent) {
        guard isOn else { return }
        note("happened", ["event": .string(roomEvent.name)])
        handle(.happened(roomEvent))
    }

    /// An act begins or ends here.
    func take(_ mark: ActMark) {
        let now = WallTime(microseconds: Clock.wallMicroseconds())
        guard let label = act.take(mark, device: profile.deviceID, at: now) else { return }
        note("label", label.facts)
    }

    /// The device loses its power, or has it again: then it has forgotten everything.
    ///
    /// Without power it closes whatever link it is asked for.
    func power(_ on: Bool) {
        guard on != isOn, watch != nil else { return }
        isOn = on
        note("power", ["is_on": .bool(on)])
        guard on else {
            onGroupNews?(.left(uuid: profile.uuid))
            for peer in peers.values { peer.link.close(sayingGoodbye: false) }
            peers = [:]
            for token in timers.values { surroundings.loop.cancel(token) }
            timers = [:]
            return
        }
        boots += 1
        machine = ReceiverMachine(
            profile: profile, seed: FleetSeed(seed.number &+ boots), certificateDER: certificateDER)
        advertisedText = ""
        onAdvertisedText?("")
        onGroupNews?(.member(machine.ownRecord))
    }

    var groupRecord: GroupMember { machine.ownRecord }

    func hear(_ news: GroupNews) { if isOn { handle(.heard(news)) } }

    // MARK: Links

    private func accept() {
        while let fd = Socket.accept(listener) {
            guard isOn else {
                Socket.close(fd)
                continue
            }
            guard peers.count < Self.linksLimit else {
                Socket.close(fd)
                surroundings.log(
                    .warning, "simulated device has too many links",
                    [.deviceName: profile.name, .limit: String(Self.linksLimit)])
                continue
            }
            lastLinkNumber += 1
            open(fd, as: lastLinkNumber)
        }
    }

    private func open(_ fd: Int32, as number: ReceiverMachine.LinkNumber) {
        do {
            let tls = try context.connection(over: fd, as: .server)
            let link = try FramedLink(fd, tls, on: surroundings.loop, surroundings.scratch) { [unowned self] news in
                hear(news, from: number)
            }
            peers[number] = Peer(link: link)
        } catch {
            Socket.close(fd)
            surroundings.log(
                .warning, "simulated device cannot take a link", [.deviceName: profile.name, .error: "\(error)"])
        }
    }

    private func hear(_ news: FramedLink.News, from number: ReceiverMachine.LinkNumber) {
        switch news {
        case .up:
            note("link_opened", ["link": .count(number)])
            handle(.linkOpened(number))
        case .received(let message):
            let payload = surroundings.payload(of: message)
            if message.namespace == .connection, let userAgent = payload?["userAgent"]?.string {
                peers[number]?.userAgent = userAgent
            }
            noteFrame("frame_received", message, payload, number)
            handle(.received(number, message, payload: payload))
        case .ended(let reason):
            peers[number] = nil
            note("link_closed", ["link": .count(number), "reason": .string(reason)])
            handle(.linkClosed(number))
        }
    }

    // MARK: Effects

    private func handle(_ event: ReceiverMachine.Event) {
        for effect in machine.handle(event, at: surroundings.now) { perform(effect) }
        guard machine.runningAppText != advertisedText else { return }
        advertisedText = machine.runningAppText
        onAdvertisedText?(advertisedText)
    }

    private func perform(_ effect: ReceiverMachine.Effect) {
        switch effect {
        case .send(let message, let number):
            guard let peer = peers[number] else { return }
            noteFrame("frame_sent", message, nil, number)
            if !peer.link.send(message) { note("frame_too_long", ["link": .count(number)]) }
        case .closeLink(let number, let reason):
            peers.removeValue(forKey: number)?.link.close(sayingGoodbye: true)
            note("link_closed", ["link": .count(number), "reason": .string(reason)])
        case .arm(let timer, let delay):
            disarm(timer)
            timers[timer] = surroundings.loop.schedule(after: delay) { [unowned self] in
                timers[timer] = nil
                handle(.fired(timer))
            }
        case .disarm(let timer): disarm(timer)
        case .fetch(let url): surroundings.contents?.fetch(url)
        case .note(let what, let facts): note(what, facts)
        case .tell(let news): onGroupNews?(news)
        }
    }

    private func disarm(_ timer: ReceiverMachine.Timer) {
        if let token = timers.removeValue(forKey: timer) { surroundings.loop.cancel(token) }
    }

    // MARK: Truth

    private func note(_ what: String, _ facts: JSONValue) {
        surroundings.truth?.write(what, device: profile, facts)
    }

    private func noteFrame(
        _ what: String, _ message: CastMessage, _ payload: JSONValue?, _ number: ReceiverMachine.LinkNumber
    ) {
        guard let truth = surroundings.truth else { return }
        let facts = TruthFile.facts(
            of: message, payload: payload ?? surroundings.payload(of: message), link: number,
            userAgent: peers[number]?.userAgent ?? "")
        truth.write(what, device: profile, facts)
    }
}
