import Testing

@testable import Store

// The logs are shortened ones of PostgreSQL 15 on a full disk, started twice, and of initdb.
@Suite("The log of a server that has ended") struct ServerLogTests {
    private static let ended = """
        2026-11-30 16:12:19.400 UTC [11] LOG:  starting PostgreSQL 15.18 on x86_64-pc-linux-gnu
        2026-11-30 16:12:19.450 UTC [14] FATAL:  could not write lock file "postmaster.pid": No space left on device
        2026-11-30 16:12:20.100 UTC [21] LOG:  starting PostgreSQL 15.18 on x86_64-pc-linux-gnu
        2026-11-30 16:12:20.650 UTC [24] PANIC:  could not write to file "pg_wal/xlogtemp.24": No space left on device
        2026-11-30 16:12:20.700 UTC [21] LOG:  startup process (PID 24) was terminated by signal 6: Aborted
        2026-11-30 16:12:20.750 UTC [21] LOG:  database system is shut down
        """

    @Test func `gives the gravest line since the last start`() {
        #expect(
            ServerLog.reason(in: Array(Self.ended.utf8))
                == "2026-11-30 16:12:20.650 UTC [24] PANIC:  could not write to "
                + #"file "pg_wal/xlogtemp.24": No space left on device"#)
    }

    @Test(arguments: [
        ("", ""), ("one\ntwo\n", "two"),
        (
            "initdb: error: could not create directory: full\nremoving data\n",
            "initdb: error: could not create directory: full"
        ),
    ]) func `gives what there is when no server was started`(log: String, reason: String) {
        #expect(ServerLog.reason(in: Array(log.utf8)) == reason)
    }

    @Test func `is cut where a line has no end`() {
        #expect(ServerLog.reason(in: Array(repeating: UInt8(ascii: "x"), count: 9_000)).utf8.count == 500)
    }
}
