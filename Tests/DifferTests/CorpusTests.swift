import CastModel
import Differ
import Recording
import Testing

@Suite("The differ on real messages")
struct CorpusTests {
    /// What each file should give, by its entry in the corpus index: kind, attribution, and the value that matters.
    private static let expected: [String: [String]] = [
        "airflow_paused_tiny_video": ["media_session_started snapshot PAUSED Example Movie"],
        "backdrop_idle_three_firmwares": [
            "idle_screen_shown snapshot E8C28D3C", "device_volume_changed snapshot 1",
            "device_mute_changed snapshot false",
            "standby_changed snapshot false", "active_input_changed snapshot true",
        ],
        "chromecast_audio_buffering_lowercase_streamtype": ["media_session_started snapshot BUFFERING audio-123-mp3"],
        "close_storm_after_power_cut": [],
        "custom_namespace_time_tick": ["custom_message receiver TIME_TICK", "custom_message receiver TIME_TICK"],
        "dashcast_launch_page": [
            "app_started snapshot 84912283", "device_volume_changed snapshot 1", "device_mute_changed snapshot false",
            "launch_error sender_request CANCELLED",
        ],
        "desktop_audio_load_failed_after_69s": [
            "app_started snapshot CC1AD845", "device_volume_changed snapshot 0.95",
            "device_mute_changed snapshot false",
            "media_error sender_request LOAD_FAILED 104",
        ],
        "device_info_and_setup_snake_case": [],
        "dmr_audio_loading_extended_status": [
            "media_session_started snapshot LOADING 230067e9-fa1f-47ac-9cad-24206ba921f1.mp3",
            "media_loading snapshot 230067e9-fa1f-47ac-9cad-24206ba921f1.mp3",
        ],
        "dmr_live_dvr_seekable_range": ["media_session_started snapshot PLAYING -"],
        "dmr_mp3_with_video_track": [
            "app_started snapshot CC1AD845", "device_volume_changed snapshot 0.15",
            "device_mute_changed snapshot false",
            "media_session_started snapshot PLAYING 66316b820493696859352a499bfb927cfcabd585_en_-_google.mp3",
        ],
        "dmr_subtitles_text_style_string_scale": ["media_session_started snapshot PLAYING Movie 480p"],
        "dmr_tts_as_live_stream": [
            "launch_status sender_request USER_ALLOWED",
            "media_session_started snapshot LOADING 5e347c61f1a42495468355e40160ce67003b022c_fr-fr_-_google_translate.mp3",
            "media_loading snapshot 5e347c61f1a42495468355e40160ce67003b022c_fr-fr_-_google_translate.mp3",
            "media_error sender_request LOAD_FAILED -",
        ],
        "dmr_video_info_hdr": ["media_session_started snapshot BUFFERING TallOakForest.mp4"],
        "dutch_tv_app_duration_zero": ["media_session_started snapshot PLAYING De verre familieleden van Aruba"],
        "gnome_network_displays_connect": [],
        "group_connect_reply_2018": [
            "app_started snapshot CC1AD845", "device_volume_changed snapshot 0.462",
            "device_mute_changed snapshot false",
        ],
        "group_endless_stream_duration_null": ["media_session_started snapshot PLAYING Laptop Sound Broadcaster"],
        "group_volume_fade_device_updated_storm": ["media_session_ended snapshot ERROR"],
        "gtv_fixed_volume_load_failed_and_stop": [
            "device_mute_changed snapshot false", "standby_changed snapshot false",
            "active_input_changed snapshot true",
            "app_started sender_request CC1AD845", "media_session_started sender_request LOADING Probe C",
            "media_loading sender_request Probe C", "media_session_ended receiver ERROR",
            "media_session_ended sender_request CANCELLED", "launch_status unknown USER_ALLOWED",
        ],
        "hbo_load_on_private_namespace": [
            "media_session_started snapshot IDLE urn:hbo:episode:GYmade1UpCode2AbCdEfG",
            "player_state_changed receiver PLAYING",
        ],
        "live_radio_numeric_stream_type_umlaut": ["media_session_started snapshot PLAYING Ü7-(192bps)"],
        "load_failed_cancelled_launch_errors": [
            "media_error sender_request LOAD_CANCELLED -", "media_error sender_request LOAD_FAILED -",
            "launch_error sender_request NOT_FOUND", "media_error sender_request INVALID_REQUEST -",
            "launch_error sender_request CANCELLED",
        ],
        "lovelace_dashboard_launch_and_idle_image": [
            "launch_status sender_request USER_ALLOWED", "device_volume_changed snapshot 0.3",
            "device_mute_changed snapshot false", "app_started receiver A078F6B0",
            "media_session_started receiver LOADING d-diningroom: Home", "media_loading receiver d-diningroom: Home",
        ],
        "media_status_without_array": [
            "media_session_started snapshot IDLE We Hear Your Tales", "metadata_changed unknown Send WORD to 707070",
        ],
        "netflix_2014_app": [
            "app_started snapshot CA5E8412", "device_volume_changed snapshot 1", "device_mute_changed snapshot false",
            "standby_changed snapshot false", "active_input_changed snapshot true",
        ],
        "pandora_metadata_variants": [
            "media_session_started snapshot PLAYING So We Waltzed", "metadata_changed sender_request So We Waltzed",
            "metadata_changed sender_request So We Waltzed",
        ],
        "plex_launch_on_nest_hub": ["device_volume_changed snapshot 0.45", "device_mute_changed snapshot false"],
        "plex_music_custom_data": ["media_session_started snapshot PLAYING Home For Some (Puppets Mix)"],
        "projector_active_input_true": [
            "device_mute_changed snapshot false", "standby_changed snapshot false",
            "active_input_changed snapshot true",
        ],
        "radio_m3u8_wrong_content_type": [
            "media_session_started snapshot LOADING QSZB 4", "media_loading snapshot QSZB 4",
        ],
        "receiver_status_request_id_on_broadcast": [
            "app_started snapshot CC1AD845", "device_volume_changed snapshot 0.6", "device_mute_changed snapshot false",
        ],
        "sharpcaster_join_demo_receiver": [
            "app_started snapshot B3419EF5", "device_volume_changed snapshot 0.5", "device_mute_changed snapshot false",
        ],
        "speaker_idle_user_eq_gains": ["device_volume_changed snapshot 0.4", "device_mute_changed snapshot false"],
        "spotify_2019_pause_and_restart": [
            "media_session_started snapshot PAUSED Neighbour That We Met Last May",
            "media_reasserted receiver no effect", "player_state_changed receiver PLAYING",
        ],
        "spotify_launch_status_and_get_info_no_device_id": [
            "app_started snapshot CC32E753", "device_volume_changed snapshot 0.5", "device_mute_changed snapshot false",
            "custom_message unknown getInfoResponse",
        ],
        "spotify_receiver_status_usereq": [
            "app_started snapshot CC32E753", "device_volume_changed snapshot 0.226",
            "device_mute_changed snapshot false",
        ],
        "switch_app_on_android_tv_no_flags": [
            "app_started snapshot CC1AD845", "device_volume_changed snapshot 0.5", "device_mute_changed snapshot false",
        ],
        "transport_heartbeat_2015": [],
        "tv_active_input_and_standby_flags": [
            "app_started snapshot CC1AD845", "device_volume_changed snapshot 0.45",
            "device_mute_changed snapshot false",
            "standby_changed snapshot false", "active_input_changed snapshot true",
        ],
        "tv_backdrop_remotecontrol_then_kiosk": [
            "idle_screen_shown snapshot E8C28D3C", "device_volume_changed snapshot 0.05",
            "device_mute_changed snapshot false",
            "app_started receiver 5E7A2C2C",
        ],
        "tv_volume_jump_without_app": [
            "device_volume_changed snapshot 0.6", "device_mute_changed snapshot false",
            "standby_changed snapshot false",
            "active_input_changed snapshot true", "device_volume_changed receiver 1",
        ],
        "youtube_2014_no_namespaces": [
            "app_started snapshot YouTube", "device_volume_changed snapshot 1", "device_mute_changed snapshot false",
            "active_input_changed snapshot true",
        ],
        "youtube_2017_mediashell_transport": [
            "app_started snapshot 233637DE", "device_volume_changed snapshot 1", "device_mute_changed snapshot false",
        ],
        "youtube_native_bravia_zero_volume": [
            "app_started snapshot 233637DE", "device_volume_changed snapshot 0", "device_mute_changed snapshot false",
            "standby_changed snapshot false", "active_input_changed snapshot true",
        ],
        "youtube_status_text_youtube_tv": [
            "app_started snapshot 233637DE", "device_volume_changed snapshot 1", "device_mute_changed snapshot false",
        ],
        "youtube_web_receiver_2018_status": [
            "app_started snapshot 233637DE", "device_volume_changed snapshot 1", "device_mute_changed snapshot false",
        ],
    ]

