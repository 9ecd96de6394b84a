import CastModel
import CastWire
import Differ
import Glibc
import IO
import Recording
import TestSupport
import Testing

@testable import Sender

// Goal: whatever a network or a device does to a link, the archive says what happened, nothing that came whole is lost,
// the link comes back, and the device gets from us what the list permits, once per link.
// Method: the real sender, and a proxy on the bytes of TCP between it and a device that does as the table says.
@Suite("A link under faults", .serialized, .waits)
struct LinkFaultTests {
    /// One row of the table.
    struct Fault: CustomTestStringConvertible {
        var testDescription: String
        /// What happens to the first connection.
        var plan: FaultyProxy.Plan = .forward
        /// What the device sends once linked, after a word before and before a word after; as bytes.
        var bytes: [UInt8] = []
        /// What is recorded, from the first link to the second, without the words.
        var recorded: [String]
    }

    static let custom = Namespace("urn:x-cast:com.example")

    private static func length(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// A frame of that many bytes of payload.
    private static func frame(_ count: Int) -> [UInt8] {
        let message = CastMessage(from: "receiver-0", to: "*", custom, text: String(repeating: "x", count: count))
        let body = message.encodedBody()
        return length(UInt32(body.count)) + body
    }

    private static func lost(_ reason: String) -> [String] {
        ["opened bb 1 platform", "closed bb 1 \(reason)", "opened bb 2 platform"]
    }
    private static let unreachable = ["gap bb device_unreachable lasts", "opened bb 1 platform"]
    private static let unharmed = ["opened bb 1 platform"]

    static let faults = [
        Fault(
            testDescription: "a reset in the middle of a frame", plan: .reset(after: 100_000), bytes: frame(200_000),
            recorded: lost("connection_reset")),
        Fault(
            testDescription: "an end in the middle of a frame", plan: .end(after: 100_000), bytes: frame(200_000),
            recorded: lost("closed_by_device")),
        Fault(
            testDescription: "bytes that TLS did not send", plan: .insert([1, 2, 3, 4, 5], after: 100_000),
            bytes: frame(200_000), recorded: lost("tls_error")),
        Fault(
            testDescription: "each byte alone, hello and all", plan: .byteByByte, bytes: frame(3), recorded: unharmed),
        Fault(testDescription: "a frame of more than 64 KiB", bytes: frame(70_000), recorded: unharmed),
        Fault(
            testDescription: "a length of 1 MiB and a byte", bytes: length(0x10_0001), recorded: lost("protocol_error")),
        Fault(
            testDescription: "a length of 2 GiB less one", bytes: length(0x7FFF_FFFF),
            recorded: lost("protocol_error")),
        Fault(
            testDescription: "a length of 4 GiB less one", bytes: length(0xFFFF_FFFF),
            recorded: lost("protocol_error")),
        Fault(
            testDescription: "HTTP within TLS", bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
            recorded: lost("protocol_error")),
        Fault(
            testDescription: "a body that is no message", bytes: length(3) + [0xFF, 0xFF, 0xFF],
            recorded: ["opened bb 1 platform", "malformed bb 3"]),
        Fault(
            testDescription: "HTTP instead of TLS", plan: .answer(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
            recorded: unreachable),
        Fault(
            testDescription: "zeros instead of TLS", plan: .answer([UInt8](repeating: 0, count: 512)),
            recorded: unreachable),
        Fault(testDescription: "a reset in the middle of TLS's hello", plan: .reset(after: 40), recorded: unreachable),
        Fault(testDescription: "an end in the middle of TLS's hello", plan: .end(after: 40), recorded: unreachable),
    ]

    @Test(arguments: faults) func `is told, survived, and answered with nothing else`(fault: Fault) throws {
        let stage = try Stage(attachMode: .platform)
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "bb")
        let proxy = try FaultyProxy(on: stage.loop, to: device.port, fault.plan)
        stage.supervisor.apply(.seen(Stage.announced("bb", name: "Kitchen", port: proxy.port)))
        let isLost = fault.recorded.contains { $0.hasPrefix("closed") }
        stage.when("linked", { stage.sink.frames.count >= 2 }) {
            device.peer?.send(Self.custom, "before")
            device.peer?.send(bytes: fault.bytes)
            if !isLost { device.peer?.send(Self.custom, "after") }
        }
        if isLost {
            stage.when("linked again", { Self.openings(stage.sink) == 2 && (device.peer?.heard.count ?? 0) >= 5 }) {
                device.peer?.send(Self.custom, "after")
            }
        }
        stage.when("all heard", { Self.words(stage.sink).last == "after" })
        stage.run()

        #expect(Self.story(stage.sink).filter { !$0.hasPrefix("gap bb not_joined") } == fault.recorded)
        let words = Self.words(stage.sink)
        #expect(words.first == "before" && words.last == "after", "what came whole is kept")
        #expect(words.count == (fault.recorded == Self.unharmed && !fault.bytes.isEmpty ? 3 : 2))
        Self.checkHeard(device)
    }

    static func openings(_ sink: ArraySink) -> Int { sink.lines.count { $0.hasPrefix("opened") } }

    /// What was recorded of links, gaps and bytes that are no message.
    static func story(_ sink: ArraySink) -> [String] {
        sink.lines.filter { !$0.hasPrefix("in ") && !$0.hasPrefix("seen ") }
    }

    /// The texts of the device's own namespace.
    private static func words(_ sink: ArraySink) -> [String] {
        sink.frames.filter { $0.message.namespace == custom }.map {
            String(decoding: $0.message.payloadBytes, as: UTF8.self)
        }
    }

    /// Checks what a device got from us: once per link what opens it, then PING and PONG, and nothing else.
    static func checkHeard(
        _ device: ScriptedDevice, joins: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for peer in device.peers {
            let heard = peer.heard.map { message -> String in
                let text = String(decoding: message.payloadBytes, as: UTF8.self)
                let type = text.split(separator: #""type":""#).last?.prefix { $0 != "\"" } ?? ""
                let namespace = message.namespace.urn.split(separator: ".").last ?? ""
                return message.namespace == .deviceAuthentication ? "challenge" : "\(namespace) \(type)"
            }
            let once = ["connection CONNECT", "challenge", "receiver GET_STATUS", "multizone GET_STATUS"]
            let usual = ["discovery GET_DEVICE_INFO", "heartbeat PING", "heartbeat PONG"]
            for what in once {
                // A CONNECT for the platform, and one for the app.
                let limit = joins && what == "connection CONNECT" ? 2 : 1
                #expect(heard.count { $0 == what } <= limit, "\(what)", sourceLocation: sourceLocation)
            }
            #expect(
                Set(heard).subtracting(once + usual + (joins ? ["media GET_STATUS"] : [])).isEmpty, "\(heard)",
                sourceLocation: sourceLocation)
            // One at once and one every five seconds; no test lasts 40 s.
            #expect(heard.count { $0 == "heartbeat PING" } <= 9, sourceLocation: sourceLocation)
        }
    }

    // MARK: Silence

    @Test func `that fall silent without an end are given up by our own clock`() throws {
        let stage = try Stage(attachMode: .platform)
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: nil)
        // A device that still takes what we send, and says nothing; and one that takes the connection and nothing else.
        let vanishing = try FaultyProxy(on: stage.loop, to: device.port, .vanish(after: 6_000))
        let holding = try FaultyProxy(on: stage.loop, to: device.port, .hold)
        stage.supervisor.apply(.seen(Stage.announced("bb", name: "Vanishes", port: vanishing.port)))
        stage.supervisor.apply(.seen(Stage.announced("cc", name: "Holds", port: holding.port)))
        var began: Int64 = 0
        stage.when("linked", { Self.openings(stage.sink) == 1 && (device.peer?.heard.count ?? 0) >= 5 }) {
            began = Clock.monotonicNanoseconds()
            device.peer?.send(Self.custom, String(repeating: "x", count: 10_000))
        }
        stage.when("the one that holds is linked", { stage.sink.lines.contains("opened cc 2 platform") })
        stage.when("silent", { stage.sink.lines.contains("closed bb 1 silent") }) {
            let seconds = Double(Clock.monotonicNanoseconds() - began) / 1e9
            #expect(seconds > 10 && seconds < 20, "15 s after the last byte, not \(seconds)")
        }
        stage.when("back", { Self.openings(stage.sink) == 3 }) { stage.supervisor.stop() }
        stage.run(seconds: 60)
        #expect(
            Self.story(stage.sink).filter { $0.contains("bb") && !$0.contains("not_joined") } == [
                "opened bb 1 platform", "closed bb 1 silent", "opened bb 3 platform", "closed bb 3 recorder_stopping",
            ])
        #expect(
            Self.story(stage.sink).filter { $0.contains("cc") && !$0.contains("not_joined") } == [
                "gap cc device_unreachable lasts", "opened cc 2 platform", "closed cc 2 recorder_stopping",
            ])
        Self.checkHeard(device)
    }

    // MARK: Devices that change

    private static func certificates(_ sink: ArraySink) -> [[UInt8]] {
        sink.observations.compactMap {
            guard case .linkOpened(let opened) = $0.body else { return nil }
            return opened.peerCertificate
        }
    }

    @Test func `of a device that reboots: refused for a while, then with another certificate and app session`() throws {
        let stage = try Stage()
        var device: ScriptedDevice? = try ScriptedDevice(on: stage.loop)
        let port = try #require(device?.port)
        device?.behave(as: "bb")
        stage.supervisor.apply(.seen(Stage.announced("bb", name: "Kitchen", port: port)))
        stage.when("joined", { device?.peer?.payloads.contains { $0.contains(#""connType":2"#) } == true }) {
            device?.withdraw()
            device = nil
        }
        stage.when("refused", { (stage.summary("bb")?.failures ?? 0) >= 2 }) {
            do {
                device = try ScriptedDevice(on: stage.loop, port: port)
                device?.behave(as: "bb", transport: "web-6")
            } catch { Issue.record(error) }
        }
        stage.when(
            "joined again",
            { device?.peer?.heard.contains { $0.destinationID == "web-6" && $0.namespace == .connection } == true })
        stage.run()
        #expect(
            Self.story(stage.sink) == [
                "opened bb 1 invisible", "closed bb 1 closed_by_device", "gap bb device_unreachable lasts",
                "opened bb 2 invisible",
            ])
        let certificates = Self.certificates(stage.sink)
        #expect(certificates.count == 2 && certificates[0] != certificates[1], "each link's certificate is kept")
    }

    @Test func `of a device that moves to another port: the next attempt goes there`() throws {
        let stage = try Stage(attachMode: .platform)
        let devices = [try ScriptedDevice(on: stage.loop), try ScriptedDevice(on: stage.loop)]
        for device in devices { device.behave(as: "bb") }
        stage.supervisor.apply(.seen(Stage.announced("bb", name: "Kitchen", port: devices[0].port)))
        stage.when("linked", { (devices[0].peer?.heard.count ?? 0) >= 5 }) {
            stage.supervisor.apply(.seen(Stage.announced("bb", name: "Kitchen", port: devices[1].port)))
            devices[0].withdraw()
        }
        stage.when("linked there", { (devices[1].peer?.heard.count ?? 0) >= 5 })
        stage.run()
        #expect(
            Self.story(stage.sink).filter { !$0.contains("not_joined") } == [
                "opened bb 1 platform", "closed bb 1 closed_by_device", "opened bb 2 platform",
            ])
        Self.checkHeard(devices[1])
    }
}
