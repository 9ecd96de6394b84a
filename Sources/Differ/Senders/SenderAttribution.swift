import CastModel
import CastWire
import Recording

/// Where messages meet the inference of who asked.
extension DeviceState {
    /// Which sender a message's requestId belongs to, when it is one that some sender asked for.
    ///
    /// Only the app's media messages teach anything: their ids come from the counters that senders use towards the app. A
    /// receiver status may bear an id of another counter (some senders keep one per namespace), so it gets the number of
    /// the running app session's sender that alone fits, and teaches nothing. Our own ids, 0 and absent belong to nobody;
    /// a broadcast with an id of ours is somebody's request all the same, and whose is unclear.
    mutating func senderSeries(
        of message: CastMessage, _ payload: Payload, isFirst: Bool, at: WallTime
    ) -> Int32? {
        guard let id = payload.requestID, id > 0, !ourRequestIDs.contains(id) else { return nil }
        switch message.namespace {
        case .receiver:
            guard !isFirst else { return nil }
            let running = transports.filter { transport in
                apps.contains { $0.transportID == transport.transportID }
            }
            return running.count == 1 ? running.first?.senders.fitting(id, at: at) : nil
        case .media:
            let transportID = TransportID(message.sourceID)
            guard let index = transports.firstIndex(where: { $0.transportID == transportID }) else { return nil }
            let appSessionID = appSession(of: transportID)
            if transports[index].senders.appSessionID != appSessionID {
                transports[index].senders = SenderSeries(appSessionID: appSessionID)
            }
            switch payload.type {
            case PayloadType.error?, PayloadType.loadFailed?, PayloadType.loadCancelled?, PayloadType.invalidRequest?,
                PayloadType.invalidPlayerState?:
                return transports[index].senders.asker(of: id)
            case PayloadType.mediaStatus?, PayloadType.queueChange?, nil:
                let known = transports[index].mediaSessions
                let number = transports[index].senders.take(id, at: at) {
                    MediaStatusMessage.statuses(in: payload.json).contains { $0.isLoad(after: known) }
                }
                return isFirst ? nil : number
            default: return nil
            }
        default: return nil
        }
    }
}

extension AppTransport {
    /// Whether a LOAD or a queue step still owes its media.
    var owesMedia: Bool { mediaSessions.last.map { $0.awaitsMedia || $0.isLoading } ?? false }
}

extension MediaStatus {
    /// Whether the status begins or completes a LOAD, given the media sessions known before it.
    fileprivate func isLoad(after known: [MediaSession]) -> Bool {
        if isLoading { return true }
        guard case .value(let id) = mediaSessionID else { return false }
        guard let before = known.last(where: { $0.mediaSessionID == id }) else { return true }
        return before.isLoading
    }
}
