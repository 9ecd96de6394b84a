/// What every file of the corpus should give: kind, attribution, "no effect" where so, and the value that matters.
///
/// Worked out by hand from the index of the corpus, `docs/events.md` and PROTOCOL. A line's form is in
/// `CompactEvent.swift`.
enum CorpusEvents {
    static let expected = receiver.merging(media) { one, _ in one }.merging(other) { one, _ in one }

    /// The first status of a device that stands by for nothing and says its volume.
    private static func snapshot(_ first: String, volume: String) -> [String] {
        [first, "device_volume_changed snapshot \(volume)", "device_mute_changed snapshot false"]
    }

    private static let isOn = ["standby_changed snapshot false", "active_input_changed snapshot true"]

    // MARK: Apps and devices

    private static let receiver: [String: [String]] = [
        // Idle stays idle over three firmwares; flags that are no longer said are no statement.
        "backdrop_idle_three_firmwares": snapshot("idle_screen_shown snapshot E8C28D3C", volume: "1") + isOn,
        "close_storm_after_power_cut": [],
        "dashcast_launch_page": snapshot("app_started snapshot 84912283", volume: "1") + [
            "launch_error sender_request CANCELLED"
        ],
        "device_info_and_setup_snake_case": [],
        "gnome_network_displays_connect": [],
        "group_connect_reply_2018": snapshot("app_started snapshot CC1AD845", volume: "0.462"),
        // A lone speaker lists itself: no group.
        "group_leader_night_loss": [],
        // Three sockets in one file; no list of members came before.
        "group_volume_fade_device_updated_storm": [
            "media_session_ended snapshot ERROR",
            "group_member_updated receiver Second Bathroom Display 0.902",
            "group_member_updated receiver Dining Nook Mini 0.722",
            "group_member_updated receiver Dining Nook Chromecast 0.795",
        ],
        "multizone_four_members_mixed": [
            "group_member_added snapshot Beamspeaker Den 0.104",
            "group_member_added snapshot Garden Hall Speaker 0.455",
            "group_member_added snapshot Laundry display 0.09",
            "group_member_added snapshot Reading Hall Speaker 0.364",
        ],
        "multizone_leader_without_transport": snapshot("app_started snapshot MultizoneLeader", volume: "0.027"),
        "netflix_2014_app": snapshot("app_started snapshot CA5E8412", volume: "1") + isOn,
        // The old app has closed, the new one is not there yet.
        "plex_launch_on_nest_hub": ["device_volume_changed snapshot 0.45", "device_mute_changed snapshot false"],
        // A fixed volume is no volume.
        "projector_active_input_true": ["device_mute_changed snapshot false"] + isOn,
        "receiver_status_request_id_on_broadcast": snapshot("app_started snapshot CC1AD845", volume: "0.6"),
        "sharpcaster_join_demo_receiver": snapshot("app_started snapshot B3419EF5", volume: "0.5"),
        "speaker_idle_user_eq_gains": ["device_volume_changed snapshot 0.4", "device_mute_changed snapshot false"],
        "spotify_launch_status_and_get_info_no_device_id": snapshot("app_started snapshot CC32E753", volume: "0.5") + [
            "custom_message unknown getInfoResponse"
        ],
        "spotify_receiver_status_usereq": snapshot("app_started snapshot CC32E753", volume: "0.226"),
        "switch_app_on_android_tv_no_flags": snapshot("app_started snapshot CC1AD845", volume: "0.5"),
        "transport_heartbeat_2015": [],
        "tv_active_input_and_standby_flags": snapshot("app_started snapshot CC1AD845", volume: "0.45") + isOn,
        "tv_backdrop_remotecontrol_then_kiosk": snapshot("idle_screen_shown snapshot E8C28D3C", volume: "0.05") + [
            "app_started receiver 5E7A2C2C"
        ],
        "tv_volume_jump_without_app": [
            "device_volume_changed snapshot 0.6", "device_mute_changed snapshot false",
            "standby_changed snapshot false", "active_input_changed snapshot true", "device_volume_changed receiver 1",
        ],
        // isStandBy is absent: unknown.
        "youtube_2014_no_namespaces": snapshot("app_started snapshot YouTube", volume: "1") + [
            "active_input_changed snapshot true"
        ],
        "youtube_2017_mediashell_transport": snapshot("app_started snapshot 233637DE", volume: "1"),
        "youtube_native_bravia_zero_volume": snapshot("app_started snapshot 233637DE", volume: "0") + isOn,
        "youtube_status_text_youtube_tv": snapshot("app_started snapshot 233637DE", volume: "1"),
        "youtube_web_receiver_2018_status": snapshot("app_started snapshot 233637DE", volume: "1"),
    ]

