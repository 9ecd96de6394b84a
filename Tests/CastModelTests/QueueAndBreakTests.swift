import CastModel
import Testing

@Suite("A queue")
struct QueueModelTests {
    private func payload(_ text: String) throws -> Payload { try Payload(try JSONParser().parse(text)) }

    @Test func `lists items whose ids may be numbers or texts`() throws {
        let status = MediaStatus(
            try payload(#"{"items":[{"itemId":1,"media":{"contentId":"a"}},7,{"itemId":"2"},{"media":{}}]}"#).json)
        #expect(status.items.ifPresent?.map { $0.itemID } == [.value(1), .value(2), .absent])
        #expect(status.items.ifPresent?.first?.media.ifPresent?.contentID == .value("a"))
    }

    @Test(arguments: [("{}", Field<[QueueItem]>.absent), (#"{"items":null}"#, .null), (#"{"items":[]}"#, .value([]))])
    func `without items, with none and with null are three things`(text: String, items: Field<[QueueItem]>) throws {
        #expect(MediaStatus(try payload(text).json).items == items)
    }

    @Test func `that changed says which items, what happened, and in which order`() throws {
        let message = QueueMessage(
            try payload(
                #"{"type":"QUEUE_CHANGE","changeType":"insert","itemIds":[4,"5",null],"insertBefore":2,"sequenceNumber":7}"#
            ))
        #expect(message.changeType == .value(QueueChangeType("INSERT")))
        #expect(message.itemIDs == .value([4, 5]))
        #expect(message.sequenceNumber == .value(7))
        #expect(message.mediaSessionID == .absent)
    }

    @Test func `without its items says its order and its mode`() throws {
        let data = QueueData(try payload(#"{"shuffle":true,"repeatMode":"REPEAT_ALL"}"#).json)
        #expect(data.shuffle == .value(true))
        #expect(data.repeatMode == .value(.all))
    }
}

@Suite("The text of an ad")
struct AdvertisementTextTests {
    // The forms of PROTOCOL 6.4.
    @Test(arguments: [
        ("onContentPauseRequested,12.5", AdvertisementText?.some(.contentPauses(atSeconds: 12.5))),
        ("onContentPauseRequested", .contentPauses(atSeconds: nil)),
        ("onContentPauseRequested,", .contentPauses(atSeconds: nil)),
        ("onContentPauseRequested,-1", .contentPauses(atSeconds: nil)),
        ("onContentPauseRequested,nan", .contentPauses(atSeconds: nil)),
        ("onContentPauseRequested,1e300", .contentPauses(atSeconds: nil)),
        ("onContentResumeRequested", .contentResumes), ("onContentResumeRequested,3", .contentResumes),
        ("onContentPauseRequestedX,1", nil), ("requestAd,https://h/a?b=1,2,3", nil), ("seek,12", nil),
        ("Ad Error: 303", nil), ("", nil), (#"{"type":"onContentPauseRequested"}"#, nil),
    ])
    func `begins or ends a break, or is another text`(text: String, meaning: AdvertisementText?) {
        #expect(AdvertisementText(Array(text.utf8)) == meaning)
    }
}

@Suite("A detailed error code")
struct DetailedErrorCodeTests {
    @Test(arguments: [
        (Int64(104), String?("MEDIA_SRC_NOT_SUPPORTED")), (905, "LOAD_FAILED"), (321, "DASH_NETWORK"),
        (999, "GENERIC"), (0, nil), (-1, nil), (105, nil), (.max, nil),
    ])
    func `has the name that Cast gives it, or none`(number: Int64, name: String?) {
        #expect(DetailedErrorCode(number).name == name)
    }
}
