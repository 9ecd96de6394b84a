import Archive
import CastModel
import IO
import Recording
import Report
import Sender
import Telemetry

/// The stages of one run, in the order of the flow: started from the left, ended from the left as well, so that each
/// gets what the one before still had.
///
/// Belongs to the thread that made it.
final class RecorderStages {
    private var configuration: Configuration
    private let log: Log
    private let beginning: ClockReading
    private let folder: ArchiveFolder
    private let archive: ArchiveThread
    private let durable: Guarded<Reporter.Durable>
    private let projector: ProjectorService
    private let links: LinkService
    private var pruning: PruningService
    private let durablePosition: Guarded<ArchivePosition>
    private let clock: Guarded<ClockTrust>
    private let statusService: StatusService
    /// Knows how all of them are.
    let reporter: Reporter

    /// Opens the archive, and makes everything that may run from it.
    init(_ configuration: Configuration, log: Log) throws {
        self.configuration = configuration
        self.log = log
        beginning = ClockReading.now
        let openFiles = ThisProcess.raiseOpenFilesLimit()
        try configuration.data.make()
        folder = try ArchiveFolder(data: configuration.data.path, recorder: configuration.data.recorderID())
        let writer = try ArchiveWriter(folder, boot: Clock.bootID())
        let recovered = writer.recovery
        let clockTrust = ClockTrust(beginning: beginning, lastDurable: recovered.lastDurable?.at)
        clock = Guarded(clockTrust)
        if configuration.pruning.age != nil, !clockTrust.believes(beginning) {
            log(.warning, "the wall clock is far from the last record: nothing is pruned by age for a day")
        }
        Self.finishPruning(of: folder, log)
        let projector = try ProjectorService(
            configuration: configuration, folder: folder, durable: writer.durable, log: log)
        let durablePosition = Guarded(writer.durable)
        self.durablePosition = durablePosition
        let durable = Guarded(Reporter.Durable(position: writer.durable, sinceNanoseconds: nil))
        archive = try ArchiveThread(writer, log: log) { position in
            durable.withLock {
                $0 = Reporter.Durable(position: position, sinceNanoseconds: Clock.monotonicNanoseconds())
            }
            durablePosition.withLock { $0 = position }
            projector.becameDurable(position)
        }
        self.projector = projector
        self.durable = durable
        log(
            .info, "recorder started",
            [.version: configuration.version, .path: folder.path, .limit: "\(openFiles) open files"])
        let sink: any RecordSink = configuration.redaction.contains(.archive) ? RedactingSink(archive) : archive
        links = try LinkService(configuration: configuration, sink: sink, log: log)
        pruning = try PruningService(
            configuration, folder: folder, archive: archive, durable: durablePosition, clock: clock,
            projector: projector, log: log)
        let reporter = Reporter(
            configuration, recorderID: folder.recorder, start: beginning, openFilesLimit: openFiles, durable: durable,
            archive: archive, projector: projector, links: links.questions)
        self.reporter = reporter
        statusService = try StatusService(path: configuration.data.statusSocket, log: log) {
            reporter.health().json.utf8
        }
        // An empty mailbox takes every first batch.
        _ = archive.append(firstObservations(after: recovered))
    }

    /// Starts all threads.
    func start() {
        projector.start()
        statusService.start()
        links.start()
        pruning.start()
    }

    /// What others may ask.
    var access: RecorderAccess {
        let (reporter, projector) = (reporter, projector)
        return RecorderAccess(
            databaseAddress: { projector.databaseAddress }, health: { reporter.health().json })
    }

    /// What a running recorder looks like now.
    func snapshot() -> RecorderSnapshot {
        var snapshot = RecorderSnapshot()
        links.fill(&snapshot)
        let progress = projector.progress
        snapshot.durable = durable.withLock { $0.position }
        snapshot.applied = progress.applied
        snapshot.events = progress.events
        snapshot.databaseTrouble = progress.trouble
        snapshot.isArchiveStalled = archive.isStalled
        return snapshot
    }

    // MARK: Other settings

