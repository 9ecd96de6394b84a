import Archive
import Arguments
import Fleet
import IO
import Recorder
import Recording

/// `castledger fleet --history`: the archive that a recorder would have made of weeks, without waiting for them.
struct HistoryCommand {
    /// Observations that are made durable together: few enough to be written in a moment, enough to wait seldom for the disk.
    private static let groupLimit = 2_000
    /// Between two looks at signals and the clock there are so many happenings at most, and so many steps for each.
    private static let (happeningsPerLook, stepsPerHappening) = (100, 32)

    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        let signals = try EndingSignals.watch()
        let options = try Self.options(context.arguments, now: WallTime(microseconds: Clock.wallMicroseconds()))
        let fleet = VirtualFleet(options)
        let writer = try makeArchive(of: fleet)
        let truth = try context.arguments.text(.truth).map { try AppendedFile.create($0) }
        var work = HistoryProgress(devices: fleet.profiles.count, options, now: Clock.monotonicNanoseconds())
        var group: [Observation] = []
        var monotonic = MonotonicTime(nanoseconds: 0)
        var isOver = false
        while !isOver, signals.next(timeout: .zero) == nil {
            if let line = work.line(at: fleet.wall, now: Clock.monotonicNanoseconds()) { Terminal.complain([line]) }
            look: for _ in 0..<Self.happeningsPerLook {
                switch fleet.next(within: Self.stepsPerHappening) {
                case .happened(.label(let label)): try truth?.append(fleet.truthLine(of: label))
                case .happened(.record(let record)):
                    group.append(Observation(at: record.at, monotonic: record.monotonic, record.body))
                    work.note(record)
                    monotonic = record.monotonic
                case .quiet: break look
                case .over:
                    isOver = true
                    break look
                }
            }
            guard group.count >= Self.groupLimit else { continue }
            try writer.append(group, now: monotonic)
            group.removeAll(keepingCapacity: true)
        }
        // An archive that ends early is one whose recorder was killed.
        try writer.append(group, now: monotonic)
        try writer.finish(now: monotonic)
        try context.output.line(work.end(isWhole: isOver, now: Clock.monotonicNanoseconds()))
        try context.output.line(
            "'\(Terminal.programWord) rebuild --data \(Terminal.shellWord(context.folder.path))' makes a database of them"
        )
        return ExitCode.done
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
