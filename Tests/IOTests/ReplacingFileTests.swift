import Glibc
import IO
import TestSupport
import Testing

@Suite("A file that is written for a while")
final class ReplacingFileTests {
    private let folder: String

    init() throws { folder = try Files.makeTemporaryFolder("castledger-replacing") }
    deinit { try? Files.removeTree(folder) }

    private func mode(_ path: String) -> UInt32 {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
    }

    @Test func `shows the old content until it is committed, and keeps its mode`() throws {
        let path = folder + "/a"
        try Files.replace(path, with: Array("old".utf8), mode: 0o640)
        let file = try ReplacingFile(path)
        try file.append(Array("new ".utf8))
        try file.append(Array("content".utf8))
        #expect(try Files.read(path) == Array("old".utf8))
        try file.commit()
        #expect(try Files.read(path) == Array("new content".utf8))
        #expect(mode(path) == 0o640)
        #expect(try Files.names(in: folder) == ["a"])
    }

    @Test func `has the mode of new files where there was none`() throws {
        let path = folder + "/new"
        let file = try ReplacingFile(path)
        try file.commit()
        let mask = umask(0)
        umask(mask)
        #expect(mode(path) == 0o666 & ~mask)
    }

    @Test func `that is given up leaves nothing behind`() throws {
        try Files.replace(folder + "/a", with: Array("old".utf8))
        for name in ["a", "b"] {
            let file = try ReplacingFile(folder + "/" + name)
            try file.append(Array(repeating: 7, count: 1 << 20))
        }
        #expect(try Files.names(in: folder) == ["a"])
        #expect(try Files.read(folder + "/a") == Array("old".utf8))
    }

    @Test func `has no name while it is written, so that a killed process leaves nothing behind`() throws {
        let file = try ReplacingFile(folder + "/a")
        try file.append(Array("part".utf8))
        // Where a file system has no unnamed files, the name is there and goes with the process's good end only.
        let names = try Files.names(in: folder)
        #expect(names == [] || names == ["a.\(getpid()).tmp"])
        try file.commit()
        #expect(try Files.names(in: folder) == ["a"])
    }

    @Test func `replaces what a symbolic link points to, and leaves the link`() throws {
        try Files.makeFolders(folder + "/far")
        try Files.replace(folder + "/far/a", with: Array("old".utf8))
        symlink("far/a", folder + "/link")
        let file = try ReplacingFile(folder + "/link")
        try file.append(Array("new".utf8))
        try file.commit()
        #expect(try Files.read(folder + "/far/a") == Array("new".utf8))
        #expect(mode(folder + "/link") & 0o777 == 0o777, "still a link")
        #expect(try Files.names(in: folder) == ["far", "link"])
    }

    @Test func `refuses what is no regular file, and folders that are not there`() throws {
        mkfifo(folder + "/pipe", 0o600)
        for path in [folder, folder + "/pipe", "/dev/null"] {
            #expect(throws: IOError(call: "open", number: EEXIST, subject: path)) { try ReplacingFile(path) }
        }
        #expect(throws: IOError.self) { try ReplacingFile(self.folder + "/none/a") }
        #expect(mode("/dev/null") != 0)
    }
}
