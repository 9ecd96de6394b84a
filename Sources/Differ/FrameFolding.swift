import CastModel
import CastWire
import Recording

/// How a frame changes what is known of a device.
extension DeviceState {
    /// Folds a frame of this device; true when its state changed.
    mutating func fold(
        _ frame: RecordedFrame, of record: Record, with parser: JSONParser, into events: inout EventCollector
    ) -> Bool {
        let message = frame.message
        guard frame.direction == .inbound else { return foldOutbound(message, with: parser) }
        lastObservedAt = record.at
        guard message.namespace != .heartbeat else { return foldStorm(heartbeat: record, into: &events) }
        guard !foldStorm(message, of: record, into: &events) else { return true }
        // A late word of an app that has left changes nothing any more (PROTOCOL 4.10, rule 1).
        guard !leftTransports.contains(TransportID(message.sourceID)) else { return true }
        if foldAdvertisement(message, of: record, into: &events) { return true }
        switch message.namespace {
        case .media: foldMedia(message, of: record, with: parser, into: &events)
        case .receiver: foldReceiver(message, of: record, with: parser, into: &events)
        case .multizone: foldMultizone(message, of: record, with: parser, into: &events)
        // Told of elsewhere: the archive has them.
        case .connection, .discovery, .setup:
            if let payload = try? payload(of: message, with: parser) { note(payload, of: message, into: &events) }
        default: foldCustom(message, of: record, with: parser, into: &events)
        }
        return true
    }

    /// Bytes that are no message.
    func foldMalformed(_ malformed: MalformedFrame, into events: inout EventCollector) {
        events.add(
            .malformedPayload,
            after: JSONObject(known: [
                ("why", .string(malformed.why)), ("size", .integer(Int64(malformed.bytes.count))),
                ("fnv1a", fingerprintShown(malformed.bytes)),
            ]).unlessEmpty)
    }

    /// Remembers the questions we ask, to know their answers again.
    private mutating func foldOutbound(_ message: CastMessage, with parser: JSONParser) -> Bool {
        guard [.media, .receiver, .multizone].contains(message.namespace),
            let payload = try? payload(of: message, with: parser), payload.type == .getStatus,
            let requestID = payload.requestID
        else { return false }
        if ourRequestIDs.count >= Self.requestLimit { ourRequestIDs.removeFirst() }
        ourRequestIDs.append(requestID)
        return true
    }

    private mutating func foldMultizone(
        _ message: CastMessage, of record: Record, with parser: JSONParser, into events: inout EventCollector
    ) {
        guard let payload = read(message, with: parser, into: &events) else { return }
        attribute(
            message, payload, isFirst: payload.type == .multizoneStatus && !multizone.isKnown, into: &events)
        if !foldMultizone(payload, into: &events) { tellCustom(message, payload, of: record, into: &events) }
    }

    private mutating func foldReceiver(
        _ message: CastMessage, of record: Record, with parser: JSONParser, into events: inout EventCollector
    ) {
        guard let payload = read(message, with: parser, into: &events) else { return }
        attribute(message, payload, isFirst: payload.type == .receiverStatus && !receiverIsKnown, into: &events)
        switch payload.type {
        case PayloadType.receiverStatus?:
            guard let status = ReceiverStatus(in: payload) else {
                tellMalformed(message, why: "RECEIVER_STATUS without a status", into: &events)
                return
            }
            fold(status, into: &events)
        case PayloadType.launchStatus?:
            events.add(.launchStatus, after: payload.json.only(["status"]).map { Redaction.redacted($0) })
        case PayloadType.launchError?:
            events.add(
                .launchError,
                after: payload.json.only(["reason", "extendedError", "error"]).map { Redaction.redacted($0) })
        default: tellCustom(message, payload, of: record, into: &events)
        }
    }

