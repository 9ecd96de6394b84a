import Report
import Testing

@testable import Telemetry

// Goal: what steers a terminal or turns a text around is kept from people by two targets that may not import each other.
// Method: every Unicode scalar there is, in texts of 64, through both.
@Suite("A harmful scalar")
struct HarmfulScalarTests {
    @Test func `is the same one to the log and to what people read`() {
        var refused: [UInt32] = []
        for first in stride(from: 0 as UInt32, through: 0x10FFC0, by: 64) {
            let scalars = (first..<first + 64).compactMap { Unicode.Scalar($0) }
            let text = scalars.reduce(into: String.UnicodeScalarView()) { $0.append($1) }
            let logged = Set(Log.quoted(String(text)).unicodeScalars)
            let shown = Set(PlainText.neutralized(String(text)).unicodeScalars)
            for scalar in scalars where logged.contains(scalar) != shown.contains(scalar) {
                Issue.record("U+\(String(scalar.value, radix: 16)) is kept by one of the two")
            }
            refused += scalars.filter { !shown.contains($0) }.map(\.value)
        }
        // 32 controls, DEL and 32 more; 061C, 200B, 200E, 200F; 2028 to 202E; 2060 to 206F; FEFF.
        #expect(refused.count == 32 + 33 + 4 + 7 + 16 + 1)
    }
}
