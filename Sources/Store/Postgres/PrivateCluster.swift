import Glibc
import IO
public import Telemetry

/// A PostgreSQL server of our own in `DATA/postgres`, reached over a unix socket that nobody else can open.
///
/// Its child process gets SIGINT, PostgreSQL's fast shutdown, when the *thread* that opened it dies, however it dies:
/// open it from a thread that lives as long as it is needed, `main` for one. Belongs to that thread.
///
/// A server that already runs is used and left running. It then belongs to another of our programs, and may go away
/// with that one: on `StoreError.connectionLost`, open again.
public final class PrivateCluster {
    /// Where to connect.
    ///
    /// It holds no secret: the folder's permissions keep others out.
    public let address: String
    private let serverProcess: ChildProcess?

    /// How long a start may take, crash recovery of PostgreSQL included.
    static let startLimitSeconds: Int64 = 120
    /// How long a fast shutdown may take before we insist, unless the caller says less.
    public static let stopLimit = Duration.seconds(60)
    /// How long a server may take that was told to stop at once.
    ///
    /// One that is itself stopped (SIGSTOP), or that its disk holds up, is left behind, to end when it can.
    static let insistLimit = Duration.milliseconds(500)

    private init(address: String, serverProcess: ChildProcess?) {
        self.address = address
        self.serverProcess = serverProcess
    }

    /// Uses the cluster of a data folder: the running one, or one started now, made first where there is none.
    ///
    /// The database exists afterwards; its schema is ``Migration``'s business.
    public static func open(
        data: String, patience: PostgresPatience = PostgresPatience(), log: Log = .silent
    ) throws(StoreError) -> PrivateCluster {
        let layout = try ClusterLayout(data: data, patience: patience)
        let deadline = Clock.monotonicNanoseconds() + startLimitSeconds * 1_000_000_000
        while Clock.monotonicNanoseconds() < deadline {
            if let address = try layout.runningAddress(deadline: deadline) {
                return PrivateCluster(address: address, serverProcess: nil)
            }
            // Whoever has the lock is starting it: look again until it runs, or until the lock is free.
            let lock = try layout.failing("lock its folder") { () throws(IOError) in
                try FileLock.take(layout.lockPath, holder: "\(ThisProcess.id)\n")
            }
            if let lock {
                let cluster = try start(layout, deadline: deadline, log: log)
                _ = consume lock
                return cluster
            }
            try layout.pause("start")
        }
        throw .clusterFailed(step: "start", reason: "another program has been starting it for too long")
    }

    private static func start(_ layout: ClusterLayout, deadline: Int64, log: Log) throws(StoreError) -> PrivateCluster {
        if let address = try layout.runningAddress(deadline: deadline) {
            return PrivateCluster(address: address, serverProcess: nil)
        }
        try layout.makeCluster(log: log)
        let serverProcess = try layout.startServer()
        do {
            try layout.awaitConnections(of: serverProcess, deadline: deadline)
            try layout.makeDatabase()
        } catch {
            end(serverProcess)
            throw error
        }
        log(.info, "private PostgreSQL started", [.path: layout.folder])
        return PrivateCluster(address: layout.address(database: ClusterLayout.database), serverProcess: serverProcess)
    }

    /// Stops the server, if this value started it, and waits until it has ended.
    ///
    /// Connections that are still open break.
    ///
    /// - Parameter limit: How long PostgreSQL may take to write down what it has in memory. After that it stops at once;
    ///   its next start then repairs what was open, which loses nothing that a synchronous commit has put down.
    public func stop(within limit: Duration = stopLimit) {
        if let serverProcess { Self.end(serverProcess, within: limit) }
    }

    /// Whether the server that this value started still runs.
    var isServing: Bool { serverProcess.map { $0.exitIfEnded() == nil } ?? false }

    /// The process id of the server that this value started; nil when it uses one that ran before.
    package var serverProcessID: Int32? { serverProcess?.id }

    private static func end(_ server: ChildProcess, within limit: Duration = stopLimit) {
        server.send(SIGINT)
        guard !hasEnded(server, within: limit) else { return }
        server.send(SIGQUIT)
        server.send(SIGCONT)
        _ = hasEnded(server, within: insistLimit)
    }

    private static func hasEnded(_ server: ChildProcess, within limit: Duration) -> Bool {
        let deadline = Clock.monotonicNanoseconds(after: limit)
        while server.exitIfEnded() == nil {
            guard Clock.monotonicNanoseconds() < deadline else { return false }
            pause()
        }
        return true
    }

    /// Lets a moment pass between two looks at something that has no descriptor to wait on.
    static func pause(milliseconds: Int32 = 5) { _ = poll(nil, 0, milliseconds) }
}
