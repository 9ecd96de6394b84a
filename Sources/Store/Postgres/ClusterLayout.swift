import Glibc
import IO
import Telemetry

/// The files of a private cluster, and the steps from nothing to a server that answers.
///
/// ```
/// DATA/postgres.lock        held while somebody starts it
/// DATA/postgres/server.log  what the server says
/// DATA/postgres/data        PostgreSQL's own
/// DATA/postgres/.s.PGSQL.*  the socket, unless the path is too long for one
/// ```
struct ClusterLayout {
    static let database = "castledger"
    /// Only a part of the socket's name: nothing listens on TCP.
    static let port = 5432
    /// Above this the old log is put aside as `server.log.1`.
    static let logLimitBytes = 16 << 20
    /// `sun_path` holds 108 bytes with its NUL.
    static let socketPathLimitBytes = 107

    /// A server that stops for so long is told to end at once; the next one then repairs what was open.
    ///
    /// PostgreSQL 15 that is told to stop while it recovers from the crash of one of its processes waits for its own
    /// checkpointer, for ever.
    private static let stoppingLimitNanoseconds: Int64 = 10_000_000_000

    let folder: String
    let lockPath: String
    private let account: PostgresAccount
    private let patience: PostgresPatience
    private let started = Clock.monotonicNanoseconds()
    private var dataFolder: String { "\(folder)/data" }
    private var logPath: String { "\(folder)/server.log" }

    init(data: String, patience: PostgresPatience = PostgresPatience()) throws(StoreError) {
        self.patience = patience
        account = try PostgresAccount.choose()
        do throws(IOError) { try Files.makeFolders(data) } catch { throw Self.failure("make its folder", error) }
        guard let absolute = unsafe realpath(data, nil) else {
            throw .clusterFailed(step: "find its folder", reason: data)
        }
        defer { unsafe free(absolute) }
        let path = unsafe String(cString: absolute)
        folder = "\(path)/postgres"
        lockPath = "\(path)/postgres.lock"
    }

    /// Runs file work, with its failure as one of this cluster's.
    func failing<Value: ~Copyable>(
        _ step: String, _ body: () throws(IOError) -> Value
    ) throws(StoreError) -> Value {
        do { return try body() } catch { throw Self.failure(step, error) }
    }

    private static func failure(_ step: String, _ error: IOError) -> StoreError {
        error.isPermission || error.isReadOnly
            ? .clusterForbidden(step: step, error: error) : .clusterFailed(step: step, reason: error.description)
    }

    /// Lets a moment pass between two looks at something that has no descriptor to wait on.
    ///
    /// - Throws: When whoever waits for the cluster has no more patience.
    func pause(_ step: String, milliseconds: Int32 = 5) throws(StoreError) {
        PrivateCluster.pause(milliseconds: milliseconds)
        let waited = Duration.nanoseconds(Clock.monotonicNanoseconds() - started)
        guard patience.keepsWaiting(PostgresPatience.startingCluster, waited) else {
            throw .clusterFailed(step: step, reason: "nobody waits for it any more")
        }
    }

    // MARK: A cluster that runs

    /// The address of the server that already runs here; nil when none does.
    ///
    /// Knocks only at a server that says it is ready. Each refused connection is a process that a server has to wait for
    /// before it can stop: knocking all the time at one that is stopping keeps it from ever getting there.
    func runningAddress(deadline: Int64) throws(StoreError) -> String? {
        let stopDeadline = Clock.monotonicNanoseconds() + Self.stoppingLimitNanoseconds
        var insisted = false
        while let running = runningServer() {
            if running.status == "stopping", !insisted, Clock.monotonicNanoseconds() > stopDeadline {
                insisted = true
                kill(running.process, SIGQUIT)
            }
            var reason = "it is \(running.status)"
            if running.isReady {
                let address = Self.address(
                    socketFolder: running.socketFolder, port: running.port, database: Self.database)
                do throws(StoreError) {
                    _ = try PostgresConnection(address, patience: patience)
                    return address
                } catch {
                    // It may have begun to stop, or not yet have our database.
                    guard case .cannotConnect(let words) = error else { throw error }
                    reason = words
                }
            }
            guard Clock.monotonicNanoseconds() < deadline else {
                throw .clusterFailed(step: "answer", reason: reason)
            }
            try pause("answer", milliseconds: running.isReady ? 100 : 5)
        }
        return nil
    }

    /// What a server's own files say of it.
    private struct RunningServer {
        var process: Int32
        var socketFolder: String
        var port: String
        /// `starting`, `ready` or `stopping`, in PostgreSQL's words.
        var status: String
        var isReady: Bool { status == "ready" }
    }

