import Testing

@testable import WebClient

@Suite("Origins and addresses") struct WebOriginTests {
    @Test(arguments: [
        ("https://a.example/x", "https://A.example:443/y?z", true),
        ("http://a.example", "http://a.example:80/#", true),
        ("http://a.example", "https://a.example", false),
        ("https://a.example", "https://a.example:8443", false),
        ("https://a.example/", "https://user:word@a.example/", true),
        ("https://a.example@b.example/", "https://b.example/", true),
        ("https://a.example\\@b.example/", "https://a.example/", true),
    ])
    func `are the same or not`(one: String, other: String, same: Bool) {
        #expect(WebOrigin.areSame(one, other) == same)
    }

    /// RFC 1122 3.2.1.3, RFC 3927, RFC 4291 2.5; and IPv4 addresses in IPv6 clothes.
    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.255.254", true), ("0.0.0.0", true), ("169.254.169.254", true), ("::1", true),
        ("::", true), ("fe80::1", true), ("::ffff:127.0.0.1", true), ("::ffff:169.254.0.1", true),
        ("::127.0.0.1", true), ("no address", true), ("", true), ("128.0.0.1", false), ("126.255.255.255", false),
        ("169.253.255.255", false), ("169.255.0.0", false), ("192.168.1.10", false), ("10.0.0.1", false),
        ("2001:db8::1", false), ("fd00::1", false), ("::ffff:192.168.1.10", false),
    ])
    func `tell this machine and its link from others`(address: String, nearby: Bool) {
        #expect(WebClient.isNearby(address) == nearby)
    }

    @Test func `headers are read line by line`() {
        let head = "HTTP/1.1 206 Partial Content\r\nContent-Type:text/vtt \r\nVary: a\r\nvary:  b\r\nnonsense\r\n\r\n"
        let headers = WebAnswer.headers(of: Array(head.utf8))
        #expect(headers == [.init("content-type", "text/vtt"), .init("vary", "a"), .init("vary", "b")])
        #expect(WebAnswer(url: "", origin: "", headers: headers).values(of: "vary") == ["a", "b"])
    }
}
