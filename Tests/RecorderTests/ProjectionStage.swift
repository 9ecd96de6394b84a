import Archive
import CastModel
import Discovery
import Fleet
import Glibc
import IO
import Recording
import Store
import Telemetry
import TestSupport
import Testing

@testable import Recorder

/// An archive of some seconds of a fleet's evening, recorded once while no database could be reached.
final class RecordedEvening: Sendable {
    static let shared = Result { try RecordedEvening() }

    let data: DataFolder
    let folder: ArchiveFolder
    /// The last record of each batch: the positions at which an archive can end.
    let ends: [ArchivePosition]
    /// What the recorder said of the database last.
    let trouble: String?

    private init() throws {
        data = DataFolder(try Files.makeTemporaryFolder("castledger-evening", mode: 0o711))
        let fleet = try FleetService(options: FleetOptions(devices: 3, scenario: .evening, speed: 20), log: .silent)
        fleet.start()
        defer { fleet.stop() }
        let configuration = Configuration(
            data: data, databaseURL: "host=127.0.0.1 port=1 dbname=nowhere",
            devices: try fleet.endpoints.map { try DeviceAddress(parsing: "\($0.host):\($0.port)") },
            discovers: false, version: "0.0-test")
        let trouble = Guarded<String?>(nil)
        try RecorderService(configuration: configuration, log: .silent).run(
            until: SignalWatch([12]), for: .seconds(6)
        ) { snapshot in trouble.withLock { $0 = snapshot.databaseTrouble } }
        self.trouble = trouble.withLock { $0 }
        folder = try ArchiveFolder(data: data.path, recorder: data.recorderID())
        ends = try ArchiveReader(folder).readAvailable(limitRecords: 1_000_000).compactMap { $0.records.last?.position }
        atexit {
            if case .success(let evening) = RecordedEvening.shared { try? Files.removeTree(evening.data.path) }
        }
    }

    private let known = Guarded<[String: [String]]?>(nil)

    /// All tables as a rebuild into an empty database makes them.
    func reference(on server: FaultyServer) throws -> [String: [String]] {
        if let known = known.withLock({ $0 }) { return known }
        let address = server.address(try server.newDatabase())
        _ = try Rebuild.run(data: data, recorderID: folder.recorder, databaseURL: address, log: .silent) { _ in }
        let content = try ledgerContent(address)
        known.withLock { $0 = content }
        return content
    }
}

/// A projector between the evening's archive and a database, with the archive growing as the test says.
final class ProjectionStage {
    let evening: RecordedEvening
    let projector: ProjectorService
    let address: String
    private let lines: Guarded<[String]>

    /// - Parameter batches: How many batches of the archive are durable at first.
    init(_ address: String, batches: Int, limits: ProjectorLimits = .impatient) throws {
        evening = try RecordedEvening.shared.get()
        self.address = address
        let lines = Guarded<[String]>([])
        self.lines = lines
        projector = try ProjectorService(
            configuration: Configuration(
                data: evening.data, databaseURL: address, discovers: false, version: "0.0-test"),
            folder: evening.folder, durable: batches == 0 ? ArchivePosition(0) : evening.ends[batches - 1],
            limits: limits, log: Log { _, line in lines.withLock { $0.append(line) } })
        projector.start()
    }

    /// The archive has so many batches from now on.
    func grow(to batches: Int) { projector.becameDurable(evening.ends[batches - 1]) }

    /// Waits until so many batches are in the database, and all is well.
    func awaitApplied(_ batches: Int, _ location: SourceLocation = #_sourceLocation) throws {
        let end = evening.ends[batches - 1]
        let done = try eventually {
            let progress = projector.progress
            return progress.applied == end && progress.trouble == nil ? true : nil
        }
        #expect(done == true, "\(projector.progress), wanted \(end)", sourceLocation: location)
    }

    /// Waits until what is said of the database fits, and returns it.
    func awaitTrouble(
        _ location: SourceLocation = #_sourceLocation, _ fits: (String) -> Bool
    ) throws -> String {
        let trouble = try eventually { projector.progress.trouble.flatMap { fits($0) ? $0 : nil } }
        return try #require(trouble, "\(projector.progress)", sourceLocation: location)
    }

    /// How often the log was told of trouble that contains a text.
    func logged(_ text: String) -> Int {
        lines.withLock { lines in
            lines.filter { $0.contains("the database is not up to date; recording goes on") && $0.contains(text) }.count
        }
    }

    /// Lets the rest of the archive come, and compares all tables with those of a rebuild.
    func finish(on server: FaultyServer, _ location: SourceLocation = #_sourceLocation) throws {
        grow(to: evening.ends.count)
        try awaitApplied(evening.ends.count, location)
        projector.stop(within: .seconds(60))
        let (live, rebuilt) = (try ledgerContent(address), try evening.reference(on: server))
        #expect(live.keys.sorted() == rebuilt.keys.sorted(), sourceLocation: location)
        for (table, rows) in rebuilt { #expect(live[table] == rows, "\(table)", sourceLocation: location) }
        // There was something to lose: two thirds of the archive's batches came after the fault.
        #expect((rebuilt["change_event"] ?? []).count >= 30, sourceLocation: location)
    }
}

extension ProjectorLimits {
    /// As the program has it, with shorter waits: a test has less time than an evening.
    static let impatient: ProjectorLimits = {
        var limits = ProjectorLimits()
        limits.retryIntervals = [.milliseconds(50)]
        limits.statement = .seconds(2)
        limits.overdue = .seconds(1)
        limits.silence = .milliseconds(300)
        limits.turn = .milliseconds(50)
        limits.quiet = .milliseconds(100)
        return limits
    }()
}