    /// What `postmaster.pid` says, when that process lives: id, folder, start, port, socket folder, listen address, memory
    /// key and status, one line each.
    ///
    /// A server that stops removes this file first and the lock of its socket last.
    private func runningServer() -> RunningServer? {
        let lines = Self.lines(of: "\(dataFolder)/postmaster.pid")
        if let process = Self.livingServer(lines) {
            let says = lines.count > 4 && !lines[4].isEmpty
            return RunningServer(
                process: process, socketFolder: says ? lines[4] : socketFolder, port: says ? lines[3] : "\(Self.port)",
                status: lines.count > 7 ? String(lines[7].prefix { $0 != " " }) : "starting")
        }
        let socketLock = "\(socketFolder)/.s.PGSQL.\(Self.port).lock"
        return Self.livingServer(Self.lines(of: socketLock)).map { process in
            RunningServer(process: process, socketFolder: socketFolder, port: "\(Self.port)", status: "stopping")
        }
    }

    private static func lines(of path: String) -> [String] {
        let content = (try? Files.read(path, limitBytes: 4096)) ?? []
        return String(decoding: content, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// The process of the first line, when it is a server that lives.
    private static func livingServer(_ lines: [String]) -> Int32? {
        guard let process = lines.first.flatMap({ Int32($0) }), process > 0, isPostgres(process) else { return nil }
        return process
    }

    /// Whether the process is a PostgreSQL server that lives: after a reboot its id may be somebody else's.
    private static func isPostgres(_ process: Int32) -> Bool {
        guard let content = try? Files.read("/proc/\(process)/stat", limitBytes: 1024) else { return false }
        // "4711 (postgres) S 1 …": Z is a dead process that nobody has collected yet.
        let text = String(decoding: content, as: UTF8.self)
        return text.contains("(postgres)") && !text.contains(") Z ")
    }

    // MARK: Making one

    /// Makes the cluster where there is none: whole or not at all, since the finished folder is moved into place.
    func makeCluster(log: Log) throws(StoreError) {
        try failing("make its folder") { () throws(IOError) in try Files.makeFolders(folder) }
        account.own(folder)
        try checkReach()
        try makeSocketFolder()
        guard !Files.exists("\(dataFolder)/PG_VERSION") else { return }
        log(.notice, "making a private PostgreSQL cluster", [.path: folder])
        let programs = try PostgresPrograms.find(major: nil)
        let unfinished = "\(folder)/data.unfinished"
        try run(["rm", "-rf", unfinished], step: "clear away an unfinished one")
        try run(
            [
                "\(programs.folder)/initdb", "--pgdata=\(unfinished)", "--username=castledger", "--auth=trust",
                "--encoding=UTF8", "--locale=C.UTF-8",
            ], step: "be made")
        try failing("be put in place") { () throws(IOError) in
            guard unsafe rename(unfinished, dataFolder) == 0 else {
                throw IOError(call: "rename", number: errno, subject: dataFolder)
            }
            try Files.syncFolder(of: dataFolder)
        }
    }

    /// As root, the data folder is opened for passing through; the folders above it are the operator's.
    private func checkReach() throws(StoreError) {
        guard account != .ourselves else { return }
        let data = String(folder.dropLast("/postgres".count))
        var status = stat()
        if unsafe stat(data, &status) == 0 { _ = unsafe chmod(data, status.st_mode & 0o7777 | 0o011) }
        let reached = try failing("be reached") { () throws(IOError) in
            try ChildProcess.run(account.command(["test", "-x", folder])).0
        }
        guard reached == .code(0) else { throw .clusterUnreachable(folder: folder) }
    }

    private func run(_ words: [String], step: String) throws(StoreError) {
        try withLog { (log) throws(StoreError) in
            let program = try failing(step) { () throws(IOError) in
                try ChildProcess(account.command(words), output: log, errors: log)
            }
            while program.exitIfEnded() == nil {
                do throws(StoreError) { try pause(step) } catch {
                    program.send(SIGTERM)
                    program.wait()
                    throw error
                }
            }
            guard program.wait() == .code(0) else { throw .clusterFailed(step: step, reason: logReason()) }
        }
    }

    private func withLog<Value>(_ body: (Int32) throws(StoreError) -> Value) throws(StoreError) -> Value {
        var status = stat()
        if unsafe stat(logPath, &status) == 0, status.st_size > Self.logLimitBytes {
            _ = unsafe rename(logPath, logPath + ".1")
        }
        let log = unsafe open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let number = errno
        guard log >= 0 else {
            let error = IOError(call: "open", number: number, subject: logPath)
            throw .clusterFailed(step: "open its log", reason: error.description)
        }
        defer { close(log) }
        return try body(log)
    }

    private func logReason() -> String {
        let content = (try? Files.read(logPath, limitBytes: 2 * Self.logLimitBytes)) ?? []
        return "\(ServerLog.reason(in: content)) (more in \(logPath))"
    }

    // MARK: Starting it

    func startServer() throws(StoreError) -> ChildProcess {
        let version = (try? Files.read("\(dataFolder)/PG_VERSION", limitBytes: 16)) ?? []
        let major = String(decoding: version.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let programs = try PostgresPrograms.find(major: major)
        removeStaleProcessFile()
        let settings = [
            "listen_addresses=", "port=\(Self.port)", "unix_socket_directories=\(quotedSocketFolder)",
            "unix_socket_permissions=0700", "max_connections=40", "shared_buffers=64MB", "work_mem=16MB",
            "maintenance_work_mem=64MB", "wal_level=minimal", "max_wal_senders=0", "max_wal_size=1GB",
            "checkpoint_timeout=15min", "wal_compression=on", "jit=off", "logging_collector=off",
            "log_destination=stderr", "log_checkpoints=off", "timezone=UTC", "log_timezone=UTC",
        ]
        let words = ["\(programs.folder)/postgres", "-D", dataFolder] + settings.flatMap { ["-c", $0] }
        let signal = account == .ourselves ? SIGINT : 0
        return try withLog { (log) throws(StoreError) in
            try failing("start") { () throws(IOError) in
                try ChildProcess(
                    account.command(words, endsWithUs: true), parentDeathSignal: signal, inOwnGroup: true,
                    output: log, errors: log)
            }
        }
    }

    /// After a reboot the file may name a process id that is now another program's; PostgreSQL would then refuse.
    ///
    /// A process that is gone altogether is PostgreSQL's own to judge.
    private func removeStaleProcessFile() {
        let path = "\(dataFolder)/postmaster.pid"
        guard let content = try? Files.read(path, limitBytes: 4096) else { return }
        let line = String(decoding: content.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard let process = Int32(line), process > 0, kill(process, 0) == 0, !Self.isPostgres(process) else { return }
        _ = unsafe unlink(path)
    }

    func awaitConnections(of server: ChildProcess, deadline: Int64) throws(StoreError) {
        while true {
            let running = runningServer()
            var reason = "it is \(running?.status ?? "starting")"
            if running?.process == server.id, running?.isReady == true {
                do throws(StoreError) {
                    _ = try PostgresConnection(address(database: "postgres"), patience: patience)
                    return
                } catch {
                    guard case .cannotConnect(let words) = error else { throw error }
                    reason = words
                }
            }
            guard server.exitIfEnded() == nil else { throw .clusterFailed(step: "start", reason: logReason()) }
            guard Clock.monotonicNanoseconds() < deadline else { throw .clusterFailed(step: "start", reason: reason) }
            try pause("start")
        }
    }

    func makeDatabase() throws(StoreError) {
        let connection = try PostgresConnection(address(database: "postgres"), patience: patience)
        let doing = "making the database"
        let found = try connection.execute(
            "SELECT 1 FROM pg_database WHERE datname = $1", [.text(Self.database)], doing: doing)
        if found.isEmpty { try connection.execute("CREATE DATABASE \(Self.database)", doing: doing) }
    }

    // MARK: Its socket

    func address(database: String) -> String {
        Self.address(socketFolder: socketFolder, port: String(Self.port), database: database)
    }

    private static func address(socketFolder: String, port: String, database: String) -> String {
        "host=\(quoted(socketFolder)) port=\(quoted(port)) user=castledger dbname=\(database)"
    }

    /// A value as libpq's `key='value'` words have it.
    private static func quoted(_ value: String) -> String {
        let escaped = value.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }
        return "'\(escaped.joined())'"
    }

    /// PostgreSQL reads a list of names here: one quoted name, so that a comma or blank in the path is none of its own.
    private var quotedSocketFolder: String {
        "\"\(socketFolder.map { $0 == "\"" ? "\"\"" : String($0) }.joined())\""
    }

    /// The cluster's own folder, or a short one that is named after it when a socket's path would be too long there.
    var socketFolder: String {
        guard "\(folder)/.s.PGSQL.\(Self.port)".utf8.count > Self.socketPathLimitBytes else { return folder }
        let hash = folder.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let place = account == .ourselves ? ThisProcess.environment("XDG_RUNTIME_DIR") ?? "/tmp" : "/run"
        return "\(place)/castledger-\(String(hash, radix: 16))"
    }

    private func makeSocketFolder() throws(StoreError) {
        let path = socketFolder
        guard path != folder else { return }
        if unsafe mkdir(path, 0o700) == 0 { return account.own(path) }
        // In a folder that everybody can write, somebody else may have made it first.
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            status.st_uid == account.userID, status.st_mode & 0o077 == 0
        else { throw .clusterFailed(step: "make a folder for its socket", reason: "\(path) is not ours") }
    }
}
