import Glibc
import IO
import Store
import TestSupport
import Testing

/// A PostgreSQL server of a suite's own, to be killed, stopped and started again.
final class FaultyServer: Sendable {
    private enum Order: Sendable { case start }

    private struct Running: Sendable {
        var address: String
        var process: Int32
    }

    let folder: String
    private let orders: Mailbox<Order>
    private let running = Guarded<Running?>(nil)
    private let thread: Guarded<OwnedThread?>
    private let count = Guarded(0)

    init() throws {
        folder = try Files.makeTemporaryFolder("castledger-faulty", mode: 0o711)
        orders = try Mailbox(limit: 8)
        thread = Guarded(nil)
        thread.withLock { $0 = OwnedThread("faulty-server") { self.serve() } }
        let isFirst = Self.all.withLock { all in
            all.append(self)
            return all.count == 1
        }
        if isFirst { atexit { FaultyServer.all.withLock { $0 }.forEach { $0.end() } } }
        try start()
    }

    /// A server that runs, whatever the test before has left, and that is gone at the end of the process.
    static func ready(_ server: Result<FaultyServer, any Error>) throws -> FaultyServer {
        let server = try server.get()
        if kill(server.process, SIGCONT) != 0 || (try? PostgresConnection(server.address("postgres"))) == nil {
            try server.start()
        }
        return server
    }

    private static let all = Guarded<[FaultyServer]>([])

    /// The server dies with the thread that starts it.
    private func serve() {
        var cluster: PrivateCluster?
        while let orders = orders.take(timeout: .seconds(60)) {
            guard !orders.isEmpty else { continue }
            cluster?.stop()
            // Processes of a killed server may hold its memory for a moment.
            cluster = try? eventually { try? PrivateCluster.open(data: folder) }
            running.withLock { running in
                running = cluster.flatMap { cluster in
                    cluster.serverProcessID.map { Running(address: cluster.address, process: $0) }
                }
            }
        }
        cluster?.stop(within: .seconds(2))
    }

    /// Starts it, again if need be, and returns when it answers.
    func start() throws {
        running.withLock { $0 = nil }
        #expect(orders.post([.start]))
        _ = try #require(try eventually { running.withLock { $0 } }, "PostgreSQL did not start")
    }

    /// The server's own process.
    var process: Int32 { running.withLock { $0?.process } ?? 0 }

    /// Stops it as an operator would, and waits until nothing listens any more.
    func shutDown() throws {
        let address = address("postgres")
        kill(process, SIGINT)
        let gone = try eventually { (try? PostgresConnection(address)) == nil ? true : nil }
        #expect(gone == true)
    }

    /// Kills the server's first process; the others end when they notice.
    func killHard() { kill(process, SIGKILL) }

    /// The address of a database.
    func address(_ database: String) -> String {
        "\(running.withLock { $0?.address } ?? "") dbname=\(database) application_name=castledger-test"
    }

    /// The name of a new, empty database.
    func newDatabase() throws -> String {
        let name = "test_\(count.withLock { count in count += 1; return count })"
        try PostgresConnection(address("postgres")).execute("CREATE DATABASE \(name)")
        return name
    }

    private func end() {
        kill(process, SIGCONT)
        orders.close()
        thread.withLock { $0?.join() }
        try? Files.removeTree(folder)
    }
}

/// Every derived table, row by row as COPY prints it, in the order of the rows' text.
func ledgerContent(_ address: String) throws -> [String: [String]] {
    let connection = try PostgresConnection(address)
    let tables = try connection.execute(
        """
        SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'projection'::regnamespace
            AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_version'
        """)
    var content: [String: [String]] = [:]
    for table in tables.compactMap({ $0.text(0) }) {
        content[table] = try connection.execute("SELECT t::text FROM projection.\(table) t")
            .map { $0.text(0) ?? "" }.sorted()
    }
    return content
}
