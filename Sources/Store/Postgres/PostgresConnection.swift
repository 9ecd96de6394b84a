import CPostgres
import Glibc
import IO

/// One connection to PostgreSQL, which blocks its thread while the server works, as long as its ``PostgresPatience`` lasts.
///
/// It belongs to the thread that made it, which every call checks. A class, since results refer to it; freed once,
/// by `deinit`, which also closes it.
@safe public final class PostgresConnection {
    /// While rows come without a wait, patience is asked after so many.
    private static let rowsPerLook = 1_000
    private let connection: OpaquePointer
    private let owner = pthread_self()
    private let patience: PostgresPatience
    /// Set once the server did not answer in time: what it says later belongs to a question that nobody asks any more.
    private var isGivenUp = false
    /// Whether a statement may take as long as it needs; see ``withoutLimit(doing:_:)``.
    private var isUnlimited = false

    /// Connects.
    ///
    /// - Parameter address: A `postgresql://` URL or libpq's `key=value` words. Never logged, never in an error.
    public init(_ address: String, patience: PostgresPatience = PostgresPatience()) throws(StoreError) {
        unsafe connection = try Self.connect(address, patience)
        self.patience = patience
        let version = Int(unsafe PQserverVersion(connection))
        guard version >= 140_000 else { throw StoreError.serverTooOld(version: version) }
        // Compiling our questions takes longer than asking them, and an index of one device is cheap to read.
        try executeScript(
            """
            SET client_min_messages = warning; SET jit = off; SET random_page_cost = 1.1;
            SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3
            """, doing: "setting up the connection")
        // A statement whose connection we closed must not hold its locks for nobody: the server looks, where it can.
        _ = try? execute("SET client_connection_check_interval = 2000", doing: "setting up the connection")
        try limitStatements()
    }

    deinit { unsafe PQfinish(connection) }

    private func limitStatements() throws(StoreError) {
        guard let limit = patience.statementLimit else { return }
        try execute(
            "SELECT set_config('statement_timeout', $1, false)", [.text("\(limit.wholeNanoseconds / 1_000_000)")],
            doing: "setting up the connection")
    }

    /// The address as logs and pages may show it: host, port and database, without user and password.
    ///
    /// Needs no network, so it also checks what a person typed.
    public static func describe(_ address: String) throws(StoreError) -> String {
        guard let words = words(of: address) else { throw .badAddress }
        let place = words["host"] ?? words["hostaddr"] ?? "local"
        return "\(place):\(words["port"] ?? "5432")/\(words["dbname"] ?? "")"
    }

    /// Whether an address holds a password.
    public static func holdsPassword(_ address: String) -> Bool { words(of: address)?["password"] != nil }

    /// What an address says, by libpq's words; nil when it is none.
    private static func words(of address: String) -> [String: String]? {
        guard let options = unsafe PQconninfoParse(address, nil) else { return nil }
        defer { unsafe PQconninfoFree(options) }
        var words: [String: String] = [:]
        var index = 0
        while let keyword = unsafe options[index].keyword {
            if let value = unsafe options[index].val {
                unsafe words[String(cString: keyword)] = unsafe String(cString: value)
            }
            index += 1
        }
        return words
    }

