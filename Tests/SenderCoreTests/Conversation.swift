import CastModel
import Recording

@testable import SenderCore

/// Drives a machine through time, as the shell would, and remembers which timers are armed.
struct Conversation {
    var machine: SenderMachine
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private(set) var armed: [SenderMachine.Timer: MonotonicTime] = [:]

    static let transport = TransportID("web-5")

    init(
        attachMode: AttachMode = .invisible, filter: DeviceFilter = DeviceFilter(), jitter: Duration = .zero,
        seed: UInt64 = 1, apps: AppRegistry = .builtIn
    ) {
        machine = SenderMachine(
            policy: SenderMachine.Policy(
                attachMode: attachMode, filter: filter, firstConnectJitter: jitter, userAgent: "CastLedger/1",
                apps: apps),
            seed: seed)
    }

    /// A conversation whose link is up.
    static func up(
        attachMode: AttachMode = .invisible, filter: DeviceFilter = DeviceFilter(), apps: AppRegistry = .builtIn
    ) -> Conversation {
        var conversation = Conversation(attachMode: attachMode, filter: filter, apps: apps)
        conversation.handle(.start)
        conversation.handle(.fired(.connect))
        conversation.handle(.linkUp)
        return conversation
    }

    /// A conversation that has joined the Default Media Receiver on ``transport``.
    static func joined(attachMode: AttachMode = .invisible) -> Conversation {
        var conversation = up(attachMode: attachMode)
        conversation.hears(apps: [app()])
        conversation.pass(.milliseconds(500))
        conversation.handle(.fired(.join))
        return conversation
    }

    static func app(
        _ id: String = "CC1AD845", on transport: TransportID? = transport, media: Bool = true, idle: Bool = false,
        placeholder: Bool = false, senderConnected: Bool? = nil
    ) -> RunningApp {
        RunningApp(
            appID: AppID(id), name: "Default Media Receiver", transport: transport, offersMedia: media,
            isIdleScreen: idle, isGroupPlaceholder: placeholder, senderConnected: senderConnected)
    }

    @discardableResult
    mutating func handle(_ event: SenderMachine.Event) -> [SenderMachine.Effect] {
        if case .fired(let timer) = event { armed[timer] = nil }
        let effects = machine.handle(event, at: now)
        for effect in effects {
            switch effect {
            case .arm(let timer, let delay): armed[timer] = now.advanced(by: delay)
            case .disarm(let timer): armed[timer] = nil
            case .openLink, .closeLink, .send, .suspectVisible, .visibilityJudged, .joinRefused, .missed, .missedNoMore:
                break
            }
        }
        return effects
    }

    @discardableResult
    mutating func hears(apps: [RunningApp]) -> [SenderMachine.Effect] {
        handle(.received(HeardMessage(from: "receiver-0", to: "*", .receiverStatus(apps))))
    }

    @discardableResult
    mutating func hears(media: MediaFacts, from source: String = transport.text) -> [SenderMachine.Effect] {
        handle(.received(HeardMessage(from: source, to: "*", .mediaStatus([media]))))
    }

    @discardableResult
    mutating func hears(
        _ content: HeardMessage.Content, from source: String, to destination: String = "sender-0"
    ) -> [SenderMachine.Effect] {
        handle(.received(HeardMessage(from: source, to: destination, content)))
    }

    mutating func pass(_ duration: Duration) { now = now.advanced(by: duration) }

    /// Lets time pass, firing timers when they are due, and gives all effects; nobody says anything meanwhile.
    mutating func wait(_ duration: Duration) -> [SenderMachine.Effect] {
        let end = now.advanced(by: duration)
        var effects: [SenderMachine.Effect] = []
        while let next = armed.filter({ $0.value <= end }).min(by: { $0.value < $1.value }) {
            now = next.value
            effects += handle(.fired(next.key))
        }
        now = end
        return effects
    }
}

extension [SenderMachine.Effect] {
    /// What is sent, without request numbers, in order: "CONNECT 2 web-5" and the like.
    var sent: [String] {
        compactMap { effect in
            guard case .send(let message) = effect else { return nil }
            switch message {
            case .challenge: return "challenge"
            case .connectPlatform: return "CONNECT receiver-0"
            case .join(let connection): return "CONNECT \(connection.type.rawValue) \(connection.transport)"
            case .leave(let connection): return "CLOSE \(connection.transport)"
            case .ping: return "PING"
            case .pong(let source, let destination): return "PONG \(source) > \(destination)"
            case .getReceiverStatus: return "GET_STATUS receiver"
            case .getMultizoneStatus: return "GET_STATUS multizone"
            case .getDeviceInformation: return "GET_DEVICE_INFO"
            case .getMediaStatus(let transport, _): return "GET_STATUS media \(transport)"
            }
        }
    }

    /// The request numbers that are sent, in order.
    var requestIDs: [Int64] {
        compactMap { effect in
            guard case .send(let message) = effect else { return nil }
            switch message {
            case .getReceiverStatus(let number), .getMultizoneStatus(let number), .getDeviceInformation(let number),
                .getMediaStatus(_, let number):
                return number
            case .challenge, .connectPlatform, .join, .leave, .ping, .pong: return nil
            }
        }
    }
}
