/* Written by Sources/Web/embed: edit the files of Sources/Web/Page, not this. */
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char content_0[] = {
#embed "../../Web/Page/index.html" if_empty(0)
};

static const struct {
    const char *name;
    const unsigned char *content;
    size_t length;
} files[] = {
    {"index.html", content_0, sizeof content_0},
};

size_t cpage_count(void) { return sizeof files / sizeof files[0]; }

const char *cpage_name(size_t index) { return files[index].name; }

const unsigned char *cpage_content(size_t index, size_t *length) {
    *length = files[index].length;
    return files[index].content;
}
