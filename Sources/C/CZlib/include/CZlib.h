#pragma once
/* zlib's deflate in the gzip form (RFC 1952), piece by piece. */
#include <stddef.h>

typedef struct czlib_stream czlib_stream;

/* NULL when memory is short. */
czlib_stream *czlib_begin(int level);
void czlib_end(czlib_stream *stream);
/* Compresses from `bytes` into `place`: how many bytes were written. `*taken` of the input were used up; call again with
   the rest while the place was filled. `finishes`: this is the last input. */
size_t czlib_step(czlib_stream *stream, const unsigned char *bytes, size_t length, size_t *taken, int finishes,
    unsigned char *place, size_t limit);
