import CastModel
import Fleet
import Glibc
import IO
import TestSupport
import Testing

// Goal: the page says what the ledger says, at once, to everybody, and nothing else.
// Method: a real recorder of simulated devices, Debian's chromium, and the scripts of Tests/Browser, which compare what
// is shown with the API, the API with the database, and moments on the page with the fleet's own truth.
@Suite("The page in a browser", .serialized, .waits)
struct PageTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private func command(_ script: String, _ arguments: [String]) throws -> [String] {
        [try TestPython.path(), Self.root + "/Tests/Browser/" + script] + arguments
    }

    /// Runs a script to its end; it prints a line per check.
    private func check(
        _ script: String, _ arguments: [String], from location: SourceLocation = #_sourceLocation
    ) throws {
        let (exit, output) = try ChildProcess.run(command(script, arguments), includingErrors: true)
        let text = String(decoding: output, as: UTF8.self)
        #expect(exit == .code(0), "\(script): \(text)", sourceLocation: location)
        #expect(text.contains("ok "), "\(script) checked nothing: \(text)", sourceLocation: location)
    }

    private func text(of file: String) -> String {
        String(decoding: (try? Files.read(file)) ?? [], as: UTF8.self)
    }

    /// Where a program that was started with `--listen 127.0.0.1:0` can be asked: its log says so.
    private func address(in log: String) throws -> String {
        let found = try eventually { () -> String? in
            guard
                let line = text(of: log).split(separator: "\n").last(where: { $0.contains("the page can be opened") }),
                let start = line.firstRange(of: "http://")
            else { return nil }
            return String(line[start.lowerBound...].prefix { $0 != "\"" && $0 != " " })
        }
        return try #require(found, "no page was opened")
    }

    @Test func `shows the numbers of the API, which are those of the database, to hands and keys alike`() throws {
        let world = try World(devices: 3, groups: 1, scenario: .twoPhones, speed: 3) {
            if $0.index == 1 { $0.name = "<img src=x onerror=alert(1)> & \"Kitchen\"" }
        }
        defer { world.end() }
        try world.startRecorder()
        let fought = try eventually(within: 120) {
            try Program.json(["conflicts", "--data", world.data]).count >= 3
                && Program.json(["plays", "--data", world.data]).count >= 3 ? true : nil
        }
        try #require(fought == true, "no conflicts: \(world.logText)")
        #expect(world.stopRecorder() == .code(0))

        // What stands still can be compared.
        let log = world.folder + "/serve.log"
        let page = try Program.start(["serve", "--data", world.data, "--listen", "127.0.0.1:0"], log: log)
        defer {
            page.send(SIGTERM)
            page.wait()
        }
        let address = try address(in: log)
        try check(
            "screens.py", [address, "host=\(world.data)/postgres user=castledger dbname=castledger"])
        try check("hostile.py", [address])
        try check("keyboard.py", [address])
        try check("zones.py", [address])
    }

    @Test func `shows a change within a second of the device's own truth`() throws {
        let world = try World(devices: 3)
        defer { world.end() }
        try world.startRecorder(["--listen", "127.0.0.1:0"])
        let address = try address(in: world.recorderLog)
        try world.waitForStatus { $0["devices"]?["linked"] == 3 }
        try world.waitForEvent("link_opened")
        for device in 0..<3 { world.fleet.perform(.connect, device: device) }
        let log = world.folder + "/live.log"
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let script = try ChildProcess(
            command("live.py", [address, world.truthPath, "14", "1"]), output: file, errors: file)
        close(file)
        // A change of volume every second and a half, on one device after the other, for as long as the script watches.
        var step = 0
        var next = Clock.monotonicNanoseconds()
        let exit = try eventually(within: 180) { () -> ChildProcess.Exit? in
            if Clock.monotonicNanoseconds() >= next {
                world.fleet.perform(.deviceVolume(Double(20 + step % 60) / 100), device: step % 3)
                step += 1
                next += 1_500_000_000
            }
            return script.exitIfEnded()
        }
        #expect(exit == .code(0), "\(text(of: log))")
    }

    @Test func `shows a recorder that was killed and started again as a gap, and comes back by itself`() throws {
        let world = try World(devices: 1, scenario: .evening, speed: 3)
        defer { world.end() }
        try world.startRecorder(["--listen", "127.0.0.1:0"])
        let address = try address(in: world.recorderLog)
        try world.waitForEvent("link_opened")
        let log = world.folder + "/gap.log"
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let script = try ChildProcess(command("gap.py", [address, world.folder]), output: file, errors: file)
        close(file)
        defer { script.send(SIGTERM) }
        func awaitSign(_ sign: String) throws {
            let given = try eventually(within: 120) { () -> Bool? in
                if Files.exists(world.folder + "/" + sign) { return true }
                return script.exitIfEnded() == nil ? nil : false
            }
            try #require(given == true, "\(text(of: log))")
        }
        try awaitSign("ready")
        world.killRecorder()
        try Files.replace(world.folder + "/dead", with: [])
        try awaitSign("seen")
        let place = address.split(separator: "/").last.map(String.init) ?? ""
        try world.startRecorder(["--listen", place])
        try world.waitForEvent { ($0["after"] ?? $0["before"])?["reason"]?.string == "recorder_down" }
        try Files.replace(world.folder + "/alive", with: [])
        #expect(script.wait() == .code(0), "\(text(of: log))")
    }

    @Test func `asks once for the token where others may come, and shows nothing before`() throws {
        let world = try World()
        defer { world.end() }
        let token = "a-token-of-this-test-0123456789"
        try Files.replace(world.folder + "/token", with: Array(token.utf8), mode: 0o600)
        try world.startRecorder(["--listen", "127.0.0.1:0", "--token-file", world.folder + "/token"])
        let address = try address(in: world.recorderLog)
        try world.waitForEvent("link_opened")
        try check("login.py", [address, token])
        #expect(!world.logText.contains(token))
    }
}
