import CastModel
import Differ
import Plays
import Recording
import Report
import Testing

@testable import Exports

@Suite("A trace") struct TraceExportTests {
    private static let first = "\"><script>alert(1)</script>"

    private static func event(
        _ number: Int64, _ minute: Double, _ kind: ChangeEvent.Kind, before: JSONValue? = nil, after: JSONValue? = nil
    ) -> EventFields {
        EventFields(
            event: ChangeEvent(
                id: .init(position: ArchivePosition(number), ordinal: 0), observedAt: SampleLedger.at(minute),
                deviceID: DeviceID("aa01"), appSessionID: nil, mediaSessionID: nil, kind: kind,
                attribution: .receiver, requestID: 0, callbacks: [], effective: true, before: before, after: after,
                positionSeconds: nil), recorderID: SampleLedger.recorder, deviceName: first)
    }

    private static let film: JSONValue = ["appId": "CC1AD845", "displayName": "Default Media Receiver"]

    private static let events = [
        event(101, 1, .appStarted, after: film),
        event(102, 1, .mediaSessionStarted, after: ["playerState": "BUFFERING"]),
        event(103, 2, .playerStateChanged, before: ["playerState": "BUFFERING"], after: ["playerState": "PLAYING"]),
        event(104, 3, .deviceVolumeChanged, before: ["level": 0.5], after: ["level": 0.25]),
        event(
            105, 4, .activeTracksChanged, before: ["activeTrackIds": []],
            after: [
                "activeTrackIds": [1, 2],
                "tracks": [["trackId": 2, "type": "TEXT", "language": "de"]],
            ]),
        event(106, 5, .textTrackStyleChanged, after: ["textTrackStyle": ["fontScale": 1.5, "edgeType": "OUTLINE"]]),
        event(107, 20, .playerStateChanged, before: ["playerState": "PLAYING"], after: ["playerState": "PAUSED"]),
        event(108, 30, .mediaSessionEnded, before: ["playerState": "PAUSED"], after: ["idleReason": "CANCELLED"]),
        event(109, 50, .appStopped, before: film),
    ]

    private func check(_ rows: [ExportRow]) throws -> JSONValue {
        try SampleLedger.read("trace", SampleLedger.file(TraceExport(), rows))
    }

    /// "PLAYING 120 480": name, begin and length in seconds since eight o'clock.
    private func lane(_ trace: JSONValue, _ name: String, device: String = first) -> [String]? {
        trace["slices"]?["\(device) / \(name)"]?.array?.map { slice in
            let parts = slice.array ?? []
            let figures = parts.dropFirst().map { Int64($0.text) ?? 0 }
            return
                "\(parts[0].string ?? "?") \(Double(figures[0] - SampleLedger.eight) / 1e6) \(Double(figures[1]) / 1e6)"
        }
    }

