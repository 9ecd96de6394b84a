public import Store
public import Telemetry

/// The database that a data folder's ledger is in: the private cluster, or the one that the operator names.
///
/// Belongs to the thread that opens it, which must live as long as the database is needed.
public final class LedgerDatabase {
    /// The open database.
    public let connection: PostgresConnection
    private let cluster: PrivateCluster?

    /// Connects; a private cluster that does not run is started, and made first where there is none.
    public init(data: DataFolder, url: String?, log: Log) throws(StoreError) {
        if let url {
            cluster = nil
            connection = try PostgresConnection(url)
            return
        }
        let cluster = try PrivateCluster.open(data: data.path, log: log)
        self.cluster = cluster
        do { connection = try PostgresConnection(cluster.address) } catch {
            cluster.stop()
            throw error
        }
    }

    /// Stops the private cluster, if we started it.
    ///
    /// The connection is useless afterwards.
    public func close() { cluster?.stop() }
}
