import CastModel
import Differ
import Recording

/// What is known of the conflicts of a device as JSON, for the checkpoint.
extension DeviceConflicts {
    /// The version of the form below and in the other coding files; another one is refused.
    private static let formVersion: Int64 = 1

    /// The whole state as JSON.
    ///
    /// What is nil, empty or as usual is left out.
    var json: JSONValue {
        let told = Board.Subject.allCases.compactMap { subject in boards[subject].map { (subject, $0) } }
            .filter { $0.1 != Board() }
        return .stored([
            ("version", .integer(Self.formVersion)), ("platform", platformHands.json), ("senders", appHands.json),
            ("appSession", .stored(appSessionID?.text)),
            ("boards", .stored(unlessEmpty: told.map { subject, board in board.json(subject) })),
            ("level", .stored(volume.level)), ("muted", volume.isMuted.map { .bool($0) }),
            ("paused", player.isPaused.map { .bool($0) }), ("resuming", player.resuming?.json),
            ("app", stage.app?.json), ("media", stage.media?.json), ("interrupted", stage.interrupted?.json),
            ("inBreak", .stored(unlessFalse: isInBreak)), ("breakAt", .stored(breakAt)),
        ])
    }

    /// The state that ``json`` wrote.
    init(deviceID: DeviceID, json: JSONValue) throws(ConflictsError) {
        let fields = try StoredFields(json, of: deviceID, "form")
        guard try fields.integer("version") == Self.formVersion else {
            throw .unreadableState(deviceID, field: "version")
        }
        self.init(deviceID: deviceID)
        platformHands = try Hands(fields.nested("platform"))
        appHands = try Hands(fields.nested("senders"))
        appSessionID = try fields.text("appSession").map { AppSessionID($0) }
        for board in try fields.each("boards") {
            let subject: Board.Subject = try fields.required(try board.word("subject"), "subject")
            boards[subject] = try Board(board)
        }
        volume.level = try fields.number("level")
        if fields.value("muted") != nil { volume.isMuted = try fields.flag("muted") }
        if fields.value("paused") != nil { player.isPaused = try fields.flag("paused") }
        player.resuming = try fields.nested("resuming").map(Doer.init)
        stage.app = try fields.nested("app").map(Stage.App.init)
        stage.media = try fields.nested("media").map(Stage.Media.init)
        stage.interrupted = try fields.nested("interrupted").map(Stage.Interrupted.init)
        isInBreak = try fields.flag("inBreak")
        breakAt = try fields.moment("breakAt")
    }
}

extension Hands {
    /// Nil when nobody is known.
    fileprivate var json: JSONValue? {
        guard self != Hands() else { return nil }
        return .stored([
            ("count", .integer(count)),
            (
                "hands",
                .array(
                    hands.map { hand in
                        .stored([
                            ("number", .integer(hand.number)), ("series", .stored(hand.series)),
                            ("id", .integer(hand.lastID)), ("at", .stored(hand.lastAt)),
                            ("earlier", .stored(unlessEmpty: hand.earlierIDs.map { .integer($0) })),
                        ])
                    })
            ),
        ])
    }

    fileprivate init(_ fields: StoredFields?) throws(ConflictsError) {
        guard let fields else { return }
        count = try fields.integer("count") ?? 0
        for hand in try fields.each("hands") {
            hands.append(
                Hand(
                    number: try fields.required(try hand.integer("number"), "number"),
                    series: try hand.integer("series").map { Int32(clamping: $0) },
                    lastID: try fields.required(try hand.integer("id"), "id"),
                    lastAt: try fields.required(try hand.moment("at"), "at"),
                    earlierIDs: try hand.list("earlier").compactMap { $0.lossyInteger }))
        }
    }
}

extension Doer {
    var json: JSONValue {
        .stored([
            ("hand", .stored(unlessZero: hand)), ("series", .stored(series)), ("id", .stored(requestID)),
            ("at", .stored(at)),
        ])
    }

    init(_ fields: StoredFields) throws(ConflictsError) {
        self.init(
            hand: try fields.integer("hand") ?? 0, series: try fields.integer("series").map { Int32(clamping: $0) },
            requestID: try fields.integer("id"), at: try fields.required(try fields.moment("at"), "at"))
    }
}

extension Stage.App {
    fileprivate var json: JSONValue {
        .stored([
            ("session", .stored(appSessionID?.text)), ("name", .stored(name)), ("launch", .stored(launchID)),
            ("tellsSenders", .stored(unlessFalse: tellsSenders)),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(ConflictsError) {
        self.init(
            appSessionID: try fields.text("session").map { AppSessionID($0) }, name: try fields.text("name"),
            launchID: try fields.integer("launch"), tellsSenders: try fields.flag("tellsSenders"))
    }
}

extension Stage.Media {
    fileprivate var json: JSONValue {
        .stored([
            ("session", .stored(mediaSessionID)), ("title", .stored(title)), ("phase", .string(phase.rawValue)),
            ("since", .stored(phaseSince)), ("lastPhase", .string(lastPhase.rawValue)),
            ("lastSince", .stored(lastPhaseSince)), ("idleReason", .stored(idleReason)), ("endedBy", endedBy?.json),
            ("endedIn", endedIn?.stored), ("holder", holder?.json), ("load", .stored(loadID)),
            ("adopted", .stored(unlessFalse: isAdopted)), ("awaitsLoader", .stored(unlessFalse: awaitsLoader)),
            ("left", .stored(unlessFalse: isLeft)),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(ConflictsError) {
        self.init(
            mediaSessionID: try fields.integer("session"), title: try fields.text("title"),
            phase: try fields.required(try fields.word("phase"), "phase"),
            phaseSince: try fields.required(try fields.moment("since"), "since"),
            lastPhase: try fields.required(try fields.word("lastPhase"), "lastPhase"),
            lastPhaseSince: try fields.required(try fields.moment("lastSince"), "lastSince"),
            idleReason: try fields.text("idleReason"), endedBy: try fields.nested("endedBy").map(Doer.init),
            endedIn: try fields.id("endedIn"), holder: try fields.nested("holder").map(Doer.init),
            loadID: try fields.integer("load"), isAdopted: try fields.flag("adopted"),
            awaitsLoader: try fields.flag("awaitsLoader"), isLeft: try fields.flag("left"))
    }
}

extension Stage.Interrupted {
    fileprivate var json: JSONValue {
        .stored([
            ("media", media.json), ("app", .stored(appName)), ("launch", .stored(launchID)),
            ("tellsSenders", .stored(unlessFalse: tellsSenders)), ("session", .stored(appSessionID?.text)),
            ("at", .stored(at)), ("byApp", .stored(unlessFalse: isByApp)), ("next", .stored(nextName)),
            ("sureness", .stored(launchSureness)), ("evidence", .array(evidence.map(\.stored))),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(ConflictsError) {
        self.init(
            media: try Stage.Media(fields.required(try fields.nested("media"), "media")),
            appName: try fields.text("app"), launchID: try fields.integer("launch"),
            tellsSenders: try fields.flag("tellsSenders"),
            appSessionID: try fields.text("session").map { AppSessionID($0) },
            at: try fields.required(try fields.moment("at"), "at"), isByApp: try fields.flag("byApp"),
            nextName: try fields.text("next"), launchSureness: try fields.number("sureness"),
            evidence: try fields.ids("evidence"))
    }
}
