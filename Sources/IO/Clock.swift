import Glibc

/// The two clocks, and which boot the monotonic one belongs to.
public enum Clock {
    /// Nanoseconds that never jump and go on during suspend (CLOCK_BOOTTIME).
    public static func monotonicNanoseconds() -> Int64 { nanoseconds(CLOCK_BOOTTIME) }

    /// Microseconds since 1970, as the machine believes.
    public static func wallMicroseconds() -> Int64 { nanoseconds(CLOCK_REALTIME) / 1000 }

    /// Microseconds that stand still during suspend (CLOCK_MONOTONIC): the clock of service managers.
    public static func serviceManagerMicroseconds() -> Int64 { nanoseconds(CLOCK_MONOTONIC) / 1000 }

    /// Nanoseconds of this boot in which the machine was suspended (CLOCK_BOOTTIME without CLOCK_MONOTONIC).
    ///
    /// Exact to the microseconds that pass between reading the two.
    public static func suspendedNanoseconds() -> Int64 {
        let awake = nanoseconds(CLOCK_MONOTONIC)
        return nanoseconds(CLOCK_BOOTTIME) - awake
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Whether an NTP daemon keeps the wall clock right, by the kernel's word; nil when it cannot be asked.
    public static func isSynchronized() -> Bool? {
        let answer = Linux.clockIsSynchronized()
        return answer < 0 ? nil : answer == 1
    }

    /// The kernel's id of this boot, a UUID; all zero where /proc is missing.
    public static func bootID() -> String {
        let nobody = "00000000-0000-0000-0000-000000000000"
        guard let bytes = try? Files.read("/proc/sys/kernel/random/boot_id", limitBytes: 64) else { return nobody }
        let id = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return id.utf8.count == nobody.utf8.count ? id : nobody
    }
}
