public import Recording
public import Report

/// The days of a period on a zone's calendar: of 23, 24 or 25 hours.
public enum ZoneDays {
    private static let dayMicroseconds: Int64 = 86_400_000_000

    /// The days that a period touches, whole, in order.
    public static func days(from: WallTime, to: WallTime, zone: Zone) -> [(from: WallTime, to: WallTime)] {
        guard from < to else { return [] }
        var days: [(from: WallTime, to: WallTime)] = []
        var number = dayNumber(from, zone)
        var start = midnight(number, zone)
        while start < to {
            let next = midnight(number + 1, zone)
            // Clocks that are set at midnight may put the moment into the day before.
            if next > from { days.append((start, next)) }
            number += 1
            start = next
        }
        return days
    }

    /// "Sunday".
    static func weekday(_ time: WallTime, zone: Zone) -> String {
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        return names[Int(((dayNumber(time, zone) % 7) + 7) % 7)]
    }

    private static func midnight(_ number: Int64, _ zone: Zone) -> WallTime {
        zone.resolve(WallTime(microseconds: number * dayMicroseconds))
    }

    private static func dayNumber(_ time: WallTime, _ zone: Zone) -> Int64 {
        let local = time.microseconds + Int64(zone.offsetSeconds(time)) * 1_000_000
        return local >= 0 ? local / dayMicroseconds : (local + 1) / dayMicroseconds - 1
    }
}

/// The marks of a time axis.
enum HourAxis {
    /// Moments at which the zone's clocks show whole steps, each with what they show: "20:00".
    ///
    /// - Parameter limit: How many there may be; the step grows until there are no more.
    static func marks(from: WallTime, to: WallTime, zone: Zone, limit: Int = 13) -> [(at: WallTime, text: String)] {
        let steps: [Int64] = [60, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400]
        let span = (to.microseconds - from.microseconds) / 1_000_000
        let step = steps.first { span / $0 < Int64(limit) } ?? 86_400
        // All zones differ from UTC by whole quarters of an hour.
        let stride = min(step, 900)
        var second = from.microseconds / 1_000_000 / stride * stride
        var marks: [(at: WallTime, text: String)] = []
        while second * 1_000_000 <= to.microseconds, marks.count <= 2 * limit {
            let moment = WallTime(microseconds: second * 1_000_000)
            if moment >= from, (second + Int64(zone.offsetSeconds(moment))) % step == 0 {
                marks.append((moment, String(zone.timeOfDay(moment).prefix(5))))
            }
            second += stride
        }
        return marks
    }
}
