import CastModel
import Testing

/// What a field says: one of the three things that must never turn into each other (DESIGN 1, promise 6).
private enum Shape: Equatable {
    case absent, null, value

    init<Value>(_ field: Field<Value>) {
        self =
            switch field {
            case .absent: .absent
            case .null: .null
            case .value: .value
            }
    }
}

/// One field of the model: its key, a value that it takes, and how it is read.
private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let key: String
    let sample: JSONValue
    let read: @Sendable (JSONObject) -> Shape

    init(_ name: String, _ key: String, _ sample: JSONValue, _ read: @escaping @Sendable (JSONObject) -> Shape) {
        (testDescription, self.key, self.sample, self.read) = (name, key, sample, read)
    }
}

@Suite("Absent, null and a value")
struct FieldTests {
    private static let cases: [Case] = [
        Case("MediaInformation.contentID", "contentId", "a") { Shape(MediaInformation($0).contentID) },
        Case("MediaInformation.contentURL", "contentUrl", "a") { Shape(MediaInformation($0).contentURL) },
        Case("MediaInformation.entity", "entity", "a") { Shape(MediaInformation($0).entity) },
        Case("MediaInformation.contentType", "contentType", "a") { Shape(MediaInformation($0).contentType) },
        Case("MediaInformation.streamType", "streamType", "PLAYING") { Shape(MediaInformation($0).streamType) },
        Case("MediaInformation.durationSeconds", "duration", 1.5) { Shape(MediaInformation($0).durationSeconds) },
        Case("MediaInformation.metadata", "metadata", [:]) { Shape(MediaInformation($0).metadata) },
        Case("MediaInformation.textTrackStyle", "textTrackStyle", [:]) { Shape(MediaInformation($0).textTrackStyle) },
        Case("MediaInformation.customData", "customData", "a") { Shape(MediaInformation($0).customData) },
        Case("MediaInformation.tracks", "tracks", [[:]]) { Shape(MediaInformation($0).tracks) },
        Case("Track.trackID", "trackId", 7) { Shape(Track($0).trackID) },
        Case("Track.type", "type", "PLAYING") { Shape(Track($0).type) },
        Case("Track.subtype", "subtype", "PLAYING") { Shape(Track($0).subtype) },
        Case("Track.language", "language", "a") { Shape(Track($0).language) },
        Case("Track.name", "name", "a") { Shape(Track($0).name) },
        Case("Track.trackContentType", "trackContentType", "a") { Shape(Track($0).trackContentType) },
        Case("Track.trackContentID", "trackContentId", "a") { Shape(Track($0).trackContentID) },
        Case("MediaMetadata.metadataType", "metadataType", 7) { Shape(MediaMetadata($0).metadataType) },
        Case("MediaMetadata.title", "title", "a") { Shape(MediaMetadata($0).title) },
        Case("MediaMetadata.subtitle", "subtitle", "a") { Shape(MediaMetadata($0).subtitle) },
        Case("MediaMetadata.artist", "artist", "a") { Shape(MediaMetadata($0).artist) },
        Case("MediaMetadata.albumName", "albumName", "a") { Shape(MediaMetadata($0).albumName) },
        Case("MediaMetadata.albumArtist", "albumArtist", "a") { Shape(MediaMetadata($0).albumArtist) },
        Case("MediaMetadata.composer", "composer", "a") { Shape(MediaMetadata($0).composer) },
        Case("MediaMetadata.songName", "songName", "a") { Shape(MediaMetadata($0).songName) },
        Case("MediaMetadata.trackNumber", "trackNumber", 7) { Shape(MediaMetadata($0).trackNumber) },
        Case("MediaMetadata.discNumber", "discNumber", 7) { Shape(MediaMetadata($0).discNumber) },
        Case("MediaMetadata.seriesTitle", "seriesTitle", "a") { Shape(MediaMetadata($0).seriesTitle) },
        Case("MediaMetadata.season", "season", 7) { Shape(MediaMetadata($0).season) },
        Case("MediaMetadata.episode", "episode", 7) { Shape(MediaMetadata($0).episode) },
        Case("MediaMetadata.studio", "studio", "a") { Shape(MediaMetadata($0).studio) },
        Case("MediaMetadata.releaseDate", "releaseDate", "a") { Shape(MediaMetadata($0).releaseDate) },
        Case("MediaMetadata.bookTitle", "bookTitle", "a") { Shape(MediaMetadata($0).bookTitle) },
        Case("MediaMetadata.chapterTitle", "chapterTitle", "a") { Shape(MediaMetadata($0).chapterTitle) },
        Case("MediaStatus.mediaSessionID", "mediaSessionId", 7) { Shape(MediaStatus($0).mediaSessionID) },
        Case("MediaStatus.playerState", "playerState", "PLAYING") { Shape(MediaStatus($0).playerState) },
        Case("MediaStatus.idleReason", "idleReason", "PLAYING") { Shape(MediaStatus($0).idleReason) },
        Case("MediaStatus.currentTimeSeconds", "currentTime", 1.5) { Shape(MediaStatus($0).currentTimeSeconds) },
        Case("MediaStatus.playbackRate", "playbackRate", 1.5) { Shape(MediaStatus($0).playbackRate) },
        Case("MediaStatus.supportedMediaCommands", "supportedMediaCommands", 7) {
            Shape(MediaStatus($0).supportedMediaCommands)
        },
        Case("MediaStatus.volume", "volume", [:]) { Shape(MediaStatus($0).volume) },
        Case("MediaStatus.media", "media", [:]) { Shape(MediaStatus($0).media) },
        Case("MediaStatus.activeTracks", "activeTrackIds", [1]) { Shape(MediaStatus($0).activeTracks) },
        Case("MediaStatus.currentItemID", "currentItemId", 7) { Shape(MediaStatus($0).currentItemID) },
        Case("MediaStatus.loadingItemID", "loadingItemId", 7) { Shape(MediaStatus($0).loadingItemID) },
        Case("MediaStatus.preloadedItemID", "preloadedItemId", 7) { Shape(MediaStatus($0).preloadedItemID) },
        Case("MediaStatus.items", "items", [[:]]) { Shape(MediaStatus($0).items) },
        Case("MediaStatus.queueData", "queueData", [:]) { Shape(MediaStatus($0).queueData) },
        Case("MediaStatus.repeatMode", "repeatMode", "PLAYING") { Shape(MediaStatus($0).repeatMode) },
        Case("MediaStatus.videoInfo", "videoInfo", [:]) { Shape(MediaStatus($0).videoInfo) },
        Case("MediaStatus.breakStatus", "breakStatus", [:]) { Shape(MediaStatus($0).breakStatus) },
        Case("MediaStatus.liveSeekableRange", "liveSeekableRange", [:]) { Shape(MediaStatus($0).liveSeekableRange) },
        Case("MediaStatus.extendedStatus", "extendedStatus", [:]) { Shape(MediaStatus($0).extendedStatus) },
        Case("MediaStatus.customData", "customData", "a") { Shape(MediaStatus($0).customData) },
        Case("QueueItem.itemID", "itemId", 7) { Shape(QueueItem($0).itemID) },
        Case("QueueItem.media", "media", [:]) { Shape(QueueItem($0).media) },
        Case("QueueData.shuffle", "shuffle", true) { Shape(QueueData($0).shuffle) },
        Case("QueueData.repeatMode", "repeatMode", "PLAYING") { Shape(QueueData($0).repeatMode) },
        Case("BreakStatus.breakID", "breakId", "a") { Shape(BreakStatus($0).breakID) },
        Case("BreakStatus.breakClipID", "breakClipId", "a") { Shape(BreakStatus($0).breakClipID) },
        Case("BreakStatus.whenSkippableSeconds", "whenSkippable", 1.5) {
            Shape(BreakStatus($0).whenSkippableSeconds)
        },
        Case("BreakClip.breakClipID", "id", "a") { Shape(BreakClip($0).breakClipID) },
        Case("BreakClip.title", "title", "a") { Shape(BreakClip($0).title) },
        Case("BreakClip.whenSkippableSeconds", "whenSkippable", 1.5) { Shape(BreakClip($0).whenSkippableSeconds) },
        Case("MediaInformation.breakClips", "breakClips", [[:]]) { Shape(MediaInformation($0).breakClips) },
        Case("LiveRange.startSeconds", "start", 1.5) { Shape(LiveRange($0).startSeconds) },
        Case("LiveRange.endSeconds", "end", 1.5) { Shape(LiveRange($0).endSeconds) },
        Case("LiveRange.isMovingWindow", "isMovingWindow", true) { Shape(LiveRange($0).isMovingWindow) },
        Case("LiveRange.isLiveDone", "isLiveDone", true) { Shape(LiveRange($0).isLiveDone) },
        Case("ReceiverApp.displayName", "displayName", "a") { Shape(ReceiverApp($0).displayName) },
        Case("ReceiverApp.appType", "appType", "a") { Shape(ReceiverApp($0).appType) },
        Case("ReceiverApp.idleScreenFlag", "isIdleScreen", true) { Shape(ReceiverApp($0).idleScreenFlag) },
        Case("ReceiverApp.statusText", "statusText", "a") { Shape(ReceiverApp($0).statusText) },
        Case("ReceiverApp.senderConnected", "senderConnected", true) { Shape(ReceiverApp($0).senderConnected) },
        Case("ReceiverApp.launchedFromCloud", "launchedFromCloud", true) { Shape(ReceiverApp($0).launchedFromCloud) },
        Case("ReceiverApp.namespaces", "namespaces", ["a"]) { Shape(ReceiverApp($0).namespaces) },
        Case("ReceiverStatus.applications", "applications", [[:]]) { Shape(ReceiverStatus($0).applications) },
        Case("ReceiverStatus.volume", "volume", [:]) { Shape(ReceiverStatus($0).volume) },
        Case("ReceiverStatus.isActiveInput", "isActiveInput", true) { Shape(ReceiverStatus($0).isActiveInput) },
        Case("ReceiverStatus.isStandBy", "isStandBy", true) { Shape(ReceiverStatus($0).isStandBy) },
        Case("Volume.level", "level", 1.5) { Shape(Volume($0).level) },
        Case("Volume.muted", "muted", true) { Shape(Volume($0).muted) },
        Case("Volume.controlType", "controlType", "a") { Shape(Volume($0).controlType) },
        Case("Volume.stepInterval", "stepInterval", 1.5) { Shape(Volume($0).stepInterval) },
        Case("TextTrackStyle.fontScale", "fontScale", 1.5) { Shape(TextTrackStyle($0).fontScale) },
        Case("TextTrackStyle.foregroundColor", "foregroundColor", "a") { Shape(TextTrackStyle($0).foregroundColor) },
        Case("TextTrackStyle.backgroundColor", "backgroundColor", "a") { Shape(TextTrackStyle($0).backgroundColor) },
    ]

