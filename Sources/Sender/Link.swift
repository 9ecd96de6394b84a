import CastWire
import IO
import Recording
import SenderCore
import TLS

/// What a link tells the sender it belongs to.
///
/// All calls come from the loop; a link may be closed within any of them.
protocol LinkOwner: AnyObject {
    /// TLS is up.
    func linkIsUp(_ link: Link)
    /// A whole body came.
    func link(_ link: Link, received body: [UInt8])
    /// The attempt failed or the link broke; it is closed already.
    func linkEnded(_ link: Link, _ reason: LinkCloseReason, detail: String)
}

/// One TLS connection to a device: bytes in, bodies of frames out; permitted messages in, bytes out.
///
/// It decides nothing and never blocks. Nothing but a ``PermittedMessage`` can be written to it. Belongs to the loop's
/// thread.
final class Link {
    /// Connecting and the handshake take no longer than this, or the attempt has failed (PROTOCOL 2.7).
    static let openLimit = Duration.seconds(10)
    /// How much is read from one device before others have their turn.
    static let turnLimitBytes = 262_144
    /// How much may wait to be written: far beyond all we ever send to a device that reads.
    static let outgoingLimitBytes = 65_536

    private enum Phase { case connecting, handshaking, open, closed }

    let address: SocketAddress
    private let resources: LinkResources
    private weak var owner: (any LinkOwner)?
    private var phase = Phase.closed
    private var descriptor: Int32 = -1
    private var tls: TLSConnection?
    private var watch: EventLoop.Watch?
    private var interest: EventLoop.Interest = []
    private var openTimer: EventLoop.TimerToken?
    private var decoder = FrameDecoder()
    private var outgoing: [UInt8] = []
    private var outgoingStart = 0
    private var readWantsRoom = false
    private var isPaused = false

    init(to address: SocketAddress, _ resources: LinkResources, owner: any LinkOwner) {
        self.address = address
        self.resources = resources
        self.owner = owner
    }

    deinit { if descriptor >= 0 { Socket.close(descriptor) } }

    // MARK: Opening and closing

    /// Begins to connect.
    ///
    /// The owner hears of the outcome later, never within this call.
    func open() {
        phase = .connecting
        openTimer = resources.loop.schedule(after: Self.openLimit) { [weak self] in
            self?.end(.silent, "no answer within 10 s")
        }
        do {
            descriptor = try Socket.connect(to: address)
            updateInterest()
        } catch {
            let detail = error.description
            resources.loop.schedule(after: .zero) { [weak self] in self?.end(.connectionReset, detail) }
        }
    }

    /// Whether TLS is up.
    var isOpen: Bool { phase == .open }

    /// Facts for the record of an open link.
    var tlsFacts: (version: String, cipher: String, certificate: [UInt8]) {
        guard let tls else { return ("", "", []) }
        return (tls.version, tls.cipher, tls.peerCertificate)
    }

    /// Closes without another word to the owner.
    ///
    /// Safe to repeat.
    func close() {
        guard phase != .closed else { return }
        if phase == .open { tls?.sayGoodbye() }
        phase = .closed
        if let openTimer { resources.loop.cancel(openTimer) }
        if let watch { resources.loop.unwatch(watch) }
        watch = nil
        tls = nil
        if descriptor >= 0 { Socket.close(descriptor) }
        descriptor = -1
        outgoing = []
        decoder = FrameDecoder()
    }

    private func end(_ reason: LinkCloseReason, _ detail: String) {
        guard phase != .closed else { return }
        close()
        owner?.linkEnded(self, reason, detail: detail)
    }

    private func end(_ error: TLSError) {
        // A device that reboots just goes; OpenSSL calls a missing goodbye an error.
        let reason: LinkCloseReason =
            switch error.reason {
            case "connection reset": .connectionReset
            case let text where text.contains("unexpected eof"): .closedByDevice
            default: .tlsError
            }
        end(reason, error.description)
    }

    // MARK: Readiness

