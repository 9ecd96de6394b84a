import Testing

/// The folder tree is the architecture; this table is its law.
///
/// Adding an edge is a design decision: change the table in the same commit, and say why in the message.
/// Everyone may import the standard library and `Synchronization`.
private let allowedImports: [String: Set<String>] = [
    "CastWire": [],
    "CastModel": ["CSimdjson"],
    "Arguments": [],
    "Telemetry": [],
    "IO": ["CLinux", "Glibc"],
    "TLS": ["COpenSSL"],
    "SenderCore": ["CastWire", "CastModel", "Recording"],
    "Recording": ["CastWire", "CastModel"],
    "Discovery": ["CastModel", "IO", "Telemetry", "CAvahi", "Glibc"],
    "Sender": ["CastWire", "CastModel", "SenderCore", "Recording", "IO", "TLS", "Telemetry"],
    "Archive": ["CastWire", "CastModel", "Recording", "IO", "Telemetry", "CZstd", "CCrypto", "Glibc"],
    "Differ": ["CastModel", "CastWire", "Recording"],
    "Plays": ["CastModel", "Recording", "Differ"],
    "Conflicts": ["CastModel", "Recording", "Differ"],
    "Identity": ["CastWire", "Recording", "Differ", "CCertificates"],
    "Store": ["CastModel", "Recording", "Differ", "Plays", "Conflicts", "IO", "Telemetry", "CPostgres", "Glibc"],
    "Report": ["CastModel", "Recording", "Differ", "Plays", "Conflicts"],
    "Exports": ["CastModel", "Recording", "Differ", "Plays", "Report"],
    "WebClient": ["CCurl"],
    "WebCore": ["CastModel", "Recording", "Differ", "Plays", "Conflicts", "Report"],
    "Web": [
        "CastModel", "Recording", "Differ", "Plays", "Conflicts", "Report", "Store", "Arguments", "IO", "Telemetry",
        "WebCore", "WebClient", "CMicrohttpd", "CZlib", "CPage", "CSignature", "Glibc",
    ],
    "Fleet": ["CastWire", "CastModel", "Recording", "SenderCore", "IO", "TLS", "Telemetry", "Discovery"],
    "Recorder": [
        "CastModel", "Recording", "SenderCore", "Discovery", "Sender", "Archive", "Differ", "Identity", "Plays",
        "Conflicts", "Store",
        "Report", "IO", "TLS", "Telemetry", "Glibc",
    ],
    "castledger": [
        "Arguments", "Recorder", "Fleet", "Archive", "Store", "Report", "Exports", "Recording", "CastModel", "CastWire",
        "Differ",
        "Identity", "Plays", "Conflicts", "Discovery", "Sender", "SenderCore", "IO", "TLS", "Telemetry", "WebClient",
        "Web", "WebCore", "Glibc",
    ],
]

/// Targets that compute: they may not see the operating system, not even through Glibc.
private let pureTargets = [
    "CastWire", "CastModel", "Arguments", "Telemetry", "SenderCore", "Recording", "Differ", "Plays",
    "Conflicts", "Report", "Exports", "WebCore",
]

@Suite("The import law")
struct ImportLawTests {
    @Test(arguments: allowedImports.keys.sorted())
    func `a module imports only what its layer allows`(module: String) throws {
        let allowed = try #require(allowedImports[module]).union(["Synchronization", "FoundationEssentials"])
        for file in try Tree.files(below: "Sources/\(module)", named: ".swift") {
            let forbidden = try Tree.imports(file).subtracting(allowed)
            #expect(forbidden.isEmpty, "\(file) imports \(forbidden.sorted())")
        }
    }

    @Test func `the table names every target, and only targets`() throws {
        let modules = Set(try Tree.files(below: "Sources", named: ".swift").map { String($0.split(separator: "/")[1]) })
        #expect(modules == Set(allowedImports.keys))
    }

    @Test func `each C module is imported by exactly one Swift file`() throws {
        var importers: [String: [String]] = [:]
        let modules = Set(try Tree.files(below: "Sources/C", named: "").isEmpty ? [] : cModules())
        for file in try Tree.files(below: "Sources", named: ".swift") {
            for module in try Tree.imports(file).intersection(modules) { importers[module, default: []].append(file) }
        }
        #expect(Set(importers.keys) == modules)
        for (module, files) in importers { #expect(files.count == 1, "\(module) is imported by \(files)") }
    }

    @Test func `pure targets see neither the operating system nor Foundation`() throws {
        for target in pureTargets {
            for file in try Tree.files(below: "Sources/\(target)", named: ".swift") {
                let imports = try Tree.imports(file)
                #expect(
                    imports.isDisjoint(with: ["Glibc", "Foundation", "FoundationEssentials", "Dispatch"]), "\(file)")
            }
        }
    }

    @Test func `only the list of permitted messages and the fleet can write frames`() throws {
        for file in try Tree.files(below: "Sources", named: ".swift") {
            let writer = file == "Sources/SenderCore/PermittedMessage.swift" || file.hasPrefix("Sources/Fleet/")
            guard !writer, file != "Sources/CastWire/FrameEncoder.swift" else { continue }
            #expect(try !Tree.text(file).contains("FrameEncoder."), "\(file) writes frames by itself")
            #expect(try !Tree.text(file).contains("encodedBody("), "\(file) writes message bodies by itself")
        }
    }

    private func cModules() throws -> [String] {
        try [
            "CAvahi", "CCertificates", "CCrypto", "CCurl", "CLinux", "CMicrohttpd", "COpenSSL", "CPage", "CPostgres",
            "CSignature", "CSimdjson", "CZlib", "CZstd",
        ].filter { name in
            try #require(Tree.isFolder("Sources/C/\(name)"), "\(name) is gone: take it off the list")
            return true
        }
    }
}
