import CastModel
import CastWire
import Recording

/// What is known of who a device is.
struct DeviceIdentityState: Equatable {
    /// The TLS certificate of the present link, DER, until the device has answered.
    var peerCertificate: [UInt8]?
    /// Our challenge, until the device has answered.
    var nonce: [UInt8]?
    /// The key that it proved to have first: a device keeps it for ever.
    var provenKey: String?
    /// What the last answer came to: told again only when it changes.
    var lastTold: JSONValue?
}

/// How the answer to our challenge changes what is known of a device (PROTOCOL 2.8).
extension DeviceState {
    /// Longest TLS certificate that is kept for the answer, in bytes; real ones have about 800.
    static let peerCertificateLimitBytes = 8192

    /// Folds a message of the deviceauth namespace; true when the state changed.
    mutating func foldIdentity(
        _ frame: RecordedFrame, at time: WallTime, judge: (any IdentityJudge)?, into events: inout EventCollector
    ) -> Bool {
        guard frame.direction == .inbound else {
            identity.nonce = AuthenticationChallenge(payload: frame.message.payloadBytes)?.nonce
            return identity.nonce != nil
        }
        lastObservedAt = time
        // An answer that nobody asked for proves nothing.
        guard let judge, let nonce = identity.nonce, let certificate = identity.peerCertificate else { return false }
        (identity.nonce, identity.peerCertificate) = (nil, nil)
        do {
            let answer = try AuthenticationAnswer(payload: frame.message.payloadBytes)
            let claim = IdentityClaim(
                nonce: nonce, peerCertificate: certificate, answer: answer,
                secondsSince1970: time.microseconds / 1_000_000)
            tell(judge.verdict(on: claim), hash: answer.isSHA256 ? "SHA256" : "SHA1", into: &events)
        } catch {
            let why =
                switch error {
                case .device(let number): "the device answers with error \(number)"
                case .malformed: "the answer is malformed"
                }
            tell(.identityFailed, ["why": .string(why)], into: &events)
        }
        return true
    }

    private mutating func tell(_ verdict: IdentityVerdict, hash: String, into events: inout EventCollector) {
        var facts = JSONObject(known: [
            ("key", verdict.key.map { .string($0) }), ("hash", .string(hash)),
            ("chainOK", .bool(verdict.chainIsTrusted)),
            ("chainExpired", verdict.chainIsTrusted ? .bool(!verdict.chainIsCurrent) : nil),
            ("nonceEchoed", .bool(verdict.nonceIsEchoed)), ("audioOnly", .bool(verdict.isAudioOnly)),
        ])
        var objection = verdict.objection
        if objection == nil, let proven = identity.provenKey, proven != verdict.key {
            objection = "another key than this device had before"
            facts["knownKey"] = .string(proven)
        }
        if let objection {
            facts["why"] = .string(objection)
            tell(.identityFailed, .object(facts), into: &events)
        } else {
            identity.provenKey = verdict.key
            tell(.identityVerified, .object(facts), into: &events)
        }
    }

    /// A device answers on every link; what it says as before is no event.
    private mutating func tell(_ kind: ChangeEvent.Kind, _ facts: JSONValue, into events: inout EventCollector) {
        guard facts != identity.lastTold else { return }
        events.add(kind, before: identity.lastTold, after: facts)
        identity.lastTold = facts
    }
}

extension DeviceIdentityState {
    /// The fields to store.
    var stateJSON: JSONValue? {
        JSONObject(known: [
            ("peer", peerCertificate.map { .string(Self.text($0)) }), ("nonce", nonce.map { .string(Self.text($0)) }),
            ("key", provenKey.map { .string($0) }), ("told", lastTold),
        ]).unlessEmpty
    }

    init(_ fields: StateFields) throws(DifferError) {
        peerCertificate = try fields.text("peer").flatMap { Base64.decode($0) }
        nonce = try fields.text("nonce").flatMap { Base64.decode($0) }
        provenKey = try fields.text("key")
        lastTold = try fields.object("told").map { .object($0) }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        Base64.write(bytes, to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }
}
