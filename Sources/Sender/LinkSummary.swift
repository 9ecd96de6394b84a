public import CastModel
import IO
public import Recording
import SenderCore

/// What a person wants to know of one device at this moment: for a live display, not for the ledger.
public struct LinkSummary: Sendable, Equatable {
    /// The device, or what stands for it until it has said who it is.
    public var deviceID: DeviceID
    /// Friendly name; nil when not known.
    public var name: String?
    /// Model; nil when not known.
    public var model: String?
    /// "192.0.2.7:8009": where the link goes, or would go; empty when no address is known.
    public var address: String
    /// Whether this is a group of devices.
    public var isGroup: Bool
    /// Whether the link is up.
    public var isUp: Bool
    /// The receiver app that we have joined: its name, or its id when it has none; nil when there is none.
    public var appName: String?
    /// "PLAYING" and the like; nil when the app has not said.
    public var playerState: String?
    /// What plays; nil when the app has not said.
    public var title: String?
    /// Why the app that runs is not joined; nil when it is, or none runs.
    public var missedBecause: Gap.Reason?
    /// Whether the device does not keep us invisible, so that its apps are not joined.
    public var isDowngraded: Bool
    /// Attempts and links that failed since the last healthy one.
    public var failures: Int
    /// Why there is no link; nil while there is one, and before the first attempt.
    public var lastFailure: String?
    /// How long ago the device was last heard; nil when it has not been heard on any link.
    public var lastHeard: Duration?
    /// How long the device took to answer our last PING; nil without a link, and before the first answer.
    public var roundTrip: Duration?
    /// Frames that came from it since the start.
    public var framesReceived: Int
    /// Bytes of their payloads.
    public var bytesReceived: Int
    /// Until the next attempt; nil while there is a link or an attempt.
    public var nextAttemptAfter: Duration?
}

extension RecordingSender {
    /// What a person wants to know of the device now.
    var summary: LinkSummary {
        let media = machine.media
        let wait = connectDueAt.map { Duration.nanoseconds(max(0, $0.nanoseconds - resources.monotonic.nanoseconds)) }
        return LinkSummary(
            deviceID: deviceID, name: advertisement.name, model: advertisement.model,
            address: (link?.address ?? addresses.first)?.description ?? "", isGroup: advertisement.isGroup, isUp: isUp,
            appName: machine.joinedApp?.name ?? machine.joinedApp?.appID.text, playerState: media?.playerState?.word,
            title: media?.title, missedBecause: gaps.missedBecause, isDowngraded: machine.isDowngraded,
            failures: machine.failures, lastFailure: lastFailure,
            lastHeard: machine.lastHeard.map { .nanoseconds(max(0, resources.monotonic.nanoseconds - $0.nanoseconds)) },
            roundTrip: machine.lastRoundTrip, framesReceived: received.frames, bytesReceived: received.bytes,
            nextAttemptAfter: isUp || link != nil ? nil : wait)
    }
}

extension DeviceAdvertisement {
    /// The addresses as the kernel takes them; what is none is left out.
    var socketAddresses: [SocketAddress] { addresses.compactMap { SocketAddress(host: $0, port: port) } }

    /// Takes what the device says of itself on a link.
    mutating func adopt(_ information: DeviceInformation) {
        deviceID = information.deviceID
        name = information.name ?? name
        model = information.model ?? model
        capabilities = information.capabilities.map { Capabilities(rawValue: $0) }
    }

    /// Whether this is a group's own endpoint (PROTOCOL 1.6).
    var isGroup: Bool {
        capabilities?.contains(.multizoneGroup) == true || model?.lowercased() == "google cast group"
    }
}
