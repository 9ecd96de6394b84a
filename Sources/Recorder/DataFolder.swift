public import IO

/// Where one recorder keeps everything: the layout of its data folder.
public struct DataFolder: Sendable, Equatable {
    /// The folder itself.
    public let path: String

    /// A data folder at a path; nothing is made yet.
    public init(_ path: String) { self.path = path }

    /// The archives of all recorders that ever used this folder.
    public var archive: String { path + "/archive" }
    /// The private PostgreSQL cluster.
    public var postgres: String { path + "/postgres" }
    /// Settings that hold whenever this folder is used.
    public var configurationFile: String { path + "/castledger.conf" }
    /// Receiver apps that the operator knows, over those that we know.
    public var appsFile: String { path + "/apps.json" }
    /// How the last verification of each archive went.
    public var checksFile: String { path + "/archive-checks.json" }
    /// Where a recorder that runs tells how it is.
    public var statusSocket: String { path + "/status.socket" }
    private var identityFile: String { path + "/recorder-id" }

    /// Where a recorder keeps its data when nobody says otherwise (DESIGN 6).
    ///
    /// - Parameter environment: `CASTLEDGER_DATA`, `XDG_DATA_HOME` and `HOME` are looked at.
    public static func byDefault(isRoot: Bool, environment: (String) -> String?) -> DataFolder {
        if let named = environment("CASTLEDGER_DATA"), !named.isEmpty { return DataFolder(named) }
        if isRoot { return DataFolder("/var/lib/castledger") }
        if let shared = environment("XDG_DATA_HOME"), !shared.isEmpty { return DataFolder(shared + "/castledger") }
        return DataFolder((environment("HOME") ?? "/tmp") + "/.local/share/castledger")
    }

    /// Makes the folder.
    ///
    /// Others may pass through it, since the private cluster runs as another user when we are root; the archive inside
    /// is closed to them.
    public func make() throws(IOError) { try Files.makeFolders(path, mode: 0o711) }

    /// The recorder's id, a UUID: made at the first call, the same ever after.
    public func recorderID() throws(IOError) -> String {
        if let known = try existingRecorderID() { return known }
        let made = Self.randomUUID()
        try Files.replace(identityFile, with: Array((made + "\n").utf8), mode: 0o644)
        return made
    }

    /// Gives the recorder an id of somebody's choice, a UUID.
    ///
    /// False when it is none, or when a recorder has used the folder already.
    public func name(recorder id: String) throws(IOError) -> Bool {
        guard !hasRecorder, !Files.exists(archive), Self.isUUID(id) else { return false }
        try Files.replace(identityFile, with: Array((id + "\n").utf8), mode: 0o644)
        return true
    }

    /// Whether a recorder has ever used the folder.
    public var hasRecorder: Bool { Files.exists(identityFile) }

    /// The recorder's id; nil when no recorder has used the folder yet.
    public func existingRecorderID() throws(IOError) -> String? {
        guard Files.exists(identityFile) else { return nil }
        let text = String(decoding: try Files.read(identityFile, limitBytes: 64), as: UTF8.self)
        let id = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        // A damaged file must not become a new recorder: positions would begin at 1 again under a half-known name.
        guard Self.isUUID(id) else { throw IOError(call: "read a UUID from", number: 22, subject: identityFile) }
        return id
    }

    /// A random UUID (RFC 9562, version 4).
    static func randomUUID() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef")
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }

    private static func isUUID(_ text: String) -> Bool {
        text.count == 36 && text.allSatisfy { $0.isHexDigit || $0 == "-" }
    }
}
