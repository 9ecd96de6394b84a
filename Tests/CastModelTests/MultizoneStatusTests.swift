import CastModel
import Testing

@Suite("A multizone status")
struct MultizoneStatusTests {
    private func status(_ fields: String) throws -> MultizoneStatus {
        let payload = try Payload(
            parsing: Array(#"{"type":"MULTIZONE_STATUS","status":{\#(fields)}}"#.utf8), with: JSONParser())
        return try #require(MultizoneStatus(in: payload))
    }

    @Test func `names members by the ids that they announce`() throws {
        let members = try status(
            #""devices":[{"deviceId":"BB198D2F-E456-6BF9-83EC-8EF263E7C09C","name":"Garden Room TV","capabilities":458757,"volume":{"level":1.0,"muted":false}}]"#
        ).members.ifPresent
        let member = try #require(members?.first)
        #expect(member.deviceID == DeviceID("bb198d2fe4566bf983ec8ef263e7c09c"))
        #expect(member.name == .value("Garden Room TV"))
        #expect(member.capabilities.ifPresent?.contains([.videoOut, .audioOut]) == true)
        #expect(member.volume.ifPresent?.level == .value(1))
    }

    @Test func `tells no list, null and an empty list apart`() throws {
        #expect(try status(#""isMultichannel":false"#).members == .absent)
        #expect(try status(#""devices":null"#).members == .null)
        #expect(try status(#""devices":[]"#).members == .value([]))
        #expect(try status(#""devices":7"#).members == .absent)
    }

    @Test func `keeps the siblings of a record that is none, and no more than 200`() throws {
        #expect(try status(#""devices":[7,null,{"deviceId":"a"}]"#).members.ifPresent?.count == 1)
        let many = Array(repeating: "{}", count: 300).joined(separator: ",")
        let read = try status("\"devices\":[\(many)]").members.ifPresent
        #expect(read?.count == 200)
        #expect(read?.first?.deviceID == nil)
    }

    @Test func `has a playback session while something plays`() throws {
        #expect(try status("").playbackSession == .absent)
        #expect(
            try status(#""playbackSession":{"isVideoContent":false}"#).playbackSession.ifPresent?.pairs.count == 1)
    }

    @Test func `is none without a status`() throws {
        let payload = try Payload(parsing: Array(#"{"type":"MULTIZONE_STATUS","status":[]}"#.utf8), with: JSONParser())
        #expect(MultizoneStatus(in: payload) == nil)
    }
}
