import Archive
import Glibc
import IO
import TestSupport

/// A file system in memory that fails as disks do, by a seed: calls that fail at any moment, disks that fill up, power cuts
/// that keep any part of what was not synced, and reads that give other bytes.
final class FaultyFiles: ArchiveFiles {
    struct State {
        var disk: FaultyDisk
        /// One call in so many fails; nil for none.
        var oneFailsIn: Int?
        /// One read in so many gives a flipped bit; nil for none.
        var oneReadLiesIn: Int?
        /// Bytes that all files together may have; nil for no limit.
        var roomBytes: Int?
        /// Whether every fdatasync fails.
        var syncFails = false
        /// Faults that happened.
        var faults = 0
    }

    let state: Guarded<State>

    init(seed: UInt64) { state = Guarded(State(disk: FaultyDisk(random: SeededNumbers(seed: seed)))) }

    /// Paths and contents, as the running system sees them.
    var contents: [String: [UInt8]] {
        state.withLock { state in state.disk.names.mapValues { state.disk.nodes[$0]?.content ?? [] } }
    }

    /// No fault from now on; what was broken stays broken.
    func heal() {
        state.withLock { state in (state.oneFailsIn, state.oneReadLiesIn, state.roomBytes) = (nil, nil, nil) }
    }

    /// The process dies: what the kernel has stays as it is.
    func endProcess() { state.withLock { $0.disk.locked = [] } }

    func cutPower() { state.withLock { $0.disk.cutPower() } }

    /// Does `work`, unless a fault comes first; `else` is what happens before the call fails.
    private func call<Result>(
        _ call: String, _ path: String, reading: Bool = false, else partly: (inout State) -> Void = { _ in },
        _ work: (inout State) throws(IOError) -> Result
    ) throws(IOError) -> Result {
        let (result, failure): (Result?, IOError?) = state.withLock { state in
            if let times = state.oneFailsIn, state.disk.random.isOne(in: times) {
                state.faults += 1
                partly(&state)
                let all = [EIO, ENOSPC, EROFS, EDQUOT]
                let number = all[reading ? 0 : Int.random(in: all.indices, using: &state.disk.random)]
                return (nil, IOError(call: call, number: number, subject: path))
            }
            do throws(IOError) { return (try work(&state), nil) } catch { return (nil, error) }
        }
        if let failure { throw failure }
        guard let result else { throw IOError(call: call, number: EINVAL, subject: path) }
        return result
    }

    func names(in folder: String) throws(IOError) -> [String] {
        try call("opendir", folder, reading: true) { state in
            let start = Array((folder + "/").utf8)
            let all = Array(state.disk.names.keys) + state.disk.folders
            return all.filter { path in
                path.utf8.starts(with: start) && !path.utf8.dropFirst(start.count).contains(UInt8(ascii: "/"))
            }.map { String($0.dropFirst(start.count)) }.sorted()
        }
    }

    func makeFolders(_ path: String) throws(IOError) {
        let parent = FaultyDisk.folder(of: path)
        if !parent.isEmpty { try makeFolders(parent) }
        try call("mkdir", path) { _ = $0.disk.folders.insert(path) }
        try syncFolder(parent)
    }

    func syncFolder(_ path: String) throws(IOError) { try call("fsync", path) { $0.disk.syncFolder(path) } }

    func create(_ path: String) throws(IOError) -> any ArchiveFile {
        let node = try call("open", path) { state throws(IOError) in
            guard state.disk.names[path] == nil else { throw IOError(call: "open", number: EEXIST, subject: path) }
            guard state.disk.folders.contains(FaultyDisk.folder(of: path)) else {
                throw IOError(call: "open", number: ENOENT, subject: path)
            }
            state.disk.make(path)
            return state.disk.names[path] ?? 0
        }
        return FaultyFile(self, path, node)
    }

    func open(_ path: String, writing: Bool) throws(IOError) -> any ArchiveFile {
        let node = try call("open", path, reading: !writing) { state throws(IOError) in
            guard let node = state.disk.names[path] else { throw IOError(call: "open", number: ENOENT, subject: path) }
            return node
        }
        return FaultyFile(self, path, node)
    }

