#pragma once
/* libcrypto's certificates with a narrow face: one question about one deviceauth answer. */
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *bytes;
    size_t length;
} ccertificates_bytes;

/* What a device showed. Everything but the roots comes from a peer. */
typedef struct {
    ccertificates_bytes leaf;                 /* DER: the certificate whose key signed */
    const ccertificates_bytes *intermediates; /* DER */
    size_t intermediate_count;
    const ccertificates_bytes *roots; /* DER: whom we trust */
    size_t root_count;
    ccertificates_bytes signed_bytes; /* what the signature covers */
    ccertificates_bytes signature;    /* RSA, PKCS #1 v1.5 */
    int sha256;                       /* 1: over SHA-256, 0: over SHA-1 */
    ccertificates_bytes peer;         /* DER: the TLS certificate */
    int64_t at;                       /* when, in seconds since 1970 */
} ccertificates_question;

typedef struct {
    int leaf_is_readable;
    int chain_is_trusted; /* up to a root, whatever the time */
    int chain_is_current; /* and every certificate of it is valid at that time */
    int signature_fits;
    int audio_only;         /* the policy of audio devices is in the chain */
    int peer_is_readable;   /* then the two below hold */
    int64_t peer_not_before; /* seconds since 1970 */
    int64_t peer_not_after;  /* seconds since 1970 */
    uint8_t key_sha256[32]; /* of the leaf's SubjectPublicKeyInfo; zeros when unreadable */
} ccertificates_answer;

/* Never fails: what cannot be read is answered with 0. */
ccertificates_answer ccertificates_ask(const ccertificates_question *question);
