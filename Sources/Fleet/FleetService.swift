import CastModel
import Discovery
import IO
import TLS
public import Telemetry

/// A fleet of simulated devices and the phones that use them, on one loop of its own.
///
/// `@unchecked Sendable`: the loop's thread owns everything but `loop` (made for other threads), the constants, and what
/// a Guarded holds; other threads post to the loop.
public final class FleetService: @unchecked Sendable {
    /// Where each device can be reached, in the order of their numbers.
    public let endpoints: [FleetEndpoint]
    /// What each device is, in the same order.
    public let profiles: [DeviceProfile]
    private let loop: EventLoop
    private let options: FleetOptions
    private let log: Log
    private let surroundings: FleetSurroundings
    private let devices: [SimulatedDevice]
    private let phones: [[Phone]]
    private var scripts: [DeviceScript]
    private let running = Guarded<OwnedThread?>(nil)
    private let ended = Guarded(false)
    private let publisher = Guarded<ServicePublisher?>(nil)

    /// Makes the devices and listens for them; nothing happens before ``start()``.
    public init(options: FleetOptions, log: Log) throws(FleetError) {
        self.options = options
        self.log = log
        ThisProcess.ignoreBrokenPipes()
        _ = ThisProcess.raiseOpenFilesLimit()
        let made = try FleetParts.make(options, log)
        loop = made.surroundings.loop
        surroundings = made.surroundings
        devices = made.devices
        phones = made.phones
        scripts = made.scripts
        endpoints = made.endpoints
        profiles = made.devices.map(\.profile)
    }

    /// Begins: devices answer, phones play.
    public func start() {
        running.withLock { thread in
            guard thread == nil else { return }
            if options.advertises { advertise() }
            loop.post { [self] in begin() }
            thread = OwnedThread("fleet-loop") { [self] in
                loop.run()
                publisher.withLock { $0?.stop() }
                ended.withLock { $0 = true }
            }
        }
    }

    /// Announces every device, and each again when its TXT record says something else.
    ///
    /// The loop does not run yet, so the devices are still ours.
    private func advertise() {
        let made = ServicePublisher(log: log)
        publisher.withLock { $0 = made }
        let services = zip(profiles, endpoints).map { profile, endpoint in profile.service(port: endpoint.port) }
        made.publish(services)
        for (device, endpoint) in zip(devices, endpoints) {
            device.onAdvertisedText = { text in
                made.update(device.profile.service(port: endpoint.port, runningAppText: text))
            }
        }
    }

    /// Whether it has started and not ended.
    public var isRunning: Bool { running.withLock { $0 != nil } && !ended.withLock { $0 } }

    /// Ends everything, started or not, and waits for the end.
    ///
    /// Safe to repeat.
    public func stop() {
        guard let thread = running.withLock({ $0 }) else { return end() }
        loop.post { [self] in
            end()
            loop.stop()
        }
        thread.join()
    }

    /// Lets a phone do something, as soon as its device lets it.
    ///
    /// Does nothing when there is no such phone: the scenario decides how many there are.
    public func perform(_ action: PhoneMachine.Action, phone: Int = 0, device: Int) {
        loop.post { [self] in
            guard phones.indices.contains(device), phones[device].indices.contains(phone) else { return }
            phones[device][phone].perform(action)
        }
    }

    /// Lets something happen on a device.
    public func happen(_ roomEvent: ReceiverMachine.RoomEvent, device: Int) {
        loop.post { [self] in
            guard devices.indices.contains(device) else { return }
            devices[device].happen(roomEvent)
        }
    }

    // MARK: On the loop

    private func begin() {
        log(.info, "fleet is running", [.count: String(devices.count)])
        for index in devices.indices { scheduleNext(index) }
        guard let duration = options.duration else { return }
        loop.schedule(after: duration) { [unowned self] in
            end()
            loop.stop()
        }
    }

    private func scheduleNext(_ index: Int) {
        guard let step = scripts[index].next() else { return }
        let speed = min(max(0.01, options.speed), 1000)
        loop.schedule(after: step.delay / speed) { [unowned self] in
            perform(step.deed, on: index)
            scheduleNext(index)
        }
    }

    private func perform(_ deed: ScenarioStep.Deed, on index: Int) {
        switch deed {
        case .phone(let number, let action):
            if phones[index].indices.contains(number) { phones[index][number].perform(action) }
        case .room(let roomEvent): devices[index].happen(roomEvent)
        case .power(let isOn): devices[index].power(isOn)
        case .mark(let mark): devices[index].take(mark)
        case .nextDevice(let deed):
            if devices.indices.contains(index + 1), profiles[index + 1].kind != .group {
                perform(deed, on: index + 1)
            }
        }
    }

    private func end() {
        for phone in phones.joined() { phone.stop() }
        for device in devices { device.stop() }
        surroundings.contents?.stop()
        if let failure = surroundings.truth?.failure {
            log(.error, "the truth file is not complete", [.error: "\(failure)"])
        }
    }
}
