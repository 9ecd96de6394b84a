import CastModel
import CastWire
import Testing

@testable import Fleet

/// A simulated television on the table, and a clock that only moves when told.
struct DeviceBench {
    var machine: ReceiverMachine
    var now: Duration = .zero
    private let parser = JSONParser()

    init(index: Int = 0, adjust: (inout DeviceProfile) -> Void = { _ in }) {
        var profile = DeviceProfile(index: index, seed: 7)
        adjust(&profile)
        machine = ReceiverMachine(profile: profile, seed: 7)
    }

    mutating func handle(_ event: ReceiverMachine.Event) -> [String] {
        Transcript.lines(machine.handle(event, at: now))
    }

    mutating func send(
        _ link: Int, _ sender: String, _ destination: String, _ namespace: Namespace, _ json: String
    ) -> [String] {
        let message = CastMessage(from: sender, to: destination, namespace, text: json)
        return handle(.received(link, message, payload: try? parser.parse(json)))
    }

    mutating func connect(_ link: Int, _ sender: String, to destination: String, strength: Int = 0) -> [String] {
        send(link, sender, destination, .connection, "{\"type\":\"CONNECT\",\"connType\":\(strength)}")
    }

    /// The transport id of the app that runs; empty when none does.
    var transport: String { machine.app?.transportID ?? "" }

    /// A television on which the sender of link 1 has launched the Default Media Receiver with request 2, and joined.
    static func running(_ app: String = "CC1AD845", adjust: (inout DeviceProfile) -> Void = { _ in }) -> DeviceBench {
        var bench = DeviceBench(adjust: adjust)
        _ = bench.handle(.linkOpened(1))
        _ = bench.connect(1, "A", to: "receiver-0")
        _ = bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"LAUNCH\",\"requestId\":2,\"appId\":\"\(app)\"}")
        _ = bench.handle(.fired(.launch))
        _ = bench.handle(.fired(.launch))
        _ = bench.connect(1, "A", to: bench.transport)
        return bench
    }

    /// One more sender, on link 2, connected to the platform and to the app.
    mutating func join(strength: Int) -> [String] {
        _ = handle(.linkOpened(2))
        _ = connect(2, "B", to: "receiver-0")
        return connect(2, "B", to: transport, strength: strength)
    }
}

@Suite("A simulated device's platform")
struct ReceiverMachineTests {
    static let getStatus = "{\"type\":\"GET_STATUS\",\"requestId\":5}"

