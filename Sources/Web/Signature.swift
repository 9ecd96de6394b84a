import CSignature

/// Signs what is sent, so that its reader knows who sent it; the only file that sees libcrypto here.
enum Signature {
    /// The header's value for a body at a moment: `t=1772395200,v1=<64 hexadecimal digits>`, HMAC-SHA256 with the secret
    /// over the seconds, a full stop, and the body.
    static func header(_ body: [UInt8], secret: [UInt8], seconds: Int64) -> String {
        "t=\(seconds),v1=\(hexadecimal(hmac(secret, Array("\(seconds).".utf8) + body)))"
    }

    /// HMAC-SHA256 (RFC 2104).
    static func hmac(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let worked = unsafe csignature_hmac_sha256(key, key.count, bytes, bytes.count, &digest)
        precondition(worked != 0, "libcrypto refuses HMAC-SHA256")
        return digest
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
