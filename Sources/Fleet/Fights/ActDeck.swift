/// What comes next in the scenario `fights`: as many fights as innocent acts, each kind as often as any other of its
/// side.
struct ActDeck: Sendable {
    private var cards: [ActKind] = []

    /// The two ways of a takeover count as two.
    private static let fights: [ActKind] = [
        .takeover, .takeover, .volumeFight, .playPauseFight, .seekFight, .trackFight, .styleFight,
    ]
    private static let innocent = ActKind.allCases.filter { !$0.isFight }

    /// Draws the next act; shuffles anew when all are played.
    mutating func draw(_ random: inout RandomSource) -> ActKind {
        if cards.isEmpty {
            let rounds = (Self.innocent.count + Self.fights.count - 1) / Self.fights.count
            let fights = (0..<rounds).flatMap { _ in Self.fights }.shuffled(using: &random)
            cards = (fights.prefix(Self.innocent.count) + Self.innocent).shuffled(using: &random)
        }
        return cards.popLast() ?? .listener
    }
}
