import CastModel
import Testing

@Suite("The envelope of a payload")
struct PayloadTests {
    private func payload(_ text: String) throws -> Payload {
        try Payload(parsing: Array(text.utf8), with: JSONParser())
    }

    @Test(arguments: [
        (#"{"type":"RECEIVER_STATUS","requestId":3}"#, "RECEIVER_STATUS", Int64?(3)),
        (#"{"responseType":"media_status","requestId":"12"}"#, "MEDIA_STATUS", 12),
        (#"{"type":"LAUNCH_STATUS","launchRequestId":4.0,"status":"USER_ALLOWED"}"#, "LAUNCH_STATUS", 4),
        (#"{"type":"eureka_info","request_id":1870045973}"#, "EUREKA_INFO", 1_870_045_973),
        (#"{"type":"MEDIA_STATUS","requestId":0}"#, "MEDIA_STATUS", 0),
        (#"{"type":"ERROR"}"#, "ERROR", nil),
        (#"{"type":"ERROR","requestId":1.5}"#, "ERROR", nil),
    ])
    func `names its type and its request under any of their keys`(text: String, word: String, requestID: Int64?) throws
    {
        let payload = try payload(text)
        #expect(payload.type?.word == word)
        #expect(payload.requestID == requestID)
    }

    @Test func `without a type is still a payload`() throws {
        #expect(try payload(#"{"a":1}"#).type == nil)
        #expect(try payload(#"{"type":null}"#).type == nil)
    }

    @Test(arguments: ["[1]", "3", "null", #""onContentPauseRequested""#])
    func `that is no object is an error`(text: String) {
        #expect(throws: PayloadError.notObject) { try payload(text) }
    }

    @Test(arguments: ["", "onContentPauseRequested", "{", #"{"a":"\ud800"}"#, "\u{0}"])
    func `that is no JSON is an error`(text: String) {
        #expect(throws: PayloadError.self) { try payload(text) }
    }
}
