import CastModel
import Testing

@testable import Fleet

// Goal: the evening shows what people do to each other's devices, so that a demo has something to tell of.
// Method: the first act of each kind of device, deed by deed; no machine runs.
@Suite("An evening at home")
struct EveningTests {
    private func firstAct(of profile: DeviceProfile) -> [ScenarioStep.Deed] {
        var script = DeviceScript(.evening, for: profile, seed: 7)
        return (0..<40).compactMap { _ in script.next()?.deed }
    }

    private func commands(_ deeds: [ScenarioStep.Deed]) -> [String] {
        deeds.compactMap { deed in
            guard case .phone(_, .command(let type, _)) = deed else { return nil }
            return type
        }
    }

    @Test func `has a film with an ad break, and two people who want different subtitles`() {
        let deeds = firstAct(of: DeviceProfile(index: 0, seed: 7))
        let media = deeds.compactMap { deed -> JSONObject? in
            guard case .phone(0, .load(let media, _)) = deed else { return nil }
            return media
        }
        #expect(media.first?["breaks"]?.array?.count == 1)
        let who = deeds.compactMap { deed -> Int? in
            switch deed {
            case .phone(let number, .tracks), .phone(let number, .style): number
            case .phone, .room, .power, .mark, .nextDevice: nil
            }
        }
        // Three choices of the first phone alone, then four of tracks and four of style in turn, then one more.
        #expect(who.prefix(12) == [0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0])
    }

    @Test func `has a clip with an ad that only customData tells of`() {
        let deeds = firstAct(of: DeviceProfile(index: 1, seed: 7))
        #expect(deeds.contains(.room(.advertises(skippableAfter: .seconds(1), goingOnFor: .seconds(1)))))
    }

    @Test func `has a queue that is changed while it plays`() {
        let types = commands(firstAct(of: DeviceProfile(index: 2, seed: 7)))
        #expect(
            types.prefix(5) == ["QUEUE_INSERT", "QUEUE_UPDATE", "QUEUE_SHUFFLE", "QUEUE_REMOVE", "QUEUE_PREV"])
    }

    @Test func `has music in the whole house, once the first acts have begun`() {
        let group = DeviceProfile.group(0, after: 3, seed: 7)
        #expect(group.name == "Whole House")
        #expect(group.model == "Google Cast Group")
        #expect(group.capabilities.rawValue & 32 != 0)
        var script = DeviceScript(.evening, for: group, seed: 7)
        let steps = (0..<2).compactMap { _ in script.next() }
        #expect(steps.map(\.deed) == [.phone(0, .connect), .phone(0, .launch(AppID("CC32E753")))])
        #expect(steps.first.map { $0.delay >= .seconds(20) } == true)
    }
}
