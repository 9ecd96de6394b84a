import Glibc

/// A program that we started and that we end, by its id.
public final class ChildProcess {
    /// How a process ended.
    public enum Exit: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    /// The process id.
    public let id: Int32
    private var exit: Exit?

    /// Starts a program, found on PATH unless its name holds a slash, with /dev/null as its stdin.
    ///
    /// - Parameters:
    ///   - environment: "NAME=value" each; nil inherits ours.
    ///   - parentDeathSignal: Sent by the kernel when we die, however we die; 0 sends none. Bound to the calling
    ///     *thread*: start such children from a thread that lives as long as the program.
    ///   - inOwnGroup: Whether Ctrl-C in our terminal passes it by: for one that we end ourselves, after our own work.
    ///   - output, errors: Descriptors for stdout and stderr; nil inherits ours.
    public init(
        _ arguments: [String], environment: [String]? = nil, parentDeathSignal: Int32 = 0, inOwnGroup: Bool = false,
        output: Int32? = nil, errors: Int32? = nil
    ) throws(IOError) {
        let pid = Linux.spawn(
            arguments, environment: environment, parentDeathSignal: parentDeathSignal, inOwnGroup: inOwnGroup,
            output: output ?? -1, errors: errors ?? -1)
        id = try IOError.check("fork", pid, subject: arguments.first ?? "")
    }

    /// Sends a signal, unless the process has ended.
    public func send(_ signal: Int32) {
        guard exit == nil else { return }
        kill(id, signal)
    }

    /// How it ended; nil while it runs.
    public func exitIfEnded() -> Exit? { reap(WNOHANG) }

    /// Waits for its end.
    @discardableResult
    public func wait() -> Exit {
        while true {
            if let exit = reap(0) { return exit }
        }
    }

    /// Runs a program to its end and returns its exit and what it wrote to stdout, at most 16 MiB.
    ///
    /// - Parameter includingErrors: Whether stderr is collected too, rather than inherited.
    public static func run(
        _ arguments: [String], environment: [String]? = nil, includingErrors: Bool = false
    ) throws(IOError) -> (Exit, [UInt8]) {
        var ends: [Int32] = [0, 0]
        _ = try IOError.check("pipe", unsafe pipe(&ends))
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let child: ChildProcess
        do {
            child = try ChildProcess(
                arguments, environment: environment, output: ends[1], errors: includingErrors ? ends[1] : nil)
        } catch {
            close(ends[0])
            close(ends[1])
            throw error
        }
        close(ends[1])
        defer { close(ends[0]) }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while output.count < 1 << 24 {
            let count = unsafe read(ends[0], &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            output.append(contentsOf: chunk[..<count])
        }
        return (child.wait(), output)
    }

    private func reap(_ options: Int32) -> Exit? {
        if let exit { return exit }
        var status: Int32 = 0
        guard unsafe waitpid(id, &status, options) == id else {
            if errno == ECHILD { exit = .code(-1) }
            return exit
        }
        exit = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
        return exit
    }
}
