import IO
import Store

/// Tells a person why nothing happens while PostgreSQL says nothing.
enum StillWaiting {
    /// After how long a silence.
    private static let limit = Duration.seconds(5)
    /// The same while a private cluster starts, which may have to repair itself first.
    private static let startLimit = Duration.seconds(30)

    /// Patience without end that says so once.
    static func patience() -> PostgresPatience {
        let isTold = Guarded(false)
        return PostgresPatience { doing, waited in
            let limit = doing == PostgresPatience.startingCluster ? startLimit : limit
            if waited >= limit,
                isTold.withLock({ told in
                    defer { told = true }; return !told
                })
            {
                Terminal.complain([line(doing)])
            }
            return true
        }
    }

    /// The line, without its newline.
    static func line(_ doing: String) -> String {
        "castledger: PostgreSQL has been silent for a while (\(doing)): it is slow, stopped, or waits for a lock. "
            + "Still waiting; end with Ctrl-C."
    }
}
