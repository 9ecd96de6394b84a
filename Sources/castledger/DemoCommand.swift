import Arguments
import Discovery
import Fleet
import IO
import Recorder
import Telemetry

/// `castledger demo`: a fleet and a recorder that watches it, in one process, on loopback.
struct DemoCommand {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    /// The folder asked for; by default one beside the caller, if the private PostgreSQL can get there.
    private var folder: DataFolder {
        guard context.folder.path == Command.demoFolder, ThisProcess.isRoot, !Files.everyoneMayPass(".") else {
            return context.folder
        }
        return DataFolder(Command.demoFolderOfRoot)
    }

    func run() throws -> Int32 {
        // Before the first thread, so that every thread leaves the signals alone.
        let signals = try EndingSignals.watch()
        var options = try FleetCommand.options(context.arguments)
        options.port = 0
        options.duration = nil
        let fleet = try FleetCommand.make(options)
        let folder = self.folder
        let data = folder.path
        let ask = "\(Terminal.programWord) timeline --data \(Terminal.shellWord(data))"
        let count = fleet.endpoints.count
        Terminal.complain([
            "castledger: \(count) simulated device\(count == 1 ? "" : "s"), recorded into \(data). "
                + "Ask meanwhile, in another terminal, from this folder:",
            "  \(ask) --device \(Terminal.shellWord(fleet.endpoints.first?.name ?? ""))",
        ])
        let configuration = Configuration(
            data: folder, devices: fleet.endpoints.map { DeviceAddress(host: $0.host, port: $0.port) },
            discovers: false, site: "demo", firstConnectJitter: .zero, version: ProgramVersion.text)
        let display = LiveDisplay()
        let surroundings = try RecorderSurroundings(context, log: display.log)
        if let url = surroundings.url { Terminal.complain(["The page: \(url)"]) }
        let recorder = RecorderService(configuration: configuration, log: display.log)
        fleet.start()
        defer { fleet.stop() }
        try recorder.run(
            until: signals, for: context.arguments.duration(.runFor),
            everySecond: display.isLive ? { display.show($0) } : nil,
            companion: surroundings.companion)
        display.end()
        return ExitCode.done
    }
}
