import CastModel
import Differ
import Testing

@testable import Report

// Goal: one wording per kind, whole sentences, so that a change of wording is seen.
// Method: events with the parts of state that the differ gives to each kind, the sentence written by hand.
@Suite("The sentence of a change event") struct WordingTests {
    struct Example: Sendable {
        var kind: ChangeEvent.Kind
        var before: JSONValue?
        var after: JSONValue?
        var positionSeconds: Double?
        var sentence: String

        init(
            _ kind: ChangeEvent.Kind, _ before: JSONValue?, _ after: JSONValue?, at positionSeconds: Double? = nil,
            _ sentence: String
        ) {
            self.kind = kind
            self.before = before
            self.after = after
            self.positionSeconds = positionSeconds
            self.sentence = sentence
        }
    }

    /// Names for apps whose device said none; a device that says one is right.
    static let unnamedApps: [Example] = [
        Example(.appStarted, nil, ["appId": "CC32E753"], "app started: Spotify [receiver]"),
        Example(.appStarted, nil, ["appId": "00C0FFEE"], "app started: 00C0FFEE [receiver]"),
        Example(
            .appStopped, ["appId": "cc1ad845", "displayName": "Empfänger"], nil, "app ended: Empfänger [receiver]"),
        Example(
            .appStarted, nil, ["appId": "CA5E8412", "displayName": "Netflix"],
            "app started: Netflix, which does not tell what it plays [receiver]"),
    ]

    static let deviceAndGaps: [Example] = [
        Example(
            .deviceSeen, nil,
            [
                "name": "Living Room TV", "model": "Chromecast Ultra", "addresses": ["192.0.2.7", "2001:db8::7"],
                "port": 8009, "source": "mdns",
            ], "seen on the network as \"Living Room TV\", Chromecast Ultra, at 192.0.2.7:8009"),
        Example(
            .deviceSeen, nil, ["addresses": ["2001:db8::7"], "port": 8009, "source": "static"],
            "added by address, at [2001:db8::7]:8009"),
        Example(.deviceWithdrawn, nil, nil, "withdrawn from the network"),
        Example(
            .deviceRenamed, ["name": "TV"], ["name": "Big \"TV\""], "renamed from \"TV\" to \"Big \"TV\"\""),
        Example(
            .addressChanged, ["addresses": ["192.0.2.7"], "port": 8009], ["addresses": ["192.0.2.8"], "port": 8009],
            "moved from 192.0.2.7:8009 to 192.0.2.8:8009"),
        Example(
            .linkOpened, nil, ["link": 4, "address": "192.0.2.7", "port": 8009, "tlsVersion": "TLSv1.3"],
            "observed from here on over a link to 192.0.2.7:8009"),
        Example(.linkClosed, nil, ["link": 4, "reason": "silent"], "link closed: nothing heard for 15 s"),
        Example(.linkClosed, nil, ["link": 4, "reason": "solar_flare"], "link closed: solar_flare"),
        Example(
            .gapStarted, nil, ["reason": "link_lost", "from": "2026-03-01T20:15:04.123456Z"],
            "not observed from here on: link was lost"),
        // Noticed 11.2 s later, when the recorder was started again.
        Example(
            .gapStarted, nil, ["reason": "recorder_down", "from": "2026-03-01T20:14:52.923456Z"],
            "not observed for the last 11.2 s and from here on: recorder was down"),
        Example(
            .gapStarted, nil, ["reason": "link_lost", "from": "2026-03-01T20:15:04.043456Z"],
            "not observed from here on: link was lost"),
        Example(
            .gapEnded, nil, ["reason": "recorder_down", "seconds": 11.2],
            "not observed for 11.2 s: recorder was down"),
        Example(
            .gapEnded, nil, ["reason": "frames_lost", "count": 7, "seconds": 0.4],
            "not observed for 0.4 s: 7 frames lost"),
        Example(
            .gapEnded, nil, ["reason": "device_excluded", "seconds": 11.2],
            "not observed for 11.2 s: left out by the recorder's rules"),
    ]

