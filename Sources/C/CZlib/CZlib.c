#include "CZlib.h"

#include <stdlib.h>
#include <zlib.h>

struct czlib_stream {
    z_stream state;
};

czlib_stream *czlib_begin(int level) {
    czlib_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) return NULL;
    /* 16 beyond the largest window: the gzip form. */
    if (deflateInit2(&stream->state, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK) return stream;
    free(stream);
    return NULL;
}

void czlib_end(czlib_stream *stream) {
    deflateEnd(&stream->state);
    free(stream);
}

size_t czlib_step(czlib_stream *stream, const unsigned char *bytes, size_t length, size_t *taken, int finishes,
    unsigned char *place, size_t limit) {
    unsigned in_limit = 1u << 30;
    unsigned given = length < in_limit ? (unsigned)length : in_limit;
    stream->state.next_in = (unsigned char *)bytes;
    stream->state.avail_in = given;
    stream->state.next_out = place;
    stream->state.avail_out = (unsigned)limit;
    deflate(&stream->state, finishes && given == length ? Z_FINISH : Z_NO_FLUSH);
    *taken = given - stream->state.avail_in;
    return limit - stream->state.avail_out;
}
