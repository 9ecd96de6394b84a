import CastModel
import Recording

/// What a stored change event tells surely of a device, when its records are gone.
extension DeviceState {
    /// Takes announcement, link, gap, apps and volume from an event; what played in which state is not known again.
    mutating func recall(_ event: ChangeEvent) {
        lastObservedAt = max(lastObservedAt ?? event.observedAt, event.observedAt)
        switch event.kind {
        case .deviceSeen:
            announcement = Self.announcement(of: event)
            isWithdrawn = false
            if accountedUntil == nil { accountedUntil = event.observedAt }
        case .deviceRenamed: announcement?.name = event.after?["name"]?.string
        case .addressChanged:
            announcement?.addresses = Self.addresses(in: event.after)
            if let port = Self.port(in: event.after) { announcement?.port = port }
        case .deviceWithdrawn: isWithdrawn = true
        case .linkOpened:
            if case .integer(let number)? = event.after?["link"] {
                link = LinkNumber(number)
                attachMode = event.after?["attachMode"]?.string.flatMap(AttachMode.init)
            }
            linkIsUnknown = false
        case .linkClosed:
            if case .integer(let number)? = event.after?["link"], link?.number == number { link = nil }
            linkIsUnknown = false
        case .gapStarted:
            let reason = event.after?["reason"]?.string ?? "unknown"
            let from = event.after?["from"]?.string.flatMap { WallTime(text: $0) } ?? event.observedAt
            openGap = OpenGap(from: from, reason: reason)
            if reason == Gap.Reason.recorderDown.rawValue || reason == Self.damageReason { link = nil }
            if reason == Self.damageReason { linkIsUnknown = true }
        case .gapEnded:
            openGap = nil
            let told = event.after ?? event.before
            accountedUntil = told?["to"]?.string.flatMap { WallTime(text: $0) } ?? event.observedAt
        case .appStarted, .idleScreenShown: recallApp(event.after)
        case .appReplaced:
            forgetApp(event.before)
            recallApp(event.after)
        case .appStopped: forgetApp(event.before)
        case .appStatusTextChanged: recall("statusText", of: event)
        case .senderConnectedChanged: recall("senderConnected", of: event)
        case .deviceVolumeChanged: volumeLevel = event.after?["level"]?.lossyNumber ?? volumeLevel
        case .deviceMuteChanged: isMuted = Self.truth("muted", of: event) ?? isMuted
        case .standbyChanged: isStandBy = Self.truth("isStandBy", of: event) ?? isStandBy
        case .activeInputChanged: isActiveInput = Self.truth("isActiveInput", of: event) ?? isActiveInput
        default: break
        }
    }

    private mutating func recallApp(_ told: JSONValue?) {
        guard var object = told?.object else { return }
        object["placeholder"] = nil
        let app = ReceiverApp(object)
        apps.removeAll { $0.isSameLaunch(as: app) }
        // An idle screen shows when nothing else runs.
        if app.isIdleScreen { apps = [] }
        apps.append(app)
    }

    private mutating func forgetApp(_ told: JSONValue?) {
        guard var object = told?.object else { return }
        object["placeholder"] = nil
        let app = ReceiverApp(object)
        apps.removeAll { $0.isSameLaunch(as: app) }
    }

    private mutating func recall(_ key: String, of event: ChangeEvent) {
        guard let index = apps.firstIndex(where: { $0.sessionID == event.appSessionID }) else { return }
        var object = apps[index].json
        object[key] = event.after?[key]
        apps[index] = ReceiverApp(object)
    }

    private static func truth(_ key: String, of event: ChangeEvent) -> Bool? {
        guard case .bool(let truth)? = event.after?[key] else { return nil }
        return truth
    }

    private static func announcement(of event: ChangeEvent) -> Announcement {
        let told = event.after
        var capabilities: Capabilities?
        if case .integer(let bits)? = told?["capabilities"] { capabilities = Capabilities(rawValue: bits) }
        let advertisement = DeviceAdvertisement(
            deviceID: event.deviceID, name: told?["name"]?.string, model: told?["model"]?.string,
            addresses: addresses(in: told), port: port(in: told) ?? 0, capabilities: capabilities, txt: [],
            source: told?["source"]?.string.flatMap(DeviceAdvertisement.Source.init) ?? .static)
        return Announcement(
            name: advertisement.name, model: advertisement.model, addresses: advertisement.addresses,
            port: advertisement.port, isGroup: advertisement.isGroup)
    }

    private static func addresses(in told: JSONValue?) -> [String] {
        told?["addresses"]?.array?.compactMap(\.string) ?? []
    }

    private static func port(in told: JSONValue?) -> UInt16? {
        guard case .integer(let port)? = told?["port"] else { return nil }
        return UInt16(exactly: port)
    }
}
