import CastModel
import Recording

/// Decides which of an app's own messages are told: some apps send several a second, for ever (PROTOCOL 6.4).
///
/// Per namespace, ten may come in a row, and one more every ten seconds; those in between are counted, and the next one
/// told carries their number. Seconds are those of the monotonic clock, so the same records tell the same messages. The
/// archive has them all.
struct MessageGates: Equatable {
    /// How much of a namespace is told.
    struct Rate {
        /// One more is told after so long.
        var interval: Int64
        /// So many may come in a row.
        var inARow: Int64

        /// Apps' own messages.
        static let messages = Rate(interval: 10_000_000_000, inARow: 10)
        /// Messages that are only counted: one a minute says how many there were.
        static let countOnly = Rate(interval: 60_000_000_000, inARow: 1)
    }

    /// Of one namespace.
    private struct Gate: Equatable {
        /// Fingerprint of the namespace.
        var namespace: UInt64
        /// When so much was told that nothing more may be, but for the messages in a row.
        var spentUntil: Int64
        /// How many were not told since the last that was.
        var suppressed: Int64
    }

    /// Namespaces kept; those beyond share one gate while none of the others is at rest.
    static let limit = 16

    private var boot = ""
    private var gates: [Gate] = []

    /// Lets a message through or not: how many before it were not told, or nil when it is not told either.
    mutating func admit(
        _ namespace: UInt64, _ rate: Rate, at monotonic: MonotonicTime, boot: String
    ) -> Int64? {
        let now = monotonic.nanoseconds
        if boot != self.boot {
            self.boot = boot
            for index in gates.indices { gates[index].spentUntil = now }
        }
        let index = place(of: namespace, at: now)
        let spentUntil = max(gates[index].spentUntil, now)
        guard spentUntil &- now <= rate.interval &* (rate.inARow &- 1) else {
            gates[index].suppressed &+= 1
            return nil
        }
        let suppressed = gates[index].suppressed
        gates[index].spentUntil = spentUntil &+ rate.interval
        gates[index].suppressed = 0
        return suppressed
    }

    private mutating func place(of namespace: UInt64, at now: Int64) -> Int {
        if let index = gates.firstIndex(where: { $0.namespace == namespace }) { return index }
        if gates.count >= Self.limit { gates.removeAll { $0.suppressed == 0 && $0.spentUntil <= now } }
        guard gates.count < Self.limit else { return gates.count - 1 }
        gates.append(Gate(namespace: namespace, spentUntil: now, suppressed: 0))
        return gates.count - 1
    }
}

extension MessageGates {
    /// The state as JSON; nil when no message came.
    var stateJSON: JSONValue? {
        guard !gates.isEmpty else { return nil }
        return [
            "boot": .string(boot),
            "gates": .array(
                gates.map {
                    [.string(Fingerprint.text($0.namespace)), .integer($0.spentUntil), .integer($0.suppressed)]
                }),
        ]
    }

    /// The state that ``stateJSON`` wrote.
    init(_ fields: StateFields) throws(DifferError) {
        self.init()
        boot = try fields.text("boot") ?? ""
        for gate in try fields.list("gates") {
            guard let parts = gate.array, parts.count == 3,
                let namespace = parts[0].string.flatMap({ UInt64($0, radix: 16) }),
                let spentUntil = parts[1].lossyInteger, let suppressed = parts[2].lossyInteger
            else { throw fields.unreadable("gates") }
            gates.append(Gate(namespace: namespace, spentUntil: spentUntil, suppressed: suppressed))
        }
    }
}
