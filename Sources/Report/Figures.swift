/// Writes numbers as people read them, without the operating system's formatting.
public enum Figures {
    /// A position or length in media: "0:05", "12:34", "1:02:03"; whole seconds, rounded down.
    public static func position(_ seconds: Double) -> String {
        guard let whole = Int64(exactly: seconds.rounded(.down)), whole > -1_000_000_000, whole < 1_000_000_000 else {
            return "?"
        }
        guard whole >= 0 else { return "-" + position(Double(-whole)) }
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }

    /// A stretch of time: "0.4 s", "11.2 s", "3 min 5 s", "2 h 10 min", "3 d 4 h".
    public static func stretch(_ seconds: Double) -> String {
        guard let tenths = Int64(exactly: (seconds * 10).rounded()), tenths >= 0 else { return "? s" }
        guard tenths >= 600 else { return "\(tenths / 10).\(tenths % 10) s" }
        let whole = tenths / 10
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        if whole < 86_400 { return "\(whole / 3600) h \(whole / 60 % 60) min" }
        return "\(whole / 86_400) d \(whole / 3600 % 24) h"
    }

    /// A level from 0 to 1 as "40%", with one decimal where it is not whole.
    public static func percent(_ level: Double) -> String { "\(decimal(level * 100, digits: 1))%" }

    /// At most `digits` decimals, without trailing zeros: "1", "1.5", "0.75".
    public static func decimal(_ number: Double, digits: Int = 3) -> String {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        guard let scaled = Int64(exactly: (abs(number) * Double(scale)).rounded()) else { return "?" }
        let sign = number < 0 && scaled != 0 ? "-" : ""
        var fraction = String(scaled % scale)
        fraction = String(repeating: "0", count: digits - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? "\(sign)\(scaled / scale)" : "\(sign)\(scaled / scale).\(fraction)"
    }

    /// Bytes as "512 B", "1.5 KiB", "64 MiB".
    public static func bytes(_ count: Int64) -> String {
        var amount = Double(count)
        for unit in ["B", "KiB", "MiB", "GiB", "TiB"] {
            if amount < 1024 || unit == "TiB" { return "\(decimal(amount, digits: 1)) \(unit)" }
            amount /= 1024
        }
        return "?"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
