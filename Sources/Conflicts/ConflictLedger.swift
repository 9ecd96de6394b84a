public import CastModel
public import Differ
import Recording

/// Folds change events into conflicts: who undid whom, on which device, and how sure that is (DESIGN 5).
///
/// Pure, and without a clock: the same events give the same conflicts, in whatever stretches they are folded, and a ledger
/// restored from the states of another goes on exactly as that one would have. What is kept of a device does not grow.
///
/// A struct; keep it on one thread. Folding the events of one archive in order is the caller's part.
public struct ConflictLedger: Sendable {
    /// The thresholds.
    public let rules: ConflictRules
    private var devices: [DeviceConflicts] = []
    private var indices: [DeviceID: Int] = [:]
    private var touched: Set<Int> = []

    /// A ledger that knows nothing yet.
    public init(rules: ConflictRules = ConflictRules()) { self.rules = rules }

    /// A ledger that goes on where another stopped, from what ``takeStates()`` gave.
    public init(restoring states: [(DeviceID, JSONValue)], rules: ConflictRules = ConflictRules())
        throws(ConflictsError)
    {
        self.rules = rules
        for (deviceID, json) in states {
            let device = try DeviceConflicts(deviceID: deviceID, json: json)
            indices[deviceID] = devices.count
            devices.append(device)
        }
    }

    /// The states that changed since the last call, in the order of their devices: what a checkpoint must store.
    ///
    /// A later state of a device replaces its earlier one.
    public mutating func takeStates() -> [(DeviceID, JSONValue)] {
        let states = touched.map { (devices[$0].deviceID, devices[$0].json) }.sorted { $0.0 < $1.0 }
        touched.removeAll(keepingCapacity: true)
        return states
    }

    /// The conflicts that an event began or changed, each as it stands afterwards; none for most events.
    public mutating func fold(_ event: ChangeEvent) -> [Conflict] {
        guard DeviceConflicts.isConcerned(by: event.kind) else { return [] }
        let index: Int
        if let known = indices[event.deviceID] {
            index = known
        } else {
            index = devices.count
            indices[event.deviceID] = index
            devices.append(DeviceConflicts(deviceID: event.deviceID))
        }
        touched.insert(index)
        return devices[index].fold(event, rules)
    }

    /// Nothing is known of a stretch whose records are gone: no fight goes on through it.
    public mutating func loseSight() {
        for index in devices.indices where devices[index] != DeviceConflicts(deviceID: devices[index].deviceID) {
            devices[index] = DeviceConflicts(deviceID: devices[index].deviceID)
            touched.insert(index)
        }
    }
}
