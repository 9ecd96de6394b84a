public import Telemetry

/// The database that a command works with: the private cluster of a data folder, or a server by its address.
///
/// Belongs to the thread that opened it; ``address`` may go to other threads, each of which connects for itself.
public final class LedgerDatabase {
    /// Where to connect.
    ///
    /// It may hold a password: never log it. ``summary`` is for people.
    public let address: String
    /// What people may see of the address.
    public let summary: String
    private let cluster: PrivateCluster?
    private let patience: PostgresPatience

    /// Makes the database ready to be connected to.
    ///
    /// - Parameters:
    ///   - address: `postgresql://…`, or nil for the private cluster.
    ///   - data: The data folder, whose cluster is used or started.
    ///   - patience: Of every connection that is made here.
    public init(
        address: String?, data: String, patience: PostgresPatience = PostgresPatience(), log: Log = .silent
    ) throws(StoreError) {
        self.patience = patience
        if let address {
            summary = try PostgresConnection.describe(address)
            self.address = address
            cluster = nil
        } else {
            let opened = try PrivateCluster.open(data: data, patience: patience, log: log)
            cluster = opened
            self.address = opened.address
            summary = "private cluster in \(data)"
        }
    }

    /// A new connection for the calling thread.
    public func connect() throws(StoreError) -> PostgresConnection {
        try PostgresConnection(address, patience: patience)
    }

    /// Questions over a new connection of the calling thread.
    ///
    /// A private cluster has a ledger from the start, though an empty one.
    public func queries() throws(StoreError) -> LedgerQueries {
        let connection = try connect()
        if cluster != nil { try Migration.applyAll(to: connection) }
        return try LedgerQueries(connection: connection)
    }

    /// Whether the server was started here and still runs.
    public var hasOwnServer: Bool { cluster?.isServing ?? false }

    /// Stops what was started here.
    ///
    /// - Parameter limit: How long that may take; see ``PrivateCluster/stop(within:)``.
    public func close(within limit: Duration = PrivateCluster.stopLimit) { cluster?.stop(within: limit) }
}
