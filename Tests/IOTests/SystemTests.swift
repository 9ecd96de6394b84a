import Glibc
import IO
import TestSupport
import Testing

@Suite("Files, processes and addresses")
final class SystemTests {
    /// Each test has a folder of its own.
    private let temporaryFolder: String

    init() throws { temporaryFolder = try Files.makeTemporaryFolder("castledger-io") }
    deinit { try? Files.removeTree(temporaryFolder) }

    @Test func `a replaced file is the new content, with its mode`() throws {
        let folder = temporaryFolder
        try Files.replace(folder + "/a", with: Array("one".utf8))
        try Files.replace(folder + "/a", with: Array("two".utf8))
        #expect(try Files.read(folder + "/a") == Array("two".utf8))
        #expect(try Files.names(in: folder) == ["a"])
        var facts = stat()
        #expect(stat(folder + "/a", &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
    }

    @Test func `a tree is removed whole, and removing nothing is no error`() throws {
        let folder = temporaryFolder
        try Files.makeFolders(folder + "/x/y")
        try Files.replace(folder + "/x/y/a", with: [])
        try Files.removeTree(folder)
        #expect(!Files.exists(folder))
        try Files.removeTree(folder)
    }

    @Test func `folders are made down to the last, twice without harm`() throws {
        let folder = temporaryFolder
        try Files.makeFolders(folder + "/x/y/z")
        try Files.makeFolders(folder + "/x/y/z")
        #expect(try Files.names(in: folder + "/x/y") == ["z"])
    }

    @Test func `an error names the call, the file and the reason`() {
        #expect {
            try Files.read("/nowhere/at/all")
        } throws: { error in
            "\(error)" == "open /nowhere/at/all: No such file or directory"
        }
    }

    @Test func `everyone may pass a folder only when all folders above it are open, too`() throws {
        let folder = temporaryFolder
        try Files.makeFolders(folder + "/above/below", mode: 0o711)
        chmod(folder, 0o711)
        #expect(Files.everyoneMayPass(folder + "/above/below"))
        chmod(folder + "/above", 0o700)
        #expect(!Files.everyoneMayPass(folder + "/above/below"))
        chmod(folder + "/above", 0o711)
        chmod(folder + "/above/below", 0o710)
        #expect(!Files.everyoneMayPass(folder + "/above/below"))
        #expect(!Files.everyoneMayPass(folder + "/nowhere"))
    }

    @Test func `a link says where it points, whether that exists or not, and nothing else is a link`() throws {
        let folder = temporaryFolder
        try Files.replace(folder + "/file", with: [])
        #expect(symlink("../nowhere/at/all", folder + "/link") == 0)
        #expect(Files.linkTarget(folder + "/link") == "../nowhere/at/all")
        #expect(Files.linkTarget(folder + "/file") == nil)
        #expect(Files.linkTarget(folder + "/missing") == nil)
    }

    @Test func `a lock can be looked at without being taken`() throws {
        let path = temporaryFolder + "/lock"
        #expect(FileLock.isHeld(path) == nil)
        var lock = try FileLock.take(path, holder: "process 7")
        #expect(FileLock.isHeld(path) == true)
        #expect(lock != nil)
        lock = nil
        #expect(FileLock.isHeld(path) == false)
        #expect(String(decoding: try Files.read(path), as: UTF8.self) == "process 7")
    }

    @Test func `a lock is held by one, who is named, until it is given back`() throws {
        let path = temporaryFolder + "/lock"
        var first = try FileLock.take(path, holder: "process 7")
        #expect(first != nil)
        #expect(try FileLock.take(path, holder: "process 8") == nil)
        #expect(try Files.read(path) == Array("process 7".utf8))
        first = nil
        #expect(try FileLock.take(path, holder: "process 9") != nil)
    }

    @Test func `a lock that is given back is free, whoever has a copy of its descriptor`() throws {
        let path = temporaryFolder + "/lock"
        var lock = try FileLock.take(path, holder: "process 7")
        #expect(lock != nil)
        let held = try Files.names(in: "/proc/self/fd").compactMap { Int32($0) }
            .first { Files.linkTarget("/proc/self/fd/\($0)") == path }
        // As a child has it between fork and exec.
        let copy = fcntl(try #require(held), F_DUPFD_CLOEXEC, 3)
        defer { close(copy) }
        lock = nil
        #expect(try FileLock.take(path, holder: "process 8") != nil)
    }

    @Test func `a program in a group of its own does not get the signals of our terminal`() throws {
        // Field 5 of /proc/<pid>/stat is the process group (proc(5)); a shell's child is in the shell's group.
        let path = temporaryFolder + "/group"
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let words = ["sh", "-c", "cut -d ' ' -f 5 /proc/self/stat"]
        let apart = try ChildProcess(words, inOwnGroup: true, output: file)
        #expect(apart.wait() == .code(0))
        let beside = try ChildProcess(words, output: file)
        #expect(beside.wait() == .code(0))
        #expect(String(decoding: try Files.read(path), as: UTF8.self) == "\(apart.id)\n\(getpgrp())\n")
    }

    @Test func `a program's output, exit code and signal come back`() throws {
        let (exit, output) = try ChildProcess.run(["sh", "-c", "printf hello; exit 3"])
        #expect(exit == .code(3))
        #expect(output == Array("hello".utf8))
        let endless = try ChildProcess(["tail", "-f", "/dev/null"])
        #expect(endless.exitIfEnded() == nil)
        endless.send(SIGKILL)
        #expect(endless.wait() == .signal(SIGKILL))
        #expect(try ChildProcess.run(["/no/such/program"]).0 == .code(127))
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:8009"), ("2001:db8::7", "[2001:db8::7]:8009"), ("fe80::1%lo", "[fe80::1%lo]:8009"),
    ])
    func `a numeric address is understood`(host: String, text: String) throws {
        #expect(try #require(SocketAddress(host: host, port: 8009)).description == text)
    }

    @Test(arguments: ["", "tv.local", "1.2.3", "1.2.3.4.5", ":::", "127.0.0.1\0"])
    func `a name is no numeric address`(host: String) {
        #expect(SocketAddress(host: host, port: 8009) == nil)
    }

    @Test func `a refused connection says so, with the address`() throws {
        let closed = try ClosedPort()
        let address = try #require(SocketAddress(host: "127.0.0.1", port: closed.port))
        #expect {
            let fd = try Socket.connect(to: address)
            defer { Socket.close(fd) }
            var ready = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
            poll(&ready, 1, 10_000)
            try Socket.connectResult(fd, address: address)
        } throws: { error in
            "\(error)" == "connect 127.0.0.1:\(closed.port): Connection refused"
        }
    }
}
