import CastWire
import Differ
import IO
import Testing

/// A root, an intermediate, a device and its TLS certificate, all made by the openssl program.
///
/// The witness is not our own code: keys, certificates and signatures come from the command line of OpenSSL.
final class TestAuthority: Sendable {
    /// Keys (`.key`) and certificates (`.der`, `.pem`), by file name.
    private let files: [String: [UInt8]]
    /// A moment after everything was made, in seconds since 1970.
    let now: Int64

    /// Makes the files.
    init() throws {
        // Certificates are valid from the second in which they are made; a minute is time enough to make them.
        now = Clock.wallMicroseconds() / 1_000_000 + 60
        files = try Workshop.inFolder { shop in
            try shop.selfSigned("root", days: 7300, "-addext", "basicConstraints=critical,CA:TRUE")
            try shop.selfSigned("stranger", days: 7300, "-addext", "basicConstraints=critical,CA:TRUE")
            try shop.selfSigned("peer", days: 2)
            try shop.selfSigned("long-peer", days: 30)
            // Valid for one day only, as an intermediate of Google's that has expired by the day after.
            try shop.signed("intermediate", by: "root", days: 1, extension: "basicConstraints=critical,CA:TRUE")
            try shop.signed("leaf", by: "intermediate", days: 3650)
            try shop.signed(
                "speaker", by: "intermediate", days: 3650, extension: "certificatePolicies=1.3.6.1.4.1.11129.2.5.2")
            return try shop.files()
        }
    }

    /// A certificate, DER.
    func certificate(_ name: String) throws -> [UInt8] { try #require(files["\(name).der"]) }

    /// The answer of a device: its signature over the nonce and the TLS certificate.
    func answer(
        by name: String = "leaf", nonce: [UInt8], over peer: [UInt8], hash: String = "sha256"
    ) throws -> AuthenticationAnswer {
        let key = try #require(files["\(name).key"])
        let signature = try Workshop.inFolder { try $0.sign(nonce + peer, with: key, hash: hash) }
        var body = field(1, signature) + field(2, try certificate(name))
        body += field(3, try certificate("intermediate")) + [0x20, 1] + field(5, nonce)
        if hash == "sha256" { body += [0x30, 1] }
        return try AuthenticationAnswer(payload: field(2, body))
    }

    /// SHA-256 of a certificate's public key, by openssl and sha256sum.
    func keyDigest(_ name: String) throws -> String {
        let certificate = try #require(files["\(name).pem"])
        return try Workshop.inFolder { try $0.keyDigest(of: certificate) }
    }
}

/// The openssl program at work in a folder that is gone afterwards.
private struct Workshop {
    private let folder: String

    static func inFolder<Product>(_ work: (Workshop) throws -> Product) throws -> Product {
        let folder = try Files.makeTemporaryFolder("castledger-authority")
        defer { try? Files.removeTree(folder) }
        return try work(Workshop(folder: folder))
    }

    /// Everything in the folder, by file name.
    func files() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in try Files.names(in: folder) { found[name] = try Files.read("\(folder)/\(name)") }
        return found
    }

    func selfSigned(_ name: String, days: Int, _ more: String...) throws {
        try openssl(
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(folder)/\(name).key", "-out",
                "\(folder)/\(name).pem", "-days", "\(days)", "-subj", "/CN=\(name)",
            ] + more)
        try makeDER(name)
    }

    func signed(_ name: String, by issuer: String, days: Int, extension words: String? = nil) throws {
        let (key, request) = ("\(folder)/\(name).key", "\(folder)/\(name).csr")
        try openssl(["req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=\(name)"])
        var more: [String] = []
        if let words {
            try Files.replace("\(folder)/extensions", with: Array("\(words)\n".utf8))
            more = ["-extfile", "\(folder)/extensions"]
        }
        try openssl(
            [
                "x509", "-req", "-in", request, "-CA", "\(folder)/\(issuer).pem", "-CAkey", "\(folder)/\(issuer).key",
                "-CAcreateserial", "-days", "\(days)", "-out", "\(folder)/\(name).pem",
            ] + more)
        try makeDER(name)
    }

    func sign(_ content: [UInt8], with key: [UInt8], hash: String) throws -> [UInt8] {
        try Files.replace("\(folder)/content", with: content)
        try Files.replace("\(folder)/key", with: key)
        try openssl(["dgst", "-\(hash)", "-sign", "\(folder)/key", "-out", "\(folder)/signature", "\(folder)/content"])
        return try Files.read("\(folder)/signature")
    }

    func keyDigest(of certificate: [UInt8]) throws -> String {
        try Files.replace("\(folder)/certificate", with: certificate)
        let (_, output) = try ChildProcess.run([
            "sh", "-c",
            "openssl x509 -in \(folder)/certificate -noout -pubkey | openssl pkey -pubin -outform DER | sha256sum",
        ])
        return String(decoding: output.prefix(64), as: UTF8.self)
    }

    private func makeDER(_ name: String) throws {
        try openssl(["x509", "-in", "\(folder)/\(name).pem", "-outform", "DER", "-out", "\(folder)/\(name).der"])
    }

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
