import CastModel
import Recording

/// How a receiver status changes what is known of a device (PROTOCOL 3.2).
extension DeviceState {
    /// Folds a receiver status: adds what changed, and takes it.
    mutating func fold(_ status: ReceiverStatus, into events: inout EventCollector) {
        foldApps(status, isFirst: !receiverIsKnown, into: &events)
        foldVolume(status, into: &events)
        if let told = status.isStandBy.ifPresent, told != isStandBy {
            events.add(
                .standbyChanged, "isStandBy", from: isStandBy.map { .bool($0) }, to: .bool(told),
                callbacks: [.receiverStatus])
            isStandBy = told
        }
        if let told = status.isActiveInput.ifPresent, told != isActiveInput {
            events.add(
                .activeInputChanged, "isActiveInput", from: isActiveInput.map { .bool($0) }, to: .bool(told),
                callbacks: [.receiverStatus])
            isActiveInput = told
        }
        receiverIsKnown = true
    }

    private mutating func foldVolume(_ status: ReceiverStatus, into events: inout EventCollector) {
        guard let volume = status.volume.ifPresent else { return }
        // A fixed volume is reported as 1.0, whatever one hears.
        if !volume.isFixed, let level = volume.level.ifPresent, !level.isLevel(volumeLevel) {
            events.add(
                .deviceVolumeChanged, "level", from: volumeLevel.map { .number($0) }, to: .number(level),
                callbacks: [.receiverStatus])
            volumeLevel = level
        }
        if let muted = volume.muted.ifPresent, muted != isMuted {
            events.add(
                .deviceMuteChanged, "muted", from: isMuted.map { .bool($0) }, to: .bool(muted),
                callbacks: [.receiverStatus])
            isMuted = muted
        }
    }

    /// A status tells all apps that run; one that it leaves out has ended.
    ///
    /// A group's placeholder is no app (PROTOCOL 6.1): it replaces nothing and nothing replaces it, its events carry no
    /// app session, and it is marked, so that nobody counts it.
    private mutating func foldApps(_ status: ReceiverStatus, isFirst: Bool, into events: inout EventCollector) {
        let told = (status.applications.ifPresent ?? []).map { $0.compared }
        if told == apps { return }
        let before = apps
        apps = told
        let left = before.filter { app in !told.contains { $0.isSameLaunch(as: app) } && !app.isIdleScreen }
        for app in left where app.isGroupPlaceholder { tellStopped(app, into: &events) }
        var gone = left.filter { !$0.isGroupPlaceholder }
        for app in told {
            events.appSessionID = app.countedSessionID
            if let known = before.first(where: { $0.isSameLaunch(as: app) }) {
                tellDifferences(from: known, to: app, into: &events)
            } else if app.isIdleScreen || app.isGroupPlaceholder {
                for left in gone { tellStopped(left, into: &events) }
                gone = []
                events.appSessionID = app.countedSessionID
                if app.isGroupPlaceholder {
                    events.add(.appStarted, after: app.told, callbacks: [.receiverStatus])
                } else if !before.contains(where: { $0.isIdleScreen }) {
                    events.add(.idleScreenShown, after: app.told, callbacks: [.receiverStatus])
                }
            } else if let replaced = gone.first {
                gone.removeFirst()
                events.add(.appReplaced, before: replaced.told, after: app.told, callbacks: [.receiverStatus])
            } else {
                events.add(.appStarted, after: app.told, callbacks: [.receiverStatus])
            }
        }
        for app in gone { tellStopped(app, into: &events) }
        events.appSessionID = nil
        keepTransports(of: told, before: before, isFirst: isFirst)
    }

    /// Media sessions end with their app; those of an app that we saw start are known from the beginning.
    private mutating func keepTransports(of told: [ReceiverApp], before: [ReceiverApp], isFirst: Bool) {
        let ids = Set(told.compactMap { $0.transportID })
        let stayed = told.filter { app in before.contains { $0.isSameLaunch(as: app) } }
        let old = Set(before.compactMap { $0.transportID }).subtracting(stayed.compactMap { $0.transportID })
        transports.removeAll { !ids.contains($0.transportID) || old.contains($0.transportID) }
        leftTransports.removeAll { ids.contains($0) }
        let left = before.compactMap { $0.transportID }.filter { !ids.contains($0) && !leftTransports.contains($0) }
        leftTransports = (leftTransports + left).suffix(Self.leftTransportLimit)
        guard !isFirst else { return }
        let known = Set(before.compactMap { $0.transportID }).subtracting(old)
        for app in told {
            guard let id = app.transportID, !known.contains(id) else { continue }
            transports[transportIndex(id)].isKnown = true
        }
    }

    private func tellStopped(_ app: ReceiverApp, into events: inout EventCollector) {
        events.appSessionID = app.countedSessionID
        events.add(.appStopped, before: app.told, callbacks: [.receiverStatus])
    }

    private func tellDifferences(from known: ReceiverApp, to app: ReceiverApp, into events: inout EventCollector) {
        if known.canonicalAppID != app.canonicalAppID {
            events.add(.appReplaced, before: known.told, after: app.told, callbacks: [.receiverStatus])
            return
        }
        if known.json["statusText"] != app.json["statusText"] {
            events.add(
                .appStatusTextChanged, "statusText", from: known.json["statusText"], to: app.json["statusText"],
                callbacks: [.receiverStatus])
        }
        if known.json["senderConnected"] != app.json["senderConnected"] {
            events.add(
                .senderConnectedChanged, "senderConnected", from: known.json["senderConnected"],
                to: app.json["senderConnected"], callbacks: [.receiverStatus])
        }
    }
}

extension ReceiverApp {
    /// The app cut down to what the differ compares and tells.
    var compared: ReceiverApp {
        var kept = JSONObject()
        kept.pairs.reserveCapacity(Self.comparedKeys.count)
        for key in Self.comparedKeys {
            if let value = json[key] { kept.pairs.append((key, Redaction.redacted(value))) }
        }
        return ReceiverApp(kept)
    }

    private static let comparedKeys = [
        "appId", "universalAppId", "displayName", "appType", "isIdleScreen", "launchedFromCloud", "senderConnected",
        "sessionId", "transportId", "statusText",
    ]

    /// The app as its events tell it: a group's placeholder is marked.
    var told: JSONValue {
        isGroupPlaceholder ? .object(JSONObject(json.pairs + [("placeholder", true)])) : .object(json)
    }

    /// The app session that its events belong to; none for a placeholder, whose app session is the group's.
    var countedSessionID: AppSessionID? { isGroupPlaceholder ? nil : sessionID }

    /// Whether two statuses speak of one launch of one app.
    ///
    /// The app session id decides; without one, on old firmware, the transport or the app. When a group forms or
    /// dissolves, an app and its placeholder carry the same app session id one after the other; those are two. Native
    /// apps of Android TV share one app id, so there another name is another app (PROTOCOL 1.9).
    func isSameLaunch(as other: ReceiverApp) -> Bool {
        if isGroupPlaceholder != other.isGroupPlaceholder { return false }
        if isAnyNativeApp, other.isAnyNativeApp, let one = displayName.ifPresent,
            let two = other.displayName.ifPresent, one != two
        {
            return false
        }
        if let one = sessionID, let two = other.sessionID { return one == two }
        if let one = transportID, let two = other.transportID { return one == two }
        return appID == other.appID
    }
}