    static let receiver: [Example] = [
        Example(
            .appStarted, nil, ["appId": "CC1AD845", "displayName": "Default Media Receiver"],
            "app started: Default Media Receiver [receiver]"),
        Example(.appStopped, ["appId": "00C0FFEE"], nil, "app ended: 00C0FFEE [receiver]"),
        Example(
            .appStarted, nil, ["appId": "MultizoneLeader", "placeholder": true],
            "app started: placeholder of a group, Group leader [receiver]"),
        Example(
            .appReplaced, ["displayName": "YouTube"], ["displayName": "Spotify"],
            "app YouTube replaced by Spotify [receiver]"),
        Example(.idleScreenShown, nil, ["appId": "E8C28D3C"], "idle screen shown [receiver]"),
        Example(
            .appStatusTextChanged, ["statusText": ""], ["statusText": "Now Casting"],
            "app says \"Now Casting\" [receiver]"),
        Example(.appStatusTextChanged, ["statusText": "x"], nil, "app says nothing [receiver]"),
        Example(.senderConnectedChanged, nil, ["senderConnected": true], "app has a sender [receiver]"),
        Example(
            .senderConnectedChanged, ["senderConnected": true], ["senderConnected": false],
            "app has no sender [receiver]"),
        Example(
            .senderConnectedChanged, ["senderConnected": true], nil,
            "app no longer says whether it has a sender [receiver]"),
        Example(.deviceVolumeChanged, ["level": 0.4], ["level": 0.3], "volume 40% to 30% [receiver]"),
        Example(.deviceVolumeChanged, nil, ["level": 0.225], "volume unknown to 22.5% [receiver]"),
        Example(.deviceMuteChanged, ["muted": false], ["muted": true], "muted [receiver]"),
        Example(.deviceMuteChanged, ["muted": true], ["muted": false], "unmuted [receiver]"),
        Example(.standbyChanged, ["isStandBy": false], ["isStandBy": true], "in standby [receiver]"),
        Example(.standbyChanged, ["isStandBy": true], ["isStandBy": false], "out of standby [receiver]"),
        Example(.activeInputChanged, nil, ["isActiveInput": true], "active input of the TV [receiver]"),
        Example(.activeInputChanged, nil, ["isActiveInput": false], "not the active input of the TV [receiver]"),
        Example(.launchStatus, nil, ["status": "USER_ALLOWED"], "launch: USER_ALLOWED [receiver]"),
        Example(.launchError, nil, ["reason": "NOT_FOUND"], "launch failed: NOT_FOUND [receiver]"),
    ]

