import CastModel
import Conflicts
import Differ
import Glibc
import IO
import Plays
import Recording
import Store
import Telemetry
import WebCore

@testable import Web

/// 2026-03-01T20:00:00Z.
let eveningStart: Int64 = 1_772_395_200_000_000
let recorderOne = "11111111-1111-1111-1111-111111111111"
let recorderTwo = "22222222-2222-2222-2222-222222222222"

/// A PostgreSQL of the tests' own, one for the whole run.
final class LabCluster: Sendable {
    static let shared = LabCluster()

    let address: String
    private let count = Guarded(0)
    private static let opened = Guarded<Result<String, StoreError>?>(nil)
    private static let isEnding = Guarded(false)
    private static let hasEnded = Guarded(false)

    private init() {
        // The server dies with the thread that starts it: this one lives as long as the process.
        _ = OwnedThread("lab-cluster") {
            let folder = (try? Files.makeTemporaryFolder("castledger-web", mode: 0o711)) ?? "/tmp/castledger-web"
            do throws(StoreError) {
                let cluster = try PrivateCluster.open(data: folder)
                Self.opened.withLock { $0 = .success(cluster.address) }
                while Self.isEnding.withLock({ !$0 }) { _ = poll(nil, 0, 5) }
                cluster.stop()
            } catch { Self.opened.withLock { $0 = .failure(error) } }
            try? Files.removeTree(folder)
            Self.hasEnded.withLock { $0 = true }
        }
        var found: Result<String, StoreError>?
        while found == nil {
            found = Self.opened.withLock { $0 }
            _ = poll(nil, 0, 5)
        }
        guard case .success(let address)? = found else {
            fatalError("no PostgreSQL for the tests: \(String(describing: found))")
        }
        self.address = address
        atexit {
            LabCluster.isEnding.withLock { $0 = true }
            while LabCluster.hasEnded.withLock({ !$0 }) { _ = poll(nil, 0, 5) }
        }
    }

    /// The address of a new database with the schema.
    func newDatabase() throws -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        try PostgresConnection(address).execute("CREATE DATABASE web_\(number)")
        let made = "\(address) dbname=web_\(number)"
        try Migration.applyAll(to: PostgresConnection(made))
        return made
    }
}

/// A change event, `second` seconds into the evening.
func sample(
    _ position: Int64, _ kind: ChangeEvent.Kind, ordinal: Int32 = 0, second: Double = 0, device: String = "tv1",
    app: String? = nil, media: Int64? = nil, attribution: ChangeEvent.Attribution = .receiver,
    requestID: Int64? = nil, callbacks: [ChangeEvent.Callback] = [], effective: Bool = true,
    before: JSONValue? = nil, after: JSONValue? = nil, positionSeconds: Double? = nil
) -> ChangeEvent {
    ChangeEvent(
        id: .init(position: ArchivePosition(position), ordinal: ordinal),
        observedAt: WallTime(microseconds: eveningStart + Int64(second * 1e6)), deviceID: DeviceID(device),
        appSessionID: app.map { AppSessionID($0) }, mediaSessionID: media, kind: kind, attribution: attribution,
        requestID: requestID, callbacks: callbacks, effective: effective, before: before, after: after,
        positionSeconds: positionSeconds)
}

/// A service over a database of its own, on a free port of loopback.
final class WebLab {
    let address: String
    let service: WebService
    let port: UInt16
    private var applied: [String: (position: Int64, plays: PlayLedger, conflicts: ConflictLedger)] = [:]

    init(_ adjust: (inout WebSettings, inout WebSources) -> Void = { _, _ in }) throws {
        let address = try LabCluster.shared.newDatabase()
        self.address = address
        let loopback = try Self.loopback(0)
        var settings = WebSettings(address: loopback)
        var sources = WebSources(databaseAddress: { address }, health: { nil }, version: "0.test")
        adjust(&settings, &sources)
        let listener = try Socket.listen(on: loopback)
        port = Socket.localPort(listener)
        service = try WebService(settings: settings, sources: sources, log: .silent)
        try service.start(listener: listener)
    }

    /// A port of this machine's own address.
    static func loopback(_ port: UInt16) throws -> SocketAddress {
        guard let address = SocketAddress(host: "127.0.0.1", port: port) else { throw LabError("no loopback") }
        return address
    }

    deinit { _ = service.stop(within: .seconds(20)) }

