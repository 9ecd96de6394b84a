import CMicrohttpd
import Glibc
import IO
import WebCore

/// Answers requests on a thread of libmicrohttpd's own, which never waits for anything.
///
/// The only file that sees libmicrohttpd. `@unchecked Sendable`: the daemon's pointer is set in ``start(_:)`` and cleared
/// in ``stop()``, both on the thread that made this; everything else is behind a lock.
@safe final class HTTPDaemon: @unchecked Sendable {
    /// How much is taken from whom.
    struct Limits: Sendable {
        /// Connections in all; more wait in the kernel's queue.
        var connections: UInt32 = 2_000
        /// Connections of one address; more are closed at once.
        var connectionsPerAddress: UInt32 = 1_500
        /// Seconds without a byte.
        var silenceSeconds: UInt32 = 30
        /// How long a head may take to arrive, however steadily it trickles.
        var headLimit = Duration.seconds(10)
        /// Bytes of a head.
        var headBytes = 65_536
        /// Bytes of a body.
        var bodyBytes = 4_096
    }

    /// What happens with a request once its head and body are there, on the daemon's thread.
    typealias Handler = @Sendable (Exchange) -> Void

    private let listener: Int32
    private let limits: Limits
    private let tls: (key: String, certificate: String)?
    private let handler: Handler
    private var daemon: OpaquePointer?
    private let open = Guarded(Open())

    private struct Open {
        /// When each connection began whose first head has not come, by its descriptor, in monotonic nanoseconds.
        var heads: [Int32: Int64] = [:]
        var connections = 0
        var isStopping = false
        /// Requests that have not ended.
        var exchanges: [ObjectIdentifier: Exchange] = [:]
    }

    /// - Parameter listener: Bound and listening; the daemon closes it.
    init(
        listener: Int32, limits: Limits = Limits(), tls: (key: String, certificate: String)? = nil,
        handler: @escaping Handler
    ) {
        self.listener = listener
        self.limits = limits
        self.tls = tls
        self.handler = handler
    }

    /// Starts the thread; false when the daemon refuses, above all a key that is none.
    func start() -> Bool {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        var calls = Self.calls
        let made = unsafe (tls?.key ?? "").withCString { key in
            unsafe (tls?.certificate ?? "").withCString { certificate in
                var settings = unsafe cmhd_settings(
                    listener: listener, connection_limit: limits.connections,
                    address_limit: limits.connectionsPerAddress, timeout_seconds: limits.silenceSeconds,
                    memory_bytes: limits.headBytes, tls_key: tls == nil ? nil : key,
                    tls_certificate: tls == nil ? nil : certificate)
                return unsafe cmhd_start(&settings, &calls, context)
            }
        }
        unsafe daemon = made
        return unsafe made != nil
    }

    /// Ends every connection and the thread.
    func stop() {
        let left = open.withLock { open in
            open.isStopping = true
            return Array(open.exchanges.values)
        }
        for exchange in left { exchange.abandon() }
        if let daemon = unsafe daemon { unsafe cmhd_stop(daemon) }
        unsafe daemon = nil
    }

    /// Connections that are open.
    var connections: Int { open.withLock { $0.connections } }

    /// Ends connections whose head has been on its way for too long; to be called about once a second.
    func endSlowHeads() {
        let oldest = Clock.monotonicNanoseconds() - limits.headLimit.wholeNanoseconds
        open.withLock { open in
            for (descriptor, begun) in open.heads where begun < oldest {
                // Under the lock, since the descriptor is closed after it is taken off the table.
                _ = shutdown(descriptor, Int32(SHUT_RDWR))
                open.heads[descriptor] = nil
            }
        }
    }

    // MARK: On the daemon's thread