    private static func connect(_ address: String, _ patience: PostgresPatience) throws(StoreError) -> OpaquePointer {
        // Parsed on its own first: libpq's complaints about an address quote it, password included.
        _ = try describe(address)
        // What is sent and not acknowledged for 30 s has nobody to receive it; a silent server is asked after 15 s.
        let words: [(String, String)] = [
            ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"), ("dbname", address), ("client_encoding", "UTF8"),
            ("fallback_application_name", "castledger"),
        ]
        var keys: [UnsafePointer<CChar>?] = unsafe words.map { unsafe UnsafePointer(strdup($0.0)) } + [nil]
        var values: [UnsafePointer<CChar>?] = unsafe words.map { unsafe UnsafePointer(strdup($0.1)) } + [nil]
        defer {
            unsafe (keys + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
        }
        guard let made = unsafe PQconnectStartParams(&keys, &values, 1) else {
            throw .cannotConnect(reason: "no memory")
        }
        guard let reason = unsafe login(made, patience) else {
            unsafe PQsetNoticeProcessor(made, { _, _ in }, nil)
            unsafe PQsetnonblocking(made, 1)
            return unsafe made
        }
        unsafe PQfinish(made)
        throw .cannotConnect(reason: reason)
    }

    /// Takes the steps of connecting and logging in; says why it did not come about.
    private static func login(_ made: OpaquePointer, _ patience: PostgresPatience) -> String? {
        let wait = patience.wait(doing: "connecting", limit: patience.connectLimit)
        // PQconnectStart counts as a step that asked for writing.
        var step = unsafe PQstatus(made) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while step != PGRES_POLLING_OK {
            guard step != PGRES_POLLING_FAILED else { return unsafe trimmed(PQerrorMessage(made)) }
            let events = step == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard awaitSocket(unsafe PQsocket(made), Int16(events), wait) else {
                return "no answer within \(max(wait.waited, .seconds(1)).components.seconds) s"
            }
            step = unsafe PQconnectPoll(made)
        }
        return nil
    }

    /// Runs one statement and returns all its rows.
    ///
    /// - Parameter doing: What it is for, as an error says it: "reading the checkpoint".
    @discardableResult
    public func execute(
        _ sql: String, _ parameters: [PostgresParameter] = [], doing: String = "running a statement"
    ) throws(StoreError) -> [PostgresRow] {
        let wait = try begin(doing) {
            unsafe withParameters(parameters) { count, values, lengths, formats in
                unsafe PQsendQueryParams(connection, sql, count, nil, values, lengths, formats, 1)
            }
        }
        let result = try finish(wait)
        return (0..<result.rowCount).map { PostgresRow(result: result, row: $0) }
    }

    /// Runs several statements without parameters, separated by semicolons; their rows are dropped.
    public func executeScript(_ sql: String, doing: String) throws(StoreError) {
        _ = try finish(try begin(doing) { unsafe PQsendQuery(connection, sql) })
    }

    /// Runs one statement and hands over its rows one by one, as they come, until `each` returns false.
    ///
    /// Only one row is in memory at a time. `each` must not use this connection.
    public func stream(
        _ sql: String, _ parameters: [PostgresParameter] = [], doing: String,
        each: (PostgresRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let wait = try begin(doing) {
            let sent = unsafe withParameters(parameters) { count, values, lengths, formats in
                unsafe PQsendQueryParams(connection, sql, count, nil, values, lengths, formats, 1)
            }
            unsafe PQsetSingleRowMode(connection)
            return sent
        }
        var stopped = false
        var failed: StoreError?
        var count = 0
        // Read to the end whatever happens, or the next statement finds the rest of this one.
        while let result = try nextResult(wait) {
            count += 1
            if count.isMultiple(of: Self.rowsPerLook), !patience.keepsWaiting(doing, .zero) { throw giveUp(wait) }
            guard failed == nil, !stopped else { continue }
            do throws(StoreError) {
                guard result.isSuccess else { throw failure(doing, result) }
                for row in 0..<result.rowCount where !stopped {
                    stopped = try !each(PostgresRow(result: result, row: row))
                }
            } catch { failed = error }
            // A server that answers with an error has ended its statement by itself.
            if stopped, failed == nil { cancelStatement() }
        }
        if let failed { throw failed }
    }

    /// Copies rows in PostgreSQL's binary form into a table.
    public func copy(into target: String, _ rows: CopyRows, doing: String) throws(StoreError) {
        let wait = try begin(doing) {
            unsafe PQsendQuery(connection, "COPY \(target) FROM STDIN (FORMAT binary)")
        }
        guard let begun = try nextResult(wait) else { throw failure(doing) }
        guard begun.isCopyIn else {
            while try nextResult(wait) != nil {}
            throw failure(doing, begun)
        }
        let content = rows.finished
        var put = true
        var offset = 0
        while put, offset < content.count {
            let length = min(content.count - offset, 1 << 20)
            put = unsafe content.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
                return unsafe PQputCopyData(connection, start, Int32(length)) == 1
            }
            offset += length
            if put { put = try flush(wait) }
        }
        if put { put = unsafe PQputCopyEnd(connection, nil) == 1 }
        if put { put = try flush(wait) }
        // The server's complaint, if any, says more than the failed write.
        var failed: StoreError? = put ? nil : failure(doing)
        while isAlive, let result = try nextResult(wait) {
            guard !result.isCopyIn else { throw giveUp(wait) }
            if !result.isSuccess { failed = failure(doing, result) }
        }
        if let failed { throw failed }
    }

    /// Runs `body` in one transaction: all of it happens, or nothing.
    public func transaction<Value>(
        doing: String, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try execute("BEGIN", doing: doing)
        do {
            let value = try body()
            try execute("COMMIT", doing: doing)
            return value
        } catch {
            // When this fails too, the connection is gone, and the transaction with it.
            _ = try? execute("ROLLBACK", doing: doing)
            throw error
        }
    }

    /// Runs `body` with statements that may take as long as they need: changes of the schema, and the removal of rows.
    func withoutLimit<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        guard patience.statementLimit != nil, !isUnlimited else { return try body() }
        try execute("SET statement_timeout = 0", doing: "setting up the connection")
        isUnlimited = true
        defer { isUnlimited = false }
        let value = try body()
        isUnlimited = false
        try limitStatements()
        return value
    }

