import Fleet
import Glibc
import IO
import TestSupport
import Testing

/// A datagram socket in the place of the service manager's.
private final class NotifySocket {
    let path: String
    private let fd: Int32
    private(set) var messages: [String] = []

    init(_ path: String) throws {
        self.path = path
        fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            for (index, byte) in path.utf8.enumerated() { place[index] = byte }
        }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit { close(fd) }

    /// Reads until a message fits; nil when none does within a minute.
    func wait(for fits: (String) -> Bool) -> String? {
        let deadline = Clock.monotonicNanoseconds(after: .seconds(60))
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while Clock.monotonicNanoseconds() < deadline {
            var descriptor = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 1_000) > 0 else { continue }
            let count = recv(fd, &buffer, buffer.count, 0)
            guard count > 0 else { continue }
            let message = String(decoding: buffer[..<count], as: UTF8.self)
            messages.append(message)
            if fits(message) { return message }
        }
        return nil
    }
}

@Suite("A recorder under a service manager", .serialized, .waits)
struct ServiceManagerTests {
    @Test func `is ready before its database is, gives signs of life, and tells of reload and end`() throws {
        let world = try World(devices: 2)
        defer { world.end() }
        let notify = try NotifySocket(world.folder + "/notify")
        try world.startAlone(
            ["--no-discovery"] + world.fleet.endpoints.flatMap { ["--device", "\($0.host):\($0.port)"] },
            runner: ["env", "NOTIFY_SOCKET=\(notify.path)", "WATCHDOG_USEC=2000000"])
        #expect(notify.wait { _ in true } == "READY=1", "and it comes first")
        #expect(notify.wait { $0.hasPrefix("STATUS=") }?.contains("database not reached yet") == true)
        for _ in 0..<3 { #expect(notify.wait { $0 == "WATCHDOG=1" } != nil) }
        #expect(notify.wait { $0 == "STATUS=2 of 2 devices linked; database up to date" } != nil)

        let before = Clock.serviceManagerMicroseconds()
        world.recorder?.send(SIGHUP)
        let reloading = try #require(notify.wait { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
        let moment = try #require(reloading.split(separator: "=").last.flatMap { Int64($0) })
        #expect((before...Clock.serviceManagerMicroseconds()).contains(moment))
        #expect(notify.wait { $0 == "READY=1" } != nil)

        world.recorder?.send(SIGTERM)
        #expect(notify.wait { $0 == "STOPPING=1" } != nil)
        #expect(world.stopRecorder() == .code(0))
        #expect(notify.messages.count { $0.contains("READY=1") } == 2, "PostgreSQL says the same where it can")
        #expect(notify.messages.last == "STOPPING=1")
    }
}
