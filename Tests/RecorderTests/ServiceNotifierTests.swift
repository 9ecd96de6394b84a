import Testing

@testable import Recorder

@Suite("Signs of life")
struct LifeSignTests {
    @Test func `a thread hangs when it has been silent for longer than a healthy one can be`() {
        let second: Int64 = 1_000_000_000
        let signs = [
            LifeSign(thread: "cast-loop", at: 100 * second, limit: .seconds(30)),
            LifeSign(thread: "archive", at: 120 * second, limit: .seconds(30)),
            LifeSign(thread: "project", at: 0, limit: .seconds(300)),
        ]
        #expect(LifeSign.hung(signs, now: 130 * second) == [])
        #expect(LifeSign.hung(signs, now: 130 * second + 1) == ["cast-loop"])
        #expect(LifeSign.hung(signs, now: 151 * second) == ["cast-loop", "archive"])
        #expect(LifeSign.hung(signs, now: 301 * second) == ["cast-loop", "archive", "project"])
    }
}
