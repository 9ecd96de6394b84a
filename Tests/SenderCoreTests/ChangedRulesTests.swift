import CastModel
import Recording
import Testing

@testable import SenderCore

@Suite("Rules that change while a link is up")
struct ChangedRulesTests {
    private func isStatusRequest(_ effect: SenderMachine.Effect) -> Bool {
        if case .send(.getReceiverStatus) = effect { true } else { false }
    }

    @Test func `an app that may not be joined any more is left at once, and the link stays`() {
        var conversation = Conversation.joined()
        #expect(conversation.machine.joinedApp != nil)
        let effects = conversation.handle(.rulesChanged(DeviceFilter(deniedApps: ["cc1ad845"]), .builtIn))
        #expect(conversation.machine.joinedApp == nil)
        #expect(effects.contains { if case .send(.leave) = $0 { true } else { false } })
        #expect(effects.last.map(isStatusRequest) == true)
        #expect(!effects.contains { if case .closeLink = $0 { true } else { false } })
        conversation.hears(apps: [Conversation.app()])
        #expect(conversation.armed[.join] == nil)
    }

    @Test(arguments: [false, true])
    func `an app that is left is not joined from now on, though it began before and had closed once`(hadClosed: Bool) {
        var conversation = Conversation.joined()
        if hadClosed {
            conversation.hears(.close, from: "web-5")
            conversation.hears(apps: [Conversation.app()])
            conversation.pass(.seconds(10))
            conversation.handle(.fired(.join))
        }
        #expect(conversation.machine.joinedApp != nil)
        conversation.pass(.seconds(60))
        conversation.handle(.rulesChanged(DeviceFilter(deniedApps: ["cc1ad845"]), .builtIn))
        let leftAt = conversation.now
        conversation.pass(.seconds(1))
        #expect(
            conversation.hears(apps: [Conversation.app()]) == [.missed(because: .notJoined, since: leftAt)])
    }

    @Test func `an app that may be joined now is joined after the next look`() {
        var conversation = Conversation.up(filter: DeviceFilter(deniedApps: ["cc1ad845"]))
        conversation.hears(apps: [Conversation.app()])
        #expect(conversation.armed[.join] == nil)
        let effects = conversation.handle(.rulesChanged(DeviceFilter(), .builtIn))
        #expect(effects.count == 1 && isStatusRequest(effects[0]))
        conversation.hears(apps: [Conversation.app()])
        #expect(conversation.armed[.join] != nil)
    }

    @Test func `a wait for an app that may not be joined any more ends`() {
        var conversation = Conversation.up()
        conversation.hears(apps: [Conversation.app()])
        #expect(conversation.armed[.join] != nil)
        conversation.handle(.rulesChanged(DeviceFilter(allowedApps: ["YouTube"]), .builtIn))
        #expect(conversation.armed[.join] == nil)
    }

    @Test func `rules about devices alone say nothing to a device that stays`() {
        var conversation = Conversation.joined()
        let effects = conversation.handle(.rulesChanged(DeviceFilter(deniedDevices: ["Lobby"]), .builtIn))
        #expect(effects == [])
        #expect(conversation.machine.joinedApp != nil)
    }
}
