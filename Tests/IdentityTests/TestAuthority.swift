import CastWire
import Differ
import IO
import Testing

/// A root, an intermediate, a device and its TLS certificate, all made by the openssl program.
///
/// The witness is not our own code: keys, certificates and signatures come from the command line of OpenSSL.
final class TestAuthority: Sendable {
    private let folder: String
    /// A moment after everything was made, in seconds since 1970.
    let now: Int64

    /// Makes the files in a folder of their own.
    init() throws {
        // Certificates are valid from the second in which they are made; a minute is time enough to make them.
        now = Clock.wallMicroseconds() / 1_000_000 + 60
        folder = try Files.makeTemporaryFolder("castledger-authority")
        try Files.replace("\(folder)/ca.ext", with: Array("basicConstraints=critical,CA:TRUE\n".utf8))
        try Files.replace("\(folder)/audio.ext", with: Array("certificatePolicies=1.3.6.1.4.1.11129.2.5.2\n".utf8))
        try selfSigned("root", days: 7300, "-addext", "basicConstraints=critical,CA:TRUE")
        try selfSigned("stranger", days: 7300, "-addext", "basicConstraints=critical,CA:TRUE")
        try selfSigned("peer", days: 2)
        try selfSigned("long-peer", days: 30)
        // Valid for one day only, as an intermediate of Google's that has expired by the day after.
        try signed("intermediate", by: "root", days: 1, "-extfile", "\(folder)/ca.ext")
        try signed("leaf", by: "intermediate", days: 3650)
        try signed("speaker", by: "intermediate", days: 3650, "-extfile", "\(folder)/audio.ext")
    }

    deinit { try? Files.removeTree(folder) }

    /// A certificate, DER.
    func certificate(_ name: String) throws -> [UInt8] { try Files.read("\(folder)/\(name).der") }

    /// The answer of a device: its signature over the nonce and the TLS certificate.
    func answer(
        by name: String = "leaf", nonce: [UInt8], over peer: [UInt8], hash: String = "sha256"
    ) throws -> AuthenticationAnswer {
        try Files.replace("\(folder)/signed", with: nonce + peer)
        try openssl(
            "dgst", "-\(hash)", "-sign", "\(folder)/\(name).key", "-out", "\(folder)/signature", "\(folder)/signed")
        var body = field(1, try Files.read("\(folder)/signature")) + field(2, try certificate(name))
        body += field(3, try certificate("intermediate")) + [0x20, 1] + field(5, nonce)
        if hash == "sha256" { body += [0x30, 1] }
        return try AuthenticationAnswer(payload: field(2, body))
    }

    /// SHA-256 of a certificate's public key, by openssl and sha256sum.
    func keyDigest(_ name: String) throws -> String {
        let (_, output) = try ChildProcess.run([
            "sh", "-c",
            "openssl x509 -in \(folder)/\(name).pem -noout -pubkey | openssl pkey -pubin -outform DER | sha256sum",
        ])
        return String(decoding: output.prefix(64), as: UTF8.self)
    }

    private func selfSigned(_ name: String, days: Int, _ more: String...) throws {
        try openssl(
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(folder)/\(name).key", "-out",
                "\(folder)/\(name).pem", "-days", "\(days)", "-subj", "/CN=\(name)",
            ] + more)
        try der(name)
    }

    private func signed(_ name: String, by issuer: String, days: Int, _ more: String...) throws {
        let (key, request) = ("\(folder)/\(name).key", "\(folder)/\(name).csr")
        try openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=\(name)")
        try openssl(
            [
                "x509", "-req", "-in", request, "-CA", "\(folder)/\(issuer).pem", "-CAkey", "\(folder)/\(issuer).key",
                "-CAcreateserial", "-days", "\(days)", "-out", "\(folder)/\(name).pem",
            ] + more)
        try der(name)
    }

    private func der(_ name: String) throws {
        try openssl("x509", "-in", "\(folder)/\(name).pem", "-outform", "DER", "-out", "\(folder)/\(name).der")
    }

    private func openssl(_ arguments: String...) throws { try openssl(arguments) }

    private func openssl(_ arguments: [String]) throws {
        let (exit, output) = try ChildProcess.run(["openssl"] + arguments, includingErrors: true)
        try #require(exit == .code(0), "\(String(decoding: output, as: UTF8.self))")
    }
}

/// A protobuf field of bytes, by protobuf's encoding rules.
func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length = content.count
    var encoded = [number << 3 | 2]
    while length >= 0x80 {
        encoded.append(UInt8(truncatingIfNeeded: length) | 0x80)
        length >>= 7
    }
    return encoded + [UInt8(length)] + content
}
