import CastModel
import Differ
import Recording
import TestSupport
import Testing

@Suite("What real messages say in detail")
struct CorpusDetailTests {
    private func events(_ name: String) throws -> [ChangeEvent] {
        var differ = StatusDiffer()
        return try Corpus.replay(name).records.dropFirst().flatMap { differ.fold($0) }
    }

    /// What the media session's first event says.
    private func started(_ name: String) throws -> JSONValue {
        try #require(try events(name).first { $0.kind == .mediaSessionStarted }?.after)
    }

    @Test func `says how subtitles are drawn, as they came`() throws {
        let started = try started("dmr_subtitles_text_style_string_scale")
        #expect(started["activeTrackIds"] == [1])
        #expect(started["media"]?["textTrackStyle"]?["fontScale"] == "1.0")
        #expect(started["media"]?["textTrackStyle"]?["edgeType"] == "OUTLINE")
        #expect(started["media"]?["contentType"] == "video/*")
    }

    @Test func `keeps a live range as told, without a flag that was not said`() throws {
        let range = try #require(try started("dmr_live_dvr_seekable_range")["liveSeekableRange"])
        #expect(range["start"]?.lossyNumber == 0)
        #expect(range["end"]?.lossyNumber == 7185)
        #expect(range["isLiveDone"] == false)
        #expect(range["isMovingWindow"] == nil)
    }

    @Test func `keeps the picture's size before the stream's type is known`() throws {
        let started = try started("dmr_video_info_hdr")
        #expect(started["videoInfo"] == ["width": 1280, "height": 720, "hdrType": "sdr"])
        #expect(started["media"]?["streamType"] == nil)
    }

    @Test func `tells null from absent, and zero from both`() throws {
        #expect(try started("group_endless_stream_duration_null")["media"]?["duration"] == JSONValue.null)
        #expect(try started("dmr_audio_loading_extended_status")["media"]?["contentType"] == JSONValue.null)
        #expect(try started("dmr_tts_as_live_stream")["media"]?["duration"] == nil)
        #expect(try started("dutch_tv_app_duration_zero")["media"]?["duration"]?.lossyNumber == 0)
    }

    @Test func `keeps content ids to the letter where nothing in them is secret`() throws {
        #expect(
            try started("radio_m3u8_wrong_content_type")["media"]?["contentId"]
                == "https://qszbstream4-mi.example-edge.net/j/station4@246776/index_47_b-q.m3u8?sd=10&rebase=on")
        #expect(try started("dutch_tv_app_duration_zero")["media"]?["contentId"] == "")
        #expect(try started("live_radio_numeric_stream_type_umlaut")["media"]?["streamType"] == 1)
        #expect(try started("pandora_metadata_variants")["media"]?["contentType"] == "BUFFERED")
    }

    @Test func `takes album and artist from the metadata, not from what an app adds`() throws {
        let metadata = try #require(try started("pandora_metadata_variants")["media"]?["metadata"])
        #expect(metadata["albumName"] == "The Record")
        #expect(metadata["artist"] == "The Singer")
        let changed = try events("pandora_metadata_variants").filter { $0.kind == .metadataChanged }
        #expect(changed.map { $0.before?["metadata"]?["metadataType"] } == [3, nil])
        #expect(changed.map { $0.after?["metadata"]?["metadataType"] } == [nil, 103])
    }

    @Test func `names the request that failed, however long ago it was`() throws {
        let failed = try #require(try events("desktop_audio_load_failed_after_69s").last)
        #expect(failed.kind == .mediaError)
        #expect(failed.requestID == 1)
        #expect(failed.observedAt.seconds(since: Replay.start) == 70)
    }

    @Test func `marks the app of a group's leader as a placeholder`() throws {
        let app = try #require(try events("multizone_leader_without_transport").first)
        #expect(app.after?["displayName"] == "Spotify")
        #expect(app.after?["placeholder"] == true)
    }

    @Test func `tells members of a group with what they can do`() throws {
        let members = try events("multizone_four_members_mixed").map { $0.after?["capabilities"] }
        let updated = try events("group_volume_fade_device_updated_storm").filter { $0.kind == .groupMemberUpdated }
        #expect(members == [196_612, 196_612, 229_381, 196_612])
        #expect(updated.map { $0.before } == [nil, nil, nil])
        #expect(updated.map { $0.after?["capabilities"] } == [229_381, 196_612, 196_613])
    }

    @Test func `no event of a native app calls YouTube the service YouTube TV`() throws {
        let app = try #require(try events("youtube_status_text_youtube_tv").first?.after)
        #expect(app["displayName"] == "YouTube")
        #expect(app["statusText"] == "YouTube TV")
    }

    @Test func `counts what no rule of the protocol knows, and nothing else`() throws {
        // Two files were written down inside a receiver, where requests arrive; a device sends none.
        let media = "urn:x-cast:com.google.cast.media"
        let expected: [String: [String: Int64]] = [
            "caf_receiver_side_seek_burst": [
                "message type GET_STATUS": 1, "message type LOAD": 1, "message type SEEK": 3,
            ],
            "kkbox_receiver_side_queue_load": [
                "message type GET_STATUS": 2, "message type QUEUE_LOAD": 1, "message type QUEUE_UPDATE": 1,
            ],
            // A sender wrote a number, and the receiver app gave it back.
            "live_radio_numeric_stream_type_umlaut": ["streamType 1": 1],
            // Others say it in queueData.
            "youtube_gtv_ad_disguised_as_content": ["MEDIA_STATUS key shuffle": 1],
        ]
        for name in try Corpus.names() {
            var differ = StatusDiffer()
            for record in try Corpus.replay(name).records { _ = differ.fold(record) }
            var counted: [String: Int64] = [:]
            for entry in differ.takeNotUnderstood() {
                #expect(entry.name.namespace == media)
                counted["\(entry.name.subject.rawValue) \(entry.name.word)"] = entry.count
            }
            #expect(counted == expected[name] ?? [:], "\(name)")
        }
    }
}
