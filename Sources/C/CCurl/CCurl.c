#include "include/CCurl.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { head_limit = 65536, start_limit = 1024 };

typedef struct {
    ccurl_answer answer; /* first, so that whoever has one has the other */
    const ccurl_question *question;
    char address[INET6_ADDRSTRLEN];
    char failure[CURL_ERROR_SIZE];
    char redirect[4096];
    char head[head_limit];
    unsigned char start[start_limit];
} exchange;

static int is_nearby_v4(uint32_t address) {
    return address >> 24 == 127 || address >> 24 == 0 || address >> 16 == 0xA9FE;
}

static int is_nearby(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        return is_nearby_v4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
    }
    if (address->sa_family != AF_INET6) return 1;
    const struct in6_addr *in6 = &((const struct sockaddr_in6 *)address)->sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(in6) || IN6_IS_ADDR_V4COMPAT(in6)) {
        uint32_t inner;
        memcpy(&inner, in6->s6_addr + 12, 4);
        return is_nearby_v4(ntohl(inner));
    }
    return IN6_IS_ADDR_LOOPBACK(in6) || IN6_IS_ADDR_UNSPECIFIED(in6) || IN6_IS_ADDR_LINKLOCAL(in6);
}

int ccurl_is_nearby(const char *address) {
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, address, &in.sin_addr) == 1) return is_nearby((const struct sockaddr *)&in);
    if (inet_pton(AF_INET6, address, &in6.sin6_addr) == 1) return is_nearby((const struct sockaddr *)&in6);
    return 1;
}

/* Asked for each address before it is connected to, after names were resolved: no name gets around it. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *wanted) {
    exchange *self = context;
    ccurl_answer *answer = &self->answer;
    (void)purpose;
    const void *raw = wanted->family == AF_INET ? (const void *)&((struct sockaddr_in *)&wanted->addr)->sin_addr
                                                : (const void *)&((struct sockaddr_in6 *)&wanted->addr)->sin6_addr;
    if (!inet_ntop(wanted->family, raw, self->address, sizeof self->address)) self->address[0] = 0;
    answer->is_nearby = is_nearby(&wanted->addr);
    if (answer->is_nearby && self->question->refuses_nearby) {
        answer->was_refused = 1;
        return CURL_SOCKET_BAD;
    }
    answer->was_refused = 0;
    return socket(wanted->family, wanted->socktype | SOCK_CLOEXEC, wanted->protocol);
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    exchange *self = context;
    ccurl_answer *answer = &self->answer;
    size_t length = size * count;
    /* An answer such as 100 Continue comes before the real one. */
    if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) answer->head_length = 0;
    if (length > head_limit - answer->head_length) {
        answer->head_is_cut = 1;
        return length;
    }
    memcpy(self->head + answer->head_length, bytes, length);
    answer->head_length += length;
    return length;
}

/* Takes what fits, and ends the transfer with the byte after: a film need not come along. */
static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    exchange *self = context;
    ccurl_answer *answer = &self->answer;
    size_t length = size * count, room = start_limit - answer->start_length;
    size_t taken = length < room ? length : room;
    memcpy(self->start + answer->start_length, bytes, taken);
    answer->start_length += taken;
    return taken;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void initialize(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

/* One header per line; NULL when there is none, or no memory for them all. */
static struct curl_slist *header_list(const char *lines) {
    struct curl_slist *list = NULL;
    char *text = strdup(lines), *rest = NULL;
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        struct curl_slist *longer = curl_slist_append(list, line);
        if (longer) list = longer;
    }
    free(text);
    return list;
}

static void perform(exchange *self, CURL *handle) {
    ccurl_answer *answer = &self->answer;
    CURLcode result = curl_easy_perform(handle);
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
    char *redirect = NULL;
    curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &redirect);
    if (redirect && strlen(redirect) < sizeof self->redirect) strcpy(self->redirect, redirect);
    int is_full = result == CURLE_WRITE_ERROR && answer->start_length == start_limit;
    if (result == CURLE_OK || is_full) {
        self->failure[0] = 0;
        return;
    }
    if (!self->failure[0]) strncpy(self->failure, curl_easy_strerror(result), sizeof self->failure - 1);
    answer->status = 0;
}

const ccurl_answer *ccurl_ask(const ccurl_question *question) {
    pthread_once(&once, initialize);
    CURL *handle = curl_easy_init();
    exchange *self = calloc(1, sizeof *self);
    if (!handle || !self) {
        if (handle) curl_easy_cleanup(handle);
        free(self);
        return NULL;
    }
    self->question = question;
    self->answer.address = self->address;
    self->answer.failure = self->failure;
    self->answer.redirect = self->redirect;
    self->answer.head = self->head;
    self->answer.start = self->start;
    struct curl_slist *headers = header_list(question->headers);
    curl_easy_setopt(handle, CURLOPT_URL, question->url);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_PROXY, ""); /* a receiver has none */
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    if (question->is_preflight) curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, "OPTIONS");
    if (question->body) {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)question->body_length);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, question->body);
    }
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, question->timeout_milliseconds);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, self->failure);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, self);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, self);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, self);
    perform(self, handle);
    curl_slist_free_all(headers);
    curl_easy_cleanup(handle);
    return &self->answer;
}

void ccurl_free(const ccurl_answer *answer) { free((void *)answer); }
