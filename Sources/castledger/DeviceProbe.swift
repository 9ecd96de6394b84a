import Discovery
import Glibc
import IO
import TLS

/// Tries whether a device can be reached: TCP, TLS, goodbye.
///
/// No Cast message is sent.
struct DeviceProbe {
    private static let limit = Duration.seconds(5)

    /// What was tried: "192.0.2.7:8009".
    var address: String
    /// "TLSv1.3" and the like, when the handshake succeeded.
    var protocolVersion: String?
    /// What went wrong otherwise.
    var problem: String?

    /// Reaches for a device as a person names it: `HOST[:PORT]`.
    ///
    /// Of several addresses, all are tried until one answers.
    static func run(_ text: String) -> DeviceProbe {
        let named: DeviceAddress
        do { named = try DeviceAddress(parsing: text) } catch {
            return DeviceProbe(address: text, protocolVersion: nil, problem: error.description)
        }
        var last = DeviceProbe(address: named.description, protocolVersion: nil, problem: "no address")
        do {
            for host in try HostNames.addresses(of: named.host) {
                guard let address = SocketAddress(host: host, port: named.port) else { continue }
                last = run(at: address)
                if last.protocolVersion != nil { break }
            }
        } catch {
            last.problem = error.description
        }
        return last
    }

    /// Reaches for an address; takes 5 s at most.
    static func run(at address: SocketAddress) -> DeviceProbe {
        var probe = DeviceProbe(address: address.description)
        do {
            let socket = try Socket.connect(to: address)
            defer { Socket.close(socket) }
            let deadline = Clock.monotonicNanoseconds() + Int64(limit.components.seconds) * 1_000_000_000
            guard wait(socket, for: POLLOUT, until: deadline) else {
                probe.problem = "no answer within 5 s"
                return probe
            }
            try Socket.connectResult(socket, address: address)
            let connection = try TLSContext.forDeviceLinks().connection(over: socket, as: .client)
            while true {
                switch try connection.handshake() {
                case .done:
                    probe.protocolVersion = connection.version
                    connection.sayGoodbye()
                    return probe
                case .ended:
                    probe.problem = "it ended the TLS handshake"
                    return probe
                case .wantsRead:
                    if wait(socket, for: POLLIN, until: deadline) { continue }
                case .wantsWrite:
                    if wait(socket, for: POLLOUT, until: deadline) { continue }
                }
                probe.problem = "no TLS answer within 5 s"
                return probe
            }
        } catch let error as IOError {
            probe.problem = unsafe String(cString: strerror(error.number))
        } catch {
            probe.problem = "\(error)"
        }
        return probe
    }

    private static func wait(_ socket: Int32, for events: Int32, until deadline: Int64) -> Bool {
        let left = (deadline - Clock.monotonicNanoseconds()) / 1_000_000
        guard left > 0 else { return false }
        var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
        return unsafe poll(&descriptor, 1, Int32(clamping: left)) > 0
    }
}
