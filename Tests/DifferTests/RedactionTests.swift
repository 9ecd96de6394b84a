import CastModel
import Differ
import Testing

@Suite("Redaction")
struct RedactionTests {
    @Test(arguments: [
        "token", "accessToken", "X-Plex-Token", "authSig", "AUTHORIZATION", "credentials", "credentialsType", "blob",
        "Password", "clientSecret", "cookies", "apiKey", "api_key", "screenId", "screen-id",
        "loungeId", "bssid", "hotspot_bssid", "ssid", "mac_address", "wifi", "wpa_id", "wifiProximityId", "pin",
        "proxyAuthorization",
    ])
    func `takes the value of a telling key, whatever it is`(key: String) {
        for value: JSONValue in ["s", 7, true, ["s"], ["a": "s"]] {
            let json = JSONValue.object(JSONObject([("list", [.object(JSONObject([(key, value)]))])]))
            #expect(
                Redaction.redacted(json)
                    == .object(JSONObject([("list", [.object(JSONObject([(key, "(redacted)")]))])])))
        }
    }

    @Test(arguments: [
        "title", "author", "authors", "artist", "autoplay", "contentId", "trackId", "key", "authorName", "classId",
        "sessionId",
        "machine", "spinner", "displayName",
    ])
    func `leaves other keys alone`(key: String) {
        #expect(Redaction.redacted(.object(JSONObject([(key, "plain")]))) == .object(JSONObject([(key, "plain")])))
    }

    @Test func `leaves null where nothing was`() {
        #expect(Redaction.redacted(["token": nil]) == ["token": nil])
    }

    @Test(arguments: [
        ("https://h/a.mp4?sig=abc&x=1", "https://h/a.mp4?sig=(redacted)&x=1"),
        (
            "https://h/a.mp4?x=1&X-Amz-Signature=abc&X-Amz-Date=d",
            "https://h/a.mp4?x=1&X-Amz-Signature=(redacted)&X-Amz-Date=(redacted)"
        ),
        (
            "https://h/a?Expires=1&Key-Pair-Id=K&Policy=p&Signature=s",
            "https://h/a?Expires=(redacted)&Key-Pair-Id=(redacted)&Policy=(redacted)&Signature=(redacted)"
        ),
        ("http://h:8123/api/tts?authSig=ey.x.y", "http://h:8123/api/tts?authSig=(redacted)"),
        ("https://h/#access_token=abc&state=1", "https://h/#access_token=(redacted)&state=1"),
        ("https://user:pass@h/a", "https://(redacted)@h/a"),
        ("https://h/i/radio_1@180967/master.m3u8?b=1&__b__=1", "https://h/i/radio_1@180967/master.m3u8?b=1&__b__=1"),
        ("https://h/a?token", "https://h/a?token"), ("https://h/a?", "https://h/a?"), ("?", "?"), ("a@b", "a@b"),
        ("://@", "://(redacted)@"),
        ("Why? Because key=1", "Why? Because key=1"), (#"{"sessionToken":"abc"}"#, #"{"sessionToken":"(redacted)"}"#),
        (#"{"id":"abc"}"#, #"{"id":"abc"}"#),
        ("", ""), ("Größe?token=ß", "Größe?token=(redacted)"),
    ])
    func `takes signatures and passwords out of texts`(text: String, expected: String) {
        #expect(Redaction.redacted(text) == expected)
        #expect(Redaction.redacted(Redaction.redacted(text)) == expected)
    }

    @Test(arguments: [
        // A token two JSON texts deep, a signed URL in JSON text, JSON text that is cut off.
        (
            #"{"a":"{\"state\":\"{\\\"token\\\":1}\"}"}"#,
            #"{"a":"{\"state\":\"{\\\"token\\\":\\\"(redacted)\\\"}\"}"}"#
        ),
        (#"{"url":"https://h/a?sig=1&x=2"}"#, #"{"url":"https://h/a?sig=(redacted)&x=2"}"#),
        (#"{"token":"abc"#, "(redacted)"),
        (#"  [{"password":"p"}]"#, #"[{"password":"(redacted)"}]"#),
        (#"{"author":"Ada"}"#, #"{"author":"Ada"}"#),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "(redacted)"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0"),
        ("Bearer abc", "Bearer (redacted)"), ("Bearer", "Bearer"),
    ])
    func `takes tokens out of JSON texts, however deep, and tokens that stand alone`(text: String, expected: String) {
        #expect(Redaction.redacted(text) == expected)
        #expect(Redaction.redacted(expected) == expected)
    }

    @Test(arguments: [
        (
            "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl\nAccept: text/html",
            "Authorization: (redacted)\nAccept: text/html"
        ),
        ("at eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl, done", "at (redacted), done"),
        ("sent Bearer 1234567890abcdef, refused", "sent Bearer (redacted), refused"),
        ("the bearer of good news", "the bearer of good news"),
        ("password: hunter2", "password: (redacted)"), ("PASSWORD := hunter2 now", "PASSWORD := (redacted) now"),
        ("login,password=hunter2,token=abc", "login,password=(redacted),token=(redacted)"),
        ("auth=Basic dTpw x", "auth=(redacted) x"), ("Cookie: a=1; b=2", "Cookie: (redacted)"),
        (#"var x={"password":"hunter2"}"#, #"var x={"password":"(redacted)"}"#),
        (#"x = {\"password\": \"a\\\"b\", \"n\": 1}"#, #"x = {\"password\": \"(redacted)\", \"n\": 1}"#),
        (#"f({token: 'a b', n: 1})"#, #"f({token: '(redacted)', n: 1})"#),
        (#"x={"token":{"a":"s"}}"#, #"x={"token":(redacted)"#),
        (#"headers['X-Token'] = "s";"#, #"headers['X-Token'] = "(redacted)";"#),
        (#"password: "s"#, #"password: "(redacted)"#),
        ("http://h/a;jsessionid=S?x=1", "http://h/a;jsessionid=(redacted)?x=1"),
        (
            "see http://h/ and http://u:p@c/x, http://v:q@d",
            "see http://h/ and http://(redacted)@c/x, http://(redacted)@d"
        ),
        ("http://wifi:8009/a", "http://wifi:8009/a"), ("blob:https://h/1-2", "blob:https://h/1-2"),
        ("urn:x-cast:com.google.cast.media", "urn:x-cast:com.google.cast.media"),
        ("The Secret: Dare to Dream", "The Secret: Dare to Dream"), ("secret: 7Hx", "secret: (redacted)"),
        ("author: Ada", "author: Ada"), ("token: ", "token: "), ("token=", "token="), (": =", ": ="),
        // Taken out, the value leaves something that looks like a password before a host.
        ("://token=a/b,@h", "://(redacted)@h"),
    ])
    func `takes what follows a telling name, and tokens and passwords anywhere in a text`(
        text: String, expected: String
    ) {
        #expect(Redaction.redacted(text) == expected)
        #expect(Redaction.redacted(expected) == expected)
    }

    @Test func `changes nothing more the second time, whatever the text`() {
        let pieces = [
            "token", "=", ":", "://", "@", "/", "?", "#", "&", ";", ",", " ", "\"", "'", "\\", "{", "}", "[", "]",
            "(redacted)", "eyJhbGciOiJIUzI1NiJ9.e.s", "Bearer ", "a1", "\n", "pin", "wifi",
        ]
        var random: UInt64 = 1
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<9 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int((random >> 33) % UInt64(pieces.count))]
            }
            let once = Redaction.redacted(text)
            guard Redaction.redacted(once) != once else { continue }
            Issue.record("\(text.debugDescription) becomes \(once.debugDescription), then something else")
            break
        }
    }

    @Test(arguments: [":", "=", "e", "eyJ", "a=", "token=", "token=\\", "://", "://@", "Bearer ", "password", "\""])
    func `is done with a long text in moments, whatever repeats in it`(piece: String) {
        let text = "x " + String(repeating: piece, count: 131_072 / piece.utf8.count)
        let begun = ContinuousClock.now
        #expect(!Redaction.redacted(text).isEmpty)
        #expect(ContinuousClock.now - begun < .seconds(20))
    }

    @Test func `leaves nothing of the Wi-Fi that a device tells of`() {
        let setup: JSONValue = [
            "type": "eureka_info",
            "data": [
                "name": "Kitchen", "bssid": "00:11:22:33:44:55", "ssid": "Home",
                "device_info": ["mac_address": "00:11:22:33:44:55", "hotspot_bssid": "FA:8F:CA:00:11:22"],
                "wifi": ["bssid": "00:11:22:33:44:55", "signal_level": -40],
            ],
        ]
        #expect(
            Redaction.redacted(setup)
                == [
                    "type": "eureka_info",
                    "data": [
                        "name": "Kitchen", "bssid": "(redacted)", "ssid": "(redacted)",
                        "device_info": ["mac_address": "(redacted)", "hotspot_bssid": "(redacted)"],
                        "wifi": "(redacted)",
                    ],
                ])
    }
}
