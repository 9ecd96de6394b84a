#pragma once
/* simdjson with a C face: one parse, then one flat walk over the whole document. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csimdjson_parser csimdjson_parser;

enum csimdjson_kind {
    CSIMDJSON_NULL = 0,
    CSIMDJSON_FALSE = 1,
    CSIMDJSON_TRUE = 2,
    CSIMDJSON_INTEGER = 3,  /* integer */
    CSIMDJSON_UNSIGNED = 4, /* integer, read as uint64: above INT64_MAX */
    CSIMDJSON_DOUBLE = 5,   /* number */
    CSIMDJSON_STRING = 6,   /* text, length */
    CSIMDJSON_KEY = 7,      /* text, length: the key of the next value */
    CSIMDJSON_ARRAY = 8,    /* length: how many values follow */
    CSIMDJSON_OBJECT = 9    /* length: how many key and value pairs follow */
};

typedef struct {
    uint8_t kind;
    uint32_t length;
    union {
        int64_t integer;
        double number;
        const char *text; /* valid until the next parse; not terminated; valid UTF-8; may hold NUL */
    } value;
} csimdjson_token;

/* NULL when memory is short. `max_depth`: arrays and objects within each other. */
csimdjson_parser *csimdjson_create(size_t max_depth);
void csimdjson_free(csimdjson_parser *parser);

/* Parses a whole document and flattens it, depth first. On success returns 0, and `tokens` and `count` name
 * an array that is valid until the next parse. Otherwise returns simdjson's error number. Copies `bytes`. */
int csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t length, const csimdjson_token **tokens,
                    size_t *count);

/* What an error number means, in simdjson's words. Never NULL. */
const char *csimdjson_error(int error);

#ifdef __cplusplus
}
#endif
