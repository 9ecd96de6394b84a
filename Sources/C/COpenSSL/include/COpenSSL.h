#pragma once
/* libssl for Swift: the headers, and wrappers for the macros that Swift cannot import. */
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

static inline long copenssl_ctx_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }
static inline int copenssl_ctx_set_min_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}
static inline long copenssl_ctx_disable_session_cache(SSL_CTX *context) {
    return SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
/* A new RSA key of `bits`; EVP_RSA_gen is a macro. */
static inline EVP_PKEY *copenssl_rsa_generate(unsigned int bits) { return EVP_RSA_gen(bits); }
/* A new ECDSA P-256 key. */
static inline EVP_PKEY *copenssl_p256_generate(void) { return EVP_EC_gen("P-256"); }
static inline void copenssl_free(void *memory) { OPENSSL_free(memory); }
