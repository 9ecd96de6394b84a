import CastModel
import CastWire
import Recording
import SenderCore

/// Our own sender for one virtual device: performs what the recorder's ``SenderMachine`` decides, and writes down every
/// frame, as the recorder's shell does with sockets.
final class VirtualSender {
    static let userAgentPrefix = "CastLedger/"
    /// How long an attempt to reach somebody without power takes.
    private static let attemptLimit: Duration = .seconds(3)

    private unowned let world: VirtualWorld
    private unowned let recorder: VirtualRecorder
    private unowned let device: VirtualDevice
    private var machine: SenderMachine
    private var timers: [SenderMachine.Timer: Agenda.Token] = [:]
    private var link: VirtualLink?
    private var linkNumber: LinkNumber?
    private var attempt: Agenda.Token?
    /// Since when there is no link.
    private var absentSince: WallTime
    private var isToldUnreachable = false
    private var missed: (from: WallTime, reason: Gap.Reason)?

    init(of device: VirtualDevice, seed: UInt64, _ recorder: VirtualRecorder, _ world: VirtualWorld) {
        self.device = device
        self.recorder = recorder
        self.world = world
        absentSince = world.wall
        machine = SenderMachine(
            policy: SenderMachine.Policy(userAgent: Self.userAgentPrefix + world.options.version), seed: seed)
    }

    func start() { handle(.start) }

    /// The recorder ends in good order.
    func stop() { handle(.stop(.recorderStopping)) }

    /// The recorder is killed: nothing is said, and the device sees the link end.
    func kill() {
        for token in timers.values { world.cancel(token) }
        timers = [:]
        if let attempt { world.cancel(attempt) }
        link?.close(by: .sender)
        link = nil
    }

    /// mDNS told of the device again.
    func rediscovered() { handle(.rediscovered(atNewAddress: false)) }

    private var deviceID: DeviceID { device.profile.deviceID }

    private func handle(_ event: SenderMachine.Event) {
        for effect in machine.handle(event, at: world.monotonic) { perform(effect) }
    }

    private func perform(_ effect: SenderMachine.Effect) {
        switch effect {
        case .openLink: open()
        case .closeLink(let reason):
            if let attempt { world.cancel(attempt) }
            link?.close(by: .sender)
            link = nil
            recordEnd(reason)
        case .send(let message): send(message)
        case .arm(.heartbeat, _) where !world.options.heartbeats: return
        case .arm(let timer, let delay):
            disarm(timer)
            timers[timer] = world.schedule(after: delay) { [unowned self] in
                timers[timer] = nil
                handle(.fired(timer))
            }
        case .disarm(let timer): disarm(timer)
        case .missed(let reason, let since):
            missed = (world.wall(at: since), reason)
            recordMissed(until: nil)
        case .missedNoMore:
            recordMissed(until: world.wall)
            missed = nil
        case .suspectVisible, .visibilityJudged, .joinRefused: return
        }
    }

    private func recordMissed(until: WallTime?) {
        guard let missed else { return }
        world.record(.gap(Gap(device: deviceID, from: missed.from, to: until, reason: missed.reason)))
    }

    private func disarm(_ timer: SenderMachine.Timer) {
        if let token = timers.removeValue(forKey: timer) { world.cancel(token) }
    }

    private func send(_ permitted: PermittedMessage) {
        guard let link, let linkNumber else { return }
        let message = permitted.message(as: machine.identity)
        link.send(message, from: .sender)
        record(message, .outbound, linkNumber)
    }

    private func record(_ message: CastMessage, _ direction: RecordedFrame.Direction, _ number: LinkNumber) {
        world.record(
            .frame(RecordedFrame(device: deviceID, link: number, direction: direction, message: message)))
    }

    // MARK: The link

    private func open() {
        link = device.connect { [unowned self] news in hear(news) }
        guard link == nil else { return }
        attempt = world.schedule(after: Self.attemptLimit) { [unowned self] in
            noteUnreachable()
            handle(.linkDown)
        }
    }

    private func noteUnreachable() {
        guard !isToldUnreachable else { return }
        isToldUnreachable = true
        world.record(.gap(Gap(device: deviceID, from: absentSince, to: nil, reason: .deviceUnreachable)))
    }

    private func hear(_ news: FramedLink.News) {
        switch news {
        case .up:
            let number = recorder.takeLinkNumber()
            linkNumber = number
            isToldUnreachable = false
            let said = device.advertisement
            world.record(
                .linkOpened(
                    LinkOpened(
                        device: deviceID, link: number, address: said.addresses.first ?? "", port: said.port,
                        tlsVersion: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", peerCertificate: [],
                        attachMode: machine.attachMode)))
            handle(.linkUp)
        case .received(let message):
            guard let linkNumber else { return }
            record(message, .inbound, linkNumber)
            handle(.received(HeardMessage(hearing: message, with: world.parser)))
        case .ended(let reason):
            link = nil
            recordEnd(reason == "silent" ? .silent : .closedByDevice)
            handle(.linkDown)
        }
    }

    private func recordEnd(_ reason: LinkCloseReason) {
        guard let number = linkNumber else { return }
        linkNumber = nil
        missed = nil
        absentSince = world.wall
        world.record(.linkClosed(LinkClosed(device: deviceID, link: number, reason: reason, detail: "")))
    }
}
