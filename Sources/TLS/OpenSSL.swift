import COpenSSL

/// Settings that many TLS connections share: one for all device links, one per simulated device.
///
/// A class, since every connection holds on to it; freed once, by `deinit`. Used from the thread that made it only.
@safe public final class TLSContext {
    private let context: OpaquePointer

    private init(_ context: OpaquePointer) { unsafe self.context = context }
    deinit { unsafe SSL_CTX_free(context) }

    /// For links to devices: any certificate is accepted and kept (PROTOCOL 2.3), and so are the protocol versions and
    /// digests of old devices (security level 0, TLS 1.0).
    ///
    /// Identity is the deviceauth challenge's business.
    public static func forDeviceLinks() throws(TLSError) -> TLSContext {
        let made = try unsafe make(TLS_client_method())
        unsafe SSL_CTX_set_security_level(made.context, 0)
        unsafe SSL_CTX_set_verify(made.context, SSL_VERIFY_NONE, nil)
        return made
    }

    /// For a simulated device: a server with this identity, and no session tickets, which devices do not send.
    public static func forSimulatedDevice(identity: TLSIdentity) throws(TLSError) -> TLSContext {
        let made = try unsafe make(TLS_server_method())
        unsafe SSL_CTX_set_num_tickets(made.context, 0)
        guard unsafe SSL_CTX_use_certificate(made.context, identity.certificate) == 1,
            unsafe SSL_CTX_use_PrivateKey(made.context, identity.key) == 1
        else { throw OpenSSL.error("use certificate") }
        return made
    }

    private static func make(_ method: OpaquePointer?) throws(TLSError) -> TLSContext {
        OpenSSL.clearErrors()
        guard let context = unsafe SSL_CTX_new(method) else { throw OpenSSL.error("create TLS context") }
        let mode = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
        _ = unsafe copenssl_ctx_set_mode(context, Int(mode))
        _ = unsafe copenssl_ctx_set_min_version(context, TLS1_VERSION)
        _ = unsafe copenssl_ctx_disable_session_cache(context)
        return unsafe TLSContext(context)
    }

    /// A connection over a connected socket, which stays the caller's to close afterwards.
    public func connection(over fd: Int32, as role: TLSConnection.Role) throws(TLSError) -> TLSConnection {
        OpenSSL.clearErrors()
        guard let ssl = unsafe SSL_new(context) else { throw OpenSSL.error("create TLS connection") }
        guard unsafe SSL_set_fd(ssl, fd) == 1 else {
            unsafe SSL_free(ssl)
            throw OpenSSL.error("attach socket")
        }
        switch role {
        case .client: unsafe SSL_set_connect_state(ssl)
        case .server: unsafe SSL_set_accept_state(ssl)
        }
        return unsafe TLSConnection(ssl, keeping: self)
    }
}

/// One TLS connection over a non-blocking socket.
///
/// Belongs to one thread; freed once, by `deinit`.
@safe public final class TLSConnection {
    /// Which end we are.
    public enum Role: Sendable { case client, server }

    /// How far an operation came.
    public enum Progress<Value> {
        case done(Value)
        /// Go on when the socket is readable.
        case wantsRead
        /// Go on when the socket is writable.
        case wantsWrite
        /// The other end closed the stream.
        case ended
    }

    private let ssl: OpaquePointer
    private let context: TLSContext

    fileprivate init(_ ssl: OpaquePointer, keeping context: TLSContext) {
        unsafe self.ssl = ssl
        self.context = context
    }

    deinit { unsafe SSL_free(ssl) }

    /// Goes on with the handshake.
    ///
    /// Repeat until done.
    public func handshake() throws(TLSError) -> Progress<Void> {
        OpenSSL.clearErrors()
        let result = unsafe SSL_do_handshake(ssl)
        return result == 1 ? .done(()) : try progress(result, "handshake")
    }

    /// Reads decrypted bytes: as many as there are, up to the size of `buffer`.
    public func read(into buffer: inout [UInt8]) throws(TLSError) -> Progress<Int> {
        OpenSSL.clearErrors()
        let result = unsafe SSL_read(ssl, &buffer, Int32(clamping: buffer.count))
        return result > 0 ? .done(Int(result)) : try progress(result, "read")
    }

