extension ChangeEvent {
    /// What changed: the closed list of DESIGN 4, in this one place.
    ///
    /// Raw values are stored and printed.
    public enum Kind: String, Sendable, CaseIterable {
        // device
        case deviceSeen = "device_seen"
        case deviceWithdrawn = "device_withdrawn"
        case deviceRenamed = "device_renamed"
        case addressChanged = "address_changed"
        case linkOpened = "link_opened"
        case linkClosed = "link_closed"
        case identityVerified = "identity_verified"
        case identityFailed = "identity_failed"
        case gapStarted = "gap_started"
        case gapEnded = "gap_ended"
        // receiver
        case appStarted = "app_started"
        case appStopped = "app_stopped"
        case appReplaced = "app_replaced"
        case idleScreenShown = "idle_screen_shown"
        case appStatusTextChanged = "app_status_text_changed"
        case senderConnectedChanged = "sender_connected_changed"
        case deviceVolumeChanged = "device_volume_changed"
        case deviceMuteChanged = "device_mute_changed"
        case standbyChanged = "standby_changed"
        case activeInputChanged = "active_input_changed"
        case launchStatus = "launch_status"
        case launchError = "launch_error"
        // media
        case mediaSessionStarted = "media_session_started"
        case mediaSessionEnded = "media_session_ended"
        case mediaLoading = "media_loading"
        case mediaChanged = "media_changed"
        case mediaReasserted = "media_reasserted"
        case metadataChanged = "metadata_changed"
        case durationChanged = "duration_changed"
        case playerStateChanged = "player_state_changed"
        case seeked
        case playbackRateChanged = "playback_rate_changed"
        case streamVolumeChanged = "stream_volume_changed"
        case liveRangeChanged = "live_range_changed"
        case supportedCommandsChanged = "supported_commands_changed"
        case videoInfoChanged = "video_info_changed"
        case mediaError = "media_error"
        // tracks
        case trackListChanged = "track_list_changed"
        case activeTracksChanged = "active_tracks_changed"
        // style
        case textTrackStyleChanged = "text_track_style_changed"
        case textTrackStyleReasserted = "text_track_style_reasserted"
        // queue
        case queueChanged = "queue_changed"
        case queueItemChanged = "queue_item_changed"
        case repeatModeChanged = "repeat_mode_changed"
        // ads
        case breakStarted = "break_started"
        case breakClipChanged = "break_clip_changed"
        case breakEnded = "break_ended"
        // groups
        case groupMemberAdded = "group_member_added"
        case groupMemberUpdated = "group_member_updated"
        case groupMemberRemoved = "group_member_removed"
        case playbackSessionChanged = "playback_session_changed"
        // other
        case customMessage = "custom_message"
        case malformedPayload = "malformed_payload"
        case stormStarted = "storm_started"
        case stormEnded = "storm_ended"
    }
}
