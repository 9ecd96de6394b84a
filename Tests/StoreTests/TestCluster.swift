import Glibc
import IO

@testable import Store

/// A real private cluster in a temporary folder, one for the whole test run, stopped and removed when it ends.
final class TestCluster: Sendable {
    static let shared = TestCluster()

    let folder: TemporaryFolder
    private let address: String
    private let count = Guarded(0)

    private init() {
        let folder = TemporaryFolder()
        self.folder = folder
        let opened = Handover<Result<String, StoreError>>()
        // The server dies with the thread that starts it: this one lives as long as the process.
        _ = OwnedThread("test-cluster") {
            do throws(StoreError) {
                let cluster = try PrivateCluster.open(data: folder.path)
                opened.put(.success(cluster.address))
                while Self.ending.withLock({ !$0 }) { PrivateCluster.pause() }
                cluster.stop()
                Self.ended.put(())
            } catch { opened.put(.failure(error)) }
        }
        switch opened.take() {
        case .success(let address): self.address = address
        case .failure(let error): fatalError("no PostgreSQL for the tests: \(error)")
        }
        atexit {
            TestCluster.ending.withLock { $0 = true }
            TestCluster.ended.take()
            TestCluster.shared.folder.remove()
        }
    }

    private static let ending = Guarded(false)
    private static let ended = Handover<Void>()

    /// The address of a new, empty database.
    func newDatabase() throws -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let connection = try PostgresConnection(address)
        try connection.execute("CREATE DATABASE test_\(number)")
        return "\(address) dbname=test_\(number)"
    }
}

/// A value that one thread leaves for another.
final class Handover<Value: Sendable>: Sendable {
    private let value = Guarded<Value?>(nil)

    func put(_ new: Value) { value.withLock { $0 = new } }

    @discardableResult
    func take() -> Value {
        while true {
            if let value = value.withLock({ $0 }) { return value }
            PrivateCluster.pause()
        }
    }
}

/// Runs `body` on a thread of its own that lives until `body` returns, as a private cluster needs it.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let outcome = Handover<Result<Value, any Error>>()
    let thread = OwnedThread("test") { outcome.put(Result { try body() }) }
    thread.join()
    return try outcome.take().get()
}

/// A folder that the `postgres` user can reach, removed by ``remove()``.
struct TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/castledger-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("mkdtemp failed with \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func remove() { _ = try? ChildProcess.run(["rm", "-rf", path]) }
}