    @Test(arguments: expected.keys.sorted())
    func `gives the events that the index names`(name: String) throws {
        var differ = StatusDiffer()
        let events = try CorpusFile.replay(name).records.dropFirst().flatMap { differ.fold($0) }
        #expect(events.map { $0.compact } == Self.expected[name])
    }

    @Test func `says how subtitles are drawn, as they came`() throws {
        var differ = StatusDiffer()
        let events = try CorpusFile.replay("dmr_subtitles_text_style_string_scale").records.flatMap { differ.fold($0) }
        let started = try #require(events.last?.after)
        #expect(started["activeTrackIds"] == [1])
        #expect(started["media"]?["textTrackStyle"]?["fontScale"] == "1.0")
        #expect(started["media"]?["textTrackStyle"]?["edgeType"] == "OUTLINE")
        #expect(events.last?.positionSeconds == 2.006414)
    }

    @Test func `of every file, gives an event or leaves it to the archive on purpose`() throws {
        let silent = [
            "urn:x-cast:com.google.cast.tp.connection", "urn:x-cast:com.google.cast.tp.heartbeat",
            "urn:x-cast:com.google.cast.tp.deviceauth", "urn:x-cast:com.google.cast.multizone",
            "urn:x-cast:com.google.cast.receiver.discovery", "urn:x-cast:com.google.cast.setup",
        ]
        var told = 0
        for name in try CorpusFile.allNames() {
            // Each line on its own, to a differ that knows nothing: whatever it says, it says for the first time.
            for (line, record) in zip(try CorpusFile.lines(name), try CorpusFile.replay(name).records.dropFirst()) {
                guard line["dir"] == "in", let namespace = line["namespace"]?.string, !silent.contains(namespace) else {
                    continue
                }
                var differ = StatusDiffer()
                let hasNoMedia = line["payload"]?["status"] == []
                #expect(differ.fold(record).isEmpty == hasNoMedia, "\(name): \(line["note"]?.text ?? "")")
                told += 1
            }
        }
        #expect(told > 80)
    }

