import CastModel
import TestSupport
import Testing

/// One line of `corpus/discovery.jsonl`: mDNS records that people have published.
private struct CorpusRecord {
    let service: String
    let instance: String
    /// 0 where the source does not tell.
    let port: UInt16
    let addresses: [String]
    let txt: [String]

    static func all() throws -> [CorpusRecord] { try Corpus.lines("discovery").map { try CorpusRecord($0) } }

    private init(_ object: JSONValue) throws {
        let service = try #require(object["service"]?.string)
        let instance = try #require(object["instance"]?.string)
        let strings = try #require(object["txt"]?.array)
        self.service = service
        self.instance = instance
        port = object["port"]?.lossyInteger.flatMap { UInt16(exactly: $0) } ?? 0
        addresses = object["address"]?.string.map { [$0] } ?? []
        txt = try strings.map { try #require($0.string) }
    }

    func advertisement() throws(AdvertisementRefusal) -> DeviceAdvertisement {
        try DeviceAdvertisement(
            service: service, instance: instance, port: port, addresses: addresses, txt: txt.map { Array($0.utf8) },
            source: .mdns)
    }
}

/// What a reader of one line finds in it.
struct ExpectedDevice: Sendable {
    let line: Int
    let id: String
    let name: String?
    let model: String?
    let capabilities: Int64?
    let port: UInt16
    let isGroup: Bool

    init(_ line: Int, _ id: String, _ name: String?, _ model: String?, ca: Int64?, _ port: UInt16, group: Bool = false)
    {
        self.line = line
        self.id = id
        self.name = name
        self.model = model
        capabilities = ca
        self.port = port
        isGroup = group
    }
}

// Goal: every published record is read as a person reads it.
// Method: each line read by eye and written down here; lines count from 1.
@Suite("Published mDNS records")
struct DiscoveryCorpusTests {
    private static let group = "Google Cast Group"
    static let devices: [ExpectedDevice] = [
        .init(1, "d42fb81b52d513470e9fdbf3b9c88f2d", "リビング ルーム", "Google Home Mini", ca: 198660, 8009),
        .init(2, "f6f219446b991fce41b8c8ef77e17a06", "Nest Hub", "Google Nest Hub", ca: 233989, 8009),
        .init(3, "bdf67c5aaad2f1f5d215ac471886825b", "Chromecast QR", "Chromecast", ca: 5, 8009),
        .init(4, "9150e5337435b05bfe5c1b9ceff7616a", "AndroidTV", "SHIELD Android TV", ca: 200709, 8009),
        .init(5, "6a54f9e2cb34514cc96ab762c62c407c", "GadgetTV", "MIBOX4", ca: 200709, 8009),
        .init(6, "fe985a39845c41a4ea83fa1fd694ac17", "Soffitta", "Google Home Mini", ca: 198660, 8009),
        .init(8, "1787973c18cd470ca17301be216e9dba", "Zolders", group, ca: 198692, 32100, group: true),
        .init(9, "08a045f06f15464193209091fcea7563", "Voor", group, ca: 198692, 42008, group: true),
        .init(10, "2557456cc611201fd6d65a1e491a5959", "AudioRig", "Chromecast Audio", ca: 198660, 8009),
        .init(12, "14d8f6088a80dedfef8073b76a4a275b", "Google Home in garden room", "Google Home", ca: 2052, 8009),
        // Altered by the reporter to 35 digits; whatever it is, it is the device's id.
        .init(13, "3410642cbaad1210210f148910fbdf3cdfa2", "Foxhole", group, ca: 2084, 42238, group: true),
        .init(15, "d39d5fd9d59c737a5d001d530dc5759b", "SONY XR-77A80J", "BRAVIA 4K VH2", ca: nil, 8009),
        // No id in TXT: the digits at the end of the instance name.
        .init(16, "5bbc7627f8f8742eecfef8d2632f59c6", "clt tv", "Smart TV Pro", ca: nil, 8009),
        // One group at two places: its port tells that it is one.
        .init(17, "cfe7a8460ac1c82507d37f5c574c17c9", "All speakers", nil, ca: nil, 42222, group: true),
        .init(18, "cfe7a8460ac1c82507d37f5c574c17c9", "All speakers", nil, ca: nil, 42222, group: true),
        .init(19, "25bbb98df8726bd4893d09bc3123d7c6", "Q_Chromecast", "Chromecast", ca: 4101, 8009),
        .init(20, "e61885f23e6d2ebb0d424495", "go-cast", "go-cast", ca: 4101, 8009),
        .init(21, "bb198d2fe4566bf983ec8ef263e7c09c", "Invoke", "Chromecast Audio", ca: 4, 8009),
    ]

    @Test func `are twenty-two, all readable`() throws { #expect(try CorpusRecord.all().count == 22) }

    @Test(arguments: devices)
    func `tell who the device is and what it can do`(expected: ExpectedDevice) throws {
        let found = try CorpusRecord.all()[expected.line - 1].advertisement()
        #expect(found.deviceID.text == expected.id)
        #expect(found.name == expected.name)
        #expect(found.model == expected.model)
        #expect(found.capabilities?.rawValue == expected.capabilities)
        #expect(found.port == expected.port)
        #expect(found.isGroup == expected.isGroup)
    }

    @Test(
        arguments: [
            (7, .portZero),  // only the instance name is known
            (11, .foreignService),  // _googlezone._tcp
            (14, .noDeviceID),  // BRAVIA-VH1-163
            (22, .noDeviceID),  // 65OLED999/12
        ] as [(Int, AdvertisementRefusal)])
    func `that name no device are refused with the reason`(line: Int, reason: AdvertisementRefusal) {
        #expect(throws: reason) { try CorpusRecord.all()[line - 1].advertisement() }
    }

    @Test func `keep every TXT string, in its order`() throws {
        for (index, record) in try CorpusRecord.all().enumerated() {
            guard let found = try? record.advertisement() else { continue }
            let strings = found.txt.map { pair in pair.value.map { "\(pair.key)=\($0)" } ?? pair.key }
            #expect(strings == record.txt, "line \(index + 1)")
        }
    }

    @Test func `keep their addresses, or have none`() throws {
        #expect(try CorpusRecord.all()[0].advertisement().addresses == ["192.168.238.105"])
        #expect(try CorpusRecord.all()[2].advertisement().addresses == [])
    }
}