    // MARK: Media

    private static let media: [String: [String]] = [
        "airflow_paused_tiny_video": ["media_session_started snapshot PAUSED Example Movie at 0"],
        "chromecast_audio_buffering_lowercase_streamtype": [
            "media_session_started snapshot BUFFERING audio-123-mp3 at 0"
        ],
        // The empty statuses tell nothing: no media session was known.
        "desktop_audio_load_failed_after_69s": snapshot("app_started snapshot CC1AD845", volume: "0.95") + [
            "media_error sender_request LOAD_FAILED - 104 MEDIA_SRC_NOT_SUPPORTED"
        ],
        "dmr_audio_loading_extended_status": [
            "media_session_started snapshot LOADING 230067e9-fa1f-47ac-9cad-24206ba921f1.mp3 at 0",
            "media_loading snapshot 230067e9-fa1f-47ac-9cad-24206ba921f1.mp3",
        ],
        "dmr_live_dvr_seekable_range": ["media_session_started snapshot PLAYING - at 2.100366"],
        "dmr_mp3_with_video_track": snapshot("app_started snapshot CC1AD845", volume: "0.15") + [
            "media_session_started snapshot PLAYING 66316b820493696859352a499bfb927cfcabd585_en_-_google.mp3 at 0"
        ],
        "dmr_subtitles_text_style_string_scale": ["media_session_started snapshot PLAYING Movie 480p at 2.006414"],
        "dmr_tts_as_live_stream": [
            "launch_status sender_request USER_ALLOWED",
            "media_session_started snapshot LOADING 5e347c61f1a42495468355e40160ce67003b022c_fr-fr_-_google_translate.mp3 at 0",
            "media_loading snapshot 5e347c61f1a42495468355e40160ce67003b022c_fr-fr_-_google_translate.mp3",
            "media_error sender_request LOAD_FAILED - - -",
        ],
        "dmr_video_info_hdr": ["media_session_started snapshot BUFFERING TallOakForest.mp4 at 0"],
        "dutch_tv_app_duration_zero": [
            "media_session_started snapshot PLAYING De verre familieleden van Aruba at 207.909"
        ],
        "group_endless_stream_duration_null": [
            "media_session_started snapshot PLAYING Laptop Sound Broadcaster at 18613.486731"
        ],
        // No event for the rate 0 after the stop, nor for the picture size of what has ended.
        "gtv_fixed_volume_load_failed_and_stop": ["device_mute_changed snapshot false"] + isOn + [
            "app_started sender_request CC1AD845", "media_session_started sender_request LOADING Probe C at 0",
            "media_loading sender_request Probe C", "media_session_ended receiver ERROR",
            "media_session_ended sender_request CANCELLED",
            "playback_session_changed snapshot appAllowsGrouping isVideoContent streamTransferSupported",
            "launch_status unknown USER_ALLOWED",
        ],
        "hbo_load_on_private_namespace": [
            "media_session_started snapshot IDLE urn:hbo:episode:GYmade1UpCode2AbCdEfG at 0",
            "player_state_changed receiver PLAYING at 0.2",
        ],
        "live_radio_numeric_stream_type_umlaut": [
            "media_session_started snapshot PLAYING Ü7-(192bps) at 80288.353693"
        ],
        "load_failed_cancelled_launch_errors": [
            "media_error sender_request LOAD_CANCELLED - - -", "media_error sender_request LOAD_FAILED - - -",
            "launch_error sender_request NOT_FOUND", "media_error sender_request INVALID_REQUEST INVALID_COMMAND - -",
            "launch_error sender_request CANCELLED",
        ],
        "lovelace_dashboard_launch_and_idle_image": [
            "launch_status sender_request USER_ALLOWED", "device_volume_changed snapshot 0.3",
            "device_mute_changed snapshot false", "app_started receiver A078F6B0",
            "media_session_started receiver LOADING d-diningroom: Home at 0",
            "media_loading receiver d-diningroom: Home",
        ],
        "media_status_without_array": [
            "media_session_started snapshot IDLE We Hear Your Tales at 0",
            "metadata_changed unknown Send WORD to 707070",
        ],
        // metadataType 3, then none, then 103.
        "pandora_metadata_variants": [
            "media_session_started snapshot PLAYING So We Waltzed at 16",
            "metadata_changed sender_request So We Waltzed", "metadata_changed sender_request So We Waltzed",
        ],
        "plex_music_custom_data": ["media_session_started snapshot PLAYING Home For Some (Puppets Mix) at 74.745"],
        "radio_m3u8_wrong_content_type": [
            "media_session_started snapshot LOADING QSZB 4 at 0", "media_loading snapshot QSZB 4",
        ],
        // The media is in extendedStatus only; the queue is in the request of a sender.
        "sharpcaster_queue_load_numeric_enums": [
            "media_session_started snapshot LOADING AwayOnAHill at 0", "media_loading snapshot AwayOnAHill",
        ],
        // From 60.391 back to 0 is a repeat, which the new position says, and no seek.
        "spotify_2019_pause_and_restart": [
            "media_session_started snapshot PAUSED Neighbour That We Met Last May at 60.391",
            "media_reasserted receiver no effect", "player_state_changed receiver PLAYING at 0",
        ],
        "youtube_gtv_ad_disguised_as_content": [
            "media_session_started snapshot PLAYING Shop Cook Judges The Priciest Knives From Want.org at 2.264"
        ],
        // The position is the ad's: from 1.2 to 6.2 is no seek. From 3 to 1: the ad may be skipped.
        "youtube_web_ad_1081": [
            "media_session_started snapshot BUFFERING - at 1.2", "break_started snapshot youtube",
            "supported_commands_changed unknown 1",
        ],
    ]

