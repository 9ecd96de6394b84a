import Glibc

/// Why a host name has no address.
public struct HostNameError: Error, Equatable, CustomStringConvertible {
    /// The resolver's own words, such as "Name or service not known".
    public let description: String
}

/// Looks up host names with the system's resolver, which blocks for seconds.
public enum HostNames {
    /// The numeric addresses of a host, IPv4 first; link-local IPv6 with its scope.
    ///
    /// A numeric host is its own address.
    public static func addresses(of host: String) throws(HostNameError) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(host, nil, &hints, &list)
        guard result == 0 else {
            throw HostNameError(description: unsafe String(cString: gai_strerror(result)))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [String] = []
        var node = unsafe list
        while let item = unsafe node {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let named = unsafe getnameinfo(
                item.pointee.ai_addr, item.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if named == 0 && !addresses.contains(address) { addresses.append(address) }
            unsafe node = item.pointee.ai_next
        }
        return addresses.filter { !$0.contains(":") } + addresses.filter { $0.contains(":") }
    }
}
