import CastModel
import CastWire
import IO
import TLS
import Telemetry
import Testing

@testable import Fleet

/// A sender of its own on a loop of its own: says what a script tells it, and collects what it hears.
private final class TestSender {
    private static let deadline: Duration = .seconds(20)
    private let loop: EventLoop
    private let parser = JSONParser()
    private let context: TLSContext
    private var link: FramedLink?
    /// Decides what to say to each message; nil ends the conversation.
    private let answer: (CastMessage, JSONValue) -> [CastMessage]?
    private(set) var heard: [String] = []
    private(set) var ending = "deadline"

    init(answer: @escaping (CastMessage, JSONValue) -> [CastMessage]?) throws {
        loop = try EventLoop()
        context = try TLSContext.forDeviceLinks()
        self.answer = answer
    }

    /// Talks until the script ends, the link does, or the deadline has passed.
    func run(to endpoint: FleetEndpoint, opening: [CastMessage]) throws {
        let address = try #require(SocketAddress(host: endpoint.host, port: endpoint.port))
        let fd = try Socket.connect(to: address)
        let tls = try context.connection(over: fd, as: .client)
        link = try FramedLink(fd, tls, connectingTo: address, on: loop, FramedLink.Scratch()) { [unowned self] news in
            switch news {
            case .up: say(opening)
            case .received(let message): hear(message)
            case .ended(let reason): finish(reason)
            }
        }
        loop.schedule(after: Self.deadline) { [unowned self] in finish("deadline") }
        loop.run()
    }

    private func say(_ messages: [CastMessage]) {
        for message in messages { #expect(link?.send(message) == true) }
    }

    private func hear(_ message: CastMessage) {
        guard let payload = message.textBytes.flatMap({ try? parser.parse($0) }) else { return }
        heard.append("\(message.destinationID): \(Transcript.line(payload))")
        guard let said = answer(message, payload) else { return finish("script") }
        say(said)
    }

    private func finish(_ reason: String) {
        ending = reason
        link?.close(sayingGoodbye: true)
        loop.stop()
    }
}

@Suite("A fleet on loopback")
struct RoundTripTests {
    private func message(_ destination: String, _ namespace: Namespace, _ json: String) -> CastMessage {
        CastMessage(from: "sender-77", to: destination, namespace, text: json)
    }

    @Test func `launches, loads and reports over TLS`() throws {
        let fleet = try FleetService(options: FleetOptions(devices: 1, scenario: .idle), log: .silent)
        fleet.start()
        defer { fleet.stop() }
        let sender = try TestSender { from, payload in
            switch (from.namespace, payload["type"]?.string, payload["requestId"]) {
            case (.receiver, "RECEIVER_STATUS"?, 1?):
                return [
                    message("receiver-0", .receiver, "{\"type\":\"LAUNCH\",\"requestId\":2,\"appId\":\"CC1AD845\"}")
                ]
            case (.receiver, "RECEIVER_STATUS"?, 2?):
                let app = payload["status"]?["applications"]?.array?.first
                let transport = app?["transportId"]?.string ?? ""
                return [
                    message(transport, .connection, "{\"type\":\"CONNECT\",\"userAgent\":\"CastLedger/test\"}"),
                    message(
                        transport, .media, "{\"type\":\"LOAD\",\"requestId\":3,\"media\":{\"contentId\":\"x\"}}"),
                ]
            case (.media, "MEDIA_STATUS"?, 3?): return nil
            default: return []
            }
        }
        try sender.run(
            to: try #require(fleet.endpoints.first),
            opening: [
                message("receiver-0", .connection, "{\"type\":\"CONNECT\"}"),
                message("receiver-0", .receiver, "{\"type\":\"GET_STATUS\",\"requestId\":1}"),
            ])
        #expect(sender.ending == "script")
        #expect(
            sender.heard == [
                "sender-77: RECEIVER_STATUS 1: Backdrop", "sender-77: LAUNCH_STATUS 2", "*: RECEIVER_STATUS 0: no app",
                "*: RECEIVER_STATUS 0: Default Media Receiver starting",
                "*: RECEIVER_STATUS 2: Default Media Receiver", "*: RECEIVER_STATUS 0: Default Media Receiver seen",
                "*: MEDIA_STATUS 0: #1 IDLE LOADING#1 media", "*: MEDIA_STATUS 3: #1 PLAYING media items1 tracks[]",
            ])
    }

