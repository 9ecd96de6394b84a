import Archive
import Discovery
import Recording
import SenderCore
import Testing

@testable import Recorder

@Suite("Settings that change")
struct ConfigurationChangeTests {
    private func configuration(_ change: (inout Configuration) -> Void = { _ in }) -> Configuration {
        var configuration = Configuration(
            data: DataFolder("/d"), devices: [DeviceAddress(host: "192.0.2.1", port: 8009)], site: "Hall",
            version: "1")
        change(&configuration)
        return configuration
    }

    @Test func `that are the same change nothing`() {
        let change = ConfigurationChange(from: configuration(), to: configuration())
        #expect(change.changed == [])
        #expect(change.afterRestart == [])
        #expect(change.devicesRemoved == [])
    }

    @Test func `hold at once where that is possible`() {
        let newer = configuration {
            $0.devices = [DeviceAddress(host: "192.0.2.2", port: 8009)]
            $0.site = "Attic"
            $0.filter = DeviceFilter(deniedDevices: ["Lobby"])
            $0.pruning = PruningRule(age: .seconds(86_400), bytes: nil, freePercent: nil)
        }
        let change = ConfigurationChange(from: configuration(), to: newer)
        #expect(change.changed == ["device", "site", "allow and deny", "keep"])
        #expect(change.afterRestart == [])
        #expect(change.devicesRemoved == [DeviceAddress(host: "192.0.2.1", port: 8009)])
        #expect(change.settled.devices == newer.devices)
        #expect(change.settled.filter == newer.filter)
    }

    @Test func `wait for the next start where it is not, and are named`() {
        let newer = configuration {
            $0.data = DataFolder("/elsewhere")
            $0.databaseURL = "postgresql://db/x"
            $0.discovers = false
            $0.attachMode = .platform
            $0.redaction = [.titles]
        }
        let change = ConfigurationChange(from: configuration(), to: newer)
        #expect(change.afterRestart == ["data", "database", "no-discovery", "attach", "redact"])
        #expect(change.changed == [])
        #expect(change.settled.data == DataFolder("/d"))
        #expect(change.settled.databaseURL == nil)
        #expect(change.settled.discovers)
        #expect(change.settled.attachMode == .invisible)
        #expect(change.settled.redaction == [])
    }
}
