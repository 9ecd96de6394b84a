/// How much a log line matters.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case debug, info, notice, warning
    /// A person must act.
    case error

    /// Less before more.
    public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }

    /// The word in the log line.
    public var word: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .notice: "notice"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

/// The names under which log lines carry data.
///
/// A closed list, so that a typo does not compile.
public enum LogKey: String, Sendable {
    case address
    case appName = "app.name"
    case archivePosition = "archive.position"
    case archiveSegment = "archive.segment"
    case attempt
    case bytes
    case count
    case deviceID = "device.id"
    case deviceName = "device.name"
    case error
    case eventKind = "event.kind"
    case limit
    case link
    case path
    case reason
    case seconds
    case signal
    case version
}

/// Writes structured log lines: a constant message, and data under dotted keys.
///
/// A value that is handed down to whoever logs; nobody makes their own.
public struct Log: Sendable {
    private let minimum: LogLevel
    private let write: @Sendable (LogLevel, String) -> Void

    /// - Parameters:
    ///   - minimum: Lines below this level are dropped.
    ///   - write: Takes one line without newline, from any thread.
    public init(minimum: LogLevel = .info, write: @escaping @Sendable (LogLevel, String) -> Void) {
        self.minimum = minimum
        self.write = write
    }

    /// A log that drops everything.
    public static let silent = Log(minimum: .error) { _, _ in }

    /// Writes one line, such as `level=info msg="link opened" device.id=ab12 link=4`.
    public func callAsFunction(
        _ level: LogLevel, _ message: StaticString, _ fields: KeyValuePairs<LogKey, String> = [:]
    ) {
        guard level >= minimum else { return }
        var line = "level=\(level.word) msg=\(Self.quoted("\(message)"))"
        for (key, value) in fields { line += " \(key.rawValue)=\(Self.quoted(value))" }
        write(level, line)
    }

    /// What a log line has of one value, in Unicode scalars: devices choose their names, and a line is read as a whole.
    static let valueLimitScalars = 500

    /// A value as logfmt has it: quoted where it needs to be, and nothing in it that ends the line, steers a terminal or
    /// turns the text around.
    static func quoted(_ value: String) -> String {
        let cut = value.unicodeScalars.prefix(valueLimitScalars)
        return cut.endIndex == value.unicodeScalars.endIndex ? quotedWhole(value) : quotedWhole(String(cut) + "…")
    }

    private static func quotedWhole(_ value: String) -> String {
        let plain = value.utf8.allSatisfy {
            $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
        }
        if plain && !value.isEmpty { return value }
        var quoted = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            default: quoted += isHarmful(scalar) ? "?" : String(scalar)
            }
        }
        return quoted + "\""
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Controls (C1 holds a one-byte escape), line separators, marks that no eye sees or that turn the text around.
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F,
            0xFEFF:
            true
        default: false
        }
    }
}
