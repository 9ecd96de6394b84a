import CastWire
import Differ
import IO
import Identity
import Recording
import Testing

@Suite("Who a device is", .serialized)
struct CertificateJudgeTests {
    private static let authority = Result { try TestAuthority() }
    private static let nonce = [UInt8](1...16)

    private func verdict(
        by name: String = "leaf", peer: String = "peer", hash: String = "sha256", root: String = "root",
        daysLater: Double = 0, changing change: (inout IdentityClaim) -> Void = { _ in }
    ) throws -> IdentityVerdict {
        let authority = try Self.authority.get()
        let certificate = try authority.certificate(peer)
        var claim = IdentityClaim(
            nonce: Self.nonce, peerCertificate: certificate,
            answer: try authority.answer(by: name, nonce: Self.nonce, over: certificate, hash: hash),
            secondsSince1970: authority.now + Int64(daysLater * 86_400))
        change(&claim)
        return CertificateJudge(roots: [try authority.certificate(root)]).verdict(on: claim)
    }

    @Test(arguments: ["sha1", "sha256"])
    func `is proved by a signature over our nonce and its certificate, up to a root`(hash: String) throws {
        let found = try verdict(hash: hash)
        #expect(found.objection == nil)
        #expect(found.chainIsCurrent)
        #expect(!found.isAudioOnly)
        #expect(found.key == (try Self.authority.get().keyDigest("leaf")))
    }

    @Test func `is proved also when an intermediate has expired, and that is said`() throws {
        let found = try verdict(daysLater: 1.5)
        #expect(found.objection == nil)
        #expect(!found.chainIsCurrent)
    }

    @Test func `tells a device that only plays sound`() throws {
        #expect(try verdict(by: "speaker").isAudioOnly)
    }

    @Test func `is not proved by a chain to a root that we do not trust`() throws {
        #expect(try verdict(root: "stranger").objection == "no Cast root vouches for its key")
    }

    @Test func `is not proved by the answer of another link`() throws {
        let other = try Self.authority.get().certificate("long-peer")
        let found = try verdict { $0.peerCertificate = other }
        #expect(found.objection == "the signature does not fit")
    }

    @Test func `is not proved by an answer that was recorded earlier`() throws {
        #expect(try verdict { $0.nonce[0] ^= 1 }.objection == "our nonce is not in the answer: it may be a recording")
    }

    @Test func `is not proved by a changed signature, byte for byte`() throws {
        for index in stride(from: 0, to: 256, by: 17) {
            #expect(try verdict { $0.answer.signature[index] ^= 0x80 }.objection == "the signature does not fit")
        }
        #expect(try verdict { $0.answer.signature = [] }.objection == "the signature does not fit")
        // PSS was not asked for.
        #expect(try verdict { $0.answer.signatureAlgorithm = 2 }.objection == "the signature does not fit")
    }

    @Test func `needs a TLS certificate of these days`() throws {
        let stale = "its TLS certificate is not of these days"
        #expect(try verdict(peer: "long-peer").objection == stale)
        #expect(try verdict(daysLater: 3).objection == stale)
        #expect(try verdict(daysLater: -1).objection == stale)
    }

    @Test func `cut or broken certificates are an objection, never a crash`() throws {
        let whole = try Self.authority.get().certificate("leaf")
        for count in stride(from: 0, to: whole.count, by: 37) {
            let found = try verdict { $0.answer.certificate = Array(whole.prefix(count)) }
            #expect(found.key == nil && found.objection == "its certificate cannot be read", "\(count) bytes")
        }
        let huge = [UInt8](repeating: 0x30, count: 20_000)
        #expect(try verdict { $0.answer.intermediates = [huge] }.key == nil)
        #expect(try verdict { $0.answer.intermediates = [] }.objection == "no Cast root vouches for its key")
    }

    // SHA-256 of the DER as PROTOCOL 2.8 gives it, which two sources agree upon.
    @Test func `trusts Google's two roots`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-roots")
        defer { try? Files.removeTree(folder) }
        let digests = try TrustedRoots.all.map { root in
            try Files.replace("\(folder)/root.der", with: root)
            let (_, output) = try ChildProcess.run(["sha256sum", "\(folder)/root.der"])
            return String(decoding: output.prefix(64), as: UTF8.self)
        }
        #expect(
            digests == [
                "809af14700b3fe2611ad597eb1584d6354313b64ccdb3390f097fa3e5826d6ca",
                "caf6d1e37b532203e01a76bf07187bb731ccd38801565ab2211a2c0ab7f3bc46",
            ])
    }
}
