import CastModel
import CastWire
import Recording

/// How statuses begin and end an ad break (PROTOCOL 4.7, 6.4).
extension MediaSession {
    /// Folds the ad break of a status.
    ///
    /// A status without a break says that none runs (PROTOCOL 4.10, rule 4). That an ad may be skipped from now on is no
    /// change: the ad said so when it began.
    mutating func foldAdBreak(_ status: MediaStatus, into events: inout EventCollector) {
        let told = Self.adBreak(in: status, of: media)
        defer { adBreak = told }
        guard let known = adBreak else {
            if let told { events.add(.breakStarted, after: .object(told), callbacks: [.mediaStatus]) }
            return
        }
        guard let told, told["source"] == known["source"], told["breakId"] == known["breakId"] else {
            events.add(.breakEnded, before: .object(known), callbacks: [.mediaStatus])
            if let told { events.add(.breakStarted, after: .object(told), callbacks: [.mediaStatus]) }
            return
        }
        if told["breakClipId"] != known["breakClipId"] {
            events.add(
                .breakClipChanged, before: .object(known), after: .object(told), callbacks: [.mediaStatus])
        }
    }

    /// Ends the ad break, if one runs, because its media session ends.
    mutating func endAdBreak(into events: inout EventCollector) {
        guard let adBreak else { return }
        events.add(.breakEnded, before: .object(adBreak), callbacks: [.mediaStatus])
        self.adBreak = nil
    }

    /// What YouTube says in `customData.playerState` while an ad plays.
    private static let youTubeAdvertisement: Int64 = 1081

    /// The break that runs by a status, as events show it; nil when none does.
    private static func adBreak(in status: MediaStatus, of media: JSONObject?) -> JSONObject? {
        if case .value(let told) = status.breakStatus, !told.json.pairs.isEmpty {
            let clipID = told.breakClipID.ifPresent
            let clip =
                clipID == nil
                ? nil
                : media.map { MediaInformation($0) }?.breakClips.ifPresent?.first {
                    $0.breakClipID.ifPresent == clipID
                }
            let whenSkippable = told.whenSkippableSeconds.ifPresent ?? clip?.whenSkippableSeconds.ifPresent
            return JSONObject(known: [
                ("source", "break_status"), ("breakId", told.breakID.ifPresent.map { .string(Redaction.redacted($0)) }),
                ("breakClipId", clipID.map { .string(Redaction.redacted($0)) }),
                ("title", clip?.title.ifPresent.map { .string(Redaction.redacted($0)) }),
                ("whenSkippable", whenSkippable.map { .number($0) }),
            ])
        }
        guard case .value(let custom) = status.customData,
            custom.integerField("playerState") == .value(youTubeAdvertisement)
        else { return nil }
        return JSONObject([("source", "youtube")])
    }
}

/// How the texts of the IMA libraries begin and end an ad break.
extension AppTransport {
    /// Folds such a text; false when it means nothing here.
    ///
    /// The break is the app's, not a media session's: such apps stop the content for an ad and load it again afterwards.
    /// Positions start anew on both sides, since the ad may have had a clock of its own.
    mutating func fold(
        _ text: AdvertisementText, at monotonic: MonotonicTime, boot: String, into events: inout EventCollector
    )
        -> Bool
    {
        let running = mediaSessions.lastIndex { !$0.hasEnded }
        events.mediaSessionID = running.flatMap { mediaSessions[$0].mediaSessionID }
        switch text {
        case .contentPauses(let seconds):
            if textBreak != nil { return true }
            let position = running.flatMap { mediaSessions[$0].position(at: monotonic, boot: boot) }
            textBreak = TextBreak(contentSeconds: seconds)
            events.positionSeconds = seconds ?? position
            events.add(.breakStarted, after: ["source": "ima"])
        case .contentResumes:
            guard let textBreak else { return false }
            events.positionSeconds = textBreak.contentSeconds
            events.add(.breakEnded, before: ["source": "ima"])
            self.textBreak = nil
        }
        if let running { mediaSessions[running].anchor = nil }
        return true
    }

    /// An ad break that a text began.
    struct TextBreak: Equatable {
        /// Where the content paused, in seconds; nil when the text did not say.
        var contentSeconds: Double?
    }
}

extension DeviceState {
    /// Folds a message that is such a text, whatever its namespace; false when it is not.
    mutating func foldAdvertisement(_ message: CastMessage, of record: Record, into events: inout EventCollector)
        -> Bool
    {
        guard let utf8 = message.textBytes, let text = AdvertisementText(utf8) else { return false }
        let transportID = TransportID(message.sourceID)
        // An end of nothing makes no place for its sender among the apps.
        if case .contentResumes = text, !transports.contains(where: { $0.transportID == transportID }) { return false }
        events.appSessionID = appSession(of: transportID)
        return transports[transportIndex(transportID)].fold(
            text, at: record.monotonic, boot: record.boot, into: &events)
    }
}
