import Recording
import Testing

@testable import Exports

@Suite("The word on how far an export is") struct ExportProgressTests {
    private static let second: Int64 = 1_000_000_000

    @Test func `comes after two seconds, and at most twice a second`() {
        var progress = ExportProgress(from: SampleLedger.at(0), to: SampleLedger.at(60), now: 5 * Self.second)
        func word(_ seconds: Double) -> String? {
            progress.word(
                rows: 512, bytes: 2048, moment: SampleLedger.at(30), now: Int64((5 + seconds) * Double(Self.second)))
        }
        let times = [0, 1, 2, 2.001, 2.4, 2.501, 2.502, 3.003, 9]
        #expect(times.filter { word($0) != nil } == [2.001, 2.502, 3.003, 9])
    }

    @Test func `tells the share of the period, and none without one`() {
        for (to, share) in [(60.0, ", 50%"), (30, ", 100%"), (20, ", 100%"), (-5, "")] {
            var progress = ExportProgress(from: SampleLedger.at(0), to: SampleLedger.at(to), now: 0)
            let word = progress.word(rows: 512, bytes: 2048, moment: SampleLedger.at(30), now: 3 * Self.second)
            #expect(word == "512 rows, 2 KiB, at 2026-03-01T20:30\(share)", "\(to)")
        }
    }
}
