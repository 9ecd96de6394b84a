import Arguments
import Glibc
import IO
import Recorder

/// One run of the program: words in, exit status out.
struct ProgramRun {
    let words: [String]
    private let output = StandardOutput()

    init(words: [String]) { self.words = words }

    /// Runs whatever the words ask for.
    func run() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        do {
            let exitCode = try invoke()
            try output.flush()
            return exitCode
        } catch let error as UsageError {
            Terminal.complain(error.lines(program: Program.castledger.name))
            return error.isOfSettings ? ExitCode.configuration : ExitCode.usage
        } catch let failure as CommandFailure {
            try? output.flush()
            Terminal.complain(["castledger: \(failure.message)"])
            return failure.exitCode
        } catch {
            try? output.flush()
            Terminal.complain(["castledger: \(error)"])
            return ExitCode.of(error)
        }
    }

    private func invoke() throws -> Int32 {
        let program = Program.castledger
        var surroundings = Program.Surroundings(
            environment: knownEnvironment(of: program), settings: .empty, now: Clock.wallMicroseconds())
        // The first reading finds the data folder, the second takes the settings file there into account.
        guard case .run(let sought, let first) = try program.parse(words, in: surroundings) else {
            return try printPage(of: program, in: surroundings)
        }
        let folder = dataFolder(for: sought, first)
        // A command that takes nothing from the file does its work whatever stands there: 'status' above all.
        let readsFile = sought.options.contains { $0.setting == .environmentAndFile }
        if readsFile { surroundings.settings = try settings(in: folder) }
        let (command, arguments) = try Self.parse(words, program, surroundings)
        let context = CommandContext(arguments: arguments, folder: folder, output: output) {
            var now = surroundings
            now.settings = try settings(in: folder)
            return try Self.parse(words, program, now).arguments
        }
        do { return try run(command, context) } catch { throw Self.advised(error, command) }
    }

    /// A data folder that may not be made, read or written: with what to do about it.
    private static func advised(_ error: any Error, _ command: Command) -> any Error {
        let code = ExitCode.of(error)
        let isOfFolder = !(error is CommandFailure) && command.options.contains { $0.name == Option.data.name }
        guard isOfFolder, [ExitCode.cannotCreate, ExitCode.noPermission].contains(code) else { return error }
        let said = "\(error)"
        return CommandFailure(
            code,
            said + (said.hasSuffix(".") ? "" : ".")
                + " Run it as the user whose folder it is, or name another folder with --data.")
    }

    private static func parse(
        _ words: [String], _ program: Program, _ surroundings: Program.Surroundings
    ) throws -> (command: Command, arguments: ParsedArguments) {
        guard case .run(let command, let arguments) = try program.parse(words, in: surroundings) else {
            preconditionFailure("the settings file turned a command into a page")
        }
        return (command, arguments)
    }

    private func printPage(of program: Program, in surroundings: Program.Surroundings) throws -> Int32 {
        switch try program.parse(words, in: surroundings) {
        case .help(let page): try output.text(page)
        case .version: try output.line("\(program.name) \(ProgramVersion.text)")
        case .run: preconditionFailure("a page turned into a command")
        }
        return ExitCode.done
    }

    private func run(_ command: Command, _ context: CommandContext) throws -> Int32 {
        switch command {
        case .doctor: return try DoctorCommand(context).run()
        case .doctorCORS: return try CrossOriginCommand(context).run()
        case .status: return try StatusCommand(context).run()
        case .fleet: return try FleetCommand(context).run()
        case .devices: return try DevicesCommand(context).run()
        case .record: return try RecordCommand(context).run()
        case .serve: return try ServeCommand(context).run()
        case .demo: return try DemoCommand(context).run()
        case .watch: return try WatchCommand(context).run()
        case .timeline where context.arguments.has(.chart): return try ChartCommand(context).run()
        case .timeline: return try EventsCommand.timeline(context).run()
        case .reportAsRun: return try ReportCommand(context, .asRun).run()
        case .reportUptime: return try ReportCommand(context, .uptime).run()
        case .reportAudit: return try ReportCommand(context, .audit).run()
        case .reportTotals: return try ReportCommand(context, .totals).run()
        case .events: return try EventsCommand.events(context).run()
        case .plays:
            var plays = PlaysCommand(context)
            return try plays.run()
        case .conflicts:
            var conflicts = try ConflictsCommand(context)
            return try conflicts.run()
        case .export: return try ExportCommand(context).run()
        case .coverage: return try CoverageCommand(context).run()
        case .apps: return try AppsCommand(context: context).run()
        case .frames:
            var frames = FramesCommand(context)
            return try frames.run()
        case .explain:
            var explain = try ExplainCommand(context)
            return try explain.run()
        case .archiveList: return try ArchiveListCommand(context: context).run()
        case .archiveCat: return try ArchiveCatCommand(context: context).run()
        case .archiveVerify: return try ArchiveVerifyCommand(context: context).run()
        case .archiveRepair: return try ArchiveRepairCommand(context: context).run()
        case .archivePrune: return try ArchivePruneCommand(context: context).run()
        case .rebuild: return try RebuildCommand(context: context).run()
        default: preconditionFailure("command '\(command.name)' is in the table and cannot be run")
        }
    }

    /// The environment variables that options have.
    private func knownEnvironment(of program: Program) -> [String: String] {
        var environment: [String: String] = [:]
        for option in program.commands.flatMap(\.options) where option.setting != .never {
            let name = option.environmentName(prefix: program.environmentPrefix)
            environment[name] = ThisProcess.environment(name)
        }
        return environment
    }

    /// The folder that the command works with: the one that is named, else the default one.
    ///
    /// Who has only ever run the demo and asks a question means the demo.
    private func dataFolder(for command: Command, _ arguments: ParsedArguments) -> DataFolder {
        if let named = arguments.text(.data) { return DataFolder(named) }
        let usual = DataFolder.byDefault(isRoot: ThisProcess.isRoot, environment: ThisProcess.environment)
        let asksElsewhere = arguments.text(.database) != nil || arguments.has(.discover)
        guard command.readsLedger, !asksElsewhere, ThisProcess.environment("CASTLEDGER_DATA") == nil, !usual.hasRecorder
        else { return usual }
        let demos = [Command.demoFolder] + (ThisProcess.isRoot ? [Command.demoFolderOfRoot] : [])
        guard let demo = demos.lazy.map(DataFolder.init).first(where: \.hasRecorder) else { return usual }
        Terminal.complain(["castledger: nothing was recorded into \(usual.path) yet; this is the demo in \(demo.path)"])
        return demo
    }

    private func settings(in folder: DataFolder) throws -> SettingsFile {
        let path = folder.configurationFile
        guard Files.exists(path) else { return .empty }
        do {
            return SettingsFile(path: path, text: String(decoding: try Files.read(path), as: UTF8.self))
        } catch {
            throw CommandFailure(ExitCode.configuration, "the settings file cannot be read: \(error)")
        }
    }
}

/// What every command gets: its options, the data folder, and where results go.
struct CommandContext {
    let arguments: ParsedArguments
    let folder: DataFolder
    let output: StandardOutput
    private let parseAgain: () throws -> ParsedArguments

    init(
        arguments: ParsedArguments, folder: DataFolder, output: StandardOutput,
        parseAgain: @escaping () throws -> ParsedArguments
    ) {
        self.arguments = arguments
        self.folder = folder
        self.output = output
        self.parseAgain = parseAgain
    }

    /// The same command with the settings file as it is now; the data folder stays.
    func reread() throws -> CommandContext {
        CommandContext(arguments: try parseAgain(), folder: folder, output: output, parseAgain: parseAgain)
    }
}
