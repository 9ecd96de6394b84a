import CastModel
import CastWire

/// A phone of a virtual fleet: performs what its ``PhoneMachine`` decides, as ``Phone`` does with sockets.
final class VirtualPhone {
    private static let pingInterval: Duration = .seconds(5)
    /// How long an attempt to reach somebody without power takes.
    private static let attemptLimit: Duration = .seconds(3)

    private let number: Int
    private unowned let world: VirtualWorld
    private unowned let device: VirtualDevice
    private var machine: PhoneMachine
    private var link: VirtualLink?
    private var heartbeat: Agenda.Token?
    /// Which of its links, so that news of an older one are none.
    private var linkCount = 0

    init(_ machine: PhoneMachine, number: Int, of device: VirtualDevice, _ world: VirtualWorld) {
        self.machine = machine
        self.number = number
        self.device = device
        self.world = world
    }

    /// Does what its owner wants, as soon as the device lets it.
    func perform(_ action: PhoneMachine.Action) { handle(.wants(action)) }

    private func handle(_ event: PhoneMachine.Event) {
        for effect in machine.handle(event) { perform(effect) }
    }

    private func perform(_ effect: PhoneMachine.Effect) {
        switch effect {
        case .openLink: open()
        case .send(let message, let command):
            if let command { note(command, message) }
            link?.send(message, from: .sender)
        case .closeLink: close()
        }
    }

    private func open() {
        linkCount += 1
        let count = linkCount
        link = device.connect { [unowned self] news in hear(news) }
        guard link == nil else { return }
        world.schedule(after: Self.attemptLimit) { [unowned self] in if count == linkCount { handle(.linkDown) } }
    }

    private func hear(_ news: FramedLink.News) {
        switch news {
        case .up:
            beat()
            handle(.linkUp)
        case .received(let message): handle(.received(message, payload: world.payload(of: message)))
        case .ended:
            close()
            handle(.linkDown)
        }
    }

    private func beat() {
        guard world.options.heartbeats else { return }
        heartbeat = world.schedule(after: Self.pingInterval) { [unowned self] in
            handle(.heartbeat)
            beat()
        }
    }

    private func close() {
        linkCount += 1
        if let heartbeat { world.cancel(heartbeat) }
        heartbeat = nil
        link?.close(by: .sender)
        link = nil
    }

    private func note(_ command: String, _ message: CastMessage) {
        guard let onTruth = world.onTruth else { return }
        let payload = world.payload(of: message)
        onTruth(
            "command", device.profile,
            [
                "who": .string("phone \(number)"), "sender_id": .string(machine.senderID), "type": .string(command),
                "namespace": .string(message.namespace.urn), "request_id": payload?["requestId"] ?? nil,
                "payload": payload ?? nil,
            ], world.wall)
    }
}
