import CastModel
import CastWire
import Differ
import FoundationEssentials
import Plays
import Recording
import TestSupport
import Testing

// Goal: the plays of real messages are those that the index of the corpus speaks of.
// Method: fold each file as the messages of one device, let the recorder stop ten seconds after the last message, and
// compare what then stands with minutes added up by hand.
@Suite("Plays of real messages")
struct CorpusPlaysTests {
    /// Plays by file; a file that is not named has none.
    ///
    /// A play in parts: title, else the last part of what identifies the content; app; how it began and ended, with the
    /// seconds since the link came up; seconds played, paused, buffering and of ads; first position; length.
    static let expected: [String: [String]] = [
        // The length is that of one segment of a longer film.
        "airflow_paused_tiny_video": [
            "Example Movie | - | already_playing at 1 to recording_stopped at 11 | 0 10 0 0 | from 0 | of 30.121666"
        ],
        "chromecast_audio_buffering_lowercase_streamtype": [
            "audio-123-mp3 | - | already_playing at 1 to recording_stopped at 11 | 0 0 10 0 | from 0 | of 389.355102"
        ],
        // Loading is not the end of anything.
        "dmr_audio_loading_extended_status": [
            "230067e9-fa1f-47ac-9cad-24206ba921f1.mp3 | - | already_playing at 1 to recording_stopped at 11 | 0 0 0 0 | from 0 | of -"
        ],
        // Media whose name nobody told.
        "dmr_live_dvr_seekable_range": [
            "- | - | already_playing at 1 to recording_stopped at 11 | 10 0 0 0 | from 2.100366 | of -"
        ],
        // The device said that it plays, and nothing since.
        "dmr_mp3_with_video_track": [
            "66316b820493696859352a499bfb927cfcabd585_en_-_google.mp3 | Default Media Receiver | already_playing at 1.4 to recording_stopped at 11.4 | 10 0 0 0 | from 0 | of 1.896"
        ],
        "dmr_subtitles_text_style_string_scale": [
            "Movie 480p | - | already_playing at 1 to recording_stopped at 11 | 10 0 0 0 | from 2.006414 | of -"
        ],
        // The failed request is the one whose LOAD was under way.
        "dmr_tts_as_live_stream": [
            "5e347c61f1a42495468355e40160ce67003b022c_fr-fr_-_google_translate.mp3 | - | already_playing at 2.072 to failed at 6.964 | 0 0 0 0 | from 0 | of -"
        ],
        "dmr_video_info_hdr": [
            "TallOakForest.mp4 | - | already_playing at 1 to recording_stopped at 11 | 0 0 10 0 | from 0 | of 596.474195"
        ],
        // A length of 0 is none.
        "dutch_tv_app_duration_zero": [
            "De verre familieleden van Aruba | - | already_playing at 1 to recording_stopped at 11 | 10 0 0 0 | from 207.909 | of -"
        ],
        "group_endless_stream_duration_null": [
            "Laptop Sound Broadcaster | - | already_playing at 1 to recording_stopped at 11 | 10 0 0 0 | from 18613.486731 | of -"
        ],
        // The CANCELLED that comes a second later ends nothing more.
        "gtv_fixed_volume_load_failed_and_stop": [
            "Probe C | Default Media Receiver | sender_request at 3 to failed at 4 | 0 0 0 0 | from 0 | of -"
        ],
        // Idle in a snapshot is no play yet.
        "hbo_load_on_private_namespace": [
            "urn:hbo:episode:GYmade1UpCode2AbCdEfG | - | receiver at 5 to recording_stopped at 15 | 10 0 0 0 | from 0.2 | of -"
        ],
        // 22 hours of the stream are not 22 hours of listening.
        "live_radio_numeric_stream_type_umlaut": [
            "Ü7-(192bps) | - | already_playing at 1 to recording_stopped at 11 | 10 0 0 0 | from 80288.353693 | of -"
        ],
        "lovelace_dashboard_launch_and_idle_image": [
            "d-diningroom: Home | Home Assistant Lovelace | receiver at 7.43 to recording_stopped at 17.43 | 0 0 0 0 | from 0 | of -"
        ],
        "pandora_metadata_variants": [
            "So We Waltzed | - | already_playing at 1 to recording_stopped at 13 | 12 0 0 0 | from 16 | of 246"
        ],
        "plex_music_custom_data": [
            "Home For Some (Puppets Mix) | - | already_playing at 1 to recording_stopped at 11 | 10 0 0 0 | from 74.745 | of 351.791"
        ],
        // Most likely it failed, which nothing says.
        "radio_m3u8_wrong_content_type": [
            "QSZB 4 | - | already_playing at 1 to recording_stopped at 11 | 0 0 0 0 | from 0 | of -"
        ],
        "sharpcaster_queue_load_numeric_enums": [
            "AwayOnAHill | - | already_playing at 1.1 to recording_stopped at 11.1 | 0 0 0 0 | from 0 | of -"
        ],
        // A repeat of the same track, 25 seconds later.
        "spotify_2019_pause_and_restart": [
            "Neighbour That We Met Last May | - | already_playing at 1 to recording_stopped at 36 | 10 25 0 0 | from 60.391 | of 245.779"
        ],
        // An ad under the name of the content: it has not finished.
        "youtube_gtv_ad_disguised_as_content": [
            "Shop Cook Judges The Priciest Knives From Want.org | - | already_playing at 1 to recording_stopped at 11 | 10 0 0 0 | from 2.264 | of 10.041"
        ],
        // An ad, and the content behind it has no name and no position yet.
        "youtube_web_ad_1081": ["- | - | already_playing at 1 to recording_stopped at 16 | 0 0 0 15 | from - | of -"],
    ]

