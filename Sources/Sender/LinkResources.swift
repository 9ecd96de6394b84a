import CastModel
import IO
import Recording
import TLS

/// What all links of one loop share, so that a quiet link costs little memory.
///
/// Belongs to the loop's thread.
final class LinkResources {
    let loop: EventLoop
    let tls: TLSContext
    let parser = JSONParser()
    /// Where every link reads into, one after the other; more than a TLS record holds, so that a read empties it.
    var scratch = [UInt8](repeating: 0, count: 65_536)

    private var turn: (monotonic: Int64, wall: WallTime)?

    init(loop: EventLoop, tls: TLSContext) {
        self.loop = loop
        self.tls = tls
    }

    /// The moment of the handler that runs, for durations.
    var monotonic: MonotonicTime { MonotonicTime(nanoseconds: loop.nowNanoseconds) }

    /// The moment of the handler that runs, for people: read once per handler, when it is first needed.
    var wall: WallTime {
        if let turn, turn.monotonic == loop.nowNanoseconds { return turn.wall }
        let wall = WallTime(microseconds: Clock.wallMicroseconds())
        turn = (loop.nowNanoseconds, wall)
        return wall
    }

    /// An observation of this moment.
    func observation(_ body: RecordBody) -> Observation { Observation(at: wall, monotonic: monotonic, body) }
}