    /// Writes bytes from `offset` on; says how many were taken, at least one.
    public func write(_ bytes: [UInt8], from offset: Int) throws(TLSError) -> Progress<Int> {
        OpenSSL.clearErrors()
        let result = unsafe bytes.withUnsafeBytes { buffer in
            unsafe SSL_write(ssl, buffer.baseAddress?.advanced(by: offset), Int32(clamping: buffer.count - offset))
        }
        return result > 0 ? .done(Int(result)) : try progress(result, "write")
    }

    /// Says goodbye (close_notify), without waiting for an answer.
    public func sayGoodbye() {
        OpenSSL.clearErrors()
        _ = unsafe SSL_shutdown(ssl)
        OpenSSL.clearErrors()
    }

    private func progress<Value>(_ result: Int32, _ operation: String) throws(TLSError) -> Progress<Value> {
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: throw OpenSSL.error(operation)
        }
    }

    /// "TLSv1.3" and the like.
    public var version: String { unsafe String(cString: SSL_get_version(ssl)) }

    /// OpenSSL's name of the cipher suite; empty before the handshake.
    public var cipher: String {
        guard let name = unsafe SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)) else { return "" }
        return unsafe String(cString: name)
    }

    /// The other end's certificate, DER; empty when it showed none.
    public var peerCertificate: [UInt8] {
        guard let certificate = unsafe SSL_get1_peer_certificate(ssl) else { return [] }
        defer { unsafe X509_free(certificate) }
        return unsafe OpenSSL.der(of: certificate)
    }
}

/// A key and a self-signed certificate for it, as devices make them for themselves.
///
/// Freed once, by `deinit`.
@safe public final class TLSIdentity {
    fileprivate let key: OpaquePointer
    fileprivate let certificate: OpaquePointer

    private init(key: OpaquePointer, certificate: OpaquePointer) {
        unsafe self.key = key
        unsafe self.certificate = certificate
    }

    deinit {
        unsafe X509_free(certificate)
        unsafe EVP_PKEY_free(key)
    }

    /// The certificate, DER.
    public var certificateDER: [UInt8] { unsafe OpenSSL.der(of: certificate) }

    /// Makes an ECDSA P-256 key and a certificate that is valid for two days, as on real devices (PROTOCOL 2.3).
    public static func selfSigned(commonName: String) throws(TLSError) -> TLSIdentity {
        OpenSSL.clearErrors()
        guard let key = unsafe copenssl_p256_generate(), let certificate = unsafe X509_new() else {
            throw OpenSSL.error("make key")
        }
        let identity = unsafe TLSIdentity(key: key, certificate: certificate)
        unsafe X509_set_version(certificate, 2)
        unsafe ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), -3600)
        unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), 2 * 86_400)
        unsafe X509_set_pubkey(certificate, key)
        let name = unsafe X509_get_subject_name(certificate)
        let bytes = Array(commonName.utf8)
        unsafe X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, bytes, Int32(clamping: bytes.count), -1, 0)
        unsafe X509_set_issuer_name(certificate, name)
        guard unsafe X509_sign(certificate, key, EVP_sha256()) > 0 else { throw OpenSSL.error("sign certificate") }
        return identity
    }
}

/// What all calls of libssl have in common.
private enum OpenSSL {
    /// Empties this thread's queue of errors.
    ///
    /// Must come before every call, or one link's failure shows up on another.
    static func clearErrors() { ERR_clear_error() }

    /// The newest error of this thread.
    static func error(_ operation: String) -> TLSError {
        let number = ERR_peek_last_error()
        defer { ERR_clear_error() }
        guard number != 0, let reason = unsafe ERR_reason_error_string(number) else {
            return TLSError(operation: operation, reason: "connection reset")
        }
        return TLSError(operation: operation, reason: unsafe String(cString: reason))
    }

    static func der(of certificate: OpaquePointer) -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let length = unsafe i2d_X509(certificate, &bytes)
        guard length > 0, let bytes = unsafe bytes else { return [] }
        defer { unsafe copenssl_free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }
}
