import CastModel
import CastWire

/// What an app of the IMA kind is about to show.
enum Advertising: Sendable, Equatable {
    case none
    /// An ad was asked for at this position of the content, in seconds.
    case requested(atSeconds: Double)
    /// An ad is shown; the content is loaded again from there.
    case showing(JSONObject, fromSeconds: Double)
}

/// Ads as the IMA sample shows them: plain text on a namespace of their own, and content that is stopped and loaded again
/// (PROTOCOL 6.4).
extension ReceiverMachine {
    /// How long an ad is.
    static let advertisementDuration: Duration = .seconds(3)

    /// A message that is no JSON.
    mutating func appText(_ message: CastMessage, from link: LinkNumber, at now: Duration) -> [Effect] {
        guard let app, app.isReady, message.destinationID == app.transportID, message.namespace == SimulatedApp.ima,
            app.app.namespaces.contains(SimulatedApp.ima), let bytes = message.textBytes
        else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        // The address of the ad may hold commas: the last one stands before the time.
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.first == "requestAd", parts.count >= 3, let seconds = parts.last.flatMap({ Double($0) }),
            seconds.isFinite
        else {
            let answer = CastMessage(
                from: app.transportID, to: message.sourceID, SimulatedApp.ima, text: "Message not recognized")
            return [.send(answer, to: link)]
        }
        self.app?.advertising = .requested(atSeconds: seconds)
        return advertisementDue(at: now)
    }

    /// Time to look whether an ad begins or ends.
    mutating func advertisementDue(at now: Duration) -> [Effect] {
        guard let app else { return [] }
        switch app.advertising {
        case .none: return []
        case .requested(let seconds):
            guard case .loaded(let playback)? = app.media?.phase else {
                // Nothing plays yet; its content may come.
                return [.arm(.advertisement, after: Self.tickInterval)]
            }
            let position = playback.positionSeconds(at: now)
            guard position >= seconds else {
                return [.arm(.advertisement, after: .seconds(min(max(0.1, seconds - position), 3600)))]
            }
            self.app?.advertising = .showing(playback.media, fromSeconds: position)
            return say("onContentPauseRequested,\(position)", from: app)
                + mediaRequest(
                    ["type": "STOP", "requestId": 0, "mediaSessionId": .count(playback.mediaSessionID)], at: now)
                + [.arm(.advertisement, after: Self.advertisementDuration)]
        case .showing(let media, let position):
            self.app?.advertising = .none
            return say("onContentResumeRequested", from: app)
                + mediaRequest(
                    [
                        "type": "LOAD", "requestId": 0, "media": .object(media),
                        "currentTime": .javaScript(position),
                    ], at: now)
        }
    }

    private func say(_ text: String, from app: AppRun) -> [Effect] {
        let message = CastMessage(
            from: app.transportID, to: CastMessage.broadcastDestination, SimulatedApp.ima, text: text)
        return audience(of: app.transportID).map { .send(message, to: $0) }
    }
}
