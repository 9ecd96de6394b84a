/// How long to wait before the next attempt to reach a device (PROTOCOL 7.3).
///
/// 1, 2, 5, 15, 30, then 60 s, and 10 min from the tenth failure on; each varied by up to half, so that a
/// hundred devices that come back together are not asked together. There is no last attempt.
public struct Backoff: Sendable, Equatable {
    /// Attempts and links that failed since the last healthy link.
    public private(set) var failures = 0

    /// From so many failures on, the device counts as gone until it announces itself.
    public static let patientFromFailures = 10
    static let steps: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30), .seconds(60)]
    static let patientStep = Duration.seconds(600)
    /// A link that lived so long was healthy.
    public static let healthyAfter = Duration.seconds(300)

    /// A device that has not failed yet.
    public init() {}

    /// Whether only a new announcement or ten minutes bring the next attempt.
    public var isPatient: Bool { failures >= Self.patientFromFailures }

    /// Counts a failure, and says how long to wait: the step of that failure, times 0.5 to 1.5.
    public mutating func delayAfterFailure(using generator: inout SeededGenerator) -> Duration {
        let step = failures + 1 >= Self.patientFromFailures ? Self.patientStep : Self.steps[min(failures, 5)]
        failures = min(failures + 1, 1_000_000)
        return step / 2 + generator.delay(upTo: step)
    }

    /// Forgets all failures.
    public mutating func reset() { failures = 0 }
}
