import Arguments
import CastModel
import IO
import Recorder

/// The receiver apps that a command knows by name: the built-in ones, and over them the operator's own.
enum KnownApps {
    private static let fileLimitBytes = 1 << 22

    /// What `--apps`, else `apps.json` in the data folder, adds to the built-in registry.
    static func registry(_ context: CommandContext) throws -> AppRegistry {
        let named = context.arguments.text(.apps)
        guard let path = named ?? (Files.exists(context.folder.appsFile) ? context.folder.appsFile : nil) else {
            return .builtIn
        }
        let bytes: [UInt8]
        do { bytes = try Files.read(path, limitBytes: fileLimitBytes) } catch {
            throw CommandFailure(ExitCode.configuration, "the apps file cannot be read: \(error)")
        }
        do { return AppRegistry.builtIn.merged(with: try AppRegistry(parsing: bytes)) } catch {
            throw CommandFailure(ExitCode.configuration, "\(path): \(error)")
        }
    }
}
