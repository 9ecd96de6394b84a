extension Option {
    /// Where the page and the interface for programs listen unless told otherwise.
    public static let usualListen = "127.0.0.1:8380"
    /// Where the page listens.
    public static let listen = Option(
        "--listen", "address:port", .text,
        "Where the page and the interface for programs are reached, or 'none'. Any other address than this machine's "
            + "own needs a token. Default: \(usualListen).",
        setting: .environmentAndFile)
    /// What everybody must show.
    public static let tokenFile = Option(
        "--token-file", "file", .text,
        "A file with a token of 16 or more characters that everybody must show who asks.", setting: .environmentAndFile)
    /// Names of this machine.
    public static let hostName = Option(
        "--host-name", "name", .text,
        "A name by which the page may be asked, besides 'localhost' and addresses. May be repeated.",
        isRepeatable: true, setting: .environmentAndFile)
    /// The certificate.
    public static let tlsCertificate = Option(
        "--tls-certificate", "file", .text, "Serve the page with TLS: the certificate and its chain, PEM.",
        setting: .environmentAndFile)
    /// Its key.
    public static let tlsKey = Option(
        "--tls-key", "file", .text, "The key of --tls-certificate, PEM.", setting: .environmentAndFile)
    /// Pictures.
    public static let artwork = Option(
        "--artwork", .flag,
        "Let the page show pictures that apps name: each browser then asks their servers, which learn who watches what.",
        setting: .environmentAndFile)

    /// Where notices go.
    public static let webhookURL = Option(
        "--webhook-url", "url", .text, "Send notices there with POST, as JSON, each at least once.",
        setting: .environmentAndFile)
    /// What they are signed with.
    public static let webhookSecretFile = Option(
        "--webhook-secret-file", "file", .text,
        "A file with the secret that notices are signed with: header Castledger-Signature.",
        setting: .environmentAndFile)
    /// Which notices.
    public static let webhookOn = Option(
        "--webhook-on", "kind",
        .choice([
            "play_started", "play_ended", "conflict", "device_down", "device_up", "app_not_allowed", "gap",
            "archive_trouble",
        ]),
        "Send only such notices: play_started, play_ended, conflict, device_down, device_up, app_not_allowed, gap or "
            + "archive_trouble. May be repeated. Default: all.", isRepeatable: true, setting: .environmentAndFile)

    /// Only news of such devices.
    public static let deviceWatched = Option(
        "--device", "name|id", .text, "Only of this device. May be repeated.", isRepeatable: true)
    /// Only such news.
    public static let watched = Option(
        "--only", "what", .choice(["change", "play", "conflict"]),
        "Only change events, plays that begin or end, or conflicts. May be repeated.", isRepeatable: true)
    /// Where to go on.
    public static let afterEvent = Option(
        "--after", "id", .text, "Begin behind the event with this id, instead of now.")

    /// How the page is reached.
    public static let web: [Option] = [.listen, .tokenFile, .hostName, .tlsCertificate, .tlsKey, .artwork]
}

extension Command {
    /// `castledger watch`.
    public static let watch = Command(
        "watch", group: readGroup,
        summary: "Print changes as they come, one line each, for people or pipes.",
        details: "Change events, plays that begin or end, and conflicts. With --json each line has 'event', 'id' and "
            + "'data'; --after goes on behind an id, so that nothing is missed. Runs until it is ended.",
        options: [.deviceWatched, .watched, .afterEvent, .json, .apps, .runFor, .data, .database],
        exitStatuses: [
            .init(0, "ended"), .usage, .unavailable, .cannotCreate, .noPermission, .configuration,
        ],
        example: "castledger watch --json --only play")

    /// `castledger serve`.
    public static let serve = Command(
        "serve", group: record.group,
        summary: "Show the page for a ledger that is recorded elsewhere, or not at the moment. Changes nothing.",
        details: "'castledger record' shows it by itself. Runs until SIGINT or SIGTERM. The interface for programs is "
            + "described at /api/v1/openapi.json, figures for Prometheus are at /metrics.",
        options: [.data, .database, .apps] + Option.web,
        exitStatuses: [
            .init(0, "stopped in good order"), .usage, .init(69, "database unreachable, or the port is taken"),
            .software,
            .cannotCreate, .noPermission, .configuration,
        ],
        example: "castledger serve --database postgresql://reader@ledger.example/castledger --listen 127.0.0.1:8381")
}
