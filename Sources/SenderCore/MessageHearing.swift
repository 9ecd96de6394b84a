public import CastModel
public import CastWire

extension HeardMessage {
    /// Reads from a message what our sender needs.
    ///
    /// What cannot be understood is a sign of life and no more: the archive keeps the message as it came.
    public init(hearing message: CastMessage, with parser: JSONParser) {
        self.init(from: message.sourceID, to: message.destinationID, Self.content(of: message, parser))
    }

    private static func content(of message: CastMessage, _ parser: JSONParser) -> Content {
        switch message.namespace {
        case .heartbeat:
            return says(pingLetters, message.payloadBytes)
                ? .ping : says(pongLetters, message.payloadBytes) ? .pong : .other
        case .connection:
            return payload(message, parser)?.type == .close ? .close : .other
        case .receiver:
            guard let payload = payload(message, parser), payload.type == .receiverStatus,
                let status = ReceiverStatus(in: payload)
            else { return .other }
            return .receiverStatus((status.applications.ifPresent ?? []).compactMap { RunningApp($0) })
        case .media:
            guard let payload = payload(message, parser), payload.type == .mediaStatus else { return .other }
            return .mediaStatus(MediaStatusMessage.statuses(in: payload.json).map { MediaFacts($0) })
        case .discovery:
            guard let payload = payload(message, parser), let information = DeviceInformation(payload) else {
                return .other
            }
            return .deviceInformation(information)
        default:
            return .other
        }
    }

    /// Whether a heartbeat says a word: asked of every heartbeat of every device, hence over plain bytes.
    private static func says(_ letters: [UInt8], _ payload: [UInt8]) -> Bool {
        var matched = 0
        for byte in payload {
            // No letter of either word comes twice, so after a mismatch only the first one can begin it anew.
            matched = byte == letters[matched] ? matched + 1 : byte == letters[0] ? 1 : 0
            if matched == letters.count { return true }
        }
        return false
    }

    private static let pingLetters = Array("PING".utf8)
    private static let pongLetters = Array("PONG".utf8)

    private static func payload(_ message: CastMessage, _ parser: JSONParser) -> Payload? {
        guard let bytes = message.textBytes else { return nil }
        return try? Payload(parsing: bytes, with: parser)
    }
}

extension RunningApp {
    /// Nil when the app does not say which it is: it can then not be told from a placeholder or a denied app.
    init?(_ app: ReceiverApp) {
        guard let appID = app.appID else { return nil }
        self.init(
            appID: appID, universalAppID: app.universalAppID, name: brief(app.displayName.ifPresent),
            transport: app.transportID, offersMedia: app.offersMedia, isIdleScreen: app.isIdleScreen,
            isGroupPlaceholder: app.isGroupPlaceholder, senderConnected: app.senderConnected.ifPresent)
    }
}

extension MediaFacts {
    init(_ status: MediaStatus) {
        let media = status.media.ifPresent
        self.init(
            mediaSessionID: status.mediaSessionID.ifPresent, playerState: status.playerState.ifPresent,
            positionSeconds: status.currentTimeSeconds.ifPresent, playbackRate: status.playbackRate.ifPresent,
            hasMedia: media != nil, durationSeconds: media?.knownDurationSeconds, isLoading: status.isLoading,
            title: brief(media?.metadata.ifPresent?.displayTitle))
    }
}

extension DeviceInformation {
    /// Nil when it does not name the device.
    init?(_ payload: Payload) {
        guard let spelling = payload.json.textField("deviceId").ifPresent, !spelling.isEmpty,
            spelling.utf8.count <= PermittedMessage.endpointLimitBytes
        else { return nil }
        self.init(
            deviceID: DeviceID(spelling), name: brief(payload.json.textField("friendlyName").ifPresent),
            model: brief(payload.json.textField("deviceModel").ifPresent),
            capabilities: payload.json.integerField("deviceCapabilities").ifPresent)
    }
}

/// A text for people, cut to 256 characters, since we keep it for as long as the device lives; nil when empty.
private func brief(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    // Scalars, since one character may have a thousand accents.
    return String(text.unicodeScalars.prefix(256))
}
