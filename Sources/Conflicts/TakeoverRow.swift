import CastModel
import Differ
import Recording

extension DeviceConflicts {
    /// The row of a takeover.
    ///
    /// - Parameter isOver: Whether the next media is known, too, so that nothing more is to come.
    mutating func takeover(by doer: Doer, sureness: Double, _ event: ChangeEvent, isOver: Bool) -> Conflict? {
        guard var interrupted = stage.interrupted, let holder = interrupted.media.holder, !interrupted.media.isLeft
        else { return nil }
        if interrupted.evidence.last != event.id { interrupted.evidence.append(event.id) }
        stage.interrupted = interrupted
        var score = sureness
        if interrupted.media.isAdopted { score *= Self.adoptedShare }
        if !interrupted.tellsSenders { score *= Self.untoldShare }
        score = (score * 1000).rounded() / 1000
        guard let first = interrupted.evidence.first else { return nil }
        let next = isOver ? stage.media?.title : nil
        var row = Conflict(
            id: Conflict.ID(first: first, kind: .takeover), deviceID: deviceID,
            appSessionID: interrupted.appSessionID, from: interrupted.at, to: event.observedAt, score: score,
            undoings: 1, certainUndoings: sureness >= Self.certainTakeover ? 1 : 0, evidence: interrupted.evidence,
            evidenceCount: Int64(interrupted.evidence.count),
            actors: [
                Self.actor(holder, moves: 0, undoings: 0, shown(interrupted.appName, interrupted.media.title)),
                Self.actor(doer, moves: 1, undoings: 1, shown(interrupted.nextName ?? stage.app?.name, next)),
            ],
            before: shown(interrupted.appName, interrupted.media.title),
            after: shown(interrupted.isByApp ? interrupted.nextName : stage.app?.name, next), sentence: "")
        row.sentence = Wording.takeover(
            interrupted: interrupted, next: next, isAdopted: interrupted.media.isAdopted)
        return row
    }

    private func shown(_ app: String?, _ title: String?) -> JSONValue? {
        guard app != nil || title != nil else { return nil }
        return .stored([("app", .stored(app)), ("title", .stored(title))])
    }

    private static func actor(_ doer: Doer, moves: Int64, undoings: Int64, _ value: JSONValue?) -> Conflict.Actor {
        var actor = Conflict.Actor()
        actor.senderSeries = doer.series
        (actor.firstRequestID, actor.lastRequestID) = (doer.requestID, doer.requestID)
        (actor.moves, actor.undoings) = (moves, undoings)
        actor.lastValue = value
        return actor
    }
}
