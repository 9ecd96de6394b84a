import CastModel
import Fleet
import Glibc
import IO
import TestSupport
import Testing

// Goal: what a device calls itself, and what an app says that it plays, is text and nothing else, wherever it is shown.
// Method: devices with such names, phones that play such titles, one true recording; then every command reads it.
@Suite("Names that want to be more than names", .serialized, .waits)
struct HostileNamesTests {
    private static let texts = [
        "\"><script>alert(1)</script>", "'; DROP TABLE change_event; --", "\u{202E}gnp.exe\u{2066}\u{200B}",
        "\u{1B}[2J\u{1B}]0;owned\u{7}\ntime=2026 level=error msg=forged", String(repeating: "N", count: 20_000),
        "nul\u{0}nul\u{9B}31m", "Z" + String(repeating: "\u{0301}", count: 10_000),
        "\\x'00' $(reboot) `reboot` %s%n {{7*7}}", "\u{2028}a,\"b\"\r\n=1+1",
    ]

    /// As a device's name: longer ones are cut, and stand in full only in the frames of the archive.
    private static let names = texts.map { String($0.unicodeScalars.prefix(256)) }

    /// What steers a terminal, ends a line where none ends, or turns a text around.
    private func harmful(_ text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E,
                0x2060...0x206F, 0xFEFF:
                true
            default: false
            }
        }.map { "U+\(String($0.value, radix: 16))" }
    }

    private func media(_ title: String) -> JSONObject {
        JSONObject([
            ("contentId", .string("http://192.0.2.1/" + String(title.unicodeScalars.prefix(50)))),
            ("contentType", "video/mp4"),
            ("streamType", "BUFFERED"), ("duration", 600),
            ("metadata", ["metadataType": 0, "title": .string(title)]),
        ])
    }

    @Test func `are archived as they came, and are only text for the database, for people and for programs`() throws {
        let world = try World(devices: Self.texts.count) { $0.name = Self.texts[$0.index] }
        defer { world.end() }
        try world.startRecorder()
        try world.waitForStatus { $0["devices"]?["linked"] == .integer(Int64(Self.texts.count)) }
        for device in Self.texts.indices {
            world.fleet.perform(.connect, device: device)
            world.fleet.perform(.launch(AppID("CC1AD845")), device: device)
        }
        try world.waitForStatus { $0["devices"]?["joined"] == .integer(Int64(Self.texts.count)) }
        for device in Self.texts.indices {
            world.fleet.perform(.load(media(Self.texts[device]), atSeconds: 0), device: device)
        }
        let played = try eventually { () -> Bool? in
            let events = try world.events(["--kind", "media_session_started"])
            return Set(events.compactMap { $0["device_id"]?.string }).count == Self.texts.count ? true : nil
        }
        #expect(played == true)

        try checkPeople(world)
        try checkPrograms(world)
        #expect(world.stopRecorder() == .code(0))
        let log = String(decoding: try Files.read(world.recorderLog, limitBytes: 1 << 26), as: UTF8.self)
        #expect(harmful(log) == [])
        for line in log.split(separator: "\n") {
            #expect(line.hasPrefix("time=2"), "a line of the log's own: \(line.prefix(200))")
            #expect(line.count < 4_000)
        }
        #expect(try Program.run(["archive", "verify", "--data", world.data]).exit == .code(0))
        #expect(try Program.run(["rebuild", "--data", world.data]).exit == .code(0))
        try checkPrograms(world)
        try checkModes(world)
    }

    /// What people read has no line, no color and no direction that we did not give it.
    private func checkPeople(_ world: World) throws {
        let place = ["--data", world.data]
        for command in [
            ["devices"], ["timeline"], ["plays"], ["frames"], ["coverage"], ["status", "--devices"],
            ["archive", "list"], ["archive", "verify"], ["doctor"],
        ] {
            let (exit, output) = try Program.run(command + place)
            #expect(exit == .code(0) || command == ["doctor"], "\(command): \(exit) \(output.suffix(500))")
            #expect(harmful(output) == [], "\(command)")
            #expect(!output.isEmpty)
            #expect(!output.contains("\ntime=2026 level=error"), "\(command) prints a forged line")
        }
        // A name that no shell and no SQL understands still finds its device.
        for name in [Self.texts[0], Self.texts[1], Self.texts[7]] {
            let (exit, output) = try Program.run(["timeline", "--device", name] + place)
            #expect(exit == .code(0), "\(name): \(output)")
        }
    }

    /// What programs read has the whole text, but for what PostgreSQL cannot hold.
    private func checkPrograms(_ world: World) throws {
        let place = ["--data", world.data]
        func storable(_ texts: [String]) -> Set<String> { Set(texts.filter { !$0.unicodeScalars.contains("\u{0}") }) }
        let kept = storable(Self.names)
        let names = Set(try Program.json(["devices"] + place).compactMap { $0["name"]?.string })
        #expect(names.isSuperset(of: kept), "\(kept.subtracting(names).map { $0.prefix(40) })")
        #expect(names.count == Self.texts.count, "the name with NUL is there as well, made fit for PostgreSQL")
        let titles = Set(try Program.json(["plays"] + place).compactMap { $0["title"]?.string })
        let keptTitles = storable(Self.texts)
        #expect(titles.isSuperset(of: keptTitles), "\(keptTitles.subtracting(titles).map { $0.prefix(40) })")
        let events = try Program.json(["events"] + place)
        let devices = Set(events.compactMap { $0["device"]?.string })
        #expect(devices.isSuperset(of: kept))
        for command in [["frames"], ["timeline"], ["coverage"]] {
            #expect(try !Program.json(command + place).isEmpty, "\(command)")
        }
        let records = try Program.run(["archive", "cat"] + place).output.split(separator: "\n")
        let parser = JSONParser()
        var archived: Set<String> = []
        for record in records {
            let body = try parser.parse(Array(record.utf8))
            archived.insert(body["name"]?.string ?? "")
        }
        #expect(archived.isSuperset(of: Self.names), "the archive has what was said, NUL included")
    }

    /// Nobody but the owner reads what was recorded.
    private func checkModes(_ world: World) throws {
        var facts = stat()
        #expect(lstat(world.data, &facts) == 0 && facts.st_mode & 0o7777 == 0o711)
        var seen = 0
        func walk(_ folder: String) throws {
            for name in try Files.names(in: folder) {
                let path = folder + "/" + name
                guard lstat(path, &facts) == 0 else { continue }
                seen += 1
                let mode = facts.st_mode & 0o7777
                if facts.st_mode & S_IFMT == S_IFDIR {
                    #expect(mode == 0o700, "\(path): \(String(mode, radix: 8))")
                    try walk(path)
                } else if path == world.data + "/recorder-id" {
                    #expect(mode == 0o644, "the recorder's id is no secret")
                } else if facts.st_mode & S_IFMT != S_IFLNK {
                    #expect(mode & 0o077 == 0, "\(path): \(String(mode, radix: 8))")
                }
            }
        }
        try walk(world.data)
        #expect(seen > 100, "the archive and a whole cluster")
    }

    @Test func `a password in a settings file that others may read is worth a warning, and is not repeated`() throws {
        let world = try World(devices: 1)
        defer { world.end() }
        let port = try ClosedPort()
        try Files.makeFolders(world.data, mode: 0o711)
        let endpoint = world.fleet.endpoints[0]
        let settings = """
            no-discovery = yes
            device = \(endpoint.host):\(endpoint.port)
            database = postgresql://recorder:hunter2@127.0.0.1:\(port.port)/ledger

            """
        let path = world.data + "/castledger.conf"
        for (mode, isWarned) in [(mode_t(0o644), true), (mode_t(0o600), false)] {
            try Files.replace(path, with: Array(settings.utf8))
            chmod(path, mode)
            try? Files.removeTree(world.recorderLog)
            try world.startAlone()
            try world.waitForStatus { $0["database"]?["trouble"] != .null && $0["devices"]?["linked"] == 1 }
            #expect(try !Program.run(["status", "--data", world.data]).output.contains("hunter2"))
            #expect(world.stopRecorder() == .code(0))
            let log = String(decoding: try Files.read(world.recorderLog), as: UTF8.self)
            #expect(log.contains("others may read the settings file") == isWarned, "\(log)")
            #expect(!log.contains("hunter2"))
        }
    }
}
