import Glibc
import IO
public import Testing

/// Runs a suite's tests on threads that may wait.
///
/// Swift runs all tests on as many threads as the machine has processors. A test that waits for a program or a database
/// would keep one of them from the tests that compute: two such tests on two processors, and nothing else goes on.
public struct WaitingSuite: SuiteTrait, TestScoping {
    /// Runs the whole suite with its tests as tasks of the waiting threads.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(WaitingThreads.shared) { try await body() }
    }
}

extension Trait where Self == WaitingSuite {
    /// The suite's tests wait for programs, databases or devices most of the time.
    public static var waits: WaitingSuite { WaitingSuite() }
}

/// A few threads that take what comes, oldest first.
private final class WaitingThreads: TaskExecutor {
    /// So many tests wait at a time: more would only make the machine busier than tests of promised times can bear.
    static let shared = WaitingThreads(count: 4)

    private let jobs = Guarded<[UnownedJob]>([])
    /// A pipe with a byte for each job that nobody has taken: whoever reads one takes one.
    private let (taking, adding): (Int32, Int32)

    private init(count: Int) {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "no pipe: the machine is out of descriptors")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (taking, adding) = (ends[0], ends[1])
        for number in 0..<count { _ = OwnedThread("waiting-\(number)") { self.runJobs() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        var byte: UInt8 = 0
        while write(adding, &byte, 1) < 0 && errno == EINTR {}
    }

    private func runJobs() {
        var byte: UInt8 = 0
        while true {
            guard read(taking, &byte, 1) == 1 else { continue }
            let job = jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
