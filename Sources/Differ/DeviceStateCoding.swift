import CastModel
import Recording

/// Device states as JSON, for the checkpoint.
extension DeviceState {
    /// The version of the form below; another one is refused.
    private static let formVersion: Int64 = 4

    /// The whole state as JSON.
    ///
    /// What is nil or empty is left out.
    var json: JSONValue {
        let announced = announcement.map { announcement in
            JSONObject(known: [
                ("name", announcement.name.map { .string($0) }), ("model", announcement.model.map { .string($0) }),
                ("addresses", .array(announcement.addresses.map { .string($0) })),
                ("port", .integer(Int64(announcement.port))), ("group", announcement.isGroup ? true : nil),
            ])
        }
        return .object(
            JSONObject(known: [
                ("version", .integer(Self.formVersion)), ("announcement", announced.map { .object($0) }),
                ("withdrawn", isWithdrawn ? true : nil), ("link", link.map { .integer($0.number) }),
                ("attachMode", attachMode.map { .string($0.rawValue) }), ("linkUnknown", linkIsUnknown ? true : nil),
                ("gapFrom", openGap.map { .integer($0.from.microseconds) }),
                ("gapReason", openGap.map { .string($0.reason) }),
                ("recorderBack", openGap?.recorderBackAt.map { .integer($0.microseconds) }),
                ("accounted", accountedUntil.map { .integer($0.microseconds) }),
                ("ourRequests", ourRequestIDs.isEmpty ? nil : .array(ourRequestIDs.map { .integer($0) })),
                ("receiverKnown", receiverIsKnown ? true : nil), ("level", volumeLevel.map { .number($0) }),
                ("muted", isMuted.map { .bool($0) }), ("standBy", isStandBy.map { .bool($0) }),
                ("activeInput", isActiveInput.map { .bool($0) }),
                ("apps", apps.isEmpty ? nil : .array(apps.map { .object($0.json) })),
                ("multizone", multizone.stateJSON), ("gates", gates.stateJSON), ("storm", storm.stateJSON),
                ("noted", noted.stateJSON),
                ("transports", transports.isEmpty ? nil : .array(transports.map { $0.stateJSON })),
                ("identity", identity.stateJSON),
                (
                    "left",
                    leftTransports.isEmpty ? nil : .array(leftTransports.map { .string($0.text) })
                ),
                ("transportsForgotten", transportsForgotten == 0 ? nil : .integer(Int64(transportsForgotten))),
            ]))
    }

    /// The state that ``json`` wrote.
    init(deviceID: DeviceID, json: JSONValue) throws(DifferError) {
        let fields = try StateFields(json, of: deviceID, "form")
        guard try fields.integer("version") == Self.formVersion else { throw fields.unreadable("version") }
        self.init(deviceID: deviceID)
        if let announced = try fields.nested("announcement") {
            guard let port = UInt16(exactly: try announced.required("port")) else { throw announced.unreadable("port") }
            announcement = Announcement(
                name: try announced.text("name"), model: try announced.text("model"),
                addresses: try announced.list("addresses").compactMap { $0.string }, port: port,
                isGroup: try announced.flag("group") ?? false)
        }
        isWithdrawn = try fields.flag("withdrawn") ?? false
        link = try fields.integer("link").map { LinkNumber($0) }
        attachMode = try fields.text("attachMode").flatMap { AttachMode(rawValue: $0) }
        linkIsUnknown = try fields.flag("linkUnknown") ?? false
        if let from = try fields.integer("gapFrom"), let reason = try fields.text("gapReason") {
            let back = try fields.integer("recorderBack").map { WallTime(microseconds: $0) }
            openGap = OpenGap(from: WallTime(microseconds: from), reason: reason, recorderBackAt: back)
        }
        accountedUntil = try fields.integer("accounted").map { WallTime(microseconds: $0) }
        ourRequestIDs = try fields.list("ourRequests").compactMap { $0.lossyInteger }
        receiverIsKnown = try fields.flag("receiverKnown") ?? false
        volumeLevel = try fields.number("level")
        isMuted = try fields.flag("muted")
        isStandBy = try fields.flag("standBy")
        isActiveInput = try fields.flag("activeInput")
        apps = try fields.list("apps").compactMap { $0.object.map { ReceiverApp($0) } }
        if let told = try fields.nested("multizone") { multizone = try MultizoneState(told) }
        if let told = try fields.nested("gates") { gates = try MessageGates(told) }
        if let told = try fields.nested("storm") { storm = try StormWatch(told) }
        noted = NotedWords(try fields.list("noted"))
        for transport in try fields.list("transports") {
            transports.append(try AppTransport(StateFields(transport, of: deviceID, "transports")))
        }
        leftTransports = try fields.list("left").compactMap { $0.string.map { TransportID($0) } }
        if let proven = try fields.nested("identity") { identity = try DeviceIdentityState(proven) }
        transportsForgotten = Int(clamping: try fields.integer("transportsForgotten") ?? 0)
    }
}

