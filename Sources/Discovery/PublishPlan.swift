/// Which services are to be announced, which are, and what to do next: a value that reads no clock.
///
/// mDNS probes each name before it announces it. Registering very many at once floods the network and gets lost
/// (a thousand at once left a third of them unresolved), so only some are under way at any time.
struct PublishPlan: Sendable {
    /// What the owner of the Avahi client does next.
    enum Action: Sendable, Equatable {
        case add(PublishedService)
        case updateText(PublishedService)
        case withdraw(instance: String)
    }

    /// How many may be registering at the same time.
    static let registeringLimit = 100

    private enum Phase: Equatable {
        case waiting
        case registering
        case established
        /// The name is taken, or Avahi has no room. Stays so until the daemon restarts or the service is published again.
        case refused
    }

    private struct Entry {
        var wanted: PublishedService
        /// What Avahi was told last; nil before that.
        var announced: PublishedService?
        var phase: Phase
    }

    private var entries: [String: Entry] = [:]
    /// Instances that may need an action, in order; an instance can be here twice.
    private var queue: [String] = []
    private var leaving: [String] = []
    private var registeringCount = 0
    /// Services that all neighbors have accepted.
    private(set) var establishedCount = 0
    /// Services that could not be announced.
    private(set) var refusedCount = 0

    /// Services that ought to be announced.
    var wantedCount: Int { entries.count }

    /// Adds a service, or changes one of the same instance name.
    mutating func want(_ service: PublishedService) {
        if var entry = entries[service.instance] {
            guard entry.wanted != service || entry.phase == .refused else { return }
            entry.wanted = service
            if entry.phase == .refused { change(&entry, to: .waiting) }
            entries[service.instance] = entry
        } else {
            entries[service.instance] = Entry(wanted: service, announced: nil, phase: .waiting)
        }
        queue.append(service.instance)
    }

    /// Takes a service back.
    ///
    /// An unknown instance is nothing.
    mutating func unwant(instance: String) {
        guard var entry = entries.removeValue(forKey: instance) else { return }
        leaving.append(instance)
        change(&entry, to: .waiting)
    }

    /// What to do now, in order.
    mutating func next() -> [Action] {
        var actions = leaving.map(Action.withdraw(instance:))
        leaving = []
        var later: [String] = []
        for instance in queue {
            guard var entry = entries[instance] else { continue }
            switch entry.phase {
            case .waiting:
                if registeringCount < Self.registeringLimit {
                    actions.append(.add(entry.wanted))
                    entry.announced = entry.wanted
                    change(&entry, to: .registering)
                    entries[instance] = entry
                } else {
                    later.append(instance)
                }
            case .registering:
                break  // `published` looks at it again.
            case .established:
                actions += differences(&entry)
                entries[instance] = entry
            case .refused:
                break
            }
        }
        queue = later
        return actions
    }

    private mutating func differences(_ entry: inout Entry) -> [Action] {
        guard let announced = entry.announced, announced != entry.wanted else { return [] }
        entry.announced = entry.wanted
        if announced.port == entry.wanted.port && announced.appIDs == entry.wanted.appIDs {
            return [.updateText(entry.wanted)]
        }
        change(&entry, to: .registering)
        return [.withdraw(instance: entry.wanted.instance), .add(entry.wanted)]
    }

    /// The neighbors have accepted an instance.
    mutating func published(instance: String) {
        guard var entry = entries[instance], entry.phase == .registering else { return }
        change(&entry, to: .established)
        entries[instance] = entry
        if entry.announced != entry.wanted { queue.append(instance) }
    }

    /// An instance cannot be announced.
    mutating func refused(instance: String) {
        guard var entry = entries[instance] else { return }
        change(&entry, to: .refused)
        entry.announced = nil
        entries[instance] = entry
    }

    /// The daemon knows nothing of us any more: everything is to be announced again.
    mutating func startOver() {
        for (instance, var entry) in entries {
            change(&entry, to: .waiting)
            entry.announced = nil
            entries[instance] = entry
        }
        leaving = []
        queue = entries.keys.sorted()
    }

    private mutating func change(_ entry: inout Entry, to phase: Phase) {
        count(entry.phase, -1)
        entry.phase = phase
        count(phase, 1)
    }

    private mutating func count(_ phase: Phase, _ step: Int) {
        switch phase {
        case .waiting: break
        case .registering: registeringCount += step
        case .established: establishedCount += step
        case .refused: refusedCount += step
        }
    }
}
