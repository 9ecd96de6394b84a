import CastWire

/// A TLS link without TLS: messages arrive in order, each a little later than it was sent.
///
/// Each side hears what a ``FramedLink`` would tell it.
final class VirtualLink {
    enum Side: Int {
        case sender = 0
        case device = 1

        var other: Side { self == .sender ? .device : .sender }
    }

    /// After so long a silence, somebody whose peer lost its power gives it up.
    static let silenceLimit: Duration = .seconds(15)

    private unowned let world: VirtualWorld
    private var random: RandomSource
    /// The way that every message takes, in nanoseconds.
    private let latency: Int64
    private var lastArrival: [Int64] = [0, 0]
    private var isClosed = [false, false]
    private var tell: [((FramedLink.News) -> Void)?]

    /// Opens a link: both sides hear that it is up, the sender first.
    init(
        _ world: VirtualWorld, _ random: RandomSource, toSender: @escaping (FramedLink.News) -> Void,
        toDevice: @escaping (FramedLink.News) -> Void
    ) {
        self.world = world
        self.random = random
        latency = Int64.random(in: 1_000_000...12_000_000, using: &self.random)
        tell = [toSender, toDevice]
        // TCP takes one turn, TLS 1.3 another, and the sides' keys their time.
        let up = world.nowNanoseconds + 4 * latency + 15_000_000
        lastArrival = [up, up + latency]
        for side in [Side.sender, .device] {
            world.schedule(at: lastArrival[side.rawValue]) { [self] in deliver(.up, to: side) }
        }
    }

    /// Sends a message to the other side.
    func send(_ message: CastMessage, from side: Side) {
        guard !isClosed[side.rawValue] else { return }
        arrives(.received(message), at: side.other)
    }

    /// Ends the link; the other side hears of it after all that was sent before.
    func close(by side: Side) {
        guard !isClosed[side.rawValue] else { return }
        close(side)
        arrives(.ended(reason: "closed by the other end"), at: side.other)
    }

    /// One side is gone without a word; the other one notices its silence.
    ///
    /// - Parameter limit: When it does.
    func lose(_ side: Side, noticedAfter limit: Duration = silenceLimit) {
        guard !isClosed[side.rawValue] else { return }
        close(side)
        world.schedule(after: limit) { [self] in deliver(.ended(reason: "silent"), to: side.other) }
    }

    private func close(_ side: Side) {
        isClosed[side.rawValue] = true
        tell[side.rawValue] = nil
    }

    private func arrives(_ news: FramedLink.News, at side: Side) {
        let wait = latency + Int64.random(in: 0...2_000_000, using: &random)
        let due = max(lastArrival[side.rawValue] + 1000, world.nowNanoseconds + wait)
        lastArrival[side.rawValue] = due
        world.schedule(at: due) { [self] in deliver(news, to: side) }
    }

    private func deliver(_ news: FramedLink.News, to side: Side) {
        guard !isClosed[side.rawValue], let hear = tell[side.rawValue] else { return }
        if case .ended = news { close(side) }
        hear(news)
    }
}
