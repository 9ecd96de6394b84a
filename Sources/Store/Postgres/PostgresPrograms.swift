import Glibc
import IO

/// Where PostgreSQL's programs are on this machine.
struct PostgresPrograms: Equatable {
    /// The folder that holds `postgres` and `initdb`.
    var folder: String
    /// "15"; empty when found on PATH, where the version is not known.
    var major: String

    /// Debian's place, one folder per major version.
    static let root = "/usr/lib/postgresql"

    /// The newest version, or the one that made an existing cluster.
    ///
    /// - Parameter major: What `PG_VERSION` of the cluster says; nil for a new cluster.
    static func find(
        major: String?, root: String = root, path: String = ThisProcess.environment("PATH") ?? ""
    ) throws(StoreError) -> PostgresPrograms {
        let versions = ((try? Files.names(in: root)) ?? []).compactMap { name in Int(name).map { ($0, name) } }
        let installed = versions.sorted { $0.0 > $1.0 }
            .map { PostgresPrograms(folder: "\(root)/\($0.1)/bin", major: $0.1) }
            .filter(\.isComplete)
        let onPath = path.split(separator: ":").map { PostgresPrograms(folder: String($0), major: "") }
            .filter(\.isComplete)
        if let found = installed.first(where: { major == nil || $0.major == major }) ?? onPath.first { return found }
        guard let major, !installed.isEmpty else { throw .postgresNotInstalled }
        throw .clusterVersion(found: major)
    }

    private var isComplete: Bool {
        ["postgres", "initdb"].allSatisfy { unsafe access("\(folder)/\($0)", X_OK) == 0 }
    }
}

/// As whom PostgreSQL's programs run: never as root, which they refuse.
enum PostgresAccount: Equatable {
    /// We are no root: as ourselves.
    case ourselves
    /// We are root: as the `postgres` user of Debian's package.
    case dedicated(user: UInt32, group: UInt32)

    static func choose() throws(StoreError) -> PostgresAccount {
        guard ThisProcess.isRoot else { return .ourselves }
        guard let entry = unsafe getpwnam("postgres") else { throw .postgresNotInstalled }
        return unsafe .dedicated(user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }

    var userID: UInt32 {
        switch self {
        case .ourselves: geteuid()
        case .dedicated(let user, _): user
        }
    }

    /// The words that run a program as this account.
    ///
    /// setpriv sets the death signal itself: the kernel forgets an earlier one when the user changes.
    func command(_ words: [String], endsWithUs: Bool = false) -> [String] {
        switch self {
        case .ourselves: words
        case .dedicated:
            ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
                + (endsWithUs ? ["--pdeathsig", "INT"] : []) + words
        }
    }

    /// Gives a folder to the account.
    func own(_ path: String) {
        guard case .dedicated(let user, let group) = self else { return }
        _ = unsafe chown(path, user, group)
    }
}
