import Archive
import CastModel
import Discovery
public import IO
import Recording
import Sender
import TLS
public import Telemetry

/// The recorder: wires the stages together, in the order of the flow, and takes them down in the reverse order.
///
/// Threads: the caller's (signals), `avahi` and `static-devices` (roster), `cast-loop` (links), `archive` (disk) and
/// `project` (PostgreSQL). Batches of values pass between them; nothing is shared but bounded mailboxes.
public final class RecorderService {
    private let configuration: Configuration
    private let log: Log
    /// How long the end of a run may take to bring the database up to date; what is left waits for the next start.
    public var catchUpLimit = ProjectorService.stopLimit

    /// A recorder that does not run yet.
    public init(configuration: Configuration, log: Log) {
        self.configuration = configuration
        self.log = log
    }

    /// Records until a signal comes that ends it, and returns that signal.
    ///
    /// - Parameters:
    ///   - signals: Made before any other thread. SIGHUP is ignored for now; any other signal ends the run.
    ///   - duration: Ends the run as well; nil for never.
    ///   - everySecond: Called on this thread. Nil costs nothing: a snapshot asks every link.
    @discardableResult
    public func run(
        until signals: borrowing SignalWatch, for duration: Duration? = nil,
        everySecond: ((RecorderSnapshot) -> Void)? = nil
    ) throws -> Int32 {
        let start = ClockReading.now
        let openFiles = ThisProcess.raiseOpenFilesLimit()
        try configuration.data.make()
        let folder = try ArchiveFolder(data: configuration.data.path, recorder: configuration.data.recorderID())
        let writer = try ArchiveWriter(folder, boot: Clock.bootID())
        let recovered = writer.recovery
        finishPruning(of: folder)
        let projector = try ProjectorService(
            configuration: configuration, folder: folder, durable: writer.durable, log: log)
        let durable = Guarded(writer.durable)
        let archive = try ArchiveThread(writer, log: log) { position in
            durable.withLock { $0 = position }
            projector.becameDurable(position)
        }
        log(
            .info, "recorder started",
            [.version: configuration.version, .path: folder.path, .limit: "\(openFiles) open files"])
        // An empty mailbox takes every first batch.
        _ = archive.append(firstObservations(at: start, after: recovered, recorder: folder.recorder))
        projector.start()
        let sink: any RecordSink = configuration.redaction.contains(.archive) ? RedactingSink(archive) : archive
        let links = try LinkService(configuration: configuration, sink: sink, log: log)
        links.start()
        let pruning = try PruningService(
            configuration, folder: folder, archive: archive, durable: durable, projector: projector, log: log)
        pruning.start()

        let end = duration.map { Clock.monotonicNanoseconds(after: $0) }
        let signal = watch(signals, until: end) {
            guard let everySecond else { return }
            var snapshot = RecorderSnapshot()
            links.fill(&snapshot)
            let progress = projector.progress
            snapshot.durable = durable.withLock { $0 }
            snapshot.applied = progress.applied
            snapshot.events = progress.events
            snapshot.databaseTrouble = progress.trouble
            snapshot.isArchiveStalled = archive.isStalled
            everySecond(snapshot)
        }

        links.stop()
        pruning.stop()
        if !archive.append([ClockReading.now.observation(.recorderStopped(reason: Self.name(of: signal)))]) {
            log(.error, "the archive takes no more: the end of this recording is not written down")
        }
        let unwritten = archive.stop()
        if unwritten > 0 {
            log(.error, "the disk refused the last observations; they are lost", [.count: "\(unwritten)"])
        }
        projector.stop(within: catchUpLimit)
        log(.info, "recorder stopped", [.signal: Self.name(of: signal)])
        return signal
    }

    /// Removes what a pruning announced before a crash.
    private func finishPruning(of folder: ArchiveFolder) {
        do {
            guard let outcome = try ArchivePruning(folder).finish() else { return }
            log(
                .notice, "an interrupted pruning was finished",
                [.count: "\(outcome.segments)", .archivePosition: "\(outcome.told.position)"])
        } catch { log(.error, "an interrupted pruning could not be finished", [.error: "\(error)"]) }
    }

    /// Waits for a signal, and calls `tick` once a second meanwhile.
    ///
    /// 0 stands for the deadline.
    private func watch(_ signals: borrowing SignalWatch, until end: Int64?, _ tick: () -> Void) -> Int32 {
        while true {
            if let signal = signals.next(timeout: .seconds(1)) {
                guard signal == 1 else { return signal }  // SIGHUP
                continue
            }
            tick()
            if let end, Clock.monotonicNanoseconds() >= end { return 0 }
        }
    }

    /// What the archive says first: since when nobody watched, what was cut, and that we began.
    ///
    /// The gap comes before the beginning, so that it counts from its own `from`, the last moment that is durable.
    private func firstObservations(
        at start: ClockReading, after recovered: ArchiveRecovery, recorder: String
    ) -> [Observation] {
        for cut in recovered.cuts {
            log(
                .warning, "a torn tail was cut off and kept",
                [.archiveSegment: cut.segment, .path: cut.torn, .count: "\(cut.bytes)"])
        }
        var first: [Observation] = []
        if let last = recovered.lastDurable {
            first.append(
                start.observation(.gap(Gap(device: nil, from: last.at, to: start.wall, reason: .recorderDown))))
        }
        first.append(
            start.observation(
                .recorderStarted(
                    recorder: recorder, version: configuration.version, redaction: configuration.redaction)))
        return first
    }

    private static func name(of signal: Int32) -> String {
        switch signal {
        case 0: "end of the time given"
        case 2: "SIGINT"
        case 15: "SIGTERM"
        default: "signal \(signal)"
        }
    }
}

/// Both clocks at one moment.
struct ClockReading {
    let wall: WallTime
    let monotonic: MonotonicTime

    static var now: ClockReading {
        ClockReading(
            wall: WallTime(microseconds: Clock.wallMicroseconds()),
            monotonic: MonotonicTime(nanoseconds: Clock.monotonicNanoseconds()))
    }

    func observation(_ body: RecordBody) -> Observation { Observation(at: wall, monotonic: monotonic, body) }
}