    static let media: [Example] = [
        Example(
            .mediaSessionStarted, nil,
            ["playerState": "BUFFERING", "media": ["contentId": "http://x/a.mp4", "metadata": ["title": "A film"]]],
            "media session began: \"A film\", buffering [receiver]"),
        Example(.mediaSessionStarted, nil, ["playerState": "IDLE"], "media session began, idle [receiver]"),
        Example(
            .mediaSessionEnded, ["playerState": "PLAYING"], ["playerState": "IDLE", "idleReason": "FINISHED"], at: 3723,
            "media session ended, finished at 1:02:03 [receiver]"),
        Example(
            .mediaSessionEnded, nil, ["idleReason": "CANCELLED"],
            "media session ended, stopped [receiver]"),
        Example(
            .mediaSessionEnded, nil, ["idleReason": "INTERRUPTED"],
            "media session ended, replaced by other media [receiver]"),
        Example(.mediaSessionEnded, nil, ["idleReason": "ERROR"], "media session ended, failed [receiver]"),
        Example(.mediaSessionEnded, ["playerState": "PLAYING"], nil, "media session ended [receiver]"),
        Example(
            .mediaLoading, nil, ["media": ["contentId": "http://x/a.mp4"]], "loading \"http://x/a.mp4\" [receiver]"),
        Example(
            .mediaChanged, ["metadata": ["title": "A film"]], ["metadata": ["title": "Another"]],
            "media \"A film\" to \"Another\" [receiver]"),
        Example(.mediaChanged, ["contentId": "a"], nil, "media \"a\" to none [receiver]"),
        Example(
            .mediaReasserted, ["contentId": "a"], ["contentId": "a"], at: 61,
            "media sent again: \"a\" at 1:01 [receiver]"),
        Example(
            .metadataChanged, ["metadata": ["title": "Song 1"]], ["metadata": ["title": "Song 2"]],
            "title \"Song 1\" to \"Song 2\" [receiver]"),
        Example(
            .metadataChanged, ["streamType": "NONE"], ["streamType": "BUFFERED"],
            "media details changed: streamType [receiver]"),
        Example(.durationChanged, nil, ["duration": 3723.5], "duration unknown to 1:02:03 [receiver]"),
        Example(
            .playerStateChanged, ["playerState": "PLAYING"], ["playerState": "PAUSED"], at: 10.9,
            "paused at 0:10 [receiver]"),
        Example(.playerStateChanged, nil, ["playerState": "PLAYING"], "playing [receiver]"),
        Example(.playerStateChanged, nil, ["playerState": "BUFFERING"], "buffering [receiver]"),
        Example(.playerStateChanged, nil, ["playerState": "IDLE"], "idle [receiver]"),
        Example(.playerStateChanged, nil, ["playerState": "LOADING"], "loading [receiver]"),
        Example(.playerStateChanged, nil, ["playerState": "DREAMING"], "player state DREAMING [receiver]"),
        Example(.seeked, ["currentTime": 10.2], ["currentTime": 60.0], at: 60, "seeked from 0:10 to 1:00 [receiver]"),
        Example(
            .seeked, ["currentTime": 190.0], ["currentTime": 0.0, "restart": true],
            "seeked from 3:10 to 0:00, the same media from its start [receiver]"),
        Example(
            .playbackRateChanged, ["playbackRate": 1], ["playbackRate": 1.5], at: 5,
            "playback rate 1 to 1.5 at 0:05 [receiver]"),
        Example(.streamVolumeChanged, ["level": 1], ["level": 0.5], "stream volume 100% to 50% [receiver]"),
        Example(.streamVolumeChanged, ["muted": false], ["muted": true], "stream muted [receiver]"),
        Example(
            .streamVolumeChanged, ["level": 1, "muted": true], ["level": 0.5, "muted": false],
            "stream unmuted, stream volume 100% to 50% [receiver]"),
        Example(
            .liveRangeChanged, nil, ["liveSeekableRange": ["start": 0, "end": 3600]],
            "live range now 0:00 to 1:00:00 [receiver]"),
        Example(
            .liveRangeChanged, nil, ["liveSeekableRange": ["start": 0, "end": 60], "edge": "stands"],
            "live range now 0:00 to 1:00, its edge stands [receiver]"),
        Example(
            .liveRangeChanged, ["liveSeekableRange": ["start": 0, "end": 59, "isLiveDone": false]],
            ["liveSeekableRange": ["start": 0, "end": 60, "isLiveDone": true]],
            "live range now 0:00 to 1:00, the broadcast is over [receiver]"),
        Example(
            .videoInfoChanged, nil, ["videoInfo": ["width": 1280, "height": 720, "hdrType": "sdr"]],
            "video now 1280x720 sdr [receiver]"),
        Example(
            .supportedCommandsChanged, ["supportedMediaCommands": 15], ["supportedMediaCommands": 274_447],
            "supported commands: now edit tracks, playback rate, stream transfer [receiver]"),
        // 29 is Pandora's: all of 15 but seek, and a legacy skip.
        Example(
            .supportedCommandsChanged, ["supportedMediaCommands": 15], ["supportedMediaCommands": 29],
            "supported commands: now skip forward, no longer seek [receiver]"),
        Example(
            .supportedCommandsChanged, nil, ["supportedMediaCommands": 3], "supported commands: pause, seek [receiver]"),
        Example(.supportedCommandsChanged, nil, ["supportedMediaCommands": 0], "supported commands: none [receiver]"),
        Example(
            .supportedCommandsChanged, ["supportedMediaCommands": 15], ["supportedMediaCommands": 1_048_591],
            "supported commands: now 1048576 [receiver]"),
        Example(
            .supportedCommandsChanged, ["supportedMediaCommands": 15], nil, "supported commands: unknown [receiver]"),
        Example(
            .mediaError, nil,
            ["type": "LOAD_FAILED", "detailedErrorCode": 104, "errorName": "MEDIA_SRC_NOT_SUPPORTED"],
            "media error: LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED [receiver]"),
    ]

    static let tracksAndOther: [Example] = [
        Example(
            .trackListChanged, nil, ["tracks": [["trackId": 1], ["trackId": 2]]], "track list: 2 tracks [receiver]"),
        Example(.trackListChanged, nil, ["tracks": [["trackId": 1]]], "track list: 1 track [receiver]"),
        Example(
            .activeTracksChanged, ["activeTrackIds": []], ["activeTrackIds": [1, 12]], at: 65,
            "active tracks none to 1+12 at 1:05 [receiver]"),
        Example(.activeTracksChanged, nil, ["activeTrackIds": []], "active tracks unknown to none [receiver]"),
        Example(
            .activeTracksChanged, ["activeTrackIds": [1], "tracks": [["trackId": 1, "name": "Commentary"]]],
            ["activeTrackIds": [2, 7], "tracks": [["trackId": 2, "language": "de"], ["trackId": 7]]],
            "active tracks 1 Commentary to 2 de+7 [receiver]"),
        Example(
            .textTrackStyleChanged, ["textTrackStyle": ["fontScale": 1, "edgeType": "NONE"]],
            ["textTrackStyle": ["fontScale": 1.5, "edgeType": "NONE", "foregroundColor": "#FFFFFFFF"]],
            "text track style changed: fontScale 1 to 1.5, foregroundColor to #FFFFFFFF [receiver]"),
        Example(
            .textTrackStyleChanged, ["textTrackStyle": ["fontScale": 1]], ["textTrackStyle": nil],
            "text track style changed: none [receiver]"),
        Example(.textTrackStyleReasserted, nil, nil, at: 1, "text track style sent again at 0:01 [receiver]"),
        Example(
            .customMessage, nil, ["namespace": "urn:x-cast:com.example", "type": "TICK", "size": 42],
            "app message TICK on urn:x-cast:com.example, 42 bytes [receiver]"),
        Example(
            .customMessage, nil, ["namespace": "urn:x-cast:com.example", "size": 42, "suppressed": 9],
            "app message on urn:x-cast:com.example, 42 bytes, 9 before it not told [receiver]"),
        Example(
            .malformedPayload, nil, ["why": "not JSON", "size": 3], "unreadable message: not JSON [receiver]"),
    ]

