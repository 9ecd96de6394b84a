import IO

/// How long a connection waits for PostgreSQL, and who may end the wait.
///
/// A server that is stopped, or whose network is gone, says nothing at all: no error comes, and libpq by itself waits for
/// ever. So every wait is ours, with a limit of its own.
public struct PostgresPatience: Sendable {
    /// How long connecting may take, logging in included; a name server's answer is not counted, for libpq waits for it.
    public var connectLimit: Duration
    /// How long one statement may take; nil for no limit.
    ///
    /// The server ends it then (`statement_timeout`) and says so. One that cannot even do that is given up
    /// ``overdueLimit`` later.
    public var statementLimit: Duration?
    /// How long after ``statementLimit`` a server may still be silent.
    public var overdueLimit: Duration
    /// Asked at the beginning of each statement, and every tenth of a second while PostgreSQL says nothing, with what is
    /// being done and for how long; false gives the connection up.
    public var keepsWaiting: @Sendable (_ doing: String, _ waited: Duration) -> Bool

    /// What is being done while the private cluster is made, or starts.
    public static let startingCluster = "waiting for the private cluster"
    /// How often ``keepsWaiting`` is asked.
    static let turnMilliseconds: Int32 = 100

    /// Patience of a person, who ends the program when it takes too long: 10 s to connect, no limit for a statement.
    public init(
        connectLimit: Duration = .seconds(10), statementLimit: Duration? = nil,
        overdueLimit: Duration = .seconds(10),
        keepsWaiting: @escaping @Sendable (_ doing: String, _ waited: Duration) -> Bool = { _, _ in true }
    ) {
        self.connectLimit = connectLimit
        self.statementLimit = statementLimit
        self.overdueLimit = overdueLimit
        self.keepsWaiting = keepsWaiting
    }

    /// A wait that begins now.
    func wait(doing: String, limit: Duration?) -> PostgresWait {
        PostgresWait(doing: doing, limit: limit, keepsWaiting: keepsWaiting)
    }
}

/// One wait for an answer: since when, for what, and how long at most.
struct PostgresWait {
    let doing: String
    private let limitNanoseconds: Int64?
    private let keepsWaiting: @Sendable (String, Duration) -> Bool
    private let startNanoseconds = Clock.monotonicNanoseconds()

    init(doing: String, limit: Duration?, keepsWaiting: @escaping @Sendable (String, Duration) -> Bool) {
        self.doing = doing
        self.keepsWaiting = keepsWaiting
        limitNanoseconds = limit?.wholeNanoseconds
    }

    /// How long it has lasted.
    var waited: Duration { .nanoseconds(Clock.monotonicNanoseconds() - startNanoseconds) }

    /// Whether to go on waiting.
    var goesOn: Bool {
        let waited = waited
        if let limitNanoseconds, waited.wholeNanoseconds >= limitNanoseconds { return false }
        return keepsWaiting(doing, waited)
    }
}