    /// Waits until something came that this connection listens for, at most so long; false when nothing did.
    public func awaitNotification(within limit: Duration) throws(StoreError) -> Bool {
        var descriptor = pollfd(fd: unsafe PQsocket(connection), events: Int16(POLLIN), revents: 0)
        unsafe poll(&descriptor, 1, Int32(clamping: limit.wholeNanoseconds / 1_000_000))
        guard isAlive, unsafe PQconsumeInput(connection) == 1 else { throw .connectionLost(doing: "listening") }
        var isNews = false
        while let notification = unsafe PQnotifies(connection) {
            unsafe PQfreemem(notification)
            isNews = true
        }
        return isNews
    }

    // MARK: Waiting

    /// Sends a statement; its answer is then waited for.
    private func begin(_ doing: String, _ send: () -> Int32) throws(StoreError) -> PostgresWait {
        precondition(
            pthread_equal(owner, pthread_self()) != 0, "a PostgresConnection belongs to the thread that made it")
        guard !isGivenUp else { throw .connectionLost(doing: doing) }
        let limit = isUnlimited ? nil : patience.statementLimit
        let wait = patience.wait(doing: doing, limit: limit.map { $0 + patience.overdueLimit })
        // A long row of fast statements never waits, and must end all the same when nobody wants it any more.
        guard patience.keepsWaiting(doing, .zero) else { throw giveUp(wait) }
        guard send() == 1 else { throw failure(doing) }
        guard try flush(wait) else { throw failure(doing) }
        return wait
    }

    /// Sends what libpq holds; false when the connection broke.
    private func flush(_ wait: PostgresWait) throws(StoreError) -> Bool {
        while true {
            let left = unsafe PQflush(connection)
            guard left == 1 else { return left == 0 }
            // A server that cannot get rid of its own words takes none of ours: read, or both wait for ever.
            guard Self.awaitSocket(unsafe PQsocket(connection), Int16(POLLIN | POLLOUT), wait) else {
                throw giveUp(wait)
            }
            guard unsafe PQconsumeInput(connection) == 1 else { return false }
        }
    }

    private func nextResult(_ wait: PostgresWait) throws(StoreError) -> PostgresResult? {
        while unsafe PQisBusy(connection) == 1 {
            guard Self.awaitSocket(unsafe PQsocket(connection), Int16(POLLIN), wait) else { throw giveUp(wait) }
            // When this fails the connection is gone, and the result says so.
            guard unsafe PQconsumeInput(connection) == 1 else { break }
        }
        guard let answer = unsafe PQgetResult(connection) else { return nil }
        return unsafe PostgresResult(answer)
    }

    /// Waits for the end of a statement; of several results the first failure counts, else the last one.
    private func finish(_ wait: PostgresWait) throws(StoreError) -> PostgresResult {
        var last: PostgresResult?
        while let result = try nextResult(wait) {
            if last?.isSuccess ?? true { last = result }
            // A statement that begins a copy would give the same result for ever; none of ours does.
            if result.isCopyIn { break }
        }
        guard let last else { throw failure(wait.doing) }
        guard last.isSuccess else { throw failure(wait.doing, last) }
        return last
    }

