import CastModel
import IO

/// What a running recorder knows of its links and no record tells, as it was found lately.
final class LinkFacts: Sendable {
    /// A page that is open asks every few seconds, perhaps several at once; the recorder's loop is asked less often.
    private static let freshNanoseconds: Int64 = 1_000_000_000

    private let health: @Sendable () -> JSONValue?
    private let found = Guarded<(at: Int64, roundTrips: [String: JSONValue])?>(nil)

    /// - Parameter health: How the recorder is; nil when there is none.
    init(_ health: @escaping @Sendable () -> JSONValue?) { self.health = health }

    /// By device, how long it took to answer our last PING, in seconds; those that did not answer are not there.
    func roundTrips() -> [String: JSONValue] {
        let now = Clock.monotonicNanoseconds()
        if let known = found.withLock({ $0 }), now - known.at < Self.freshNanoseconds { return known.roundTrips }
        var trips: [String: JSONValue] = [:]
        for device in health()?["device_list"]?.array ?? [] {
            guard let id = device["device_id"]?.string, let trip = device["round_trip_seconds"], trip != .null else {
                continue
            }
            trips[id] = trip
        }
        found.withLock { $0 = (Clock.monotonicNanoseconds(), trips) }
        return trips
    }
}
