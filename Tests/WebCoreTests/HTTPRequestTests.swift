import Testing
import WebCore

@Suite("A request") struct HTTPRequestTests {
    @Test func `has the parts of its path and query, decoded`() throws {
        let request = try HTTPRequest(
            method: "GET", target: "/api/v1/plays/812%2F0?device=Living+Room%20%F0%9F%93%BA&device=b&a&=c")
        #expect(request.path == ["api", "v1", "plays", "812/0"])
        #expect(request.values("device") == ["Living Room \u{1F4FA}", "b"])
        #expect(request.value("a") == "")
        #expect(request.value("none") == nil)
    }
}
