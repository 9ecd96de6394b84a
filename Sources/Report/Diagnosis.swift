public import Recording

/// Judges the facts that `castledger doctor` gathers.
///
/// Pure: the facts come from whoever can ask the operating system.
public enum Diagnosis {
    /// Descriptors that the program needs besides one per device: archive, database, pages, discovery.
    static let descriptorsBesideDevices: UInt64 = 64
    /// Below this much free space a volume is called nearly full, in bytes: some days of a busy household.
    static let freeSpaceLowBytes: Int64 = 1 << 30
    /// Below this much the archive may stop within the day.
    static let freeSpaceCriticalBytes: Int64 = 64 << 20
    /// The time before which this program did not exist: 2026-01-01T00:00:00Z.
    static let earliestNow = WallTime(microseconds: 1_767_225_600_000_000)

    /// - Parameter hardLimit: How many files this process may open at most; we raise our own limit to it.
    public static func openFiles(hardLimit: UInt64) -> Finding {
        let devices = hardLimit - min(hardLimit, descriptorsBesideDevices)
        let meaning = "\(hardLimit) files may be open: enough for \(devices) devices"
        guard devices < 960 else { return Finding("open files", .ok, meaning) }
        return Finding(
            "open files", devices < 16 ? .fail : .warn, meaning, advice: "Raise LimitNOFILE, or 'ulimit -Hn'.")
    }

    /// - Parameter isSynchronized: What the kernel says about its clock; nil when it cannot be asked.
    public static func clock(now: WallTime, isSynchronized: Bool?) -> Finding {
        guard now >= earliestNow else {
            return Finding(
                "clock", .fail, "the clock says \(now.text), which cannot be",
                advice: "Set it, and start an NTP daemon.")
        }
        switch isSynchronized {
        case true?: return Finding("clock", .ok, "synchronized")
        case false?:
            return Finding(
                "clock", .warn, "nothing keeps the clock right: times in the ledger will drift",
                advice: "Start systemd-timesyncd or chrony.")
        case nil: return Finding("clock", .warn, "whether the clock is kept right is unknown here")
        }
    }

    /// - Parameters:
    ///   - exists: Whether it is there; if not, `isWritable` tells whether it can be made.
    ///   - freeBytes: What an ordinary user may still write on the volume.
    public static func dataFolder(path: String, exists: Bool, isWritable: Bool, freeBytes: Int64) -> Finding {
        guard isWritable else {
            return Finding(
                "data folder", .fail, exists ? "\(path) cannot be written" : "\(path) cannot be made",
                advice: "Give another one with --data, or change its owner.")
        }
        let room = "\(Figures.bytes(freeBytes)) free"
        let meaning = exists ? "\(path) is writable, \(room)" : "\(path) is made by the first recording, \(room)"
        if freeBytes >= freeSpaceLowBytes { return Finding("data folder", .ok, meaning) }
        return Finding(
            "data folder", freeBytes < freeSpaceCriticalBytes ? .fail : .warn, meaning,
            advice: "Make room on the volume.")
    }

    /// - Parameter binaries: The folder with PostgreSQL's programs; nil when there is none.
    public static func database(binaries: String?) -> Finding {
        guard let binaries else {
            return Finding(
                "database", .fail, "PostgreSQL is not installed",
                advice: "Run 'make deps' or install postgresql-15, or give a database with --database.")
        }
        return Finding("database", .ok, "PostgreSQL's programs are in \(binaries)")
    }

    /// - Parameters:
    ///   - server: Where the database is, without password.
    ///   - problem: Why it does not answer, and what to do, in whole sentences; nil when it does.
    public static func database(server: String, problem: String?) -> Finding {
        guard let problem else { return Finding("database", .ok, "\(server) answers") }
        return Finding("database", .fail, problem)
    }

    /// - Parameters:
    ///   - version: The daemon's, when it answers.
    ///   - reason: Why it does not answer, otherwise.
    ///   - devices: How many devices and groups were seen.
    ///   - advice: What the probe advises, most urgent first.
    public static func discovery(
        isDaemonRunning: Bool, version: String?, reason: String?, devices: Int, advice: [String]
    ) -> Finding {
        let advice = advice.joined(separator: " ")
        guard isDaemonRunning else {
            return Finding("discovery", .warn, "no mDNS" + (reason.map { ": " + $0 } ?? ""), advice: advice)
        }
        let seen = devices == 1 ? "1 device" : "\(devices) devices"
        let meaning = "\(version ?? "Avahi") answers, \(seen) seen"
        return Finding("discovery", devices == 0 || !advice.isEmpty ? .warn : .ok, meaning, advice: advice)
    }

    /// How a word is told that devices said and nobody gave a meaning to.
    ///
    /// - Parameters:
    ///   - subject: What it is, such as "MEDIA_STATUS key".
    ///   - lastAt: When it came last.
    public static func notUnderstood(
        subject: String, namespace: String, word: String, count: Int64, lastAt: WallTime
    ) -> Finding {
        let times = count == 1 ? "once" : "\(count) times"
        return Finding(
            "not understood", .ok, "\(subject) \(word) on \(namespace), \(times), last \(lastAt.text)")
    }

    /// - Parameter more: How many words there are beyond those told.
    public static func notUnderstood(more: Int) -> Finding {
        Finding("not understood", .ok, more == 1 ? "1 more word" : "\(more) more words")
    }

    /// - Parameters:
    ///   - address: Host and port as tried.
    ///   - protocolVersion: "TLSv1.3" and the like, when the TLS handshake succeeded.
    ///   - problem: What went wrong otherwise.
    public static func device(address: String, protocolVersion: String?, problem: String?) -> Finding {
        guard let protocolVersion else {
            return Finding(
                "device", .fail, "\(address): \(problem ?? "no answer")",
                advice: "Is it on, on this network, and is its TCP port not blocked?")
        }
        return Finding("device", .ok, "\(address) answers with \(protocolVersion)")
    }
}
