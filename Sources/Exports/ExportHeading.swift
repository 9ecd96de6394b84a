public import CastModel
public import Recording
public import Report

/// What a file begins with: of which time it tells, on whose clocks, and of which devices.
public struct ExportHeading: Sendable {
    /// The first moment: the one that was asked for, or the first that is known.
    public var from: WallTime
    /// The first moment that is too late: the end that was asked for, or that of what is known.
    public var to: WallTime
    /// On whose clocks times are written, where the form of the file leaves a choice.
    public var zone: Zone
    /// The devices that the file may tell of, by name.
    public var devices: [ExportDevice]
    /// Names for receiver apps whose device said none.
    public var apps: AppRegistry
    /// Who wrote the file: "castledger 1.0".
    public var program: String

    /// A heading, part by part.
    public init(
        from: WallTime, to: WallTime, zone: Zone = .utc, devices: [ExportDevice] = [], apps: AppRegistry = .builtIn,
        program: String = "castledger"
    ) {
        self.from = from
        self.to = to
        self.zone = zone
        self.devices = devices
        self.apps = apps
        self.program = program
    }

    /// Of a file that has not begun.
    static let unknown = ExportHeading(from: WallTime(microseconds: 0), to: WallTime(microseconds: 0))
}

/// A device as exports name it.
public struct ExportDevice: Sendable, Equatable {
    /// Which device.
    public var deviceID: DeviceID
    /// Its friendly name; nil when it never said one.
    public var deviceName: String?

    /// A device by id and name.
    public init(deviceID: DeviceID, deviceName: String?) {
        self.deviceID = deviceID
        self.deviceName = deviceName
    }

    /// The name to show for it: that which it gave itself, else its id.
    public var label: String { Self.label(deviceName, deviceID.text) }

    static func label(_ name: String?, _ deviceID: String) -> String {
        guard let name, name.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return deviceID }
        return name
    }
}
