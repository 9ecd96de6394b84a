import CastModel
import CastWire

/// The transport namespaces: virtual connections, heartbeats, deviceauth.
extension ReceiverMachine {
    mutating func connectionMessage(
        _ message: CastMessage, _ payload: JSONValue?, from link: LinkNumber, at now: Duration
    ) -> [Effect] {
        switch payload?["type"]?.string {
        case "CONNECT": return connect(message, payload, from: link)
        case "CLOSE":
            let before = links[link]?.virtualConnections ?? []
            links[link]?.virtualConnections.removeAll {
                $0.senderID == message.sourceID && $0.destinationID == message.destinationID
            }
            let gone = before.filter { !(links[link]?.virtualConnections.contains($0) ?? false) }
            return sendersLeft(gone, saidGoodbye: true, at: now)
        default: return []
        }
    }

    /// A connection to `receiver-0` is always allowed, one to an app only while that app runs (PROTOCOL 2.6).
    private mutating func connect(_ message: CastMessage, _ payload: JSONValue?, from link: LinkNumber) -> [Effect] {
        let runs = app.map { !$0.app.isPlaceholder && $0.transportID == message.destinationID } ?? false
        let known = message.destinationID == Self.platform || runs
        let strength: VirtualConnection.Strength? =
            switch payload?["connType"] {
            case nil: .strong
            case .some(let value): value.wholeNumber.flatMap { VirtualConnection.Strength(rawValue: $0) }
            }
        guard known, let strength,
            links[link]?.virtualConnections.count ?? 0 < Self.virtualConnectionsLimit
        else {
            return [
                unicast(["type": "CLOSE"], .connection, from: message.destinationID, to: message.sourceID, on: link)
            ]
        }
        let opened = VirtualConnection(
            senderID: message.sourceID, destinationID: message.destinationID, strength: strength,
            userAgent: payload?["userAgent"]?.string ?? "")
        let couldSee = hasVisibleSender
        // CONNECT again replaces the old virtual connection between the same two.
        links[link]?.virtualConnections.removeAll {
            $0.senderID == opened.senderID && $0.destinationID == opened.destinationID
        }
        links[link]?.virtualConnections.append(opened)
        var effects: [Effect] = [
            .note(
                "virtual_connection_opened",
                [
                    "link": .count(link), "sender_id": .string(opened.senderID),
                    "destination_id": .string(opened.destinationID), "connection_type": .count(strength.rawValue),
                    "user_agent": .string(opened.userAgent),
                ])
        ]
        if let version = connectedVersion(payload) {
            let answer: JSONValue = ["type": "CONNECTED", "protocolVersion": .count(version)]
            effects.append(
                unicast(answer, .connection, from: message.destinationID, to: message.sourceID, on: link))
        }
        return couldSee == hasVisibleSender ? effects : effects + broadcastReceiverStatus()
    }

    /// CONNECTED is sent to those who named a version only.
    private func connectedVersion(_ payload: JSONValue?) -> Int? {
        if let version = payload?["protocolVersion"]?.wholeNumber { return version }
        return payload?["protocolVersionList"]?.array?.compactMap(\.wholeNumber).max()
    }

    /// Whether the app has been told of any sender.
    var hasVisibleSender: Bool {
        guard let app, !app.app.isIdleScreen else { return false }
        return links.values.contains { link in
            link.virtualConnections.contains { $0.destinationID == app.transportID && isShown($0) }
        }
    }

    /// Whether an app is told of a sender on this device.
    private func isShown(_ virtual: VirtualConnection) -> Bool { virtual.isVisible || profile.showsInvisibleSenders }

    /// The last-sender rule of CAF (PROTOCOL 5.7): the app stops when its last *visible* sender says CLOSE, not when
    /// that sender vanishes, and whatever invisible senders do.
    private mutating func sendersLeft(
        _ gone: [VirtualConnection], saidGoodbye: Bool, at now: Duration
    ) -> [Effect] {
        guard let app, gone.contains(where: { $0.destinationID == app.transportID && isShown($0) }) else {
            return []
        }
        guard !hasVisibleSender else { return [] }
        guard saidGoodbye, app.app.stopsAfterLastSender else { return broadcastReceiverStatus() }
        return stopApp(because: "last_sender_left", requestID: 0, at: now)
    }

    /// A link is gone, with all its virtual connections: reason unknown, so no app stops for it.
    mutating func closed(_ link: LinkNumber, at now: Duration) -> [Effect] {
        guard let removed = links.removeValue(forKey: link) else { return [] }
        return sendersLeft(removed.virtualConnections, saidGoodbye: false, at: now)
    }

    // MARK: Heartbeats

    func heartbeatMessage(_ message: CastMessage, _ payload: JSONValue?, from link: LinkNumber) -> [Effect] {
        guard payload?["type"]?.string == "PING" else { return [] }
        return [unicast(["type": "PONG"], .heartbeat, from: message.destinationID, to: message.sourceID, on: link)]
    }

    mutating func heartbeat(_ link: LinkNumber, at now: Duration) -> [Effect] {
        guard let sender = links[link] else { return [] }
        guard now - sender.lastHeardAt < Self.senderSilenceLimit else {
            let effects = closed(link, at: now)
            return [.closeLink(link, because: "silent")] + effects
        }
        let again: Effect = .arm(.heartbeat(link), after: Self.pingInterval)
        guard let senderID = sender.platformSenderID else { return [again] }
        let ends =
            profile.pingsFromTransport
            ? (source: "Tr@n$p0rt-0", destination: "Tr@n$p0rt-0") : (source: Self.platform, destination: senderID)
        return [
            unicast(["type": "PING"], .heartbeat, from: ends.source, to: ends.destination, on: link), again,
        ]
    }

    // MARK: Deviceauth

    /// A well-formed answer that proves nothing: the certificate is our own, the signature is of zeros.
    ///
    /// VLC waits for one and verifies none.
    func authenticationAnswer(to challenge: CastMessage) -> CastMessage {
        func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
            var length = content.count
            var encoded = [number << 3 | 2]
            while length >= 0x80 {
                encoded.append(UInt8(truncatingIfNeeded: length) | 0x80)
                length >>= 7
            }
            return encoded + [UInt8(truncatingIfNeeded: length)] + content
        }
        // AuthResponse: 1 signature, 2 client_auth_certificate (PROTOCOL 2.8).
        let response = field(1, [UInt8](repeating: 0, count: 256)) + field(2, certificateDER)
        return CastMessage(
            from: challenge.destinationID, to: challenge.sourceID, .deviceAuthentication, binary: field(2, response))
    }
}
