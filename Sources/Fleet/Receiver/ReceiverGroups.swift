import CastModel
import CastWire

/// A device that plays with a group: its record in MULTIZONE_STATUS (PROTOCOL 6.1).
public struct GroupMember: Sendable, Equatable {
    /// The device's id with dashes.
    var uuid: String
    var name: String
    var capabilities: Int64
    var level: Double
    var muted: Bool

    var json: JSONValue {
        [
            "deviceId": .string(uuid), "name": .string(name), "capabilities": .integer(capabilities),
            "volume": ["level": .javaScript(level), "muted": .bool(muted)],
        ]
    }
}

/// What devices of a group tell each other, over wires that no sender sees.
public enum GroupNews: Sendable, Equatable {
    /// The group to its members: an app plays on all of you.
    case plays(sessionID: String)
    /// The group to its leader: the same.
    case playsUnderYourLead(sessionID: String)
    /// The group to its members: it is over.
    case ended
    /// The group to its members: this is the volume.
    case level(Double, muted: Bool)
    /// A member to its group: this is me now.
    case member(GroupMember)
    /// A member to its group: I play something else.
    case left(uuid: String)
}

/// Groups: the group's own endpoint says what plays, its members only that they take part (PROTOCOL 1.6, 6.1).
extension ReceiverMachine {
    /// Our own record.
    var ownRecord: GroupMember {
        GroupMember(
            uuid: profile.uuid, name: profile.name, capabilities: profile.capabilities.rawValue, level: volumeLevel,
            muted: volumeMuted)
    }

    /// MULTIZONE_STATUS: a group lists its members, everybody else itself.
    func multizoneStatus(_ requestID: Int) -> JSONValue {
        let listed = profile.kind == .group ? members : [ownRecord]
        var status = JSONObject([("devices", .array(listed.map(\.json))), ("isMultichannel", false)])
        if let app, !app.app.isIdleScreen, app.isReady {
            status["playbackSession"] = [
                "appAllowsGrouping": true, "isVideoContent": false, "streamTransferSupported": true,
            ]
        }
        return ["type": "MULTIZONE_STATUS", "requestId": .count(requestID), "status": .object(status)]
    }

    // MARK: What we tell

    /// Our app runs: of a group, on all members.
    mutating func groupPlays() -> [Effect] {
        guard profile.kind == .group, let app else { return [] }
        return [.tell(.plays(sessionID: app.sessionID))]
            + broadcast(multizoneStatus(0), .multizone, from: Self.platform)
    }

    /// What the group must know, since this has ended.
    func groupEffects(ofEnding ended: AppRun) -> [Effect] {
        if profile.kind == .group {
            return [.tell(.ended)] + broadcast(multizoneStatus(0), .multizone, from: Self.platform)
        }
        return ended.app.isPlaceholder ? [.tell(.left(uuid: profile.uuid))] : []
    }

    /// Our volume has changed: speakers say so on the multizone namespace too, and every member to its group.
    func groupEffectsOfVolume() -> [Effect] {
        switch profile.kind {
        case .television, .display: return [.tell(.member(ownRecord))]
        case .speaker:
            return multizone("DEVICE_UPDATED", [("device", ownRecord.json)]) + [.tell(.member(ownRecord))]
        case .group: return [.tell(.level(volumeLevel, muted: volumeMuted))]
        }
    }

    private func multizone(_ type: String, _ fields: [(key: String, value: JSONValue)]) -> [Effect] {
        let payload = JSONObject([("type", .string(type)), ("requestId", 0)] + fields)
        return broadcast(.object(payload), .multizone, from: Self.platform)
    }

    // MARK: What we hear

    mutating func heard(_ news: GroupNews, at now: Duration) -> [Effect] {
        switch news {
        case .plays(let sessionID): return follow(.groupFollower, sessionID, at: now)
        case .playsUnderYourLead(let sessionID): return follow(.groupLeader, sessionID, at: now)
        case .ended:
            guard let app, app.app.isPlaceholder else { return [] }
            self.app = nil
            let idle: [Effect] =
                profile.kind.hasIdleScreen ? [.arm(.idleScreen, after: Self.launchStepDuration)] : []
            return broadcastReceiverStatus() + idle
        case .level(let level, let muted):
            guard level != volumeLevel || muted != volumeMuted else { return [] }
            return setVolume(level: level, muted: muted)
        case .member(let member): return update(member)
        case .left(let uuid):
            guard members.contains(where: { $0.uuid == uuid }) else { return [] }
            members.removeAll { $0.uuid == uuid }
            return multizone("DEVICE_REMOVED", [("deviceId", .string(uuid))])
        }
    }

    /// Whatever runs here makes way for the group.
    private mutating func follow(_ placeholder: SimulatedApp, _ sessionID: String, at now: Duration) -> [Effect] {
        var effects: [Effect] = []
        if let superseded = pendingLaunch {
            pendingLaunch = nil
            effects.append(.disarm(.launch))
            effects += cancel(superseded)
        }
        effects += endRun(because: "joined_group")
        app = AppRun(
            app: placeholder, sessionID: sessionID, statusText: "", isReady: true, launchedFromCloud: false,
            media: nil)
        return effects + [.disarm(.idleScreen)] + broadcastReceiverStatus() + [.tell(.member(ownRecord))]
    }

    /// A member is new, or is otherwise than before.
    private mutating func update(_ member: GroupMember) -> [Effect] {
        guard let index = members.firstIndex(where: { $0.uuid == member.uuid }) else {
            members.append(member)
            return multizone("DEVICE_ADDED", [("device", member.json)])
        }
        guard members[index] != member else { return [] }
        members[index] = member
        return multizone("DEVICE_UPDATED", [("device", member.json)])
    }
}
