public import CastModel

/// Which devices we look at and which receiver apps we join, as an operator wishes.
///
/// Words are compared as a whole and without regard to case. Deny wins over allow; an empty allow list allows all. A
/// device that is not admitted gets no socket at all.
public struct DeviceFilter: Sendable, Equatable {
    private let allowedDevices: Set<String>
    private let deniedDevices: Set<String>
    private let allowedApps: Set<String>
    private let deniedApps: Set<String>

    /// A filter.
    ///
    /// - Parameters:
    ///   - allowedDevices: Ids in any spelling, friendly names, or models.
    ///   - deniedDevices: The same.
    ///   - allowedApps: App ids or display names.
    ///   - deniedApps: The same.
    public init(
        allowedDevices: [String] = [], deniedDevices: [String] = [], allowedApps: [String] = [],
        deniedApps: [String] = []
    ) {
        self.allowedDevices = Self.words(allowedDevices)
        self.deniedDevices = Self.words(deniedDevices)
        self.allowedApps = Self.words(allowedApps)
        self.deniedApps = Self.words(deniedApps)
    }

    /// Whether we may open a link to this device.
    ///
    /// A device that was typed by address and has not told its name yet is judged by that address, as `host:port` or
    /// `host`.
    public func admitsDevice(_ device: DeviceID, name: String?, model: String?) -> Bool {
        let facts = [device.text, name, model].compactMap { $0?.lowercased() }
        return Self.admits(facts, allowed: allowedDevices, denied: deniedDevices) { word in
            // Words may spell the id with dashes; `DeviceID` has none.
            let spelled = DeviceID(word).text
            return spelled == device.text || device.text == "at:\(spelled)" || device.text.hasPrefix("at:\(spelled):")
        }
    }

    /// Whether only the deny list speaks against this device: for devices that a person named by address.
    public func deniesDevice(_ device: DeviceID, name: String?, model: String?) -> Bool {
        let onlyDenying = DeviceFilter(deniedDevices: Array(deniedDevices))
        return !onlyDenying.admitsDevice(device, name: name, model: model)
    }

    /// Whether we may join this receiver app.
    ///
    /// - Parameter ids: `appId`, and `universalAppId` where it differs.
    public func admitsApp(ids: [AppID], name: String?) -> Bool {
        let facts = ids.map { $0.text.lowercased() } + [name?.lowercased()].compactMap { $0 }
        return Self.admits(facts, allowed: allowedApps, denied: deniedApps) { _ in false }
    }

    /// Whether the same apps may be joined as by another filter.
    func admitsSameApps(as other: DeviceFilter) -> Bool {
        allowedApps == other.allowedApps && deniedApps == other.deniedApps
    }

    private static func words(_ list: [String]) -> Set<String> { Set(list.map { $0.lowercased() }) }

    private static func admits(
        _ facts: [String], allowed: Set<String>, denied: Set<String>, _ matches: (String) -> Bool
    ) -> Bool {
        func mentioned(in words: Set<String>) -> Bool {
            facts.contains { words.contains($0) } || words.contains(where: matches)
        }
        return !mentioned(in: denied) && (allowed.isEmpty || mentioned(in: allowed))
    }
}
