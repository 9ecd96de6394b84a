import CPostgres
import Glibc

/// One connection to PostgreSQL, which blocks its thread while the server works.
///
/// It belongs to the thread that made it, which every call checks. A class, since results refer to it; freed once,
/// by `deinit`, which also closes it.
@safe public final class PostgresConnection {
    private let connection: OpaquePointer
    private let owner = pthread_self()

    /// Connects, and waits for it at most `timeoutSeconds`.
    ///
    /// - Parameters:
    ///   - address: A `postgresql://` URL or libpq's `key=value` words. Never logged, never in an error.
    ///   - timeoutSeconds: For each of the host's addresses; 2 or more.
    public init(_ address: String, timeoutSeconds: Int = 10) throws(StoreError) {
        unsafe connection = try Self.connect(address, timeoutSeconds: timeoutSeconds)
        let version = Int(unsafe PQserverVersion(connection))
        guard version >= 140_000 else { throw StoreError.serverTooOld(version: version) }
        try execute("SET client_min_messages = warning")
    }

    deinit { unsafe PQfinish(connection) }

    /// The address as logs and pages may show it: host, port and database, without user and password.
    ///
    /// Needs no network, so it also checks what a person typed.
    public static func describe(_ address: String) throws(StoreError) -> String {
        guard let options = unsafe PQconninfoParse(address, nil) else { throw .badAddress }
        defer { unsafe PQconninfoFree(options) }
        var words: [String: String] = [:]
        var index = 0
        while let keyword = unsafe options[index].keyword {
            if let value = unsafe options[index].val {
                unsafe words[String(cString: keyword)] = unsafe String(cString: value)
            }
            index += 1
        }
        let place = words["host"] ?? words["hostaddr"] ?? "local"
        return "\(place):\(words["port"] ?? "5432")/\(words["dbname"] ?? "")"
    }

    private static func connect(_ address: String, timeoutSeconds: Int) throws(StoreError) -> OpaquePointer {
        // Parsed on its own first: libpq's complaints about an address quote it, password included.
        _ = try describe(address)
        let words: [(String, String)] = [
            ("connect_timeout", String(timeoutSeconds)), ("dbname", address), ("client_encoding", "UTF8"),
            ("fallback_application_name", "castledger"),
        ]
        var keys: [UnsafePointer<CChar>?] = unsafe words.map { unsafe UnsafePointer(strdup($0.0)) } + [nil]
        var values: [UnsafePointer<CChar>?] = unsafe words.map { unsafe UnsafePointer(strdup($0.1)) } + [nil]
        defer {
            unsafe (keys + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
        }
        guard let made = unsafe PQconnectdbParams(&keys, &values, 1) else { throw .cannotConnect(reason: "no memory") }
        guard unsafe PQstatus(made) == CONNECTION_OK else {
            let reason = unsafe trimmed(PQerrorMessage(made))
            unsafe PQfinish(made)
            throw .cannotConnect(reason: reason)
        }
        unsafe PQsetNoticeProcessor(made, { _, _ in }, nil)
        return unsafe made
    }

    /// Runs one statement and returns all its rows.
    ///
    /// - Parameter doing: What it is for, as an error says it: "reading the checkpoint".
    @discardableResult
    public func execute(
        _ sql: String, _ parameters: [PostgresParameter] = [], doing: String = "running a statement"
    ) throws(StoreError) -> [PostgresRow] {
        checkOwner()
        let answer = unsafe withParameters(parameters) { count, values, lengths, formats in
            unsafe PQexecParams(connection, sql, count, nil, values, lengths, formats, 1)
        }
        let result = try unsafe check(answer, doing)
        return (0..<result.rowCount).map { PostgresRow(result: result, row: $0) }
    }

    /// Runs several statements without parameters, separated by semicolons; their rows are dropped.
    public func executeScript(_ sql: String, doing: String) throws(StoreError) {
        checkOwner()
        _ = try unsafe check(PQexec(connection, sql), doing)
    }

    /// Runs one statement and hands over its rows one by one, as they come, until `each` returns false.
    ///
    /// Only one row is in memory at a time. `each` must not use this connection.
    public func stream(
        _ sql: String, _ parameters: [PostgresParameter] = [], doing: String,
        each: (PostgresRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        checkOwner()
        let sent = unsafe withParameters(parameters) { count, values, lengths, formats in
            unsafe PQsendQueryParams(connection, sql, count, nil, values, lengths, formats, 1)
        }
        guard sent == 1 else { throw failure(doing) }
        unsafe PQsetSingleRowMode(connection)
        var stopped = false
        var failed: StoreError?
        // Read to the end whatever happens, or the next statement finds the rest of this one.
        while let answer = unsafe PQgetResult(connection) {
            let result = unsafe PostgresResult(answer)
            guard failed == nil, !stopped else { continue }
            do throws(StoreError) {
                guard result.isSuccess else { throw failure(doing, result) }
                for row in 0..<result.rowCount where !stopped {
                    stopped = try !each(PostgresRow(result: result, row: row))
                }
            } catch { failed = error }
            if stopped || failed != nil { cancelStatement() }
        }
        if let failed { throw failed }
    }

    /// Copies rows in PostgreSQL's binary form into a table.
    public func copy(into target: String, _ rows: CopyRows, doing: String) throws(StoreError) {
        checkOwner()
        let begun = unsafe PostgresResult(PQexec(connection, "COPY \(target) FROM STDIN (FORMAT binary)"))
        guard begun.isCopyIn else { throw failure(doing, begun) }
        let content = rows.finished
        let put = unsafe content.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let length = min(bytes.count - offset, 1 << 20)
                let start = unsafe bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
                guard unsafe PQputCopyData(connection, start, Int32(length)) == 1 else { return false }
                offset += length
            }
            return unsafe PQputCopyEnd(connection, nil) == 1
        }
        // The server's complaint, if any, says more than the failed write.
        var failed: StoreError? = put ? nil : failure(doing)
        while let answer = unsafe PQgetResult(connection) {
            let result = unsafe PostgresResult(answer)
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

    /// Whether the connection still stood when it was last used.
    public var isAlive: Bool { unsafe PQstatus(connection) == CONNECTION_OK }

    private func cancelStatement() {
        guard let cancel = unsafe PQgetCancel(connection) else { return }
        defer { unsafe PQfreeCancel(cancel) }
        var complaint = [CChar](repeating: 0, count: 256)
        // Best effort: without it the remaining rows are read and dropped.
        _ = unsafe PQcancel(cancel, &complaint, Int32(complaint.count))
    }

    private func checkOwner() {
        precondition(
            pthread_equal(owner, pthread_self()) != 0, "a PostgresConnection belongs to the thread that made it")
    }

    private func check(_ answer: OpaquePointer?, _ doing: String) throws(StoreError) -> PostgresResult {
        guard let answer = unsafe answer else { throw failure(doing) }
        let result = unsafe PostgresResult(answer)
        guard result.isSuccess else { throw failure(doing, result) }
        return result
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
