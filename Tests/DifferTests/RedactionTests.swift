import CastModel
import Differ
import Testing

@Suite("Redaction")
struct RedactionTests {
    @Test(arguments: [
        "token", "accessToken", "X-Plex-Token", "authSig", "AUTHORIZATION", "credentials", "credentialsType", "blob",
        "Password", "clientSecret", "cookies", "apiKey", "api_key", "screenId", "screen-id",
    ])
    func `takes the value of a telling key, whatever it is`(key: String) {
        for value: JSONValue in ["s", 7, true, ["s"], ["a": "s"]] {
            let json = JSONValue.object(JSONObject([("list", [.object(JSONObject([(key, value)]))])]))
            #expect(
                Redaction.redacted(json)
                    == .object(JSONObject([("list", [.object(JSONObject([(key, "(redacted)")]))])])))
        }
    }

    @Test(arguments: ["title", "author", "authors", "artist", "autoplay", "contentId", "trackId", "key"])
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
        ("Why? Because key=1", "Why? Because key=1"), (#"{"sessionToken":"abc"}"#, "(redacted)"),
        (#"{"id":"abc"}"#, #"{"id":"abc"}"#),
        ("", ""), ("Größe?token=ß", "Größe?token=(redacted)"),
    ])
    func `takes signatures and passwords out of texts`(text: String, expected: String) {
        #expect(Redaction.redacted(text) == expected)
        #expect(Redaction.redacted(Redaction.redacted(text)) == expected)
    }
}
