public import Recording

/// Something that a scenario lets happen at one device.
public struct ScenarioStep: Sendable, Equatable {
    /// Who does it.
    public indirect enum Deed: Sendable, Equatable {
        /// The phone with this number, from 0.
        case phone(Int, PhoneMachine.Action)
        /// The device itself, or a hand on it.
        case room(ReceiverMachine.RoomEvent)
        /// The device loses its power, or has it again.
        case power(Bool)
        /// Nobody: an act begins or ends here.
        case mark(ActMark)
        /// The same on the next device, where there is one.
        case nextDevice(Deed)
    }

    /// Time since the step before.
    public var delay: Duration
    /// What is done.
    public var deed: Deed
}

/// What happens at one device, step by step, for ever: the same for equal seeds.
public struct DeviceScript: Sendable {
    /// How many phones it needs.
    public let phones: Int
    private let scenario: FleetScenario
    private let profile: DeviceProfile
    private var random: RandomSource
    private var deck = ActDeck()
    private var days: DayPlan
    private var ready: [ScenarioStep] = []
    private var actsPlayed = 0

    /// The script of one device.
    ///
    /// - Parameter begins: When it begins, for scenarios that know night and day.
    public init(
        _ scenario: FleetScenario, for profile: DeviceProfile, seed: FleetSeed,
        begins: WallTime = WallTime(microseconds: 0)
    ) {
        self.scenario = scenario
        self.profile = profile
        random = seed.source("script", profile.index)
        days = DayPlan(of: profile, seed: seed, begins: begins)
        phones =
            switch scenario {
            case .evening: 2  // The second one joins a film.
            case .twoPhones: 2
            case .fights: 2
            case .days: 2
            case .idle: 2  // They wait until somebody tells them what to do.
            case .chatter: 0
            }
    }

    /// The next step; nil when nothing happens any more.
    public mutating func next() -> ScenarioStep? {
        if ready.isEmpty { ready = nextAct().reversed() }
        return ready.popLast()
    }

    private mutating func nextAct() -> [ScenarioStep] {
        defer { actsPlayed += 1 }
        switch scenario {
        case .idle: return []
        case .chatter: return ActWriter.chatter(first: actsPlayed == 0, &random)
        case .evening: return ActWriter.evening(on: profile.kind, act: actsPlayed, &random)
        case .twoPhones: return ActWriter.twoPhones(act: actsPlayed, &random)
        case .fights: return ActWriter.labelled(on: profile, &deck, &random)
        case .days: return days.nextAct()
        }
    }
}