    private static let calls = unsafe cmhd_calls(
        begin: { context, target, connection in
            guard let context = unsafe context, let target = unsafe target, let connection = unsafe connection else {
                return nil
            }
            let daemon = unsafe Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
            let exchange = unsafe Exchange(daemon, connection, target: String(cString: target))
            daemon.open.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
            return unsafe Unmanaged.passRetained(exchange).toOpaque()
        },
        handle: { pointer, method, piece, length, isFirst in
            guard let exchange = unsafe exchange(pointer) else { return 0 }
            let name = unsafe method.map { unsafe String(cString: $0) } ?? ""
            let bytes = unsafe UnsafeRawBufferPointer(start: piece, count: piece == nil ? 0 : length)
            return unsafe exchange.advance(method: name, piece: Array(bytes), isFirst: isFirst != 0) ? 1 : 0
        },
        read: { pointer, place, limit in
            guard let exchange = unsafe exchange(pointer), let place = unsafe place else { return -2 }
            return unsafe exchange.read(into: UnsafeMutableRawBufferPointer(start: place, count: limit))
        },
        finish: { pointer in
            guard let pointer = unsafe pointer else { return }
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
            exchange.daemon.open.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
            exchange.finish()
        },
        connected: { context, descriptor, isOpen in
            guard let context = unsafe context else { return }
            let daemon = unsafe Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
            daemon.connected(descriptor, isOpen: isOpen != 0)
        })

