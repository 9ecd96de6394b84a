import IO

/// Where each device of a fleet listens.
enum FleetAddresses {
    /// Every address of this host.
    static let everywhere = "0.0.0.0"

    /// One address per device and then one per group: on one host with ports that count up, or on one port with hosts that count up.
    static func plan(_ options: FleetOptions, groups: Int = 0) throws(FleetError) -> [SocketAddress] {
        guard (1...FleetOptions.deviceLimit).contains(options.devices) else {
            throw .deviceCount(options.devices, limit: FleetOptions.deviceLimit)
        }
        let parts = options.address.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, !parts.contains(nil) else { throw .address(options.address) }
        let first = parts.compactMap(\.self).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let endpoints = options.devices + groups
        let lastPort = Int(options.port) + endpoints - 1
        guard options.countsAddresses || options.port == 0 || lastPort <= Int(UInt16.max) else {
            throw .ports(first: options.port, devices: endpoints)
        }
        var planned: [SocketAddress] = []
        for index in 0..<endpoints {
            let number =
                options.countsAddresses
                ? first.addingReportingOverflow(UInt32(index)) : (partialValue: first, overflow: false)
            let port = options.countsAddresses || options.port == 0 ? options.port : options.port + UInt16(index)
            let host = [24, 16, 8, 0].map { String(number.partialValue >> $0 & 0xFF) }.joined(separator: ".")
            guard !number.overflow, let address = SocketAddress(host: host, port: port) else {
                throw .address(options.address)
            }
            planned.append(address)
        }
        // mDNS names this host's own addresses, so whoever finds the devices comes there, not to loopback.
        guard options.advertises, !options.countsAddresses, first >> 24 == 127 else { return planned }
        return planned.compactMap { SocketAddress(host: everywhere, port: $0.port) }
    }
}
