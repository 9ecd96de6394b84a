public import CastModel
import Differ
public import Store
public import WebCore

/// Changes as they come, for a program that waits for them: what the stream over HTTP tells, without HTTP.
///
/// Belongs to the thread of its connection.
public final class ChangeWatch {
    private static let waitLimit = Duration.seconds(1)
    private let queries: LedgerQueries
    private let devices: Set<DeviceID>?
    private var follower: ChangeFollower

    /// Begins now, or behind an event that was seen before.
    ///
    /// - Parameters:
    ///   - devices: Names or ids; empty for all.
    ///   - after: The id of the last event seen; nil for now.
    /// - Throws: What the database says, or 400 when `after` is none of this ledger.
    public init(_ queries: LedgerQueries, apps: AppRegistry, devices: [String], after: String?) throws {
        self.queries = queries
        self.devices = devices.isEmpty ? nil : Set(try devices.map { try queries.device($0).deviceID })
        follower = ChangeFollower(apps: apps)
        try queries.listenForChanges()
        guard let after else {
            try follower.begin(queries)
            return
        }
        guard let point = ResumePoint(after), try follower.begin(queries, after: point) else {
            throw HTTPProblem(400, "'\(Question.shown(after))' is no event of this ledger.")
        }
        hasMore = true
    }

    private var hasMore = false

    /// What is new; waits up to a second for it.
    public func news() throws -> [EventFrame] {
        if !hasMore { _ = try queries.awaitChange(within: Self.waitLimit) }
        let turn = try follower.turn(queries)
        hasMore = turn.hasMore
        return turn.news.filter { news in
            guard let devices, let device = news.deviceID else { return true }
            return devices.contains(device)
        }.map(\.frame)
    }
}
