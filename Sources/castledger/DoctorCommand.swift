import Arguments
import Discovery
import Glibc
import IO
import Recorder
import Recording
import Report
import Store

/// `castledger doctor`: asks the machine, lets ``Diagnosis`` judge, prints.
struct DoctorCommand {
    private static let discoverySeconds = 3
    /// Words not understood that are listed, at most.
    private static let wordLimit = 20
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        var worst = Finding.Level.ok
        for check in checks {
            for finding in check() {
                try context.output.line(context.arguments.has(.json) ? finding.json : finding.line)
                try context.output.flush()
                if finding.level == .fail { worst = .fail }
            }
        }
        return worst == .fail ? ExitCode.nothing : ExitCode.done
    }

    /// The checks, quick ones first; each may take its time, so each prints as it ends.
    private var checks: [() -> [Finding]] {
        [clock, openFiles, dataFolder, database, discovery, devices]
    }

    private func clock() -> [Finding] {
        let now = WallTime(microseconds: Clock.wallMicroseconds())
        return [Diagnosis.clock(now: now, isSynchronized: Clock.isSynchronized())]
    }

    private func openFiles() -> [Finding] { [Diagnosis.openFiles(hardLimit: ThisProcess.hardOpenFilesLimit)] }

    /// Looks at the folder, or at the nearest one above it that exists: doctor makes nothing.
    private func dataFolder() -> [Finding] {
        var path = context.folder.path
        while !Files.exists(path), let slash = path.lastIndex(of: "/"), path != "/" {
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
        if !Files.exists(path) { path = "." }
        let room = VolumeRoom(holding: path)
        let isWritable = unsafe room != nil && access(path, W_OK) == 0
        return [
            Diagnosis.dataFolder(
                path: context.folder.path, exists: Files.exists(context.folder.path), isWritable: isWritable,
                freeBytes: room?.freeBytes ?? 0)
        ]
    }

    /// Looks for a database, and into it: doctor brings none up to date.
    ///
    /// The private one is there from the first recording on.
    private func database() -> [Finding] {
        let address = context.arguments.text(.database)
        var findings: [Finding] = []
        if address == nil {
            findings.append(programs())
            guard findings.allSatisfy({ $0.level != .fail }), Files.exists(context.folder.postgres) else {
                return findings
            }
        }
        do throws(StoreError) {
            let database = try LedgerDatabase(address: address, data: context.folder.path)
            defer { database.close() }
            let connection = try database.connect()
            findings.append(Diagnosis.database(server: database.summary, problem: nil))
            return findings + (try notUnderstood(over: connection))
        } catch {
            return findings + [Diagnosis.database(server: "", problem: "\(error)")]
        }
    }

    private func programs() -> Finding {
        let versions = (try? Files.names(in: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        return Diagnosis.database(binaries: folders.first { Files.exists($0 + "/postgres") })
    }

    /// What devices said so far that nobody gave a meaning to; nothing where nothing was recorded yet.
    private func notUnderstood(over connection: PostgresConnection) throws(StoreError) -> [Finding] {
        let queries: LedgerQueries
        do throws(StoreError) { queries = try LedgerQueries(connection: connection) } catch {
            guard error == .noLedger else { throw error }
            return []
        }
        let told = try queries.notUnderstood(limit: Self.wordLimit)
        let findings = told.rows.map {
            Diagnosis.notUnderstood(
                subject: $0.subject, namespace: $0.namespace, word: $0.word, count: $0.count, lastAt: $0.lastAt)
        }
        let more = told.total - told.rows.count
        return findings + (more > 0 ? [Diagnosis.notUnderstood(more: more)] : [])
    }

    private func discovery() -> [Finding] {
        let facts = DiscoveryProbe.run(seconds: Self.discoverySeconds)
        return [
            Diagnosis.discovery(
                isDaemonRunning: facts.isDaemonRunning, version: facts.daemonVersion, reason: facts.reason,
                devices: facts.devices, advice: facts.advice)
        ]
    }

    /// Reaches for the devices given.
    private func devices() -> [Finding] {
        context.arguments.texts(.deviceAddress).map { text in
            let probe = DeviceProbe.run(text)
            return Diagnosis.device(
                address: probe.address, protocolVersion: probe.protocolVersion, problem: probe.problem)
        }
    }
}
