import CastModel
import Differ
import Recording

/// How apps begin and end, and their plays with them.
extension DevicePlays {
    /// Another app within this of the end of one takes its place, in seconds: in between a device may show none.
    private static let replacementSeconds = 5.0

    mutating func startApp(_ event: ChangeEvent, into changes: inout PlayChanges) {
        changes.isTouched = true
        guard let json = event.after?.object else { return }
        let app = ReceiverApp(json)
        let running = remember(app)
        guard !running.isNoPlayer else { return }
        adopt(running, into: &changes)
        for index in recent.indices
        where recent[index].play.endReason == .appClosed && recent[index].play.appSessionID != app.sessionID {
            guard let endedAt = recent[index].play.endedAt,
                TimeSpent.between(endedAt, event.observedAt) <= Int64(Self.replacementSeconds * 1e6)
            else { continue }
            recent[index].play.endReason = .appReplaced
            changes.put(recent[index])
        }
    }

    /// Media that was heard before any receiver status is that of the app which the first one names.
    ///
    /// With an app session, such a play may turn out to have moved here from another device, as one that begins may.
    private mutating func adopt(_ app: RunningApp, into changes: inout PlayChanges) {
        for index in open.indices where open[index].play.appSessionID == nil {
            open[index].play.appSessionID = app.appSessionID
            open[index].play.appID = app.appID
            open[index].play.appName = app.name ?? open[index].play.appName
            if open[index].hasBegun { changes.begun.append(open[index].play.id) }
            changes.put(open[index])
        }
    }

    mutating func replaceApp(_ event: ChangeEvent, into changes: inout PlayChanges) {
        changes.isTouched = true
        let before = event.before?.object.map { ReceiverApp($0) }
        let after = event.after?.object.map { ReceiverApp($0) }
        if let before, let after, renames(before, to: after) { return rename(after, into: &changes) }
        if let before { leave(before.sessionID, .appReplaced, event, into: &changes) }
        if let after { _ = remember(after) }
    }

    /// Whether an app only says another id of itself: its app session goes on, and what it plays with it.
    private func renames(_ before: ReceiverApp, to after: ReceiverApp) -> Bool {
        before.sessionID != nil && before.sessionID == after.sessionID && !after.isGroupPlaceholder
            && !after.isIdleScreen
            && !before.isGroupPlaceholder && before.canonicalAppID != after.canonicalAppID
    }

    private mutating func rename(_ app: ReceiverApp, into changes: inout PlayChanges) {
        let name = apps.first { $0.appSessionID == app.sessionID }?.name
        let running = remember(app, calledSoFar: name)
        for index in open.indices where open[index].play.appSessionID == running.appSessionID {
            open[index].play.appID = running.appID
            open[index].play.appName = running.name ?? open[index].play.appName
            changes.put(open[index])
        }
    }

    mutating func stopApp(_ event: ChangeEvent, into changes: inout PlayChanges) {
        changes.isTouched = true
        let app = event.before?.object.map { ReceiverApp($0) }
        if let app, app.isGroupPlaceholder {
            // It carries the app session of the group, and ends nothing but itself.
            return apps.removeAll { $0.appSessionID == app.sessionID && $0.isNoPlayer }
        }
        leave(app?.sessionID ?? event.appSessionID, .appClosed, event, into: &changes)
    }

    /// The app of an event; nil when no receiver status named it.
    func app(of event: ChangeEvent) -> RunningApp? { apps.first { $0.appSessionID == event.appSessionID } }

    /// Keeps what an app says of itself.
    ///
    /// - Parameter name: What it is called when it does not say so now, be it by an empty name.
    private mutating func remember(_ app: ReceiverApp, calledSoFar name: String? = nil) -> RunningApp {
        let running = RunningApp(
            appSessionID: app.sessionID, appID: app.canonicalAppID,
            name: app.displayName.ifPresent.flatMap { $0.isEmpty ? nil : $0 } ?? name,
            isFromCloud: app.launchedFromCloud.ifPresent == true,
            isNoPlayer: app.isIdleScreen || app.isGroupPlaceholder)
        apps.removeAll { $0.appSessionID == app.sessionID }
        if apps.count >= Self.appLimit { apps.removeFirst() }
        apps.append(running)
        return running
    }

    /// An app session is over: so is what it played.
    private mutating func leave(
        _ appSessionID: AppSessionID?, _ reason: Play.EndReason, _ event: ChangeEvent, into changes: inout PlayChanges
    ) {
        apps.removeAll { $0.appSessionID == appSessionID }
        while let index = open.firstIndex(where: { $0.play.appSessionID == appSessionID }) {
            end(index, reason, event, into: &changes)
        }
        // Media that was interrupted by nothing but the end of its app was not replaced.
        for index in recent.indices where recent[index].play.appSessionID == appSessionID {
            guard recent[index].play.endReason == .replaced || recent[index].play.endReason == .unknown,
                !recent[index].play.endIsUncertain, index == recent.count - 1, let endedAt = recent[index].play.endedAt,
                TimeSpent.between(endedAt, event.observedAt) <= Self.interruptionMicroseconds
            else { continue }
            recent[index].play.endReason = reason
            changes.put(recent[index])
        }
    }
}
