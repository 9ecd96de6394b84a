public import CastModel
import Plays
public import Report

/// What a report says before it tells of single days: sums over its period.
///
/// Grows with the number of devices and apps, not with that of plays.
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

        mutating func count(_ seconds: Double, plays count: Int = 1) {
            plays += count
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
    static let unknownApp = "Unknown app"

    /// By device.
    public private(set) var devices: [DeviceID: Line] = [:]
    /// By the name of the app.
    public private(set) var apps: [String: Line] = [:]
    /// All devices.
    public private(set) var all = Line()

    /// Nothing yet.
    public init() {}

    /// Counts plays of a device, for it and for all.
    public mutating func add(_ device: DeviceID, plays: Int, playedSeconds: Double) {
        all.count(playedSeconds, plays: plays)
        devices[device, default: Line()].count(playedSeconds, plays: plays)
    }

    /// Counts plays of an app that are counted for their devices; nil for an app without name and id.
    public mutating func add(app name: String?, plays: Int, playedSeconds: Double) {
        let name = name ?? Self.unknownApp
        let key = apps[name] != nil || apps.count < Self.appLimit ? name : Self.otherApps
        apps[key, default: Line()].count(playedSeconds, plays: plays)
    }

    /// Counts a play, the whole of it.
    public mutating func add(_ fields: PlayFields, apps registry: AppRegistry) {
        let name = PlayWording(fields: fields, apps: registry).app ?? Self.unknownApp
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
