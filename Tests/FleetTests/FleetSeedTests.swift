import CastModel
import Testing

@testable import Fleet

@Suite("A fleet's seed")
struct FleetSeedTests {
    private func steps(_ scenario: FleetScenario, seed: FleetSeed, device: Int, count: Int = 300) -> [ScenarioStep] {
        var script = DeviceScript(scenario, for: DeviceProfile(index: device, seed: seed), seed: seed)
        return (0..<count).compactMap { _ in script.next() }
    }

    @Test(arguments: FleetScenario.allCases)
    func `decides what happens, step by step`(scenario: FleetScenario) {
        for device in 0..<6 {
            #expect(steps(scenario, seed: 5, device: device) == steps(scenario, seed: 5, device: device))
        }
        // Of four devices of 'fights', the last one waits for what comes from others.
        #expect(steps(.fights, seed: 5, device: 3).isEmpty)
        #expect(steps(scenario, seed: 5, device: 0).count == (scenario == .idle ? 0 : 300))
    }

    @Test(arguments: [FleetScenario.evening, .twoPhones, .fights, .days, .chatter])
    func `another one makes another day`(scenario: FleetScenario) {
        #expect(steps(scenario, seed: 5, device: 0) != steps(scenario, seed: 6, device: 0))
    }

    @Test func `decides ids and names, all different`() {
        let profiles = (0..<1000).map { DeviceProfile(index: $0, seed: 1) }
        #expect(profiles == (0..<1000).map { DeviceProfile(index: $0, seed: 1) })
        #expect(Set(profiles.map(\.deviceID)).count == 1000)
        #expect(Set(profiles.map(\.name)).count == 1000)
        #expect(profiles.prefix(3).map(\.name) == ["Living Room TV", "Kitchen Display", "Bedroom Speaker"])
        #expect(profiles.allSatisfy { $0.deviceID.text.utf8.count == 32 })
    }

    // SplitMix64 of the reference implementation (Vigna, splitmix64.c), seed 1234567.
    @Test func `numbers are those of SplitMix64`() {
        var random = RandomSource(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }

    @Test func `something happens on every device within ten seconds, and again every few`() {
        for device in 0..<12 {
            var sinceStart: Duration = .zero
            for (number, step) in steps(.evening, seed: 1, device: device, count: 200).enumerated() {
                sinceStart += step.delay
                #expect(step.delay <= .seconds(12), "device \(device), step \(number)")
                if number == 2 { #expect(sinceStart < .seconds(3)) }
            }
        }
    }
}
