import CastModel
import CastWire

/// How multizone messages change what is known of a group (PROTOCOL 6.1).
///
/// A group's own socket tells of its members, and only a group's members are told as events. A lone speaker lists
/// itself: that is kept, and told when the speaker turns out to lead others.
extension DeviceState {
    /// Folds a message of the multizone namespace; false when its type is none that is understood.
    mutating func foldMultizone(_ payload: Payload, into events: inout EventCollector) -> Bool {
        switch payload.type {
        case PayloadType.multizoneStatus?:
            guard let status = MultizoneStatus(in: payload) else { return false }
            fold(status, into: &events)
        case PayloadType.deviceAdded?:
            guard case .object(let device)? = payload.json["device"] else { return false }
            foldMember(MultizoneMember(device), added: true, into: &events)
        case PayloadType.deviceUpdated?:
            guard case .object(let device)? = payload.json["device"] else { return false }
            foldMember(MultizoneMember(device), added: false, into: &events)
        case PayloadType.deviceRemoved?:
            guard let id = payload.json.textField("deviceId").ifPresent else { return false }
            foldRemoved(DeviceID(id), into: &events)
        default: return false
        }
        return true
    }

    /// Whether what plays here plays on several devices: by the announcement, or since the socket spoke of others.
    private var isGroup: Bool { announcement?.isGroup == true || multizone.tellsOfOthers }

    /// Those of the members that the ledger was told of.
    private var toldMembers: [MultizoneMember] { isGroup ? multizone.members : [] }

    private mutating func fold(_ status: MultizoneStatus, into events: inout EventCollector) {
        let told = toldMembers
        // An absent list says nothing of the members; it is not an empty one.
        if let listed = status.members.ifPresent {
            var members: [MultizoneMember] = []
            for record in listed where members.count < MultizoneState.memberLimit {
                guard let id = record.deviceID, !members.contains(where: { $0.deviceID == id }) else { continue }
                let known = multizone.index(of: id).map { multizone.members[$0] }
                if let member = record.compared(over: known) { members.append(member) }
            }
            multizone.members = members
            multizone.tellsOfOthers = members.count > 1
            tellMembers(before: told, into: &events)
            multizone.isKnown = true
        }
        let playing = status.playbackSession.ifPresent.map { MultizoneState.kept($0) }
        guard playing != multizone.playbackSession else { return }
        events.add(
            .playbackSessionChanged, before: multizone.playbackSession.map { .object($0) },
            after: playing.map { .object($0) })
        multizone.playbackSession = playing
    }

    private mutating func foldMember(_ record: MultizoneMember, added: Bool, into events: inout EventCollector) {
        guard let id = record.deviceID else { return }
        let told = toldMembers
        if isAnother(id) { multizone.tellsOfOthers = true }
        let index = multizone.index(of: id)
        guard let member = record.compared(over: index.map { multizone.members[$0] }) else { return }
        if let index {
            multizone.members[index] = member
        } else {
            guard multizone.members.count < MultizoneState.memberLimit else { return }
            multizone.members.append(member)
        }
        // An update of a member that no list has told of yet: it was there before, as we do not know what.
        let isNews = index == nil && !added && !multizone.isKnown
        if isNews, isGroup {
            events.add(.groupMemberUpdated, after: .object(member.json))
            tellMembers(before: told + [member], into: &events)
        } else {
            tellMembers(before: told, into: &events)
        }
    }

    private mutating func foldRemoved(_ id: DeviceID, into events: inout EventCollector) {
        let told = toldMembers
        guard let index = multizone.index(of: id) else {
            // Before any list, a member that leaves is all that is known of it.
            guard !multizone.isKnown, isAnother(id) else { return }
            events.add(.groupMemberRemoved, before: ["deviceId": .string(id.text)])
            return
        }
        multizone.members.remove(at: index)
        if !multizone.members.contains(where: { $0.deviceID.map(isAnother) ?? false }) {
            multizone.tellsOfOthers = false
        }
        tellMembers(before: told, into: &events)
    }

    /// Whether a message speaks of another device; a device that never told its id may be any.
    private func isAnother(_ id: DeviceID) -> Bool { id != deviceID && !deviceID.text.hasPrefix("at:") }

    /// Tells each difference between two lists of members: those who left, then the list in its order.
    private func tellMembers(before told: [MultizoneMember], into events: inout EventCollector) {
        let now = toldMembers
        for member in told where !now.contains(where: { $0.deviceID == member.deviceID }) {
            events.add(.groupMemberRemoved, before: .object(member.json))
        }
        for member in now {
            guard let known = told.first(where: { $0.deviceID == member.deviceID }) else {
                events.add(.groupMemberAdded, after: .object(member.json))
                continue
            }
            guard !member.saysSame(as: known) else { continue }
            events.add(.groupMemberUpdated, before: .object(known.json), after: .object(member.json))
        }
    }
}
