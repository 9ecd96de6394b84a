import CastModel
import Conflicts
import Differ
import Plays
import Recording
import Store
import WebCore

/// Where lists go on.
enum Paging {
    /// The order of plays, and after which one.
    static func plays(_ question: Question) throws(HTTPProblem) -> LedgerPage {
        let sort = question.text("sort") ?? "started_at"
        let isDescending = sort.hasPrefix("-")
        let order = LedgerPage.Order(rawValue: isDescending ? String(sort.dropFirst()) : sort) ?? .startedAt
        var page = LedgerPage(order: order, isDescending: isDescending)
        page.after = try key(question, order.rawValue, hasValue: order != .startedAt)
        return page
    }

    /// The order of change events, and after which one.
    static func events(_ question: Question) throws(HTTPProblem) -> LedgerPage { try byTime(question, "events") }

    /// The order of conflicts, and after which one.
    static func conflicts(_ question: Question) throws(HTTPProblem) -> LedgerPage { try byTime(question, "conflicts") }

    private static func byTime(_ question: Question, _ kind: String) throws(HTTPProblem) -> LedgerPage {
        LedgerPage(isDescending: question.text("order") == "latest", after: try key(question, kind))
    }

    /// The place behind a play.
    static func cursor(_ row: PlayRow, _ page: LedgerPage) -> String {
        let play = row.play
        return cursor(
            page.order.rawValue, play.startedAt, play.deviceID.text, row.recorderID, play.id.position,
            Int64(play.id.ordinal), row.orderValue)
    }

    /// The place behind a change event.
    static func cursor(_ row: EventRow) -> String {
        cursor(
            "events", row.event.observedAt, row.event.deviceID.text, row.recorderID, row.event.id.position,
            Int64(row.event.id.ordinal), nil)
    }

    /// The place behind a conflict.
    static func cursor(_ row: ConflictRow) -> String {
        cursor(
            "conflicts", row.conflict.from, row.conflict.deviceID.text, row.recorderID,
            row.conflict.id.first.position, Int64(row.conflict.id.first.ordinal), row.conflict.id.kind.rawValue)
    }

    private static func cursor(
        _ kind: String, _ at: WallTime, _ device: String, _ recorder: String, _ position: ArchivePosition,
        _ ordinal: Int64, _ value: String?
    ) -> String {
        CursorText.encode(
            [kind, "\(at.microseconds)", device, recorder, "\(position.number)", "\(ordinal)"]
                + (value.map { [$0] } ?? []))
    }

    private static func key(
        _ question: Question, _ kind: String, hasValue: Bool = false
    ) throws(HTTPProblem) -> LedgerPage.Key? {
        guard let text = question.text("after") else { return nil }
        let parts = CursorText.decode(text) ?? []
        guard (6...7).contains(parts.count), parts[0] == kind, let at = Int64(parts[1]), isUUID(parts[3]),
            let position = Int64(parts[4]), let ordinal = Int32(parts[5]),
            parts.count == 7 || !hasValue
        else { throw HTTPProblem(400, "'after' is no place in this list: take 'next' of an answer in the same order.") }
        return LedgerPage.Key(
            at: WallTime(microseconds: at), deviceID: parts[2], recorderID: parts[3], position: position,
            ordinal: Int64(ordinal), value: parts.count == 7 ? parts[6] : nil)
    }

    private static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index)
                    ? byte == UInt8(ascii: "-") : Character(UnicodeScalar(byte)).isHexDigit
            }
    }
}