    /// Applies change events with the plays and conflicts that they make, and the recorder's clock up to `second`.
    ///
    /// - Parameter states: What the differ knows of devices afterwards, in its own form.
    func record(
        _ events: [ChangeEvent], until second: Double, recorder: String = recorderOne, states: [String: JSONValue] = [:]
    ) throws {
        let projection = try Projection(connection: PostgresConnection(address), recorderID: recorder)
        var known = applied[recorder] ?? (0, PlayLedger(), ConflictLedger())
        let last = max(events.last?.id.position.number ?? 0, known.position)
        var batch = ProjectionBatch(
            startingAt: ArchivePosition(known.position), through: ArchivePosition(last),
            throughTime: WallTime(microseconds: eveningStart + Int64(second * 1e6)), events: events)
        for event in events {
            batch.plays += known.plays.fold(event)
            batch.conflicts += known.conflicts.fold(event)
        }
        batch.deviceStates = states.sorted { $0.key < $1.key }.map { (DeviceID($0.key), $0.value) }
        batch.playStates = known.plays.takeStates()
        batch.conflictStates = known.conflicts.takeStates()
        try projection.apply(batch)
        known.position = last
        applied[recorder] = known
    }

    /// Asks, and reads the whole answer.
    func get(_ target: String, _ headers: [String] = [], method: String = "GET", body: String = "") throws -> HTTPReply
    {
        let line = try LabConnection(port: port)
        var head = ["\(method) \(target) HTTP/1.1"]
        if !headers.contains(where: { $0.hasPrefix("Host:") }) { head.append("Host: localhost:\(port)") }
        if !body.isEmpty { head.append("Content-Length: \(body.utf8.count)") }
        head += headers + ["Connection: close", "", ""]
        line.send(head.joined(separator: "\r\n") + body)
        return try HTTPReply(line.readToEnd())
    }

    /// Asks for JSON, and expects it.
    func json(_ target: String, _ headers: [String] = []) throws -> JSONValue {
        let reply = try get(target, headers)
        guard reply.status == 200 else { throw LabError("\(target): \(reply.status) \(reply.text)") }
        return try JSONParser(depthLimit: 512).parse(reply.body)
    }
}

struct LabError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A plain TCP connection to a service.
final class LabConnection {
    let fd: Int32
    private(set) var buffer: [UInt8] = []
    /// Whether the other end has closed it.
    private(set) var isEnded = false
    private var isClosed = false

    init(port: UInt16) throws {
        fd = try Socket.connect(to: WebLab.loopback(port))
        var descriptor = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
        poll(&descriptor, 1, 10_000)
    }

    deinit { close() }

    /// Ends it from this side.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        Socket.close(fd)
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let sent = try? Socket.send(fd, Array(rest)) else { return }
            rest = rest.dropFirst(sent)
            if sent == 0 {
                var descriptor = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
                if poll(&descriptor, 1, 10_000) <= 0 { return }
            }
        }
    }

    /// Reads once; false at the end, or when nothing came in time.
    func read(within milliseconds: Int32 = 20_000) -> Bool {
        var descriptor = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        guard let count = try? Socket.receive(fd, into: &chunk), count > 0 else {
            isEnded = true
            return false
        }
        buffer += chunk[..<count]
        return true
    }

    func readToEnd() -> [UInt8] {
        while read() {}
        return buffer
    }

    /// Reads until a text has come; false when it does not.
    func read(until text: String, within milliseconds: Int32 = 20_000) -> Bool {
        let deadline = Clock.monotonicNanoseconds() + Int64(milliseconds) * 1_000_000
        while String(decoding: buffer, as: UTF8.self).firstRange(of: text) == nil {
            let left = Int32((deadline - Clock.monotonicNanoseconds()) / 1_000_000)
            guard left > 0, read(within: left) else { return false }
        }
        return true
    }

    /// Takes what was read, and forgets it.
    func take() -> String {
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }
}

/// An answer as it came over the wire.
struct HTTPReply {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let marks = Array("\r\n\r\n".utf8)
        guard let end = bytes.firstRange(of: marks) else {
            throw LabError("no head in \(bytes.count) bytes: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let code = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw LabError("no status line: \(lines.first ?? "")")
        }
        status = code
        headers = lines.dropFirst().map { line in
            let sides = line.split(separator: ":", maxSplits: 1)
            return (sides[0].lowercased(), sides.count < 2 ? "" : String(sides[1].drop { $0 == " " }))
        }
        let rest = Array(bytes[end.upperBound...])
        let isChunked = headers.contains { $0.name == "transfer-encoding" && $0.value == "chunked" }
        body = isChunked ? try Self.unchunked(rest) : rest
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    var text: String { String(decoding: body, as: UTF8.self) }

    static func unchunked(_ bytes: [UInt8]) throws -> [UInt8] {
        var whole: [UInt8] = []
        var rest = bytes[...]
        while let end = rest.firstRange(of: [0x0D, 0x0A]) {
            guard let length = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16) else {
                throw LabError("no length of a chunk")
            }
            rest = rest[end.upperBound...]
            guard length > 0 else { return whole }
            guard rest.count >= length + 2 else { throw LabError("a chunk is cut") }
            whole += rest.prefix(length)
            rest = rest.dropFirst(length + 2)
        }
        throw LabError("the last chunk is missing")
    }
}
