import CastModel
import Recording
import Testing

@testable import Report

@Suite("The health of a recorder")
struct RecorderHealthTests {
    private static var healthy: RecorderHealth {
        var health = RecorderHealth()
        health.processID = 4711
        health.version = "0.1"
        health.recorderID = "95f615df-a075-4de9-a1b9-d14addf0f875"
        health.startedAt = WallTime(microseconds: 1_772_395_200_000_000)
        health.uptimeSeconds = 7_800
        health.devices = [
            .init(
                deviceID: "ab12", name: "Lobby", model: "TV", address: "192.0.2.7:8009", reach: "linked",
                appName: "YouTube", lastHeardSeconds: 1.25, failures: 0, lastFailure: nil),
            .init(
                deviceID: "cd34", name: nil, model: nil, address: "192.0.2.8:8009", reach: "unreachable",
                appName: nil, lastHeardSeconds: nil, failures: 3, lastFailure: "connect: refused"),
        ]
        health.frames = 900
        health.durablePosition = 812
        health.records = 500
        health.durableSeconds = 0.4
        health.appliedPosition = 810
        health.lagSeconds = 0.2
        health.events = 77
        health.freeBytes = 64 << 30
        health.freeShare = 0.5
        health.residentBytes = 30 << 20
        health.openFiles = 23
        health.openFilesLimit = 1024
        health.threads = 9
        health.silentSeconds = [("cast-loop", 0.5)]
        return health
    }

    @Test func `a healthy one says so in six more lines`() {
        #expect(
            Self.healthy.summary == [
                "healthy", "recording  for 2 h 10 min, process 4711, castledger 0.1",
                "devices    2 known, 1 linked, 1 with an app joined, 1 unreachable",
                "archive    record 812 safe 0.4 s ago, 0 B waiting, 0 frames lost since the start",
                "database   record 810 applied, 2 records (0.2 s) behind, 77 change events since the start",
                "volume     64 GiB free (50%)", "process    30 MiB resident, 23 of 1024 files open, 9 threads",
            ])
    }

    @Test func `one that has recorded nothing yet says so`() {
        var health = Self.healthy
        health.durablePosition = 0
        health.durableSeconds = nil
        #expect(
            health.summary.first { $0.hasPrefix("archive") }
                == "archive    no record yet, 0 B waiting, 0 frames lost since the start")
    }

    @Test func `what is wrong comes first, the worst of it before the rest`() {
        var health = Self.healthy
        health.databaseTrouble = "connection refused"
        health.stalledSeconds = 65
        health.waitingBytes = 3 << 20
        #expect(
            health.summary.prefix(2) == [
                "degraded   The disk has refused writes for 1 min 5 s: 3 MiB of frames wait in memory.",
                "           Database: connection refused",
            ])
    }

    static let wrong: [(String, @Sendable (inout RecorderHealth) -> Void)] = [
        ("archive_stalled", { $0.stalledSeconds = 0 }), ("disk_silent", { $0.diskSilentSeconds = 5 }),
        ("frames_lost", { $0.framesLostLastHour = 1 }),
        ("thread_silent", { $0.silentSeconds = [("cast-loop", 30)] }),
        ("volume_nearly_full", { $0.freeShare = 0.049 }), ("volume_nearly_full", { $0.daysUntilFull = 1.9 }),
        ("no_link", { $0.noLinkSeconds = 60 }), ("too_many_devices", { $0.devicesOverLimit = 1 }),
        ("open_files", { $0.openFiles = 922 }), ("database", { $0.databaseTrouble = "away" }),
        ("database_behind", { $0.lagSeconds = 60.1 }), ("discovery", { $0.discoveryTrouble = "no daemon" }),
        ("settings", { $0.settingsTrouble = "line 3" }),
    ]

    @Test(arguments: wrong.indices)
    func `each trouble is one by itself`(index: Int) {
        var health = Self.healthy
        Self.wrong[index].1(&health)
        #expect(health.troubles.map(\.kind) == [Self.wrong[index].0])
        #expect(health.json["health"]?.string == "degraded")
    }

    static let fine: [@Sendable (inout RecorderHealth) -> Void] = [
        { $0.diskSilentSeconds = 4.9 }, { $0.silentSeconds = [("archive", 29.9)] }, { $0.freeShare = 0.05 },
        { $0.daysUntilFull = 2 }, { $0.noLinkSeconds = 59 }, { $0.openFiles = 921 }, { $0.lagSeconds = 60 },
        { $0.framesLost = 5 },
    ]

    @Test(arguments: fine.indices)
    func `what is below its limit is none`(index: Int) {
        var health = Self.healthy
        Self.fine[index](&health)
        #expect(health.troubles == [])
        #expect(health.json["health"]?.string == "healthy")
    }

    @Test func `programs get stable names`() {
        let json = Self.healthy.json
        #expect(
            json.object?.pairs.map(\.key) == [
                "health", "troubles", "pid", "version", "recorder_id", "started_at", "uptime_seconds", "devices",
                "links", "frames", "frames_received", "frames_malformed", "frames_sent", "frames_lost",
                "frames_lost_last_hour", "archive", "database", "discovery", "settings",
                "volume", "process", "silent_seconds", "device_list", "summary",
            ])
        #expect(json["started_at"]?.string == "2026-03-01T20:00:00.000000Z")
        #expect(
            json["database"]?.text
                == #"{"applied_position":810,"lag_records":2,"lag_seconds":0.2,"events":77,"trouble":null}"#)
        #expect(
            json["devices"]?.text
                == #"{"known":2,"typed":0,"linked":1,"joined":1,"refused":0,"platform_only":0,"unreachable":1,"over_limit":0,"no_link_seconds":null}"#
        )
        #expect(
            json["device_list"]?.array?.last?.text
                == #"{"device_id":"cd34","name":null,"model":null,"address":"192.0.2.8:8009","reach":"unreachable","app":null,"not_recorded":null,"platform_only":false,"last_heard_seconds_ago":null,"failures":3,"last_failure":"connect: refused","round_trip_seconds":null,"frames_received":0,"bytes_received":0}"#
        )
    }
}
