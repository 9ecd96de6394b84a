/* Written by Sources/Web/embed: edit the files of Sources/Web/Page, not this. */
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char content_0[] = {
#embed "../../Web/Page/api.js" if_empty(0)
};
static const unsigned char content_1[] = {
#embed "../../Web/Page/axis.js" if_empty(0)
};
static const unsigned char content_2[] = {
#embed "../../Web/Page/card.js" if_empty(0)
};
static const unsigned char content_3[] = {
#embed "../../Web/Page/chosen-span.js" if_empty(0)
};
static const unsigned char content_4[] = {
#embed "../../Web/Page/columns.js" if_empty(0)
};
static const unsigned char content_5[] = {
#embed "../../Web/Page/conflicts.js" if_empty(0)
};
static const unsigned char content_6[] = {
#embed "../../Web/Page/device-cells.js" if_empty(0)
};
static const unsigned char content_7[] = {
#embed "../../Web/Page/device.js" if_empty(0)
};
static const unsigned char content_8[] = {
#embed "../../Web/Page/devices-now.js" if_empty(0)
};
static const unsigned char content_9[] = {
#embed "../../Web/Page/devices.js" if_empty(0)
};
static const unsigned char content_10[] = {
#embed "../../Web/Page/difference.js" if_empty(0)
};
static const unsigned char content_11[] = {
#embed "../../Web/Page/dom.js" if_empty(0)
};
static const unsigned char content_12[] = {
#embed "../../Web/Page/event-list.js" if_empty(0)
};
static const unsigned char content_13[] = {
#embed "../../Web/Page/filters.js" if_empty(0)
};
static const unsigned char content_14[] = {
#embed "../../Web/Page/first.js" if_empty(0)
};
static const unsigned char content_15[] = {
#embed "../../Web/Page/health.js" if_empty(0)
};
static const unsigned char content_16[] = {
#embed "../../Web/Page/history.js" if_empty(0)
};
static const unsigned char content_17[] = {
#embed "../../Web/Page/icons.js" if_empty(0)
};
static const unsigned char content_18[] = {
#embed "../../Web/Page/index.html" if_empty(0)
};
static const unsigned char content_19[] = {
#embed "../../Web/Page/json-view.js" if_empty(0)
};
static const unsigned char content_20[] = {
#embed "../../Web/Page/keyboard.js" if_empty(0)
};
static const unsigned char content_21[] = {
#embed "../../Web/Page/kinds.js" if_empty(0)
};
static const unsigned char content_22[] = {
#embed "../../Web/Page/lane-axis.js" if_empty(0)
};
static const unsigned char content_23[] = {
#embed "../../Web/Page/lane-data.js" if_empty(0)
};
static const unsigned char content_24[] = {
#embed "../../Web/Page/lane-input.js" if_empty(0)
};
static const unsigned char content_25[] = {
#embed "../../Web/Page/lane-legend.js" if_empty(0)
};
static const unsigned char content_26[] = {
#embed "../../Web/Page/lane-rows.js" if_empty(0)
};
static const unsigned char content_27[] = {
#embed "../../Web/Page/lane-table.js" if_empty(0)
};
static const unsigned char content_28[] = {
#embed "../../Web/Page/lane-view.js" if_empty(0)
};
static const unsigned char content_29[] = {
#embed "../../Web/Page/main.js" if_empty(0)
};
static const unsigned char content_30[] = {
#embed "../../Web/Page/menu.js" if_empty(0)
};
static const unsigned char content_31[] = {
#embed "../../Web/Page/moment.js" if_empty(0)
};
static const unsigned char content_32[] = {
#embed "../../Web/Page/now.js" if_empty(0)
};
static const unsigned char content_33[] = {
#embed "../../Web/Page/paint.js" if_empty(0)
};
static const unsigned char content_34[] = {
#embed "../../Web/Page/parts.css" if_empty(0)
};
static const unsigned char content_35[] = {
#embed "../../Web/Page/parts.js" if_empty(0)
};
static const unsigned char content_36[] = {
#embed "../../Web/Page/play.js" if_empty(0)
};
static const unsigned char content_37[] = {
#embed "../../Web/Page/router.js" if_empty(0)
};
static const unsigned char content_38[] = {
#embed "../../Web/Page/screens.css" if_empty(0)
};
static const unsigned char content_39[] = {
#embed "../../Web/Page/span-words.js" if_empty(0)
};
static const unsigned char content_40[] = {
#embed "../../Web/Page/stream.js" if_empty(0)
};
static const unsigned char content_41[] = {
#embed "../../Web/Page/strip.js" if_empty(0)
};
static const unsigned char content_42[] = {
#embed "../../Web/Page/style.css" if_empty(0)
};
static const unsigned char content_43[] = {
#embed "../../Web/Page/theme.js" if_empty(0)
};
static const unsigned char content_44[] = {
#embed "../../Web/Page/timeline-bar.js" if_empty(0)
};
static const unsigned char content_45[] = {
#embed "../../Web/Page/timeline-state.js" if_empty(0)
};
static const unsigned char content_46[] = {
#embed "../../Web/Page/timeline.js" if_empty(0)
};
static const unsigned char content_47[] = {
#embed "../../Web/Page/virtual.js" if_empty(0)
};
static const unsigned char content_48[] = {
#embed "../../Web/Page/words.js" if_empty(0)
};
static const unsigned char content_49[] = {
#embed "../../Web/Page/zone.js" if_empty(0)
};