    @Test(arguments: try Corpus.names())
    func `are those that the index names`(name: String) throws {
        let plays = try CorpusFile(name).plays
        #expect(plays.map(Self.line) == Self.expected[name] ?? [])
        for play in plays {
            #expect(play.seeks == 0)
            #expect(play.coverage == 1)
            #expect((play.progress ?? 0) <= 1)
            #expect(play.endReason != .finished)
        }
    }

    @Test func `are expected of files that there are`() throws {
        let names = try Corpus.names()
        #expect(names.count == 60)
        #expect(Set(Self.expected.keys).isSubset(of: names))
    }

    @Test(arguments: try Corpus.names())
    func `are the same when the ledger is stopped and restored after every event`(name: String) throws {
        let events = try CorpusFile(name).events
        var ledger = PlayLedger()
        let expected = events.map { ledger.fold($0) }
        let parser = JSONParser()
        var states: [DeviceID: JSONValue] = [:]
        var restarting = PlayLedger()
        for (index, event) in events.enumerated() {
            #expect(restarting.fold(event) == expected[index], "\(event.kind)")
            for (deviceID, state) in restarting.takeStates() { states[deviceID] = try parser.parse(state.text) }
            restarting = try PlayLedger(restoring: states.map { ($0.key, $0.value) })
        }
    }

    @Test func `take artist and album from the metadata, whatever its type`() throws {
        let pandora = try #require(try CorpusFile("pandora_metadata_variants").plays.first?.content)
        #expect(pandora.artist == "The Singer")
        #expect(pandora.album == "The Record")
        let plex = try #require(try CorpusFile("plex_music_custom_data").plays.first?.content)
        #expect(plex.artist == "Dimmed Dancers")
        #expect(plex.album == "Home for Some SVL")
        let spotify = try #require(try CorpusFile("spotify_2019_pause_and_restart").plays.first?.content)
        #expect(spotify.artist == "Motte")
        #expect(spotify.album == "Breaking Lenses")
    }

    @Test func `say how long which captions were shown`() throws {
        let play = try #require(try CorpusFile("dmr_subtitles_text_style_string_scale").plays.first)
        #expect(play.tracks.map(\.trackIDs) == [[1]])
        #expect(play.tracks.map(\.languages) == [["en-US"]])
        #expect(play.tracks.map(\.hasText) == [true])
        #expect(play.tracks.map(\.from) == [CorpusFile.time(1)])
        #expect(play.tracks.map(\.to) == [CorpusFile.time(11)])
    }

    @Test func `of live and endless streams have no progress`() throws {
        for name in [
            "dmr_live_dvr_seekable_range", "dmr_tts_as_live_stream", "dutch_tv_app_duration_zero",
            "group_endless_stream_duration_null", "live_radio_numeric_stream_type_umlaut",
        ] {
            #expect(try #require(try CorpusFile(name).plays.first).progress == nil, "\(name)")
        }
    }

    @Test func `end with the link, without certainty, where the device never comes back`() throws {
        // Five hours of an endless stream; then the socket dies, as it did in the report.
        var file = try CorpusFile("group_endless_stream_duration_null")
        file.end = .linkLost
        let play = try #require(file.plays.first)
        #expect(Self.line(play).contains("already_playing at 1 to device_lost at 11 | 10 0 0 0"))
        #expect(play.endIsUncertain)
    }

    private static func line(_ play: Play) -> String {
        func number(_ value: Double?) -> String { value.flatMap { JSONValue.number($0).lossyText } ?? "-" }
        let content = play.content
        let identity = content.contentID ?? content.contentURL ?? content.entity ?? "-"
        let time = play.time
        return [
            content.title ?? identity.split(separator: "/").last.map { String($0) } ?? identity,
            play.appName ?? "-",
            "\(play.startCause.rawValue) at \(number(CorpusFile.seconds(play.startedAt)))"
                + " to \(play.endReason?.rawValue ?? "now") at \(number(play.endedAt.map(CorpusFile.seconds)))",
            [time.playedSeconds, time.pausedSeconds, time.bufferingSeconds, time.adSeconds].map(number)
                .joined(separator: " "),
            "from " + number(play.firstPositionSeconds),
            "of " + number(content.durationSeconds),
        ].joined(separator: " | ")
    }
}
