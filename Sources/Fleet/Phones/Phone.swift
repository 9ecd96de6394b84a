import CastModel
import CastWire
import IO
import TLS
import Telemetry

/// A phone with its own TLS link to one device of the fleet: performs what its ``PhoneMachine`` decides.
///
/// Belongs to the loop's thread.
final class Phone {
    private static let pingInterval: Duration = .seconds(5)

    private let number: Int
    private let device: SimulatedDevice
    private let address: SocketAddress
    private let context: TLSContext
    private let surroundings: FleetSurroundings
    private var machine: PhoneMachine
    private var link: FramedLink?
    private var heartbeat: EventLoop.TimerToken?

    init(
        _ machine: PhoneMachine, number: Int, of device: SimulatedDevice, at address: SocketAddress,
        context: TLSContext, _ surroundings: FleetSurroundings
    ) {
        self.machine = machine
        self.number = number
        self.device = device
        self.address = address
        self.context = context
        self.surroundings = surroundings
    }

    /// Does what its owner wants, as soon as the device lets it.
    func perform(_ action: PhoneMachine.Action) { handle(.wants(action)) }

    func stop() { close(sayingGoodbye: false) }

    private func handle(_ event: PhoneMachine.Event) {
        for effect in machine.handle(event) { perform(effect) }
    }

    private func perform(_ effect: PhoneMachine.Effect) {
        switch effect {
        case .openLink: open()
        case .send(let message, let command):
            if let command { note(command, message) }
            _ = link?.send(message)
        case .closeLink(let sayingGoodbye): close(sayingGoodbye: sayingGoodbye)
        }
    }

    private func open() {
        do {
            let fd = try Socket.connect(to: address)
            do {
                let tls = try context.connection(over: fd, as: .client)
                link = try FramedLink(
                    fd, tls, connectingTo: address, on: surroundings.loop, surroundings.scratch
                ) { [unowned self] news in hear(news) }
            } catch {
                Socket.close(fd)
                throw error
            }
        } catch {
            surroundings.log(.warning, "simulated phone cannot connect", [.error: "\(error)"])
            handle(.linkDown)
        }
    }

    private func hear(_ news: FramedLink.News) {
        switch news {
        case .up:
            beat()
            handle(.linkUp)
        case .received(let message): handle(.received(message, payload: surroundings.payload(of: message)))
        case .ended:
            close(sayingGoodbye: false)
            handle(.linkDown)
        }
    }

    private func beat() {
        heartbeat = surroundings.loop.schedule(after: Self.pingInterval) { [unowned self] in
            handle(.heartbeat)
            beat()
        }
    }

    private func close(sayingGoodbye: Bool) {
        if let heartbeat { surroundings.loop.cancel(heartbeat) }
        heartbeat = nil
        link?.close(sayingGoodbye: sayingGoodbye)
        link = nil
    }

    private func note(_ command: String, _ message: CastMessage) {
        guard let truth = surroundings.truth else { return }
        let payload = surroundings.payload(of: message)
        let facts: JSONValue = [
            "who": .string("phone \(number)"), "sender_id": .string(machine.senderID), "type": .string(command),
            "namespace": .string(message.namespace.urn), "request_id": payload?["requestId"] ?? nil,
            "payload": payload ?? nil,
        ]
        truth.write("command", device: device.profile, facts)
    }
}
