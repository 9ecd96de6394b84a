import CastModel
import Recording

/// The recorder of a virtual fleet: finds its devices, runs a sender for each, and is away now and then.
final class VirtualRecorder {
    /// A recorder that watches this fleet, by its seed.
    let recorderID: String
    private unowned let world: VirtualWorld
    private let devices: [VirtualDevice]
    private var senders: [VirtualSender] = []
    private var recorded: [DeviceID: DeviceAdvertisement] = [:]
    private var random: RandomSource
    private var lastLinkNumber: Int64 = 0
    private var runs: UInt64 = 0
    private var isRunning = false
    /// The last moment observed.
    private var endedAt: WallTime?

    init(_ devices: [VirtualDevice], _ world: VirtualWorld) {
        self.devices = devices
        self.world = world
        var identity = world.options.seed.source("recorder")
        recorderID = identity.uuid()
        random = world.options.seed.source("outages")
        for (index, device) in devices.enumerated() {
            device.onAdvertised = { [unowned self] isThere in advertised(index, isThere) }
        }
    }

    func takeLinkNumber() -> LinkNumber {
        lastLinkNumber += 1
        return LinkNumber(lastLinkNumber)
    }

    // MARK: Beginning and end

    func start() {
        isRunning = true
        runs += 1
        lastLinkNumber = 0
        recorded = [:]
        if let endedAt { world.record(.gap(Gap(device: nil, from: endedAt, to: world.wall, reason: .recorderDown))) }
        world.record(.recorderStarted(recorder: recorderID, version: world.options.version))
        senders = devices.map { device in
            VirtualSender(of: device, seed: senderSeed(of: device.profile), self, world)
        }
        // mDNS answers within the first two seconds, from those that are there.
        for (device, sender) in zip(devices, senders) where device.isOn {
            let run = runs
            world.schedule(after: .milliseconds(Int.random(in: 20...2000, using: &random))) { [unowned self] in
                guard isRunning, run == runs else { return }
                see(device)
                sender.start()
            }
        }
        scheduleOutage()
    }

    /// FNV-1a over the id, as the recorder does; other jitter in every run.
    private func senderSeed(of profile: DeviceProfile) -> UInt64 {
        profile.deviceID.text.utf8.reduce(world.options.seed.number ^ 0xCBF2_9CE4_8422_2325 &+ runs) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
    }

    /// Ends in good order.
    func stop(because reason: String) {
        guard isRunning else { return }
        for sender in senders {
            sender.stop()
            sender.kill()
        }
        world.record(.recorderStopped(reason: reason))
        away()
    }

    private func kill() {
        for sender in senders { sender.kill() }
        away()
    }

    private func away() {
        isRunning = false
        endedAt = world.lastRecordedAt
        senders = []
    }

    private func scheduleOutage() {
        guard world.options.outagesPerMonth > 0 else { return }
        let meanHours = 720 / world.options.outagesPerMonth
        let chance = Double(Int64.random(in: 1...1_000_000, using: &random)) / 1e6
        let hours = -Math.logarithm(chance) * meanHours
        let isKilled = Int.random(in: 0..<3, using: &random) == 0
        let minutes = [2, 3, 5, 12, 45, 180, 500].randomElement(using: &random) ?? 5
        world.schedule(after: .seconds(max(600, hours * 3600))) { [unowned self] in
            if isKilled { kill() } else { stop(because: "SIGTERM") }
            world.schedule(after: .seconds(60 * minutes)) { [unowned self] in start() }
        }
    }

    // MARK: The roster

    private func advertised(_ index: Int, _ isThere: Bool) {
        guard isRunning, senders.indices.contains(index) else { return }
        let device = devices[index]
        guard isThere else {
            if recorded.removeValue(forKey: device.profile.deviceID) != nil {
                world.record(.deviceWithdrawn(device.profile.deviceID))
            }
            return
        }
        see(device)
        senders[index].start()
        senders[index].rediscovered()
    }

    private func see(_ device: VirtualDevice) {
        let advertisement = device.advertisement
        guard recorded[device.profile.deviceID] != advertisement else { return }
        recorded[device.profile.deviceID] = advertisement
        world.record(.deviceSeen(advertisement))
    }
}
