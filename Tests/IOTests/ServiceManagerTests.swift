import Glibc
import Testing

@testable import IO

@Suite("The service manager")
struct ServiceManagerTests {
    @Test func `is told with one assignment per line, at a path or an abstract name`() throws {
        for (index, isAbstract) in [false, true].enumerated() {
            let folder = try Files.makeTemporaryFolder("castledger-notify")
            defer { try? Files.removeTree(folder) }
            let name = isAbstract ? "@castledger-test-\(ThisProcess.id)-\(index)" : folder + "/notify"
            let fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(fd) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { place in
                for (index, byte) in name.utf8.enumerated() { place[index] = isAbstract && index == 0 ? 0 : byte }
            }
            let length = socklen_t(2 + name.utf8.count + (isAbstract ? 0 : 1))
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, length) }
            }
            try #require(bound == 0)
            ServiceManager(socketName: name).tell([("STATUS", "one\nREADY=1\r\nthree"), ("WATCHDOG", "1")])
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = recv(fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            #expect(
                String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "STATUS=one READY=1 three\nWATCHDOG=1")
        }
    }

    @Test(arguments: [nil, "", "@", "relative", "/nowhere/at/all"])
    func `that is none, or away, holds up nothing`(name: String?) {
        ServiceManager(socketName: name).tell([("READY", "1")])
    }

    static let intervals: [(String?, String?, String?, Duration?)] = [
        ("/n", "60000000", nil, .seconds(60)), ("/n", "60000000", "7", .seconds(60)), ("/n", "60000000", "8", nil),
        ("/n", "60000000", "seven", nil), ("/n", "0", nil, nil), ("/n", "-5", nil, nil), ("/n", "soon", nil, nil),
        ("/n", nil, nil, nil), (nil, "60000000", nil, nil),
    ]

    @Test(arguments: intervals.indices)
    func `wants signs of life when it says so, of the process that it means`(index: Int) {
        let (name, microseconds, process, expected) = Self.intervals[index]
        let manager = ServiceManager(
            socketName: name, watchdogMicroseconds: microseconds, watchdogProcess: process, processID: 7)
        #expect(manager.watchdogInterval == expected)
    }
}