    /// Takes other settings, as far as they can change while the recorder runs.
    func apply(_ settings: Configuration) throws {
        let change = ConfigurationChange(from: configuration, to: settings)
        configuration = change.settled
        reporter.settingsAre(change.settled, trouble: nil)
        if change.changed.contains("site") { projector.siteIs(configuration.site) }
        links.apply(change)
        if change.changed.contains("keep") {
            pruning.stop(within: .seconds(5))
            pruning = try PruningService(
                configuration, folder: folder, archive: archive, durable: durablePosition, clock: clock,
                projector: projector, log: log)
            pruning.start()
        }
        log(.notice, "settings were read again", [.reason: "changed: \(Self.list(change.changed))"])
        if !change.afterRestart.isEmpty {
            log(.warning, "settings that need a restart of the recorder", [.reason: Self.list(change.afterRestart)])
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }

    /// How the recorder is, in half a line for the service manager.
    func statusLine(_ tally: LinkQuestions.Tally) -> String {
        let devices = "\(tally.linked) of \(tally.known) devices linked"
        let progress = projector.progress
        let behind = durable.withLock { $0.position.number } - (progress.applied?.number ?? 0)
        let database =
            progress.trouble.map { "database: \($0)" }
            ?? (progress.applied == nil
                ? "database not reached yet" : behind > 100 ? "database behind" : "database up to date")
        return (archive.isStalled ? "THE DISK REFUSES WRITES; " : "") + "\(devices); \(database)"
    }

    // MARK: The end

    /// What the links may take of the time: a disk that refuses writes must not hold up the rest.
    private static let linksLimit = Duration.milliseconds(500)
    /// What the disk may take.
    private static let archiveLimit = Duration.milliseconds(900)
    /// What a pruning may take that waits for the database, which it looks up from ten times a second.
    private static let pruningLimit = Duration.milliseconds(250)
    private static let statusLimit = Duration.milliseconds(100)
    /// What a private cluster that does not want to stop may take, after the time for what is left to apply.
    private static let clusterLimit = Duration.milliseconds(1_500)

    /// Writes down what was observed, applies it, and ends all threads; true when one had to be left behind.
    ///
    /// - Parameters:
    ///   - limit: How long that may take, whatever hangs.
    ///   - catchUpLimit: How long the database may take, however long the whole then takes; nil for what is left.
    func end(because reason: String, within limit: Duration, catchUpLimit: Duration? = nil) -> Bool {
        let deadline = Clock.monotonicNanoseconds(after: limit)
        func left() -> Duration { .nanoseconds(max(0, deadline - Clock.monotonicNanoseconds())) }
        let farewell = links.stop(within: min(Self.linksLimit, left()))
        if farewell.lostObservations > 0 {
            log(
                .error, "the archive did not take the last observations; they are lost",
                [.count: "\(farewell.lostObservations)"])
        }
        if !archive.append([ClockReading.now.observation(.recorderStopped(reason: reason))]) {
            log(.error, "the archive takes no more: the end of this recording is not written down")
        }
        let isPruned = pruning.stop(within: min(Self.pruningLimit, left()))
        let unwritten = archive.stop(within: min(Self.archiveLimit, left()))
        switch unwritten {
        case nil: log(.error, "the disk does not answer: what it was given last may be lost")
        case 0?: break
        case let count?: log(.error, "the disk refused the last observations; they are lost", [.count: "\(count)"])
        }
        let catchUp = catchUpLimit ?? min(ProjectorService.stopLimit, max(.zero, left() - Self.clusterLimit))
        let isProjected = projector.stop(within: catchUp)
        // Last, for whoever asks how the end goes; its thread may be waiting for the links' loop.
        let isSilent = statusService.stop(within: Self.statusLimit)
        log(.info, "recorder stopped", [.signal: reason])
        return farewell.leftThreads || !isPruned || !isProjected || !isSilent || unwritten == nil
    }

    /// Removes what a pruning announced before a crash.
    private static func finishPruning(of folder: ArchiveFolder, _ log: Log) {
        do {
            guard let outcome = try ArchivePruning(folder).finish() else { return }
            log(
                .notice, "an interrupted pruning was finished",
                [.count: "\(outcome.segments)", .archivePosition: "\(outcome.told.position)"])
        } catch { log(.error, "an interrupted pruning could not be finished", [.error: "\(error)"]) }
    }

    /// What the archive says first: since when nobody watched, what was cut, and that we began.
    ///
    /// The gap comes before the beginning, so that it counts from its own `from`, the last moment that is durable.
    private func firstObservations(
        after recovered: ArchiveRecovery
    ) -> [Observation] {
        for cut in recovered.cuts {
            log(
                .warning, "a torn tail was cut off and kept",
                [.archiveSegment: cut.segment, .path: cut.torn, .count: "\(cut.bytes)"])
        }
        var first: [Observation] = []
        if let last = recovered.lastDurable {
            first.append(
                beginning.observation(.gap(Gap(device: nil, from: last.at, to: beginning.wall, reason: .recorderDown))))
        }
        first.append(
            beginning.observation(
                .recorderStarted(
                    recorder: folder.recorder, version: configuration.version, redaction: configuration.redaction)))
        return first
    }
}
