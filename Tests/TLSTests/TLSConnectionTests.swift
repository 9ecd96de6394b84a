import Glibc
import TLS
import Testing

@Suite("A TLS connection")
struct TLSConnectionTests {
    /// Both ends of one connection over a socket pair, driven by turns on one thread.
    private struct Pair {
        let client: TLSConnection
        let server: TLSConnection
        let identity: TLSIdentity
        let sockets: [Int32]

        init() throws {
            var ends: [Int32] = [0, 0]
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
            sockets = ends
            identity = try TLSIdentity.selfSigned(commonName: "a device")
            client = try TLSContext.forDeviceLinks().connection(over: ends[0], as: .client)
            server = try TLSContext.forSimulatedDevice(identity: identity).connection(over: ends[1], as: .server)
        }

        func shakeHands() throws {
            for _ in 0..<20 {
                if case .done = try client.handshake(), case .done = try server.handshake() { return }
                _ = try server.handshake()
            }
            Issue.record("no handshake in 20 turns")
        }

        func close() { for fd in sockets { Glibc.close(fd) } }
    }

    @Test func `shakes hands with a self-signed device and keeps its certificate`() throws {
        let pair = try Pair()
        defer { pair.close() }
        try pair.shakeHands()
        #expect(pair.client.version == "TLSv1.3")
        #expect(pair.client.peerCertificate == pair.identity.certificateDER)
        #expect(!pair.client.cipher.isEmpty)
    }

    @Test func `carries bytes both ways and says when it wants more`() throws {
        let pair = try Pair()
        defer { pair.close() }
        try pair.shakeHands()
        var buffer = [UInt8](repeating: 0, count: 100)
        guard case .wantsRead = try pair.client.read(into: &buffer) else {
            Issue.record("nothing was sent yet")
            return
        }
        guard case .done(5) = try pair.server.write(Array("hello".utf8), from: 0) else {
            Issue.record("five bytes fit")
            return
        }
        guard case .done(5) = try pair.client.read(into: &buffer) else {
            Issue.record("five bytes came")
            return
        }
        #expect(buffer.prefix(5) == Array("hello".utf8)[...])
    }

    @Test func `tells a goodbye from a broken stream`() throws {
        let pair = try Pair()
        defer { pair.close() }
        try pair.shakeHands()
        var buffer = [UInt8](repeating: 0, count: 100)
        pair.server.sayGoodbye()
        guard case .ended = try pair.client.read(into: &buffer) else {
            Issue.record("close_notify is an end, not an error")
            return
        }
    }

    @Test func `of garbage is an error with libssl's reason, and the next connection is not poisoned by it`() throws {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        defer { for fd in ends { close(fd) } }
        let client = try TLSContext.forDeviceLinks().connection(over: ends[0], as: .client)
        #expect(write(ends[1], "HTTP/1.1 400 Bad Request\r\n\r\n", 28) == 28)
        #expect(throws: TLSError(operation: "handshake", reason: "wrong version number")) {
            _ = try client.handshake()
        }
        let pair = try Pair()
        defer { pair.close() }
        try pair.shakeHands()
    }
}
