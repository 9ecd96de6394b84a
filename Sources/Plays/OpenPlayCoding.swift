import CastModel
import Differ
import Recording

/// An open play as JSON, for the checkpoint.
extension OpenPlay {
    var json: JSONValue {
        .stored([
            ("play", play.json), ("mediaSession", .stored(mediaSessionID)), ("sign", .stored(unlessFalse: hasSign)),
            ("begun", .stored(unlessFalse: hasBegun)), ("phase", .string(playerPhase.rawValue)),
            ("phaseSince", .stored(phaseSince)), ("break", .stored(unlessFalse: isInBreak)),
            ("appBreak", .stored(unlessFalse: isInAppBreak)), ("adInstead", .stored(unlessFalse: isAdInstead)),
            ("suspectedAd", .stored(unlessFalse: isSuspectedAd)), ("duration", .stored(toldDurationSeconds)),
            ("changedOverIn", changedOverIn.map { .integer($0.number) }),
            ("awaitsMedia", .stored(unlessFalse: awaitsMedia)), ("loadRequest", .stored(loadRequestID)),
            ("rate", rate == 1 ? nil : .number(rate)), ("anchor", .stored(anchorSeconds)),
            ("anchorAt", .stored(anchorAt)), ("absence", absence.map(\.json)), ("ending", ending.map(\.json)),
            ("spans", .stored(unlessZero: Int64(spans.nextNumber))), ("span", spans.open.map(\.json)),
        ])
    }

    init(_ fields: StoredFields) throws(PlaysError) {
        self.init(play: try Play(try fields.required(try fields.nested("play"), "play")))
        mediaSessionID = try fields.integer("mediaSession")
        hasSign = try fields.flag("sign") ?? false
        hasBegun = try fields.flag("begun") ?? false
        playerPhase = try fields.required(try fields.word("phase"), "phase")
        phaseSince = try fields.required(try fields.moment("phaseSince"), "phaseSince")
        isInBreak = try fields.flag("break") ?? false
        isInAppBreak = try fields.flag("appBreak") ?? false
        isAdInstead = try fields.flag("adInstead") ?? false
        isSuspectedAd = try fields.flag("suspectedAd") ?? false
        toldDurationSeconds = try fields.number("duration")
        changedOverIn = try fields.integer("changedOverIn").map { ArchivePosition($0) }
        awaitsMedia = try fields.flag("awaitsMedia") ?? false
        loadRequestID = try fields.integer("loadRequest")
        rate = try fields.number("rate") ?? 1
        anchorSeconds = try fields.number("anchor")
        anchorAt = try fields.required(try fields.moment("anchorAt"), "anchorAt")
        absence = try fields.nested("absence").map { (nested) throws(PlaysError) in try Absence(nested) }
        ending = try fields.nested("ending").map { (nested) throws(PlaysError) in try Ending(nested) }
        let count = try fields.number32("spans") ?? 0
        spans = SpanTail(
            open: try fields.nested("span").map { (nested) throws(PlaysError) in
                try Play.Span(nested, number: count)
            }, nextNumber: count)
    }
}

