import Glibc
import IO

/// A folder for one test, removed with this value.
final class Scratch {
    let path: String

    init() throws {
        let base = "/tmp/castledger-archive-tests-\(getpid())-\(Clock.monotonicNanoseconds())"
        try Files.makeFolders(base)
        path = base
    }

    deinit { _ = try? ChildProcess.run(["rm", "-r", "-f", path]) }
}
