import Testing

@testable import Recorder

@Suite("What is watched over time")
struct VitalsTests {
    @Test func `the lag is the age of the oldest record that the database does not know`() {
        var lag = ProjectionLag()
        lag.take(durable: 10, applied: nil, at: 1)
        lag.take(durable: 20, applied: nil, at: 2)
        lag.take(durable: 30, applied: nil, at: 3)
        #expect(lag.seconds(at: 7) == 6, "record 10 has waited since 1")
        lag.take(durable: 30, applied: 10, at: 8)
        #expect(lag.seconds(at: 8) == 6, "record 20 has waited since 2")
        lag.take(durable: 30, applied: 29, at: 9)
        #expect(lag.seconds(at: 9) == 6, "record 30 has waited since 3")
        lag.take(durable: 30, applied: 30, at: 10)
        #expect(lag.seconds(at: 10) == 0)
        lag.take(durable: 31, applied: 30, at: 20)
        #expect(lag.seconds(at: 25) == 5)
    }

    @Test func `a database that is away for days costs no memory, and the oldest record is not forgotten`() {
        var lag = ProjectionLag()
        for second in 0..<200_000 { lag.take(durable: Int64(second + 1), applied: nil, at: Double(second)) }
        #expect(lag.seconds(at: 200_000) == 200_000)
    }

    @Test func `frames lost count for an hour`() {
        var losses = RecentCount(stretchSeconds: 3600)
        losses.take(0, at: 0)
        losses.take(5, at: 60)
        #expect(losses.lately == 5)
        for minute in 2...60 { losses.take(5, at: Double(minute) * 60) }
        #expect(losses.lately == 5, "they were lost 59 minutes ago")
        for minute in 61...62 { losses.take(5, at: Double(minute) * 60) }
        #expect(losses.lately == 0, "they were lost 61 minutes ago")
    }

    @Test func `a volume is full when its room is used up at the rate of the last hour`() {
        var volume = VolumeForecast()
        volume.take(freeBytes: 1_000_000, at: 0)
        volume.take(freeBytes: 999_000, at: 21_000)
        #expect(volume.daysUntilFull == nil, "less than six hours tell nothing")
        volume.take(freeBytes: 990_000, at: 25_000)
        // 10,000 bytes in 25,000 s: 990,000 last 2,475,000 s.
        #expect(volume.daysUntilFull == 2_475_000.0 / 86_400)
        for quarter in 28...140 { volume.take(freeBytes: 990_000, at: Double(quarter) * 900) }
        #expect(volume.daysUntilFull == nil, "nothing was written for a day")
        volume.take(freeBytes: 2_000_000, at: 130_000)
        #expect(volume.daysUntilFull == nil, "somebody made room")
    }

    @Test func `stretches without a link or with a disk that refuses are measured from the first look`() {
        var vitals = Vitals()
        func look(_ isStalled: Bool, _ hasLink: Bool) -> Vitals.Look {
            Vitals.Look(
                durable: 0, applied: nil, framesLost: 0, isStalled: isStalled, hasLink: hasLink, freeBytes: nil)
        }
        vitals.take(look(false, true), at: 1)
        #expect(vitals.noLinkSeconds(at: 2) == nil)
        #expect(vitals.stalledSeconds(at: 2) == nil)
        vitals.take(look(true, false), at: 3)
        vitals.take(look(true, false), at: 10)
        #expect(vitals.noLinkSeconds(at: 13) == 10)
        #expect(vitals.stalledSeconds(at: 13) == 10)
        vitals.take(look(false, true), at: 14)
        #expect(vitals.noLinkSeconds(at: 14) == nil)
        #expect(vitals.stalledSeconds(at: 14) == nil)
    }
}