    func rename(_ path: String, to other: String) throws(IOError) {
        try call("rename", path) { state throws(IOError) in
            guard state.disk.names[other] == nil else {
                throw IOError(call: "rename", number: EEXIST, subject: other)
            }
            state.disk.names[other] = state.disk.names.removeValue(forKey: path)
        }
        try syncFolder(FaultyDisk.folder(of: other))
    }

    func replace(_ path: String, with content: [UInt8], synced: Bool) throws(IOError) {
        try call("replace", path) { state in
            state.disk.make(path)
            guard let node = state.disk.names[path] else { return }
            state.disk.change(node, .write(0, content))
            if synced { state.disk.sync(node) }
        }
        if synced { try syncFolder(FaultyDisk.folder(of: path)) }
    }

    func remove(_ path: String) throws(IOError) { try call("unlink", path) { $0.disk.names[path] = nil } }
    func removeFolderIfEmpty(_ path: String) {}
    func space(of path: String) throws(IOError) -> (free: Int64, total: Int64) { (1 << 30, 1 << 30) }

    func lock(_ path: String, holder: String) throws(IOError) -> (any ArchiveLock)? {
        let taken = try call("open", path) { $0.disk.locked.insert(path).inserted }
        return taken ? FaultyLock(self, path) : nil
    }

    private final class FaultyLock: ArchiveLock {
        let files: FaultyFiles
        let path: String
        init(_ files: FaultyFiles, _ path: String) { (self.files, self.path) = (files, path) }
        deinit { files.state.withLock { _ = $0.disk.locked.remove(path) } }
    }

    private final class FaultyFile: ArchiveFile {
        let files: FaultyFiles
        let path: String
        let node: Int
        init(_ files: FaultyFiles, _ path: String, _ node: Int) {
            (self.files, self.path, self.node) = (files, path, node)
        }

        func size() throws(IOError) -> Int64 {
            try files.call("lseek", path, reading: true) { Int64($0.disk.nodes[self.node]?.content.count ?? 0) }
        }

        func read(at offset: Int64, limit: Int) throws(IOError) -> [UInt8] {
            try files.call("pread", path, reading: true) { state in
                var bytes = Array((state.disk.nodes[self.node]?.content ?? []).dropFirst(Int(offset)).prefix(limit))
                if let times = state.oneReadLiesIn, !bytes.isEmpty, state.disk.random.isOne(in: times) {
                    state.faults += 1
                    bytes[Int.random(in: bytes.indices, using: &state.disk.random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &state.disk.random)
                }
                return bytes
            }
        }

        func write(_ bytes: [UInt8], at offset: Int64) throws(IOError) {
            let torn: (inout State) -> Void = { state in
                let count = Int.random(in: 0...bytes.count, using: &state.disk.random)
                state.disk.change(self.node, .write(Int(offset), Array(bytes.prefix(count))))
            }
            try files.call("pwrite", path, else: torn) { state throws(IOError) in
                let size = state.disk.nodes[self.node]?.content.count ?? 0
                let growth = max(0, Int(offset) + bytes.count - size)
                if let room = state.roomBytes, state.disk.usedBytes + growth > room {
                    state.faults += 1
                    let fitting = max(0, bytes.count - (state.disk.usedBytes + growth - room))
                    state.disk.change(self.node, .write(Int(offset), Array(bytes.prefix(fitting))))
                    throw IOError(call: "pwrite", number: ENOSPC, subject: self.path)
                }
                state.disk.change(self.node, .write(Int(offset), bytes))
            }
        }

        func truncate(to size: Int64) throws(IOError) {
            try files.call("ftruncate", path) { $0.disk.change(self.node, .cut(Int(size))) }
        }

        func dataSync() throws(IOError) {
            try files.call("fdatasync", path, else: { $0.disk.failToSync(self.node) }) { state throws(IOError) in
                if state.syncFails {
                    state.disk.failToSync(self.node)
                    throw IOError(call: "fdatasync", number: EIO, subject: self.path)
                }
                state.disk.sync(self.node)
            }
        }
    }
}
