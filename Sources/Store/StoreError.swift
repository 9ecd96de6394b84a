public import IO
public import Recording

/// Everything that can go wrong between us and PostgreSQL.
public enum StoreError: Error, Sendable, Equatable {
    /// The database address is no `postgresql://` URL that libpq understands.
    ///
    /// The address itself is not kept: it may hold a password.
    case badAddress
    /// No connection came about: wrong host, wrong password, server down.
    case cannotConnect(reason: String)
    /// The connection broke.
    ///
    /// A transaction in flight is either whole or absent: connect again and ask for the checkpoint.
    case connectionLost(doing: String)
    /// The server did not answer in time, and the connection was given up: no other error comes from one that is stopped.
    ///
    /// As after ``connectionLost(doing:)``, a transaction in flight is either whole or absent.
    case noAnswer(doing: String, seconds: Int)
    /// The server refused a statement; `sqlState` is the five-letter code of the PostgreSQL manual, appendix A.
    case refused(doing: String, sqlState: String, message: String)
    /// The server's answer has another shape than the statement asks for.
    case unexpectedAnswer(doing: String)
    /// Somebody else applied records of this archive in the meantime, or the batch is from elsewhere in it.
    case checkpointMoved(expected: ArchivePosition, found: ArchivePosition)
    /// Another rebuild of the same recorder's rows runs.
    case rebuildRuns
    /// Whoever applies the archive of this recorder did not let go of it in time.
    case projectedElsewhere
    /// The database has a schema of a name that we use, which is not ours.
    case foreignSchema(name: String)
    /// The database was made by a newer program.
    case schemaTooNew(found: Int, known: Int)
    /// The database has no ledger in it.
    case noLedger
    /// The server is older than this program can use; `version` is libpq's number, such as 130011.
    case serverTooOld(version: Int)
    /// No PostgreSQL programs on this machine.
    case postgresNotInstalled
    /// The private cluster did not come up.
    case clusterFailed(step: String, reason: String)
    /// We may not make, read or write what the private cluster needs: another user's, or a volume mounted read-only.
    case clusterForbidden(step: String, error: IOError)
    /// The `postgres` user cannot pass one of the folders above the cluster.
    case clusterUnreachable(folder: String)
    /// The private cluster was made by another major version, whose programs are gone.
    case clusterVersion(found: String)
    /// No device has this name or id; `similar` are names that come close.
    case unknownDevice(String, similar: [String])
    /// Several devices have this name; `matches` are their ids.
    case ambiguousDevice(String, matches: [String])
}

extension StoreError: CustomStringConvertible {
    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .badAddress:
            "The database address is not understood. Write postgresql://user@host:5432/name."
        case .cannotConnect(let reason):
            "PostgreSQL cannot be reached: \(Self.sentence(reason)) Check that it runs and that the address is right."
        case .connectionLost(let doing):
            "The connection to PostgreSQL broke while \(doing). Nothing is half done; try again."
        case .noAnswer(let doing, let seconds):
            """
            PostgreSQL gave no answer for \(seconds) s while \(doing). It is overloaded or stopped, or the way to it is cut; \
            nothing is half done.
            """
        case .refused(let doing, let sqlState, let message):
            "PostgreSQL refused to go on while \(doing): \(message) (SQLSTATE \(sqlState))."
        case .unexpectedAnswer(let doing):
            "PostgreSQL gave an answer of an unexpected shape while \(doing). Run 'castledger rebuild'."
        case .checkpointMoved(let expected, let found):
            """
            The database is at position \(found) of the archive, not at \(expected): another process applies the same \
            archive. Stop it, or go on from position \(found).
            """
        case .rebuildRuns:
            "Another 'castledger rebuild' of this recorder runs on the same database. Let it finish."
        case .projectedElsewhere:
            """
            Another program applies this recorder's archive to the database and does not let go. Stop it, or wait for the \
            end of what it does.
            """
        case .foreignSchema(let name):
            """
            The database has a schema '\(name)' that castledger did not make, and needs that name. Nothing was changed. \
            Name a database of its own with --database.
            """
        case .schemaTooNew(let found, let known):
            """
            The database has schema \(found), this program knows \(known). Use the newer program, or another database.
            """
        case .noLedger:
            "The database holds no ledger yet. 'castledger record' makes it."
        case .serverTooOld(let version):
            "PostgreSQL 14 or newer is needed; the server is \(version / 10_000)."
        case .postgresNotInstalled:
            "PostgreSQL is not installed on this machine. Run 'make deps', or name a server with --database."
        case .clusterFailed(let step, let reason):
            "The private PostgreSQL cluster failed to \(step): \(reason)"
        case .clusterForbidden(let step, let error):
            "The private PostgreSQL cluster failed to \(step): \(error)."
        case .clusterUnreachable(let folder):
            """
            The user 'postgres' cannot reach \(folder), and PostgreSQL does not run as root. Let others pass the folders \
            above it (chmod o+x), or choose another place with --data.
            """
        case .clusterVersion(let found):
            """
            The private cluster was made by PostgreSQL \(found), which is not installed. Install it, or move the folder \
            'postgres' out of the data directory and run 'castledger rebuild': the archive has everything.
            """
        case .unknownDevice(let spelling, let similar):
            similar.isEmpty
                ? "No device has the name or id '\(spelling)'. 'castledger devices' lists all."
                : "No device has the name or id '\(spelling)'. Did you mean \(Self.list(similar))?"
        case .ambiguousDevice(let spelling, let matches):
            "Several devices are called '\(spelling)'. Name one by its id: \(matches.joined(separator: ", "))."
        }
    }

    /// A reason with exactly one mark at its end: libpq's may end with a question mark.
    private static func sentence(_ reason: String) -> String {
        reason.last.map { ".?!".contains($0) } == true ? reason : reason + "."
    }

    private static func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: " or ") }

    /// Whether the same may succeed later without anybody's help: the server, or the way to it, was gone.
    public var isPassing: Bool {
        switch self {
        case .cannotConnect, .connectionLost, .noAnswer, .clusterFailed, .clusterForbidden: true
        // Classes 40 (rolled back), 53 (no resources), 55 (not in the right state), 57 (an operator's doing, time limits).
        case .refused(_, let sqlState, _): ["40", "53", "55", "57"].contains(sqlState.prefix(2))
        case .badAddress, .unexpectedAnswer, .checkpointMoved, .rebuildRuns, .projectedElsewhere, .foreignSchema,
            .schemaTooNew, .noLedger, .serverTooOld, .postgresNotInstalled, .clusterUnreachable, .clusterVersion,
            .unknownDevice, .ambiguousDevice:
            false
        }
    }

    /// Whether the server refused a value rather than the statement: the rest of the batch may still go in.
    ///
    /// Classes 22 (data exception), 23 (integrity) and 54 (limit exceeded) of the PostgreSQL manual, appendix A.
    var isAboutValues: Bool {
        guard case .refused(_, let sqlState, _) = self else { return false }
        return ["22", "23", "54"].contains(sqlState.prefix(2))
    }
}