    static let queueAdsAndGroups: [Example] = [
        Example(
            .queueChanged, nil, ["changeType": "INSERT", "itemIds": [4, 5], "sequenceNumber": 7],
            "queue insert, 2 items [receiver]"),
        Example(
            .queueChanged, nil, ["changeType": "REMOVE", "itemIds": [4], "missed": 2],
            "queue remove, 1 item, changes missed before it: 2 [receiver]"),
        Example(
            .queueChanged, ["window": [1, 2, 3]], ["window": [1, 3, 2], "reordered": true],
            "queue in another order [receiver]"),
        Example(
            .queueChanged, ["window": [1, 2, 3]], ["window": [1, 8, 9, 3], "inserted": [8, 9], "removed": [2]],
            "queue: 2 items inserted, 1 item removed [receiver]"),
        Example(.queueChanged, ["shuffle": false], ["shuffle": true], "queue shuffled [receiver]"),
        Example(.queueChanged, ["shuffle": true], ["shuffle": false], "queue no longer shuffled [receiver]"),
        Example(.queueChanged, ["name": "Morning"], ["name": "Evening"], "queue now \"Evening\" [receiver]"),
        Example(
            .queueItemChanged, ["currentItemId": 1],
            ["currentItemId": 2, "media": ["metadata": ["title": "Second"]]], at: 0,
            "queue item 1 to 2 \"Second\" at 0:00 [receiver]"),
        Example(
            .repeatModeChanged, ["repeatMode": "REPEAT_OFF"], ["repeatMode": "REPEAT_ALL"],
            "repeat mode from REPEAT_OFF to REPEAT_ALL [receiver]"),
        Example(
            .breakStarted, nil, ["source": "break_status", "breakId": "b1", "breakClipId": "c1", "title": "Soap"],
            at: 60, "ad break began: \"Soap\" at 1:00 [receiver]"),
        Example(.breakStarted, nil, ["source": "ima"], "ad break began [receiver]"),
        Example(
            .breakClipChanged, ["breakClipId": "c1"], ["breakId": "b1", "breakClipId": "c2"],
            "next ad of the break: \"c2\" [receiver]"),
        Example(.breakEnded, ["breakId": "b1"], nil, "ad break ended: \"b1\" [receiver]"),
        Example(
            .groupMemberAdded, nil, ["deviceId": "ab", "name": "Kitchen"], "group member added: \"Kitchen\" [receiver]"),
        Example(
            .groupMemberUpdated, ["deviceId": "ab", "name": "Kitchen", "volume": ["level": 0.3]],
            ["deviceId": "ab", "name": "Kitchen", "volume": ["level": 0.4]],
            "group member \"Kitchen\", volume 40% [receiver]"),
        Example(.groupMemberRemoved, ["deviceId": "ab"], nil, "group member removed: \"ab\" [receiver]"),
        Example(
            .playbackSessionChanged, nil, ["appAllowsGrouping": true], "group playback changed [receiver]"),
        Example(.playbackSessionChanged, ["appAllowsGrouping": true], nil, "group playback ended [receiver]"),
        Example(.stormStarted, nil, ["frames": 150, "seconds": 1], "storm of messages began: 150 frames in 1.0 s"),
        Example(.stormEnded, nil, ["frames": 1800, "seconds": 9], "storm of messages ended: 1800 frames in 9.0 s"),
        Example(.identityVerified, nil, ["hash": "SHA256"], "identity verified: SHA256"),
        Example(.identityFailed, nil, ["why": "nonce not echoed"], "identity not verified: nonce not echoed"),
    ]

    static let examples = deviceAndGaps + unnamedApps + receiver + media + tracksAndOther + queueAdsAndGroups

    @Test(arguments: examples)
    func `says what happened in one clause, and who caused it`(example: Example) {
        let isOurs = Wording.isOurOwnObservation(example.kind)
        let event = changeEvent(
            example.kind, before: example.before, after: example.after, attribution: isOurs ? .unknown : .receiver,
            positionSeconds: example.positionSeconds)
        #expect(Timeline.sentence(for: event) == example.sentence)
    }

    @Test func `is pinned for every kind`() {
        let pinned = Set(Self.examples.map(\.kind))
        let missing = ChangeEvent.Kind.allCases.filter { !pinned.contains($0) }
        #expect(missing.isEmpty, "\(missing)")
    }
}