    @Test func `follows the rules of the format, with a lane for everything, cut where nothing was observed`() throws {
        let trace = try check(SampleLedger.rowsByDevice(events: Self.events))
        #expect(trace["mistakes"] == [])
        #expect(trace["processes"] == 3)
        #expect(lane(trace, "Not observed") == ["link_lost 600.0 120.0", "media: not_joined 2400.0 60.0"])
        #expect(
            lane(trace, "App") == [
                "Default Media Receiver 60.0 540.0", "Default Media Receiver 720.0 2280.0",
            ], "an app that is not joined is still seen")
        #expect(
            lane(trace, "Player state") == [
                "BUFFERING 60.0 60.0", "PLAYING 120.0 480.0", "PLAYING 720.0 480.0", "PAUSED 1200.0 600.0",
            ])
        #expect(lane(trace, "Tracks") == ["1, TEXT de 240.0 360.0", "1, TEXT de 720.0 1080.0"])
        #expect(
            lane(trace, "Text track style") == [
                "fontScale 1.5, edgeType OUTLINE 300.0 300.0", "fontScale 1.5, edgeType OUTLINE 720.0 1080.0",
            ])
        #expect(
            lane(trace, "Media") == [
                "A Quiet Harbour 0.0 600.0", "A Quiet Harbour 720.0 1080.0", "Unknown content 1800.0 300.0",
                "A Quiet Harbour 2100.0 300.0", "A Quiet Harbour 2460.0 60.5",
            ])
        #expect(trace["counters"]?["\(Self.first) / Volume"] == [[1_772_395_380_000_000, 0.25]])
        #expect(trace["instants"]?["\(Self.first) / Changes"]?.array?.count == 9)
    }

    @Test func `shows conflicts as slices, and as arrows from deed to deed`() throws {
        let trace = try check(SampleLedger.rowsByDevice())
        #expect(trace["mistakes"] == [])
        #expect(lane(trace, "Conflicts: volume_fight") == ["volume_fight 1200.0 15.0"])
        #expect(lane(trace, "Conflicts: takeover") == ["takeover 3594.0 66.0"])
        #expect(
            lane(trace, "Conflicts, deed by deed") == [
                "volume_fight 1200.0 1e-06", "volume_fight 1207.5 1e-06", "volume_fight 1215.0 1e-06",
                "takeover 3594.0 1e-06",
            ])
        let eight = SampleLedger.eight
        #expect(
            trace["flows"] == [
                "1": [
                    ["s", .integer(eight + 1_200_000_000)], ["t", .integer(eight + 1_207_500_000)],
                    ["f", .integer(eight + 1_215_000_000)],
                ]
            ])
    }

    @Test func `begins with what the first event says was so before it`() throws {
        let events = [
            Self.event(
                1, 20, .playerStateChanged, before: ["playerState": "PLAYING"], after: ["playerState": "PAUSED"])
        ]
        let trace = try check(
            [.device(SampleLedger.devices[0])] + events.map { .event($0) })
        #expect(trace["mistakes"] == [])
        #expect(lane(trace, "Player state") == ["PLAYING 0.0 1200.0", "PAUSED 1200.0 2400.0"])
    }

    @Test func `of an empty ledger is whole`() throws {
        let trace = try check([])
        #expect(trace["mistakes"] == [])
        #expect(trace["processes"] == 0)
    }
}

@Suite("Stretches that overlap") struct LayersTests {
    @Test func `show the one that began last, and have no holes`() {
        var layers = Layers<String>(from: SampleLedger.at(0))
        var pieces = layers.add("a", from: SampleLedger.at(-5), to: SampleLedger.at(10))
        pieces += layers.add("b", from: SampleLedger.at(2), to: SampleLedger.at(4))
        pieces += layers.add("c", from: SampleLedger.at(3), to: SampleLedger.at(12))
        pieces += layers.add("d", from: SampleLedger.at(15), to: SampleLedger.at(15))
        pieces += layers.add("e", from: SampleLedger.at(-9), to: SampleLedger.at(-8))
        pieces += layers.advance(to: SampleLedger.at(20))
        let words = pieces.map { piece in
            let minutes = [piece.from, piece.to].map { ($0.microseconds - SampleLedger.eight) / 60_000_000 }
            return "\(piece.item ?? "-") \(minutes[0]) \(minutes[1]) \(piece.number)"
        }
        #expect(words == ["a 0 2 0", "b 2 3 0", "c 3 12 0", "- 12 15 0", "d 15 15 0", "- 15 20 0"])
    }

    @Test func `from random beginnings and ends, fill the time, each moment with the youngest`() {
        var random = SplitMix(seed: 7)
        for _ in 0..<200 {
            let stretches = (0..<12).map { number -> (name: Int, from: Int, to: Int) in
                let from = Int(random.next() % 40)
                return (number, from, from + Int(random.next() % 12))
            }.sorted { ($0.from, $0.name) < ($1.from, $1.name) }
            var layers = Layers<Int>(from: SampleLedger.at(5))
            var shown: [Int: Int?] = [:]
            var reached = 5
            func take(_ pieces: [Layers<Int>.Piece]) {
                for piece in pieces where piece.from < piece.to {
                    let from = Int((piece.from.microseconds - SampleLedger.eight) / 60_000_000)
                    let to = Int((piece.to.microseconds - SampleLedger.eight) / 60_000_000)
                    #expect(from == reached)
                    for minute in from..<to { shown[minute] = .some(piece.item) }
                    reached = to
                }
            }
            for stretch in stretches {
                take(
                    layers.add(
                        stretch.name, from: SampleLedger.at(Double(stretch.from)),
                        to: SampleLedger.at(Double(stretch.to))))
            }
            take(layers.advance(to: SampleLedger.at(60)))
            #expect(reached == 60)
            for minute in 5..<60 {
                let there = stretches.last { $0.from <= minute && minute < $0.to }?.name
                #expect(shown[minute] == .some(there), "seed 7, minute \(minute) of \(stretches)")
            }
        }
    }
}

/// Random numbers that a seed decides (SplitMix64).
struct SplitMix {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
