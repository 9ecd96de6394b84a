import CastModel
import Fleet
import IO
import Store
import TestSupport
import Testing

// Goal: what docs/operating.md says of backups, done as it is written there.
// Method: a recorder that records, backed up meanwhile and after its end; each copy is restored beside the original and compared.
@Suite("A backup", .waits) struct BackupTests {
    private func run(_ words: [String]) throws {
        let (exit, output) = try ChildProcess.run(words, includingErrors: true)
        try #require(
            exit == .code(0), "\(words.joined(separator: " ")): \(String(decoding: output, as: UTF8.self))")
    }

    private func castledger(_ words: [String]) throws -> String {
        let (exit, output) = try Program.run(words)
        try #require(exit == .code(0), "\(words.joined(separator: " ")): \(output)")
        return output
    }

    /// An empty data folder with the archive of another one and its id.
    private func copyArchive(_ world: World, to name: String) throws -> String {
        let folder = "\(world.folder)/\(name)"
        try run(["mkdir", "-m", "711", folder])
        try run(["cp", "-a", "\(world.data)/archive", "\(world.data)/recorder-id", folder])
        return folder
    }

    /// Change events, plays and conflicts as programs read them, line by line.
    private func answers(_ place: [String]) throws -> [String: [String]] {
        var all: [String: [String]] = [:]
        for question in ["events", "plays", "conflicts"] {
            all[question] = try Program.json([question, "--from", "-1d"] + place).map(\.text)
        }
        return all
    }

    @Test func `of archive or database, taken while it is recorded or later, gives back the same rows`() throws {
        let world = try World(devices: 3, scenario: .evening, speed: 5)
        defer { world.end() }
        try world.startRecorder()
        try world.waitForEvent("media_session_ended")

        // Meanwhile: whatever the copy caught of the last batch is set aside, and the rest is the beginning of the whole.
        let early = try copyArchive(world, to: "early")
        let server = ["-h", "\(world.data)/postgres", "-U", "castledger"]
        let dump = "\(world.folder)/ledger.dump"
        try world.waitUntilApplied()
        try run(["pg_dump", "-Fc", "-f", dump] + server + ["castledger"])
        try run(["createdb"] + server + ["restored"])
        try run(["pg_restore", "-d", "restored"] + server + [dump])
        let restored = try answers(["--database", "host=\(world.data)/postgres user=castledger dbname=restored"])

        try world.waitUntilApplied()
        #expect(world.stopRecorder() == .code(0))
        let late = try copyArchive(world, to: "late")
        _ = try castledger(["rebuild", "--data", late])
        _ = try castledger(["archive", "repair", "--data", early])
        _ = try castledger(["rebuild", "--data", early])

        // The original, made anew too, since an end may leave its last batch to the next start.
        _ = try castledger(["rebuild", "--data", world.data])
        let original = try answers(["--data", world.data])
        #expect(try answers(["--data", late]) == original)
        #expect(try castledger(["archive", "verify", "--data", late]).contains("intact"))
        let events = try #require(original["events"])
        #expect(events.count > 30 && original["plays"]?.isEmpty == false)
        for (name, found) in [("early", try answers(["--data", early])["events"]), ("restored", restored["events"])] {
            let found = try #require(found)
            #expect(found.count > 10 && found == Array(events.prefix(found.count)), "\(name)")
        }
    }
}
