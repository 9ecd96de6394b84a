import CastModel
import Conflicts
import Fleet
import TestSupport
import Testing

// Goal: fights are found and innocent acts left alone, on what simulated phones and devices say to each other.
// Method: acts labelled by whoever acts them, fights and lookalikes at equal rates, on seeds that no threshold was chosen
// by: 51 and those after it. A few in each test run, 100 in `make fights`.
@Suite("The detector against labelled acts") struct ConflictQualityTests {
    private static let firstSeed: UInt64 = 51

    @Test func `finds 95 of 100 of each kind, and 95 of 100 that it tells are true`() {
        let seeds = max(1, OnDemand.number("CASTLEDGER_FIGHT_SEEDS") ?? 12)
        var quality = ConflictQuality()
        for seed in Self.firstSeed..<Self.firstSeed + seeds {
            quality.watch(seed: seed, devices: 2, duration: .seconds(1500))
        }
        print("labelled acts of seeds \(Self.firstSeed) to \(Self.firstSeed + seeds - 1):")
        for line in quality.lines + quality.mistakes { print(line) }
        for kind in Conflict.Kind.allCases {
            let figures = quality.figures[kind] ?? ConflictQuality.Figures()
            #expect(figures.found >= seeds, "\(kind)")
            // One of less than twenty is more than five of a hundred.
            #expect(figures.precision >= 0.95 || figures.invented == 1, "\(kind)")
            #expect(figures.recall >= 0.95 || figures.missed == 1, "\(kind)")
        }
        #expect(quality.innocentActs >= 10 * Int(seeds), "lookalikes at the rate of fights")
    }
}
