import CastModel
import Testing

@testable import Fleet

// PROTOCOL 5.3: the include-media flag is "the request contains textTrackStyle", and equality is not checked.
@Suite("EDIT_TRACKS_INFO")
struct TextTrackTests {
    static let yellow: JSONValue = ["foregroundColor": "#FFFF00FF", "edgeType": "OUTLINE"]

    @Test func `with a style is broadcast with media, and again with media when nothing differs`() {
        var bench = MediaBench.playing()
        let styled = ["to all: MEDIA_STATUS 41: #1 PLAYING media items1 tracks[]"]
        #expect(bench.send("EDIT_TRACKS_INFO", 41, [("textTrackStyle", Self.yellow)]) == styled)
        #expect(bench.send("EDIT_TRACKS_INFO", 41, [("textTrackStyle", Self.yellow)]) == styled)
    }

    @Test func `with tracks alone is broadcast without media`() {
        var bench = MediaBench.playing()
        #expect(
            bench.send("EDIT_TRACKS_INFO", 42, [("activeTrackIds", [1])])
                == ["to all: MEDIA_STATUS 42: #1 PLAYING tracks[1]"])
        #expect(
            bench.send("EDIT_TRACKS_INFO", 43, [("activeTrackIds", [])])
                == ["to all: MEDIA_STATUS 43: #1 PLAYING tracks[]"])
    }

    @Test func `with both is one frame with both`() {
        var bench = MediaBench.playing()
        #expect(
            bench.send("EDIT_TRACKS_INFO", 44, [("activeTrackIds", [2]), ("textTrackStyle", Self.yellow)])
                == ["to all: MEDIA_STATUS 44: #1 PLAYING media items1 tracks[2]"])
    }

    @Test func `replaces the style as a whole`() {
        var bench = MediaBench.playing()
        _ = bench.send("EDIT_TRACKS_INFO", 1, [("textTrackStyle", Self.yellow)])
        _ = bench.send("EDIT_TRACKS_INFO", 2, [("textTrackStyle", ["fontScale": 2])])
        guard case .loaded(let playback) = bench.machine.phase else {
            Issue.record("nothing plays")
            return
        }
        #expect(playback.media["textTrackStyle"] == ["fontScale": 2])
    }

    @Test(arguments: [[9], [1, 9], [3, 4]])
    func `with an unknown track, or two audio tracks, changes nothing, the style neither`(trackIDs: [Int]) {
        var bench = MediaBench.playing()
        _ = bench.send("EDIT_TRACKS_INFO", 1, [("activeTrackIds", [1])])
        #expect(
            bench.send(
                "EDIT_TRACKS_INFO", 2, [("activeTrackIds", .integers(trackIDs)), ("textTrackStyle", Self.yellow)])
                == ["to A: INVALID_REQUEST 2 INVALID_PARAMS"])
        guard case .loaded(let playback) = bench.machine.phase else {
            Issue.record("nothing plays")
            return
        }
        #expect(playback.activeTrackIDs == [1])
        #expect(playback.media["textTrackStyle"] == nil)
    }

    @Test func `by language or by switch chooses a text track`() {
        var bench = MediaBench.playing()
        #expect(
            bench.send("EDIT_TRACKS_INFO", 1, [("enableTextTracks", true), ("language", "de")])
                == ["to all: MEDIA_STATUS 1: #1 PLAYING tracks[2]"])
        #expect(
            bench.send("EDIT_TRACKS_INFO", 2, [("enableTextTracks", false)])
                == ["to all: MEDIA_STATUS 2: #1 PLAYING tracks[]"])
        // The first one, where none was active.
        #expect(
            bench.send("EDIT_TRACKS_INFO", 3, [("enableTextTracks", true)])
                == ["to all: MEDIA_STATUS 3: #1 PLAYING tracks[1]"])
        // A language wins over ids; other types of track stay.
        _ = bench.send("EDIT_TRACKS_INFO", 4, [("activeTrackIds", [1, 3])])
        #expect(
            bench.send("EDIT_TRACKS_INFO", 5, [("language", "de"), ("activeTrackIds", [1])])
                == ["to all: MEDIA_STATUS 5: #1 PLAYING tracks[3,2]"])
        #expect(
            bench.send("EDIT_TRACKS_INFO", 6, [("language", "fi")])
                == ["to A: INVALID_REQUEST 6 LANGUAGE_NOT_SUPPORTED"])
    }
}
