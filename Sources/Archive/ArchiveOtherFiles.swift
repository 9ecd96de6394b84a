import IO

/// What lies in an archive's folder besides segments.
public struct ArchiveOtherFiles: Sendable, Equatable {
    /// Files that hold what a crash left behind a last whole batch.
    public private(set) var torn = 0
    /// Files and folders that are none of ours; every command passes over them.
    public private(set) var foreign = 0

    private static let ownNames: Set = ["writer.lock", "pruned.jsonl", "pruned.jsonl.tmp"]

    /// Counts what lies in the folder and its folders of years, months and days.
    init(_ folder: ArchiveFolder, _ files: any ArchiveFiles) throws(ArchiveError) {
        var paths = [folder.path]
        for digits in [4, 2, 2] {
            var below: [String] = []
            for path in paths {
                for name in try attempt({ () throws(IOError) in try files.names(in: path) }) {
                    if Self.isNumber(name, digits) {
                        below.append("\(path)/\(name)")
                    } else if path != folder.path || !Self.ownNames.contains(name) {
                        foreign += 1
                    }
                }
            }
            paths = below
        }
        let sidecars = try folder.sidecars(files)
        torn = sidecars.count(where: \.isTorn)
        let known = Set(try folder.segments(files).map(folder.path(of:)) + sidecars.map(\.path))
        for path in paths {
            let names = try attempt { () throws(IOError) in try files.names(in: path) }
            foreign += names.count { !known.contains("\(path)/\($0)") }
        }
    }

    private static func isNumber(_ name: String, _ digits: Int) -> Bool {
        name.utf8.count == digits && name.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
