import CastModel

/// What a move changes, in a form in which two moves can be added up and held against each other.
enum Effect: Equatable {
    /// So much more or less: of a level, or of seconds.
    case amount(Double)
    /// Parts that have other values, by their names.
    case parts([Part])

    /// One part of what changed.
    struct Part: Equatable {
        var name: String
        var before: JSONValue
        var after: JSONValue

        /// Whether another one's choice is still there in this one: nothing of it was taken away.
        func keeps(_ other: Part) -> Bool {
            guard let chosen = other.after.array, !chosen.isEmpty, let now = after.array else { return false }
            return chosen.allSatisfy { now.contains($0) }
        }
    }

    /// Parts compared, at most: a style has 15 (PROTOCOL 4.6).
    static let partLimit = 32

    /// Both, one after the other.
    func followed(by next: Effect) -> Effect {
        switch (self, next) {
        case (.amount(let one), .amount(let other)): return .amount(one + other)
        case (.parts(let known), .parts(let more)):
            var sum = known
            for part in more {
                if let place = sum.firstIndex(where: { $0.name == part.name }) {
                    sum[place].after = part.after
                } else if sum.count < Self.partLimit {
                    sum.append(part)
                }
            }
            return .parts(sum.filter { $0.before != $0.after })
        case (.amount, .parts), (.parts, .amount): return next
        }
    }

    /// Whether it comes to nothing, or to less than counts.
    func isSlight(_ step: Double) -> Bool {
        switch self {
        case .amount(let amount): amount == 0 || abs(amount) < step - Self.noise
        case .parts(let parts): parts.isEmpty
        }
    }

    /// Whether it takes back what another one did.
    func undoes(_ other: Effect, step: Double) -> Bool {
        guard !isSlight(step), !other.isSlight(step) else { return false }
        switch (other, self) {
        case (.amount(let one), .amount(let two)): return (one < 0) != (two < 0)
        case (.parts(let made), .parts(let now)):
            return now.contains { part in
                made.contains { $0.name == part.name && $0.after != part.after && !part.keeps($0) }
            }
        case (.amount, .parts), (.parts, .amount): return false
        }
    }

    /// What 32-bit floats leave of a step.
    private static let noise = 1e-6
}
