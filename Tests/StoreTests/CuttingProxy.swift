import Glibc
import IO
import Testing

/// Passes bytes between a client and the test's PostgreSQL, and cuts both sides off after so many of them.
///
/// A unix socket in a folder of its own. Serves one client at a time; bytes of both directions count.
final class CuttingProxy: Sendable {
    private struct Progress: Sendable {
        var passedBytes = 0
        var limitBytes = Int.max
        var isEnding = false
    }

    /// The folder of its socket: `host=` of an address.
    let folder: TemporaryFolder
    private let server: String
    private let progress = Guarded(Progress())
    private let thread: Guarded<OwnedThread?>

    /// - Parameter server: The path of the real socket.
    init(to server: String) {
        self.server = server
        folder = TemporaryFolder()
        thread = Guarded(nil)
        let listener = Self.socketDescriptor()
        let bound = Self.withAddress("\(folder.path)/.s.PGSQL.5432") { bind(listener, $0, $1) }
        precondition(bound == 0 && listen(listener, 8) == 0, "the proxy cannot listen")
        thread.withLock {
            $0 = OwnedThread("cutting-proxy") {
                self.serve(listener)
                close(listener)
            }
        }
    }

    /// From now on so many bytes pass; then both sides are closed.
    func cut(after bytes: Int) {
        progress.withLock {
            $0.passedBytes = 0
            $0.limitBytes = bytes
        }
    }

    /// Bytes since the last ``cut(after:)``.
    var passedBytes: Int { progress.withLock { $0.passedBytes } }

    func end() {
        progress.withLock { $0.isEnding = true }
        thread.withLock { $0?.join() }
        folder.remove()
    }

    private func serve(_ listener: Int32) {
        while progress.withLock({ !$0.isEnding }) {
            guard Self.isReadable([listener])[0] else { continue }
            let client = accept(listener, nil, nil)
            let upstream = Self.socketDescriptor()
            if Self.withAddress(server, { connect(upstream, $0, $1) }) == 0 { pass(client, upstream) }
            close(client)
            close(upstream)
        }
    }

    private func pass(_ client: Int32, _ upstream: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while progress.withLock({ !$0.isEnding }) {
            let readable = Self.isReadable([client, upstream])
            for (from, to) in [(client, upstream), (upstream, client)] where readable[from == client ? 0 : 1] {
                let count = read(from, &buffer, buffer.count)
                guard count > 0 else { return }
                let allowed = progress.withLock { progress in
                    let allowed = min(count, progress.limitBytes - progress.passedBytes)
                    progress.passedBytes += allowed
                    return allowed
                }
                var written = 0
                while written < allowed {
                    let step = send(to, Array(buffer[written..<allowed]), allowed - written, Int32(MSG_NOSIGNAL))
                    guard step > 0 else { return }
                    written += step
                }
                if allowed < count { return }
            }
        }
    }

    /// Which descriptors have something to read, within a tenth of a second.
    private static func isReadable(_ descriptors: [Int32]) -> [Bool] {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), 100) > 0 else { return descriptors.map { _ in false } }
        return polled.map { $0.revents != 0 }
    }

    private static func socketDescriptor() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
