import Archive
import Arguments
import CastModel
import Differ
import IO
import Recorder
import Recording
import Store
import Telemetry
import Web
import WebCore

/// The page and the interface of a command: where they listen, what they may show, and from where.
///
/// A class, since `record` starts and ends it from two closures; used from the main thread only.
final class WebPage {
    private let settings: WebSettings
    private let log: Log
    private var listener: Int32?
    private var service: WebService?

    /// Takes the port; nil when no page is wanted, or when the usual port is taken and nobody named it.
    ///
    /// - Parameter insists: Whether a usual port that is taken ends the command, too.
    init?(_ context: CommandContext, log: Log, insists: Bool = false) throws {
        let arguments = context.arguments
        let named = arguments.text(.listen)
        // Mistakes are told whether a page is wanted or not.
        let (token, tls) = (try Self.token(arguments), try Self.tls(arguments))
        guard named != "none" else { return nil }
        let address = try Self.address(named ?? Option.usualListen)
        guard Self.isOfThisMachine(address) || token != nil else {
            throw CommandFailure(
                ExitCode.usage,
                "--listen \(address): others than this machine could ask. Name a file with a token of 16 or more "
                    + "characters with --token-file, or listen on 127.0.0.1.")
        }
        var settings = WebSettings(address: address)
        settings.hostNames = Set(arguments.texts(.hostName))
        settings.token = token
        settings.tls = tls
        settings.showsImages = arguments.has(.artwork)
        self.log = log
        do { listener = try Socket.listen(on: address) } catch {
            guard named == nil, !insists else { throw CommandFailure(ExitCode.unavailable, "\(error)") }
            log(.warning, "no page: its usual port is taken", [.error: "\(error)"])
            return nil
        }
        var bound = settings
        if let listener, let real = SocketAddress(host: address.host, port: Socket.localPort(listener)) {
            bound.address = real
        }
        self.settings = bound
    }

    deinit { if let listener { Socket.close(listener) } }

    /// Where people find it.
    var url: String { "\(settings.tls == nil ? "http" : "https")://\(settings.address)/" }

    /// Starts to answer.
    func start(_ sources: WebSources) throws {
        guard let listener else { return }
        let service = try WebService(settings: settings, sources: sources, log: log)
        self.listener = nil
        try service.start(listener: listener)
        self.service = service
        log(.info, "the page can be opened", [.address: url])
    }

    /// Ends every connection.
    ///
    /// - Returns: False when a thread hangs and was left behind.
    @discardableResult
    func stop() -> Bool { service?.stop() ?? true }

    /// What it shows of a data folder.
    static func sources(
        _ context: CommandContext, databaseAddress: @escaping @Sendable () -> String?,
        health: @escaping @Sendable () -> JSONValue?
    ) throws -> WebSources {
        var sources = WebSources(
            databaseAddress: databaseAddress, health: health, version: ProgramVersion.text)
        let data = context.folder.path
        sources.apps = try KnownApps.registry(context)
        sources.isDown = { recorder in (try? ArchiveFolder(data: data, recorder: recorder))?.hasWriter == false }
        sources.document = { [apps = sources.apps] question, queries, write in
            try WebDocument(question: question, apps: apps).write(queries, to: write)
        }
        sources.storage = { [folder = context.folder] in StoredArchive.storage(folder) }
        sources.rawRecord = { recorder, position in try RawRecord.json(recorder, position, data: data) }
        return sources
    }

    // MARK: Settings

    private static func address(_ text: String) throws -> SocketAddress {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var host = parts.dropLast().joined(separator: ":")
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" { host = "127.0.0.1" }
        guard parts.count >= 2, let port = UInt16(parts[parts.count - 1]),
            let address = SocketAddress(host: host, port: port)
        else {
            throw CommandFailure(
                ExitCode.usage,
                "--listen takes a numeric address and a port such as 127.0.0.1:8380 or [::1]:8380, or 'none'.")
        }
        return address
    }

    private static func isOfThisMachine(_ address: SocketAddress) -> Bool {
        address.host.hasPrefix("127.") || address.host == "::1"
    }

    private static func token(_ arguments: ParsedArguments) throws -> String? {
        guard let path = arguments.text(.tokenFile) else { return nil }
        let text = try read(path, "--token-file")
        let token = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        guard AccessRules.isToken(token) else {
            throw CommandFailure(
                ExitCode.configuration,
                "\(path): a token has 16 to 512 characters of ASCII, without blanks, quotes, commas and semicolons.")
        }
        guard !Files.othersMayRead(path) else {
            throw CommandFailure(ExitCode.configuration, "\(path): others may read the token: chmod 600")
        }
        return token
    }

    private static func tls(_ arguments: ParsedArguments) throws -> (key: String, certificate: String)? {
        switch (arguments.text(.tlsKey), arguments.text(.tlsCertificate)) {
        case (nil, nil): return nil
        case (let key?, let certificate?):
            return (try read(key, "--tls-key"), try read(certificate, "--tls-certificate"))
        default: throw CommandFailure(ExitCode.usage, "--tls-key and --tls-certificate go together.")
        }
    }

    private static func read(_ path: String, _ option: String) throws -> String {
        do { return String(decoding: try Files.read(path, limitBytes: 1 << 20), as: UTF8.self) } catch {
            throw CommandFailure(ExitCode.configuration, "\(option): \(error)")
        }
    }
}

/// The record behind a change event, as the archive has it, without secrets.
enum RawRecord {
    /// Nil when the archive is not here, or does not reach there any more.
    static func json(_ recorder: String, _ position: ArchivePosition, data: String) throws -> JSONValue? {
        guard let folder = try? ArchiveFolder(data: data, recorder: recorder), Files.exists(folder.path),
            var record = try ArchiveSearch(folder, keepsIndexes: false).record(at: position)
        else { return nil }
        let parser = JSONParser()
        if case .frame(let frame) = record.body {
            record.body = .frame(FrameRedaction.redacted(frame, keeping: false, with: parser))
        } else {
            record.body = FrameRedaction.redacted(record.body, with: parser)
        }
        var line: [UInt8] = []
        RecordLine.write(record, to: &line)
        return try JSONParser(depthLimit: 2 * JSONParser.depthLimit).parse(line.dropLast() + [])
    }
}
