import Archive
import Arguments
import CastModel
import Recording
import Report

/// What devices are called, as one archive tells: no database is asked.
struct ArchiveNames {
    private let said: [ArchiveSearch.NameSaid]
    private var used = 0
    private var current: [DeviceID: String] = [:]

    init(_ said: [ArchiveSearch.NameSaid]) { self.said = said.sorted { $0.position < $1.position } }

    /// Takes in what was announced up to a record; give positions in order.
    mutating func advance(to position: ArchivePosition) {
        while used < said.count, said[used].position <= position {
            current[said[used].device] = said[used].name
            used += 1
        }
    }

    /// What a device is called at the position reached.
    subscript(device: DeviceID) -> String? { current[device] }

    /// Whether a person means a device, by its id or by the name that it has at the position reached.
    func isMeant(_ device: DeviceID, by wanted: String) -> Bool {
        DeviceID(wanted) == device || current[device]?.lowercased() == wanted.lowercased()
    }

    /// The devices that ever had a name, and the one with that id.
    func devices(called wanted: String) -> Set<DeviceID> {
        let name = wanted.lowercased()
        return Set(said.filter { $0.name?.lowercased() == name }.map(\.device)).union([DeviceID(wanted)])
    }

    /// A device that no archive ever saw is a mistake, not a quiet period.
    static func refuseUnknown(_ wanted: String?, _ archives: [ArchiveNames]) throws {
        guard let wanted else { return }
        let (names, devices) = archives.reduce(into: (Set<String>(), Set<DeviceID>())) { seen, archive in
            for entry in archive.said {
                if let name = entry.name { seen.0.insert(name) }
                seen.1.insert(entry.device)
            }
        }
        // Also a name that the device had once: somebody may ask for that time.
        guard !devices.contains(DeviceID(wanted)), !names.contains(where: { $0.lowercased() == wanted.lowercased() })
        else { return }
        let candidates = names.sorted() + devices.map(\.text).sorted()
        let hint = Suggestion.nearest(to: wanted, among: candidates).map { "Did you mean '\($0)'?" }
        throw CommandFailure(
            ExitCode.usage,
            "no device has the name or id '\(PlainText.neutralized(wanted))'. "
                + PlainText.neutralized(hint ?? "'castledger devices' lists all."))
    }
}
