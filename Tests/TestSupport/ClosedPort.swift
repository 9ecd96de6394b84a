import Glibc

/// A TCP port that refuses every connection for as long as this value lives.
///
/// Bound, so that nobody else gets it meanwhile, and never listening.
public final class ClosedPort {
    /// The port.
    public let port: UInt16
    private let fd: Int32

    /// A port of a numeric IPv4 address of this machine.
    public init(host: String = "127.0.0.1") throws {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, host, &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(made, address, length) == 0 && getsockname(made, address, &length) == 0
            }
        }
        fd = made
        port = UInt16(bigEndian: address.sin_port)
        guard bound else { throw MDNSLab.Failure(description: "no port of \(host) can be bound") }
    }

    deinit { close(fd) }
}
