public import IO
public import TLS

/// Why a fleet cannot start.
public enum FleetError: Error, Sendable, Equatable {
    /// A number of devices that does not fit.
    case deviceCount(Int, limit: Int)
    /// An address that is not a numeric IPv4 address, or that has too few after it.
    case address(String)
    /// Ports beyond 65535 would be needed.
    case ports(first: UInt16, devices: Int)
    /// A scenario that does not exist.
    case unknownScenario(String)
    /// The system refused a socket or a file.
    case io(IOError)
    /// libssl refused a key.
    case tls(TLSError)
}

extension FleetError: CustomStringConvertible {
    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .deviceCount(let count, let limit): "A fleet has 1 to \(limit) devices, not \(count)."
        case .address(let text):
            "'\(text)' is not an IPv4 address that every device can count up from; try 127.77.0.1."
        case .ports(let first, let devices):
            "\(devices) devices from port \(first) on would need ports above 65535. Choose a lower port, or 0."
        case .unknownScenario(let name):
            "There is no scenario '\(name)'. There are: "
                + FleetScenario.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .io(let error): "The fleet cannot start: \(error)."
        case .tls(let error): "The fleet cannot make its TLS identities: \(error)."
        }
    }
}
