// Written by apps/embed from apps/registry.json: edit that, not this.

extension AppRegistry {
    static let builtInText = #"""
        {"apps": [
          {"id": "E8C28D3C", "name": "Backdrop", "kind": "idle"},
          {"id": "EurekaIdleScreen", "name": "Idle screen of an offline device", "kind": "idle"},
          {"id": "531A4F84", "name": "Group leader", "kind": "placeholder"},
          {"id": "MultizoneLeader", "name": "Group leader", "kind": "placeholder"},
          {"id": "705D30C6", "name": "Group follower", "kind": "placeholder"},
          {"id": "MultizoneFollower", "name": "Group follower", "kind": "placeholder"},
          {"id": "AndroidNativeApp", "name": "Android TV app", "kind": "native", "note": "any app of an Android TV that is no Cast app"},

          {"id": "CC1AD845", "name": "Default Media Receiver", "kind": "video"},
          {"id": "233637DE", "name": "YouTube", "kind": "video", "quirks": {"adsInCustomData": true}},
          {"id": "2C6A6E3D", "name": "YouTube", "kind": "video", "quirks": {"adsInCustomData": true}, "note": "on Android TV; its universal id is 233637DE"},
          {"id": "2DB7CC49", "name": "YouTube Music", "kind": "music", "note": "one project takes it for Viaplay"},
          {"id": "544CC425", "name": "YouTube Kids", "kind": "video", "note": "seen by few"},
          {"id": "CA5E8412", "name": "Netflix", "kind": "video", "quirks": {"noMediaNamespace": true}, "note": "the older id"},
          {"id": "EF67CA5A", "name": "Netflix", "kind": "video", "quirks": {"noMediaNamespace": true}},
          {"id": "C3DE6BC2", "name": "Disney+", "kind": "video"},
          {"id": "17608BC8", "name": "Prime Video", "kind": "video"},
          {"id": "3EC252A5", "name": "Hulu", "kind": "video"},
          {"id": "C5B95AD4", "name": "Max", "kind": "video"},
          {"id": "3A2AA214", "name": "Max", "kind": "video", "note": "the older id"},
          {"id": "B3DCF968", "name": "Twitch", "kind": "video", "note": "often taken for Hulu"},
          {"id": "A9BCCB7C", "name": "Yle Areena", "kind": "video", "note": "often taken for HBO Max"},
          {"id": "5E81F6DB", "name": "BBC iPlayer", "kind": "video"},
          {"id": "2BA92214", "name": "BBC iPlayer", "kind": "video"},
          {"id": "10AAD887", "name": "Channel 4", "kind": "video", "note": "All 4; one list takes it for Prime Video, wrongly"},
          {"id": "AA666EDD", "name": "Crunchyroll", "kind": "video"},
          {"id": "B88B034A", "name": "Dailymotion", "kind": "video"},
          {"id": "6313CF39", "name": "Viaplay", "kind": "video"},
          {"id": "95370A1C", "name": "SVT Play", "kind": "video"},
          {"id": "3AEDF8D1", "name": "NRK TV", "kind": "video"},
          {"id": "9AC194DC", "name": "Plex", "kind": "video", "note": "an old Plex has an id that ends in _1"},
          {"id": "A1EB4E9D", "name": "Plex", "kind": "video", "note": "from newer iOS senders"},
          {"id": "F007D354", "name": "Jellyfin", "kind": "video"},
          {"id": "3927FA74", "name": "BubbleUPnP", "kind": "video"},
          {"id": "C0868879", "name": "Styled receiver demo", "kind": "video"},
          {"id": "4F8B3483", "name": "CastVideos sample", "kind": "video"},
          {"id": "B3419EF5", "name": "CastVideos sample", "kind": "video"},
          {"id": "93F3197F", "name": "IMA sample", "kind": "video", "note": "ads come as plain text, and its content is loaded again after each"},
          {"id": "07AEE832", "name": "Shaka demo receiver", "kind": "video"},

          {"id": "CC32E753", "name": "Spotify", "kind": "music"},
          {"id": "B143C57E", "name": "SoundCloud", "kind": "music"},
          {"id": "CD7B9F59", "name": "Global Player", "kind": "music"},
          {"id": "A49874B1", "name": "NRK Radio", "kind": "music"},
          {"id": "2872939A", "name": "Google Play Music", "kind": "music", "note": "no longer offered"},
          {"id": "46C1A819", "name": "AirConnect", "kind": "music", "note": "also CastBridge"},

          {"id": "25456794", "name": "Audible", "kind": "speech", "quirks": {"joinDelayMilliseconds": 1000}},
          {"id": "D350F6A9", "name": "BBC Sounds", "kind": "speech"},
          {"id": "A41B766D", "name": "Supla", "kind": "speech"},
          {"id": "3DFCDBD1", "name": "Google Podcasts", "kind": "speech", "note": "no longer offered"},

          {"id": "84912283", "name": "DashCast", "kind": "dashboard"},
          {"id": "5C3F0A3C", "name": "DashCast", "kind": "dashboard", "note": "a dashboard; which one is not sure"},
          {"id": "F7FD2183", "name": "DashCast", "kind": "dashboard", "note": "a dashboard; which one is not sure"},
          {"id": "A078F6B0", "name": "Home Assistant Lovelace", "kind": "dashboard"},

          {"id": "0F5096E8", "name": "Chrome mirroring", "kind": "mirroring"},
          {"id": "85CDB22F", "name": "Chrome audio mirroring", "kind": "mirroring"},
          {"id": "674A0243", "name": "Android screen mirroring", "kind": "mirroring"},
          {"id": "8E6C866D", "name": "Android screen mirroring", "kind": "mirroring"},
          {"id": "96084372", "name": "Android app streaming", "kind": "mirroring", "note": "also Google Photos"},
          {"id": "BFD92C23", "name": "iOS app streaming", "kind": "mirroring"},

          {"id": "B45F4572", "name": "Home Assistant media", "kind": "other", "note": "music, films and spoken announcements alike"}
        ]}
        """#
}
