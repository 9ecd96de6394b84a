import CastModel
import Fleet
import Glibc
import IO
import Telemetry
import TestSupport
import Testing

/// A simulated fleet in this process, and a real recorder beside it as a process of its own.
final class World {
    let folder: String
    let fleet: FleetService
    private(set) var recorder: ChildProcess?

    var data: String { folder + "/data" }
    var truthPath: String { folder + "/truth.jsonl" }
    var recorderLog: String { folder + "/recorder.log" }
    /// What the recorder has logged so far.
    var logText: String { String(decoding: (try? Files.read(recorderLog)) ?? [], as: UTF8.self) }

    init(
        devices: Int = 1, groups: Int = 0, scenario: FleetScenario = .idle, speed: Double = 1,
        fetchesMedia: Bool = false, adjustingProfiles: (@Sendable (inout DeviceProfile) -> Void)? = nil
    ) throws {
        folder = try Files.makeTemporaryFolder("castledger-world", mode: 0o711)
        var options = FleetOptions(
            devices: devices, groups: groups, scenario: scenario, seed: 7, truthPath: folder + "/truth.jsonl",
            speed: speed,
            fetchesMedia: fetchesMedia)
        options.adjustsProfile = adjustingProfiles
        fleet = try FleetService(options: options, log: .silent)
        fleet.start()
    }

    /// Ends everything; the folder stays when the test has failed, for whoever looks into it.
    func end(keeping: Bool = false) {
        recorder?.send(SIGTERM)
        recorder?.wait()
        fleet.stop()
        if !keeping { try? Files.removeTree(folder) }
    }

    /// Starts the recorder on every device of the fleet.
    func startRecorder(_ more: [String] = []) throws {
        var arguments = ["record", "--data", data, "--no-discovery"] + more
        for endpoint in fleet.endpoints { arguments += ["--device", "\(endpoint.host):\(endpoint.port)"] }
        recorder = try Program.start(arguments, log: recorderLog)
    }

    /// Starts the recorder with what its settings file says.
    ///
    /// - Parameter runner: Words before the program's own, such as `env`.
    func startAlone(_ more: [String] = [], runner: [String] = []) throws {
        let file = open(recorderLog, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(file) }
        recorder = try ChildProcess(
            runner + [Program.path, "record", "--data", data] + more, output: file, errors: file)
    }

    /// Kills the recorder as a power cut would.
    func killRecorder() {
        recorder?.send(SIGKILL)
        recorder?.wait()
        recorder = nil
    }

    /// Ends the recorder in good order and returns how it ended.
    func stopRecorder() -> ChildProcess.Exit? {
        recorder?.send(SIGTERM)
        defer { recorder = nil }
        return recorder?.wait()
    }

    /// Waits for an answer of `castledger status` and returns it.
    @discardableResult
    func waitForStatus(
        _ more: [String] = [], within seconds: Int64 = 60, from location: SourceLocation = #_sourceLocation,
        _ fits: (JSONValue) -> Bool
    ) throws -> JSONValue {
        var last = ""
        // An array, since `nil` would become JSON's `null`.
        let found = try eventually(within: seconds) { () -> [JSONValue]? in
            guard let health = try Program.json(["status", "--data", data] + more).first else { return nil }
            last = health.text
            return fits(health) ? [health] : nil
        }
        return try #require(found?.first, "\(last)\n\(logText)", sourceLocation: location)
    }

    /// Waits until the database knows all that is in the archive by now; the end leaves the rest for the next start.
    func waitUntilApplied() throws {
        var target: Int64?
        let caughtUp = try eventually { () -> Bool? in
            guard let health = try Program.json(["status", "--data", data]).first else { return nil }
            guard case .integer(let durable)? = health["archive"]?["durable_position"],
                case .integer(let applied)? = health["database"]?["applied_position"]
            else { return nil }
            target = target ?? durable
            return applied >= (target ?? durable) ? true : nil
        }
        try #require(caughtUp == true, "the database did not catch up")
    }

    /// All change events so far, oldest first.
    func events(_ more: [String] = []) throws -> [JSONValue] {
        try Program.json(["events", "--data", data, "--from", "-1d"] + more)
    }

    /// Waits for a change event and returns it.
    @discardableResult
    func waitForEvent(
        within seconds: Int64 = 60, _ fits: (JSONValue) -> Bool
    ) throws -> JSONValue {
        let found = try eventually(within: seconds) { try events().last(where: fits) }
        return try #require(found, "the event did not come within \(seconds) s: \(logText)")
    }

    func waitForEvent(_ kind: String) throws { try waitForEvent { $0["kind"]?.string == kind } }

    /// What really happened so far.
    func truth() throws -> [JSONValue] {
        let parser = JSONParser()
        let lines = try Files.read(truthPath, limitBytes: 1 << 28).split(separator: UInt8(ascii: "\n"))
        // The last line may be half written.
        return lines.compactMap { try? parser.parse(Array($0)) }
    }
}

extension String {
    /// How often a text occurs, counted without overlaps.
    func occurrences(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let found = rest.firstRange(of: text) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}
