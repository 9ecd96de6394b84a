import CastModel
import Testing

@Suite("Reading a field whatever its JSON type")
struct LossyFieldsTests {
    @Test func `absent, null and a value are three things`() {
        let json: JSONObject = JSONObject([("a", .null), ("b", 1)])
        #expect(json.integerField("none") == .absent)
        #expect(json.integerField("a") == .null)
        #expect(json.integerField("b") == .value(1))
    }

    @Test(arguments: [
        (JSONValue.integer(7), Int64?(7)), (.number(7.0), 7), (.string("7"), 7), (.string("7.0"), 7),
        (.number(7.5), nil),
        (.string("seven"), nil), (.bool(true), nil), (.unsigned(9_223_372_036_854_775_808), nil), (.number(1e300), nil),
        (.string("1e300"), nil), (.string("nan"), nil), (.array([7]), nil),
    ])
    func `integers come out of integral doubles and numeric strings`(json: JSONValue, expected: Int64?) {
        #expect(json.lossyInteger == expected)
    }

    @Test(arguments: [
        (JSONValue.number(0.5), Double?(0.5)), (.integer(2), 2), (.string("1.0"), 1), (.string("Infinity"), nil),
        (.string("nan"), nil), (.number(.infinity), nil), (.string(""), nil), (.null, nil), (.bool(false), nil),
    ])
    func `numbers are finite`(json: JSONValue, expected: Double?) {
        #expect(json.lossyNumber == expected)
    }

    @Test(arguments: [
        (JSONValue.bool(true), Bool?(true)), (.integer(0), false), (.integer(1), true), (.number(1), true),
        (.string("TRUE"), true), (.string("false"), false), (.string("0"), false), (.integer(2), nil),
        (.string("yes"), nil),
        (.object(JSONObject()), nil),
    ])
    func `truth values come out of 0, 1 and their spellings`(json: JSONValue, expected: Bool?) {
        #expect(json.lossyFlag == expected)
    }

    @Test(arguments: [
        (JSONValue.string("x"), String?("x")), (.integer(2), "2"), (.number(2), "2"), (.number(2.5), "2.5"),
        (.unsigned(18_446_744_073_709_551_615), "18446744073709551615"), (.bool(true), nil), (.array([]), nil),
    ])
    func `text comes out of numbers`(json: JSONValue, expected: String?) {
        #expect(json.lossyText == expected)
    }

    @Test func `one element of the wrong kind does not drop its siblings`() {
        let json = JSONObject([("list", [["a": 1], 5, nil, ["a": 2]])])
        #expect(json.objectsField("list", limit: 9) == .value([JSONObject([("a", 1)]), JSONObject([("a", 2)])]))
        #expect(json.objectsField("list", limit: 1) == .value([JSONObject([("a", 1)])]))
        #expect(JSONObject([("list", 3)]).objectsField("list", limit: 9) == .absent)
    }

    @Test func `objects compare without order, also with very many keys`() {
        let keys = (0..<20_000).map { "key\($0)" }
        let one = JSONObject(keys.map { (key: $0, value: 1) })
        let other = JSONObject(keys.reversed().map { (key: $0, value: 1) })
        #expect(one == other)
        #expect(JSONObject([("a", 1), ("b", 2)]) != JSONObject([("a", 1), ("b", 3)]))
        #expect(JSONObject([("a", 1), ("b", 2)]) != JSONObject([("a", 1), ("c", 2)]))
        #expect(JSONObject([("a", 1), ("b", 2.0)]) == JSONObject([("b", 2), ("a", 1)]))
    }
}

@Suite("A word of an open set")
struct OpenWordTests {
    @Test func `compares without regard to case and keeps its spelling`() {
        #expect(StreamType("buffered") == .buffered)
        #expect(StreamType("buffered").raw == "buffered")
        #expect(StreamType("BUFFERED") != .live)
        #expect(Set([PlayerState("idle"), PlayerState("Idle"), .idle]).count == 1)
    }

    @Test func `takes words that nobody knows`() {
        #expect(PlayerState("advert") != .playing)
        #expect(PlayerState("advert").word == "ADVERT")
    }
}
