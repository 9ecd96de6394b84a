import CastModel
import Testing

private let id = "d42fb81b52d513470e9fdbf3b9c88f2d"

private func advertisement(
    service: String = "_googlecast._tcp", instance: String = "Chromecast-\(id)", port: UInt16 = 8009,
    addresses: [String] = [], _ txt: [String], source: DeviceAdvertisement.Source = .mdns
) throws(AdvertisementRefusal) -> DeviceAdvertisement {
    try DeviceAdvertisement(
        service: service, instance: instance, port: port, addresses: addresses, txt: txt.map { Array($0.utf8) },
        source: source)
}

@Suite("An mDNS advertisement")
struct DeviceAdvertisementTests {
    @Test(arguments: ["ID", "Id", "iD", "id"])
    func `reads keys in either case`(key: String) throws {
        #expect(try advertisement(instance: "x", ["\(key)=AB-CD"]).deviceID.text == "abcd")
    }

    @Test func `takes the first of two equal keys`() throws {
        #expect(try advertisement(["fn=Kitchen", "FN=Cellar"]).name == "Kitchen")
    }

    @Test func `tells a key without a value from one with an empty value`() throws {
        let found = try advertisement(["rs", "rm=", "xx=a=b", "=odd", ""])
        #expect(
            found.txt == [
                .init(key: "rs", value: nil), .init(key: "rm", value: ""), .init(key: "xx", value: "a=b"),
                .init(key: "", value: "odd"),
            ])
        #expect(found.text("rs") == nil)
        #expect(found.text("rm") == "")
    }

    @Test(arguments: ["fn=", "fn"])
    func `has no name where the name is empty`(txt: String) throws {
        #expect(try advertisement([txt]).name == nil)
    }

    @Test func `shows bytes that are no UTF-8 as replacement characters`() throws {
        let found = try DeviceAdvertisement(
            instance: "Chromecast-\(id)", port: 8009, addresses: [], txt: [[0x66, 0x6E, 0x3D, 0x41, 0xFF, 0x42]],
            source: .mdns)
        #expect(found.name == "A\u{FFFD}B")
    }

    @Test(arguments: [
        ("Caf\\195\\169", "Café"),  // the two bytes of é
        ("Living\\032Room", "Living Room"),
        ("AC\\092DC", "AC\\DC"),
        ("\\256", "\\256"), ("\\25", "\\25"), ("\\", "\\"), ("\\a12", "\\a12"), ("\\000", "\\000"),
        ("\\195 alone", "\\195 alone"),  // not UTF-8 afterwards, so never escaped
    ])
    func `undoes decimal escapes in names, and only those`(escaped: String, plain: String) throws {
        let found = try advertisement(["fn=\(escaped)", "md=\(escaped)"])
        #expect(found.name == plain)
        #expect(found.model == plain)
        #expect(found.text("fn") == escaped)
    }

    @Test(
        arguments: [
            ("Chromecast-\(id)", id), ("Chromecast-\(id)-1", id), ("Chromecast-\(id)-12", id), (id, id),
            ("Google-Cast-Group-D42FB81B52D513470E9FDBF3B9C88F2D-1", id),
            ("Chromecast-\(id)-123", nil), ("Chromecast\(id)", nil), ("Chromecast-\(id)0", nil),
            ("Chromecast-d42fb81b52d513470e9fdbf3b9c88f2g", nil), ("Chromecast-\(id)-", nil), ("-1", nil), ("", nil),
        ] as [(String, String?)])
    func `without an id takes the digits at the end of the instance name`(instance: String, expected: String?) {
        #expect((try? advertisement(instance: instance, []))?.deviceID.text == expected)
    }

    @Test(arguments: ["id", "id=", "id=-", "id=---"])
    func `with an id that says nothing and no digits is no device`(txt: String) {
        #expect(throws: AdvertisementRefusal.noDeviceID) { try advertisement(instance: "TV", [txt]) }
    }

    @Test(
        arguments: [
            ("4101", 4101), ("0", 0), ("00005", 5), ("9223372036854775807", .max),
            ("9223372036854775808", nil), ("-5", nil), ("+5", nil), ("0x5", nil), ("5 ", nil), ("", nil), ("٥", nil),
        ] as [(String, Int64?)])
    func `reads capabilities in decimal only`(text: String, expected: Int64?) throws {
        #expect(try advertisement(["ca=\(text)"]).capabilities?.rawValue == expected)
    }

    @Test(arguments: ["_CC1AD845._sub._googlecast._tcp.local.", "_ca5e8412._SUB._googlecast._tcp"])
    func `below an app id is the same device again`(service: String) {
        #expect(throws: AdvertisementRefusal.subtype) { try advertisement(service: service, ["id=\(id)"]) }
    }

    @Test(arguments: ["_googlecast._tcp", "_googlecast._tcp.local.", "_GoogleCast._TCP.local"])
    func `is known by its service type`(service: String) throws {
        #expect(try advertisement(service: service, ["id=\(id)"]).deviceID.text == id)
    }

    @Test(arguments: ["_googlezone._tcp.local.", "_googlecast._udp", "", "_googlecast", "_http._tcp"])
    func `of another service is refused`(service: String) {
        #expect(throws: AdvertisementRefusal.foreignService) { try advertisement(service: service, ["id=\(id)"]) }
    }

    @Test func `with port 0 is refused`() {
        #expect(throws: AdvertisementRefusal.portZero) { try advertisement(port: 0, ["id=\(id)"]) }
    }

    @Test func `keeps publicly routable addresses`() throws {
        #expect(
            try advertisement(addresses: ["8.8.8.8", "2001:4860::1"], []).addresses == ["8.8.8.8", "2001:4860::1"])
    }

    @Test(
        arguments: [
            (["md=Google Cast Group"], 8009, .mdns, true), (["ca=32"], 8009, .mdns, true),
            (["ca=199204"], 32100, .mdns, true),  // 199172 + 32
            (["md=Google Home", "ca=68"], 32100, .mdns, true),  // sound out, and for the moment only
            (["md=Google Home", "ca=199172"], 32100, .mdns, false),  // it says what it is
            (["md=Google Home"], 32100, .mdns, false), ([], 32100, .mdns, true), ([], 8009, .mdns, false),
            ([], 32100, .static, false),  // a person chose the port
        ] as [([String], UInt16, DeviceAdvertisement.Source, Bool)])
    func `is a group when it says so, and by its port when it says nothing`(
        txt: [String], port: UInt16, source: DeviceAdvertisement.Source, expected: Bool
    ) throws {
        #expect(try advertisement(port: port, txt, source: source).isGroup == expected)
    }

    @Test func `reads or refuses every pair of bytes, and never traps`() {
        var readable = 0
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let txt: [[UInt8]] = [
                    [first, second], [0x66, 0x6E, 0x3D, first, second], [0x69, 0x64, 0x3D, second],
                ]
                let found = try? DeviceAdvertisement(instance: "x", port: 1, addresses: [], txt: txt, source: .mdns)
                readable += found == nil ? 0 : 1
            }
        }
        // Any second byte is an id, except the dash; a first string "id", in four spellings, hides it.
        #expect(readable == 255 * 256 - 4)
    }
}