    private static func exchange(_ pointer: UnsafeMutableRawPointer?) -> Exchange? {
        unsafe pointer.map { unsafe Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private func connected(_ descriptor: Int32, isOpen: Bool) {
        open.withLock { open in
            open.heads[descriptor] = isOpen ? Clock.monotonicNanoseconds() : nil
            open.connections += isOpen ? 1 : -1
        }
    }

    fileprivate func headCame(on descriptor: Int32) { open.withLock { $0.heads[descriptor] = nil } }

    /// The next request on a connection has as long as the first one, and so has silence.
    fileprivate func awaitsHead(on descriptor: Int32) {
        open.withLock { $0.heads[descriptor] = Clock.monotonicNanoseconds() }
    }

    fileprivate var isStopping: Bool { open.withLock { $0.isStopping } }
    fileprivate var bodyLimit: Int { limits.bodyBytes }
    fileprivate var pointer: OpaquePointer? { unsafe daemon }
    fileprivate func begin(_ exchange: Exchange) { handler(exchange) }
}

/// One request and its answer.
///
/// `@unchecked Sendable`: what the daemon's thread alone uses is marked so; the rest is behind a lock. libmicrohttpd
/// allows its connections to be resumed from any thread, once per suspension, which the lock sees to.
@safe final class Exchange: @unchecked Sendable {
    /// What the worker has decided.
    enum Outcome: Sendable {
        case whole(HTTPAnswer)
        case streamed(HTTPAnswer, BytePipe)
        /// The connection ends without an answer.
        case none
    }

    fileprivate let daemon: HTTPDaemon
    private let connection: OpaquePointer
    private let target: String
    private let fate = Guarded(Fate())

    private struct Fate {
        var outcome: Outcome?
        var isSuspended = false
        var isFinished = false
        var pipe: BytePipe?
    }

    /// The request, or what is wrong with it; on the daemon's thread until the handler was called.
    private(set) var request: Result<HTTPRequest, HTTPProblem> = .failure(HTTPProblem(400, "There is no request."))
    /// Its body.
    private(set) var body: [UInt8] = []
    private var hasBegun = false
    private var isTooLarge = false
    private var hasAnswered = false

    fileprivate init(_ daemon: HTTPDaemon, _ connection: OpaquePointer, target: String) {
        self.daemon = daemon
        unsafe self.connection = connection
        self.target = target
    }

    /// Answers, from any thread, at once or later.
    ///
    /// A second answer counts nothing; its pipe is abandoned.
    func answer(_ outcome: Outcome) {
        let isTaken = fate.withLock { fate in
            guard fate.outcome == nil else { return false }
            fate.outcome = outcome
            if case .streamed(_, let pipe) = outcome {
                fate.pipe = pipe
                pipe.wakes { [self] in unsafe cmhd_resume(connection) }
            }
            resume(&fate)
            return true
        }
        if !isTaken, case .streamed(_, let pipe) = outcome { pipe.abandon() }
    }

    /// Whether the other end is gone, or the daemon is.
    var isFinished: Bool { fate.withLock { $0.isFinished } }

    private func resume(_ fate: inout Fate) {
        guard fate.isSuspended, !fate.isFinished else { return }
        fate.isSuspended = false
        unsafe cmhd_resume(connection)
    }

    fileprivate func abandon() {
        answer(.none)
        let pipe = fate.withLock { $0.pipe }
        pipe?.abandon()
    }

    // MARK: On the daemon's thread

    fileprivate func advance(method: String, piece: [UInt8], isFirst: Bool) -> Bool {
        if isFirst {
            daemon.headCame(on: unsafe cmhd_descriptor(connection))
            readHead(method)
            // A body that nobody wants is not waited for.
            if let refusal = earlyRefusal() { return send(.whole(refusal.answer)) }
            return true
        }
        guard piece.isEmpty else {
            guard !isTooLarge, body.count + piece.count <= daemon.bodyLimit else {
                isTooLarge = true
                return true
            }
            body += piece
            return true
        }
        if !hasBegun {
            hasBegun = true
            if isTooLarge {
                return send(.whole(HTTPProblem(413, "The body has more than \(daemon.bodyLimit) bytes.").answer))
            }
            daemon.begin(self)
        }
        let outcome = fate.withLock { fate -> Outcome? in
            if let outcome = fate.outcome { return outcome }
            fate.isSuspended = true
            unsafe cmhd_suspend(connection)
            return nil
        }
        // Whoever stops the daemon has looked at all requests before this one waited.
        if outcome == nil, daemon.isStopping { abandon() }
        return outcome.map { send($0) } ?? true
    }

    private func earlyRefusal() -> HTTPProblem? {
        guard case .success(let request) = request else { return nil }
        let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
        guard length <= daemon.bodyLimit else {
            return HTTPProblem(413, "The body has more than \(daemon.bodyLimit) bytes.")
        }
        return nil
    }

    private func readHead(_ method: String) {
        var headers: [String: String] = [:]
        for name in HTTPRequest.wantedHeaders {
            guard let value = unsafe cmhd_header(connection, name) else { continue }
            headers[name] = unsafe String(cString: value)
        }
        do throws(HTTPProblem) {
            guard unsafe cmhd_header_count(connection, "host") <= 1 else {
                throw HTTPProblem(400, "There are several Host headers.")
            }
            request = .success(
                try HTTPRequest(method: method, target: target, headers: headers, peerAddress: peerAddress))
        } catch { request = .failure(error) }
    }

    private var peerAddress: String {
        var place = [CChar](repeating: 0, count: 64)
        unsafe cmhd_address(connection, &place, place.count)
        return String(decoding: place.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func send(_ outcome: Outcome) -> Bool {
        guard !hasAnswered else { return true }
        hasAnswered = true
        switch outcome {
        case .none: return false
        case .whole(let answer):
            let sent = unsafe answer.body.withUnsafeBytes { body in
                unsafe cmhd_answer(connection, UInt32(answer.status), answer.headerLines, body.baseAddress, body.count)
            }
            return sent != 0
        case .streamed(let head, _):
            guard let daemon = unsafe daemon.pointer else { return false }
            let exchange = unsafe Unmanaged.passUnretained(self).toOpaque()
            return unsafe cmhd_answer_streamed(
                daemon, connection, UInt32(head.status), head.headerLines, exchange) != 0
        }
    }

    fileprivate func read(into place: UnsafeMutableRawBufferPointer) -> Int {
        guard let pipe = fate.withLock({ $0.pipe }) else { return -2 }
        return unsafe pipe.read(into: place) { unsafe cmhd_suspend(connection) }
    }

    fileprivate func finish() {
        daemon.awaitsHead(on: unsafe cmhd_descriptor(connection))
        let pipe = fate.withLock { fate in
            fate.isFinished = true
            return fate.pipe
        }
        pipe?.abandon()
    }
}
