import IO
import Testing

@testable import CastModel

@Suite("The registry of receiver apps") struct AppRegistryTests {
    private static let header = "{\"apps\": [\n"

    private func parsed(_ text: String) throws(AppRegistryError) -> AppRegistry {
        try AppRegistry(parsing: Array(text.utf8))
    }

    @Test func `in the program is that of the folder 'apps'`() throws {
        let path = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/apps/registry.json"
        let content = String(decoding: try Files.read(path), as: UTF8.self)
        #expect(AppRegistry.builtInText + "\n" == content, "run apps/embed")
    }

    // PROTOCOL 3.3, read by eye: one id of each kind, and those that lists of others get wrong.
    @Test(arguments: [
        ("E8C28D3C", "Backdrop", KnownApp.Kind.idle), ("EurekaIdleScreen", "Idle screen of an offline device", .idle),
        ("531A4F84", "Group leader", .placeholder), ("MultizoneFollower", "Group follower", .placeholder),
        ("AndroidNativeApp", "Android TV app", .native), ("233637DE", "YouTube", .video),
        ("B3DCF968", "Twitch", .video), ("A9BCCB7C", "Yle Areena", .video), ("10AAD887", "Channel 4", .video),
        ("CC32E753", "Spotify", .music), ("25456794", "Audible", .speech), ("84912283", "DashCast", .dashboard),
        ("0F5096E8", "Chrome mirroring", .mirroring), ("B45F4572", "Home Assistant media", .other),
    ])
    func `knows the apps of the table`(id: String, name: String, kind: KnownApp.Kind) throws {
        let app = try #require(AppRegistry.builtIn[AppID(id)])
        #expect(app.name == name)
        #expect(app.kind == kind)
    }

    @Test func `knows every app of the table: 59 ids`() { #expect(AppRegistry.builtIn.count == 59) }

    @Test func `knows the few quirks that are known`() {
        let registry = AppRegistry.builtIn
        #expect(registry[AppID("25456794")]?.quirks == KnownApp.Quirks(joinDelayMilliseconds: 1000))
        #expect(registry[AppID("2C6A6E3D")]?.quirks == KnownApp.Quirks(adsInCustomData: true))
        #expect(registry[AppID("EF67CA5A")]?.quirks == KnownApp.Quirks(noMediaNamespace: true))
        #expect(registry[AppID("CC1AD845")]?.quirks == KnownApp.Quirks())
    }

    @Test func `finds an id in either case`() { #expect(AppRegistry.builtIn[AppID("cc1ad845")]?.name != nil) }

    @Test func `takes the device's word for a name, and its own where the device says none`() {
        let registry = AppRegistry.builtIn
        let said = JSONObject([("appId", "CC1AD845"), ("displayName", "Media-Empfänger")])
        #expect(registry.name(of: ReceiverApp(said)) == "Media-Empfänger")
        #expect(registry.name(of: ReceiverApp(JSONObject([("appId", "CC32E753"), ("displayName", "")]))) == "Spotify")
        let universal = JSONObject([("appId", "com.example.tv"), ("universalAppId", "CC32E753")])
        #expect(registry.name(of: ReceiverApp(universal)) == "Spotify")
        #expect(registry.name(of: ReceiverApp(JSONObject([("appId", "00000000")]))) == nil)
    }

    @Test func `takes an operator's file over itself, app by app`() throws {
        let own = try parsed(
            """
            {"apps": [
              {"id": "00c0ffee", "name": "Canteen board", "kind": "dashboard", "quirks": {"joinDelayMilliseconds": 2500}},
              {"id": "cc32e753", "name": "Music", "note": "as we call it"}
            ]}
            """)
        let merged = AppRegistry.builtIn.merged(with: own)
        #expect(merged.count == 60)
        #expect(
            merged[AppID("00C0FFEE")]
                == KnownApp(
                    appID: AppID("00c0ffee"), name: "Canteen board", kind: .dashboard,
                    quirks: KnownApp.Quirks(joinDelayMilliseconds: 2500)))
        #expect(merged[AppID("CC32E753")]?.name == "Music")
        #expect(merged[AppID("CC32E753")]?.kind == .other)
        #expect(merged[AppID("233637DE")]?.name == "YouTube")
    }

    @Test(arguments: [
        ("[]", "the file: should be an object"),
        ("{}", "apps: should be an array of apps"),
        ("{\"apps\": {}}", "apps: should be an array of apps"),
        ("{\"apps\": [], \"more\": 1}", "the file: unknown key 'more'; it may have apps"),
        ("{\"apps\": [7]}", "apps[0]: should be an object"),
        ("{\"apps\": [{\"id\": \"A\"}]}", "apps[0].name: should be a text"),
        ("{\"apps\": [{\"id\": \"\", \"name\": \"x\"}]}", "apps[0].id: should be a text"),
        (
            "{\"apps\": [{\"id\": \"A\", \"name\": \"a\"}, {\"id\": \"B\", \"name\": \"b\", \"kid\": 1}]}",
            "apps[1]: unknown key 'kid'; it may have id, kind, name, note, quirks"
        ),
        (
            "{\"apps\": [{\"id\": \"A\", \"name\": \"a\", \"kind\": \"film\"}]}",
            "apps[0].kind: should be one of video, music, speech, dashboard, mirroring, idle, placeholder, native, other"
        ),
        (
            "{\"apps\": [{\"id\": \"A\", \"name\": \"a\", \"quirks\": {\"joinDelayMilliseconds\": -1}}]}",
            "apps[0].quirks.joinDelayMilliseconds: should be a whole number from 0 to 60000"
        ),
        (
            "{\"apps\": [{\"id\": \"A\", \"name\": \"a\", \"quirks\": {\"adsInCustomData\": 1}}]}",
            "apps[0].quirks.adsInCustomData: should be true or false"
        ),
        ("{\"apps\": [{\"id\": \"A\", \"name\": \"a\", \"note\": null}]}", "apps[0].note: should be a text"),
    ])
    func `says which key of a file is wrong`(text: String, message: String) {
        #expect { try parsed(text) } throws: { "\($0)" == message }
    }

    @Test(arguments: [
        ("{\"id\": \"A\", \"name\": \"a\"},\n]}", 3),  // A comma too many.
        ("{\"id\": \"A\", \"name\": \"a\"}\n{\"id\": \"B\", \"name\": \"b\"}]}", 3),  // One too few.
        ("{\"id\": \"A,\n \"name\": \"a\"}]}", 2),  // No closing quote.
        ("{\"id\": \"A\" \"name\": \"a\"}]}", 2), ("{\"id\" \"A\"}]}", 2), ("{id: \"A\"}]}", 2),
        ("\n\n{\"id\": nil}]}", 4), ("{\"id\": \"A\"]]", 2), ("{\"id\": \"A\\\"\"}]}\n\n7", 4),
        ("{\"id\": \"A\"}\n", 3),  // It ends too early.
    ])
    func `says on which line a file is no JSON`(text: String, line: Int) {
        #expect {
            try parsed(Self.header + text)
        } throws: { error in
            guard case .notJSON(line, _)? = error as? AppRegistryError else { return false }
            return true
        }
    }

    @Test func `refuses a file without end`() {
        let apps = [String](repeating: "{\"id\":\"A\",\"name\":\"a\"}", count: 10_001).joined(separator: ",")
        #expect(throws: AppRegistryError.unusable(path: "apps", why: "has 10001 apps; 10000 are the most")) {
            try parsed("{\"apps\":[\(apps)]}")
        }
    }
}