    private mutating func foldMedia(
        _ message: CastMessage, of record: Record, with parser: JSONParser, into events: inout EventCollector
    ) {
        let transportID = TransportID(message.sourceID)
        events.appSessionID = appSession(of: transportID)
        guard let payload = read(message, with: parser, into: &events) else { return }
        // Some apps leave the type away.
        let type = payload.type ?? (payload.json["playerState"] == nil ? nil : .mediaStatus)
        switch type {
        case PayloadType.mediaStatus?:
            let index = transportIndex(transportID)
            let isFirst = !transports[index].isKnown
            let isOurAnswer = attribute(message, payload, isFirst: isFirst, into: &events)
            let arrival = MediaArrival(
                monotonic: record.monotonic, boot: record.boot, requestID: payload.requestID, isOurAnswer: isOurAnswer,
                isBroadcast: message.destinationID == CastMessage.broadcastDestination, isFirst: isFirst,
                payload: message.payloadBytes)
            let owedMedia = transports[index].owesMedia
            transports[index].fold(MediaStatusMessage.statuses(in: payload.json), arrival, into: &events)
            transports[index].senders.settle(
                payload.requestID, owedMedia: owedMedia, owesMedia: transports[index].owesMedia)
        case PayloadType.error?, PayloadType.loadFailed?, PayloadType.loadCancelled?, PayloadType.invalidRequest?,
            PayloadType.invalidPlayerState?:
            attribute(message, payload, isFirst: false, into: &events)
            events.add(.mediaError, after: payload.mediaErrorShown)
        case PayloadType.queueChange?:
            attribute(message, payload, isFirst: false, into: &events)
            transports[transportIndex(transportID)].foldQueueChange(payload, into: &events)
        case PayloadType.queueItemIDs?, PayloadType.queueItems?:
            transports[transportIndex(transportID)].takeQueueAnswer(payload)
        default:
            attribute(message, payload, isFirst: false, into: &events)
            tellCustom(message, payload, of: record, into: &events)
        }
    }

    /// An app's own message.
    private mutating func foldCustom(
        _ message: CastMessage, of record: Record, with parser: JSONParser, into events: inout EventCollector
    ) {
        events.appSessionID = appSession(of: TransportID(message.sourceID))
        let payload = try? payload(of: message, with: parser)
        if let payload { attribute(message, payload, isFirst: false, into: &events) }
        tellCustom(message, payload, of: record, into: &events)
    }

    /// Says who caused a message (DESIGN 4); true when it answers our own question.
    @discardableResult
    private mutating func attribute(
        _ message: CastMessage, _ payload: Payload, isFirst: Bool, into events: inout EventCollector
    ) -> Bool {
        let requestID = payload.requestID
        let isOurAnswer =
            message.destinationID != CastMessage.broadcastDestination
            && (requestID.map { ourRequestIDs.contains($0) } ?? false)
        events.requestID = requestID
        events.isForEverybody = !isOurAnswer
        events.attribution =
            if isOurAnswer || isFirst {
                .snapshot
            } else {
                switch requestID {
                case nil: .unknown
                case 0?: .receiver
                case _?: .senderRequest
                }
            }
        if !isOurAnswer {
            events.senderSeries = senderSeries(of: message, payload, isFirst: isFirst, at: events.at)
        }
        return isOurAnswer
    }

    private func payload(of message: CastMessage, with parser: JSONParser) throws(PayloadError) -> Payload {
        guard let text = message.textBytes else { throw .notText }
        return try Payload(parsing: text, with: parser)
    }

    private mutating func read(
        _ message: CastMessage, with parser: JSONParser, into events: inout EventCollector
    ) -> Payload? {
        do {
            let payload = try payload(of: message, with: parser)
            note(payload, of: message, into: &events)
            return titles.map { Payload($0.redacted(payload.json)) } ?? payload
        } catch {
            tellMalformed(message, why: error.description, into: &events)
            return nil
        }
    }

    /// What is not understood of one message, at most: the rest of it will be no better.
    private static let noteLimit = 256

    /// Notes what of a message is not understood.
    private mutating func note(_ payload: Payload, of message: CastMessage, into events: inout EventCollector) {
        KnownWords.look(at: payload, on: message.namespace) { subject, word in
            guard events.notUnderstood.count < Self.noteLimit else { return }
            events.notUnderstood.append(noted.admit(subject, message.namespace.urn, word))
        }
    }
}
