import CastModel
import CastWire
import IO
import Recording
import SenderCore
import TestSupport
import Testing

@testable import Sender

@Suite("A supervisor of senders", .serialized, .waits)
struct SupervisorTests {
    @Test func `records a typed device under the id that it tells, from its first moment`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "AB-12")
        stage.type(device)
        stage.when("joined", { device.peer?.payloads.count == 6 && stage.sink.lines.count == 5 }) {
            #expect(stage.summary("ab12")?.isUp == true)
            #expect(stage.summary("ab12")?.name == "Kitchen Display")
            #expect(stage.summary("ab12")?.appName == "Player")
            stage.supervisor.stop()
        }
        stage.when("left", { device.peer?.isClosed == true })
        stage.run()

        #expect(
            stage.sink.lines == [
                "seen ab12 Kitchen Display static", "opened ab12 1 invisible", "in ab12 1 receiver",
                "in ab12 1 discovery", "in ab12 1 media", "closed ab12 1 recorder_stopping",
            ])
        let payloads = try #require(device.peer?.payloads)
        #expect(payloads.first == #"{"type":"CONNECT","connType":0,"origin":{},"userAgent":"CastLedger/1.2"}"#)
        #expect(payloads.contains(#"{"type":"CONNECT","connType":2,"origin":{},"userAgent":"CastLedger/1.2"}"#))
        #expect(payloads.last == #"{"type":"CLOSE"}"#)
        let types = payloads.map { $0.split(separator: "\"").dropFirst(3).first ?? "" }
        #expect(types == ["CONNECT", "GET_STATUS", "GET_STATUS", "GET_DEVICE_INFO", "CONNECT", "GET_STATUS", "CLOSE"])
    }

    @Test func `records what we send as it was sent`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "ab12")
        stage.type(device)
        stage.when("joined", { device.peer?.payloads.count == 6 }) { stage.supervisor.stop() }
        stage.when("left", { device.peer?.isClosed == true })
        stage.run()
        let sent = stage.sink.observations.compactMap { observation -> CastMessage? in
            guard case .frame(let frame) = observation.body, frame.direction == .outbound else { return nil }
            return frame.message
        }
        #expect(sent == device.peer?.heard)
    }

    @Test func `records a device that never says who it is under its address`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: nil)
        stage.type(device)
        stage.when("released after a second", { stage.sink.frames.count >= 2 }) { stage.supervisor.stop() }
        stage.run()
        let place = "at:127.0.0.1:\(device.port)"
        #expect(
            stage.sink.lines == [
                "seen \(place) - static", "opened \(place) 1 invisible", "in \(place) 1 receiver",
                "in \(place) 1 media", "closed \(place) 1 recorder_stopping",
            ])
    }

    @Test func `begins a new link when a device says late who it is`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: nil)
        stage.type(device)
        stage.when("released after a second", { stage.sink.frames.count >= 2 }) {
            device.behave(as: "ab12")
            device.peer?.send(.discovery, #"{"type":"DEVICE_INFO","deviceId":"ab12"}"#)
        }
        stage.when("linked again", { stage.sink.lines.contains("opened ab12 2 invisible") }) {
            stage.supervisor.stop()
        }
        stage.run()
        #expect(stage.sink.lines.contains("closed at:127.0.0.1:\(device.port) 1 duplicate"))
        #expect(stage.sink.lines.last == "closed ab12 2 recorder_stopping")
    }

    @Test func `keeps one link to a device that is both typed and announced`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "ab12")
        stage.supervisor.apply(.seen(Stage.announced("ab12", name: "Kitchen", port: device.port)))
        stage.when("announced is up", { stage.summary("ab12")?.isUp == true }) { stage.type(device) }
        stage.when("typed has gone", { device.peers.count == 2 && device.peer?.isClosed == true }) {
            #expect(stage.supervisor.summaries.map(\.deviceID) == [DeviceID("ab12")])
            #expect(device.peers.first?.isClosed == false)
            #expect(stage.summary("ab12")?.isUp == true)
            stage.type(device)
            #expect(stage.supervisor.summaries.count == 1, "its address is known by now")
            stage.supervisor.stop()
        }
        stage.run()
        #expect(stage.sink.lines.first == "seen ab12 Kitchen mdns")
        #expect(stage.sink.lines.filter { $0.hasPrefix("seen") }.count == 1)
        // What came over the second link is recorded; that it was there is not, since the device stayed linked.
        #expect(stage.sink.lines.contains("in ab12 2 receiver"))
        #expect(stage.sink.lines.filter { $0.hasPrefix("opened") } == ["opened ab12 1 invisible"])
        #expect(stage.sink.lines.filter { $0.hasPrefix("closed") } == ["closed ab12 1 recorder_stopping"])
    }

    @Test func `keeps the typed link when the announced address does not answer`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "ab12")
        let deaf = try ScriptedDevice(on: stage.loop)
        let announced = Stage.announced("ab12", name: "Kitchen", port: deaf.port)
        deaf.onMessage = { peer, _ in peer.close(reset: true) }
        stage.supervisor.apply(.seen(announced))
        stage.when("the other fails", { stage.summary("ab12")?.lastFailure != nil }) { stage.type(device) }
        stage.when("typed is up", { device.peer?.payloads.count == 6 }) {
            #expect(stage.supervisor.summaries.count == 1)
            #expect(stage.summary("ab12")?.isUp == true)
            stage.supervisor.apply(.seen(announced))
            #expect(stage.summary("ab12")?.isUp == true)
            stage.supervisor.stop()
        }
        stage.run()
    }

    @Test func `opens no socket to a denied device`() throws {
        let stage = try Stage(filter: DeviceFilter(deniedDevices: ["Guest Room"]))
        let guest = try ScriptedDevice(on: stage.loop)
        let kitchen = try ScriptedDevice(on: stage.loop)
        stage.supervisor.apply(.seen(Stage.announced("aa", name: "Guest Room", port: guest.port)))
        stage.supervisor.apply(.seen(Stage.announced("bb", name: "Kitchen", port: kitchen.port)))
        stage.when("the other is up", { stage.summary("bb")?.isUp == true }) {
            // Renamed to what nobody may watch.
            stage.supervisor.apply(.seen(Stage.announced("bb", name: "guest room", port: kitchen.port)))
        }
        stage.when("left", { kitchen.peer?.isClosed == true })
        stage.run()
        #expect(guest.peers.isEmpty)
        #expect(
            stage.sink.lines == ["seen bb Kitchen mdns", "opened bb 1 invisible", "closed bb 1 device_excluded"])
    }

    @Test func `tells of a device that new rules leave out, linked or not, and takes it back with others`() throws {
        let stage = try Stage()
        let (linked, closed) = (try ScriptedDevice(on: stage.loop), try ClosedPort())
        stage.supervisor.apply(.seen(Stage.announced("aa", name: "Kitchen", port: linked.port)))
        stage.supervisor.apply(.seen(Stage.announced("bb", name: "Attic", port: closed.port)))
        stage.supervisor.apply(.seen(Stage.typed(port: try ClosedPort().port)))
        stage.when("one is up", { stage.summary("aa")?.isUp == true && stage.summary("bb")?.lastFailure != nil }) {
            let denied = DeviceFilter(deniedDevices: ["Kitchen", "Attic", "127.0.0.1"])
            stage.supervisor.apply(filter: denied, apps: .builtIn)
            #expect(stage.supervisor.summaries.isEmpty)
            stage.supervisor.apply(filter: denied, apps: .builtIn)
            stage.supervisor.apply(filter: DeviceFilter(), apps: .builtIn)
        }
        stage.when("up again", { stage.summary("aa")?.isUp == true }) { stage.supervisor.stop() }
        stage.run()
        #expect(
            stage.sink.lines.filter { !$0.hasPrefix("gap bb device_unreachable") } == [
                "seen aa Kitchen mdns", "seen bb Attic mdns", "opened aa 1 invisible", "closed aa 1 device_excluded",
                "gap bb device_excluded lasts", "opened aa 2 invisible", "closed aa 2 recorder_stopping",
            ])
    }

    @Test
    func `keeps a typed device that mDNS announces, though others alone are allowed, until it is not typed any more`()
        throws
    {
        let stage = try Stage(filter: DeviceFilter(allowedDevices: ["Den"]))
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "ab12")
        let announced = Stage.announced("ab12", name: "Kitchen", port: device.port)
        stage.type(device)
        stage.when("up", { stage.summary("ab12")?.isUp == true }) {
            stage.supervisor.apply(.seen(announced))
            #expect(stage.summary("ab12")?.isUp == true)
            stage.supervisor.apply(filter: DeviceFilter(allowedDevices: ["Attic"]), apps: .builtIn)
            #expect(stage.summary("ab12")?.isUp == true)
            stage.supervisor.forget(typed: Stage.typed(port: device.port).deviceID)
            #expect(stage.supervisor.summaries.isEmpty)
            stage.supervisor.apply(.seen(announced))
            #expect(stage.supervisor.summaries.isEmpty)
        }
        stage.when("left", { device.peer?.isClosed == true })
        stage.run()
        #expect(device.peers.count == 1)
        #expect(stage.sink.lines.filter { $0.hasPrefix("closed") } == ["closed ab12 1 device_excluded"])
    }

    @Test func `lets go of a typed device that is denied, also when mDNS has announced it`() throws {
        let stage = try Stage(filter: DeviceFilter(allowedDevices: ["Den"]))
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "ab12")
        stage.type(device)
        stage.when("up", { stage.summary("ab12")?.isUp == true }) {
            stage.supervisor.apply(.seen(Stage.announced("ab12", name: "Kitchen", port: device.port)))
            stage.supervisor.apply(filter: DeviceFilter(deniedDevices: ["kitchen"]), apps: .builtIn)
            #expect(stage.supervisor.summaries.isEmpty)
        }
        stage.when("left", { device.peer?.isClosed == true })
        stage.run()
    }

    @Test func `records nothing of a typed device that turns out to be a denied one`() throws {
        let stage = try Stage(filter: DeviceFilter(deniedDevices: ["ab12"]))
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "AB-12")
        stage.type(device)
        stage.when("left", { device.peer?.isClosed == true }) {
            stage.type(device)
            #expect(stage.supervisor.summaries.isEmpty, "its address is known by now")
        }
        stage.run()
        stage.supervisor.stop()
        #expect(device.peers.count == 1)
        #expect(stage.sink.observations.isEmpty)
    }

    @Test func `keeps a healthy link through a withdrawal, and says what is new of a device once`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        let kitchen = Stage.announced("bb", name: "Kitchen", port: device.port)
        stage.supervisor.apply(.seen(kitchen))
        stage.supervisor.apply(.seen(kitchen))
        stage.when("up", { stage.summary("bb")?.isUp == true }) {
            stage.supervisor.apply(.withdrawn(DeviceID("bb")))
            stage.supervisor.apply(.withdrawn(DeviceID("bb")))
            stage.supervisor.apply(.seen(kitchen))
            stage.supervisor.apply(.seen(Stage.announced("bb", name: "Cellar", port: device.port)))
            #expect(stage.summary("bb")?.isUp == true)
            #expect(stage.summary("bb")?.name == "Cellar")
            stage.supervisor.stop()
        }
        stage.run()
        #expect(
            stage.sink.lines == [
                "seen bb Kitchen mdns", "opened bb 1 invisible", "withdrawn bb", "seen bb Kitchen mdns",
                "seen bb Cellar mdns", "closed bb 1 recorder_stopping",
            ])
    }

    @Test func `says why a link has ended also where we ended it`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "ab12")
        stage.type(device)
        stage.when("joined", { device.peer?.payloads.count == 6 }) {
            #expect(stage.summary("ab12")?.lastFailure == nil)
            // The platform lets go of us: without it there is no news, so the link is ended.
            device.peer?.send(.connection, #"{"type":"CLOSE"}"#)
        }
        stage.when("ended", { stage.summary("ab12")?.isUp == false }) {
            #expect(stage.summary("ab12")?.lastFailure == "closed_by_device")
        }
        stage.when("up again", { stage.summary("ab12")?.isUp == true }) {
            #expect(stage.summary("ab12")?.lastFailure == nil)
            stage.supervisor.stop()
        }
        stage.run()
    }

    @Test func `tries the next address when one does not answer, and a new one soon`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        let closed = try ClosedPort()
        stage.supervisor.apply(.seen(Stage.announced("bb", name: "Kitchen", port: closed.port)))
        stage.when("failed", { stage.summary("bb")?.lastFailure != nil }) {
            let moved = Stage.announced(
                "bb", name: "Kitchen", addresses: ["127.0.0.3", "127.0.0.1"], port: device.port)
            stage.supervisor.apply(.seen(moved))
        }
        stage.when("up", { stage.summary("bb")?.isUp == true }) { stage.supervisor.stop() }
        stage.run()
    }

    @Test func `opens no link that there is no room to record, and tells of devices when there is some`() throws {
        let stage = try Stage()
        let device = try ScriptedDevice(on: stage.loop)
        device.behave(as: "bb")
        stage.sink.isFull = true
        func announce(_ number: Int) {
            stage.supervisor.apply(.seen(Stage.announced("aa", name: "\(number)", addresses: [], port: 1)))
        }
        announce(0)
        stage.when("full", { stage.supervisor.counters.timesPaused == 1 }) {
            for number in 1..<65_600 { announce(number) }
            stage.supervisor.apply(.seen(Stage.announced("bb", name: "Kitchen", port: device.port)))
            #expect(stage.supervisor.waitingObservations == 65_536)
        }
        var turns = 0
        stage.when(
            "some turns later",
            {
                turns += 1
                return turns > 50
            }
        ) {
            #expect(device.peers.isEmpty && stage.supervisor.counters.attemptsInFlight == 0)
            stage.sink.isFull = false
        }
        stage.when("up", { stage.summary("bb")?.isUp == true }) { stage.supervisor.stop() }
        stage.run()
        #expect(stage.sink.lines[65_535] == "seen aa 65535 mdns")
        #expect(stage.sink.lines[65_536...].prefix(2) == ["seen bb Kitchen mdns", "opened bb 1 invisible"])
    }

    @Test func `connects to no more devices at a time than it may`() throws {
        let stage = try Stage(handshakeLimit: 2)
        let devices = try (0..<12).map { _ in try ScriptedDevice(on: stage.loop) }
        for (number, device) in devices.enumerated() {
            stage.supervisor.apply(.seen(Stage.announced("a\(number)", name: "\(number)", port: device.port)))
        }
        var most = 0
        stage.when(
            "all up",
            {
                most = max(most, stage.supervisor.counters.attemptsInFlight)
                return stage.supervisor.summaries.allSatisfy(\.isUp)
            }
        ) { stage.supervisor.stop() }
        stage.run()
        #expect(most <= 2)
        #expect(stage.supervisor.counters.linksOpened == 12)
        #expect(stage.supervisor.counters.attemptsInFlight == 0)
    }
}
