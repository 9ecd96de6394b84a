/// One DNS-SD instance as one interface and one address family shows it.
///
/// The same device appears once per interface and family that it answers on.
struct ServiceInstance: Hashable, Sendable {
    /// Kernel index of the network interface.
    var interface: Int32
    /// Which mDNS, over IPv4 or IPv6, told us.
    var family: AddressFamily
    /// Instance name, not escaped.
    var name: String
    /// Usually "local".
    var domain: String
}

/// IPv4 or IPv6.
enum AddressFamily: Sendable, Hashable, CaseIterable { case four, six }

/// Where an instance is and what it says.
struct Resolution: Sendable, Equatable {
    /// Numeric address; link-local IPv6 with its scope.
    var address: String
    /// From SRV.
    var port: UInt16
    /// The strings of the TXT record, in the order on the wire.
    var txt: [[UInt8]]
}

/// What the Avahi daemon tells one client, as values.
///
/// The callbacks only note these down; they are acted upon after the callback has returned, so that nothing is freed
/// under the feet of libavahi.
enum MDNSNews: Sendable, Equatable {
    /// D-Bus is there, the daemon is not yet.
    case waitingForDaemon
    /// The daemon answers; objects can be made.
    case running
    /// The daemon changes its host name or starts: published services must be made again.
    case hostNameUnsettled
    /// This client is of no use any more and must be freed.
    case clientLost(reason: String)

    case appeared(ServiceInstance)
    case disappeared(ServiceInstance)
    /// The cache was read and the first answers had their time.
    case firstRoundComplete
    case browseFailed(reason: String)

    case resolved(ServiceInstance, Resolution)
    case resolveFailed(ServiceInstance, reason: String)
    /// The content of a TXT record that is being watched: the present one at first, then each new one.
    case text(ServiceInstance, [[UInt8]])
    /// A content of a watched TXT record is no longer valid.
    case textExpired(ServiceInstance)

    /// All neighbors accept the published instance.
    case published(instance: String)
    /// Somebody else uses the instance name.
    case publishCollision(instance: String)
    case publishFailed(instance: String, reason: String)
}

/// Something that Avahi refused, and why.
struct MDNSError: Error, Equatable, CustomStringConvertible {
    /// Such as "resolve".
    var operation: String
    /// Avahi's error code, negative.
    var code: Int32
    /// Avahi's own words.
    var reason: String

    /// "resolve: Too many objects".
    var description: String { "\(operation): \(reason)" }
}
