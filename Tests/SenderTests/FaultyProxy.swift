import Glibc
import IO
import Testing

/// Stands between our sender and a device, on the bytes of TCP, and does to them what networks do.
final class FaultyProxy {
    /// What happens to one connection.
    enum Plan {
        /// Bytes pass as they are.
        case forward
        /// Each byte passes alone, in both directions.
        case byteByByte
        /// Taken, and then nothing: no TLS, no end.
        case hold
        /// Taken, answered with these bytes, and held.
        case answer([UInt8])
        /// After so many bytes from the device, neither direction passes any more, and nobody is told.
        case vanish(after: Int)
        /// After so many bytes from the device, both ends get a reset.
        case reset(after: Int)
        /// After so many bytes from the device, our sender gets the end of the stream.
        case end(after: Int)
        /// After so many bytes from the device, these come in between.
        case insert([UInt8], after: Int)
    }

    /// Two sockets, and what waits to be written to each.
    private final class Pair {
        let plan: Plan
        var near: Int32
        var far: Int32
        var toNear: [UInt8] = []
        var toFar: [UInt8] = []
        var fromFar = 0
        var watches: [EventLoop.Watch] = []
        var isOver = false

        init(_ plan: Plan, near: Int32, far: Int32) { (self.plan, self.near, self.far) = (plan, near, far) }
    }

    let port: UInt16
    private let loop: EventLoop
    private let device: SocketAddress
    private let listener: Int32
    private var plans: [Plan]
    private var pairs: [Pair] = []
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// Connections taken so far.
    private(set) var accepted = 0

    /// - Parameter plans: For the first connections, in order; later ones pass as they are.
    init(on loop: EventLoop, to port: UInt16, _ plans: Plan...) throws {
        self.loop = loop
        self.plans = plans
        device = try #require(SocketAddress(host: "127.0.0.1", port: port))
        listener = try Socket.listen(on: #require(SocketAddress(host: "127.0.0.1", port: 0)))
        self.port = Socket.localPort(listener)
        _ = try loop.watch(listener, for: .readable) { [unowned self] _ in
            while let near = Socket.accept(listener) { take(near) }
        }
    }

    deinit {
        for pair in pairs where !pair.isOver {
            Socket.close(pair.near)
            if pair.far >= 0 { Socket.close(pair.far) }
        }
        Socket.close(listener)
    }

    private func take(_ near: Int32) {
        accepted += 1
        let plan = plans.isEmpty ? Plan.forward : plans.removeFirst()
        do {
            let far: Int32 =
                switch plan {
                case .hold, .answer: -1
                default: try Socket.connect(to: device)
                }
            let pair = Pair(plan, near: near, far: far)
            pairs.append(pair)
            if case .answer(let bytes) = plan { _ = try Socket.send(near, bytes) }
            guard far >= 0 else { return }
            for fd in [near, far] {
                pair.watches.append(try loop.watch(fd, for: .readable) { [unowned self] _ in move(pair) })
            }
        } catch { Issue.record(error) }
    }

    private func move(_ pair: Pair) {
        guard !pair.isOver else { return }
        do throws(IOError) {
            while let count = try Socket.receive(pair.near, into: &buffer) {
                guard count > 0 else { return end(pair) }
                pair.toFar += buffer[..<count]
            }
            while let count = try Socket.receive(pair.far, into: &buffer) {
                guard count > 0 else { return end(pair) }
                pair.toNear += buffer[..<count]
            }
            try pass(pair)
        } catch {
            // Not connected to the device yet, or one end is gone.
            if error.number != ENOTCONN { end(pair) }
        }
    }

    private func pass(_ pair: Pair) throws(IOError) {
        var limit = Int.max
        switch pair.plan {
        case .forward, .byteByByte, .hold, .answer: break
        case .vanish(let after), .reset(let after), .end(let after): limit = after
        case .insert(let bytes, let after):
            if pair.fromFar + pair.toNear.count > after, pair.fromFar <= after {
                pair.toNear.insert(contentsOf: bytes, at: after - pair.fromFar)
            }
        }
        let allowed = min(pair.toNear.count, limit - pair.fromFar)
        if allowed == 0, case .vanish = pair.plan, limit == pair.fromFar { return }
        try write(&pair.toFar, to: pair.far, pair)
        var now = Array(pair.toNear[..<allowed])
        let before = now.count
        try write(&now, to: pair.near, pair)
        let written = before - now.count
        pair.fromFar += written
        pair.toNear.removeFirst(written)
        if pair.fromFar >= limit { reachedLimit(pair) }
        if !pair.isOver, !(pair.toFar.isEmpty && now.isEmpty) {
            loop.schedule(after: .milliseconds(1)) { [weak self] in self?.move(pair) }
        }
    }

    private func write(_ bytes: inout [UInt8], to fd: Int32, _ pair: Pair) throws(IOError) {
        var isByteByByte = false
        if case .byteByByte = pair.plan { isByteByByte = true }
        while !bytes.isEmpty {
            let count = try Socket.send(fd, isByteByByte ? [bytes[0]] : bytes)
            guard count > 0 else { return }
            bytes.removeFirst(count)
        }
    }

    private func reachedLimit(_ pair: Pair) {
        switch pair.plan {
        case .forward, .byteByByte, .hold, .answer, .vanish, .insert: break
        case .end: end(pair)
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout.size(ofValue: linger))
            for fd in [pair.near, pair.far] { setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, size) }
            end(pair)
        }
    }

    private func end(_ pair: Pair) {
        guard !pair.isOver else { return }
        pair.isOver = true
        for watch in pair.watches { loop.unwatch(watch) }
        Socket.close(pair.near)
        Socket.close(pair.far)
    }
}