    private func updateInterest() {
        var wanted: EventLoop.Interest = []
        switch phase {
        case .closed: return
        case .connecting: wanted = .writable
        case .handshaking: wanted = readWantsRoom ? .writable : .readable
        case .open:
            if !isPaused { wanted.insert(readWantsRoom ? .writable : .readable) }
            if outgoingStart < outgoing.count { wanted.insert(.writable) }
        }
        if wanted.isEmpty {
            // Without this, a device that hangs up while we do not read would wake the loop for ever.
            if let watch { resources.loop.unwatch(watch) }
            watch = nil
        } else if let watch {
            if wanted != interest { resources.loop.change(watch, to: wanted) }
        } else {
            do {
                watch = try resources.loop.watch(descriptor, for: wanted) { [weak self] in self?.ready($0) }
            } catch {
                let detail = error.description
                resources.loop.schedule(after: .zero) { [weak self] in self?.end(.connectionReset, detail) }
            }
        }
        interest = wanted
    }

    private func ready(_ readiness: EventLoop.Readiness) {
        switch phase {
        case .closed: return
        case .connecting: finishConnecting()
        case .handshaking: continueHandshake()
        case .open:
            if readiness.hangup && isPaused {
                // Nobody will take what waits; what was sent to us is read once there is room.
                outgoing = []
                outgoingStart = 0
            }
            if readiness.writable { flush() }
            readAvailable()
        }
        updateInterest()
    }

    private func finishConnecting() {
        do throws(IOError) {
            try Socket.connectResult(descriptor, address: address)
        } catch {
            return end(.connectionReset, error.description)
        }
        do throws(TLSError) {
            tls = try resources.tls.connection(over: descriptor, as: .client)
        } catch {
            return end(error)
        }
        phase = .handshaking
        continueHandshake()
    }

    private func continueHandshake() {
        guard let tls else { return }
        do throws(TLSError) {
            switch try tls.handshake() {
            case .done:
                phase = .open
                readWantsRoom = false
                if let openTimer { resources.loop.cancel(openTimer) }
                openTimer = nil
                owner?.linkIsUp(self)
                readAvailable()
            case .wantsRead: readWantsRoom = false
            case .wantsWrite: readWantsRoom = true
            case .ended: end(.closedByDevice, "closed during the handshake")
            }
        } catch {
            end(error)
        }
    }

    // MARK: Reading

    /// Reads what is there, at most ``turnLimitBytes``.
    func readAvailable() {
        var budget = Self.turnLimitBytes
        while phase == .open, !isPaused, budget > 0, let tls {
            do throws(TLSError) {
                switch try tls.read(into: &resources.scratch) {
                case .done(let count):
                    budget -= count
                    readWantsRoom = false
                    decoder.append(resources.scratch[..<count])
                    deliver()
                case .wantsRead:
                    readWantsRoom = false
                    return
                case .wantsWrite:
                    readWantsRoom = true
                    return
                case .ended: return end(.closedByDevice, "")
                }
            } catch {
                return end(error)
            }
        }
    }

    private func deliver() {
        do throws(WireError) {
            while phase == .open, let body = try decoder.nextBody() { owner?.link(self, received: body) }
        } catch {
            end(.protocolError, error.description)
        }
    }

    /// Stops reading; TCP then tells the device to wait.
    func pauseReading() {
        isPaused = true
        updateInterest()
    }

    /// Goes on reading.
    func resumeReading() {
        isPaused = false
        updateInterest()
    }

    // MARK: Writing

    /// Sends a message, now or when there is room.
    ///
    /// False when it cannot be sent: the link is not open, or the device has not read for a long time.
    func send(_ message: PermittedMessage, as identity: PermittedMessage.Identity) -> Bool {
        guard phase == .open, let frame = try? message.frame(as: identity),
            outgoing.count - outgoingStart + frame.count <= Self.outgoingLimitBytes
        else { return false }
        outgoing += frame
        flush()
        updateInterest()
        return true
    }

    private func flush() {
        while phase == .open, outgoingStart < outgoing.count, let tls {
            do throws(TLSError) {
                switch try tls.write(outgoing, from: outgoingStart) {
                case .done(let count): outgoingStart += count
                case .wantsRead, .wantsWrite: return
                case .ended: return endSoon(.closedByDevice, "")
                }
            } catch {
                return endSoon(.connectionReset, error.description)
            }
        }
        outgoing = []
        outgoingStart = 0
    }

    /// A write failed within a call of the owner: tell it afterwards.
    ///
    /// What the device said before it went is read first.
    private func endSoon(_ reason: LinkCloseReason, _ detail: String) {
        outgoing = []
        outgoingStart = 0
        resources.loop.schedule(after: .zero) { [weak self] in
            self?.readAvailable()
            self?.end(reason, detail)
        }
    }
}
