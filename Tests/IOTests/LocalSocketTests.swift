import Glibc
import Testing

@testable import IO

@Suite("Unix sockets")
struct LocalSocketTests {
    private func mode(of path: String) -> mode_t {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
    }

    /// Lengths around the kernel's limit of 107 bytes, and far beyond it.
    @Test(arguments: [40, 106, 107, 108, 250, 1_000])
    func `are found at a path of any length, by their own user only`(length: Int) throws {
        let top = try Files.makeTemporaryFolder("castledger-socket")
        defer { try? Files.removeTree(top) }
        var folder = top
        while folder.utf8.count + 1 + 7 < length {
            folder += "/" + String(repeating: "x", count: min(200, max(1, length - folder.utf8.count - 9)))
        }
        try Files.makeFolders(folder)
        let path = folder + "/" + String(repeating: "s", count: max(1, length - folder.utf8.count - 1))
        let listener = try LocalSocket.listen(at: path)
        #expect(mode(of: path) == 0o600)

        let thread = OwnedThread("answer") {
            var descriptor = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, 10_000)
            guard let fd = try? LocalSocket.accept(listener) else { return }
            _ = try? Socket.send(fd, Array("hello".utf8))
            Socket.close(fd)
        }
        #expect(try LocalSocket.readAll(from: path, within: .seconds(10)) == Array("hello".utf8))
        thread.join()
        Socket.close(listener)
        #expect(try LocalSocket.readAll(from: path, within: .seconds(10)) == nil, "nobody listens any more")
        LocalSocket.remove(path)
        #expect(try LocalSocket.readAll(from: path, within: .seconds(10)) == nil, "nothing is there any more")
    }

    @Test func `take the place of one that a crash left, and of nothing else`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-socket")
        defer { try? Files.removeTree(folder) }
        let path = folder + "/s"
        Socket.close(try LocalSocket.listen(at: path))
        Socket.close(try LocalSocket.listen(at: path))
        LocalSocket.remove(path)
        try Files.replace(path, with: Array("mine".utf8))
        #expect(throws: IOError(call: "bind", number: EADDRINUSE, subject: path)) { try LocalSocket.listen(at: path) }
        #expect(try Files.read(path) == Array("mine".utf8))
    }

    @Test func `give up on one who says nothing, and on one who says too much`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-socket")
        defer { try? Files.removeTree(folder) }
        let path = folder + "/s"
        let listener = try LocalSocket.listen(at: path)
        defer { Socket.close(listener) }
        #expect(throws: IOError(call: "read", number: ETIMEDOUT, subject: path)) {
            try LocalSocket.readAll(from: path, within: .milliseconds(50))
        }
        let thread = OwnedThread("flood") {
            // The first one in the queue is gone.
            for _ in 0..<2 {
                var descriptor = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                poll(&descriptor, 1, 10_000)
                guard let fd = try? LocalSocket.accept(listener) else { return }
                let much = [UInt8](repeating: 65, count: 1_001)
                _ = try? Socket.send(fd, much)
                Socket.close(fd)
            }
        }
        #expect(throws: IOError(call: "read", number: EMSGSIZE, subject: path)) {
            try LocalSocket.readAll(from: path, within: .seconds(10), limitBytes: 1_000)
        }
        thread.join()
    }

    @Test func `tell nobody who waits from somebody who cannot be taken`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-socket")
        defer { try? Files.removeTree(folder) }
        let listener = try LocalSocket.listen(at: folder + "/s")
        defer { Socket.close(listener) }
        #expect(try LocalSocket.accept(listener) == nil)
        #expect(throws: IOError(call: "accept", number: EBADF)) { try LocalSocket.accept(-1) }
    }
}
