/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/trackio.h"
#include "reader/logs/log_json.h"

#include <string.h>
#include <time.h>

/* ---- times ---- */

static bool digits(const char **p, const char *end, unsigned count, int *out)
{
    *out = 0;
    for (unsigned i = 0; i < count; i++, ++*p) {
        if (*p >= end || **p < '0' || **p > '9')
            return false;
        *out = *out * 10 + (**p - '0');
    }
    return true;
}

static bool mark(const char **p, const char *end, char c)
{
    if (*p >= end || **p != c)
        return false;
    ++*p;
    return true;
}

static int64_t fraction_us(const char **p, const char *end)
{
    int64_t us = 0, unit = 100000;
    if (!mark(p, end, '.') && !mark(p, end, ','))
        return 0;
    for (; *p < end && **p >= '0' && **p <= '9'; ++*p, unit /= 10)
        us += unit * (**p - '0');
    return us;
}

/* Seconds east of Greenwich. *is false: there is no zone. */
static int zone_seconds(const char **p, const char *end, bool *is)
{
    int hours = 0, minutes = 0, sign = 1;
    *is = true;
    if (mark(p, end, 'Z') || mark(p, end, 'z'))
        return 0;
    if (mark(p, end, '-'))
        sign = -1;
    else if (!mark(p, end, '+'))
        *is = false;
    if (!*is || !digits(p, end, 2, &hours))
        return 0;
    mark(p, end, ':');
    return digits(p, end, 2, &minutes) ? sign * (hours * 3600 + minutes * 60) : sign * hours * 3600;
}

int64_t sm_trackio_time_us(const char *p, size_t n)
{
    const char *end = p + n;
    struct tm tm = {.tm_isdst = -1};
    int year, month;
    bool has_zone;
    if (!digits(&p, end, 4, &year) || !mark(&p, end, '-') || !digits(&p, end, 2, &month) ||
        !mark(&p, end, '-') || !digits(&p, end, 2, &tm.tm_mday) ||
        !(mark(&p, end, 'T') || mark(&p, end, ' ')) || !digits(&p, end, 2, &tm.tm_hour) ||
        !mark(&p, end, ':') || !digits(&p, end, 2, &tm.tm_min))
        return SM_NO_TIME;
    if (mark(&p, end, ':') && !digits(&p, end, 2, &tm.tm_sec))
        return SM_NO_TIME;
    tm.tm_year = year - 1900;
    tm.tm_mon = month - 1;
    int64_t us = fraction_us(&p, end);
    int east = zone_seconds(&p, end, &has_zone);
    int64_t seconds = has_zone ? (int64_t)timegm(&tm) - east : (int64_t)mktime(&tm);
    return seconds * 1000000 + us;
}

/* ---- rows ---- */

struct row {
    struct sm_points *points;
    const struct sm_point *like;
    struct sm_str media; /* the object with a "_type" that was seen last: no numbers, and a '.' */
    size_t before;       /* points before it */
};

static bool non_finite(const struct sm_log_value *v, double *out)
{
    struct sm_text t = {v->text, v->text_n};
    *out = sm_text_is(t, "NaN") ? NAN : sm_text_is(t, "-Infinity") ? -INFINITY : INFINITY;
    return isnan(*out) || *out < 0 || sm_text_is(t, "Infinity");
}

/* Values of an object that has "_type" (an image, a table, a histogram) are no scalars; the type
 * may stand before or after them. Those of one object follow each other. */
static void drop_media(struct row *r, const struct sm_log_value *v)
{
    size_t n = v->name_n - strlen("_type");
    struct sm_points *p = r->points;
    sm_str_truncate(&r->media, 0);
    sm_str_addn(&r->media, v->name, n);
    while (p->n > r->before &&
           strncmp(sm_names_text(p->names, p->items[p->n - 1].name), v->name, n) == 0)
        p->n--;
}

static bool in_media(const struct row *r, const struct sm_log_value *v)
{
    return r->media.len && v->name_n >= r->media.len &&
           memcmp(v->name, r->media.data, r->media.len) == 0;
}

static void on_value(void *ctx, const struct sm_log_value *v)
{
    struct row *r = ctx;
    struct sm_point p = *r->like;
    p.value = v->number;
    if (sm_ends_with(v->name, "._type"))
        drop_media(r, v);
    bool is = v->type == SM_LOG_NUMBER || (v->type == SM_LOG_TEXT && non_finite(v, &p.value));
    if (is && v->name_n && !in_media(r, v))
        sm_points_add(r->points, v->name, v->name_n, &p);
}

bool sm_trackio_add(struct sm_points *points, const char *json, size_t n,
                    const struct sm_point *like, struct sm_err *err)
{
    struct row r = {.points = points, .like = like, .before = points->n};
    bool ok = sm_log_json_leaves(json, n, '.', on_value, &r, err);
    sm_str_clear(&r.media);
    return ok;
}

/* ---- configuration ---- */

static void on_config(void *ctx, const struct sm_log_value *v)
{
    struct sm_notes *notes = ctx;
    struct sm_text key = {v->name, v->name_n}, value = {v->text, v->text_n};
    double number;
    if (!key.n || *key.p == '_')
        return;
    if (v->type == SM_LOG_TEXT && !non_finite(v, &number))
        sm_notes_add_string(notes, SM_NOTE_CONFIG, key, value);
    else
        sm_notes_add(notes, SM_NOTE_CONFIG, key, value);
}

bool sm_trackio_config(struct sm_notes *notes, const char *json, size_t n, struct sm_err *err)
{
    return sm_log_json_leaves(json, n, '.', on_config, notes, err);
}
