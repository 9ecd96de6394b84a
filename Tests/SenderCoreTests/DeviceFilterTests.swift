import CastModel
import SenderCore
import Testing

@Suite("A filter")
struct DeviceFilterTests {
    private let kitchen = DeviceID("1234567890abcdef1234567890abcdef")

    @Test func `without words admits everything`() {
        let filter = DeviceFilter()
        #expect(filter.admitsDevice(kitchen, name: nil, model: nil))
        #expect(filter.admitsApp(ids: [AppID("CC1AD845")], name: nil))
    }

    @Test(arguments: [
        "1234567890ABCDEF1234567890ABCDEF", "12345678-90ab-cdef-1234-567890abcdef", "kitchen display",
        "Kitchen Display", "GOOGLE NEST HUB",
    ])
    func `finds a device by id, name or model in any spelling`(word: String) {
        let allowing = DeviceFilter(allowedDevices: [word])
        let denying = DeviceFilter(deniedDevices: [word])
        #expect(allowing.admitsDevice(kitchen, name: "Kitchen Display", model: "Google Nest Hub"))
        #expect(!denying.admitsDevice(kitchen, name: "Kitchen Display", model: "Google Nest Hub"))
        let other = DeviceID("ffffffffffffffffffffffffffffffff")
        #expect(!allowing.admitsDevice(other, name: "Bedroom", model: "Chromecast"))
        #expect(denying.admitsDevice(other, name: "Bedroom", model: "Chromecast"))
    }

    @Test func `compares whole words only`() {
        let filter = DeviceFilter(deniedDevices: ["Kitchen"])
        #expect(filter.admitsDevice(kitchen, name: "Kitchen Display", model: nil))
    }

    @Test func `lets deny win over allow`() {
        let filter = DeviceFilter(allowedDevices: ["Kitchen Display"], deniedDevices: [kitchen.text])
        #expect(!filter.admitsDevice(kitchen, name: "Kitchen Display", model: nil))
    }

    @Test(arguments: [
        ("127.0.0.1:8009", true), ("127.0.0.1", true), ("living-room.lan:8009", false), ("127.0.0.1:80", false),
        ("127.0.0", false), ("", false),
    ])
    func `denies a typed device by the address that was typed`(word: String, denied: Bool) {
        let filter = DeviceFilter(deniedDevices: [word])
        let typed = DeviceID.unidentified(host: "127.0.0.1", port: 8009)
        #expect(filter.deniesDevice(typed, name: nil, model: nil) == denied)
    }

    @Test func `denies a typed host whatever its spelling`() {
        let typed = DeviceID.unidentified(host: "Living-Room.lan", port: 8009)
        #expect(DeviceFilter(deniedDevices: ["living-room.LAN"]).deniesDevice(typed, name: nil, model: nil))
    }

    @Test func `asks a typed device only whether it is denied`() {
        let filter = DeviceFilter(allowedDevices: ["Bedroom"], deniedDevices: ["Guest Room"])
        #expect(!filter.deniesDevice(kitchen, name: "Kitchen Display", model: nil))
        #expect(filter.deniesDevice(kitchen, name: "guest room", model: nil))
    }

    @Test func `knows apps by either id and by name`() {
        let filter = DeviceFilter(deniedApps: ["cc32e753", "netflix"])
        #expect(!filter.admitsApp(ids: [AppID("CC32E753")], name: "Spotify"))
        #expect(!filter.admitsApp(ids: [AppID("AndroidNativeApp"), AppID("CC32E753")], name: nil))
        #expect(!filter.admitsApp(ids: [AppID("CA5E8412")], name: "Netflix"))
        #expect(filter.admitsApp(ids: [AppID("CC1AD845")], name: "Default Media Receiver"))
    }
}
