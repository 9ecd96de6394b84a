import Glibc

/// Unix sockets: non-blocking, closed on exec.
///
/// The descriptor is the caller's to close. A path may be longer than the 107 bytes that the kernel takes: it is then
/// reached through its folder's descriptor.
public enum LocalSocket {
    /// `sun_path` holds 108 bytes with its NUL.
    static let pathLimitBytes = 107

    /// Listens at a path that only our own user may connect to (mode 0600).
    ///
    /// A socket that stood there before is removed: call it only when nobody else can be listening.
    public static func listen(at path: String, backlog: Int32 = 16) throws(IOError) -> Int32 {
        var facts = stat()
        if unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK { _ = unsafe unlink(path) }
        let fd = try make(SOCK_STREAM, path)
        do throws(IOError) {
            let bound = try unsafe withAddress(path) { unsafe bind(fd, $0, $1) }
            _ = try IOError.check("bind", bound, subject: path)
            // Nobody can connect before listen(2).
            _ = try IOError.check("chmod", unsafe chmod(path, 0o600), subject: path)
            _ = try IOError.check("listen", Glibc.listen(fd, backlog), subject: path)
        } catch {
            Glibc.close(fd)
            throw error
        }
        return fd
    }

    /// The next waiting connection; nil when there is none any more.
    ///
    /// Throws when one waits and cannot be taken, above all for want of descriptors: the listener stays readable then, so
    /// whoever watches it should look away for a while.
    public static func accept(_ listener: Int32) throws(IOError) -> Int32? {
        do { return try IOError.check("accept", Linux.accept(listener)) } catch {
            guard [EAGAIN, EINTR, ECONNABORTED].contains(error.number) else { throw error }
            return nil
        }
    }

    /// Removes a socket's name.
    public static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Connects to a path, and reads what is said there up to the end.
    ///
    /// Nil when nobody listens. Throws with ETIMEDOUT when the end did not come in time, with EMSGSIZE when more came
    /// than `limitBytes`.
    public static func readAll(
        from path: String, within limit: Duration, limitBytes: Int = 64 << 20
    ) throws(IOError) -> [UInt8]? {
        let deadline = Clock.monotonicNanoseconds(after: limit)
        guard let fd = try connect(to: path, until: deadline) else { return nil }
        defer { Glibc.close(fd) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let count = try Socket.receive(fd, into: &chunk) {
                guard count > 0 else { return content }
                content.append(contentsOf: chunk[..<count])
                guard content.count <= limitBytes else {
                    throw IOError(call: "read", number: EMSGSIZE, subject: path)
                }
                continue
            }
            let left = Duration.nanoseconds(deadline - Clock.monotonicNanoseconds())
            guard left > .zero else { throw IOError(call: "read", number: ETIMEDOUT, subject: path) }
            var descriptor = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&descriptor, 1, left.pollMilliseconds)
        }
    }

    /// Nil when nobody listens.
    static func connect(to path: String, until deadline: Int64) throws(IOError) -> Int32? {
        while true {
            let fd = try make(SOCK_STREAM, path)
            let (result, number) = try unsafe withAddress(path) { unsafe (Glibc.connect(fd, $0, $1), errno) }
            if result == 0 { return fd }
            Glibc.close(fd)
            switch number {
            case ENOENT, ECONNREFUSED, ENOTDIR: return nil
            case EAGAIN, EINTR:
                // Its queue is full: others ask as well.
                guard Clock.monotonicNanoseconds() < deadline else {
                    throw IOError(call: "connect", number: ETIMEDOUT, subject: path)
                }
                _ = poll(nil, 0, 5)
            default: throw IOError(call: "connect", number: number, subject: path)
            }
        }
    }

    /// Sends one datagram, and waits for nothing.
    ///
    /// - Parameter name: A path, or an abstract name with "@" for its leading NUL (unix(7)).
    public static func send(_ bytes: [UInt8], to name: String) throws(IOError) {
        let fd = try make(SOCK_DGRAM, name)
        defer { Glibc.close(fd) }
        let sent = try unsafe withAddress(name) { address, length in
            unsafe Int32(
                clamping: sendto(
                    fd, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address,
                    length))
        }
        _ = try IOError.check("sendto", sent, subject: name)
    }

    private static func make(_ kind: __socket_type, _ subject: String) throws(IOError) -> Int32 {
        let type = Int32(kind.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return try IOError.check("socket", socket(AF_UNIX, type, 0), subject: subject)
    }

    /// Calls `body` with the kernel's form of a name.
    private static func withAddress<Value>(
        _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) throws(IOError) -> Value {
        guard !name.utf8.contains(0) else { throw IOError(call: "socket", number: EINVAL, subject: name) }
        guard name.utf8.count > pathLimitBytes else { return unsafe withKernelAddress(name, body) }
        guard !name.hasPrefix("@"), let slash = name.lastIndex(of: "/") else {
            throw IOError(call: "socket", number: ENAMETOOLONG, subject: name)
        }
        // O_PATH, which needs _GNU_SOURCE to be seen: no right to list the folder is wanted.
        let pathOnly: Int32 = 0o10_000_000
        let folder = slash == name.startIndex ? "/" : String(name[..<slash])
        let fd = try IOError.check(
            "open", unsafe open(folder, pathOnly | O_DIRECTORY | O_CLOEXEC), subject: folder)
        defer { Glibc.close(fd) }
        let short = "/proc/self/fd/\(fd)\(name[slash...])"
        guard short.utf8.count <= pathLimitBytes else {
            throw IOError(call: "socket", number: ENAMETOOLONG, subject: name)
        }
        return unsafe withKernelAddress(short, body)
    }

    private static func withKernelAddress<Value>(
        _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = name.hasPrefix("@")
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            for (index, byte) in name.utf8.enumerated() where index < pathLimitBytes {
                unsafe place[index] = isAbstract && index == 0 ? 0 : byte
            }
        }
        // A path ends with its NUL, an abstract name with its length.
        let length = MemoryLayout<sa_family_t>.size + min(name.utf8.count, pathLimitBytes) + (isAbstract ? 0 : 1)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(length))
            }
        }
    }
}
