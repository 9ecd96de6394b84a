#pragma once
/* HMAC with SHA-256 (RFC 2104), by libcrypto. */
#include <stddef.h>

/* Puts 32 bytes into `place`; 0 when libcrypto refuses. */
int csignature_hmac_sha256(const void *key, size_t key_length, const void *bytes, size_t length, unsigned char *place);
