import CastModel
import CastWire
import Differ
import Recording
import Testing

private let own = "01234567-89AB-CDEF-0123-456789ABCDEF"

private func member(_ id: String, _ name: String, _ level: String) -> String {
    #"{"deviceId":"\#(id)","name":"\#(name)","capabilities":196612,"volume":{"level":\#(level),"muted":false}}"#
}

extension Replay {
    /// A multizone message from the platform: its fields as JSON, without their braces.
    fileprivate mutating func multizone(_ seconds: Double, to destination: String = "*", _ fields: String) {
        receive(seconds, from: "receiver-0", to: destination, .multizone, "{\(fields)}")
    }

    /// A MULTIZONE_STATUS that lists members.
    fileprivate mutating func list(_ seconds: Double, _ members: [String], more: String = "") {
        multizone(
            seconds,
            #""type":"MULTIZONE_STATUS","requestId":0,"status":{"devices":[\#(members.joined(separator: ","))]\#(more)}"#
        )
    }

    /// An announcement as a group.
    fileprivate mutating func announceGroup(_ seconds: Double, at address: String = "192.0.2.7", port: UInt16 = 32187) {
        add(
            seconds,
            .deviceSeen(
                DeviceAdvertisement(
                    deviceID: Replay.device, name: "Upstairs", model: "Google Cast Group", addresses: [address],
                    port: port, capabilities: [.audioOut, .multizoneGroup], txt: [], source: .mdns)))
    }
}

