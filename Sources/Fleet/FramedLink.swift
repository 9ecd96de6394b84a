import CastWire
import IO
import TLS

/// One end of a TLS link on the loop: frames in, frames out.
///
/// Performs and decides nothing. Belongs to the loop's thread; the socket is closed once, when the link ends.
final class FramedLink {
    /// What the owner hears of.
    enum News {
        case up
        case received(CastMessage)
        /// Over; nothing follows.
        case ended(reason: String)
    }

    private enum Phase {
        case connecting(SocketAddress)
        case handshaking
        case up
        case closed
    }

    /// Bytes that may wait for a peer that does not read; more end the link.
    static let outgoingLimitBytes = 1 << 21
    /// TLS records read in one turn of the loop, so that one peer cannot keep it.
    private static let readsPerTurn = 16

    private let loop: EventLoop
    private let fd: Int32
    private let tls: TLSConnection
    private let scratch: Scratch
    private let tell: (News) -> Void
    private var watch: EventLoop.Watch?
    private var interest: EventLoop.Interest = []
    private var phase: Phase
    private var decoder = FrameDecoder()
    private var outgoing: [UInt8] = []
    private var outgoingStart = 0

    /// A buffer that all links of a loop read into, one after the other.
    final class Scratch {
        /// One TLS record is at most 16 KiB.
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
    }

    /// Takes over a socket: an accepted one, or one that connects to `address`.
    init(
        _ fd: Int32, _ tls: TLSConnection, connectingTo address: SocketAddress? = nil, on loop: EventLoop,
        _ scratch: Scratch, tell: @escaping (News) -> Void
    ) throws(IOError) {
        self.fd = fd
        self.tls = tls
        self.loop = loop
        self.scratch = scratch
        self.tell = tell
        phase = address.map { .connecting($0) } ?? .handshaking
        interest = address == nil ? .readable : .writable
        watch = try loop.watch(fd, for: interest) { [self] readiness in becameReady(readiness) }
    }

    private func becameReady(_ readiness: EventLoop.Readiness) {
        switch phase {
        case .connecting(let address):
            do throws(IOError) { try Socket.connectResult(fd, address: address) } catch {
                return end("\(error)")
            }
            phase = .handshaking
            handshake()
        case .handshaking: handshake()
        case .up:
            if readiness.writable { flush() }
            if readiness.readable || readiness.hangup { read() }
        case .closed: break
        }
    }

    private func handshake() {
        do throws(TLSError) {
            switch try tls.handshake() {
            case .done:
                phase = .up
                watchFor(.readable)
                tell(.up)
                read()
            case .wantsRead: watchFor(.readable)
            case .wantsWrite: watchFor(.writable)
            case .ended: end("ended during the handshake")
            }
        } catch { end("\(error)") }
    }

    private func read() {
        do throws(TLSError) {
            for _ in 0..<Self.readsPerTurn {
                guard case .up = phase else { return }
                switch try tls.read(into: &scratch.bytes) {
                case .done(let count):
                    decoder.append(scratch.bytes[..<count])
                    decodeFrames()
                case .wantsRead, .wantsWrite: return
                case .ended: return end("closed by the other end")
                }
            }
        } catch { end("\(error)") }
    }

    private func decodeFrames() {
        do throws(WireError) {
            while case .up = phase, let body = try decoder.nextBody() {
                tell(.received(try CastMessage(decoding: body)))
            }
        } catch { end("\(error)") }
    }

    /// Sends a message; false when it is too long for a frame.
    func send(_ message: CastMessage) -> Bool {
        guard let frame = try? FrameEncoder.frame(message) else { return false }
        guard case .up = phase else { return true }
        guard outgoing.count - outgoingStart + frame.count <= Self.outgoingLimitBytes else {
            end("the other end does not read")
            return true
        }
        outgoing += frame
        flush()
        return true
    }

    private func flush() {
        do throws(TLSError) {
            while outgoingStart < outgoing.count {
                switch try tls.write(outgoing, from: outgoingStart) {
                case .done(let count): outgoingStart += count
                case .wantsWrite: return watchFor([.readable, .writable])
                case .wantsRead: return
                case .ended: return end("closed by the other end")
                }
            }
            outgoing = []
            outgoingStart = 0
            watchFor(.readable)
        } catch { end("\(error)") }
    }

    private func watchFor(_ wanted: EventLoop.Interest) {
        guard let watch, wanted != interest else { return }
        interest = wanted
        loop.change(watch, to: wanted)
    }

    private func end(_ reason: String) {
        guard finish() else { return }
        tell(.ended(reason: reason))
    }

    /// Ends the link from our side, with or without TLS's goodbye; `tell` hears nothing of it.
    func close(sayingGoodbye: Bool) {
        if sayingGoodbye, case .up = phase { tls.sayGoodbye() }
        _ = finish()
    }

    private func finish() -> Bool {
        if case .closed = phase { return false }
        phase = .closed
        if let watch { loop.unwatch(watch) }
        watch = nil
        Socket.close(fd)
        return true
    }
}
