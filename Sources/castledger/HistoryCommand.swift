import Archive
import Arguments
import Fleet
import IO
import Recorder
import Recording

/// `castledger fleet --history`: the archive that a recorder would have made of weeks, without waiting for them.
struct HistoryCommand {
    /// Observations that are made durable together: few enough to cost no memory, enough to wait seldom for the disk.
    private static let groupLimit = 20_000
    private static let progressNanoseconds: Int64 = 2_000_000_000

    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        let signals = try EndingSignals.watch()
        let options = try Self.options(context.arguments, now: WallTime(microseconds: Clock.wallMicroseconds()))
        let fleet = VirtualFleet(options)
        let writer = try makeArchive(of: fleet)
        let truth = try context.arguments.text(.truth).map { try AppendedFile.create($0) }
        let began = Clock.monotonicNanoseconds()
        var toldAt = began
        var group: [Observation] = []
        var count = 0
        var at = options.begins
        var monotonic = MonotonicTime(nanoseconds: 0)
        while let happening = fleet.next() {
            switch happening {
            case .label(let label): try truth?.append(fleet.truthLine(of: label))
            case .record(let record):
                group.append(Observation(at: record.at, monotonic: record.monotonic, record.body))
                (count, at, monotonic) = (count + 1, record.at, record.monotonic)
                guard group.count >= Self.groupLimit else { continue }
                try writer.append(group, now: monotonic)
                group.removeAll(keepingCapacity: true)
                // An archive that ends early is one whose recorder was killed.
                if signals.next(timeout: .zero) != nil { return try end(writer, count, at, monotonic, began) }
                tell(count, at, &toldAt)
            }
        }
        try writer.append(group, now: monotonic)
        return try end(writer, count, at, monotonic, began)
    }

    private func end(
        _ writer: ArchiveWriter, _ count: Int, _ at: WallTime, _ monotonic: MonotonicTime, _ began: Int64
    ) throws -> Int32 {
        try writer.finish(now: monotonic)
        let seconds = Double(Clock.monotonicNanoseconds() - began) / 1e9
        let rate = Int(Double(count) / max(seconds, 0.001))
        try context.output.line("wrote \(count) records up to \(at.text), \(rate) per second")
        try context.output.line(
            "'\(Terminal.programWord) rebuild --data \(Terminal.shellWord(context.folder.path))' makes a database of them"
        )
        return ExitCode.done
    }

    private func tell(_ count: Int, _ at: WallTime, _ toldAt: inout Int64) {
        let now = Clock.monotonicNanoseconds()
        guard now - toldAt >= Self.progressNanoseconds else { return }
        toldAt = now
        Terminal.complain(["castledger: \(count) records, up to \(at.text)"])
    }

    /// A new archive, under the id that the fleet's seed gives its recorder.
    private func makeArchive(of fleet: VirtualFleet) throws -> ArchiveWriter {
        let folder = context.folder
        try folder.make()
        guard try folder.name(recorder: fleet.recorderID) else {
            throw CommandFailure(
                ExitCode.cannotCreate, "\(folder.path) holds an archive already. Name another folder with --data.")
        }
        return try ArchiveWriter(
            try ArchiveFolder(data: folder.path, recorder: fleet.recorderID), boot: fleet.boot)
    }

    /// What the command line asks for.
    static func options(_ arguments: ParsedArguments, now: WallTime) throws -> VirtualFleetOptions {
        let stray = [Option.advertise, .fetchMedia, .fleetAddress, .runFor].first { arguments.mentions($0) }
        if let stray {
            throw CommandFailure(ExitCode.usage, "\(stray.name) is for a fleet that answers, not for --history.")
        }
        guard arguments.text(.historyData) != nil else {
            throw CommandFailure(ExitCode.usage, "--history needs --data: a folder that holds no archive yet.")
        }
        var options = VirtualFleetOptions(
            devices: Int(clamping: arguments.integer(.fleetDevices) ?? 3),
            groups: Int(clamping: arguments.integer(.groups) ?? 0), scenario: .days,
            seed: FleetSeed(UInt64(clamping: arguments.integer(.seed) ?? 1)),
            duration: arguments.duration(.history), heartbeats: arguments.has(.heartbeats), outagesPerMonth: 3,
            version: ProgramVersion.text)
        if let scenario = arguments.text(.scenario) { options.scenario = try FleetScenario(named: scenario) }
        let (seconds, _) = (options.duration ?? .zero).components
        let midnight = now.dayUTC.start.microseconds
        options.begins = WallTime(
            microseconds: arguments.moment(.historyBegins)?.microseconds ?? max(0, midnight - seconds * 1_000_000))
        return options
    }
}
