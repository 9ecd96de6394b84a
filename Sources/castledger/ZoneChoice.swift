import Arguments
import Glibc
import IO
import Report

/// The time zone that a command counts days in, as the database and as this program know it.
struct ZoneChoice {
    /// A name of the tz database, which PostgreSQL knows too: "Europe/Berlin".
    let name: String
    /// The rules, for reading and printing times.
    let zone: Zone

    /// Where Debian keeps the tz database.
    private static let folder = "/usr/share/zoneinfo"

    /// Links in that folder to what the machine is set to: zones of no name, which PostgreSQL does not know.
    private static let nicknames = ["localtime", "posixrules"]

    /// What `--zone` and `--local` ask for; UTC without either.
    init(_ arguments: ParsedArguments) throws {
        if let asked = arguments.text(.zone) {
            if arguments.has(.local) {
                throw CommandFailure(ExitCode.usage, "--zone and --local name two time zones; give one of them.")
            }
            guard Self.exists(asked) else { throw Self.unknown(asked) }
            name = asked
        } else if arguments.has(.local) {
            name = try Self.local()
        } else {
            name = "UTC"
        }
        zone = Self.rules(of: name)
    }

    /// The C library's rules for a zone that exists.
    ///
    /// From here on it is the zone of the whole process.
    private static func rules(of name: String) -> Zone {
        guard name != "UTC" else { return .utc }
        _ = unsafe setenv("TZ", ":" + name, 1)
        var zone = Terminal.localZone
        zone.name = name
        return zone
    }

    /// Whether the tz database has a zone of this name.
    private static func exists(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        // The zones below right/ count leap seconds, which no clock here does.
        guard isPlain, !name.isEmpty, !name.hasPrefix("/"), !name.hasPrefix("right/"), !nicknames.contains(name)
        else { return false }
        guard name != "UTC" else { return true }
        let content = try? Files.read("\(folder)/\(name)", limitBytes: 1 << 20)
        return content?.starts(with: Array("TZif".utf8)) ?? false
    }

    private static func unknown(_ name: String) -> CommandFailure {
        let hint = Suggestion.nearest(to: name, among: names()).map { " Did you mean '\($0)'?" } ?? ""
        return CommandFailure(ExitCode.usage, "unknown time zone '\(name)'.\(hint)")
    }

    /// The zones that are places, and UTC.
    private static func names() -> [String] {
        let table = (try? Files.read("\(folder)/zone.tab", limitBytes: 1 << 20)) ?? []
        let lines = String(decoding: table, as: UTF8.self).split(separator: "\n")
        return ["UTC"]
            + lines.filter { !$0.hasPrefix("#") }.compactMap { line in
                let columns = line.split(separator: "\t")
                return columns.count > 2 ? String(columns[2]) : nil
            }
    }

    /// This machine's zone by name: from `TZ`, else from /etc/localtime, else from /etc/timezone.
    private static func local() throws -> String {
        let told = nameToldLocally()
        guard let told, exists(told) else {
            throw CommandFailure(
                ExitCode.usage,
                "this machine's time zone has no name (\(told ?? "/etc/localtime is no link")): name one with --zone.")
        }
        return told
    }

    private static func nameToldLocally() -> String? {
        let usual = "/etc/localtime"
        let variable = ThisProcess.environment("TZ").map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
        // An empty one is UTC to the C library.
        if variable?.isEmpty == true { return "UTC" }
        let place = variable ?? usual
        guard place.hasPrefix("/") else { return place }
        if let name = name(in: place) ?? Files.linkTarget(place).flatMap(name(in:)) { return name }
        guard place == usual else { return place }
        guard Files.exists(usual) else { return "UTC" }
        let text = try? Files.read("/etc/timezone", limitBytes: 1024)
        return text.map { String(decoding: $0.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self) }
    }

    /// What follows "/zoneinfo/" in a path; nil when it lies elsewhere, or has no name of its own either.
    private static func name(in path: String) -> String? {
        guard let folder = path.firstRange(of: "/zoneinfo/") else { return nil }
        let name = String(path[folder.upperBound...])
        return nicknames.contains(name) ? nil : name
    }
}
