import CastModel
import Recording

/// How announcements, links and gaps change what is known of a device.
extension DeviceState {
    /// The device announced itself.
    mutating func foldSeen(_ advertisement: DeviceAdvertisement, into events: inout EventCollector) {
        // An announcement may come before its addresses are resolved; that is no move.
        let addresses = advertisement.addresses.isEmpty ? announcement?.addresses ?? [] : advertisement.addresses
        let told = Announcement(
            name: advertisement.name, model: advertisement.model, addresses: addresses, port: advertisement.port,
            isGroup: advertisement.isGroup)
        defer {
            announcement = told
            isWithdrawn = false
            if accountedUntil == nil { accountedUntil = events.at }
        }
        guard let known = announcement, !isWithdrawn else {
            events.add(
                .deviceSeen,
                after: JSONObject(known: [
                    ("name", told.name.map { .string($0) }), ("model", told.model.map { .string($0) }),
                    ("address", told.addresses.first.map { .string($0) }),
                    ("addresses", .array(told.addresses.map { .string($0) })), ("port", .integer(Int64(told.port))),
                    ("capabilities", advertisement.capabilities.map { .integer($0.rawValue) }),
                    ("source", .string(advertisement.source.rawValue)),
                ]).unlessEmpty)
            return
        }
        if known.name != told.name {
            events.add(
                .deviceRenamed, "name", from: known.name.map { .string($0) }, to: told.name.map { .string($0) },
                callbacks: [])
        }
        if Set(known.addresses) != Set(told.addresses) || known.port != told.port {
            events.add(.addressChanged, before: Self.whereabouts(known), after: Self.whereabouts(told))
        }
    }

    /// mDNS says that the device is gone.
    mutating func foldWithdrawn(into events: inout EventCollector) {
        guard announcement != nil, !isWithdrawn else { return }
        isWithdrawn = true
        events.add(.deviceWithdrawn)
    }

    /// TLS is up: a gap, if there was one, is over.
    mutating func foldOpened(_ opened: LinkOpened, into events: inout EventCollector) {
        let wasLinked = link != nil
        link = opened.link
        attachMode = opened.attachMode
        linkIsUnknown = false
        endStorm(into: &events)
        forgetLink()
        identity.nonce = nil
        identity.peerCertificate =
            opened.peerCertificate.count <= Self.peerCertificateLimitBytes ? opened.peerCertificate : nil
        events.add(
            .linkOpened,
            after: [
                "link": .integer(opened.link.number), "address": .string(opened.address),
                "port": .integer(Int64(opened.port)), "tlsVersion": .string(opened.tlsVersion),
                "cipher": .string(opened.cipher), "attachMode": .string(opened.attachMode.rawValue),
            ])
        if openGap == nil, !wasLinked { tellWaited(into: &events) }
        endGap(at: events.at, into: &events)
        lastObservedAt = events.at
    }

    /// A link is down.
    ///
    /// When it was the one in use, a gap begins at the last moment observed. That is now when we ended a link that was
    /// well: the device had nothing to say.
    /// It is now, too, for a link of which a hole in the archive hid the rest: that gap lasts up to here.
    mutating func foldClosed(_ closed: LinkClosed, into events: inout EventCollector) {
        events.add(
            .linkClosed,
            after: [
                "link": .integer(closed.link.number), "reason": .string(closed.reason.rawValue),
                "detail": .string(closed.detail),
            ])
        let wasUnknown = linkIsUnknown
        linkIsUnknown = false
        guard link == closed.link || wasUnknown else { return }
        let reason: Gap.Reason =
            switch closed.reason {
            case .recorderStopping: .recorderDown
            case .deviceExcluded: .deviceExcluded
            case .closedByDevice, .silent, .connectionReset, .protocolError, .tlsError, .addressChanged, .duplicate,
                .attachModeChanged:
                .linkLost
            }
        let isObserved = wasUnknown || isOurs(closed) && isWell(at: events.at)
        loseLink(reason.rawValue, from: isObserved ? events.at : nil, into: &events)
    }

    /// Whether we ended a link for reasons of our own.
    private func isOurs(_ closed: LinkClosed) -> Bool {
        switch closed.reason {
        case .recorderStopping, .deviceExcluded, .attachModeChanged, .duplicate: true
        case .closedByDevice, .silent, .connectionReset, .protocolError, .tlsError, .addressChanged: false
        }
    }

    /// Whether the link lives, for all that is known.
    private func isWell(at moment: WallTime) -> Bool {
        lastObservedAt.map { moment.seconds(since: $0) <= Self.aliveSeconds } ?? false
    }

    /// Our questions and what we know die with a link.
    mutating func forgetLink() {
        ourRequestIDs = []
        forgetWhatIsKnown()
    }

    /// The next statuses are states, not changes; they are still compared with the last ones known.
    mutating func forgetWhatIsKnown() {
        receiverIsKnown = false
        multizone.isKnown = false
        for index in transports.indices { transports[index].isKnown = false }
    }

    private static func whereabouts(_ announcement: Announcement) -> JSONValue? {
        JSONObject(known: [
            ("address", announcement.addresses.first.map { .string($0) }),
            ("addresses", .array(announcement.addresses.map { .string($0) })),
            ("port", .integer(Int64(announcement.port))),
        ]).unlessEmpty
    }
}
