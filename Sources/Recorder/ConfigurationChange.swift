import Discovery

/// What other settings mean for a recorder that runs.
///
/// Pure.
struct ConfigurationChange {
    /// The settings that hold from now on: the new ones, as far as they can change now.
    let settled: Configuration
    /// The options whose new value holds after the next start only, as the settings file spells them.
    let afterRestart: [String]
    /// What changes now, in the same words.
    let changed: [String]
    /// Devices that were typed and are no more.
    let devicesRemoved: [DeviceAddress]

    init(from old: Configuration, to new: Configuration) {
        var settled = new
        var later: [String] = []
        func keep<Value: Equatable>(_ part: WritableKeyPath<Configuration, Value>, _ name: String) {
            if settled[keyPath: part] != old[keyPath: part] { later.append(name) }
            settled[keyPath: part] = old[keyPath: part]
        }
        keep(\.data, "data")
        keep(\.databaseURL, "database")
        keep(\.discovers, "no-discovery")
        keep(\.attachMode, "attach")
        keep(\.redaction, "redact")
        settled.version = old.version
        settled.firstConnectJitter = old.firstConnectJitter
        self.settled = settled
        afterRestart = later
        var changed: [String] = []
        func compare<Value: Equatable>(_ part: KeyPath<Configuration, Value>, _ name: String) {
            if settled[keyPath: part] != old[keyPath: part] { changed.append(name) }
        }
        compare(\.devices, "device")
        compare(\.site, "site")
        compare(\.filter, "allow and deny")
        compare(\.pruning, "keep")
        compare(\.apps, "apps")
        self.changed = changed
        let kept = Set(settled.devices)
        devicesRemoved = old.devices.filter { !kept.contains($0) }
    }
}
