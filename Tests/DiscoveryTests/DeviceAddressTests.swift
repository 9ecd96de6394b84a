import CastModel
import Discovery
import Testing

@Suite("The address of a device")
struct DeviceAddressTests {
    @Test(
        arguments: [
            ("tv.lan", "tv.lan", 8009), ("tv.lan:8010", "tv.lan", 8010), ("192.0.2.7", "192.0.2.7", 8009),
            ("192.0.2.7:1", "192.0.2.7", 1), ("[2001:db8::7]", "2001:db8::7", 8009),
            ("[2001:db8::7]:65535", "2001:db8::7", 65535), ("2001:db8::7", "2001:db8::7", 8009),
            ("fe80::7%eth0", "fe80::7%eth0", 8009), ("[fe80::7%eth0]:8010", "fe80::7%eth0", 8010), ("::1", "::1", 8009),
            ("[::ffff:192.0.2.7]:8009", "::ffff:192.0.2.7", 8009), ("Wohnzimmer-TV", "Wohnzimmer-TV", 8009),
        ] as [(String, String, UInt16)])
    func `is a host, and a port where it is not 8009`(text: String, host: String, port: UInt16) throws {
        let address = try DeviceAddress(parsing: text)
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [
        ("", "The address of the device is empty. Write HOST or HOST:PORT."),
        (
            "http://tv.lan",
            "'http://tv.lan' is a URL. Write HOST or HOST:PORT, such as 192.0.2.7 or tv.lan:8009."
        ),
        (":8009", "':8009' names no host. Write HOST or HOST:PORT."),
        (
            "tv one",
            "'tv one' holds a character that no host name has. Give --device once for each device."
        ),
        ("a,b", "'a,b' holds a character that no host name has. Give --device once for each device."),
        ("[tv.lan]:8009", "'[tv.lan]:8009' is no IPv6 address. Brackets are for those: [2001:db8::7]:8009."),
        ("tv:lan:8009", "'tv:lan:8009' is no IPv6 address. Brackets are for those: [2001:db8::7]:8009."),
        ("[2001:db8::7", "'[2001:db8::7' lacks its ']'. Write [2001:db8::7]:8009."),
        (
            "[2001:db8::7]8009",
            "'[2001:db8::7]8009' goes on after its ']'. Only ':PORT' may follow: [2001:db8::7]:8009."
        ),
        ("tv:", "'tv:' has the port ''. A port is a number from 1 to 65535."),
        ("tv:0", "'tv:0' has the port '0'. A port is a number from 1 to 65535."),
        ("tv:65536", "'tv:65536' has the port '65536'. A port is a number from 1 to 65535."),
        ("tv:+80", "'tv:+80' has the port '+80'. A port is a number from 1 to 65535."),
        ("tv:http", "'tv:http' has the port 'http'. A port is a number from 1 to 65535."),
    ])
    func `is refused with what is wrong`(text: String, message: String) {
        let error = #expect(throws: DeviceAddressError.self) { try DeviceAddress(parsing: text) }
        #expect(error?.description == message)
    }

    @Test func `reads back as it is shown`() throws {
        for text in ["tv.lan:8009", "[2001:db8::7]:8010"] {
            #expect(try DeviceAddress(parsing: text).description == text)
        }
    }
}
