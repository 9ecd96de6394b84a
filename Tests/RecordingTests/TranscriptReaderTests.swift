import CastModel
import CastWire
import Recording
import Testing

@Suite("A reader of transcripts")
struct TranscriptReaderTests {
    /// What a line is read as: second, direction, source, destination, end of the namespace, payload.
    private static func reading(_ lines: [String], device: String = "tv") -> [String] {
        var reader = TranscriptReader()
        reader.begin(device: DeviceID(device))
        return lines.map { line in
            do throws(TranscriptError) {
                guard let entry = try reader.read(Array(line.utf8)[...]) else { return "-" }
                guard case .frame(let frame) = entry.record.body else { return entry.record.body.kind }
                let message = frame.message
                return [
                    "\(entry.record.position)", entry.record.at.text.dropFirst(17).description, frame.device.text,
                    frame.direction.rawValue, message.sourceID, message.destinationID,
                    String(message.namespace.urn.split(separator: ".").last ?? ""),
                    String(decoding: message.payloadUTF8 ?? [], as: UTF8.self),
                ].joined(separator: " ")
            } catch {
                return "\(error)"
            }
        }
    }

    @Test func `takes messages as they are told, and fills in what is not said`() {
        #expect(
            Self.reading([
                #"{"t":1.5,"dir":"in","source_id":"web-4","destination_id":"*","namespace":"urn:x-cast:com.google.cast.media","payload":{"type":"MEDIA_STATUS","requestId":7}}"#,
                #"{"t":null,"dir":"out","source_id":null,"destination_id":null,"namespace":"urn:x-cast:com.google.cast.receiver","payload":"{\"type\": \"GET_STATUS\"}"}"#,
                #"{"device":"Kitchen","namespace":"urn:x-cast:com.example.own","payload":"onContentPauseRequested,4"}"#,
            ]) == [
                #"1 01.500000Z tv in web-4 * media {"type":"MEDIA_STATUS","requestId":7}"#,
                #"2 02.500000Z tv out sender-0 receiver-0 receiver {"type": "GET_STATUS"}"#,
                "3 03.500000Z kitchen in transport-0 * own onContentPauseRequested,4",
            ])
    }

    @Test func `begins at second 0 of 2000-01-01, where the first line tells no time, anew in each file`() throws {
        var reader = TranscriptReader()
        for device in ["one", "two"] {
            reader.begin(device: DeviceID(device))
            let entry = try reader.read(Array(#"{"type":"PING"}"#.utf8)[...])
            #expect(entry?.record.at.text == "2000-01-01T00:00:00.000000Z")
            #expect(entry?.record.body.device?.text == device)
        }
        let later = try reader.read(Array(#"{"t":-0.964,"payload":{"type":"PING"}}"#.utf8)[...])
        #expect(later?.record.at.text == "1999-12-31T23:59:59.036000Z")
    }

    @Test func `guesses from a payload alone where it came from`() {
        #expect(
            Self.reading([
                #"{"type":"MEDIA_STATUS"}"#,
                #"{"type":"RECEIVER_STATUS","status":{"applications":[{"appId":"E8C28D3C","transportId":"i-0"},{"appId":"CC1AD845","transportId":"web-9"}]}}"#,
                #"{"responseType":"MEDIA_STATUS"}"#, #"{"playerState":"PLAYING"}"#,
                #"{"requestId":3,"status":{"isStandBy":true}}"#, #"{"type":"DEVICE_UPDATED","device":{}}"#,
                #"{"type":"LOAD","requestId":3}"#, #"{"type":"PONG"}"#, #"{"type":"GET_APP_AVAILABILITY"}"#,
            ]).map { $0.split(separator: " ").dropFirst(3).prefix(4).joined(separator: " ") } == [
                "in transport-0 * media", "in receiver-0 * receiver", "in web-9 * media", "in web-9 * media",
                "in receiver-0 * receiver", "in receiver-0 * multizone", "out sender-0 web-9 media",
                "in receiver-0 * heartbeat", "in receiver-0 * receiver",
            ])
    }

    @Test func `passes over what holds no message: blanks, and the brackets and commas of a list`() {
        #expect(
            Self.reading(["", "  \t\r", "[", #"\#u{FEFF}{"type":"PONG"},"#, #"  {"type":"PING"}  "#, "]"]).map {
                $0.split(separator: " ").last ?? ""
            } == ["-", "-", "-", #"{"type":"PONG"}"#, #"{"type":"PING"}"#, "-"])
    }

    @Test func `takes an archive's lines as they are, and its recorder from the segment's own line`() throws {
        var reader = TranscriptReader()
        reader.begin(device: DeviceID("tv"))
        #expect(
            try reader.read(
                Array(
                    #"{"kind":"segment","format":1,"recorder":"attic","first_position":41,"previous_chain":"00"}"#.utf8
                )[...]) == nil)
        let line =
            #"{"position":41,"at":"2026-03-01T20:15:04.123456Z","monotonic_ns":7,"boot":"b","kind":"device_withdrawn","device":"0a"}"#
        let entry = try reader.read(Array(line.utf8)[...])
        #expect(entry?.record.position == ArchivePosition(41))
        #expect(entry?.record.body == .deviceWithdrawn(DeviceID("0a")))
        #expect(entry?.recorder == "attic")
        let batch = #"{"kind":"batch","records":1,"first_position":41,"last_position":41}"#
        #expect(try reader.read(Array(batch.utf8)[...]) == nil)
        // The same record with its fields in another order, as another program may write it.
        let shuffled =
            #"{"kind":"device_withdrawn","device":"0a","boot":"b","monotonic_ns":7,"at":"2026-03-01T20:15:04.123456Z","position":41}"#
        #expect(try reader.read(Array(shuffled.utf8)[...])?.record == entry?.record)
    }

    @Test(arguments: [
        ("{", "not JSON: "), ("7", "JSON, but not an object"), ("{}", "neither a record of an archive"),
        (#"{"name":"Anna"}"#, "neither a record of an archive"),
        (#"{"t":0,"payload":null}"#, "the field 'payload' has a value that cannot be"),
        (#"{"t":"soon","payload":{"type":"PING"}}"#, "the field 't' has a value that cannot be"),
        (#"{"t":1e10,"payload":{"type":"PING"}}"#, "the field 't' has a value that cannot be"),
        (#"{"dir":"up","payload":{"type":"PING"}}"#, "the field 'dir' has a value that cannot be"),
        (#"{"device":7,"payload":{"type":"PING"}}"#, "the field 'device' has a value that cannot be"),
        (#"{"position":1}"#, "no record of an archive. The record has no field"),
        (#"{"position":1,"kind":"gap""#, "no record of an archive. The line is not a JSON object"),
    ])
    func `says what is wrong with a line, and goes on`(line: String, problem: String) {
        let read = Self.reading([line, #"{"type":"PING"}"#])
        #expect(read[0].hasPrefix(problem), "\(read[0])")
        #expect(read[1].hasSuffix(#"{"type":"PING"}"#))
    }

    @Test func `takes the deepest payload that a device may send, and refuses a deeper one`() {
        func nested(_ levels: Int) -> String {
            #"{"t":0,"payload":{"type":"X","x":"# + String(repeating: "[", count: levels)
                + String(repeating: "]", count: levels) + "}}"
        }
        #expect(Self.reading([nested(63)])[0].hasPrefix("1 "))
        #expect(Self.reading([nested(70)])[0].hasPrefix("not JSON: "))
    }

    @Test func `names the recorder of its start where no segment line did, and marks an archive's first record`() throws
    {
        var reader = TranscriptReader()
        func read(_ line: String) throws -> String {
            guard let entry = try reader.read(Array(line.utf8)[...]) else { return "-" }
            return "\(entry.recorder ?? "?") \(entry.isArchived) \(entry.isFirst)"
        }
        func record(_ position: Int, _ kind: String) -> String {
            #"{"position":\#(position),"at":"2026-03-01T20:15:04.123456Z","monotonic_ns":1,"boot":"b","kind":\#(kind)}"#
        }
        let stopped = #""recorder_stopped","reason":"signal""#
        let started = #""recorder_started","recorder":"cellar","version":"1""#
        reader.begin(device: DeviceID("tv"))
        #expect(try read(record(7, stopped)) == "? true true")
        #expect(try read(#"{"type":"PING"}"#) == "? false false")
        #expect(try read(record(8, started)) == "cellar true false")
        #expect(
            try read(#"{"kind":"segment","format":1,"recorder":"attic","first_position":9,"previous_chain":"00"}"#)
                == "-")
        #expect(try read(record(9, started)) == "attic true true")
        for line in [
            record(10, started + #","redaction":["foo"]"#), record(10, started).dropLast().description,
            "{ " + record(10, #""recorder_started""#).dropFirst(),
        ] {
            do throws(TranscriptError) {
                _ = try reader.read(Array(line.utf8)[...])
                Issue.record("read: \(line)")
            } catch {
                guard case .recorderStart = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
    }
}
