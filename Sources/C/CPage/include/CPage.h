#pragma once
/* The files of the page, inside the program. */
#include <stddef.h>

/* How many there are. */
size_t cpage_count(void);
/* The name of one, such as "index.html"; its content and how long it is. */
const char *cpage_name(size_t index);
const unsigned char *cpage_content(size_t index, size_t *length);
