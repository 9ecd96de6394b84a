import CastModel
import Conflicts
import Differ
import Plays
import Recording
import Report
import Store
import WebCore

/// Which news are worth a notice, and how it is worded.
struct NoticeReading {
    /// What is wanted; empty for everything.
    var kinds: Set<Notice.Kind> = []
    /// Receiver apps that may run, by name or id in any case; empty when all may.
    var allowedApps: Set<String> = []
    var apps: AppRegistry = .builtIn

    /// Reasons of gaps that mean that the device cannot be reached.
    private static let unreachable: Set<String> = ["link_lost", "device_unreachable"]

    /// The notices of a piece of news.
    func notices(_ news: ChangeFollower.News, isFirst: Bool = true) -> [Notice] {
        let data = news.frame.data
        let found: [Notice] =
            switch news.subject {
            case .event(let row): notices(row, data)
            case .playBegan(let row): [notice(.playStarted, row, row.play.startedAt, data)]
            case .playEnded(let row): [notice(.playEnded, row, row.play.endedAt ?? row.play.countedAt, data)]
            case .conflict(let row):
                [
                    Notice(
                        .conflict, id: "\(row.recorderID)/\(row.conflict.id.name)", at: row.conflict.from.text,
                        deviceID: row.conflict.deviceID.text, deviceName: row.deviceName,
                        sentence: row.conflict.sentence, data: data)
                ]
            }
        return found.filter { kinds.isEmpty || kinds.contains($0.kind) }
    }

    private func notice(_ kind: Notice.Kind, _ row: PlayRow, _ at: WallTime, _ data: JSONValue) -> Notice {
        let content = row.play.content
        let title = content.title ?? content.contentID ?? content.entity ?? "something without a title"
        let app = row.play.appName ?? row.play.appID?.text ?? "an app"
        return Notice(
            kind, id: "\(row.recorderID)/\(row.play.id.playName)/\(kind.rawValue)", at: at.text,
            deviceID: row.play.deviceID.text, deviceName: row.deviceName,
            sentence: "\(app): \(title) \(kind == .playStarted ? "began" : "ended")", data: data)
    }

    private func notices(_ row: EventRow, _ data: JSONValue) -> [Notice] {
        func notice(_ kind: Notice.Kind) -> Notice {
            Notice(
                kind, id: "\(row.recorderID)/\(row.event.id.playName)/\(kind.rawValue)",
                at: row.event.observedAt.text, deviceID: row.event.deviceID.text, deviceName: row.deviceName,
                sentence: Timeline.sentence(for: row.event, apps: apps), data: data)
        }
        let reason = row.event.after?["reason"]?.string ?? ""
        switch row.event.kind {
        case .gapStarted: return [notice(.gap)] + (Self.unreachable.contains(reason) ? [notice(.deviceDown)] : [])
        case .gapEnded: return Self.unreachable.contains(reason) ? [notice(.deviceUp)] : []
        case .appStarted: return isAllowed(row.event.after) ? [] : [notice(.appNotAllowed)]
        case .appReplaced: return isAllowed(row.event.after) ? [] : [notice(.appNotAllowed)]
        default: return []
        }
    }

    /// Whether an app may run, by what its event says of it.
    private func isAllowed(_ app: JSONValue?) -> Bool {
        guard !allowedApps.isEmpty else { return true }
        let names = [
            app?["appId"]?.string, app?["universalAppId"]?.string, app?["displayName"]?.string,
            app?["appId"]?.string.flatMap { apps[AppID($0)]?.name },
        ]
        return names.contains { name in name.map { allowedApps.contains($0.lowercased()) } ?? false }
    }

    /// What is wrong with the archive, as a health says it, by its kind.
    static func archiveTroubles(_ health: JSONValue?) -> [String: String] {
        let kinds = ["archive_stalled", "disk_silent", "frames_lost", "volume_nearly_full"]
        var found: [String: String] = [:]
        for trouble in health?["troubles"]?.array ?? [] {
            guard let kind = trouble["kind"]?.string, kinds.contains(kind) else { continue }
            found[kind] = trouble["sentence"]?.string ?? kind
        }
        return found
    }
}
