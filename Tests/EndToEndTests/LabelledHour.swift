import CastModel
import IO
import TestSupport
import Testing

/// An hour of labelled acts on four devices: an archive, the database made of it, and what the fleet says that it was.
final class LabelledHour {
    let folder: String
    var data: String { folder + "/data" }
    private var truth: String { folder + "/truth.jsonl" }
    /// The words of `castledger conflicts` for all of it.
    var ask: [String] { ["conflicts", "--data", data] + Self.period }

    static let period = ["--from", "2026-03-01", "--to", "2026-03-02"]

    init() throws {
        folder = try Files.makeTemporaryFolder("castledger-fights", mode: 0o711)
        let fleet = try Program.run([
            "fleet", "--history", "1h", "--scenario", "fights", "--devices", "4", "--seed", "303", "--from",
            "2026-03-01T20:00", "--data", data, "--truth", truth,
        ])
        try #require(fleet.exit == .code(0), "\(fleet.output)")
        let rebuilt = try Program.run(["rebuild", "--data", data])
        try #require(rebuilt.exit == .code(0), "\(rebuilt.output)")
    }

    deinit { try? Files.removeTree(folder) }

    /// The acts, fights and innocent ones.
    func labels() throws -> [JSONValue] {
        let parser = JSONParser()
        return try Files.read(truth, limitBytes: 1 << 24).split(separator: UInt8(ascii: "\n"))
            .map { try parser.parse(Array($0)) }.filter { $0["what"] == "label" }
    }
}