static const struct {
    const char *name;
    const unsigned char *content;
    size_t length;
} files[] = {
    {"api.js", content_0, sizeof content_0},
    {"axis.js", content_1, sizeof content_1},
    {"card.js", content_2, sizeof content_2},
    {"chosen-span.js", content_3, sizeof content_3},
    {"columns.js", content_4, sizeof content_4},
    {"conflicts.js", content_5, sizeof content_5},
    {"device-cells.js", content_6, sizeof content_6},
    {"device.js", content_7, sizeof content_7},
    {"devices-now.js", content_8, sizeof content_8},
    {"devices.js", content_9, sizeof content_9},
    {"difference.js", content_10, sizeof content_10},
    {"dom.js", content_11, sizeof content_11},
    {"event-list.js", content_12, sizeof content_12},
    {"filters.js", content_13, sizeof content_13},
    {"first.js", content_14, sizeof content_14},
    {"health.js", content_15, sizeof content_15},
    {"history.js", content_16, sizeof content_16},
    {"icons.js", content_17, sizeof content_17},
    {"index.html", content_18, sizeof content_18},
    {"json-view.js", content_19, sizeof content_19},
    {"keyboard.js", content_20, sizeof content_20},
    {"kinds.js", content_21, sizeof content_21},
    {"lane-axis.js", content_22, sizeof content_22},
    {"lane-data.js", content_23, sizeof content_23},
    {"lane-input.js", content_24, sizeof content_24},
    {"lane-legend.js", content_25, sizeof content_25},
    {"lane-rows.js", content_26, sizeof content_26},
    {"lane-table.js", content_27, sizeof content_27},
    {"lane-view.js", content_28, sizeof content_28},
    {"main.js", content_29, sizeof content_29},
    {"menu.js", content_30, sizeof content_30},
    {"moment.js", content_31, sizeof content_31},
    {"now.js", content_32, sizeof content_32},
    {"paint.js", content_33, sizeof content_33},
    {"parts.css", content_34, sizeof content_34},
    {"parts.js", content_35, sizeof content_35},
    {"play.js", content_36, sizeof content_36},
    {"router.js", content_37, sizeof content_37},
    {"screens.css", content_38, sizeof content_38},
    {"span-words.js", content_39, sizeof content_39},
    {"stream.js", content_40, sizeof content_40},
    {"strip.js", content_41, sizeof content_41},
    {"style.css", content_42, sizeof content_42},
    {"theme.js", content_43, sizeof content_43},
    {"timeline-bar.js", content_44, sizeof content_44},
    {"timeline-state.js", content_45, sizeof content_45},
    {"timeline.js", content_46, sizeof content_46},
    {"virtual.js", content_47, sizeof content_47},
    {"words.js", content_48, sizeof content_48},
    {"zone.js", content_49, sizeof content_49},
};

size_t cpage_count(void) { return sizeof files / sizeof files[0]; }

const char *cpage_name(size_t index) { return files[index].name; }

const unsigned char *cpage_content(size_t index, size_t *length) {
    *length = files[index].length;
    return files[index].content;
}
