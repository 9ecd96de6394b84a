import CastModel
import IO
import Telemetry
import Testing

@testable import Discovery

/// Answers lookups from a script, and collects what is told.
private final class Script: Sendable {
    struct NoSuchHost: Error, CustomStringConvertible { let description = "Name or service not known" }

    let answers = Guarded<[String: [[String]?]]>([:])
    let log = Guarded<[String]>([])
    let told: Mailbox<RosterChange>
    private let lookups: Mailbox<String>

    init(_ answers: [String: [[String]?]]) throws {
        lookups = try Mailbox(limit: 100)
        told = try Mailbox(limit: 100)
        self.answers.withLock { $0 = answers }
    }

    /// False when nothing was looked up for ten seconds.
    func waitForLookup() -> Bool { lookups.take(timeout: .seconds(10))?.isEmpty == false }

    func lookUp(_ host: String) throws -> [String] {
        defer { _ = lookups.post([host]) }
        let answer = answers.withLock { answers -> [String]? in
            guard let first = answers[host]?.first else { return nil }
            if answers[host, default: []].count > 1 { answers[host]?.removeFirst() }
            return first
        }
        guard let answer else { throw NoSuchHost() }
        return answer
    }

    func devices(_ addresses: [DeviceAddress]) throws -> StaticDevices {
        try StaticDevices(
            addresses, log: Log { _, line in self.log.withLock { $0.append(line) } }, lookUp: lookUp,
            onChange: { _ = self.told.post([$0]) })
    }

    /// The next `count` changes as "host:port addresses".
    func next(_ count: Int) -> [String] {
        var changes: [String] = []
        while changes.count < count {
            guard let batch = told.take(timeout: .seconds(10)), !batch.isEmpty else { return changes }
            changes += batch.map { change in
                guard case .seen(let advertisement) = change else { return "withdrawn" }
                return "\(advertisement.deviceID) \(advertisement.addresses.joined(separator: ","))"
            }
        }
        return changes
    }
}

@Suite("Devices given by a person", .timeLimit(.minutes(1)))
struct StaticDevicesTests {
    @Test func `are told once each, with all their addresses`() throws {
        let script = try Script(["tv": [["192.0.2.7", "2001:db8::7"]], "192.0.2.9": [["192.0.2.9"]]])
        let devices = try script.devices([
            DeviceAddress(host: "tv"), DeviceAddress(host: "192.0.2.9", port: 8010), DeviceAddress(host: "tv"),
        ])
        devices.start()
        #expect(script.next(2) == ["at:tv:8009 192.0.2.7,2001:db8::7", "at:192.0.2.9:8010 192.0.2.9"])
        devices.stop()
        #expect(script.told.take(timeout: .zero) == [])
    }

    @Test func `are told again when they move, not when the resolver turns its answer round`() throws {
        let script = try Script(["tv": [["192.0.2.7", "192.0.2.8"], ["192.0.2.8", "192.0.2.7"], ["192.0.2.9"]]])
        let devices = try script.devices([DeviceAddress(host: "tv")])
        devices.start()
        #expect(script.next(1) == ["at:tv:8009 192.0.2.7,192.0.2.8"])
        #expect(script.waitForLookup())
        devices.refresh()
        #expect(script.waitForLookup())
        devices.refresh()
        #expect(script.next(1) == ["at:tv:8009 192.0.2.9"])
        devices.stop()
    }

    @Test func `are told without an address while their name is unknown, and logged once`() throws {
        let script = try Script(["tv": [nil, nil, ["192.0.2.7"]]])
        let devices = try script.devices([DeviceAddress(host: "tv")])
        devices.start()
        #expect(script.next(1) == ["at:tv:8009 "])
        devices.stop()
        let lines = script.log.withLock { $0 }
        #expect(
            lines == [
                #"level=warning msg="host name not found; it is looked up again every minute" address=tv:8009 "#
                    + #"reason="Name or service not known""#
            ])
    }

    @Test func `with a numeric address need no resolver`() throws {
        #expect(try HostNames.addresses(of: "192.0.2.7") == ["192.0.2.7"])
        #expect(try HostNames.addresses(of: "2001:db8::7") == ["2001:db8::7"])
    }

    @Test func `that nobody gave start no thread`() throws {
        let script = try Script([:])
        let devices = try script.devices([])
        devices.start()
        devices.stop()
        #expect(script.told.take(timeout: .zero) == [])
    }

    @Test func `that are removed while their name is looked up are not told of after that`() throws {
        let (tv, other) = (DeviceAddress(host: "tv"), DeviceAddress(host: "other"))
        let script = try Script(["other": [["192.0.2.8"]]])
        let holder = Guarded<StaticDevices?>(nil)
        let devices = try StaticDevices(
            [tv, other], log: .silent,
            lookUp: { host in
                guard host == "tv" else { return try script.lookUp(host) }
                holder.withLock { $0 }?.change(to: [other]) {
                    _ = script.told.post([.withdrawn(.unidentified(host: "tv", port: 8009))])
                }
                return ["192.0.2.7"]
            }, onChange: { _ = script.told.post([$0]) })
        holder.withLock { $0 = devices }
        devices.start()
        #expect(script.next(2) == ["withdrawn", "at:other:8009 192.0.2.8"])
        #expect(script.waitForLookup())
        devices.stop()
        #expect(script.told.take(timeout: .zero) == [])
        holder.withLock { $0 = nil }
    }

    @Test func `that are removed and typed again in one breath are told of again`() throws {
        let script = try Script(["a": [["192.0.2.1"]], "b": [["192.0.2.2"]]])
        let (a, b) = (DeviceAddress(host: "a"), DeviceAddress(host: "b"))
        let inLookup = Guarded<StaticDevices?>(nil)
        let devices = try StaticDevices(
            [a, b], log: .silent,
            lookUp: { host in
                if host == "b", let devices = inLookup.withLock({ $0.take() }) {
                    devices.change(to: [b])
                    devices.change(to: [a, b])
                }
                return try script.lookUp(host)
            }, onChange: { _ = script.told.post([$0]) })
        inLookup.withLock { $0 = devices }
        devices.start()
        #expect(script.next(3) == ["at:a:8009 192.0.2.1", "at:b:8009 192.0.2.2", "at:a:8009 192.0.2.1"])
        devices.stop()
    }

    @Test func `that are typed later are told of, those from before not again, unless that is wanted`() throws {
        let script = try Script(["a": [["192.0.2.1"]], "b": [["192.0.2.2"]], "c": [["192.0.2.3"]]])
        let (a, b, c) = (
            DeviceAddress(host: "a", port: 8009), DeviceAddress(host: "b", port: 8009),
            DeviceAddress(host: "c", port: 8009)
        )
        let devices = try script.devices([a, b])
        devices.start()
        defer { devices.stop() }
        #expect(script.next(2) == ["at:a:8009 192.0.2.1", "at:b:8009 192.0.2.2"])
        devices.change(to: [b, c])
        #expect(script.next(1) == ["at:c:8009 192.0.2.3"])
        devices.change(to: [a, b, c])
        #expect(script.next(1) == ["at:a:8009 192.0.2.1"], "forgotten and typed again")
        devices.change(to: [b], tellingAgain: true)
        #expect(script.next(1) == ["at:b:8009 192.0.2.2"])
    }
}
