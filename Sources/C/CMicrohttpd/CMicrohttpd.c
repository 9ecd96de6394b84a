#include "CMicrohttpd.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

struct cmhd_daemon {
    struct MHD_Daemon *daemon;
    cmhd_calls calls;
    void *context;
};

/* What libmicrohttpd keeps per request. */
typedef struct {
    cmhd_daemon *owner;
    void *exchange;
    int has_begun;
} request;

static void *begin(void *cls, const char *target, struct MHD_Connection *connection) {
    cmhd_daemon *owner = cls;
    request *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->owner = owner;
    made->exchange = owner->calls.begin(owner->context, target, (cmhd_connection *)connection);
    return made;
}

static enum MHD_Result handle(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *piece, size_t *length, void **kept) {
    (void)cls, (void)connection, (void)url, (void)version;
    request *made = *kept;
    if (made == NULL) return MHD_NO;
    int is_first = !made->has_begun;
    made->has_begun = 1;
    int goes_on = made->owner->calls.handle(made->exchange, method, piece, is_first ? 0 : *length, is_first);
    if (!is_first) *length = 0;
    return goes_on ? MHD_YES : MHD_NO;
}

static void completed(void *cls, struct MHD_Connection *connection, void **kept,
    enum MHD_RequestTerminationCode how) {
    (void)cls, (void)connection, (void)how;
    request *made = *kept;
    if (made == NULL) return;
    made->owner->calls.finish(made->exchange);
    free(made);
    *kept = NULL;
}

static void connected(void *cls, struct MHD_Connection *connection, void **kept,
    enum MHD_ConnectionNotificationCode what) {
    (void)kept;
    cmhd_daemon *owner = cls;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info != NULL) owner->calls.connected(owner->context, info->connect_fd, what == MHD_CONNECTION_NOTIFY_STARTED);
}

/* Targets are read raw: percent escapes are ours to judge. */
static size_t leave_escapes(void *cls, struct MHD_Connection *connection, char *text) {
    (void)cls, (void)connection;
    return strlen(text);
}

cmhd_daemon *cmhd_start(const cmhd_settings *settings, const cmhd_calls *calls, void *context) {
    cmhd_daemon *owner = calloc(1, sizeof *owner);
    if (owner == NULL) return NULL;
    owner->calls = *calls;
    owner->context = context;
    int has_tls = settings->tls_key != NULL && settings->tls_certificate != NULL;
    struct MHD_OptionItem options[16] = {
        {MHD_OPTION_LISTEN_SOCKET, settings->listener, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->address_limit, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout_seconds, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->memory_bytes, NULL},
        {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
        {MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)&begin, owner},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)&completed, owner},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)&connected, owner},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)&leave_escapes, NULL},
        {has_tls ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)settings->tls_key},
        {has_tls ? MHD_OPTION_HTTPS_MEM_CERT : MHD_OPTION_END, 0, (void *)settings->tls_certificate},
        {MHD_OPTION_END, 0, NULL},
    };
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (has_tls ? MHD_USE_TLS : 0);
    owner->daemon = MHD_start_daemon(flags, 0, NULL, NULL, &handle, owner, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
    if (owner->daemon != NULL) return owner;
    free(owner);
    return NULL;
}

void cmhd_stop(cmhd_daemon *owner) {
    MHD_stop_daemon(owner->daemon);
    free(owner);
}

const char *cmhd_header(cmhd_connection *connection, const char *name) {
    return MHD_lookup_connection_value((struct MHD_Connection *)connection, MHD_HEADER_KIND, name);
}

typedef struct {
    const char *name;
    unsigned count;
} tally;

static enum MHD_Result count_header(void *cls, enum MHD_ValueKind kind, const char *key, const char *value) {
    (void)kind, (void)value;
    tally *counted = cls;
    if (key != NULL && strcasecmp(key, counted->name) == 0) counted->count++;
    return MHD_YES;
}

unsigned cmhd_header_count(cmhd_connection *connection, const char *name) {
    tally counted = {name, 0};
    MHD_get_connection_values((struct MHD_Connection *)connection, MHD_HEADER_KIND, &count_header, &counted);
    return counted.count;
}

int cmhd_descriptor(cmhd_connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info((struct MHD_Connection *)connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

void cmhd_address(cmhd_connection *connection, char *place, size_t limit) {
    place[0] = '\0';
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info((struct MHD_Connection *)connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info == NULL || info->client_addr == NULL) return;
    const struct sockaddr *address = info->client_addr;
    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, place, (socklen_t)limit);
    else if (address->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, place, (socklen_t)limit);
}

void cmhd_suspend(cmhd_connection *connection) { MHD_suspend_connection((struct MHD_Connection *)connection); }

void cmhd_resume(cmhd_connection *connection) { MHD_resume_connection((struct MHD_Connection *)connection); }

static void add_headers(struct MHD_Response *response, const char *headers) {
    char line[4096];
    while (*headers != '\0') {
        size_t length = strcspn(headers, "\n");
        if (length < sizeof line) {
            memcpy(line, headers, length);
            line[length] = '\0';
            char *colon = strstr(line, ": ");
            if (colon != NULL) {
                *colon = '\0';
                MHD_add_response_header(response, line, colon + 2);
            }
        }
        headers += length + (headers[length] == '\n');
    }
}

static int queue(cmhd_connection *connection, unsigned status, const char *headers, struct MHD_Response *response) {
    if (response == NULL) return 0;
    add_headers(response, headers);
    enum MHD_Result queued = MHD_queue_response((struct MHD_Connection *)connection, status, response);
    MHD_destroy_response(response);
    return queued == MHD_YES;
}

int cmhd_answer(cmhd_connection *connection, unsigned status, const char *headers, const void *body, size_t length) {
    return queue(connection, status, headers,
        MHD_create_response_from_buffer(length, (void *)body, MHD_RESPMEM_MUST_COPY));
}

typedef struct {
    cmhd_daemon *owner;
    void *exchange;
} streamed;

static ssize_t read_piece(void *cls, uint64_t position, char *place, size_t limit) {
    (void)position;
    streamed *source = cls;
    long count = source->owner->calls.read(source->exchange, place, limit);
    if (count == -1) return MHD_CONTENT_READER_END_OF_STREAM;
    if (count < 0) return MHD_CONTENT_READER_END_WITH_ERROR;
    return count;
}

int cmhd_answer_streamed(cmhd_daemon *owner, cmhd_connection *connection, unsigned status, const char *headers,
    void *exchange) {
    streamed *source = malloc(sizeof *source);
    if (source == NULL) return 0;
    source->owner = owner;
    source->exchange = exchange;
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 32768, &read_piece, source, &free);
    if (response == NULL) free(source);
    return queue(connection, status, headers, response);
}
