import CastModel
public import Recording

/// A fleet in virtual time: the same devices, phones and scripts as ``FleetService``, with our own recorder watching, and
/// without sockets, threads or a clock.
///
/// It runs as fast as it is asked: every ``next()`` hands out one happening, in the order of time. Equal options give equal
/// happenings, on every machine. Memory does not grow with time.
///
/// ```
/// let fleet = VirtualFleet(VirtualFleetOptions(devices: 6, scenario: .fights, seed: 3, duration: .seconds(86_400)))
/// while let happening = fleet.next() {
///     switch happening {
///     case .record(let record): events += differ.fold(record)
///     case .label(let label): labels.append(label)
///     }
/// }
/// ```
///
/// For one thread.
public final class VirtualFleet {
    /// One thing that happened.
    public enum Happening: Sendable, Equatable {
        /// Our recorder wrote this down; positions count from 1, without holes.
        case record(Record)
        /// An act has ended: what a detector of conflicts should have found in the records before, or should not.
        case label(ActLabel)
    }

    /// What each device is: the devices, then the groups.
    public let profiles: [DeviceProfile]
    private let world: VirtualWorld
    private let devices: [VirtualDevice]
    private let phones: [[VirtualPhone]]
    private let recorder: VirtualRecorder
    private var scripts: [DeviceScript]
    private let end: Int64?
    private var phase = Phase.new

    private enum Phase { case new, running, over }

    /// Makes the fleet; nothing happens before the first ``next()``.
    ///
    /// Numbers of devices and groups beyond what a fleet may have are taken as the nearest that it may.
    public convenience init(_ options: VirtualFleetOptions) {
        self.init(options, onTruth: nil)
    }

    /// - Parameter onTruth: Told what the truth file of a real fleet would say.
    init(
        _ options: VirtualFleetOptions,
        onTruth: ((_ what: String, _ device: DeviceProfile, _ facts: JSONValue, _ at: WallTime) -> Void)?
    ) {
        let count = min(max(1, options.devices), FleetOptions.deviceLimit)
        var profiles = (0..<count).map { DeviceProfile(index: $0, seed: options.seed) }
        let groups = FleetGroups(of: profiles, count: options.groups)
        profiles += groups.members.indices.map { DeviceProfile.group($0, after: count, seed: options.seed) }
        if let adjust = options.adjustsProfile { for index in profiles.indices { adjust(&profiles[index]) } }
        self.profiles = profiles
        let world = VirtualWorld(options)
        world.onTruth = onTruth
        self.world = world
        let devices = profiles.map { VirtualDevice($0, world) }
        self.devices = devices
        scripts = profiles.map {
            DeviceScript(options.scenario, for: $0, seed: options.seed, begins: options.begins)
        }
        phones = zip(devices, scripts).map { device, script in
            (0..<script.phones).map { number in
                VirtualPhone(
                    PhoneMachine(deviceIndex: device.profile.index, number: number, seed: options.seed),
                    number: number, of: device, world)
            }
        }
        recorder = VirtualRecorder(devices, world)
        end = options.duration.map { max(0, $0.wholeNanoseconds) }
        groups.connect(devices)
    }

    /// The id of the recorder that watches, a UUID.
    public var recorderID: String { recorder.recorderID }
    /// The boot id of its machine, a UUID.
    public var boot: String { world.boot }

    /// The next thing that happens; nil once the time is over.
    public func next() -> Happening? {
        while true {
            switch next(within: .max) {
            case .happened(let happening): return happening
            case .quiet: continue
            case .over: return nil
            }
        }
    }

    /// What came of looking for the next thing that happens.
    public enum Progress: Sendable, Equatable {
        /// It happened.
        case happened(Happening)
        /// Nothing that anybody notes happened within the steps allowed: look again.
        case quiet
        /// The time is over.
        case over
    }

    /// The next thing that happens, if it does within so many steps, for callers that have something else to look after.
    ///
    /// A step is a message that arrives, a timer, or a deed of a script. Whole nights may pass within few of them.
    public func next(within steps: Int) -> Progress {
        var left = steps
        while true {
            if let happening = world.takeHappening() { return .happened(happening) }
            switch phase {
            case .new:
                phase = .running
                recorder.start()
                for index in scripts.indices { scheduleNext(index) }
            case .running:
                guard left > 0 else { return .quiet }
                left -= 1
                guard !world.advance(until: end) else { continue }
                phase = .over
                recorder.stop(because: "SIGTERM")
            case .over: return .over
            }
        }
    }

    /// What the clock of the fleet shows.
    public var wall: WallTime { world.wall }

    /// A label's line in a truth file, its newline included, as a real fleet writes it.
    public func truthLine(of label: ActLabel) -> [UInt8] {
        let name = profiles.first { $0.deviceID == label.device }?.name ?? ""
        return TruthFile.line("label", at: label.to, device: label.device, name: name, label.facts)
    }

    private func scheduleNext(_ index: Int) {
        guard let step = scripts[index].next() else { return }
        world.schedule(after: step.delay) { [unowned self] in
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
            if devices.indices.contains(index + 1), devices[index + 1].profile.kind != .group {
                perform(deed, on: index + 1)
            }
        }
    }
}
