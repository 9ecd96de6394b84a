#pragma once
/* avahi-client: browse, resolve and publish over D-Bus. */
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>

/* An address as text, into `text`. */
static inline const char *cavahi_address_text(char *text, size_t length, const AvahiAddress *address) {
    return avahi_address_snprint(text, length, address);
}
