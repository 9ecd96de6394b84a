import Recording
import Testing

@testable import Report

@Suite("A diagnosis") struct DiagnosisTests {
    @Test func `tells a word that was not understood, how often and when`() {
        let at = WallTime(microseconds: 1_772_395_200_000_000)
        let media = "urn:x-cast:com.google.cast.media"
        #expect(
            Diagnosis.notUnderstood(subject: "MEDIA_STATUS key", namespace: media, word: "fooBar", count: 3, lastAt: at)
                .line
                == "ok    not understood  MEDIA_STATUS key fooBar on \(media), 3 times, last 2026-03-01T20:00:00.000000Z"
        )
        #expect(
            Diagnosis.notUnderstood(subject: "playerState", namespace: media, word: "X\u{1B}", count: 1, lastAt: at)
                .line.contains("\u{1B}") == false)
        #expect(Diagnosis.notUnderstood(more: 1).meaning == "1 more word")
    }

    @Test(arguments: [
        (UInt64(0), Finding.Level.fail), (79, .fail), (80, .warn), (1023, .warn), (1024, .ok), (UInt64.max, .ok),
    ])
    func `of the open files limit leaves room for more than devices`(limit: UInt64, level: Finding.Level) {
        #expect(Diagnosis.openFiles(hardLimit: limit).level == level)
    }

    @Test func `of the clock says what is wrong with it`() {
        #expect(Diagnosis.clock(now: evening, isSynchronized: true) == Finding("clock", .ok, "synchronized"))
        #expect(Diagnosis.clock(now: evening, isSynchronized: false).level == .warn)
        #expect(Diagnosis.clock(now: evening, isSynchronized: nil).level == .warn)
        #expect(
            Diagnosis.clock(now: WallTime(microseconds: 0), isSynchronized: true).line
                == "fail  clock           the clock says 1970-01-01T00:00:00.000000Z, which cannot be. "
                + "Set it, and start an NTP daemon.")
    }

    @Test(arguments: [
        (true, Int64(1) << 30, Finding.Level.ok), (true, (1 << 30) - 1, .warn), (true, 64 << 20, .warn),
        (true, (64 << 20) - 1, .fail), (false, 1 << 40, .fail),
    ])
    func `of the data folder asks for room`(isWritable: Bool, freeBytes: Int64, level: Finding.Level) {
        for exists in [true, false] {
            let finding = Diagnosis.dataFolder(
                path: "/data", exists: exists, isWritable: isWritable, freeBytes: freeBytes)
            #expect(finding.level == level)
        }
    }

    @Test func `of a folder that is not there does not say that it is written to`() {
        let absent = Diagnosis.dataFolder(path: "/data", exists: false, isWritable: true, freeBytes: 8 << 30)
        #expect(absent.meaning == "/data is made by the first recording, 8 GiB free")
        let closed = Diagnosis.dataFolder(path: "/data", exists: false, isWritable: false, freeBytes: 8 << 30)
        #expect(closed.meaning == "/data cannot be made")
    }

    @Test func `of a device says what to look at`() {
        #expect(
            Diagnosis.device(address: "192.0.2.7:8009", protocolVersion: "TLSv1.2", problem: nil).line
                == "ok    device          192.0.2.7:8009 answers with TLSv1.2")
        #expect(
            Diagnosis.device(address: "192.0.2.7:8009", protocolVersion: nil, problem: "connection refused").json
                == #"{"check":"device","level":"fail","meaning":"192.0.2.7:8009: connection refused","#
                + #""advice":"Is it on, on this network, and is its TCP port not blocked?"}"#)
    }

    @Test func `of the database names the package to install`() {
        #expect(Diagnosis.database(binaries: "/usr/lib/postgresql/15/bin").level == .ok)
        #expect(
            Diagnosis.database(binaries: nil).line
                == "fail  database        PostgreSQL is not installed. "
                + "Run 'make deps' or install postgresql-15, or give a database with --database.")
    }

    @Test func `of a database of one's own says whether it answers`() {
        #expect(
            Diagnosis.database(server: "postgresql://db.example/castledger", problem: nil).line
                == "ok    database        postgresql://db.example/castledger answers")
        #expect(
            Diagnosis.database(server: "", problem: "It cannot be reached. Check the address.").line
                == "fail  database        It cannot be reached. Check the address.")
    }

    @Test func `of discovery is no failure, since devices can be named`() {
        #expect(
            Diagnosis.discovery(
                isDaemonRunning: false, version: nil, reason: "Daemon not running", devices: 0, advice: ["Start it."])
                == Finding("discovery", .warn, "no mDNS: Daemon not running", advice: "Start it."))
        #expect(
            Diagnosis.discovery(isDaemonRunning: true, version: "avahi 0.8", reason: nil, devices: 1, advice: [])
                == Finding("discovery", .ok, "avahi 0.8 answers, 1 device seen"))
        #expect(
            Diagnosis.discovery(isDaemonRunning: true, version: "avahi 0.8", reason: nil, devices: 0, advice: []).level
                == .warn)
    }
}