    @Test func `ignores senders without a virtual connection, but for the transport namespaces`() {
        var bench = DeviceBench()
        _ = bench.handle(.linkOpened(1))
        #expect(bench.send(1, "A", "receiver-0", .receiver, Self.getStatus) == [])
        #expect(bench.send(1, "A", "receiver-0", .heartbeat, "{\"type\":\"PING\"}") == ["1 A: PONG"])
        #expect(bench.connect(1, "A", to: "receiver-0") == [])
        #expect(
            bench.send(1, "A", "receiver-0", .receiver, Self.getStatus) == ["1 A: RECEIVER_STATUS 5: Backdrop"])
        #expect(bench.send(1, "B", "receiver-0", .receiver, Self.getStatus) == [])
    }

    @Test func `a speaker that runs nothing has no applications`() {
        var bench = DeviceBench(index: 2)
        _ = bench.handle(.linkOpened(1))
        _ = bench.connect(1, "A", to: "receiver-0")
        #expect(bench.send(1, "A", "receiver-0", .receiver, Self.getStatus) == ["1 A: RECEIVER_STATUS 5: no app"])
    }

    @Test func `a LAUNCH is allowed, then seen by all without app, without namespaces, and whole`() {
        var bench = DeviceBench()
        for (link, sender) in [(1, "A"), (2, "B")] {
            _ = bench.handle(.linkOpened(link))
            _ = bench.connect(link, sender, to: "receiver-0")
        }
        #expect(
            bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"LAUNCH\",\"requestId\":2,\"appId\":\"CC1AD845\"}")
                == ["1 A: LAUNCH_STATUS 2", "1 *: RECEIVER_STATUS 0: no app", "2 *: RECEIVER_STATUS 0: no app"])
        let starting = "*: RECEIVER_STATUS 0: Default Media Receiver starting"
        #expect(bench.handle(.fired(.launch)) == ["1 \(starting)", "2 \(starting)"])
        let whole = "*: RECEIVER_STATUS 2: Default Media Receiver"
        #expect(bench.handle(.fired(.launch)) == ["1 \(whole)", "2 \(whole)"])
    }

    @Test func `a LAUNCH of an unknown app is NOT_FOUND for the launcher`() {
        var bench = DeviceBench.running()
        #expect(
            bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"LAUNCH\",\"requestId\":3,\"appId\":\"00000000\"}")
                == ["1 A: LAUNCH_ERROR 3 NOT_FOUND"])
    }

    @Test func `a LAUNCH of the app that runs joins it`() {
        var bench = DeviceBench.running()
        let before = bench.transport
        #expect(
            bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"LAUNCH\",\"requestId\":3,\"appId\":\"CC1AD845\"}")
                == ["1 A: LAUNCH_STATUS 3", "1 *: RECEIVER_STATUS 3: Default Media Receiver seen"])
        #expect(bench.transport == before)
    }

    @Test func `a LAUNCH of another app closes the virtual connections to the old one`() {
        var bench = DeviceBench.running()
        #expect(bench.join(strength: 2) == [])
        #expect(
            bench.send(2, "B", "receiver-0", .receiver, "{\"type\":\"LAUNCH\",\"requestId\":3,\"appId\":\"233637DE\"}")
                == [
                    "2 B: LAUNCH_STATUS 3", "1 A: CLOSE", "2 B: CLOSE", "1 *: RECEIVER_STATUS 0: no app",
                    "2 *: RECEIVER_STATUS 0: no app",
                ])
    }

    @Test func `an openscreen device broadcasts id 0 and answers the launcher alone`() {
        var bench = DeviceBench { $0.answerStyle = .openScreen }
        _ = bench.handle(.linkOpened(1))
        _ = bench.connect(1, "A", to: "receiver-0")
        _ = bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"LAUNCH\",\"requestId\":2,\"appId\":\"CC1AD845\"}")
        _ = bench.handle(.fired(.launch))
        #expect(
            bench.handle(.fired(.launch)) == [
                "1 *: RECEIVER_STATUS 0: Default Media Receiver", "1 A: RECEIVER_STATUS 2: Default Media Receiver",
            ])
    }

    @Test(arguments: ["{\"type\":\"STOP\",\"requestId\":4}", "{\"type\":\"STOP\",\"requestId\":4,\"sessionId\":\"?\"}"])
    func `STOP ends the app for all, whoever asks`(request: String) {
        var bench = DeviceBench.running()
        _ = bench.join(strength: 2)
        let json = request.split(separator: "?", omittingEmptySubsequences: false).joined(separator: bench.transport)
        #expect(
            bench.send(2, "B", "receiver-0", .receiver, json) == [
                "1 A: CLOSE", "2 B: CLOSE", "1 *: RECEIVER_STATUS 4: no app", "2 *: RECEIVER_STATUS 4: no app",
            ])
        #expect(
            bench.handle(.fired(.idleScreen)) == [
                "1 *: RECEIVER_STATUS 0: Backdrop", "2 *: RECEIVER_STATUS 0: Backdrop",
            ])
    }

    @Test func `refuses an unknown session and an unknown type`() {
        var bench = DeviceBench.running()
        #expect(
            bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"STOP\",\"requestId\":4,\"sessionId\":\"x\"}")
                == ["1 A: INVALID_REQUEST 4 INVALID_SESSION_ID"])
        #expect(
            bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"DANCE\",\"requestId\":5}")
                == ["1 A: INVALID_REQUEST 5 INVALID_COMMAND"])
    }

    @Test func `volume is broadcast with the requester's id`() {
        var bench = DeviceBench.running()
        let json = "{\"type\":\"SET_VOLUME\",\"requestId\":6,\"volume\":{\"level\":0.25}}"
        #expect(
            bench.send(1, "A", "receiver-0", .receiver, json)
                == ["1 *: RECEIVER_STATUS 6: Default Media Receiver seen"])
        #expect(bench.machine.volumeLevel == 0.25)
    }

    @Test func `takes no commands from an invisible sender`() {
        var bench = DeviceBench()
        _ = bench.handle(.linkOpened(1))
        _ = bench.connect(1, "A", to: "receiver-0", strength: 2)
        #expect(bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"STOP\",\"requestId\":4}") == [])
    }

    @Test(arguments: [(3, "receiver-0"), (-1, "receiver-0"), (0, "no-such-transport")])
    func `answers an impossible CONNECT with CLOSE`(strength: Int, destination: String) {
        var bench = DeviceBench()
        _ = bench.handle(.linkOpened(1))
        #expect(bench.connect(1, "A", to: destination, strength: strength) == ["1 A: CLOSE"])
    }

    @Test func `answers CONNECT with CONNECTED when a version was named`() {
        var bench = DeviceBench()
        _ = bench.handle(.linkOpened(1))
        #expect(
            bench.send(1, "A", "receiver-0", .connection, "{\"type\":\"CONNECT\",\"protocolVersionList\":[0,1]}")
                == ["1 A: CONNECTED"])
    }

    @Test func `PINGs every five seconds and drops a sender after fifteen of silence`() {
        var bench = DeviceBench()
        _ = bench.handle(.linkOpened(1))
        _ = bench.connect(1, "A", to: "receiver-0")
        for seconds in [5, 10] {
            bench.now = .seconds(seconds)
            #expect(bench.handle(.fired(.heartbeat(1))) == ["1 A: PING"])
        }
        bench.now = .seconds(15)
        #expect(bench.handle(.fired(.heartbeat(1))) == ["1 closed: silent"])
        #expect(bench.handle(.fired(.heartbeat(1))) == [])
    }

    @Test func `tells of itself over the link`() {
        var bench = DeviceBench()
        _ = bench.handle(.linkOpened(1))
        _ = bench.connect(1, "A", to: "receiver-0")
        #expect(
            bench.send(1, "A", "receiver-0", .discovery, "{\"type\":\"GET_DEVICE_INFO\",\"requestId\":1}")
                == ["1 A: DEVICE_INFO 1"])
        #expect(
            bench.send(1, "A", "receiver-0", .setup, "{\"type\":\"eureka_info\",\"request_id\":2,\"data\":{}}")
                == ["1 A: eureka_info 2"])
        #expect(
            bench.send(1, "A", "receiver-0", .multizone, "{\"type\":\"GET_STATUS\",\"requestId\":3}")
                == ["1 A: MULTIZONE_STATUS 3: Living Room TV 0.5"])
        let challenge = CastMessage(from: "A", to: "receiver-0", .deviceAuthentication, binary: [0x0A, 0x00])
        #expect(bench.handle(.received(1, challenge, payload: nil)) == ["1 A: binary"])
    }

    // VLC 3.0.24 sends its LOAD at the first sight of a transport id.
    @Test func `keeps what is sent to a starting app until the app listens`() {
        var bench = DeviceBench()
        _ = bench.handle(.linkOpened(1))
        _ = bench.connect(1, "A", to: "receiver-0")
        _ = bench.send(1, "A", "receiver-0", .receiver, "{\"type\":\"LAUNCH\",\"requestId\":2,\"appId\":\"CC1AD845\"}")
        _ = bench.handle(.fired(.launch))
        _ = bench.connect(1, "A", to: bench.transport)
        #expect(bench.send(1, "A", bench.transport, .media, "{\"type\":\"LOAD\",\"requestId\":3,\"media\":{}}") == [])
        #expect(
            bench.handle(.fired(.launch)) == [
                "1 *: RECEIVER_STATUS 2: Default Media Receiver seen", "1 *: MEDIA_STATUS 0: #1 IDLE LOADING#1 media",
            ])
    }

    @Test func `announces itself with the TXT keys of a device`() {
        let profile = DeviceProfile(index: 0, seed: 1)
        let idle = profile.txt()
        #expect(idle.map(\.key) == ["id", "cd", "rm", "ve", "md", "ic", "fn", "ca", "st", "bs", "nf", "rs"])
        let advertisement = DeviceAdvertisement(
            deviceID: profile.deviceID, name: nil, model: nil, addresses: [], port: 8009, capabilities: nil, txt: idle,
            source: .mdns)
        let values = Dictionary(uniqueKeysWithValues: advertisement.txt.map { ($0.key, $0.value) })
        #expect(values["fn"] == "Living Room TV")
        #expect(values["ca"] == "4101")
        #expect(values["ve"] == "05")
        #expect(values["st"] == "0")
        #expect(values["id"] == profile.deviceID.text)
        #expect(
            profile.txt(runningAppText: "YouTube").suffix(4).map(\.value) == [
                "1", profile.wifiProximityID, "1", "YouTube",
            ])
        #expect(profile.instanceName == "Chromecast-Ultra-" + profile.deviceID.text)
    }
}
