/// The content of a DNS TXT record: strings of at most 255 bytes (RFC 1035, 3.3.14).
enum TXTRecord {
    /// How many bytes one string can have.
    static let stringLimitBytes = 255

    /// The strings of a record's data, in their order.
    ///
    /// A string that promises more bytes than there are gets those that are there.
    static func strings(_ data: [UInt8]) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var rest = data[...]
        while let length = rest.popFirst() {
            let string = rest.prefix(Int(length))
            strings.append(Array(string))
            rest = rest.dropFirst(string.count)
        }
        return strings
    }
}
