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
