import CastModel
import Discovery
import Testing

private let id = DeviceID("d42fb81b52d513470e9fdbf3b9c88f2d")

private func seen(
    _ name: String = "Kitchen", _ addresses: [String] = ["192.0.2.7"], port: UInt16 = 8009,
    _ txt: [(String, String)] = []
) -> RosterChange {
    .seen(
        DeviceAdvertisement(
            deviceID: id, name: name, model: "Chromecast", addresses: addresses, port: port, capabilities: nil,
            txt: [.init(key: "fn", value: name)] + txt.map { .init(key: $0.0, value: $0.1) }, source: .mdns))
}

@Suite("The roster of devices")
struct DeviceRosterTests {
    @Test func `says that a device appeared once, then nothing`() {
        var roster = DeviceRoster()
        #expect(roster.fold(seen()) == .appeared)
        #expect(roster.fold(seen()) == [])
        #expect(roster.devices.count == 1)
    }

    @Test(
        arguments: [
            (seen("Cellar"), .renamed), (seen("Kitchen", ["192.0.2.8"]), .moved),
            (seen("Kitchen", ["192.0.2.7", "2001:db8::7"]), .moved), (seen(port: 8010), .moved),
            (seen("Kitchen", ["192.0.2.7"], [("ve", "05")]), .redescribed),
            (seen("Kitchen", ["192.0.2.7"], [("st", "1"), ("RS", "YouTube")]), .hinted),
            (seen("Cellar", ["192.0.2.8"]), DeviceRoster.Difference([.renamed, .moved])),
        ] as [(RosterChange, DeviceRoster.Difference)])
    func `says what differs`(next: RosterChange, difference: DeviceRoster.Difference) {
        var roster = DeviceRoster()
        _ = roster.fold(seen())
        #expect(roster.fold(next) == difference)
        #expect(roster.fold(next) == [])
    }

    @Test func `keeps a withdrawn device, and says when it returns`() {
        var roster = DeviceRoster()
        #expect(roster.fold(.withdrawn(id)) == [])
        _ = roster.fold(seen())
        #expect(roster.fold(.withdrawn(id)) == .withdrawn)
        #expect(roster.fold(.withdrawn(id)) == [])
        #expect(roster[id]?.isAnnounced == false)
        #expect(roster[id]?.advertisement.name == "Kitchen")
        #expect(roster.fold(seen()) == .returned)
        _ = roster.fold(.withdrawn(id))
        #expect(roster.fold(seen("Cellar")) == [.returned, .renamed])
        #expect(roster[id]?.isAnnounced == true)
    }

    @Test func `refuses devices beyond its limit, and counts them`() {
        var roster = DeviceRoster()
        for number in 0...DeviceRoster.deviceLimit {
            let difference = roster.fold(
                .seen(
                    DeviceAdvertisement(
                        deviceID: DeviceID("\(number)"), name: nil, model: nil, addresses: [], port: 8009,
                        capabilities: nil, txt: [], source: .mdns)))
            #expect(difference == (number < 50_000 ? .appeared : .refused))
        }
        #expect(roster.refusedCount == 1)
        #expect(roster[DeviceID("50000")] == nil)
    }
}
