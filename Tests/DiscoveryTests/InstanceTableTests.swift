import CastModel
import Testing

@testable import Discovery

private let id = "d42fb81b52d513470e9fdbf3b9c88f2d"
private let device = DeviceID(id)

private func instance(_ name: String = "Chromecast-\(id)", on interface: Int32 = 2, family: AddressFamily = .four)
    -> ServiceInstance
{
    ServiceInstance(interface: interface, family: family, name: name, domain: "local")
}

private func resolution(_ address: String, port: UInt16 = 8009, name: String = "Kitchen", id: String = id)
    -> Resolution
{
    Resolution(address: address, port: port, txt: [Array("id=\(id)".utf8), Array("fn=\(name)".utf8)])
}

private func seen(_ addresses: [String], port: UInt16 = 8009, name: String = "Kitchen", id: String = id)
    -> RosterChange
{
    .seen(
        DeviceAdvertisement(
            deviceID: DeviceID(id), name: name, model: nil, addresses: addresses, port: port, capabilities: nil,
            txt: [.init(key: "id", value: id), .init(key: "fn", value: name)], source: .mdns))
}

@Suite("The table of mDNS instances")
struct InstanceTableTests {
    private var table = InstanceTable()

    private mutating func tell(_ instance: ServiceInstance, _ resolution: Resolution) -> [RosterChange] {
        #expect(table.appeared(instance) == true)
        return table.resolved(instance, resolution)
    }

    @Test mutating func `makes one device of two families, IPv4 first whichever comes first`() {
        #expect(tell(instance(family: .six), resolution("fe80::7%eth0")) == [seen(["fe80::7%eth0"])])
        #expect(tell(instance(family: .four), resolution("192.0.2.7")) == [seen(["192.0.2.7", "fe80::7%eth0"])])
        #expect(table.deviceCount == 1)
    }

    @Test mutating func `says an address once, and an unchanged device not again`() {
        #expect(tell(instance(on: 2), resolution("192.0.2.7")) == [seen(["192.0.2.7"])])
        #expect(tell(instance(on: 3), resolution("192.0.2.7")) == [])
        #expect(tell(instance(on: 2), resolution("192.0.2.7")) == [])
    }

    @Test mutating func `withdraws a device only with its last instance`() {
        _ = tell(instance(on: 2), resolution("192.0.2.7"))
        _ = tell(instance(family: .six), resolution("2001:db8::7"))
        #expect(table.disappeared(instance(on: 2)) == [seen(["2001:db8::7"])])
        #expect(table.disappeared(instance(family: .six)) == [.withdrawn(device)])
        #expect(table.disappeared(instance(family: .six)) == [])
        #expect(table.instanceCount == 0)
    }

    @Test mutating func `takes the name that changed last, once`() {
        _ = tell(instance(family: .four), resolution("192.0.2.7"))
        _ = tell(instance(family: .six), resolution("2001:db8::7"))
        let text = [Array("id=\(id)".utf8), Array("fn=Cellar".utf8)]
        #expect(table.said(instance(family: .four), text) == [seen(["192.0.2.7", "2001:db8::7"], name: "Cellar")])
        #expect(table.said(instance(family: .six), text) == [])
    }

    @Test mutating func `follows a group to its new place, and keeps the old one as second choice`() {
        let group = "Google-Cast-Group-\(id)"
        _ = tell(instance(group), resolution("192.0.2.7", port: 42222))
        let moved = tell(instance(group + "-1"), resolution("192.0.2.9", port: 42222))
        #expect(moved == [seen(["192.0.2.9", "192.0.2.7"], port: 42222)])
        #expect(table.disappeared(instance(group)) == [seen(["192.0.2.9"], port: 42222)])
    }

    @Test mutating func `a group with two names is withdrawn with the second of them, whichever goes first`() {
        let (first, twin) = (instance("Google-Cast-Group-\(id)"), instance("Google-Cast-Group-\(id)-1"))
        for (gone, left) in [(first, twin), (twin, first)] {
            _ = tell(first, resolution("192.0.2.7", port: 32187))
            #expect(tell(twin, resolution("192.0.2.7", port: 32187)) == [])
            #expect(table.deviceCount == 1)
            #expect(table.disappeared(gone) == [])
            #expect(table.disappeared(left) == [.withdrawn(device)])
        }
    }

