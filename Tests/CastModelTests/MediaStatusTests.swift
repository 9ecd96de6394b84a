import CastModel
import Testing

@Suite("A media status")
struct MediaStatusTests {
    private func status(_ text: String) throws -> MediaStatus {
        MediaStatus(try #require(try JSONParser().parse(text).object))
    }

    @Test(arguments: [
        (#"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":1},{"mediaSessionId":2}]}"#, [Int64(1), 2]),
        (#"{"type":"MEDIA_STATUS","status":{"mediaSessionId":3}}"#, [3]),
        (#"{"type":"MEDIA_STATUS","requestId":0,"mediaSessionId":0,"playerState":"IDLE"}"#, [0]),
        (#"{"type":"MEDIA_STATUS","status":[]}"#, []), (#"{"type":"MEDIA_STATUS","status":null}"#, []),
        (#"{"type":"MEDIA_STATUS","status":[7,{"mediaSessionId":4}]}"#, [4]), (#"{"type":"MEDIA_STATUS"}"#, []),
        ("[1]", []),
    ])
    func `is found in every form of the message`(text: String, ids: [Int64]) throws {
        let statuses = MediaStatusMessage.statuses(in: try JSONParser().parse(text))
        #expect(statuses.map { $0.mediaSessionID } == ids.map { .value($0) })
    }

    @Test func `in flat form does not contain the envelope`() throws {
        let message = try JSONParser().parse(
            #"{"type":"MEDIA_STATUS","requestId":5,"playerState":"IDLE","mediaSessionId":0}"#)
        #expect(MediaStatusMessage.statuses(in: message) == [try status(#"{"playerState":"IDLE","mediaSessionId":0}"#)])
    }

    @Test func `while a load is under way is no end`() throws {
        let loading = try status(
            #"{"playerState":"IDLE","extendedStatus":{"playerState":"LOADING","mediaSessionId":2,"media":{"contentId":"b"}}}"#
        )
        #expect(loading.isLoading)
        #expect(loading.endReason == nil)
        #expect(loading.extendedStatus.ifPresent?.mediaSessionID == .value(2))
        #expect(loading.extendedStatus.ifPresent?.media.ifPresent?.contentID == .value("b"))
    }

    @Test func `ignores an idle reason that is left over while it plays`() throws {
        #expect(try status(#"{"playerState":"PLAYING","idleReason":"FINISHED"}"#).endReason == nil)
        #expect(try status(#"{"playerState":"IDLE","idleReason":"finished"}"#).endReason == .finished)
    }

    @Test func `compares active tracks as sets, and tells null from absent`() throws {
        #expect(try status(#"{"activeTrackIds":[2,1]}"#).activeTracks == .value(ActiveTracks([1, 2])))
        #expect(try status(#"{"activeTrackIds":["2"]}"#).activeTracks == .value(ActiveTracks([2])))
        #expect(try status(#"{"activeTrackIds":null}"#).activeTracks == .null)
        #expect(try status("{}").activeTracks == .absent)
    }

    @Test func `merged keeps what is left out, except for what leaving out clears`() throws {
        let before = try status(
            #"""
            {"mediaSessionId":1,"playerState":"IDLE","idleReason":"ERROR","media":{"contentId":"a","x":1},"loadingItemId":2,
            "customData":{},"breakStatus":{},"extendedStatus":{},"activeTrackIds":[1],"items":[{"itemId":1}],"volume":{"level":1}}
            """#)
        let now = try status(#"{"mediaSessionId":1,"playerState":"PLAYING","currentTime":3.5}"#).merged(into: before)
        #expect(
            now
                == (try status(
                    #"""
                    {"mediaSessionId":1,"playerState":"PLAYING","currentTime":3.5,"media":{"contentId":"a","x":1},
                    "activeTrackIds":[1],"items":[{"itemId":1}],"volume":{"level":1}}
                    """#)))
    }

    @Test func `merged replaces media as a whole, and null is none`() throws {
        let before = try status(#"{"mediaSessionId":1,"media":{"contentId":"a","duration":9},"activeTrackIds":[1]}"#)
        let now = try status(#"{"media":{"contentId":"a"},"activeTrackIds":null}"#).merged(into: before)
        #expect(now == (try status(#"{"mediaSessionId":1,"media":{"contentId":"a"},"activeTrackIds":null}"#)))
    }

    @Test func `merged into another media session starts from nothing`() throws {
        let before = try status(#"{"mediaSessionId":1,"media":{"contentId":"a"}}"#)
        let now = try status(#"{"mediaSessionId":2,"playerState":"IDLE"}"#)
        #expect(now.merged(into: before) == now)
        #expect(now.merged(into: nil) == now)
    }
}

@Suite("Media")
struct MediaInformationTests {
    private func media(_ text: String) throws -> MediaInformation {
        MediaInformation(try #require(try JSONParser().parse(text).object))
    }

    @Test func `is identified by its ids, of which an empty one says nothing`() throws {
        #expect(
            try media(#"{"contentId":"","entity":"urn:x"}"#).identity
                == .init(contentID: nil, contentURL: nil, entity: "urn:x"))
        #expect(try media(#"{"contentId":""}"#).identity.isEmpty)
        #expect(try media(#"{"contentId":"a"}"#).identity != media(#"{"contentId":"b"}"#).identity)
    }

    @Test(arguments: [
        (#"{"duration":389.355102}"#, Double?(389.355102)), (#"{"duration":0}"#, nil), (#"{"duration":-1}"#, nil),
        (#"{"duration":null}"#, nil), ("{}", nil), (#"{"duration":"12.5"}"#, 12.5),
    ])
    func `has a known duration only above zero`(text: String, seconds: Double?) throws {
        #expect(try media(text).knownDurationSeconds == seconds)
    }

    @Test func `keeps an unknown kind of stream`() throws {
        #expect(try media(#"{"streamType":2}"#).streamType.ifPresent?.raw == "2")
        #expect(try media(#"{"streamType":"buffered"}"#).streamType == .value(.buffered))
    }

    @Test func `lists tracks whose names are null`() throws {
        let tracks = try media(
            #"{"tracks":[{"trackId":1,"type":"VIDEO","name":null},{"trackId":"2","type":"text","subtype":"SUBTITLES"}]}"#
        ).tracks.ifPresent
        #expect(tracks?.map { $0.trackID } == [.value(1), .value(2)])
        #expect(tracks?.map { $0.type } == [.value(.video), .value(.text)])
        #expect(tracks?.first?.name == .null)
        #expect(tracks?.last?.subtype == .value(.subtitles))
    }

    @Test(arguments: [
        (#"{"metadata":{"metadataType":103,"title":"T","artist":"A"}}"#, String?("T")),
        (#"{"metadata":{"title":"","songName":"S"}}"#, "S"), (#"{"metadata":{"seriesTitle":"Series"}}"#, "Series"),
        (#"{"metadata":{}}"#, nil), ("{}", nil),
    ])
    func `has a title whatever kind of metadata it is`(text: String, title: String?) throws {
        #expect(try media(text).metadata.ifPresent?.displayTitle == title)
    }

    @Test func `reads older keys where the newer ones are missing`() throws {
        let metadata = try media(
            #"{"metadata":{"artistName":"A","seasonNumber":"2","episodeNumber":3,"track":4,"images":["u",{"url":""},{"url":"v"}]}}"#
        ).metadata.ifPresent
        #expect(metadata?.artist == .value("A"))
        #expect(metadata?.season == .value(2))
        #expect(metadata?.episode == .value(3))
        #expect(metadata?.trackNumber == .value(4))
        #expect(metadata?.imageURLs == ["u", "v"])
    }
}

@Suite("A text track style")
struct TextTrackStyleTests {
    private func style(_ text: String) throws -> TextTrackStyle {
        TextTrackStyle(try #require(try JSONParser().parse(text).object))
    }

    @Test(arguments: [
        (##"{"foregroundColor":"#ffff00ff"}"##, ##"{"foregroundColor":"#FFFF00FF"}"##),
        (##"{"edgeColor":"#f0a8"}"##, ##"{"edgeColor":"#FF00AA88"}"##),
        (##"{"windowColor":"#102030"}"##, ##"{"windowColor":"#102030ff"}"##),
        (#"{"fontScale":"1.0"}"#, #"{"fontScale":1}"#), (#"{"edgeType":"outline"}"#, #"{"edgeType":"OUTLINE"}"#),
        (#"{"fontScale":1.5,"edgeType":"NONE"}"#, #"{"edgeType":"NONE","fontScale":1.50}"#),
    ])
    func `equals another that draws the same`(one: String, other: String) throws {
        #expect(try style(one) == style(other))
        #expect(try style(one).json == JSONParser().parse(one).object)
    }

    @Test(arguments: [
        (##"{"foregroundColor":"#FFFF00FF"}"##, ##"{"foregroundColor":"#FFFF00FE"}"##),
        (##"{"foregroundColor":"#FFF"}"##, ##"{"foregroundColor":"#FFFFFFFF"}"##),
        (#"{"fontScale":1.0}"#, #"{"fontScale":1.1}"#), (#"{"fontFamily":"a"}"#, #"{"fontFamily":"A"}"#),
        (#"{"edgeType":"NONE"}"#, "{}"), (##"{"edgeColor":"#ÄÖÜß"}"##, ##"{"edgeColor":"#000"}"##),
    ])
    func `differs from one that draws something else`(one: String, other: String) throws {
        #expect(try style(one) != style(other))
    }
}
