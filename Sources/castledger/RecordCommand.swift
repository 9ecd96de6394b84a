import Arguments
import Discovery
import IO
import Recorder
import Recording
import SenderCore
import Store
import Telemetry
import Web

/// `castledger record`: the recorder until a signal ends it.
struct RecordCommand {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        // Before the first thread, so that every thread leaves the signals alone.
        let signals = try EndingSignals.watch()
        let manager = ServiceManager.takingOverEnvironment()
        let configuration = try Self.configuration(context)
        let display = LiveDisplay()
        warnOfReaders(configuration, display.log)
        let surroundings = try RecorderSurroundings(context, log: display.log)
        let recorder = RecorderService(configuration: configuration, log: display.log)
        try recorder.run(
            until: signals, manager: manager, everySecond: display.isLive ? { display.show($0) } : nil, reread: reread,
            companion: surroundings.companion)
        display.end()
        if recorder.leftThreads || surroundings.leftThreads { ThisProcess.exitNow(ExitCode.done) }
        return ExitCode.done
    }

    /// A password in a file that others may read is no secret.
    private func warnOfReaders(_ configuration: Configuration, _ log: Log) {
        let path = configuration.data.configurationFile
        guard let address = configuration.databaseURL, PostgresConnection.holdsPassword(address),
            Files.othersMayRead(path), let text = try? Files.read(path),
            String(decoding: text, as: UTF8.self).contains(address)
        else { return }
        log(.warning, "others may read the settings file, which holds a password: chmod 600", [.path: path])
    }

    /// What they ask for now, after the settings file and the list of apps may have changed.
    private func reread() throws -> Configuration {
        do { return try Self.configuration(context.reread()) } catch let error as UsageError {
            throw SettingsMistake(description: error.description)
        } catch let failure as CommandFailure { throw SettingsMistake(description: failure.message) }
    }

    private struct SettingsMistake: Error, CustomStringConvertible { let description: String }

    /// What command line, environment and settings file ask for.
    static func configuration(_ context: CommandContext) throws -> Configuration {
        let arguments = context.arguments
        var devices: [DeviceAddress] = []
        for text in arguments.texts(.deviceAddress) {
            do { devices.append(try DeviceAddress(parsing: text)) } catch {
                throw CommandFailure(ExitCode.usage, error.description)
            }
        }
        guard !(arguments.has(.noDiscovery) && devices.isEmpty) else {
            throw CommandFailure(ExitCode.usage, "with --no-discovery at least one --device is needed.")
        }
        let filter = DeviceFilter(
            allowedDevices: arguments.texts(.allowDevice), deniedDevices: arguments.texts(.denyDevice),
            allowedApps: arguments.texts(.allowApp), deniedApps: arguments.texts(.denyApp))
        return Configuration(
            data: context.folder, databaseURL: arguments.text(.database), devices: devices,
            discovers: !arguments.has(.noDiscovery), site: arguments.text(.site),
            attachMode: arguments.text(.attach).flatMap(AttachMode.init) ?? .invisible, filter: filter,
            redaction: Set(arguments.texts(.redact).compactMap(RedactionChoice.init)),
            pruning: try ArchivePruneCommand.rule(arguments),
            apps: try KnownApps.registry(context), version: ProgramVersion.text)
    }
}
