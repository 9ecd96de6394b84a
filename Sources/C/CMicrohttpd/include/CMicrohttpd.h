#pragma once
/* libmicrohttpd with a narrow face: one daemon with an epoll thread of its own, calls for what happens on it, and
   answers from memory or piece by piece. */
#include <stddef.h>

typedef struct cmhd_daemon cmhd_daemon;
typedef struct cmhd_connection cmhd_connection; /* one of libmicrohttpd's own */

typedef struct {
    /* A request begins: its raw target, and what stands for it in the other calls from now on. */
    void *(*begin)(void *context, const char *target, cmhd_connection *connection);
    /* Its head is there (is_first), then each piece of its body, then once with no bytes: it is whole, or it was resumed
       and has its answer. 0 ends the connection without one. */
    int (*handle)(void *exchange, const char *method, const char *piece, size_t length, int is_first);
    /* Bytes of a streamed answer: how many were put into `place`, 0 after cmhd_suspend, -1 at the end, -2 to break off. */
    long (*read)(void *exchange, char *place, size_t limit);
    /* It is over, one way or another; `exchange` is not used any more. */
    void (*finish)(void *exchange);
    /* A connection begins (is_open) or ends; `descriptor` is open during the call. */
    void (*connected)(void *context, int descriptor, int is_open);
} cmhd_calls;

typedef struct {
    int listener;                 /* bound and listening; the daemon closes it */
    unsigned connection_limit;    /* more wait in the kernel's queue */
    unsigned address_limit;       /* per address: more are closed at once */
    unsigned timeout_seconds;     /* without a byte in either direction, unless suspended */
    size_t memory_bytes;          /* for the head of a request */
    const char *tls_key;          /* PEM; NULL for none */
    const char *tls_certificate;  /* PEM; NULL for none */
} cmhd_settings;

/* NULL when it could not be started. */
cmhd_daemon *cmhd_start(const cmhd_settings *settings, const cmhd_calls *calls, void *context);
/* No connection may be suspended. Blocks until the thread has ended. */
void cmhd_stop(cmhd_daemon *daemon);

/* A header of the request; NULL when it has none of that name. */
const char *cmhd_header(cmhd_connection *connection, const char *name);
/* How many headers of that name it has. */
unsigned cmhd_header_count(cmhd_connection *connection, const char *name);
/* Its descriptor; -1 when unknown. */
int cmhd_descriptor(cmhd_connection *connection);
/* The other end's numeric address into `place`; empty when unknown. */
void cmhd_address(cmhd_connection *connection, char *place, size_t limit);

/* Holds the request until cmhd_resume: in handle, or in read, which then returns 0. */
void cmhd_suspend(cmhd_connection *connection);
/* From any thread; once for each cmhd_suspend, and after it. */
void cmhd_resume(cmhd_connection *connection);

/* Answers with bytes, which are copied. `headers` are lines "Name: value", each with a line feed. 0 when it failed. */
int cmhd_answer(cmhd_connection *connection, unsigned status, const char *headers, const void *body, size_t length);
/* Answers with what `read` gives. */
int cmhd_answer_streamed(cmhd_daemon *daemon, cmhd_connection *connection, unsigned status, const char *headers,
    void *exchange);
