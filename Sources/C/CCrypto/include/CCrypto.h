#pragma once
/* libcrypto's digests, for the archive's hash chain. */
#include <openssl/evp.h>
#include <openssl/sha.h>
