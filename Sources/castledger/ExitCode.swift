import Archive
import IO
import Recorder
import Store

/// Exit statuses: sysexits.h, and 1 for "nothing found".
enum ExitCode {
    static let done: Int32 = 0
    static let nothing: Int32 = 1
    static let usage: Int32 = 64
    static let dataError: Int32 = 65
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let software: Int32 = 70
    static let cannotCreate: Int32 = 73
    static let inputOutput: Int32 = 74
    static let temporary: Int32 = 75
    static let noPermission: Int32 = 77
    static let configuration: Int32 = 78

    /// The status for an error that no command gave one.
    static func of(_ error: any Error) -> Int32 {
        switch error {
        case let error as IOError: of(error)
        case let error as StoreError: of(error)
        case let error as ArchiveError: of(error)
        case is ProjectionError: dataError
        default: software
        }
    }

    private static func of(_ error: IOError) -> Int32 {
        if error.isPermission { return noPermission }
        if error.isReadOnly { return cannotCreate }
        return error.call == "mkdir" ? cannotCreate : inputOutput
    }

    private static func of(_ error: StoreError) -> Int32 {
        switch error {
        case .badAddress, .unknownDevice, .ambiguousDevice: usage
        case .rebuildRuns, .projectedElsewhere: temporary
        case .clusterForbidden(_, let error): of(error)
        default: unavailable
        }
    }

    private static func of(_ error: ArchiveError) -> Int32 {
        switch error {
        case .invalidRecorder: usage
        case .locked, .notAnnounced: temporary
        case .volumeFull: inputOutput
        case .files(let error): of(error)
        case .damaged: dataError
        }
    }
}

/// Ends a command: what to say on stderr, and with which exit status.
struct CommandFailure: Error {
    var exitCode: Int32
    var message: String

    init(_ exitCode: Int32, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }
}
