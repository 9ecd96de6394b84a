import CCrypto

/// A value of the archive's hash chain: 32 bytes of SHA-256.
public struct ChainValue: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// What the first batch of an archive follows: 32 zero bytes.
    public static let start = ChainValue(bytes: [UInt8](repeating: 0, count: 32))

    /// The value by its 64 hexadecimal digits in lower case; nil for any other text.
    public init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.bytes = bytes
    }

    /// The value after this one: SHA-256 of these 32 bytes and then `covered`.
    public func next(_ covered: ArraySlice<UInt8>) -> ChainValue {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe covered.withUnsafeBytes { content in
            guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
            defer { unsafe EVP_MD_CTX_free(context) }
            let worked =
                unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
                && EVP_DigestUpdate(context, bytes, bytes.count) == 1
                && EVP_DigestUpdate(context, content.baseAddress, content.count) == 1
                && EVP_DigestFinal_ex(context, &digest, nil) == 1
            precondition(worked, "libcrypto refuses SHA-256")
        }
        return ChainValue(bytes: digest)
    }

    /// 64 hexadecimal digits in lower case.
    public var description: String { String(decoding: bytes.flatMap { Hexadecimal.digits($0) }, as: UTF8.self) }
}

/// Bytes as hexadecimal digits.
enum Hexadecimal {
    private static let all = Array("0123456789abcdef".utf8)

    static func digits(_ byte: UInt8) -> [UInt8] { [all[Int(byte >> 4)], all[Int(byte & 15)]] }
}
