import Glibc
import IO
public import Testing

/// Runs a suite as root: here where we are root, else through sudo in a process of its own.
///
/// Never passed over: where neither is possible, the suite fails and says what it needs.
public struct RootSuite: SuiteTrait, TestScoping {
    private let name: String

    /// Runs the suite in a process of its own, if need be, and takes its verdict for this one's.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard geteuid() != 0 else { return try await body() }
        let (exit, output) = try ChildProcess.run(
            ["sudo", "-n", Program.testPath, "--testing-library", "swift-testing", "--filter", name],
            includingErrors: true)
        let said = String(decoding: output.suffix(4000), as: UTF8.self)
        #expect(exit == .code(0), "\(name) needs root, or a user who may use sudo without a password: \(said)")
    }

    fileprivate init(name: String) { self.name = name }
}

extension Trait where Self == RootSuite {
    /// The suite of this type name needs root.
    public static func root(_ name: String) -> RootSuite { RootSuite(name: name) }
}
