public import CastModel
import Plays
public import Report

/// What a report says before it tells of single days: sums over its period.
///
/// Grows with the number of devices and apps, not with that of plays. A play that reaches over the edge of the period
/// counts whole.
public struct ExportTotals: Sendable {
    /// Sums of one device or app.
    public struct Line: Sendable, Equatable {
        /// How many plays.
        public var plays = 0
        /// Seconds played, ads not counted.
        public var playedSeconds = 0.0
        /// Conflicts.
        public var conflicts = 0
        /// Seconds of which it is known whether the device was observed.
        public var knownSeconds = 0.0
        /// Of them, those in which it was, and no app was left unjoined.
        public var observedSeconds = 0.0

        /// Nothing yet.
        public init() {}

        mutating func count(_ seconds: Double) {
            plays += 1
            playedSeconds += seconds
        }

        mutating func observe(_ known: Double, _ observed: Double) {
            knownSeconds += known
            observedSeconds += observed
        }

        /// The share observed; nil where nothing is known.
        public var observedShare: Double? { knownSeconds > 0 ? observedSeconds / knownSeconds : nil }
    }

    /// Apps beyond so many are counted together.
    public static let appLimit = 1000
    static let otherApps = "Other apps"

    /// By device.
    public private(set) var devices: [DeviceID: Line] = [:]
    /// By the name of the app.
    public private(set) var apps: [String: Line] = [:]
    /// All devices.
    public private(set) var all = Line()

    /// Nothing yet.
    public init() {}

    /// Counts a play.
    public mutating func add(_ fields: PlayFields, apps registry: AppRegistry) {
        let name = PlayWording(fields: fields, apps: registry).app ?? "Unknown app"
        let key = apps[name] != nil || apps.count < Self.appLimit ? name : Self.otherApps
        let seconds = fields.play.time.playedSeconds
        all.count(seconds)
        devices[fields.play.deviceID, default: Line()].count(seconds)
        apps[key, default: Line()].count(seconds)
    }

    /// Counts a conflict.
    public mutating func add(_ mark: ConflictMark) {
        all.conflicts += 1
        devices[mark.deviceID, default: Line()].conflicts += 1
    }

    /// Counts what was observed of a device.
    public mutating func add(_ device: DeviceID, knownSeconds: Double, observedSeconds: Double) {
        all.observe(knownSeconds, observedSeconds)
        devices[device, default: Line()].observe(knownSeconds, observedSeconds)
    }
}
