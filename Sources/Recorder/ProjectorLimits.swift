/// How the projector deals with time: a test may want less of it.
struct ProjectorLimits: Sendable {
    /// Each wait after a failure; the last one repeats.
    var retryIntervals: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(30)]
    /// How long connecting may take.
    ///
    /// A login is a matter of milliseconds; a server in recovery refuses at once, and says so.
    var connect = Duration.seconds(10)
    /// How long one statement may take.
    ///
    /// The largest batch takes a second or two. A lock that somebody holds for a minute is worth a word and another
    /// attempt; a shorter limit would fail batches on a slow disk that were about to succeed.
    var statement = Duration.seconds(60)
    /// How much longer than that until a server that does not even end its statement is given up.
    var overdue = Duration.seconds(10)
    /// After how long a silence we say so.
    var silence = Duration.seconds(5)
    /// After how long we say that the private cluster has not started: making one takes seconds, on a busy disk many.
    var start = Duration.seconds(30)
    /// How often we look whether another program wants the turn, or has given it back.
    var turn = Duration.milliseconds(500)
    /// Records folded into one transaction, at most; one archive batch may exceed it by its length.
    var batchRecords = 5_000
    /// After failures a transaction gets a quarter of the records of the one before, down to so many.
    var smallestBatchRecords = 100
    /// Records without change events, heartbeats above all, wait so long for company.
    var quiet = Duration.seconds(2)
    /// How long the private cluster may take to stop: with ``ProjectorService/stopLimit`` less than 3 s.
    var clusterStop = Duration.milliseconds(700)
    /// How much later than planned the thread may end before it is left behind.
    var grace = Duration.milliseconds(800)
}
