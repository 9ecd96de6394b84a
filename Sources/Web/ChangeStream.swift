import CastModel
import IO
import Recording
import Store
import WebCore

/// Begins to stream changes to one reader: what it missed out of the ledger, then what comes.
struct ChangeStream {
    /// Change events that are caught up with, at most; who is further behind begins anew.
    static let missedLimit = 10_000
    /// Bytes of them that may wait in memory.
    private static let missedBytes = 32 << 20
    /// How long browsers wait until they connect again, in milliseconds.
    private static let retryMilliseconds = 2_000

    /// What is said first.
    static let head = HTTPAnswer(
        contentType: "text/event-stream",
        headers: [.init("Cache-Control", "no-store"), .init("X-Accel-Buffering", "no")], body: [])

    let feed: LiveFeed
    let question: Question
    let apps: AppRegistry
    let version: String

    /// Answers, on the thread of the ledger's connection.
    func begin(_ queries: LedgerQueries, _ exchange: Exchange) throws {
        guard question.request.method != "HEAD" else { return exchange.answer(.whole(Self.head)) }
        let wanted = question.texts("device")
        var devices: Set<DeviceID>?
        if !wanted.isEmpty { devices = Set(try wanted.map { try queries.device($0).deviceID }) }
        let asked = question.request.headers["last-event-id"] ?? question.text("after")
        guard asked == nil || asked.flatMap(ResumePoint.init) != nil || question.text("after") == nil else {
            throw HTTPProblem(400, "'after' is no id of an event of this stream.")
        }
        guard feed.hasBegun else {
            throw HTTPProblem(503, "The database does not answer yet.", headers: [.init("Retry-After", "2")])
        }
        guard !feed.isFull else {
            throw HTTPProblem(503, "Too many listen already.", headers: [.init("Retry-After", "10")])
        }
        let pipe = BytePipe()
        _ = pipe.offer(Array("retry: \(Self.retryMilliseconds)\n\n".utf8))
        var follower = ChangeFollower(apps: apps)
        follower.tellsOfPlays = false
        var isResumed = true
        if let asked {
            isResumed = try ResumePoint(asked).map { try follower.begin(queries, after: $0) } ?? false
        } else {
            try follower.begin(queries)
        }
        _ = pipe.offer(status(asked == nil ? .null : .bool(isResumed)))
        exchange.answer(.streamed(Self.head, pipe))
        try catchUp(&follower, queries, pipe, devices)
    }

    private func catchUp(
        _ follower: inout ChangeFollower, _ queries: LedgerQueries, _ pipe: BytePipe, _ devices: Set<DeviceID>?
    ) throws {
        defer { if !pipe.isJoined { pipe.abandon() } }
        var missed = 0
        repeat {
            var hasMore = true
            while hasMore, !pipe.isBroken {
                let turn = try follower.turn(queries)
                hasMore = turn.hasMore
                missed += turn.news.count
                guard missed <= Self.missedLimit else {
                    try follower.skip(queries)
                    _ = pipe.offer(status(false))
                    missed = 0
                    break
                }
                for news in turn.news
                where devices.map({ set in news.deviceID.map { set.contains($0) } ?? true }) ?? true {
                    guard pipe.offer(news.frame.utf8, limit: Self.missedBytes) else { return }
                }
            }
        } while !pipe.isBroken && !feed.join(pipe, devices: devices, after: follower.resumePoint)
    }

    /// - Parameter isResumed: Whether nothing is missing since the point asked for; null when none was.
    private func status(_ isResumed: JSONValue) -> [UInt8] {
        EventFrame(
            .status, resumeAfter: nil,
            data: [
                "now": .string(WallTime(microseconds: Clock.wallMicroseconds()).text), "version": .string(version),
                "resumed": isResumed,
            ]
        ).utf8
    }
}