extension AppTransport {
    var stateJSON: JSONValue {
        .object(
            JSONObject(known: [
                ("id", .string(transportID.text)), ("known", isKnown ? true : nil),
                (
                    "textBreak",
                    textBreak.map { .object(JSONObject(known: [("seconds", $0.contentSeconds.map { .number($0) })])) }
                ),
                ("sessions", mediaSessions.isEmpty ? nil : .array(mediaSessions.map { $0.stateJSON })),
                ("senders", senders.stateJSON),
            ]))
    }

    init(_ fields: StateFields) throws(DifferError) {
        guard let id = try fields.text("id") else { throw fields.unreadable("id") }
        self.init(transportID: TransportID(id))
        isKnown = try fields.flag("known") ?? false
        if let told = try fields.nested("textBreak") {
            textBreak = TextBreak(contentSeconds: try told.number("seconds"))
        }
        for mediaSession in try fields.list("sessions") {
            mediaSessions.append(try MediaSession(StateFields(mediaSession, of: fields.deviceID, "sessions")))
        }
        if let stored = try fields.nested("senders") { senders = try SenderSeries(stored) }
    }
}

extension MediaSession {
    var stateJSON: JSONValue {
        .object(
            JSONObject(known: [
                ("id", mediaSessionID.map { .integer($0) }), ("playerState", playerState.map { .string($0.raw) }),
                ("ended", endedBecause.map { .string($0.raw) }), ("superseded", wasSuperseded ? true : nil),
                ("loading", isLoading ? true : nil), ("awaitsMedia", awaitsMedia ? true : nil),
                ("media", media.map { .object($0) }), ("mediaItem", mediaItemID.map { .integer($0) }),
                ("mediaHash", mediaHash.map { .string(Fingerprint.text($0)) }),
                ("mediaPayload", mediaPayload.map { .string(Fingerprint.text($0)) }),
                ("rate", playbackRate.map { .number($0) }), ("commands", supportedMediaCommands.map { .integer($0) }),
                ("level", volumeLevel.map { .number($0) }), ("muted", isMuted.map { .bool($0) }),
                ("activeTracks", activeTrackIDs.map { .array($0.map { .integer($0) }) }),
                ("item", currentItemID.map { .integer($0) }), ("queue", queue.stateJSON),
                ("videoInfo", videoInfo.map { .object($0) }), ("liveRange", liveRange.map { .object($0) }),
                ("liveEdge", liveEdge?.stateJSON), ("liveEdgeStands", liveEdgeStands ? true : nil),
                ("adBreak", adBreak.map { .object($0) }), ("anchor", anchor?.stateJSON),
                ("stalled", isStalled ? true : nil),
            ]))
    }

    init(_ fields: StateFields) throws(DifferError) {
        self.init(mediaSessionID: try fields.integer("id"))
        playerState = try fields.text("playerState").map { PlayerState($0) }
        endedBecause = try fields.text("ended").map { IdleReason($0) }
        wasSuperseded = try fields.flag("superseded") ?? false
        isLoading = try fields.flag("loading") ?? false
        awaitsMedia = try fields.flag("awaitsMedia") ?? false
        media = try fields.object("media")
        mediaItemID = try fields.integer("mediaItem")
        mediaHash = try fields.hash("mediaHash")
        mediaPayload = try fields.hash("mediaPayload")
        playbackRate = try fields.number("rate")
        supportedMediaCommands = try fields.integer("commands")
        volumeLevel = try fields.number("level")
        isMuted = try fields.flag("muted")
        if let tracks = try fields.optionalList("activeTracks") {
            activeTrackIDs = tracks.compactMap { $0.lossyInteger }
        }
        currentItemID = try fields.integer("item")
        if let told = try fields.nested("queue") { queue = try KnownQueue(told) }
        videoInfo = try fields.object("videoInfo")
        liveRange = try fields.object("liveRange")
        if let told = try fields.nested("liveEdge") { liveEdge = try PositionAnchor(told) }
        liveEdgeStands = try fields.flag("liveEdgeStands") ?? false
        adBreak = try fields.object("adBreak")
        if let told = try fields.nested("anchor") { anchor = try PositionAnchor(told) }
        isStalled = try fields.flag("stalled") ?? false
    }
}

extension PositionAnchor {
    var stateJSON: JSONValue {
        .object(
            JSONObject(known: [
                ("seconds", .number(seconds)), ("monotonic", .integer(monotonic.nanoseconds)), ("boot", .string(boot)),
                ("liveEnd", liveEndSeconds.map { .number($0) }),
            ]))
    }

    init(_ fields: StateFields) throws(DifferError) {
        guard let seconds = try fields.number("seconds"), let boot = try fields.text("boot") else {
            throw fields.unreadable("seconds")
        }
        self.init(
            seconds: seconds, monotonic: MonotonicTime(nanoseconds: try fields.required("monotonic")), boot: boot,
            liveEndSeconds: try fields.number("liveEnd"))
    }
}
