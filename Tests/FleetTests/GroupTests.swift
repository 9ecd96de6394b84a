import CastModel
import CastWire
import Testing

@testable import Fleet

// PROTOCOL 1.6 and 6.1: the group's endpoint says what plays; a leader shows 531A4F84 with the group's session id, the
// others 705D30C6; a member's volume is DEVICE_UPDATED.
@Suite("A group")
struct GroupTests {
    /// The group, its leader (a display) and a follower (a speaker), each with one sender on link 1.
    struct House {
        var group = House.bench(DeviceProfile.group(0, after: 3, seed: 7))
        var leader = House.bench(DeviceProfile(index: 1, seed: 7))
        var follower = House.bench(DeviceProfile(index: 2, seed: 7))

        init() {
            for bench in [leader, follower] { _ = group.handle(.heard(.member(bench.machine.ownRecord))) }
            for path in [\House.group, \House.leader, \House.follower] {
                _ = self[keyPath: path].handle(.linkOpened(1))
                _ = self[keyPath: path].connect(1, "A", to: "receiver-0")
            }
        }

        private static func bench(_ profile: DeviceProfile) -> DeviceBench {
            var bench = DeviceBench()
            bench.machine = ReceiverMachine(profile: profile, seed: 7)
            return bench
        }

        /// Lets an app run on the group; returns what it told its members.
        mutating func launch() -> [GroupNews] {
            let json = "{\"type\":\"LAUNCH\",\"requestId\":2,\"appId\":\"CC32E753\"}"
            _ = group.send(1, "A", "receiver-0", .receiver, json)
            _ = group.handle(.fired(.launch))
            return group.machine.handle(.fired(.launch), at: .zero).compactMap { effect in
                guard case .tell(let news) = effect else { return nil }
                return news
            }
        }
    }

    private static let multizoneStatus = "{\"type\":\"GET_STATUS\",\"requestId\":5}"

