import Archive
import Glibc
import IO

/// A file system in memory that knows what would survive a power cut, and that fails when told to.
final class MemoryFiles: ArchiveFiles {
    struct File {
        var content: [UInt8] = []
        var synced: [UInt8] = []
        var isNameSynced = false
    }

    struct State {
        var files: [String: File] = [:]
        /// What a power cut brings back: removed from a folder that was not synced since.
        var removed: [String: File] = [:]
        var space: (free: Int64, total: Int64) = (1 << 40, 1 << 40)
        var locked: Set<String> = []
        var calls = 0
        var failing: Range<Int> = 0..<0
        var errorNumber: Int32 = EIO
        var syncs = 0
        /// Bytes that cannot be read.
        var unreadable: [String: Range<Int64>] = [:]
        /// Files that need not survive and could not be written.
        var unkept = 0
    }

    let state = Guarded(State())

    init(_ files: [String: [UInt8]] = [:]) {
        state.withLock { state in
            for (path, content) in files {
                state.files[path] = File(content: content, synced: content, isNameSynced: true)
            }
        }
    }

    /// Calls that change something, numbered from 0, fail within this range: a write does half of its work first.
    func fail(_ calls: Range<Int>, _ number: Int32) {
        state.withLock { state in
            state.calls = 0
            state.failing = calls
            state.errorNumber = number
        }
    }

    var calls: Int { state.withLock { $0.calls } }

    /// Paths and contents.
    var contents: [String: [UInt8]] { state.withLock { $0.files.mapValues(\.content) } }

    /// What is left when the power goes: synced content under synced names.
    func afterPowerCut() -> MemoryFiles {
        MemoryFiles(
            state.withLock { state in
                let left = state.files.merging(state.removed) { left, _ in left }
                return left.filter(\.value.isNameSynced).mapValues(\.synced)
            })
    }

    private func change<Result>(
        _ call: String, _ path: String, onFailure: (inout State) -> Void = { _ in },
        _ work: (inout State) throws(IOError) -> Result
    ) throws(IOError) -> Result {
        let (result, failure): (Result?, IOError?) = state.withLock { state in
            defer { state.calls += 1 }
            if state.failing.contains(state.calls) {
                onFailure(&state)
                return (nil, IOError(call: call, number: state.errorNumber, subject: path))
            }
            do throws(IOError) { return (try work(&state), nil) } catch { return (nil, error) }
        }
        if let failure { throw failure }
        guard let result else { throw IOError(call: call, number: EINVAL, subject: path) }
        return result
    }

    func names(in folder: String) throws(IOError) -> [String] {
        let prefix = folder + "/"
        let names = state.withLock { state in
            state.files.keys.filter { $0.hasPrefix(prefix) }.compactMap {
                $0.dropFirst(prefix.count).split(separator: "/").first.map { String($0) }
            }
        }
        return Set(names).sorted()
    }

    func makeFolders(_ path: String) throws(IOError) { try change("mkdir", path) { _ in } }

    func syncFolder(_ path: String) throws(IOError) {
        try change("fsync", path) { state in
            for name in state.files.keys where name.hasPrefix(path + "/") { state.files[name]?.isNameSynced = true }
            for name in state.removed.keys where name.hasPrefix(path + "/") { state.removed[name] = nil }
        }
    }

    func create(_ path: String) throws(IOError) -> any ArchiveFile {
        try change("open", path) { state throws(IOError) in
            guard state.files[path] == nil else { throw IOError(call: "open", number: EEXIST, subject: path) }
            state.files[path] = File()
        }
        return MemoryFile(self, path)
    }

    func open(_ path: String, writing: Bool) throws(IOError) -> any ArchiveFile {
        guard state.withLock({ $0.files[path] != nil }) else {
            throw IOError(call: "open", number: ENOENT, subject: path)
        }
        return MemoryFile(self, path)
    }

    func rename(_ path: String, to other: String) throws(IOError) {
        try change("rename", path) { state throws(IOError) in
            guard state.files[other] == nil else { throw IOError(call: "rename", number: EEXIST, subject: other) }
            state.files[other] = state.files.removeValue(forKey: path)
            state.files[other]?.isNameSynced = true
        }
    }

    func replace(_ path: String, with content: [UInt8], synced: Bool) throws(IOError) {
        try change("replace", path, onFailure: { $0.unkept += synced ? 0 : 1 }) { state in
            let known = state.files[path]
            state.files[path] = File(
                content: content, synced: synced ? content : known?.synced ?? [],
                isNameSynced: synced || known?.isNameSynced == true)
        }
    }

    func remove(_ path: String) throws(IOError) {
        try change("unlink", path) { state in
            if let file = state.files.removeValue(forKey: path) { state.removed[path] = file }
        }
    }

    func removeFolderIfEmpty(_ path: String) {}

    func space(of path: String) throws(IOError) -> (free: Int64, total: Int64) { state.withLock { $0.space } }

    func lock(_ path: String, holder: String) throws(IOError) -> (any ArchiveLock)? {
        let taken = state.withLock { $0.locked.insert(path).inserted }
        return taken ? MemoryLock(self, path) : nil
    }

    private final class MemoryLock: ArchiveLock {
        let files: MemoryFiles
        let path: String
        init(_ files: MemoryFiles, _ path: String) { (self.files, self.path) = (files, path) }
        deinit { files.state.withLock { _ = $0.locked.remove(path) } }
    }

    private final class MemoryFile: ArchiveFile {
        let files: MemoryFiles
        let path: String
        init(_ files: MemoryFiles, _ path: String) { (self.files, self.path) = (files, path) }

        func size() throws(IOError) -> Int64 { files.state.withLock { Int64($0.files[path]?.content.count ?? 0) } }

        func read(at offset: Int64, limit: Int) throws(IOError) -> [UInt8] {
            let (bytes, bad) = files.state.withLock { state in
                let content = state.files[path]?.content ?? []
                return (Array(content.dropFirst(Int(offset)).prefix(limit)), state.unreadable[path] ?? 0..<0)
            }
            if bad.overlaps(offset..<offset + Int64(bytes.count)) {
                throw IOError(call: "pread", number: EIO, subject: path)
            }
            return bytes
        }

        func write(_ bytes: [UInt8], at offset: Int64) throws(IOError) {
            func put(_ bytes: ArraySlice<UInt8>, _ state: inout State) {
                var content = state.files[path]?.content ?? []
                content += [UInt8](repeating: 0, count: max(0, Int(offset) - content.count))
                content.replaceSubrange(Int(offset)..<min(content.count, Int(offset) + bytes.count), with: bytes)
                state.files[path]?.content = content
            }
            try files.change("pwrite", path, onFailure: { put(bytes.prefix(bytes.count / 2), &$0) }) {
                put(bytes[...], &$0)
            }
        }

        func truncate(to size: Int64) throws(IOError) {
            try files.change("ftruncate", path) { state in
                let content = state.files[path]?.content ?? []
                state.files[path]?.content = Array(content.prefix(Int(size)))
            }
        }

        func dataSync() throws(IOError) {
            try files.change("fdatasync", path) { state in
                let content = state.files[path]?.content ?? []
                state.files[path]?.synced = content
                state.syncs += 1
            }
        }
    }
}
