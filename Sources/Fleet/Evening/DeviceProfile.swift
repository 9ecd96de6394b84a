public import CastModel
import Discovery

/// What one simulated device is: its names, ids and habits, all from the fleet's seed and its number.
public struct DeviceProfile: Sendable, Equatable {
    /// What kind of thing stands in the room.
    public enum Kind: Sendable, Equatable, CaseIterable {
        /// HDMI: has an idle screen, an active input and standby.
        case television
        /// A screen of its own, no HDMI.
        case display
        /// Sound only: no idle screen, so no `applications` when nothing runs (PROTOCOL 3.2).
        case speaker
        /// Several devices that play as one: an endpoint of its own, beside its members' (PROTOCOL 1.6).
        case group

        /// Whether something is on show when nothing runs.
        var hasIdleScreen: Bool {
            switch self {
            case .television, .display: true
            case .speaker, .group: false
            }
        }
    }

    /// How the platform answers LAUNCH, STOP and SET_VOLUME.
    public enum AnswerStyle: Sendable, Equatable {
        /// One broadcast with the requester's id, as captured from hardware (pychromecast#964).
        case broadcastsRequestIDs
        /// Broadcasts have id 0 always, and the launcher gets an answer of its own, as openscreen does it.
        case openScreen
    }

    /// Position in the fleet, from 0.
    public var index: Int
    /// TXT `id`: 32 hexadecimal digits.
    public var deviceID: DeviceID
    /// TXT `fn`.
    public var name: String
    /// What stands in the room.
    public var kind: Kind
    /// TXT `md`.
    public var model: String
    /// TXT `cd`.
    public var cloudDeviceID: String
    /// TXT `rm`.
    public var receiverMetricsID: String
    /// TXT `bs`: like a MAC address.
    public var wifiProximityID: String
    /// How LAUNCH, STOP and SET_VOLUME are answered.
    public var answerStyle = AnswerStyle.broadcastsRequestIDs
    /// Whether its own PINGs have `Tr@n$p0rt-0` at both ends, as seen on hardware (PROTOCOL 2.4).
    public var pingsFromTransport: Bool
    /// Whether senders that connected invisibly get answers to their own requests (PROTOCOL 2.6 leaves it open).
    public var answersInvisibleSenders = true
    /// Whether apps are told of senders that connected invisibly, as if they had not.
    public var showsInvisibleSenders = false

    /// The device with this number in the fleet of a seed.
    public init(index: Int, seed: FleetSeed) {
        var random = seed.source("device", index)
        self.index = index
        deviceID = DeviceID(random.hexadecimal(digits: 32))
        let cycle = index / Self.rooms.count
        let room = Self.rooms[index % Self.rooms.count]
        name = cycle == 0 ? room.name : "\(room.name) \(cycle + 1)"
        kind = room.kind
        model =
            switch room.kind {
            case .television: "Chromecast Ultra"
            case .display: "Google Nest Hub"
            case .speaker: "Google Home Mini"
            case .group: Self.groupModel
            }
        cloudDeviceID = random.hexadecimal(digits: 32).uppercased()
        receiverMetricsID = random.hexadecimal(digits: 16).uppercased()
        wifiProximityID = "FA8FCA" + random.hexadecimal(digits: 6).uppercased()
        pingsFromTransport = index % 4 == 3
    }

    /// TXT `md` of every group.
    private static let groupModel = "Google Cast Group"

    /// The group with this number in the fleet of a seed, after all the devices.
    static func group(_ number: Int, after devices: Int, seed: FleetSeed) -> DeviceProfile {
        var profile = DeviceProfile(index: devices + number, seed: seed)
        profile.kind = .group
        profile.model = groupModel
        profile.name = number == 0 ? "Whole House" : "Whole House \(number + 1)"
        profile.pingsFromTransport = false
        return profile
    }

    private static let rooms: [(name: String, kind: Kind)] = [
        ("Living Room TV", .television), ("Kitchen Display", .display), ("Bedroom Speaker", .speaker),
        ("Studio TV", .television), ("Guest Room TV", .television), ("Hallway Speaker", .speaker),
        ("Office Display", .display), ("Lobby TV", .television), ("Terrace Speaker", .speaker),
        ("Café Screen", .television), ("Kids’ Room TV", .television), ("Gym TV", .television),
    ]

    /// TXT `ca` (PROTOCOL 1.3).
    public var capabilities: Capabilities {
        switch kind {
        case .television, .display: Capabilities(rawValue: 4101)
        case .speaker: Capabilities(rawValue: 199_172)
        case .group: Capabilities(rawValue: 2084)
        }
    }

    /// `volume.controlType`.
    var volumeControl: String { kind == .television ? "attenuation" : "master" }

    /// The id as a UUID, which is also the SRV host name.
    public var uuid: String { RandomSource.dashed(deviceID.text) }

    /// The DNS-SD instance name: model and id (PROTOCOL 1.1).
    public var instanceName: String {
        String(model.map { $0 == " " ? "-" : $0 }).prefix(20) + "-" + deviceID.text
    }

    /// The TXT record of PROTOCOL 1.2; `runningAppText` is empty when idle.
    public func txt(runningAppText: String = "") -> [DeviceAdvertisement.TXTPair] {
        let pairs = [
            ("id", deviceID.text), ("cd", cloudDeviceID), ("rm", receiverMetricsID), ("ve", "05"), ("md", model),
            ("ic", "/setup/icon.png"), ("fn", name), ("ca", String(capabilities.rawValue)),
            ("st", runningAppText.isEmpty ? "0" : "1"), ("bs", wifiProximityID), ("nf", "1"), ("rs", runningAppText),
        ]
        return pairs.map { DeviceAdvertisement.TXTPair(key: $0.0, value: $0.1) }
    }

    /// What to announce over mDNS.
    func service(port: UInt16, runningAppText: String = "") -> PublishedService {
        PublishedService(
            instance: instanceName, port: port, txt: txt(runningAppText: runningAppText),
            appIDs: SimulatedApp.launchable.map(\.appID))
    }
}