    @Test func `lists its members, a lone speaker itself`() {
        var house = House()
        #expect(
            house.group.send(1, "A", "receiver-0", .multizone, Self.multizoneStatus)
                == ["1 A: MULTIZONE_STATUS 5: Kitchen Display 0.5, Bedroom Speaker 0.5"])
        #expect(
            house.follower.send(1, "A", "receiver-0", .multizone, Self.multizoneStatus)
                == ["1 A: MULTIZONE_STATUS 5: Bedroom Speaker 0.5"])
    }

    @Test func `that plays shows on its members as placeholders, which nobody can join`() {
        var house = House()
        let session = house.launch()
        let sessionID = house.group.transport
        #expect(session == [.plays(sessionID: sessionID)])
        #expect(
            house.group.send(1, "A", "receiver-0", .multizone, Self.multizoneStatus)
                == ["1 A: MULTIZONE_STATUS 5: Kitchen Display 0.5, Bedroom Speaker 0.5 playing"])
        #expect(
            house.leader.handle(.heard(.playsUnderYourLead(sessionID: sessionID)))
                == ["1 *: RECEIVER_STATUS 0: Group leader"])
        #expect(
            house.follower.handle(.heard(.plays(sessionID: sessionID)))
                == ["1 *: RECEIVER_STATUS 0: Group follower"])
        let entry = house.leader.machine.receiverStatus(requestID: 0)["status"]?["applications"]?.array?.first
        #expect(entry?["appId"] == "531A4F84")
        #expect(entry?["sessionId"] == .string(sessionID))
        #expect(entry?["transportId"] == nil)
        #expect(house.leader.connect(1, "A", to: sessionID) == ["1 A: CLOSE"])
        #expect(house.leader.machine.runningAppText.isEmpty)
        #expect(house.leader.handle(.heard(.ended)) == ["1 *: RECEIVER_STATUS 0: no app"])
        #expect(house.follower.handle(.heard(.ended)) == ["1 *: RECEIVER_STATUS 0: no app"])
    }

    @Test func `ends when its app does, and says so`() {
        var house = House()
        _ = house.launch()
        let stopped = house.group.machine.handle(.happened(.appCrashes), at: .zero)
        #expect(stopped.contains(.tell(.ended)))
        #expect(
            Transcript.lines(stopped) == [
                "1 *: MULTIZONE_STATUS 0: Kitchen Display 0.5, Bedroom Speaker 0.5",
                "1 *: RECEIVER_STATUS 0: no app",
            ])
    }

    @Test func `takes over what plays on its members`() {
        var house = House()
        let json = "{\"type\":\"LAUNCH\",\"requestId\":2,\"appId\":\"CC1AD845\"}"
        _ = house.follower.send(1, "A", "receiver-0", .receiver, json)
        #expect(
            house.follower.handle(.heard(.plays(sessionID: "s"))) == [
                "1 A: LAUNCH_ERROR 2 CANCELLED", "1 *: RECEIVER_STATUS 0: Group follower",
            ])
    }

    @Test func `loses a member that plays alone, and gets it back with the next app`() {
        var house = House()
        _ = house.follower.handle(.heard(.plays(sessionID: "s")))
        let json = "{\"type\":\"LAUNCH\",\"requestId\":2,\"appId\":\"CC1AD845\"}"
        let message = CastMessage(from: "A", to: "receiver-0", .receiver, text: json)
        let payload = try? JSONParser().parse(json)
        let uuid = house.follower.machine.profile.uuid
        #expect(
            house.follower.machine.handle(.received(1, message, payload: payload), at: .zero)
                .contains(.tell(.left(uuid: uuid))))
        #expect(house.group.handle(.heard(.left(uuid: uuid))) == ["1 *: DEVICE_REMOVED 0"])
        #expect(house.group.handle(.heard(.left(uuid: uuid))) == [])
        #expect(
            house.group.handle(.heard(.member(house.follower.machine.ownRecord)))
                == ["1 *: DEVICE_ADDED 0: Bedroom Speaker 0.5"])
    }

    @Test func `hears of a member's volume, and gives its own to all members`() {
        var house = House()
        let json = "{\"type\":\"SET_VOLUME\",\"requestId\":2,\"volume\":{\"level\":0.25}}"
        #expect(
            house.follower.send(1, "A", "receiver-0", .receiver, json) == [
                "1 *: RECEIVER_STATUS 2: no app", "1 *: DEVICE_UPDATED 0: Bedroom Speaker 0.25",
            ])
        #expect(
            house.group.handle(.heard(.member(house.follower.machine.ownRecord)))
                == ["1 *: DEVICE_UPDATED 0: Bedroom Speaker 0.25"])
        #expect(house.group.handle(.heard(.member(house.follower.machine.ownRecord))) == [])
        let message = CastMessage(from: "A", to: "receiver-0", .receiver, text: json)
        #expect(
            house.group.machine.handle(.received(1, message, payload: try? JSONParser().parse(json)), at: .zero)
                .contains(.tell(.level(0.25, muted: false))))
        #expect(
            house.leader.handle(.heard(.level(0.25, muted: false))) == ["1 *: RECEIVER_STATUS 0: Backdrop"])
    }

    @Test func `has up to six members that are no televisions, its leader first`() {
        let profiles = (0..<12).map { DeviceProfile(index: $0, seed: 7) }
        // Televisions stand at 0, 3, 4, 7, 9, 10 and 11.
        #expect(FleetGroups(of: profiles, count: 1).members == [[1, 2, 5, 6, 8]])
        #expect(FleetGroups(of: profiles, count: 0).members == [])
        #expect(FleetGroups(of: Array(profiles.prefix(1)), count: 1).members == [])
        let many = (0..<24).map { DeviceProfile(index: $0, seed: 7) }
        #expect(FleetGroups(of: many, count: 9).members == [[1, 2, 5, 6, 8, 13], [14, 17, 18, 20]])
    }
}
