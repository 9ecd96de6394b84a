import CastWire
import Glibc
import IO
import TLS
import Testing

/// A device that does as a test says: a TLS peer on loopback, on the test's own loop.
final class ScriptedDevice {
    /// One accepted connection.
    final class Peer {
        private let device: ScriptedDevice
        private let descriptor: Int32
        private let tls: TLSConnection
        private var watch: EventLoop.Watch?
        private var shaken = false
        private var decoder = FrameDecoder()
        private var outgoing: [UInt8] = []
        private var buffer = [UInt8](repeating: 0, count: 65_536)
        private(set) var isClosed = false
        /// All messages that came, in order.
        private(set) var heard: [CastMessage] = []

        fileprivate init(_ device: ScriptedDevice, _ descriptor: Int32) throws {
            self.device = device
            self.descriptor = descriptor
            tls = try device.context.connection(over: descriptor, as: .server)
            watch = try device.loop.watch(descriptor, for: .readable) { [unowned self] _ in self.ready() }
        }

        private func ready() {
            do {
                if !shaken {
                    guard case .done = try tls.handshake() else { return }
                    shaken = true
                }
                flush()
                while !isClosed {
                    switch try tls.read(into: &buffer) {
                    case .done(let count): decoder.append(buffer[..<count])
                    case .ended: return close()
                    case .wantsRead, .wantsWrite: return
                    }
                    while !isClosed, let body = try decoder.nextBody() {
                        let message = try CastMessage(decoding: body)
                        heard.append(message)
                        device.onMessage(self, message)
                    }
                }
            } catch {
                close()
            }
        }

        func send(_ message: CastMessage) {
            do { send(bytes: try FrameEncoder.frame(message)) } catch { Issue.record(error) }
        }

        func send(
            _ namespace: Namespace, _ text: String, from source: String = "receiver-0", to destination: String = "*"
        ) {
            send(CastMessage(from: source, to: destination, namespace, text: text))
        }

        /// Sends bytes as they are, in a TLS record of their own when there is room.
        func send(bytes: [UInt8]) {
            outgoing += bytes
            flush()
        }

        private func flush() {
            guard shaken else { return }
            var offset = 0
            while !isClosed, offset < outgoing.count, case .done(let count)? = try? tls.write(outgoing, from: offset) {
                offset += count
            }
            outgoing.removeFirst(offset)
            if let watch { device.loop.change(watch, to: outgoing.isEmpty ? .readable : [.readable, .writable]) }
        }

        /// Whether nothing waits to be sent.
        var isFlushed: Bool { outgoing.isEmpty }

        /// Ends the connection, with TLS's goodbye or by a TCP reset.
        func close(reset: Bool = false) {
            guard !isClosed else { return }
            isClosed = true
            if let watch { device.loop.unwatch(watch) }
            if reset {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            } else if shaken {
                tls.sayGoodbye()
            }
            Socket.close(descriptor)
        }

        /// The texts of what came, without PINGs and challenges: "CONNECT web-5" and the like would hide too much.
        var payloads: [String] {
            heard.filter { $0.namespace != .heartbeat && $0.namespace != .deviceAuthentication }.map {
                String(decoding: $0.payloadBytes, as: UTF8.self)
            }
        }
    }

    let loop: EventLoop
    let port: UInt16
    fileprivate let context: TLSContext
    private let listener: Int32
    private var watch: EventLoop.Watch?
    private(set) var peers: [Peer] = []
    var onMessage: (Peer, CastMessage) -> Void = { _, _ in }

    /// - Parameter port: 0 lets the system choose.
    init(on loop: EventLoop, port: UInt16 = 0) throws {
        self.loop = loop
        context = try TLSContext.forSimulatedDevice(identity: TLSIdentity.selfSigned(commonName: "a device"))
        listener = try Socket.listen(on: #require(SocketAddress(host: "127.0.0.1", port: port)))
        self.port = Socket.localPort(listener)
        watch = try loop.watch(listener, for: .readable) { [unowned self] _ in
            while let descriptor = Socket.accept(self.listener) {
                do { self.peers.append(try Peer(self, descriptor)) } catch { Issue.record(error) }
            }
        }
    }

    deinit {
        withdraw()
    }

    /// Ends all connections and takes no more: the port refuses.
    func withdraw() {
        for peer in peers { peer.close() }
        guard let watch else { return }
        self.watch = nil
        loop.unwatch(watch)
        Socket.close(listener)
    }

    /// The connection that came last, once there is one.
    var peer: Peer? { peers.last }
}

extension ScriptedDevice {
    static let receiverStatus = #"""
        {"requestId":0,"type":"RECEIVER_STATUS","status":{"applications":[{"appId":"CC1AD845","displayName":"Player",\#
        "isIdleScreen":false,"senderConnected":false,"sessionId":"s-1","transportId":"web-5",\#
        "namespaces":[{"name":"urn:x-cast:com.google.cast.media"}]}]}}
        """#

    /// Answers as a device does that runs one media app; without `deviceID` it does not know GET_DEVICE_INFO.
    func behave(as deviceID: String?, name: String = "Kitchen Display", transport: String = "web-5") {
        let receiverStatus = Self.receiverStatus.split(separator: "web-5").joined(separator: transport)
        onMessage = { peer, message in
            let text = String(decoding: message.payloadBytes, as: UTF8.self)
            switch message.namespace {
            case .heartbeat where text.contains("PING"):
                peer.send(.heartbeat, #"{"type":"PONG"}"#, to: "sender-0")
            case .receiver:
                peer.send(.receiver, receiverStatus)
            case .discovery:
                guard let deviceID else { return }
                let reply =
                    #"{"type":"DEVICE_INFO","requestId":1,"deviceId":"\#(deviceID)","friendlyName":"\#(name)","deviceModel":"Hub"}"#
                peer.send(.discovery, reply, to: "sender-0")
            case .media:
                peer.send(
                    .media, #"{"type":"MEDIA_STATUS","requestId":2,"status":[]}"#, from: transport, to: message.sourceID
                )
            default: break
            }
        }
    }
}