    // MARK: Messages of apps, and what only a receiver or a sender sees

    private static let other: [String: [String]] = [
        // The receiver's own side: platform messages without a value change nothing, requests are no statuses.
        "caf_receiver_side_seek_burst": [
            "custom_message unknown ready", "custom_message unknown volumechanged",
            "custom_message unknown visibilitychanged", "custom_message unknown standbychanged",
            "custom_message unknown hdroutputtypechanged", "custom_message unknown FOCUS_STATE",
            "custom_message unknown senderconnected", "custom_message sender_request GET_STATUS",
            "custom_message sender_request LOAD", "custom_message sender_request SEEK",
            "custom_message sender_request SEEK", "custom_message sender_request SEEK",
        ],
        "custom_namespace_time_tick": ["custom_message receiver TIME_TICK", "custom_message receiver TIME_TICK"],
        // Requests that somebody sent: what they do, a status would tell.
        "disney_plus_load_credentials_string": [], "ha_media_app_tts_load": [], "ios_load_with_text_style": [],
        "kkbox_receiver_side_queue_load": [
            "custom_message unknown ready", "custom_message unknown volumechanged",
            "custom_message unknown visibilitychanged", "custom_message unknown standbychanged",
            "custom_message unknown hdroutputtypechanged", "custom_message unknown senderconnected",
            "custom_message sender_request GET_STATUS", "custom_message sender_request GET_STATUS",
            "custom_message sender_request QUEUE_LOAD", "custom_message sender_request QUEUE_UPDATE",
        ],
        "receiver_side_system_events_2020": [
            "custom_message unknown standbychanged", "custom_message unknown showmediacontrols",
            "custom_message unknown hdroutputtypechanged",
        ],
        "viaplay_and_tv4_private_progress": [
            "custom_message unknown RECEIVER_STATE", "custom_message unknown POSDUR",
            "custom_message unknown progressData",
        ],
    ]
}
