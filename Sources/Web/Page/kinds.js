// The kinds of change events, as the ledger spells them: the choices of the filter. A test compares them with the ledger.

export const eventKinds = [
    "device_seen", "device_withdrawn", "device_renamed", "address_changed", "link_opened", "link_closed",
    "identity_verified", "identity_failed", "gap_started", "gap_ended", "app_started", "app_stopped", "app_replaced",
    "idle_screen_shown", "app_status_text_changed", "sender_connected_changed", "device_volume_changed",
    "device_mute_changed", "standby_changed", "active_input_changed", "launch_status", "launch_error",
    "media_session_started", "media_session_ended", "media_loading", "media_changed", "media_reasserted",
    "metadata_changed", "duration_changed", "player_state_changed", "seeked", "playback_rate_changed",
    "stream_volume_changed", "live_range_changed", "supported_commands_changed", "video_info_changed", "media_error",
    "track_list_changed", "active_tracks_changed", "text_track_style_changed", "text_track_style_reasserted",
    "queue_changed", "queue_item_changed", "repeat_mode_changed", "break_started", "break_clip_changed",
    "break_ended", "group_member_added", "group_member_updated", "group_member_removed", "playback_session_changed",
    "custom_message", "malformed_payload", "storm_started", "storm_ended",
];
