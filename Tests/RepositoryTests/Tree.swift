import IO

/// The checkout that these tests were built from.
enum Tree {
    /// The repository's top folder.
    static let root: String = {
        // #filePath is <root>/Tests/RepositoryTests/Tree.swift.
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    /// All files below a folder, as paths from the root, sorted.
    ///
    /// Hidden folders and build output are left out.
    static func files(below folder: String, named suffix: String) throws -> [String] {
        var found: [String] = []
        var folders = [folder]
        while let next = folders.popLast() {
            for name in try Files.names(in: root + "/" + next) where !name.hasPrefix(".") {
                let path = next.isEmpty ? name : next + "/" + name
                if name.hasSuffix(suffix) { found.append(path) } else if isFolder(path) { folders.append(path) }
            }
        }
        return found.sorted()
    }

    static func isFolder(_ path: String) -> Bool { (try? Files.names(in: root + "/" + path)) != nil }

    static func text(_ path: String) throws -> String {
        String(decoding: try Files.read(root + "/" + path), as: UTF8.self)
    }

    static func lines(_ path: String) throws -> [Substring] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The modules that a Swift file imports, whatever the import's access level and attributes.
    static func imports(_ path: String) throws -> Set<String> {
        var modules: Set<String> = []
        for line in try lines(path) {
            let words = line.split(separator: " ").drop { $0.hasPrefix("@") || accessLevels.contains($0) }
            guard words.first == "import" else { continue }
            // "import struct Foo.Bar" names a kind first.
            guard let name = words.dropFirst().first(where: { !importKinds.contains($0) }) else { continue }
            modules.insert(String(name.prefix { $0 != "." }))
        }
        return modules
    }

    private static let accessLevels: Set<Substring> = ["public", "package", "internal", "private", "fileprivate"]
    private static let importKinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let"]
}
