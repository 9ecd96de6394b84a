import CCertificates
import CastWire
public import Differ

/// Judges whether a device has a key that Google vouches for, with libcrypto.
///
/// Mirrors what Chrome does (PROTOCOL 2.8), and reports each part on its own: a recorder records, it refuses nobody.
public struct CertificateJudge: IdentityJudge {
    private let roots: [[UInt8]]

    /// - Parameter roots: Whom to trust, DER; Google's two roots unless told otherwise.
    public init(roots: [[UInt8]] = TrustedRoots.all) { self.roots = roots }

    /// Longest certificate that is looked at, in bytes; real ones have about 1,000.
    static let certificateLimitBytes = 16_384
    /// How long before its end a TLS certificate may be at most, in seconds: four days.
    static let freshSeconds: Int64 = 4 * 86_400

    /// What a claim is worth.
    public func verdict(on claim: IdentityClaim) -> IdentityVerdict {
        let answer = claim.answer
        let pieces = [answer.certificate, claim.peerCertificate] + answer.intermediates
        let isReadable = pieces.allSatisfy { $0.count <= Self.certificateLimitBytes }
        let found = isReadable ? ask(claim) : ccertificates_answer()
        let key = found.leaf_is_readable == 0 ? nil : Self.hexadecimal(found.key_sha256)
        let now = claim.secondsSince1970
        return IdentityVerdict(
            key: key, chainIsTrusted: found.chain_is_trusted != 0, chainIsCurrent: found.chain_is_current != 0,
            // 1 is RSASSA-PKCS1-v1_5, which we asked for.
            signatureFits: found.signature_fits != 0 && answer.signatureAlgorithm <= 1,
            nonceIsEchoed: answer.nonce == claim.nonce,
            peerCertificateIsFresh: found.peer_is_readable != 0 && found.peer_not_before <= now
                && now <= found.peer_not_after && found.peer_not_after - now <= Self.freshSeconds,
            isAudioOnly: found.audio_only != 0)
    }

    /// The signature covers the nonce as the device took it, then its TLS certificate (PROTOCOL 2.8, rule 4).
    private func ask(_ claim: IdentityClaim) -> ccertificates_answer {
        let answer = claim.answer
        // One buffer holds every piece, so that one pointer serves them all while C reads.
        let pieces =
            [answer.certificate, answer.nonce + claim.peerCertificate, answer.signature, claim.peerCertificate]
            + answer.intermediates + roots
        return unsafe pieces.flatMap { $0 }.withUnsafeBufferPointer { buffer in
            var offset = 0
            let slices = unsafe pieces.map { piece in
                defer { offset += piece.count }
                return unsafe ccertificates_bytes(
                    bytes: buffer.baseAddress.map { unsafe $0 + offset }, length: piece.count)
            }
            let intermediates = unsafe slices[4..<4 + answer.intermediates.count]
            return unsafe Array(intermediates).withUnsafeBufferPointer { intermediates in
                unsafe Array(slices.suffix(roots.count)).withUnsafeBufferPointer { roots in
                    var question = unsafe ccertificates_question(
                        leaf: slices[0], intermediates: intermediates.baseAddress,
                        intermediate_count: intermediates.count, roots: roots.baseAddress, root_count: roots.count,
                        signed_bytes: slices[1], signature: slices[2], sha256: answer.isSHA256 ? 1 : 0,
                        peer: slices[3], at: claim.secondsSince1970)
                    return unsafe ccertificates_ask(&question)
                }
            }
        }
    }

    private static func hexadecimal(_ digest: some Any) -> String {
        unsafe withUnsafeBytes(of: digest) { bytes in
            let digits = Array("0123456789abcdef".utf8)
            return unsafe String(
                decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }
    }
}
