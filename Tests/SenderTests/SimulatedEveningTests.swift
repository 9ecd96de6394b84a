import CastModel
import CastWire
import Fleet
import Glibc
import IO
import Recording
import SenderCore
import Telemetry
import TestSupport
import Testing

@testable import Sender

// Goal: what devices with people around them sent us is what we recorded, and they heard nothing but what is allowed.
// Method: a simulated evening writes down what really happened on its side; both accounts are compared.
@Suite("A simulated evening", .serialized, .waits)
struct SimulatedEveningTests {
    /// One frame as both sides can tell it.
    private struct Account: Equatable {
        var source: String
        var destination: String
        var namespace: String
        var payload: JSONValue
    }

    private static let allowedTypes: Set<String> = [
        "CONNECT", "CLOSE", "PING", "PONG", "GET_STATUS", "GET_DEVICE_INFO",
    ]

    @Test func `is recorded frame by frame, and not disturbed`() throws {
        let truthPath = "/tmp/castledger-evening-\(getpid())-\(Clock.monotonicNanoseconds()).jsonl"
        defer { unlink(truthPath) }
        let fleet = try FleetService(
            options: FleetOptions(devices: 3, scenario: .evening, seed: 5, truthPath: truthPath, speed: 10),
            log: .silent)
        fleet.start()
        defer { fleet.stop() }
        let stage = try Stage()
        for endpoint in fleet.endpoints { stage.supervisor.apply(.seen(Stage.typed(port: endpoint.port))) }
        stage.when("much has been recorded", { stage.sink.frames.count >= 150 }) { stage.supervisor.stop() }
        stage.run()
        fleet.stop()

        let truth = try Self.truth(truthPath)
        let identified = Set(stage.sink.frames.map(\.device))
        #expect(identified == Set(fleet.endpoints.map { DeviceID($0.deviceID) }))
        for device in identified {
            let recordedIn = Self.recorded(stage.sink, device, .inbound)
            let sent = Self.accounts(truth, device, "frame_sent")
            // Our end comes while the device still speaks: what we have is the beginning of what it said, whole.
            #expect(recordedIn == Array(sent.prefix(recordedIn.count)), "\(device)")
            #expect(recordedIn.count > 10)
            let recordedOut = Self.recorded(stage.sink, device, .outbound)
            let received = Self.accounts(truth, device, "frame_received")
            #expect(received == Array(recordedOut.prefix(received.count)), "\(device)")
            #expect(received.count >= recordedOut.count - 1, "the last CLOSE may meet a closed door")
            for account in received where account.namespace != Namespace.deviceAuthentication.urn {
                #expect(Self.allowedTypes.contains(account.payload["type"]?.string ?? ""))
            }
        }
        #expect(!stage.sink.lines.contains { $0.hasPrefix("malformed") || $0.hasPrefix("lost") })
    }

    private static func truth(_ path: String) throws -> [JSONValue] {
        let parser = JSONParser()
        let lines = try Files.read(path, limitBytes: 1 << 26).split(separator: UInt8(ascii: "\n"))
        return try lines.map { try parser.parse(Array($0)) }
    }

    /// The frames of our links with one device, as the device tells it.
    private static func accounts(_ truth: [JSONValue], _ device: DeviceID, _ what: String) -> [Account] {
        let ofDevice = truth.filter { $0["device"]?.string.map { DeviceID($0) } == device }
        let ours = ofDevice.filter { $0["is_castledger"] == true }.compactMap { $0["link"] }
        return ofDevice.filter { line in
            guard line["what"]?.string == what, let link = line["link"] else { return false }
            return ours.contains(link)
        }.map { line in
            Account(
                source: line["source"]?.string ?? "", destination: line["destination"]?.string ?? "",
                namespace: line["namespace"]?.string ?? "", payload: line["payload"] ?? line["payload_hex"] ?? .null)
        }
    }

    private static func recorded(
        _ sink: ArraySink, _ device: DeviceID, _ direction: RecordedFrame.Direction
    ) -> [Account] {
        let parser = JSONParser()
        return sink.observations.compactMap { observation in
            guard case .frame(let frame) = observation.body, frame.device == device, frame.direction == direction
            else { return nil }
            return Account(
                source: frame.message.sourceID, destination: frame.message.destinationID,
                namespace: frame.message.namespace.urn,
                payload: (try? parser.parse(frame.message.payloadBytes))
                    ?? .string(hexadecimal(frame.message.payloadBytes)))
        }
    }
}

/// Lower-case hexadecimal digits, as the truth file has payloads that are no JSON.
private func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
