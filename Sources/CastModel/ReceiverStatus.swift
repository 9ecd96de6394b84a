/// What a device says of itself: the `status` of RECEIVER_STATUS (PROTOCOL 3.2).
///
/// A view of its JSON: nothing is lost, and a field is read when it is asked for.
public struct ReceiverStatus: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The status that an object is.
    public init(_ json: JSONObject) { self.json = json }

    /// The status within a RECEIVER_STATUS; nil when it holds none.
    public init?(in payload: Payload) {
        guard case .object(let object)? = payload.json["status"] else { return nil }
        json = object
    }

    /// Apps read from one status, at most; in practice there is one.
    public static let appLimit = 16

    /// The apps that run.
    ///
    /// Absent when nothing runs and there is no idle screen.
    public var applications: Field<[ReceiverApp]> {
        json.views("applications", limit: Self.appLimit) { ReceiverApp($0) }
    }

    /// The app that runs: the first of ``applications``; nil when none does.
    public var app: ReceiverApp? { applications.ifPresent?.first }

    /// Volume of the device, not of its media.
    public var volume: Field<Volume> { json.view("volume") { Volume($0) } }

    /// Whether the TV shows this device's input; only HDMI devices say.
    public var isActiveInput: Field<Bool> { json.flagField("isActiveInput") }

    /// Whether the TV is in standby; only HDMI devices say.
    public var isStandBy: Field<Bool> { json.flagField("isStandBy") }
}

/// A volume, of a device or of a media session (PROTOCOL 3.2, 4.3).
public struct Volume: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The volume that an object is.
    public init(_ json: JSONObject) { self.json = json }

    /// 0 to 1, with the noise of 32-bit floats.
    public var level: Field<Double> { json.numberField("level") }
    /// Whether it is muted.
    public var muted: Field<Bool> { json.flagField("muted") }
    /// "attenuation" (software), "master" (hardware) or "fixed".
    public var controlType: Field<String> { json.textField("controlType") }
    /// The smallest step, in the units of ``level``.
    public var stepInterval: Field<Double> { json.numberField("stepInterval") }
    /// Whether the volume cannot change: the device then reports 1.0 whatever one hears.
    public var isFixed: Bool { controlType.ifPresent?.lowercased() == "fixed" }
}
