#pragma once
/* libcurl with a narrow face: one HTTP request, its answer's head and first bytes. No redirect is followed. */
#include <stddef.h>

typedef struct {
    const char *url;           /* http or https */
    int is_preflight;          /* 1: OPTIONS, 0: GET */
    const char *headers;       /* lines "Name: value", each with a line feed */
    int refuses_nearby;        /* 1: no connection to loopback, link-local or unspecified addresses */
    long timeout_milliseconds; /* for all of it */
    const void *body;          /* NULL: no POST */
    size_t body_length;
} ccurl_question;

typedef struct {
    long status;         /* 0 when nothing was answered */
    int was_refused;     /* an address was not connected to: see refuses_nearby */
    int is_nearby;       /* the address below is of that kind */
    int head_is_cut;     /* there were more header lines than we take: 64 KiB */
    const char *address; /* numeric, connected to or refused; empty when there was none */
    const char *failure; /* why nothing was answered; empty when something was */
    const char *redirect; /* where it sends us, in full; empty when it does not, or beyond 4 KiB */
    const char *head;    /* header lines of the last answer, each with its line end */
    size_t head_length;
    const unsigned char *start; /* the first bytes of the body, at most 1,024 */
    size_t start_length;
} ccurl_answer;

/* What went wrong stands in the answer; NULL when memory is short. Blocks for timeout_milliseconds at most. */
const ccurl_answer *ccurl_ask(const ccurl_question *question);
void ccurl_free(const ccurl_answer *answer);

/* Whether a numeric address is loopback, link-local or unspecified. What is no address is. */
int ccurl_is_nearby(const char *address);
