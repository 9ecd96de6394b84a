// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // 'any' is visible
    .enableUpcomingFeature("InternalImportsByDefault"),  // an import does not leak
    .enableUpcomingFeature("MemberImportVisibility"),  // what you use, you import
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // async helpers stay on the caller's thread
    .treatAllWarnings(as: .error),
]

/// Targets that touch C must also spell every unsafe expression `unsafe`.
let touchesC: [SwiftSetting] = strict + [.strictMemorySafety()]

/// A target that only computes: no clock, no thread, no socket.
func pure(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A target that does input and output; what it decides, it decides in files that do neither.
func shell(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: touchesC)
}

/// The headers of one C library, with the few functions that Swift cannot import.
func library(_ name: String, links: [String]) -> Target {
    .target(
        name: name, path: "Sources/C/\(name)", publicHeadersPath: "include",
        linkerSettings: links.map { .linkedLibrary($0) })
}

func tests(of name: String, uses dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "CastLedger",
    products: [.executable(name: "castledger", targets: ["castledger"])],
    targets: [
        // The flow, in order: device -> Discovery -> Sender -> Archive -> Differ -> Store -> Report.
        pure("CastWire"),  // bytes <-> CastMessage
        .target(  // what the messages mean
            name: "CastModel", dependencies: ["CSimdjson"], swiftSettings: touchesC),
        pure("Arguments"),  // command lines -> options, help, mistakes
        pure("Telemetry"),  // log lines and counters
        shell("IO", uses: ["CLinux"]),  // event loop, threads, mailboxes, files, time
        shell("TLS", uses: ["COpenSSL"]),  // plaintext <-> ciphertext
        pure("Recording", uses: ["CastWire", "CastModel"]),  // what we write down: records, positions, gaps
        pure(  // how our sender behaves: the state machine
            "SenderCore", uses: ["CastWire", "CastModel", "Recording"]),
        shell("Discovery", uses: ["CastModel", "IO", "Telemetry", "CAvahi"]),  // mDNS -> roster of devices
        shell(  // roster -> links -> recorded frames
            "Sender", uses: ["CastWire", "CastModel", "SenderCore", "Recording", "IO", "TLS", "Telemetry"]),
        shell(  // records -> disk -> records
            "Archive", uses: ["CastWire", "CastModel", "Recording", "IO", "Telemetry", "CZstd", "CCrypto"]),
        pure("Differ", uses: ["CastWire", "CastModel", "Recording"]),  // records -> change events
        pure("Plays", uses: ["CastModel", "Recording", "Differ"]),  // change events -> plays
        pure("Conflicts", uses: ["CastModel", "Recording", "Differ"]),  // change events -> who undid whom
        shell(  // what a device showed -> who it is
            "Identity", uses: ["CastWire", "Recording", "Differ", "CCertificates"]),
        shell(  // change events -> PostgreSQL, exactly once
            "Store",
            uses: ["CastModel", "Recording", "Differ", "Plays", "Conflicts", "IO", "Telemetry", "CPostgres"]),
        pure(  // change events -> timelines and exports
            "Report", uses: ["CastModel", "Recording", "Differ", "Plays", "Conflicts"]),
        pure(  // plays -> files that other programs open
            "Exports", uses: ["CastModel", "Recording", "Differ", "Plays", "Report"]),
        pure(  // what the page and programs may ask, and in which words they are answered
            "WebCore",
            uses: ["CastModel", "Recording", "Differ", "Plays", "Conflicts", "Report"]),
        .target(  // HTTP: questions in, answers and live changes out
            name: "Web",
            dependencies: [
                "CastModel", "Recording", "Differ", "Plays", "Conflicts", "Report", "Store", "Arguments", "IO",
                "Telemetry", "WebCore", "WebClient", "CMicrohttpd", "CZlib", "CPage", "CSignature",
            ],
            exclude: ["Page", "embed"], swiftSettings: touchesC),
        shell("WebClient", uses: ["CCurl"]),  // a URL -> what a receiver app's page would be answered
        shell(  // simulated devices and phones
            "Fleet",
            uses: ["CastWire", "CastModel", "Recording", "SenderCore", "IO", "TLS", "Telemetry", "Discovery"]),
        shell(  // wires the stages into services
            "Recorder",
            uses: [
                "CastModel", "Recording", "SenderCore", "Discovery", "Sender", "Archive", "Differ", "Identity", "Plays",
                "Conflicts", "Store", "Report", "IO", "TLS", "Telemetry",
            ]),
        .executableTarget(  // arguments in, exit status out
            name: "castledger",
            dependencies: [
                "Arguments", "Recorder", "Fleet", "Archive", "Store", "Report", "Exports", "Recording", "CastModel",
                "Differ",
                "Identity", "Plays", "Conflicts", "Discovery", "Sender", "SenderCore", "IO", "TLS", "Telemetry",
                "WebClient", "Web", "WebCore",
            ],
            swiftSettings: touchesC),

        .executableTarget(  // the budgets, as ratios against plain tools
            name: "castledger-bench",
            dependencies: [
                "Archive", "CastModel", "CastWire", "Differ", "Exports", "IO", "Plays", "Recorder", "Recording",
                "Report",
                "Store", "Telemetry",
            ],
            path: "Benchmarks/castledger-bench", swiftSettings: strict),

        // C libraries: each imported by exactly one Swift file.
        library("CLinux", links: []),
        library("COpenSSL", links: ["ssl", "crypto"]),
        library("CCrypto", links: ["crypto"]),
        library("CCertificates", links: ["crypto"]),
        library("CAvahi", links: ["avahi-client", "avahi-common"]),
        library("CZstd", links: ["zstd"]),
        library("CCurl", links: ["curl"]),
        library("CMicrohttpd", links: ["microhttpd"]),
        library("CZlib", links: ["z"]),
        library("CPage", links: []),
        library("CSignature", links: ["crypto"]),
        .systemLibrary(name: "CPostgres", path: "Sources/C/CPostgres", pkgConfig: "libpq"),
        library("CSimdjson", links: ["simdjson"]),

        // Tests mirror the sources.
        .target(
            name: "TestSupport", dependencies: ["CastModel", "IO"], path: "Tests/TestSupport", swiftSettings: strict),
        tests(of: "CastWire", uses: ["CastWire", "TestSupport"]),
        tests(of: "CastModel", uses: ["CastModel", "IO"]),
        tests(of: "Arguments", uses: ["Arguments", "IO", "TestSupport"]),
        tests(of: "Telemetry", uses: ["Telemetry"]),
        tests(of: "IO", uses: ["IO", "TestSupport"]),
        tests(of: "TLS", uses: ["TLS", "IO"]),
        tests(of: "SenderCore", uses: ["SenderCore", "CastWire", "CastModel", "Recording"]),
        tests(of: "Recording", uses: ["Recording", "CastWire", "CastModel"]),
        tests(of: "Discovery", uses: ["TestSupport", "Discovery", "CastModel", "IO", "Telemetry"]),
        tests(
            of: "Sender",
            uses: [
                "Sender", "SenderCore", "CastWire", "CastModel", "Recording", "Differ", "IO", "TLS", "Telemetry",
                "Fleet", "TestSupport",
            ]),
        tests(
            of: "Archive",
            uses: ["Archive", "Recording", "CastWire", "CastModel", "IO", "Telemetry", "TestSupport"]),
        tests(of: "Differ", uses: ["Differ", "Plays", "Report", "Recording", "CastWire", "CastModel", "TestSupport"]),
        tests(of: "Plays", uses: ["Plays", "Differ", "Recording", "CastWire", "CastModel", "TestSupport"]),
        tests(
            of: "Conflicts",
            uses: ["Conflicts", "Fleet", "Differ", "Recording", "CastWire", "CastModel", "IO", "TestSupport"]),
        tests(of: "Identity", uses: ["Identity", "Differ", "CastWire", "Recording", "IO", "TestSupport"]),
        tests(
            of: "Store",
            uses: [
                "Store", "Plays", "Conflicts", "Differ", "Recording", "CastWire", "CastModel", "IO", "Telemetry",
                "TestSupport",
            ]),
        tests(of: "Report", uses: ["Report", "Telemetry", "Plays", "Conflicts", "Differ", "Recording", "CastModel"]),
        tests(
            of: "Exports",
            uses: [
                "Exports", "Report", "Plays", "Conflicts", "Differ", "Recording", "CastModel", "IO", "TestSupport",
            ]),
        tests(of: "WebCore", uses: ["WebCore", "CastModel", "Recording", "TestSupport"]),
        tests(
            of: "Web",
            uses: [
                "Web", "WebCore", "Store", "Report", "Plays", "Conflicts", "Differ", "Recording", "CastModel", "IO",
                "Telemetry", "TestSupport",
            ]),
        tests(of: "WebClient", uses: ["WebClient", "IO", "TestSupport"]),
        tests(
            of: "Fleet",
            uses: ["Fleet", "Plays", "Differ", "Recording", "CastWire", "CastModel", "IO", "TLS", "Telemetry"]),
        tests(
            of: "Recorder",
            uses: [
                "Recorder", "Archive", "Store", "Discovery", "Fleet", "Sender", "Recording", "CastModel", "CastWire",
                "IO", "TLS", "Telemetry", "TestSupport",
            ]),
        tests(
            of: "EndToEnd",
            uses: [
                "castledger", "TestSupport", "CastWire", "Fleet", "IO", "Recording", "CastModel", "Archive",
                "Telemetry", "Store",
            ]),
        tests(of: "Repository", uses: ["IO"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
