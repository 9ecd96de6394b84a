import Arguments
import CastModel
import IO
import Recorder
import Telemetry
import Web
import WebCore

/// The webhook of a recorder's settings.
enum Webhook {
    private static let secretLimitBytes = 4_096

    /// What the settings ask for; nil when they ask for none.
    static func settings(_ context: CommandContext) throws -> WebhookSettings? {
        let arguments = context.arguments
        guard let url = arguments.text(.webhookURL) else {
            guard arguments.text(.webhookSecretFile) == nil, arguments.texts(.webhookOn).isEmpty else {
                throw CommandFailure(ExitCode.usage, "--webhook-secret-file and --webhook-on need --webhook-url.")
            }
            return nil
        }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw CommandFailure(ExitCode.usage, "--webhook-url takes a URL that begins with http:// or https://.")
        }
        return WebhookSettings(
            url: url, secret: try secret(arguments),
            kinds: Set(arguments.texts(.webhookOn).compactMap(Notice.Kind.init(rawValue:))),
            allowedApps: arguments.texts(.allowApp), cursorPath: context.folder.path + "/webhook-cursor.json")
    }

    private static func secret(_ arguments: ParsedArguments) throws -> [UInt8]? {
        guard let path = arguments.text(.webhookSecretFile) else { return nil }
        let bytes: [UInt8]
        do { bytes = try Files.read(path, limitBytes: secretLimitBytes) } catch {
            throw CommandFailure(ExitCode.configuration, "--webhook-secret-file: \(error)")
        }
        let text =
            String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard text.utf8.count >= 16 else {
            throw CommandFailure(
                ExitCode.configuration, "\(path): a secret has 16 or more characters in its first line.")
        }
        guard !Files.othersMayRead(path) else {
            throw CommandFailure(ExitCode.configuration, "\(path): others may read the secret: chmod 600")
        }
        return Array(text.utf8)
    }
}

/// The page and the webhook of a recorder: neither may hold it up, so what is wrong with them is logged.
///
/// A class, since a recorder starts and ends it from two closures; used from the main thread only.
final class RecorderSurroundings {
    private let context: CommandContext
    private let page: WebPage?
    private let hook: WebhookSettings?
    private let log: Log
    private var notices: WebhookService?
    /// Whether a thread hangs and was left behind.
    private(set) var leftThreads = false

    /// Takes the page's port, and checks all settings.
    init(_ context: CommandContext, log: Log) throws {
        self.context = context
        self.log = log
        hook = try Webhook.settings(context)
        page = try WebPage(context, log: log)
    }

    /// Where people find the page; nil when there is none.
    var url: String? { page?.url }

    /// What a recorder runs beside it.
    var companion: RecorderCompanion { RecorderCompanion(start: start, stop: stop) }

    private func start(_ access: RecorderAccess) {
        do {
            var sources = try WebPage.sources(
                context, databaseAddress: access.databaseAddress, health: { access.health() })
            sources.isRecorder = true
            sources.allowedApps = context.arguments.texts(.allowApp)
            if let hook {
                let made = try WebhookService(
                    settings: hook, apps: sources.apps, databaseAddress: access.databaseAddress,
                    health: { access.health() }, log: log)
                made.start()
                notices = made
                sources.notices = { made.figures }
            }
            try page?.start(sources)
        } catch { log(.error, "no page, or no notices", [.error: "\(error)"]) }
    }

    private func stop() {
        let isPageEnded = page?.stop() ?? true
        let areNoticesEnded = notices?.stop() ?? true
        leftThreads = !isPageEnded || !areNoticesEnded
    }
}
