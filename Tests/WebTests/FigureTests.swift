import CastModel
import Recording
import Report
import TestSupport
import Testing

@testable import Web

// Goal: figures of the recorder and of its archive come to Prometheus, to programs and to the page as the recorder told them.
// Method: a health and an archive made by hand.
@Suite("Figures of a recorder over HTTP", .waits) struct FigureTests {
    private static var health: RecorderHealth {
        var health = RecorderHealth()
        func device(_ id: String, _ name: String, _ reach: String, bytes: Int) -> RecorderHealth.Device {
            var device = RecorderHealth.Device(
                deviceID: id, name: name, model: nil, address: "192.0.2.7:8009", reach: reach, appName: nil,
                lastHeardSeconds: 1, failures: reach == "linked" ? 0 : 3, lastFailure: nil)
            device.framesReceived = bytes / 10
            device.bytesReceived = bytes
            return device
        }
        health.devices = [
            device("tv1", "Living Room", "linked", bytes: 100), device("tv2", "Kitchen", "unreachable", bytes: 2_000),
        ]
        health.devices[0].roundTripSeconds = 0.0023456
        health.framesReceived = 210
        health.framesMalformed = 4
        health.framesSent = [("PING", 7), ("GET_STATUS", 0)]
        health.linksOpened = 5
        health.linksFailed = 9
        health.writtenBytes = 4_096
        health.syncs = 8
        health.syncSeconds = 0.25
        return health
    }

    private static let storage = ArchiveStorage(
        days: [
            .init(CalendarDay(number: 20_513), bytes: 300), .init(CalendarDay(number: 20_514), bytes: 100),
            .init(CalendarDay(number: 20_515), bytes: 7),
        ], today: CalendarDay(number: 20_515), freeBytes: 4_000,
        check: ArchiveCheck(
            at: WallTime(microseconds: eveningStart), isIntact: false, records: 12, lastPosition: 12, damageCount: 1))

    private static func lab() throws -> WebLab {
        let health = Self.health.json
        let storage = Self.storage
        let lab = try WebLab { _, sources in
            sources = WebSources(databaseAddress: sources.databaseAddress, health: { health }, version: "0.test")
            sources.storage = { storage }
        }
        try RowRouteTests.evening(lab)
        return lab
    }

    @Test func `are at /metrics, each as it was told`() throws {
        let text = try Self.lab().get("/metrics").text
        for line in [
            "castledger_link_round_trip_seconds{device_id=\"tv1\"} 0.002346", "castledger_links_opened_total 5",
            "castledger_links_failed_total 9", "castledger_frames_received_total 210",
            "castledger_frames_malformed_total 4", "castledger_frames_sent_total{type=\"PING\"} 7",
            "castledger_frames_sent_total{type=\"GET_STATUS\"} 0", "castledger_archive_written_bytes_total 4096",
            "castledger_archive_sync_seconds_sum 0.25", "castledger_archive_sync_seconds_count 8",
            "# TYPE castledger_archive_sync_seconds summary", "castledger_archive_size_bytes 407",
            "castledger_archive_verified_timestamp_seconds 1772395200", "castledger_archive_intact 0",
        ] {
            #expect(text.contains(line + "\n"), "\(line) in \(text)")
        }
        #expect(!text.contains("castledger_link_round_trip_seconds{device_id=\"tv2\"}"), "it did not answer")
        let documented = try MetricNames.documented()
        let names = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.prefix { $0 != "{" && $0 != " " }) }
        for name in Set(names) { #expect(documented.contains(name), "\(name) is not in docs/metrics.md") }
    }

    @Test func `are in the status, with growth, forecast, the last check, and who sends how much`() throws {
        let status = try Self.lab().json("/api/v1/status")
        let storage = try #require(status["storage"])
        #expect(storage["archive_bytes"] == 407 && storage["archive_bytes_per_day"] == 200)
        #expect(storage["archive_days_until_full"] == 20)
        #expect(storage["archive_days"]?.array?.last?.text == #"{"day":"2026-03-03","bytes":7}"#)
        #expect(
            storage["last_verify"]?.text
                == #"{"at":"2026-03-01T20:00:00.000000Z","intact":false,"records":12,"last_position":12,"damage_count":1}"#
        )
        #expect(storage["devices"]?.array?.map { $0["device"] } == ["Kitchen", "Living Room"])
        #expect(storage["devices"]?.array?.map { $0["bytes_received"] } == [2_000, 100])
        #expect(status["troubled_devices"]?.array?.map { $0["device_id"] } == ["tv2"])
        #expect(status["device_list"] == nil)
        #expect(status["links"]?.text == #"{"opened":5,"failed":9}"#)
    }

    @Test func `are with the devices: how long each took to answer`() throws {
        let lab = try Self.lab()
        #expect(try lab.json("/api/v1/devices/tv1")["round_trip_seconds"] == .number(0.002346))
        #expect(try lab.json("/api/v1/devices/tv2")["round_trip_seconds"] == .null)
        let none = try WebLab()
        try RowRouteTests.evening(none)
        #expect(try none.json("/api/v1/devices/tv1")["round_trip_seconds"] == .null, "nobody records here")
        let storage = try none.json("/api/v1/status")["storage"]
        #expect(storage?["last_verify"] == nil && storage?["tables"]?.array?.isEmpty == false)
    }
}
