import CastModel
import Recording
import Testing

@testable import Report

// Goal: growth and forecast are those of days that are over, and checks survive being written down.
// Method: sizes of days that can be added up in the head.
@Suite("What an archive takes") struct ArchiveStorageTests {
    private static func day(_ number: Int64) -> CalendarDay { CalendarDay(number: 20_513 + number) }

    private static func storage(_ sizes: [Int64], today: Int64, free: Int64? = 1_000_000) -> ArchiveStorage {
        ArchiveStorage(
            days: sizes.enumerated().map { .init(day(Int64($0)), bytes: $1) }, today: day(today), freeBytes: free,
            check: nil)
    }

    @Test func `grows by the mean of the last seven days that are over`() {
        // 2026-03-01 is day 20513. Today is the ninth day: the first and today's do not count.
        let storage = Self.storage([9_999, 100, 200, 300, 400, 500, 600, 700, 5], today: 8)
        #expect(storage.bytes == 12_804)
        #expect(storage.bytesPerDay == 400)
        #expect(storage.daysUntilFull == 2500)
        #expect(
            storage.summary == [
                "storage    12.5 KiB archived on 9 days, 400 B a day, room for 2500 days of it",
                "verified   never noted: castledger archive verify",
            ])
        #expect(storage.object["archive_bytes_per_day"] == 400)
        #expect(storage.object["archive_days"]?.array?.first?.text == #"{"day":"2026-03-01","bytes":9999}"#)
        #expect(storage.object["last_verify"] == .null)
    }

    @Test func `tells no rate before a day is over, and no forecast where nothing grows or the room is not known`() {
        #expect(Self.storage([700], today: 0).bytesPerDay == nil)
        #expect(Self.storage([700], today: 0).object["archive_days_until_full"] == .null)
        #expect(Self.storage([0, 0, 5], today: 2).daysUntilFull == nil)
        #expect(Self.storage([700, 5], today: 1, free: nil).daysUntilFull == nil)
        #expect(
            Self.storage([700], today: 0).summary.first == "storage    700 B archived on 1 day", "one day is no days")
        // After a pause, the last day that is over counts, however long ago.
        #expect(Self.storage([700], today: 90).bytesPerDay == 700)
        #expect(Self.storage(Array(repeating: 1, count: 60), today: 60).object["archive_days"]?.array?.count == 31)
    }

    @Test func `has the last check, whole or damaged`() {
        let at = WallTime(microseconds: 1_772_395_200_000_000)
        let whole = ArchiveCheck(at: at, isIntact: true, records: 812, lastPosition: 812, damageCount: 0)
        #expect(whole.words == "intact on 2026-03-01 at 20:00 UTC, up to record 812")
        let damaged = ArchiveCheck(at: at, isIntact: false, records: 700, lastPosition: nil, damageCount: 3)
        #expect(damaged.words == "DAMAGED in 3 places on 2026-03-01 at 20:00 UTC")
        for check in [whole, damaged] { #expect(ArchiveCheck(check.json) == check) }
        for broken: JSONValue in [
            .null, [], [:], ["at": "yesterday", "intact": true, "records": 1, "damage_count": 0],
        ] {
            #expect(ArchiveCheck(broken) == nil)
        }
        var storage = Self.storage([700], today: 0)
        storage.check = damaged
        #expect(storage.object["last_verify"]?["intact"] == false)
    }
}
