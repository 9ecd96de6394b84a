import Glibc

/// A numeric address and port, ready for the kernel.
public struct SocketAddress: Sendable, Hashable {
    /// "192.0.2.7", "2001:db8::7" or "fe80::7%eth0".
    public let host: String
    /// 1 to 65535; 0 only to listen on any free port.
    public let port: UInt16
    fileprivate let family: Int32

    /// Nil when `host` is not a numeric address: names are for a resolver, which blocks.
    public init?(host: String, port: UInt16) {
        var four = in_addr()
        var six = in6_addr()
        // The kernel would read up to a NUL and take the rest for nothing.
        guard !host.utf8.contains(0) else { return nil }
        let address = host.split(separator: "%", maxSplits: 1).first.map(String.init) ?? host
        if unsafe inet_pton(AF_INET, host, &four) == 1 {
            family = AF_INET
        } else if unsafe inet_pton(AF_INET6, address, &six) == 1 {
            family = AF_INET6
        } else {
            return nil
        }
        self.host = host
        self.port = port
    }

    /// Calls `body` with the kernel's form of the address.
    fileprivate func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if family == AF_INET {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe inet_pton(AF_INET, host, &address.sin_addr)
            return unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var address = sockaddr_in6()
        let parts = host.split(separator: "%", maxSplits: 1).map(String.init)
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        unsafe inet_pton(AF_INET6, parts[0], &address.sin6_addr)
        if parts.count == 2 { address.sin6_scope_id = unsafe UInt32(parts[1]) ?? if_nametoindex(parts[1]) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// "192.0.2.7:8009" or "[2001:db8::7]:8009".
    public var description: String { family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// TCP sockets: non-blocking, closed on exec.
///
/// The descriptor is the caller's to close.
public enum Socket {
    /// Begins to connect.
    ///
    /// Watch for writability, then ask ``connectResult(_:address:)``.
    public static func connect(to address: SocketAddress) throws(IOError) -> Int32 {
        let fd = try make(address)
        let result = unsafe address.withSockaddr { unsafe Glibc.connect(fd, $0, $1) }
        let number = errno
        guard result == 0 || number == EINPROGRESS else {
            Glibc.close(fd)
            throw IOError(call: "connect", number: number, subject: address.description)
        }
        return fd
    }

    /// Throws when a connection that was begun has failed.
    public static func connectResult(_ fd: Int32, address: SocketAddress) throws(IOError) {
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &length)
        guard number == 0 else { throw IOError(call: "connect", number: number, subject: address.description) }
    }

    /// Listens on an address.
    public static func listen(on address: SocketAddress, backlog: Int32 = 1024) throws(IOError) -> Int32 {
        let fd = try make(address)
        var one: Int32 = 1
        unsafe setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let bound = unsafe address.withSockaddr { unsafe bind(fd, $0, $1) }
        if bound == 0, Glibc.listen(fd, backlog) == 0 { return fd }
        let error = IOError(call: bound == 0 ? "listen" : "bind", number: errno, subject: address.description)
        Glibc.close(fd)
        throw error
    }

    /// The next waiting connection; nil when there is none or the machine is out of descriptors.
    public static func accept(_ listener: Int32) -> Int32? {
        let fd = Linux.accept(listener)
        guard fd >= 0 else { return nil }
        disableDelay(fd)
        return fd
    }

    /// The port that a listening socket got.
    public static func localPort(_ fd: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(fd, $0, &length)
            }
            return unsafe UInt16(bigEndian: pointer.pointee.sin6_port)  // the same place in sockaddr_in
        }
    }

    /// Closes a descriptor.
    public static func close(_ fd: Int32) { _ = Glibc.close(fd) }

    private static func make(_ address: SocketAddress) throws(IOError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let fd = try IOError.check("socket", socket(address.family, type, 0), subject: address.description)
        disableDelay(fd)
        return fd
    }

    private static func disableDelay(_ fd: Int32) {
        var one: Int32 = 1
        unsafe setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }
}
