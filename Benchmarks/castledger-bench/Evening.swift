import CastModel
import CastWire
import Recording

/// Observations of a made-up evening: statuses as devices send them, with a heartbeat for every status.
struct Evening {
    let devices: Int
    private var moment: Int64 = 1_772_395_200_000_000  // 2026-03-01T20:00:00Z

    init(devices: Int) { self.devices = devices }

    /// The next statuses of all devices, one each, and their heartbeats.
    mutating func nextRound(_ round: Int) -> [Observation] {
        var observations: [Observation] = []
        observations.reserveCapacity(devices * 2)
        for index in 0..<devices {
            moment += 5_000
            let id = DeviceID("0123456789abcdef0123456789ab" + String(1000 + index))
            observations.append(observation(id, .heartbeat, from: "receiver-0", to: "sender-0", #"{"type":"PONG"}"#))
            let status = mediaStatus(device: index, round: round)
            observations.append(observation(id, .media, from: "transport-\(index)", to: "*", status))
        }
        return observations
    }

    /// The beginning: every link comes up and every device says what it runs.
    mutating func beginning() -> [Observation] {
        (0..<devices).flatMap { index -> [Observation] in
            let id = DeviceID("0123456789abcdef0123456789ab" + String(1000 + index))
            let opened = LinkOpened(
                device: id, link: LinkNumber(Int64(index + 1)), address: "192.0.2.1", port: 8009, tlsVersion: "TLSv1.3",
                cipher: "TLS_AES_256_GCM_SHA384", peerCertificate: [1, 2, 3], attachMode: .invisible)
            let app =
                #"{"requestId":0,"type":"RECEIVER_STATUS","status":{"applications":[{"appId":"CC1AD845","displayName":"#
                + #""Default Media Receiver","isIdleScreen":false,"sessionId":"transport-\#(index)","transportId":"#
                + #""transport-\#(index)","statusText":"","namespaces":[{"name":"urn:x-cast:com.google.cast.media"}]}],"#
                + #""volume":{"level":0.5,"muted":false,"controlType":"attenuation","stepInterval":0.05}}}"#
            return [
                Observation(at: WallTime(microseconds: moment), monotonic: monotonic, .linkOpened(opened)),
                observation(id, .receiver, from: "receiver-0", to: "*", app),
            ]
        }
    }

    private var monotonic: MonotonicTime { MonotonicTime(nanoseconds: (moment - 1_772_395_200_000_000) * 1000) }

    private func observation(
        _ device: DeviceID, _ namespace: Namespace, from source: String, to destination: String, _ text: String
    ) -> Observation {
        let message = CastMessage(from: source, to: destination, namespace, text: text)
        let frame = RecordedFrame(device: device, link: LinkNumber(1), direction: .inbound, message: message)
        return Observation(at: WallTime(microseconds: moment), monotonic: monotonic, .frame(frame))
    }

    /// Mostly nothing new; every fifth status a pause or a resume, every twentieth with media and a style.
    private func mediaStatus(device: Int, round: Int) -> String {
        let paused = (round / 5 + device) % 2 == 0
        let media =
            (round + device) % 20 == 0
            ? ##","media":{"contentId":"https://media.example/\##(device)/film.mp4","contentType":"video/mp4","streamType":"##
                + ##""BUFFERED","duration":5400,"metadata":{"metadataType":1,"title":"Film \##(device)","images":[{"url":"##
                + ##""https://media.example/\##(device)/poster.jpg"}]},"tracks":[{"trackId":1,"type":"TEXT","language":"##
                + ##""en"},{"trackId":2,"type":"TEXT","language":"de"}],"textTrackStyle":{"foregroundColor":"#FFFFFFFF"}}"##
            : ""
        return
            #"{"type":"MEDIA_STATUS","requestId":\#(paused ? round : 0),"status":[{"mediaSessionId":1,"playbackRate":1,"#
            + #""playerState":"\#(paused ? "PAUSED" : "PLAYING")","currentTime":\#(round).25,"supportedMediaCommands":12303,"#
            + #""volume":{"level":1,"muted":false},"activeTrackIds":[1],"currentItemId":1,"repeatMode":"REPEAT_OFF"\#(media)}]}"#
    }
}