    /// Waits until a socket is ready; false when patience is over.
    private static func awaitSocket(_ socket: Int32, _ events: Int16, _ wait: PostgresWait) -> Bool {
        guard socket >= 0 else { return true }  // Libpq says what is wrong.
        var descriptor = pollfd(fd: socket, events: events, revents: 0)
        while unsafe poll(&descriptor, 1, PostgresPatience.turnMilliseconds) <= 0 {
            guard wait.goesOn else { return false }
        }
        return true
    }

    private func giveUp(_ wait: PostgresWait) -> StoreError {
        isGivenUp = true
        return .noAnswer(doing: wait.doing, seconds: Int(wait.waited.components.seconds))
    }

    /// Whether the connection still stood when it was last used.
    public var isAlive: Bool { unsafe !isGivenUp && PQstatus(connection) == CONNECTION_OK }

    private func cancelStatement() {
        guard let cancel = unsafe PQgetCancel(connection) else { return }
        defer { unsafe PQfreeCancel(cancel) }
        var complaint = [CChar](repeating: 0, count: 256)
        // Best effort: without it the remaining rows are read and dropped.
        _ = unsafe PQcancel(cancel, &complaint, Int32(complaint.count))
    }

    private func failure(_ doing: String, _ result: PostgresResult? = nil) -> StoreError {
        // 57P01 and its neighbors: the server shuts down, and this connection with it.
        guard isAlive, let sqlState = result?.sqlState, !sqlState.hasPrefix("57P") else {
            return .connectionLost(doing: doing)
        }
        return .refused(doing: doing, sqlState: sqlState, message: result?.message ?? "")
    }

    private static func trimmed(_ message: UnsafeMutablePointer<CChar>?) -> String {
        guard let message = unsafe message else { return "" }
        let lines = unsafe String(cString: message).split(separator: "\n")
        return lines.map { line in line.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ")
    }

    private func withParameters<Value>(
        _ parameters: [PostgresParameter],
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        // One block holds every value, text ones with the NUL that libpq wants.
        var block: [UInt8] = []
        var offsets: [Int?] = []
        var lengths: [Int32] = []
        for parameter in parameters {
            offsets.append(parameter.bytes == nil ? nil : block.count)
            lengths.append(Int32(clamping: parameter.bytes?.count ?? 0))
            block.append(contentsOf: parameter.bytes ?? [])
            block.append(0)
        }
        let formats = parameters.map { $0.isBinary ? Int32(1) : 0 }
        return unsafe block.withUnsafeBytes { block in
            let values = unsafe offsets.map { offset in
                unsafe offset.flatMap {
                    unsafe block.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self)
                }
            }
            return unsafe body(Int32(parameters.count), values, lengths, formats)
        }
    }
}

/// The answer to a statement, shared by its rows; freed once, by `deinit`.
@safe final class PostgresResult {
    private let result: OpaquePointer?

    fileprivate init(_ result: OpaquePointer?) { unsafe self.result = result }
    deinit { unsafe PQclear(result) }

    var rowCount: Int { Int(unsafe PQntuples(result)) }

    var isSuccess: Bool {
        let outcome = unsafe PQresultStatus(result)
        return outcome == PGRES_COMMAND_OK || outcome == PGRES_TUPLES_OK || outcome == PGRES_SINGLE_TUPLE
            || outcome == PGRES_EMPTY_QUERY
    }

    var isCopyIn: Bool { unsafe PQresultStatus(result) == PGRES_COPY_IN }

    /// The five-letter code of an error; nil when the server gave none, which means that it is gone.
    fileprivate var sqlState: String? { field("C") }
    /// The server's first line about an error.
    fileprivate var message: String { field("M") ?? "" }

    private func field(_ code: Unicode.Scalar) -> String? {
        guard let text = unsafe PQresultErrorField(result, Int32(code.value)) else { return nil }
        return unsafe String(cString: text)
    }

    /// The bytes of one field in PostgreSQL's binary form; nil for NULL, and for a field that does not exist.
    func withBytes<Value>(row: Int, column: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
        let (row, column) = (Int32(clamping: row), Int32(clamping: column))
        guard unsafe column < PQnfields(result), unsafe PQgetisnull(result, row, column) == 0 else { return nil }
        let length = Int(unsafe PQgetlength(result, row, column))
        return unsafe body(UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: length))
    }
}
