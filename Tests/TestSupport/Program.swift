public import CastModel
import Glibc
public import IO

/// The built `castledger` program, run as its users run it: as a process.
public enum Program {
    /// The path of the tests that run now.
    public static let testPath: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Its path, beside the test binary.
    ///
    /// A recorder of a test shows no page unless it is told to: many run at once, and there is one usual port.
    public static let path = {
        setenv("CASTLEDGER_LISTEN", "none", 0)
        return testPath.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } + "/castledger"
    }()

    /// Runs it to its end: exit, stdout and stderr together.
    public static func run(_ arguments: [String]) throws -> (exit: ChildProcess.Exit, output: String) {
        let (exit, output) = try ChildProcess.run([path] + arguments, includingErrors: true)
        return (exit, String(decoding: output, as: UTF8.self))
    }

    /// Runs it with `--json` and parses every line of stdout.
    public static func json(_ arguments: [String]) throws -> [JSONValue] {
        let (_, output) = try ChildProcess.run([path] + arguments + ["--json"])
        let parser = JSONParser()
        return try output.split(separator: UInt8(ascii: "\n")).map { try parser.parse(Array($0)) }
    }

    /// Starts it in the background, with stdout and stderr in a file.
    ///
    /// - Parameter inOwnGroup: Whether it is in a process group of its own, as terminals make one for each command.
    public static func start(
        _ arguments: [String], log: String, inOwnGroup: Bool = false
    ) throws -> ChildProcess {
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(file) }
        return try ChildProcess(
            [path] + arguments, parentDeathSignal: 0, inOwnGroup: inOwnGroup, output: file, errors: file)
    }
}

/// Asks again and again until the answer is there, at most until a deadline.
///
/// Each question takes its own time (a query, a look into a file), so nothing sleeps beyond a scheduler's turn.
public func eventually<Answer>(within seconds: Int64 = 60, _ question: () throws -> Answer?) throws -> Answer? {
    let deadline = Clock.monotonicNanoseconds() + seconds * 1_000_000_000
    repeat {
        if let answer = try question() { return answer }
        var nothing = pollfd(fd: -1, events: 0, revents: 0)
        poll(&nothing, 1, 50)
    } while Clock.monotonicNanoseconds() < deadline
    return nil
}