extension OpenPlay.Absence {
    fileprivate var json: JSONValue {
        .stored([
            ("from", .stored(from)), ("reason", .string(reason)), ("told", .stored(toldAt)),
            ("resumed", .stored(resumedAt)), ("before", before.json),
            ("spansBefore", .stored(unlessZero: Int64(spansBefore))),
            ("stretches", .stored(unlessEmpty: stretches.map(\.json))),
            ("restFrom", restFrom == from ? nil : .stored(restFrom)),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(PlaysError) {
        self.init(
            from: try fields.required(try fields.moment("from"), "from"),
            reason: try fields.required(try fields.text("reason"), "reason"),
            toldAt: try fields.required(try fields.moment("told"), "told"),
            before: try TimeSpent(try fields.nested("before")), spansBefore: try fields.number32("spansBefore") ?? 0)
        resumedAt = try fields.moment("resumed")
        for stretch in try fields.list("stretches") {
            stretches.append(try Stretch(StoredFields(stretch, of: fields.deviceID, "stretches")))
        }
        restFrom = try fields.moment("restFrom") ?? from
    }
}

extension OpenPlay.Absence.Stretch {
    fileprivate var json: JSONValue { .stored([("from", .stored(from)), ("to", .stored(to))]) }

    fileprivate init(_ fields: StoredFields) throws(PlaysError) {
        self.init(
            from: try fields.required(try fields.moment("from"), "from"),
            to: try fields.required(try fields.moment("to"), "to"))
    }
}

extension Play.Span {
    fileprivate var json: JSONValue {
        .stored([
            ("from", .stored(from)), ("to", .stored(to)), ("phase", .string(phase.rawValue)),
            ("inactive", .stored(unlessFalse: isInputInactive)),
        ])
    }

    fileprivate init(_ fields: StoredFields, number: Int32) throws(PlaysError) {
        self.init(
            number: number, from: try fields.required(try fields.moment("from"), "from"),
            to: try fields.required(try fields.moment("to"), "to"),
            phase: try fields.required(try fields.word("phase"), "phase"),
            isInputInactive: try fields.flag("inactive") ?? false)
    }
}

extension OpenPlay.Ending {
    fileprivate var json: JSONValue {
        .stored([
            ("record", .integer(record.number)), ("attribution", .string(attribution.rawValue)),
            ("break", .stored(unlessFalse: isInBreak)), ("inSession", .stored(unlessFalse: isInSession)),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(PlaysError) {
        self.init(
            record: ArchivePosition(try fields.required(try fields.integer("record"), "record")),
            attribution: try fields.required(try fields.word("attribution"), "attribution"),
            isInBreak: try fields.flag("break") ?? false, isInSession: try fields.flag("inSession") ?? false)
    }
}

extension Play {
    fileprivate var json: JSONValue {
        .stored([
            ("id", .stored(id)), ("appSession", .stored(appSessionID?.text)), ("mediaSession", .stored(mediaSessionID)),
            ("item", .stored(queueItemID)), ("app", .stored(appID?.text)), ("appName", .stored(appName)),
            ("content", content.json), ("started", .stored(startedAt)), ("cause", .string(startCause.rawValue)),
            ("ended", .stored(endedAt)), ("reason", .stored(endReason?.rawValue)),
            ("uncertain", .stored(unlessFalse: endIsUncertain)), ("counted", .stored(countedAt)), ("time", time.json),
            ("first", .stored(firstPositionSeconds)), ("last", .stored(lastPositionSeconds)),
            ("max", .stored(maxPositionSeconds)), ("seeks", .stored(unlessZero: seeks)),
            ("tracks", .stored(unlessEmpty: tracks.map(\.json))),
            ("members", .stored(unlessEmpty: memberIDs.map { .string($0.text) })),
            ("from", .stored(continuedFrom)), ("in", .stored(continuedIn)),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(PlaysError) {
        self.init(
            id: try fields.required(try fields.id("id"), "id"), deviceID: fields.deviceID,
            startedAt: try fields.required(try fields.moment("started"), "started"),
            countedAt: try fields.required(try fields.moment("counted"), "counted"))
        appSessionID = try fields.text("appSession").map { AppSessionID($0) }
        mediaSessionID = try fields.integer("mediaSession")
        queueItemID = try fields.integer("item")
        appID = try fields.text("app").map { AppID($0) }
        appName = try fields.text("appName")
        content = try PlayContent(try fields.nested("content"))
        startCause = try fields.required(try fields.word("cause"), "cause")
        endedAt = try fields.moment("ended")
        endReason = try fields.word("reason")
        endIsUncertain = try fields.flag("uncertain") ?? false
        time = try TimeSpent(try fields.nested("time"))
        firstPositionSeconds = try fields.number("first")
        lastPositionSeconds = try fields.number("last")
        maxPositionSeconds = try fields.number("max")
        seeks = try fields.integer("seeks") ?? 0
        for interval in try fields.list("tracks") {
            tracks.append(try TrackInterval(StoredFields(interval, of: deviceID, "tracks")))
        }
        memberIDs = try fields.list("members").compactMap { $0.string.map { DeviceID($0) } }
        continuedFrom = try fields.id("from")
        continuedIn = try fields.id("in")
    }
}

extension Play.TrackInterval {
    fileprivate var json: JSONValue {
        .stored([
            ("from", .stored(from)), ("to", .stored(to)),
            ("ids", .stored(unlessEmpty: trackIDs.map { .integer($0) })),
            ("languages", .stored(unlessEmpty: languages.map { .string($0) })), ("text", .stored(unlessFalse: hasText)),
        ])
    }

    fileprivate init(_ fields: StoredFields) throws(PlaysError) {
        self.init(
            from: try fields.required(try fields.moment("from"), "from"), to: try fields.moment("to"),
            trackIDs: try fields.list("ids").compactMap { $0.lossyInteger },
            languages: try fields.list("languages").compactMap { $0.string },
            hasText: try fields.flag("text") ?? false)
    }
}
