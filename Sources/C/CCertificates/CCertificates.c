#include "include/CCertificates.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

static X509 *read_certificate(ccertificates_bytes der) {
    if (der.length == 0 || der.length > INT_MAX) return NULL;
    const unsigned char *bytes = der.bytes;
    return d2i_X509(NULL, &bytes, (long)der.length);
}

static int read_time(const ASN1_TIME *time, int64_t *seconds) {
    struct tm parts;
    if (!time || !ASN1_TIME_to_tm(time, &parts)) return 0;
    *seconds = (int64_t)timegm(&parts);
    return 1;
}

/* Google's policy of devices that only play sound. */
static int is_audio_only(X509 *certificate) {
    CERTIFICATEPOLICIES *policies = X509_get_ext_d2i(certificate, NID_certificate_policies, NULL, NULL);
    int found = 0;
    for (int index = 0; index < sk_POLICYINFO_num(policies); index++) {
        char name[64];
        OBJ_obj2txt(name, sizeof name, sk_POLICYINFO_value(policies, index)->policyid, 1);
        if (strcmp(name, "1.3.6.1.4.1.11129.2.5.2") == 0) found = 1;
    }
    CERTIFICATEPOLICIES_free(policies);
    return found;
}

/* At a moment, or at any when `at` is NULL. */
static int verify_chain(
    X509_STORE *store, X509 *leaf, STACK_OF(X509) *intermediates, const int64_t *at, int *audio_only) {
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    if (!context || !X509_STORE_CTX_init(context, store, leaf, intermediates)) {
        X509_STORE_CTX_free(context);
        return 0;
    }
    X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(context);
    if (at)
        X509_VERIFY_PARAM_set_time(rules, (time_t)*at);
    else
        X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_NO_CHECK_TIME);
    X509_VERIFY_PARAM_set_auth_level(rules, 0); /* the roots are signed with SHA-1 */
    int trusted = X509_verify_cert(context) == 1;
    if (trusted && audio_only) {
        STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(context);
        for (int index = 0; index < sk_X509_num(chain); index++)
            *audio_only |= is_audio_only(sk_X509_value(chain, index));
    }
    X509_STORE_CTX_free(context);
    return trusted;
}

static int verify_signature(X509 *leaf, const ccertificates_question *question) {
    EVP_PKEY *key = X509_get0_pubkey(leaf);
    if (!key || EVP_PKEY_base_id(key) != EVP_PKEY_RSA) return 0;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int fits = context && EVP_DigestVerifyInit(context, NULL, question->sha256 ? EVP_sha256() : EVP_sha1(), NULL, key) == 1
        && EVP_DigestVerify(context, question->signature.bytes, question->signature.length,
               question->signed_bytes.bytes, question->signed_bytes.length) == 1;
    EVP_MD_CTX_free(context);
    return fits;
}

ccertificates_answer ccertificates_ask(const ccertificates_question *question) {
    ccertificates_answer answer = {0};
    ERR_clear_error();
    X509 *peer = read_certificate(question->peer);
    if (peer)
        answer.peer_is_readable = read_time(X509_get0_notBefore(peer), &answer.peer_not_before)
            && read_time(X509_get0_notAfter(peer), &answer.peer_not_after);
    X509_free(peer);

    X509 *leaf = read_certificate(question->leaf);
    X509_STORE *store = X509_STORE_new();
    STACK_OF(X509) *intermediates = sk_X509_new_null();
    if (leaf && store && intermediates) {
        answer.leaf_is_readable = 1;
        for (size_t index = 0; index < question->root_count; index++) {
            X509 *root = read_certificate(question->roots[index]);
            if (root) X509_STORE_add_cert(store, root);
            X509_free(root);
        }
        for (size_t index = 0; index < question->intermediate_count; index++) {
            X509 *intermediate = read_certificate(question->intermediates[index]);
            if (intermediate && !sk_X509_push(intermediates, intermediate)) X509_free(intermediate);
        }
        unsigned int length = sizeof answer.key_sha256;
        unsigned char *key = NULL;
        int key_length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(leaf), &key);
        if (key_length > 0) EVP_Digest(key, (size_t)key_length, answer.key_sha256, &length, EVP_sha256(), NULL);
        OPENSSL_free(key);
        answer.chain_is_trusted = verify_chain(store, leaf, intermediates, NULL, &answer.audio_only);
        answer.chain_is_current =
            answer.chain_is_trusted && verify_chain(store, leaf, intermediates, &question->at, NULL);
        answer.signature_fits = verify_signature(leaf, question);
    }
    sk_X509_pop_free(intermediates, X509_free);
    X509_STORE_free(store);
    X509_free(leaf);
    ERR_clear_error();
    return answer;
}
