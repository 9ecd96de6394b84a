#include "CSignature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

int csignature_hmac_sha256(const void *key, size_t key_length, const void *bytes, size_t length, unsigned char *place) {
    unsigned written = 0;
    return HMAC(EVP_sha256(), key, (int)key_length, bytes, length, place, &written) != NULL && written == 32;
}
