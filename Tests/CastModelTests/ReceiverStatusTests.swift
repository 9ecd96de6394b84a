import CastModel
import Testing

@Suite("A receiver status")
struct ReceiverStatusTests {
    private func status(_ text: String) throws -> ReceiverStatus {
        let payload = try Payload(parsing: Array(text.utf8), with: JSONParser())
        return try #require(ReceiverStatus(in: payload))
    }

    private func app(_ text: String) throws -> ReceiverApp {
        ReceiverApp(try #require(try JSONParser().parse(text).object))
    }

    @Test func `of the default media receiver is read whole`() throws {
        let status = try status(
            #"""
            {"requestId":0,"type":"RECEIVER_STATUS","status":{"applications":[{"appId":"CC1AD845","appType":"WEB",
            "displayName":"Default Media Receiver","isIdleScreen":false,"launchedFromCloud":false,"senderConnected":true,
            "sessionId":"s-1","transportId":"t-1","statusText":"Casting: Some title","universalAppId":"CC1AD845",
            "namespaces":[{"name":"urn:x-cast:com.google.cast.media"}]}],"isActiveInput":true,
            "volume":{"controlType":"attenuation","level":1.0,"muted":false,"stepInterval":0.05000000074505806}}}
            """#)
        let app = try #require(status.app)
        #expect(app.appID == AppID("CC1AD845"))
        #expect(app.displayName == .value("Default Media Receiver"))
        #expect(app.sessionID == AppSessionID("s-1"))
        #expect(app.transportID == TransportID("t-1"))
        #expect(app.offersMedia)
        #expect(!app.isIdleScreen)
        #expect(app.senderConnected == .value(true))
        #expect(app.launchedFromCloud == .value(false))
        #expect(status.isActiveInput == .value(true))
        #expect(status.isStandBy == .absent)
        #expect(status.volume.ifPresent?.level == .value(1))
        #expect(status.volume.ifPresent?.isFixed == false)
    }

    @Test func `without applications says so`() throws {
        let status = try status(#"{"type":"RECEIVER_STATUS","status":{"volume":{"controlType":"fixed","level":1}}}"#)
        #expect(status.applications == .absent)
        #expect(status.app == nil)
        #expect(status.volume.ifPresent?.isFixed == true)
    }

    @Test func `whose status is a string is none`() throws {
        let text = #"{"type":"LAUNCH_STATUS","launchRequestId":4,"status":"USER_ALLOWED"}"#
        #expect(ReceiverStatus(in: try Payload(parsing: Array(text.utf8), with: JSONParser())) == nil)
    }

    @Test(arguments: [
        (#"{"appId":"E8C28D3C","isIdleScreen":true}"#, true), (#"{"appId":"E8C28D3C"}"#, true),
        (#"{"appId":"e8c28d3c"}"#, true), (#"{"appId":"EurekaIdleScreen"}"#, true),
        (#"{"appId":"11111111","universalAppId":"E8C28D3C"}"#, true), (#"{"appId":"CC1AD845"}"#, false),
        (#"{"appId":"CC1AD845","isIdleScreen":false}"#, false), (#"{"appId":"ABCD1234","isIdleScreen":1}"#, true),
        ("{}", false),
    ])
    func `knows an idle screen by flag or by id`(text: String, isIdleScreen: Bool) throws {
        #expect(try app(text).isIdleScreen == isIdleScreen)
    }

    @Test(arguments: [
        (#"{"appId":"2C6A6E3D","universalAppId":"233637DE"}"#, "233637DE"), (#"{"appId":"CC1AD845"}"#, "CC1AD845"),
        (#"{"appId":"CC1AD845","universalAppId":""}"#, "CC1AD845"),
        (#"{"appId":"MultizoneLeader","universalAppId":"CC32E753"}"#, "MultizoneLeader"),
        (#"{"appId":"705d30c6","universalAppId":"CC32E753"}"#, "705d30c6"),
    ])
    func `knows an app by its universal id, but a group's placeholder by its own`(text: String, id: String) throws {
        #expect(try app(text).canonicalAppID == AppID(id))
    }

    @Test func `reads namespaces as objects and as strings`() throws {
        let app = try app(#"{"namespaces":["urn:x-cast:com.google.cast.media",{"name":"urn:x-cast:mdx"},{"n":1},7]}"#)
        #expect(app.namespaces == .value(["urn:x-cast:com.google.cast.media", "urn:x-cast:mdx"]))
        #expect(app.offersMedia)
    }

    @Test func `takes an empty transport id for none`() throws {
        #expect(try app(#"{"transportId":""}"#).transportID == nil)
        #expect(try app(#"{"transportId":7}"#).transportID == TransportID("7"))
    }
}
