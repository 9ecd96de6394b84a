import Glibc
import IO
import Telemetry
import Testing

@testable import Recorder

@Suite("Signs of life")
struct LifeSignTests {
    @Test func `a thread hangs when it has been silent for longer than a healthy one can be`() {
        let second: Int64 = 1_000_000_000
        let signs = [
            LifeSign(thread: "cast-loop", at: 100 * second, limit: .seconds(30)),
            LifeSign(thread: "archive", at: 120 * second, limit: .seconds(30)),
            LifeSign(thread: "project", at: 0, limit: .seconds(300)),
        ]
        #expect(LifeSign.hung(signs, now: 130 * second) == [])
        #expect(LifeSign.hung(signs, now: 130 * second + 1) == ["cast-loop"])
        #expect(LifeSign.hung(signs, now: 151 * second) == ["cast-loop", "archive"])
        #expect(LifeSign.hung(signs, now: 301 * second) == ["cast-loop", "archive", "project"])
    }
}

@Suite("What the service manager is told")
struct ServiceNotifierTests {
    @Test func `that we are ready is said again until the manager has room for it`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-notify")
        defer { try? Files.removeTree(folder) }
        let path = folder + "/notify"
        let fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(fd) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, length) }
        }
        try #require(bound == 0)
        func heard() -> [String] {
            var all: [String] = []
            var buffer = [UInt8](repeating: 0, count: 100)
            while case let count = recv(fd, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count >= 0 {
                all.append(String(decoding: buffer.prefix(count), as: UTF8.self))
            }
            return all
        }
        let manager = ServiceManager(socketName: path)
        // The queue of a unix socket has room for some ten datagrams (net.unix.max_dgram_qlen).
        while manager.tell([("FILL", "1")]) {}
        var notifier = ServiceNotifier(manager, log: .silent)
        notifier.ready()
        notifier.tick(status: "", lifeSigns: [], now: 0)
        #expect(!heard().contains("READY=1"))
        notifier.tick(status: "", lifeSigns: [], now: 1_000_000_000)
        #expect(heard() == ["READY=1"])
        notifier.tick(status: "", lifeSigns: [], now: 2_000_000_000)
        #expect(heard() == [])
    }
}
