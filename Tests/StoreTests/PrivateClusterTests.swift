import Differ
import Glibc
import IO
import Recording
import TestSupport
import Testing

@testable import Store

@Suite("The private cluster", .waits) struct PrivateClusterTests {
    @Test func `is made once, used by whoever comes next, and stopped by whom it was started`() throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        try onOwnThread {
            let first = try PrivateCluster.open(data: folder.path)
            let second = try PrivateCluster.open(data: folder.path)
            #expect(first.serverProcessID != nil && second.serverProcessID == nil)

            second.stop()
            let connection = try PostgresConnection(second.address)
            try connection.execute("CREATE TABLE kept AS SELECT 7::bigint AS number")
            first.stop()
            #expect(throws: StoreError.self) { try PostgresConnection(first.address) }
            #expect(throws: StoreError.connectionLost(doing: "asking again")) {
                try connection.execute("SELECT 1", doing: "asking again")
            }

            let again = try PrivateCluster.open(data: folder.path)
            defer { again.stop() }
            let kept = try PostgresConnection(again.address).execute("SELECT number FROM kept")
            #expect(kept.map { $0.integer(0) } == [7])
        }
    }

    @Test func `listens on a socket that nobody else can open, and on nothing else`() throws {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        #expect(try connection.execute("SHOW listen_addresses").first?.text(0) == "")
        #expect(try connection.execute("SHOW fsync").first?.text(0) == "on")
        let socket = "\(TestCluster.shared.folder.path)/postgres/.s.PGSQL.5432"
        var facts = stat()
        #expect(stat(socket, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o700)
        #expect(facts.st_uid != 0, "PostgreSQL does not run as root")
    }

    @Test func `in a folder whose path is too long for a socket, puts the socket elsewhere`() throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let data = folder.path + "/" + String(repeating: "long-", count: 20)
        try onOwnThread {
            // mkdtemp made it for us alone; the `postgres` user has to pass.
            #expect(chmod(folder.path, 0o755) == 0)
            let cluster = try PrivateCluster.open(data: data)
            defer { cluster.stop() }
            #expect(!cluster.address.contains("long-"))
            #expect(try PostgresConnection(cluster.address).execute("SELECT 1::bigint").first?.integer(0) == 1)
        }
        let layout = try ClusterLayout(data: data)
        #expect(layout.socketFolder.utf8.count < 60)
        rmdir(layout.socketFolder)
    }

    @Test func `below a folder that its user cannot pass, says which`() throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let data = "\(folder.path)/closed/data"
        try Files.makeFolders(data)
        guard ThisProcess.isRoot else {
            // It runs as ourselves, and the folder is closed to others only.
            return try onOwnThread {
                let cluster = try PrivateCluster.open(data: data)
                defer { cluster.stop() }
                #expect(try PostgresConnection(cluster.address).execute("SELECT 1::bigint").first?.integer(0) == 1)
            }
        }
        #expect(throws: StoreError.clusterUnreachable(folder: "\(data)/postgres")) {
            try PrivateCluster.open(data: data)
        }
    }

    @Test func `killed in the middle of applying, comes back with each batch whole or absent`() throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let events = evening()
        let whole = try expectedDump(of: events)
        let result = try onOwnThread { try applyWithKills(events, in: folder.path) }
        #expect(result.kills == 3)
        #expect(result.content == whole)
    }

    /// What all tables hold after one undisturbed batch.
    private func expectedDump(of events: [ChangeEvent]) throws -> [String: [String]] {
        let connection = try PostgresConnection(TestCluster.shared.newDatabase())
        try Projection(connection: connection, recorderID: recorderOne).apply(ProjectionBatch(events))
        return try dump(connection)
    }

    @Test func `names its newest programs, or says what to install`() throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        for version in ["9", "14", "15"] {
            try Files.makeFolders("\(folder.path)/\(version)/bin", mode: 0o755)
            for program in ["postgres", "initdb"] {
                try Files.replace("\(folder.path)/\(version)/bin/\(program)", with: [], mode: 0o755)
            }
        }
        try Files.makeFolders("\(folder.path)/16/bin", mode: 0o755)
        func find(_ major: String?) throws(StoreError) -> String {
            try PostgresPrograms.find(major: major, root: folder.path, path: "").folder
        }
        #expect(try find(nil) == "\(folder.path)/15/bin")
        #expect(try find("14") == "\(folder.path)/14/bin")
        #expect(throws: StoreError.clusterVersion(found: "16")) { try find("16") }
        #expect(throws: StoreError.postgresNotInstalled) {
            try PostgresPrograms.find(major: nil, root: "/nowhere", path: "")
        }
        #expect(
            try PostgresPrograms.find(major: nil, root: "/nowhere", path: "/nowhere:\(folder.path)/14/bin").folder
                == "\(folder.path)/14/bin")
    }
}

/// Applies events in batches of seven, and kills the server three times, each time in another moment of a batch.
private func applyWithKills(
    _ events: [ChangeEvent], in folder: String
) throws -> (kills: Int, content: [String: [String]]) {
    var cluster = try PrivateCluster.open(data: folder)
    defer { cluster.stop() }
    var kills = 0
    while true {
        let connection = try PostgresConnection(cluster.address)
        let projection = try Projection(connection: connection, recorderID: recorderOne)
        do {
            while true {
                let done = Int(try projection.checkpoint().number)
                guard done < events.count else { return (kills, try dump(connection)) }
                let slice = Array(events[done..<min(done + 7, events.count)])
                if kills < 3, done > kills * 60 {
                    kills += 1
                    if kills > 1, let server = cluster.serverProcessID { kill(server, SIGKILL) }
                    // The first time the server dies on its own words, in the middle of the transaction.
                    if kills == 1 { try dieInside(connection) }
                }
                try projection.apply(ProjectionBatch(slice, after: Int64(done)))
            }
        } catch StoreError.connectionLost {
            cluster.stop()
            cluster = try PrivateCluster.open(data: folder)
        }
    }
}

/// Breaks this connection from within, half a batch after its first row.
private func dieInside(_ connection: PostgresConnection) throws {
    try connection.execute("BEGIN")
    try connection.execute("DELETE FROM projection.change_event")
    try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
}
