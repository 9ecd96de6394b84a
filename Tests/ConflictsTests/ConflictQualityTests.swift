import CastModel
import Conflicts
import Fleet
import Testing

// Goal: fights are found and innocent acts left alone, on what simulated phones and devices say to each other.
// Method: acts labelled by whoever acts them, fights and lookalikes at equal rates, on seeds that no threshold was chosen by.
@Suite("The detector against labelled acts") struct ConflictQualityTests {
    @Test func `finds 95 of 100 of each kind, and 95 of 100 that it tells are true`() {
        var quality = ConflictQuality()
        for seed in UInt64(51)...150 { quality.watch(seed: seed, devices: 2, duration: .seconds(1500)) }
        for line in quality.lines { print(line) }
        let innocent = quality.acts.filter { !$0.key.isFight }.map(\.value).reduce(0, +)
        print("\(innocent) innocent acts of \(quality.acts.keys.filter { !$0.isFight }.count) kinds")
        for line in quality.mistakes.prefix(60) { print(line) }
        for kind in Conflict.Kind.allCases {
            let figures = quality.figures[kind] ?? ConflictQuality.Figures()
            #expect(figures.found >= 50, "\(kind)")
            #expect(figures.precision >= 0.95, "\(kind)")
            #expect(figures.recall >= 0.95, "\(kind)")
        }
    }
}
