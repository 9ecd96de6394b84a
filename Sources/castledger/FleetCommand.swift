import Arguments
import Fleet
import IO
import Report
import Telemetry

/// `castledger fleet`: simulated devices until somebody ends them.
struct FleetCommand {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        if context.arguments.duration(.history) != nil { return try HistoryCommand(context).run() }
        if let stray = [Option.historyBegins, .historyData].first(where: { context.arguments.mentions($0) }) {
            throw CommandFailure(ExitCode.usage, "\(stray.name) belongs to --history.")
        }
        // Before the first thread, so that every thread leaves the signals alone.
        let signals = try EndingSignals.watch()
        let fleet = try Self.make(try Self.options(context.arguments))
        try context.output.text(
            FleetTable.lines(fleet.endpoints, widthColumns: Terminal.widthColumns).map { $0 + "\n" }.joined())
        try context.output.flush()
        fleet.start()
        while fleet.isRunning, signals.next(timeout: .milliseconds(200)) == nil {}
        fleet.stop()
        return ExitCode.done
    }

    /// What the command line asks for.
    static func options(_ arguments: ParsedArguments) throws -> FleetOptions {
        var options = FleetOptions(
            devices: Int(clamping: arguments.integer(.fleetDevices) ?? 3),
            groups: Int(clamping: arguments.integer(.groups) ?? 0),
            seed: FleetSeed(UInt64(clamping: arguments.integer(.seed) ?? 1)),
            port: UInt16(clamping: arguments.integer(.fleetPort) ?? 0),
            advertises: arguments.has(.advertise), truthPath: arguments.text(.truth),
            duration: arguments.duration(.runFor), fetchesMedia: arguments.has(.fetchMedia))
        options.seed.sessionSalt = UInt64(clamping: Clock.wallMicroseconds())
        if let scenario = arguments.text(.scenario) { options.scenario = try FleetScenario(named: scenario) }
        if let address = arguments.text(.fleetAddress) {
            options.address = address
            options.countsAddresses = true
        }
        return options
    }

    /// Makes the fleet, or says why not with the right status.
    static func make(_ options: FleetOptions) throws -> FleetService {
        do {
            return try FleetService(options: options, log: Terminal.log(minimum: .notice))
        } catch {
            throw CommandFailure(exitCode(error), error.description)
        }
    }

    private static func exitCode(_ error: FleetError) -> Int32 {
        switch error {
        case .deviceCount, .address, .ports, .unknownScenario: ExitCode.usage
        case .io(let error): error.call == "open" ? ExitCode.cannotCreate : ExitCode.unavailable
        case .tls: ExitCode.software
        }
    }
}

/// The table of a fleet's devices.
enum FleetTable {
    static func lines(_ endpoints: [FleetEndpoint], widthColumns: Int?) -> [String] {
        Table(
            [.init("name"), .init("address"), .init("id")],
            rows: endpoints.map { [$0.name, "\($0.host):\($0.port)", $0.deviceID] }
        ).lines(widthColumns: widthColumns)
    }
}

/// The signals that end a long-running command in good order.
enum EndingSignals {
    /// Collects SIGINT and SIGTERM, and SIGHUP, which must not end a recorder whose terminal goes away.
    static func watch() throws -> SignalWatch { try SignalWatch([1, 2, 15]) }
}
