import Archive
import CastModel
import IO
import Recording
import Report
import Sender
import SenderCore

/// Gathers how a recorder is doing, for whoever asks and from any thread.
final class Reporter: Sendable {
    /// How long the links' thread may take to answer before its last answer is given.
    private static let answerLimit = Duration.seconds(1)

    private let configuration: Guarded<Configuration>
    private let recorderID: String
    private let start: ClockReading
    private let openFilesLimit: Int
    private let firstPosition: ArchivePosition
    private let durable: Guarded<Durable>
    private let archive: ArchiveThread
    private let projector: ProjectorService
    private let links: LinkQuestions
    private let vitals = Guarded(Vitals())
    private let settingsTrouble = Guarded<String?>(nil)

    /// The last record that is safe, and since when it is.
    struct Durable: Sendable {
        var position: ArchivePosition
        /// Nanoseconds on the monotonic clock; nil when it was safe before the start.
        var sinceNanoseconds: Int64?
    }

    init(
        _ configuration: Configuration, recorderID: String, start: ClockReading, openFilesLimit: Int,
        durable: Guarded<Durable>, archive: ArchiveThread, projector: ProjectorService, links: LinkQuestions
    ) {
        self.configuration = Guarded(configuration)
        self.recorderID = recorderID
        self.start = start
        self.openFilesLimit = openFilesLimit
        self.durable = durable
        self.archive = archive
        self.projector = projector
        self.links = links
        firstPosition = durable.withLock { $0.position }
    }

    /// Other settings hold from now on, or would if they had no mistake.
    func settingsAre(_ settings: Configuration?, trouble: String?) {
        if let settings { configuration.withLock { $0 = settings } }
        settingsTrouble.withLock { $0 = trouble }
    }

    /// Looks at what changes over time; to be called once a second.
    ///
    /// - Returns: How many devices are known and linked, as of the look before.
    @discardableResult
    func look() -> LinkQuestions.Tally {
        let tally = links.tally()
        let data = configuration.withLock { $0.data.path }
        let look = Vitals.Look(
            durable: durable.withLock { $0.position.number }, applied: projector.progress.applied?.number,
            framesLost: tally.framesLost, isStalled: archive.isStalled, hasLink: tally.linked > 0,
            freeBytes: VolumeRoom(holding: data)?.freeBytes)
        let now = secondsSinceStart
        vitals.withLock { $0.take(look, at: now) }
        return tally
    }

    private var secondsSinceStart: Double {
        Double(Clock.monotonicNanoseconds() - start.monotonic.nanoseconds) / 1e9
    }

    /// How the recorder is, by now.
    func health() -> RecorderHealth {
        let answer = links.answer(within: Self.answerLimit)
        let settings = configuration.withLock { $0 }
        let now = Clock.monotonicNanoseconds()
        var health = RecorderHealth()
        health.processID = Int(ThisProcess.id)
        health.version = settings.version
        health.recorderID = recorderID
        health.startedAt = start.wall
        health.uptimeSeconds = secondsSinceStart
        health.devices = answer.links.map(Self.device)
        health.devicesTyped = settings.devices.count
        health.devicesOverLimit = answer.counters.devicesRefused
        Self.count(answer.counters, in: &health)
        health.discoveryTrouble = links.discoveryTrouble
        health.settingsTrouble = settingsTrouble.withLock { $0 }
        fillArchive(&health, now)
        health.waitingBytes += answer.counters.waitingBytes
        let progress = projector.progress
        health.appliedPosition = progress.applied?.number
        health.events = progress.events
        health.databaseTrouble = progress.trouble
        fillProcess(&health, settings.data.path)
        let at = secondsSinceStart
        vitals.withLock { vitals in
            health.lagSeconds = health.lagRecords == 0 ? 0 : vitals.lagSeconds(at: at)
            health.framesLostLastHour = vitals.framesLostLately
            health.daysUntilFull = vitals.daysUntilFull
            health.noLinkSeconds = health.linked > 0 ? nil : vitals.noLinkSeconds(at: at)
            health.stalledSeconds = archive.isStalled ? vitals.stalledSeconds(at: at) ?? 0 : nil
        }
        health.silentSeconds = lifeSigns.map { ($0.thread, Double(max(0, now - $0.at)) / 1e9) }
        return health
    }

    /// When each of the threads that matter last gave a sign of life, in nanoseconds of the monotonic clock.
    var lifeSigns: [LifeSign] {
        [
            LifeSign(thread: "cast-loop", at: links.lifeSign, limit: LifeSign.loopLimit),
            LifeSign(thread: "archive", at: archive.lifeSign, limit: LifeSign.archiveLimit),
            LifeSign(thread: "project", at: projector.lifeSign, limit: LifeSign.projectionLimit),
        ]
    }

    private func fillArchive(_ health: inout RecorderHealth, _ now: Int64) {
        let durable = durable.withLock { $0 }
        health.durablePosition = durable.position.number
        health.records = durable.position.number - firstPosition.number
        health.durableSeconds = durable.sinceNanoseconds.map { Double(now - $0) / 1e9 }
        health.diskSilentSeconds = archive.diskBusySince.map { Double(max(0, now - $0)) / 1e9 }
        health.waitingBytes = archive.waitingFrameBytes
        let work = archive.work
        health.writtenBytes = work.writtenBytes
        health.syncs = work.syncs
        health.syncSeconds = Double(work.syncNanoseconds) / 1e9
    }

    private static func count(_ counters: SenderSupervisor.Counters, in health: inout RecorderHealth) {
        health.linksOpened = Int(clamping: counters.linksOpened)
        health.linksFailed = counters.linksFailed
        health.frames = counters.frames
        health.framesReceived = counters.framesReceived
        health.framesMalformed = counters.framesMalformed
        health.framesLost = counters.framesLost
        // All types, also those of which none was sent: a counter that appears late has no beginning.
        health.framesSent = PermittedMessage.Kind.allCases.map { ($0.rawValue, counters.framesSent[$0] ?? 0) }
    }

    private func fillProcess(_ health: inout RecorderHealth, _ data: String) {
        if let room = VolumeRoom(holding: data) {
            health.freeBytes = room.freeBytes
            health.freeShare = room.totalBytes > 0 ? Double(room.freeBytes) / Double(room.totalBytes) : nil
        }
        health.residentBytes = Int64(ThisProcess.residentBytes)
        health.openFiles = ThisProcess.openFiles
        health.openFilesLimit = openFilesLimit
        health.threads = ThisProcess.threads
    }

    private static func device(_ link: LinkSummary) -> RecorderHealth.Device {
        var device = RecorderHealth.Device(
            deviceID: link.deviceID.text, name: link.name, model: link.model, address: link.address,
            reach: link.isUp ? "linked" : link.failures > 0 ? "unreachable" : "connecting", appName: link.appName,
            lastHeardSeconds: link.lastHeard.map { $0 / .seconds(1) }, failures: link.failures,
            lastFailure: link.lastFailure)
        device.roundTripSeconds = link.roundTrip.map { $0 / .seconds(1) }
        device.framesReceived = link.framesReceived
        device.bytesReceived = link.bytesReceived
        device.notRecorded = link.missedBecause?.rawValue
        device.isPlatformOnly = link.isDowngraded
        return device
    }
}
