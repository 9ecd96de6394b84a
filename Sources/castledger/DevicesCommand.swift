import Arguments
import CastModel
import Discovery
import IO
import Recording
import Report
import Store
import Telemetry

/// `castledger devices`: the devices of the ledger, or with `--discover` those on the network now.
struct DevicesCommand {
    private static let discoverySeconds = 3
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func run() throws -> Int32 {
        let devices = context.arguments.has(.discover) ? try announced() : try known()
        guard !devices.isEmpty else {
            let isAsked = context.arguments.has(.discover)
            Terminal.complain([
                isAsked
                    ? "castledger: no device announced itself within \(Self.discoverySeconds) s. 'castledger doctor' says why."
                    : "castledger: no device known"
            ])
            return ExitCode.nothing
        }
        if context.arguments.has(.json) {
            for device in devices { try context.output.line(device.json) }
        } else {
            let now = WallTime(microseconds: Clock.wallMicroseconds())
            let table = DeviceListing.table(devices, now: now)
            for line in table.lines(widthColumns: Terminal.widthColumns) { try context.output.line(line) }
        }
        return ExitCode.done
    }

    private func known() throws -> [DeviceListing] {
        try Ledger.ask(context) { queries in
            try queries.devices().map { row in
                DeviceListing(
                    deviceID: row.deviceID.text, name: row.name, model: row.model, address: row.address,
                    state: Ledger.isDown(row.recorderID, context) ? "not recorded" : row.reach.rawValue,
                    lastHeardAt: row.lastHeardAt, gapReason: row.gapReason)
            }
        }
    }

    /// Listens to mDNS for a moment; connects to nothing.
    private func announced() throws -> [DeviceListing] {
        let news = try Mailbox<RosterChange>(limit: 100_000)
        let browser = ServiceBrowser(log: Terminal.log(minimum: .warning)) { change in
            // A network with more announcements than this is beyond a list.
            _ = news.post([change])
        }
        browser.start()
        let deadline = Clock.monotonicNanoseconds() + Int64(Self.discoverySeconds) * 1_000_000_000
        var roster = DeviceRoster()
        while Clock.monotonicNanoseconds() < deadline {
            for change in news.take(timeout: .milliseconds(100)) ?? [] { _ = roster.fold(change) }
        }
        browser.stop()
        let now = WallTime(microseconds: Clock.wallMicroseconds())
        return roster.devices.map { entry in
            let said = entry.advertisement
            let address = said.addresses.first.map { DeviceAddress(host: $0, port: said.port).description }
            return DeviceListing(
                deviceID: said.deviceID.text, name: said.name, model: said.model, address: address,
                state: entry.isAnnounced ? "announced" : "withdrawn", lastHeardAt: now)
        }
    }
}
