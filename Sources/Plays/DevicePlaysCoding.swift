import CastModel
import Differ
import Recording

/// What is known of the plays of a device as JSON, for the checkpoint.
extension DevicePlays {
    /// The version of the form below and in OpenPlayCoding.swift; another one is refused.
    private static let formVersion: Int64 = 2

    /// The whole state as JSON.
    ///
    /// What is nil, empty or as usual is left out.
    var json: JSONValue {
        .stored([
            ("version", .integer(Self.formVersion)), ("apps", .stored(unlessEmpty: apps.map(\.json))),
            ("open", .stored(unlessEmpty: open.map(\.json))), ("recent", .stored(unlessEmpty: recent.map(\.json))),
            ("standBy", isStandBy.map { .bool($0) }), ("activeInput", isActiveInput.map { .bool($0) }),
            ("members", .stored(unlessEmpty: memberIDs.map { .string($0.text) })),
        ])
    }

    /// The state that ``json`` wrote.
    init(deviceID: DeviceID, json: JSONValue) throws(PlaysError) {
        let fields = try StoredFields(json, of: deviceID, "form")
        guard try fields.integer("version") == Self.formVersion else {
            throw .unreadableState(deviceID, field: "version")
        }
        self.init(deviceID: deviceID)
        for app in try fields.list("apps") { apps.append(try RunningApp(StoredFields(app, of: deviceID, "apps"))) }
        for play in try fields.list("open") { open.append(try OpenPlay(StoredFields(play, of: deviceID, "open"))) }
        for play in try fields.list("recent") {
            recent.append(try OpenPlay(StoredFields(play, of: deviceID, "recent")))
        }
        isStandBy = try fields.flag("standBy")
        isActiveInput = try fields.flag("activeInput")
        memberIDs = try fields.list("members").compactMap { $0.string.map { DeviceID($0) } }
    }
}

extension DevicePlays.RunningApp {
    var json: JSONValue {
        .stored([
            ("session", .stored(appSessionID?.text)), ("app", .stored(appID?.text)), ("name", .stored(name)),
            ("cloud", .stored(unlessFalse: isFromCloud)), ("noPlayer", .stored(unlessFalse: isNoPlayer)),
            ("breakSince", .stored(breakSince)), ("breakEnded", .stored(breakEndedAt)),
        ])
    }

    init(_ fields: StoredFields) throws(PlaysError) {
        self.init(
            appSessionID: try fields.text("session").map { AppSessionID($0) },
            appID: try fields.text("app").map { AppID($0) }, name: try fields.text("name"),
            isFromCloud: try fields.flag("cloud") ?? false, isNoPlayer: try fields.flag("noPlayer") ?? false,
            breakSince: try fields.moment("breakSince"), breakEndedAt: try fields.moment("breakEnded"))
    }
}

extension TimeSpent {
    var json: JSONValue {
        .stored([
            ("played", .stored(unlessZero: played)), ("paused", .stored(unlessZero: paused)),
            ("buffering", .stored(unlessZero: buffering)), ("ad", .stored(unlessZero: advertisement)),
            ("inactive", .stored(unlessZero: inputInactive)), ("gap", .stored(unlessZero: gap)),
        ])
    }

    init(_ fields: StoredFields?) throws(PlaysError) {
        guard let fields else { return }
        played = try fields.integer("played") ?? 0
        paused = try fields.integer("paused") ?? 0
        buffering = try fields.integer("buffering") ?? 0
        advertisement = try fields.integer("ad") ?? 0
        inputInactive = try fields.integer("inactive") ?? 0
        gap = try fields.integer("gap") ?? 0
    }
}

extension PlayContent {
    var json: JSONValue {
        .stored([
            ("contentId", .stored(contentID)), ("contentUrl", .stored(contentURL)), ("entity", .stored(entity)),
            ("title", .stored(title)), ("series", .stored(seriesTitle)), ("season", .stored(season)),
            ("episode", .stored(episode)), ("artist", .stored(artist)), ("album", .stored(album)),
            ("contentType", .stored(contentType)), ("streamType", .stored(streamType)),
            ("duration", .stored(durationSeconds)),
        ])
    }

    init(_ fields: StoredFields?) throws(PlaysError) {
        self.init()
        guard let fields else { return }
        contentID = try fields.text("contentId")
        contentURL = try fields.text("contentUrl")
        entity = try fields.text("entity")
        title = try fields.text("title")
        seriesTitle = try fields.text("series")
        season = try fields.integer("season")
        episode = try fields.integer("episode")
        artist = try fields.text("artist")
        album = try fields.text("album")
        contentType = try fields.text("contentType")
        streamType = try fields.text("streamType")
        durationSeconds = try fields.number("duration")
    }
}
