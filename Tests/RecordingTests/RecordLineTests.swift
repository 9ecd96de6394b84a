import CastModel
import CastWire
import Recording
import Testing

@Suite("A record as a line")
struct RecordLineTests {
    static let boot = "0b0e2c5a-1111-2222-3333-444455556666"
    static let device = DeviceID("0123456789abcdef0123456789abcdef")

    static func record(_ body: RecordBody, position: Int64 = 812) -> Record {
        Record(
            position: ArchivePosition(position), at: WallTime(microseconds: 1_772_396_104_123_456),
            monotonic: MonotonicTime(nanoseconds: 98_765_432_109), boot: boot, body: body)
    }

    static func frame(_ message: CastMessage) -> RecordBody {
        .frame(RecordedFrame(device: device, link: LinkNumber(17), direction: .inbound, message: message))
    }

    static func line(_ record: Record) -> String {
        var bytes: [UInt8] = []
        RecordLine.write(record, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static let head =
        #"{"position":812,"at":"2026-03-01T20:15:04.123456Z","monotonic_ns":98765432109,"#
        + #""boot":"0b0e2c5a-1111-2222-3333-444455556666","#
    static let whose = #""device":"0123456789abcdef0123456789abcdef""#

    static let advertisement = DeviceAdvertisement(
        deviceID: device, name: "Küche \"TV\"", model: nil, addresses: ["192.0.2.7", "fe80::1%eth0"], port: 8009,
        capabilities: Capabilities(rawValue: 4101),
        txt: [.init(key: "fn", value: "Küche"), .init(key: "st", value: nil)],
        source: .static)

    /// Every kind, with the line that DESIGN 3 and docs/format.md give it.
    static let known: [(RecordBody, String)] = [
        (
            frame(
                CastMessage(
                    from: "receiver-0", to: "*", .receiver, text: "{\"type\":\"RECEIVER_STATUS\"}\u{0}\u{1f}\n\u{2028}€"
                )),
            #""kind":"frame",\#(whose),"link":17,"direction":"in","source":"receiver-0","destination":"*","#
                + #""namespace":"urn:x-cast:com.google.cast.receiver","#
                + #""payload":"{\"type\":\"RECEIVER_STATUS\"}\u0000\u001f\n\#u{2028}€"}"#
        ),
        (
            .recorderStarted(recorder: "attic", version: "0.1"),
            #""kind":"recorder_started","recorder":"attic","version":"0.1"}"#
        ),
        (
            .recorderStarted(recorder: "attic", version: "0.1", redaction: [.titles, .archive]),
            #""kind":"recorder_started","recorder":"attic","version":"0.1","redaction":["archive","titles"]}"#
        ),
        (
            .segmentsPruned(
                SegmentsPruned(
                    first: ArchivePosition(1), last: ArchivePosition(811), segments: 2, tornFiles: 1, bytes: 4711,
                    chain: "00ff", rule: "--keep 90d")),
            #""kind":"segments_pruned","first_position":1,"last_position":811,"segments":2,"torn_files":1,"#
                + #""bytes":4711,"chain":"00ff","rule":"--keep 90d"}"#
        ),
        (
            .segmentsPruned(
                SegmentsPruned(
                    first: ArchivePosition(1), last: ArchivePosition(811), segments: 2, tornFiles: 0, bytes: 4711,
                    chain: "00ff", rule: "--keep 90d", recorderStarted: #"{"position":1}"#,
                    observedUntil: WallTime(microseconds: 1_772_396_104_123_456))),
            #""kind":"segments_pruned","first_position":1,"last_position":811,"segments":2,"torn_files":0,"#
                + #""bytes":4711,"chain":"00ff","rule":"--keep 90d","recorder_started":"{\"position\":1}","#
                + #""observed_until":"2026-03-01T20:15:04.123456Z"}"#
        ),
        (.recorderStopped(reason: "SIGTERM"), #""kind":"recorder_stopped","reason":"SIGTERM"}"#),
        (
            .deviceSeen(advertisement),
            #""kind":"device_seen",\#(whose),"name":"Küche \"TV\"","addresses":["192.0.2.7","fe80::1%eth0"],"port":8009,"#
                + #""capabilities":4101,"txt":[["fn","Küche"],["st"]],"found_by":"static"}"#
        ),
        (.deviceWithdrawn(device), #""kind":"device_withdrawn",\#(whose)}"#),
        (
            .linkOpened(
                LinkOpened(
                    device: device, link: LinkNumber(17), address: "192.0.2.7", port: 8009, tlsVersion: "TLSv1.3",
                    cipher: "TLS_AES_256_GCM_SHA384", peerCertificate: [0x30, 0x82, 0x00], attachMode: .invisible)),
            #""kind":"link_opened",\#(whose),"link":17,"address":"192.0.2.7","port":8009,"tls_version":"TLSv1.3","#
                + #""cipher":"TLS_AES_256_GCM_SHA384","peer_certificate_base64":"MIIA","attach_mode":"invisible"}"#
        ),
        (
            .linkClosed(LinkClosed(device: device, link: LinkNumber(17), reason: .closedByDevice, detail: "")),
            #""kind":"link_closed",\#(whose),"link":17,"reason":"closed_by_device","detail":""}"#
        ),
        (
            .frameMalformed(
                MalformedFrame(device: device, link: LinkNumber(17), bytes: [0xFF, 0x00], why: "no namespace")),
            #""kind":"frame_malformed",\#(whose),"link":17,"bytes_base64":"/wA=","why":"no namespace"}"#
        ),
        (
            .framesLost(device: nil, count: 3, why: "mailbox full"),
            #""kind":"frames_lost","count":3,"why":"mailbox full"}"#
        ),
        (.framesLost(device: device, count: 0, why: ""), #""kind":"frames_lost",\#(whose),"count":0,"why":""}"#),
        (
            .gap(
                Gap(device: nil, from: WallTime(microseconds: 0), to: WallTime(microseconds: 1), reason: .recorderDown)),
            #""kind":"gap","from":"1970-01-01T00:00:00.000000Z","to":"1970-01-01T00:00:00.000001Z","reason":"recorder_down"}"#
        ),
        (
            .gap(Gap(device: device, from: WallTime(microseconds: 0), to: nil, reason: .notJoined)),
            #""kind":"gap",\#(whose),"from":"1970-01-01T00:00:00.000000Z","reason":"not_joined"}"#
        ),
    ]

    @Test(arguments: known.indices)
    func `is written as the format says and read back equal`(index: Int) throws {
        let (body, tail) = Self.known[index]
        let record = Self.record(body)
        let line = Self.line(record)
        #expect(line == Self.head + tail + "\n")
        #expect(try RecordLine.read(Array(line.utf8), parser: JSONParser()) == record)
        #expect(try RecordLineReader().read(Array(line.utf8)[...]) == record)
    }

    @Test func `says of a frame that something was taken out of it`() throws {
        var frame = RecordedFrame(
            device: Self.device, link: LinkNumber(17), direction: .inbound,
            message: CastMessage(from: "a", to: "b", Namespace("n"), text: "{}"))
        frame.isRedacted = true
        let line = Self.line(Self.record(.frame(frame)))
        #expect(line.hasSuffix(#""namespace":"n","payload":"{}","redacted":true}"# + "\n"))
        #expect(try RecordLineReader().read(Array(line.utf8)[...]) == Self.record(.frame(frame)))
    }

    @Test(arguments: [#"["titles","faces"]"#, #""titles""#, "[7]"])
    func `with a choice of redaction that is not known is refused`(choices: String) {
        let line = Self.head + #""kind":"recorder_started","recorder":"attic","version":"9","redaction":\#(choices)}"#
        #expect(throws: RecordingError.malformedField("redaction")) {
            try RecordLine.read(Array(line.utf8), parser: JSONParser())
        }
    }

    @Test func `holds every kind's name and device`() {
        let kinds = Set(Self.known.map(\.0.kind))
        #expect(
            kinds == [
                "frame", "recorder_started", "recorder_stopped", "device_seen", "device_withdrawn", "link_opened",
                "link_closed", "frame_malformed", "frames_lost", "gap", "segments_pruned",
            ])
        #expect(Self.known.filter { $0.0.device == Self.device }.count == 8)
    }

    @Test func `keeps all nine wire fields in every combination`() throws {
        let payloads: [[UInt8]?] = [nil, [], Array("text".utf8), [0xFF, 0xFE], [0xED, 0xA0, 0x80], [0x00]]
        let parser = JSONParser()
        let reader = RecordLineReader()
        for type in [CastMessage.PayloadType.string, .binary] {
            for utf8 in payloads {
                for binary in payloads {
                    for (version, continued, remaining) in [(0, nil, nil), (3, true, 0), (-7, false, UInt32.max)]
                        as [(Int, Bool?, UInt32?)]
                    {
                        var message = CastMessage(from: "", to: "\u{0}\"\\\u{1F600}", Namespace(""), binary: [])
                        message.payloadType = type
                        message.payloadUTF8 = utf8
                        message.payloadBinary = binary
                        message.protocolVersion = version
                        message.continued = continued
                        message.remainingLengthBytes = remaining
                        let record = Self.record(Self.frame(message))
                        #expect(try RecordLine.read(Array(Self.line(record).utf8), parser: parser) == record)
                        #expect(try reader.read(Array(Self.line(record).utf8)[...]) == record)
                    }
                }
            }
        }
    }

    @Test func `writes text in the binary field as text, and bytes in base64`() {
        var text = CastMessage(from: "a", to: "b", Namespace("n"), text: "")
        text.payloadUTF8 = nil
        text.payloadBinary = Array("{}".utf8)
        #expect(Self.line(Self.record(Self.frame(text))).hasSuffix(#""namespace":"n","other_payload":"{}"}"# + "\n"))

        let binary = CastMessage(from: "a", to: "b", Namespace("n"), binary: [0, 1, 2])
        #expect(
            Self.line(Self.record(Self.frame(binary)))
                .hasSuffix(#""namespace":"n","payload_type":"binary","payload_base64":"AAEC"}"# + "\n"))

        text.payloadUTF8 = [0xC3]
        text.payloadBinary = nil
        #expect(Self.line(Self.record(Self.frame(text))).hasSuffix(#""namespace":"n","payload_base64":"ww=="}"# + "\n"))
    }

    @Test func `keeps every byte as payload, in front of each kind of successor`() throws {
        let parser = JSONParser()
        let reader = RecordLineReader()
        var message = CastMessage(from: "a", to: "b", Namespace("n"), text: "")
        for first in UInt8.min...UInt8.max {
            var failed: [UInt8] = []
            for second: UInt8 in [0x00, 0x22, 0x5C, 0x7F, 0x80, 0xA0, 0xBF, 0xC2] {
                message.payloadUTF8 = [first, second]
                let record = Self.record(Self.frame(message))
                let line = Array(Self.line(record).utf8)
                if try RecordLine.read(line, parser: parser) != record { failed.append(second) }
                if try reader.read(line[...]) != record { failed.append(second) }
            }
            #expect(failed.isEmpty, "after \(first)")
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 9, 10, 99, 100, 1_000_000_000_000_000_000, Int64.max])
    func `keeps every integer`(number: Int64) throws {
        var record = Self.record(.recorderStopped(reason: ""))
        record.monotonic = MonotonicTime(nanoseconds: number)
        #expect(Self.line(record).contains("\"monotonic_ns\":\(number),"))
        #expect(try RecordLine.read(Array(Self.line(record).utf8), parser: JSONParser()) == record)
    }

    static let refused: [(String, RecordingError)] = [
        (#"[]"#, .notAnObject(reason: "it is another JSON value")),
        (#"{}"#, .missingField("position")),
        (#"{"position":0}"#, .malformedField("position")),
        (#"{"position":1.0}"#, .malformedField("position")),
        (#"{"position":18446744073709551615}"#, .malformedField("position")),
        (#"{"position":1,"at":"yesterday"}"#, .malformedField("at")),
        (head + #""kind":"telepathy"}"#, .unknownKind("telepathy")),
        (head + #""kind":7}"#, .malformedField("kind")),
        (head + #""kind":"gap","from":"1970-01-01T00:00:00.000000Z","reason":"bored"}"#, .malformedField("reason")),
        (head + #""kind":"recorder_stopped"}"#, .missingField("reason")),
        (head + #""kind":"frames_lost","count":"3","why":""}"#, .malformedField("count")),
        (
            head + #""kind":"frame","source":"a","destination":"b","namespace":"n","payload_base64":"!"}"#,
            .malformedField("payload_base64")
        ),
        (
            head + #""kind":"frame","source":"a","destination":"b","namespace":"n","payload_type":"odd"}"#,
            .malformedField("payload_type")
        ),
    ]

    @Test(arguments: refused.indices)
    func `is refused by name of the field that is wrong`(index: Int) {
        let (line, error) = Self.refused[index]
        #expect(throws: error) { try RecordLine.read(Array(line.utf8), parser: JSONParser()) }
        #expect(throws: error) { try RecordLineReader().read(Array(line.utf8)[...]) }
    }

    @Test func `passes over fields that a later version added`() throws {
        let line = Self.head + #""kind":"recorder_stopped","reason":"x","mood":{"good":true}}"#
        #expect(
            try RecordLine.read(Array(line.utf8), parser: JSONParser())
                == Self.record(.recorderStopped(reason: "x")))
    }

    // The quick reader of frames and the general one must agree on every line, also on lines that are almost ours.
    @Test func `changed in any byte, is read alike by both readers`() throws {
        let original = Array(Self.line(Self.record(Self.known[0].0)).utf8)
        let parser = JSONParser()
        let reader = RecordLineReader()
        for index in original.indices {
            for replacement in Array(#"0a"\,:{u } Z"#.utf8) + [0x00, 0x80] {
                var line = original
                line[index] = replacement
                let general = try? RecordLine.read(line, parser: parser)
                let quick = try? reader.read(line[...])
                guard quick == general else {
                    Issue.record("byte \(index) as \(replacement)")
                    return
                }
            }
        }
    }

    @Test func `longer than any chunk of the writer, keeps every byte`() throws {
        let reader = RecordLineReader()
        for size in [1023, 1024, 1025, 2048, 5000] {
            for filling in ["x", "\"", "\u{1}", "é"] {
                let text = String(repeating: filling, count: size)
                let record = Self.record(Self.frame(CastMessage(from: text, to: "b", Namespace("n"), text: text)))
                let line = Array(Self.line(record).utf8)
                #expect(try RecordLine.read(line, parser: JSONParser()) == record)
                #expect(try reader.read(line[...]) == record)
            }
        }
    }
}