    @Test func `keeps no secret in events or in states`() throws {
        var differ = StatusDiffer()
        for name in try CorpusFile.allNames() {
            for record in try CorpusFile.replay(name).records {
                for event in differ.fold(record) {
                    #expect(
                        !(event.after?.text ?? "").contains("MADEUP") && !(event.before?.text ?? "").contains("MADEUP"))
                }
            }
            for (_, state) in differ.takeDeviceStates() { #expect(!state.text.contains("MADEUP")) }
        }
    }
}

extension ChangeEvent {
    /// Kind, attribution, "no effect" where so, and the value that matters most.
    fileprivate var compact: String {
        var words = [kind.rawValue, attribution.rawValue]
        if !effective { words.append("no effect") }
        if let value { words.append(value) }
        return words.joined(separator: " ")
    }

    private var value: String? {
        let after = after?.object ?? JSONObject()
        func text(_ key: String) -> String? { after.textField(key).ifPresent }
        switch kind {
        case .appStarted, .idleScreenShown: return ReceiverApp(after).canonicalAppID?.text
        case .deviceVolumeChanged:
            let level = after.numberField("level").ifPresent ?? .nan
            return JSONValue.number((level * 1000).rounded() / 1000).lossyText
        case .deviceMuteChanged: return after.flagField("muted").ifPresent?.description
        case .standbyChanged: return after.flagField("isStandBy").ifPresent?.description
        case .activeInputChanged: return after.flagField("isActiveInput").ifPresent?.description
        case .mediaSessionStarted: return "\(text("playerState") ?? "-") \(Self.title(after["media"]))"
        case .mediaLoading: return Self.title(after["media"])
        case .metadataChanged: return Self.title(.object(after))
        case .mediaSessionEnded: return text("idleReason")
        case .playerStateChanged: return text("playerState")
        case .mediaError: return "\(text("type") ?? "-") \(text("detailedErrorCode") ?? "-")"
        case .launchError: return text("reason")
        case .launchStatus: return text("status")
        case .customMessage: return text("type")
        default: return nil
        }
    }

    /// The title, else the last part of what identifies the content.
    private static func title(_ media: JSONValue?) -> String {
        guard let media = media?.object.map({ MediaInformation($0) }) else { return "-" }
        if let title = media.metadata.ifPresent?.displayTitle { return title }
        let identity = media.identity
        let text = identity.contentID ?? identity.contentURL ?? identity.entity ?? "-"
        return text.split(separator: "/").last.map { String($0) } ?? text
    }
}