    @Test func `writes down every frame of every link, and whose link it was`() throws {
        let folder = try Files.makeTemporaryFolder("fleet-truth")
        defer { try? Files.removeTree(folder) }
        let path = folder + "/truth.jsonl"
        let fleet = try FleetService(
            options: FleetOptions(devices: 1, scenario: .idle, truthPath: path), log: .silent)
        fleet.start()
        let sender = try TestSender { _, _ in nil }
        try sender.run(
            to: try #require(fleet.endpoints.first),
            opening: [
                message("receiver-0", .connection, "{\"type\":\"CONNECT\",\"userAgent\":\"CastLedger/0.1\"}"),
                message("receiver-0", .receiver, "{\"type\":\"GET_STATUS\",\"requestId\":12}"),
            ])
        fleet.stop()
        let parser = JSONParser()
        let lines = try Files.read(path).split(separator: UInt8(ascii: "\n")).map { try parser.parse(Array($0)) }
        let frames = lines.filter { $0["what"]?.string?.hasPrefix("frame_") ?? false }
        #expect(
            frames.map { "\($0["what"]?.string ?? "") \($0["type"]?.string ?? "") \($0["request_id"]?.text ?? "-")" }
                == [
                    "frame_received CONNECT -", "frame_received GET_STATUS 12", "frame_sent RECEIVER_STATUS 12",
                ])
        #expect(frames.allSatisfy { $0["is_castledger"] == true && $0["link"] == 1 })
        #expect(lines.allSatisfy { $0["device"]?.string == fleet.endpoints.first?.deviceID })
    }

    @Test func `phones play the evening on every device`() throws {
        let fleet = try FleetService(options: FleetOptions(devices: 3, speed: 20), log: .silent)
        fleet.start()
        defer { fleet.stop() }
        for endpoint in fleet.endpoints {
            var started: Set<String> = []
            let sender = try TestSender { _, payload in
                let app = payload["status"]?["applications"]?.array?.first
                if let name = app?["displayName"]?.string, app?["senderConnected"] == true { started.insert(name) }
                return started.isEmpty ? [] : nil
            }
            try sender.run(
                to: endpoint,
                opening: [
                    message("receiver-0", .connection, "{\"type\":\"CONNECT\"}"),
                    message("receiver-0", .receiver, "{\"type\":\"GET_STATUS\",\"requestId\":1}"),
                ])
            #expect(sender.ending == "script", "\(endpoint.name): \(sender.heard)")
        }
    }

    @Test func `each device has its own port, or its own address on one port`() throws {
        var options = FleetOptions(devices: 3, address: "127.0.0.254", port: 4000)
        #expect(
            try FleetAddresses.plan(options).map(\.description) == [
                "127.0.0.254:4000", "127.0.0.254:4001", "127.0.0.254:4002",
            ])
        options.countsAddresses = true
        #expect(
            try FleetAddresses.plan(options).map(\.description) == [
                "127.0.0.254:4000", "127.0.0.255:4000", "127.0.1.0:4000",
            ])
        options = FleetOptions(devices: 1, port: 4000, advertises: true)
        #expect(try FleetAddresses.plan(options).map(\.description) == ["0.0.0.0:4000"])
    }

    @Test func `refuses what cannot be, and says so`() {
        #expect(throws: FleetError.deviceCount(0, limit: 20_000)) {
            try FleetAddresses.plan(FleetOptions(devices: 0))
        }
        #expect(throws: FleetError.deviceCount(-1, limit: 20_000)) {
            try FleetParts.make(FleetOptions(devices: -1), .silent)
        }
        #expect(throws: FleetError.ports(first: 65_535, devices: 2)) {
            try FleetAddresses.plan(FleetOptions(devices: 2, port: 65_535))
        }
        #expect(throws: FleetError.address("localhost")) {
            try FleetAddresses.plan(FleetOptions(address: "localhost"))
        }
        #expect(throws: FleetError.address("255.255.255.255")) {
            try FleetAddresses.plan(FleetOptions(devices: 2, address: "255.255.255.255", countsAddresses: true))
        }
        #expect(throws: FleetError.unknownScenario("morning")) { try FleetScenario(named: "morning") }
    }

    @Test func `content is fetched from loopback addresses over plain http only`() {
        #expect(ContentReader.loopbackTarget("http://127.0.0.1:8010/a/b")?.0.description == "127.0.0.1:8010")
        #expect(ContentReader.loopbackTarget("http://127.0.0.1:8010/a/b")?.1 == "/a/b")
        for url in [
            "https://127.0.0.1/", "http://192.0.2.1/", "http://127.example.com/", "http://127.0.0.1:0/",
            "http://127.0.0.1:80/\r\nX: y", "file:///etc/passwd", "",
        ] { #expect(ContentReader.loopbackTarget(url) == nil, "\(url)") }
    }
}