    @Test(arguments: cases)
    private func `are three things in every field of the model`(field: Case) throws {
        let neighbors: [(key: String, value: JSONValue)] = [("before", .null), ("\(field.key)X", false), ("after", 0)]
        func reading(_ value: JSONValue?) -> Shape {
            let own = value.map { [(key: field.key, value: $0)] } ?? []
            return field.read(JSONObject(Array(neighbors.prefix(1)) + own + Array(neighbors.dropFirst())))
        }
        #expect(reading(nil) == .absent)
        #expect(reading(.null) == .null)
        #expect(reading(field.sample) == .value)
        // A value of the wrong type may say nothing usable; it never says "none".
        for wrong: JSONValue in [false, true, 0, 1, -1, 1.5, "", "x", [], [:], [[]], [[:]]] {
            #expect(reading(wrong) != .null, "\(wrong.text)")
        }
    }

    @Test func `are three things for every way to read a field, whatever stands there`() {
        let values: [JSONValue] = [
            false, true, 0, 1, 2, -1, 0.5, .unsigned(.max), "", "0", "1", "true", "false", "null", "x", [], [:],
        ]
        for value in values {
            let object = JSONObject([("key", value)])
            #expect(object.flagField("key").ifPresent == value.lossyFlag)
            for shape in [
                Shape(object.textField("key")), Shape(object.integerField("key")), Shape(object.numberField("key")),
                Shape(object.flagField("key")), Shape(object.objectField("key")),
                Shape(object.objectsField("key", limit: 1)),
            ] { #expect(shape != .null, "\(value.text)") }
            #expect(Shape(object.field("key")) == .value)
        }
        // False and its spellings are a value, and the value is false.
        for no: JSONValue in [false, 0, "false", "0", "FALSE"] {
            #expect(JSONObject([("key", no)]).flagField("key").ifPresent == false)
        }
        for other: JSONValue in [2, 0.5, "", "no", [], [:]] {
            #expect(Shape(JSONObject([("key", other)]).flagField("key")) == .absent)
        }
    }

    @Test func `stay what they are through text and back`() throws {
        let parser = JSONParser()
        for (text, shape) in [(#"{"a":1}"#, Shape.absent), (#"{"key":null}"#, .null), (#"{"key":false}"#, .value)] {
            let object = try #require(try parser.parse(text).object)
            let again = try #require(try parser.parse(JSONValue.object(object).text).object)
            #expect(Shape(object.flagField("key")) == shape)
            #expect(Shape(again.flagField("key")) == shape)
        }
    }
}