@Suite("The differ on groups")
struct MultizoneTests {
    @Test func `tells the first list as a snapshot, then who joins, changes and leaves`() {
        var replay = Replay()
        replay.open(0)
        replay.list(1, [member("AA-01", "Attic", "0.3"), member("aa02", "Bath", "0.5")])
        replay.multizone(2, #""type":"DEVICE_ADDED","requestId":0,"device":\#(member("aa-03", "Cellar", "0.1"))"#)
        replay.multizone(3, #""type":"DEVICE_UPDATED","requestId":0,"device":\#(member("aa-01", "Attic", "0.4"))"#)
        replay.multizone(4, #""type":"DEVICE_REMOVED","requestId":0,"deviceId":"AA-02""#)
        #expect(
            replay.lines(after: 1) == [
                #"group_member_added snapshot | is {"deviceId":"aa01","name":"Attic","capabilities":196612,"volume":{"level":0.3,"muted":false}}"#,
                #"group_member_added snapshot | is {"deviceId":"aa02","name":"Bath","capabilities":196612,"volume":{"level":0.5,"muted":false}}"#,
                #"group_member_added receiver | is {"deviceId":"aa03","name":"Cellar","capabilities":196612,"volume":{"level":0.1,"muted":false}}"#,
                #"group_member_updated receiver | was {"deviceId":"aa01","name":"Attic","capabilities":196612,"volume":{"level":0.3,"muted":false}} | is {"deviceId":"aa01","name":"Attic","capabilities":196612,"volume":{"level":0.4,"muted":false}}"#,
                #"group_member_removed receiver | was {"deviceId":"aa02","name":"Bath","capabilities":196612,"volume":{"level":0.5,"muted":false}}"#,
            ])
    }

    @Test func `tells a change once, however often and with whatever noise it is sent`() {
        var replay = Replay()
        replay.open(0)
        let before = [member("aa01", "Attic", "0.3"), member("aa02", "Bath", "0.5")]
        replay.list(1, before)
        let known = replay.records.count
        replay.list(2, before.reversed())
        replay.multizone(3, #""type":"DEVICE_UPDATED","device":\#(member("aa01", "Attic", "0.30000001192092896"))"#)
        #expect(replay.lines(after: known) == [])
        replay.multizone(4, #""type":"DEVICE_UPDATED","requestId":0,"device":\#(member("aa01", "Attic", "0.35"))"#)
        replay.list(5, [member("aa01", "Attic", "0.3499999940395355"), member("aa02", "Bath", "0.5")])
        #expect(replay.lines(after: known).map { $0.prefix { $0 != "|" } } == ["group_member_updated receiver "])
    }

    @Test func `a record that leaves a field out changes nothing of it, and null is not absent`() {
        var replay = Replay()
        replay.open(0)
        replay.list(1, [member("aa01", "Attic", "0.3"), member("aa02", "Bath", "0.5")])
        replay.multizone(2, #""type":"DEVICE_UPDATED","requestId":0,"device":{"deviceId":"aa01","name":"Loft"}"#)
        replay.multizone(3, #""type":"DEVICE_UPDATED","requestId":0,"device":{"deviceId":"aa01","volume":null}"#)
        let last = replay.lines(after: 2).map { $0.components(of: " | is ").last ?? "" }
        #expect(
            last == [
                #"{"deviceId":"aa01","name":"Loft","capabilities":196612,"volume":{"level":0.3,"muted":false}}"#,
                #"{"deviceId":"aa01","name":"Loft","capabilities":196612,"volume":null}"#,
            ])
    }

    @Test func `a lone speaker lists itself and is no group, until it leads others`() {
        var replay = Replay()
        replay.open(0)
        replay.list(1, [member(own, "Kitchen", "0.3")])
        replay.multizone(2, #""type":"DEVICE_UPDATED","requestId":0,"device":\#(member(own, "Kitchen", "0.4"))"#)
        #expect(replay.lines(after: 1) == [])
        replay.multizone(3, #""type":"DEVICE_ADDED","requestId":0,"device":\#(member("aa02", "Bath", "0.5"))"#)
        replay.multizone(4, #""type":"DEVICE_REMOVED","requestId":0,"deviceId":"aa02""#)
        #expect(
            replay.lines(after: 3) == [
                #"group_member_added receiver | is {"deviceId":"0123456789abcdef0123456789abcdef","name":"Kitchen","capabilities":196612,"volume":{"level":0.4,"muted":false}}"#,
                #"group_member_added receiver | is {"deviceId":"aa02","name":"Bath","capabilities":196612,"volume":{"level":0.5,"muted":false}}"#,
                #"group_member_removed receiver | was {"deviceId":"0123456789abcdef0123456789abcdef","name":"Kitchen","capabilities":196612,"volume":{"level":0.4,"muted":false}}"#,
                #"group_member_removed receiver | was {"deviceId":"aa02","name":"Bath","capabilities":196612,"volume":{"level":0.5,"muted":false}}"#,
            ])
    }

    @Test func `what announces itself as a group is one, with a single member too`() {
        var replay = Replay()
        replay.announceGroup(0)
        replay.open(1)
        replay.list(2, [member("aa01", "Attic", "0.3")])
        #expect(replay.lines(after: 2).map { $0.prefix { $0 != "|" } } == ["group_member_added snapshot "])
    }

    @Test func `a status without a list says nothing of the members, an empty list says that all left`() {
        var replay = Replay()
        replay.announceGroup(0)
        replay.open(1)
        replay.list(2, [member("aa01", "Attic", "0.3")])
        replay.multizone(3, #""type":"MULTIZONE_STATUS","requestId":0,"status":{"isMultichannel":false}"#)
        replay.multizone(4, #""type":"MULTIZONE_STATUS","requestId":0,"status":{"devices":null}"#)
        #expect(replay.lines(after: 3) == [])
        replay.list(5, [])
        #expect(replay.lines(after: 5).map { $0.prefix { $0 != "|" } } == ["group_member_removed receiver "])
    }

    @Test func `after a gap the same list is no event, and another one is a snapshot`() {
        var replay = Replay()
        replay.open(0)
        let two = [member("aa01", "Attic", "0.3"), member("aa02", "Bath", "0.5")]
        replay.list(1, two)
        replay.close(9, .silent)
        replay.open(20, link: 2)
        var changed = replay
        let known = replay.records.count
        replay.list(21, two)
        #expect(replay.lines(after: known) == [])
        changed.list(21, [two[0], member("aa03", "Cellar", "0.1")])
        #expect(
            changed.lines(after: known).map { $0.prefix { $0 != "|" } } == [
                "group_member_removed snapshot ", "group_member_added snapshot ",
            ])
    }

    @Test func `a member heard of before any list is told by what it says, nothing more`() {
        var replay = Replay()
        replay.open(0)
        replay.multizone(1, #""type":"DEVICE_UPDATED","requestId":0,"device":\#(member("aa01", "Attic", "0.3"))"#)
        replay.multizone(2, #""type":"DEVICE_REMOVED","requestId":0,"deviceId":"aa02""#)
        #expect(
            replay.lines(after: 1) == [
                #"group_member_updated receiver | is {"deviceId":"aa01","name":"Attic","capabilities":196612,"volume":{"level":0.3,"muted":false}}"#,
                #"group_member_removed receiver | was {"deviceId":"aa02"}"#,
            ])
    }

    @Test func `the answer to our own question is a snapshot, whenever it comes`() {
        var replay = Replay()
        replay.open(0)
        replay.list(1, [member("aa01", "Attic", "0.3"), member("aa02", "Bath", "0.5")])
        replay.ask(2, 77, .multizone)
        replay.multizone(
            3, to: "sender-0",
            #""type":"MULTIZONE_STATUS","requestId":77,"status":{"devices":[\#(member("aa01", "Attic", "0.9")),\#(member("aa02", "Bath", "0.5"))]}"#
        )
        #expect(replay.lines(after: 3).map { $0.prefix { $0 != "|" } } == ["group_member_updated snapshot "])
    }

    @Test func `a playback session is there or not, within a status`() {
        var replay = Replay()
        replay.open(0)
        let session = #","playbackSession":{"appAllowsGrouping":true,"isVideoContent":false}"#
        replay.list(1, [member(own, "Kitchen", "0.3")])
        replay.list(2, [member(own, "Kitchen", "0.3")], more: session)
        replay.list(3, [member(own, "Kitchen", "0.3")], more: session)
        replay.list(4, [member(own, "Kitchen", "0.3")])
        #expect(
            replay.lines(after: 1) == [
                #"playback_session_changed receiver | is {"appAllowsGrouping":true,"isVideoContent":false}"#,
                #"playback_session_changed receiver | was {"appAllowsGrouping":true,"isVideoContent":false}"#,
            ])
    }

    @Test func `of a playback session and a volume only known fields count`() {
        var replay = Replay()
        replay.open(0)
        for (second, noise) in [(1.0, "1"), (2.0, "2")] {
            let speaker =
                #"{"deviceId":"aa01","name":"Attic","volume":{"level":0.3,"muted":false,"stepInterval":\#(noise)}}"#
            replay.list(
                second, [speaker, member("aa02", "Bath", "0.5")],
                more: #","playbackSession":{"isVideoContent":true,"other":\#(noise)}"#)
        }
        #expect(
            replay.lines(after: 1) == [
                #"group_member_added snapshot | is {"deviceId":"aa01","name":"Attic","volume":{"level":0.3,"muted":false}}"#,
                #"group_member_added snapshot | is {"deviceId":"aa02","name":"Bath","capabilities":196612,"volume":{"level":0.5,"muted":false}}"#,
                #"playback_session_changed snapshot | is {"isVideoContent":true}"#,
            ])
    }

    @Test func `keeps 64 members, and passes over records that are none`() {
        var replay = Replay()
        replay.open(0)
        let many = (0..<100).map { member("bb\($0)", "Speaker \($0)", "0.1") }
        replay.list(1, ["7", #"{"name":"nobody"}"#] + many)
        #expect(replay.lines(after: 1).count == 64)
        replay.multizone(2, #""type":"DEVICE_ADDED","device":\#(member("cc", "One more", "0.1"))"#)
        #expect(replay.lines(after: 2) == [])
    }

    @Test func `messages whose shape nobody documented are apps' own messages`() {
        var replay = Replay()
        replay.open(0)
        replay.multizone(1, #""type":"PLAYBACK_SESSION_UPDATED","requestId":0,"x":1"#)
        replay.multizone(2, #""type":"CASTING_GROUPS","groups":[]"#)
        #expect(
            replay.lines(after: 1).map { $0.prefix { $0 != "|" } } == [
                "custom_message receiver ", "custom_message unknown ",
            ])
    }

    @Test func `a leader that moves is another address of the same group`() {
        var replay = Replay()
        replay.announceGroup(0)
        replay.announceGroup(60, at: "192.0.2.9", port: 32187)
        #expect(
            replay.lines(after: 1) == [
                #"address_changed unknown | was {"address":"192.0.2.7","addresses":["192.0.2.7"],"port":32187} | is {"address":"192.0.2.9","addresses":["192.0.2.9"],"port":32187}"#
            ])
    }
}

extension String {
    fileprivate func components(of separator: String) -> [String] { split(separator: separator).map(String.init) }
}
