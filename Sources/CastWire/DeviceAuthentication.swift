/// The challenge to a device to prove who it is: `AuthChallenge` within `DeviceAuthMessage` (PROTOCOL 2.8).
public struct AuthenticationChallenge: Sendable, Equatable {
    /// What the device has to sign beside its TLS certificate.
    public var nonce: [UInt8]

    /// A challenge.
    public init(nonce: [UInt8]) { self.nonce = nonce }

    /// The challenge that a payload holds; nil when it holds none.
    public init?(payload: [UInt8]) {
        guard let challenge = try? ProtobufFields(payload).delimited(1),
            let nonce = try? ProtobufFields(challenge).delimited(2)
        else { return nil }
        self.nonce = nonce
    }

    /// The payload: RSA with PKCS #1 v1.5 over SHA-256, the nonce.
    ///
    /// - Precondition: The nonce has at most 100 bytes.
    public var payload: [UInt8] {
        precondition(nonce.count <= 100, "a nonce has 16 bytes")
        // AuthChallenge: 1 signature_algorithm = RSASSA_PKCS1v15, 2 sender_nonce, 3 hash_algorithm = SHA256.
        let challenge: [UInt8] = [0x08, 1, 0x12, UInt8(nonce.count)] + nonce + [0x18, 1]
        return [0x0A, UInt8(challenge.count)] + challenge
    }
}

/// What a device answers to a challenge: `AuthResponse` or `AuthError` within `DeviceAuthMessage` (PROTOCOL 2.8).
public struct AuthenticationAnswer: Sendable, Equatable {
    /// Over the nonce and the TLS certificate.
    public var signature: [UInt8]
    /// The certificate of the key that signed, DER.
    public var certificate: [UInt8]
    /// The certificates between that one and a root, DER.
    public var intermediates: [[UInt8]]
    /// 1 is RSASSA-PKCS1-v1_5, 2 is RSASSA-PSS.
    public var signatureAlgorithm: UInt64
    /// The nonce as the device took it: empty in a replayed answer.
    public var nonce: [UInt8]
    /// Whether the signature is over SHA-256; SHA-1 otherwise.
    public var isSHA256: Bool

    /// Why a payload is no answer.
    public enum Refusal: Error, Sendable, Equatable {
        /// The device says that it cannot: 0 internal, 1 no TLS, 2 the signature algorithm.
        case device(error: UInt64)
        /// Not what PROTOCOL 2.8 describes.
        case malformed
    }

    /// Intermediates read from one answer, at most.
    public static let intermediateLimit = 8

    /// The answer that a payload holds.
    public init(payload: [UInt8]) throws(Refusal) {
        do {
            let message = try ProtobufFields(payload)
            if let error = message.delimited(3) {
                throw Refusal.device(error: try ProtobufFields(error).varint(1) ?? 0)
            }
            guard let response = message.delimited(2) else { throw Refusal.malformed }
            let fields = try ProtobufFields(response)
            guard let signature = fields.delimited(1), let certificate = fields.delimited(2) else {
                throw Refusal.malformed
            }
            self.signature = signature
            self.certificate = certificate
            intermediates = Array(fields.allDelimited(3).prefix(Self.intermediateLimit))
            signatureAlgorithm = fields.varint(4) ?? 1
            nonce = fields.delimited(5) ?? []
            isSHA256 = fields.varint(6) == 1
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw .malformed
        }
    }
}

/// All fields of a small protobuf message, by number.
struct ProtobufFields {
    private var fields: [ProtobufReader.Field] = []
    /// Fields of one message, at most.
    private static let limit = 64

    init(_ body: [UInt8]) throws(WireError) {
        var reader = ProtobufReader(body)
        while fields.count < Self.limit, let field = try reader.nextField() { fields.append(field) }
    }

    /// The bytes of a field; of repeated ones the last, as protobuf has it.
    func delimited(_ number: Int) -> [UInt8]? { allDelimited(number).last }

    /// The bytes of every field of a number, in order.
    func allDelimited(_ number: Int) -> [[UInt8]] {
        fields.compactMap { field in
            guard field.number == number, case .delimited(let bytes) = field.value else { return nil }
            return Array(bytes)
        }
    }

    /// The number in a field.
    func varint(_ number: Int) -> UInt64? {
        for field in fields.reversed() {
            if field.number == number, case .varint(let value) = field.value { return value }
        }
        return nil
    }
}
