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

    private let clocks: () -> ClockTimes
    private var clockWatch = ClockWatch()
    private var turn: (monotonic: Int64, wall: WallTime)?
    /// Told that the wall clock jumped or the machine slept, before the first observation that is stamped afterwards.
    var onClockFinding: ((ClockWatch.Finding) -> Void)?

    /// - Parameter clocks: Another than the machine's only in tests.
    init(loop: EventLoop, tls: TLSContext, clocks: @escaping () -> ClockTimes = ClockTimes.read) {
        self.loop = loop
        self.tls = tls
        self.clocks = clocks
    }

    /// The moment of the handler that runs, for durations.
    var monotonic: MonotonicTime { MonotonicTime(nanoseconds: loop.nowNanoseconds) }

    /// The moment of the handler that runs, for people: read once per handler, when it is first needed.
    var wall: WallTime {
        if let turn, turn.monotonic == loop.nowNanoseconds { return turn.wall }
        let times = clocks()
        let wall = WallTime(microseconds: times.wallMicroseconds)
        turn = (loop.nowNanoseconds, wall)
        for finding in clockWatch.look(times) { onClockFinding?(finding) }
        return wall
    }

    /// A moment of the past on the wall clock of now.
    func wall(at moment: MonotonicTime) -> WallTime {
        let passed = max(0, monotonic.nanoseconds &- moment.nanoseconds) / 1000
        return WallTime(microseconds: wall.microseconds &- passed)
    }

    /// An observation of this moment.
    func observation(_ body: RecordBody) -> Observation { Observation(at: wall, monotonic: monotonic, body) }
}
