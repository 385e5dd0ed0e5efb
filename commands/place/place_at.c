#include "commands/place/place_at.h"

#include "reader/format/index_json.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_clock_time(struct sm_text t)
{
    char text[16] = "";
    int used = 0;
    unsigned h, m, s;
    memcpy(text, t.p, t.n < sizeof text ? t.n : sizeof text - 1);
    return isdigit((unsigned char)text[0]) &&
           sscanf(text, "%2u:%2u:%2u%n", &h, &m, &s, &used) == 3 && used == 8 && t.n == 8 &&
           h < 24 && m < 60 && s < 61;
}

/* "-10m": so long ago. */
static bool is_time_ago(struct sm_text t)
{
    return t.n > 2 && t.p[0] == '-' && isdigit((unsigned char)t.p[1]) &&
           isalpha((unsigned char)t.p[t.n - 1]);
}

static struct sm_text cut(struct sm_text t, size_t from, size_t to)
{
    return (struct sm_text){t.p + from, to - from};
}

bool sm_at_read(struct sm_text text, struct sm_at *out)
{
    *out = (struct sm_at){0};
    struct sm_text place = cut(text, 1, text.n);
    const char *slash = memchr(place.p, '/', place.n);
    if (slash) {
        size_t at = (size_t)(slash - place.p);
        out->worker = cut(place, at + 1, place.n);
        place.n = at;
    }
    const char *colon = memchr(place.p, ':', place.n);
    struct sm_text mode = {place.p, colon ? (size_t)(colon - place.p) : place.n};
    if (sm_mode_of_name(mode.p, mode.n)) {
        out->mode = mode;
        out->step = cut(place, mode.n + (colon != NULL), place.n);
        return true;
    }
    out->step = place;
    if (is_clock_time(place) || is_time_ago(place))
        out->step = (struct sm_text){place.p - 1, place.n + 1};
    return text.n > 1;
}
