import Report
import Testing

/// The expectations follow the Fetch standard: the CORS check (4.10) and the CORS-preflight fetch (4.8).
@Suite("The judge of CORS answers") struct CrossOriginTests {
    private static let page = "https://www.gstatic.com"
    private static let url = "https://media.example/film.en.vtt"
    private static let webVTT = Array("WEBVTT\n\n00:00.000 --> 00:01.000\nHello".utf8)
    private static let allowed = [
        (name: "access-control-allow-origin", value: "*"),
        (name: "access-control-allow-headers", value: "content-type, ACCEPT-ENCODING,Range"),
    ]

    private static func answer(
        _ status: Int, _ headers: [(name: String, value: String)], url: String = url, origin: String = page,
        start: [UInt8] = webVTT
    ) -> CrossOriginAnswer {
        CrossOriginAnswer(url: url, origin: origin, status: status, headers: headers, start: start)
    }

    private func findings(
        _ get: [CrossOriginAnswer], preflight: CrossOrigin.Outcome = .answered([answer(204, allowed)]),
        as role: CrossOrigin.Role = .textTrack
    ) -> [String] {
        CrossOrigin.findings(of: Self.url, as: role, get: .answered(get), preflight: preflight)
            .map { "\($0.level): \($0.meaning.dropFirst(Self.url.count + 2))" }
    }

    @Test func `finds nothing wrong where a receiver may read`() {
        #expect(findings([Self.answer(206, Self.allowed)]) == ["ok: a receiver app may read it"])
        let byName = [(name: "access-control-allow-origin", value: Self.page)]
        #expect(findings([Self.answer(206, byName)]) == ["ok: a receiver app may read it"])
        let anything = Self.answer(
            200, [("access-control-allow-origin", "*"), ("access-control-allow-headers", "*")])
        #expect(
            findings([Self.answer(206, Self.allowed)], preflight: .answered([anything])) == [
                "ok: a receiver app may read it"
            ])
    }

    @Test func `names the origin that is not allowed`() {
        #expect(
            findings([Self.answer(206, [])]) == [
                "fail: no Access-Control-Allow-Origin: a receiver app may not read it, and captions do not show"
            ])
        let others = ["https://www.gstatic.com/", "https://gstatic.com", "null", "*, *", "https://WWW.gstatic.com"]
        for value in others {
            #expect(
                findings([Self.answer(206, [("access-control-allow-origin", value)])]) == [
                    "fail: Access-Control-Allow-Origin is '\(value)', which is not https://www.gstatic.com: "
                        + "a receiver app may not read it, and captions do not show"
                ])
        }
        // Two header lines are one value to a browser, which fits nothing.
        let twice = [(name: "access-control-allow-origin", value: "*"), ("access-control-allow-origin", "*")]
        #expect(
            findings([Self.answer(206, twice)]).first?.hasPrefix("fail: Access-Control-Allow-Origin is '*, *'") == true)
    }

    @Test func `looks at each redirect`() {
        let last = Self.answer(206, Self.allowed, url: "https://b.example/", origin: "null")
        let open = Self.answer(302, [("access-control-allow-origin", "*")], url: "https://a.example/", start: [])
        let shut = Self.answer(302, [], url: "https://a.example/", start: [])
        #expect(findings([open, last]) == ["ok: a receiver app may read it"])
        #expect(
            findings([shut, last]) == [
                "fail: the redirect at https://a.example/ has no Access-Control-Allow-Origin: a receiver app may not "
                    + "read it, and captions do not show"
            ])
        let byName = Self.answer(
            206, [("access-control-allow-origin", Self.page)], url: "https://b.example/", origin: "null")
        #expect(
            findings([open, byName]) == [
                "fail: Access-Control-Allow-Origin is 'https://www.gstatic.com', which is not a page that was sent on "
                    + "from another origin: a receiver app may not read it, and captions do not show"
            ])
    }

    @Test func `names what a preflight does not allow`() {
        func preflight(_ status: Int, _ headers: [(name: String, value: String)]) -> [String] {
            findings([Self.answer(206, Self.allowed)], preflight: .answered([Self.answer(status, headers)]))
        }
        #expect(
            preflight(204, [("access-control-allow-origin", "*"), ("access-control-allow-headers", "Content-Type")])
                == [
                    "warn: Access-Control-Allow-Headers lacks Accept-Encoding, Range: a receiver that asks first is "
                        + "refused"
                ])
        #expect(
            preflight(204, [("access-control-allow-origin", "*")]) == [
                "warn: Access-Control-Allow-Headers lacks Content-Type, Accept-Encoding, Range: a receiver that asks "
                    + "first is refused"
            ])
        #expect(
            preflight(501, Self.allowed) == [
                "warn: the preflight (OPTIONS) is answered with status 501: a receiver that asks first is refused"
            ])
        #expect(
            preflight(302, Self.allowed) == [
                "warn: the preflight (OPTIONS) is answered with status 302: a receiver that asks first is refused"
            ])
        #expect(
            preflight(200, [("access-control-allow-headers", "*")]) == [
                "warn: the preflight (OPTIONS) has no Access-Control-Allow-Origin that fits: a receiver that asks "
                    + "first is refused"
            ])
    }

    @Test func `knows what is no timed text`() {
        let subRip = Array("1\n00:00:00,000 --> 00:00:01,000\nHello".utf8)
        #expect(
            findings([Self.answer(206, Self.allowed, start: subRip)]) == [
                "warn: it is neither WebVTT nor TTML: receivers show no other text"
            ])
        let marked = [0xEF, 0xBB, 0xBF] + Self.webVTT
        let xml = Array("\n <?xml version=\"1.0\"?><tt/>".utf8)
        for start in [marked, xml] {
            #expect(findings([Self.answer(206, Self.allowed, start: start)]) == ["ok: a receiver app may read it"])
        }
        #expect(findings([Self.answer(206, Self.allowed, start: [])]).first?.hasPrefix("warn: it is neither") == true)
    }

    @Test func `says where seeking may not work, and where nothing is`() {
        let film = Array("film".utf8)
        #expect(
            findings([Self.answer(200, Self.allowed, start: film)], as: .media) == [
                "warn: it ignores Range: seeking may not work"
            ])
        #expect(
            findings([Self.answer(206, Self.allowed, start: film)], as: .media) == ["ok: a receiver app may read it"])
        #expect(findings([Self.answer(404, Self.allowed)]) == ["fail: answers with status 404"])
    }

    @Test func `says what was not asked, and why`() {
        let refused = CrossOrigin.Outcome.refused("it leads to 127.0.0.1")
        let said = CrossOrigin.findings(of: Self.url, as: .media, get: refused, preflight: refused)
        #expect(said.map(\.level) == [.warn])
        #expect(said.map(\.meaning) == ["\(Self.url): it leads to 127.0.0.1"])
        let failed = CrossOrigin.findings(
            of: Self.url, as: .media, get: .failed("Connection refused"), preflight: .failed("Connection refused"))
        #expect(
            failed.map(\.line) == [
                "fail  media           \(Self.url): no answer: Connection refused. Can this machine reach it?"
            ])
    }

    @Test func `an address cannot write into the terminal`() {
        let said = CrossOrigin.findings(
            of: "https://a.example/\u{1B}[2J\n", as: .media, get: .failed("x"), preflight: .failed("x"))
        #expect(said.first?.line.contains("\u{1B}") == false && said.first?.line.contains("\n") == false)
    }
}
