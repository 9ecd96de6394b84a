public import CastWire

/// Everything that a device showed to prove who it is, in answer to one challenge (PROTOCOL 2.8).
public struct IdentityClaim: Sendable, Equatable {
    /// What we asked it to sign.
    public var nonce: [UInt8]
    /// The certificate of its TLS link, DER.
    public var peerCertificate: [UInt8]
    /// What it answered.
    public var answer: AuthenticationAnswer
    /// When, in seconds since 1970.
    public var secondsSince1970: Int64

    /// A claim.
    public init(nonce: [UInt8], peerCertificate: [UInt8], answer: AuthenticationAnswer, secondsSince1970: Int64) {
        self.nonce = nonce
        self.peerCertificate = peerCertificate
        self.answer = answer
        self.secondsSince1970 = secondsSince1970
    }
}

/// What a claim is worth.
public struct IdentityVerdict: Sendable, Equatable {
    /// SHA-256 of the public key that signed, as lower-case hexadecimal: the device, whatever certificate it shows.
    ///
    /// Nil when its certificate cannot be read.
    public var key: String?
    /// Whether a root of Google's vouches for the key, at whatever time.
    public var chainIsTrusted: Bool
    /// Whether every certificate up to the root is also valid now.
    ///
    /// Google's own intermediates of 2015 have expired: that alone speaks against nobody.
    public var chainIsCurrent: Bool
    /// Whether the signature fits the nonce that the device echoed and its TLS certificate.
    public var signatureFits: Bool
    /// Whether the device echoed our nonce.
    ///
    /// Without it, the answer may be a recording of another device's.
    public var nonceIsEchoed: Bool
    /// Whether the TLS certificate is valid now and for four days at most, as Chrome demands.
    public var peerCertificateIsFresh: Bool
    /// Whether the chain says that the device only plays sound.
    public var isAudioOnly: Bool

    /// A verdict, part by part.
    public init(
        key: String?, chainIsTrusted: Bool, chainIsCurrent: Bool, signatureFits: Bool, nonceIsEchoed: Bool,
        peerCertificateIsFresh: Bool, isAudioOnly: Bool
    ) {
        self.key = key
        self.chainIsTrusted = chainIsTrusted
        self.chainIsCurrent = chainIsCurrent
        self.signatureFits = signatureFits
        self.nonceIsEchoed = nonceIsEchoed
        self.peerCertificateIsFresh = peerCertificateIsFresh
        self.isAudioOnly = isAudioOnly
    }

    /// What speaks against the claim first; nil when the device proved possession of a key that a root vouches for.
    public var objection: String? {
        if key == nil { return "its certificate cannot be read" }
        if !chainIsTrusted { return "no Cast root vouches for its key" }
        if !signatureFits { return "the signature does not fit" }
        if !nonceIsEchoed { return "our nonce is not in the answer: it may be a recording" }
        if !peerCertificateIsFresh { return "its TLS certificate is not of these days" }
        return nil
    }
}

/// Judges claims.
///
/// The differ computes and imports no cryptography, so whoever runs it brings the judge. The same claim must give the
/// same verdict for ever: it decides by the claim's own time.
public protocol IdentityJudge: Sendable {
    /// What a claim is worth.
    func verdict(on claim: IdentityClaim) -> IdentityVerdict
}
