import Glibc
import IO
import TestSupport

/// What a disk holds, as the running system sees it and as it will be after a power cut.
///
/// Harsher than any one file system: of what was not synced, each sector and each name survives by itself or does not; and
/// after a failed sync the kernel takes the pages for clean, so that the next sync does not write them ("fsyncgate").
struct FaultyDisk {
    enum Change {
        case write(Int, [UInt8])
        case cut(Int)
    }

    struct Node {
        var content: [UInt8] = []
        /// What the disk holds for certain.
        var durable: [UInt8] = []
        /// What the next sync writes.
        var pending: [Change] = []
    }

    static let sectorBytes = 512

    var nodes: [Int: Node] = [:]
    /// Paths, and the nodes that they lead to now.
    var names: [String: Int] = [:]
    /// The same as far as the folders were synced.
    var durableNames: [String: Int] = [:]
    var folders: Set<String> = []
    var durableFolders: Set<String> = []
    var locked: Set<String> = []
    var random: SeededNumbers

    mutating func make(_ path: String) {
        let node = nodes.count
        nodes[node] = Node()
        names[path] = node
    }

    mutating func change(_ node: Int, _ change: Change) {
        Self.apply(change, to: &nodes[node, default: Node()].content)
        nodes[node]?.pending.append(change)
    }

    mutating func sync(_ node: Int) {
        for change in nodes[node]?.pending ?? [] { Self.apply(change, to: &nodes[node, default: Node()].durable) }
        nodes[node]?.pending = []
    }

    /// A sync that fails: some sectors were written, and the rest never will be.
    mutating func failToSync(_ node: Int) {
        for change in nodes[node]?.pending ?? [] { applySectors(of: change, to: node) }
        nodes[node]?.pending = []
    }

    mutating func syncFolder(_ folder: String) {
        for (path, node) in names where Self.folder(of: path) == folder { durableNames[path] = node }
        for path in durableNames.keys where Self.folder(of: path) == folder && names[path] == nil {
            durableNames[path] = nil
        }
        for path in folders where Self.folder(of: path) == folder { durableFolders.insert(path) }
    }

    /// Bytes of all files.
    var usedBytes: Int { names.values.reduce(0) { $0 + (nodes[$1]?.content.count ?? 0) } }

    /// The power goes, and comes back.
    mutating func cutPower() {
        for node in nodes.keys.sorted() { settle(node) }
        var survivors: [String: Int] = [:]
        var old: [Int: String] = [:]
        for (path, node) in durableNames { old[node] = path }
        for (path, node) in names.sorted(by: { $0.key < $1.key }) {
            guard let before = old[node] else {
                if random.isOne(in: 2) { survivors[path] = node }
                continue
            }
            // A rename happened as a whole or did not.
            survivors[before == path || random.isOne(in: 2) ? path : before] = node
        }
        var lostFolders: [String] = []
        for folder in folders.subtracting(durableFolders).sorted() where random.isOne(in: 2) {
            lostFolders.append(folder)
        }
        func isLost(_ path: String) -> Bool { lostFolders.contains { path == $0 || path.hasPrefix($0 + "/") } }
        folders = folders.filter { !isLost($0) }
        names = survivors.filter { !isLost($0.key) }
        durableNames = names
        durableFolders = folders
        locked = []
    }

    /// What was not synced reaches the disk up to some byte, or sector by sector in any order.
    private mutating func settle(_ node: Int) {
        let pending = nodes[node]?.pending ?? []
        if random.isOne(in: 2) {
            let whole = Int.random(in: 0...pending.count, using: &random)
            for change in pending.prefix(whole) { Self.apply(change, to: &nodes[node, default: Node()].durable) }
            if whole < pending.count, case .write(let offset, let bytes) = pending[whole] {
                let part = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
                Self.apply(.write(offset, part), to: &nodes[node, default: Node()].durable)
            }
        } else {
            for change in pending { applySectors(of: change, to: node) }
        }
        nodes[node]?.pending = []
        let durable = nodes[node]?.durable ?? []
        nodes[node]?.content = durable
    }

    private mutating func applySectors(of change: Change, to node: Int) {
        guard case .write(let offset, let bytes) = change else {
            if random.isOne(in: 2) { Self.apply(change, to: &nodes[node, default: Node()].durable) }
            return
        }
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, ((offset + start) / Self.sectorBytes + 1) * Self.sectorBytes - offset)
            if random.isOne(in: 2) {
                let sector = Change.write(offset + start, Array(bytes[start..<end]))
                Self.apply(sector, to: &nodes[node, default: Node()].durable)
            }
            start = end
        }
    }

    private static func apply(_ change: Change, to content: inout [UInt8]) {
        switch change {
        case .cut(let size):
            content = Array(content.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - content.count))
        case .write(_, let bytes) where bytes.isEmpty: break
        case .write(let offset, let bytes):
            content += [UInt8](repeating: 0, count: max(0, offset - content.count))
            content.replaceSubrange(offset..<min(content.count, offset + bytes.count), with: bytes)
        }
    }

    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