    @Test mutating func `knows a group by its id in any spelling, and another group by another id`() {
        let dashed = "D42FB81B-52D5-1347-0E9F-DBF3B9C88F2D"
        _ = tell(instance("Google-Cast-Group-\(id)"), resolution("192.0.2.7", port: 32187))
        let again = tell(instance("Google-Cast-Group-\(id)-1"), resolution("192.0.2.7", port: 32187, id: dashed))
        #expect(again.allSatisfy { if case .seen(let said) = $0 { said.deviceID == device } else { false } })
        #expect(table.deviceCount == 1)
        // A member that plays alone makes a second group of the same name (PROTOCOL 1.6).
        let other = "0ad0c0de00000000000000000000abcd"
        let adHoc = tell(instance("Google-Cast-Group-\(other)"), resolution("192.0.2.7", port: 32188, id: other))
        #expect(adHoc == [seen(["192.0.2.7"], port: 32188, id: other)])
        #expect(table.deviceCount == 2)
    }

    @Test mutating func `leaves out addresses that go with another port`() {
        _ = tell(instance("Google-Cast-Group-\(id)"), resolution("192.0.2.7", port: 32100))
        let moved = tell(instance("Google-Cast-Group-\(id)-1"), resolution("192.0.2.9", port: 32187))
        #expect(moved == [seen(["192.0.2.9"], port: 32187)])
    }

    @Test mutating func `withdraws the old device when an instance changes its id`() {
        _ = tell(instance(), resolution("192.0.2.7"))
        let changes = table.resolved(instance(), resolution("192.0.2.7", id: "ab"))
        #expect(changes == [.withdrawn(device), seen(["192.0.2.7"], id: "ab")])
    }

    @Test mutating func `counts what is no device, once per answer that differs`() {
        let nameless = Resolution(address: "192.0.2.7", port: 8009, txt: [])
        #expect(tell(instance("TV"), nameless) == [])
        #expect(tell(instance("TV"), nameless) == [])
        #expect(tell(instance("Other"), resolution("192.0.2.8", port: 0)) == [])
        #expect(table.refusals == [.noDeviceID: 1, .portZero: 1])
    }

    @Test mutating func `after a daemon restart believes in devices until their time is over`() {
        let other = "fe985a39845c41a4ea83fa1fd694ac17"
        _ = tell(instance(), resolution("192.0.2.7"))
        _ = tell(instance("Chromecast-\(other)"), resolution("192.0.2.8", id: other))
        table.daemonLost()
        #expect(tell(instance(), resolution("192.0.2.7")) == [])
        let (gone, changes) = table.forgetUnconfirmed()
        #expect(gone == [instance("Chromecast-\(other)")])
        #expect(changes == [.withdrawn(DeviceID(other))])
        #expect(table.forgetUnconfirmed().changes == [])
    }

    @Test mutating func `has room for 20,000 instances and counts the rest`() {
        for number in 0..<20_000 { #expect(table.appeared(instance("\(number)")) == true) }
        #expect(table.appeared(instance("one more")) == false)
        #expect(table.appeared(instance("7")) == true)
        #expect(table.overLimitCount == 1)
    }

    @Test mutating func `ignores answers about instances that are gone`() {
        #expect(table.resolved(instance(), resolution("192.0.2.7")) == [])
        #expect(table.said(instance(), []) == [])
    }

    @Test mutating func `knows the same name on other interfaces, and not a group's second name`() {
        _ = tell(instance(on: 2), resolution("192.0.2.7"))
        _ = tell(instance(on: 3), resolution("192.0.2.7"))
        _ = tell(instance(family: .six), resolution("2001:db8::7"))
        _ = tell(instance("Chromecast-\(id)-1"), resolution("192.0.2.7"))
        #expect(Set(table.siblings(of: instance(on: 2))) == [instance(on: 3), instance(family: .six)])
        #expect(table.siblings(of: instance("nobody")) == [])
    }
}
