/* SPDX-License-Identifier: Apache-2.0 */
/* Parses step specs (doc/language.md): "100:200:10", "~137", "last", "@-10m". */
#include "commands/answer/typed_number.h"
#include "commands/place/place.h"
#include "commands/place/step_clock.h"
#include "commands/session/bookmark.h"
#include "commands/session/session_settings.h"
#include "reader/base/grow.h"
#include "reader/nearest.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A step on disk and its number: the global step, or the mode step if a mode is named. */
struct numbered {
    int64_t number;
    struct sm_step step;
    int64_t time_us;
};

struct finder {
    struct sm_call *c;
    const struct sm_trial *t;
    struct sm_place among;  /* mode ANY: numbers are global steps; step: the current one */
    struct numbered *items; /* ascending */
    size_t n, cap;
};

static bool counts_mode_steps(const struct finder *f)
{
    return f->among.mode != SM_MODE_ANY;
}

static void add_numbered(struct finder *f, struct sm_step step, struct sm_mode_step mode_step,
                         uint8_t mode, int64_t time_us)
{
    bool own = counts_mode_steps(f);
    if ((own && mode != f->among.mode) || (f->n && f->items[f->n - 1].step.n == step.n))
        return;
    SM_GROW(f->items, f->n, f->cap);
    f->items[f->n++] = (struct numbered){own ? mode_step.n : step.n, step, time_us};
}

static int by_number(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Collects the steps of the trial, or those at which the tensor was saved, in the mode. */
static void collect_steps(struct finder *f)
{
    const struct sm_trial_tensor *of = sm_place_tensor(&f->among);
    for (size_t i = 0; of && i < of->n_entries; i++) {
        const struct sm_part *p = sm_tensor_part(f->t, of, i);
        if (!p->replaced)
            add_numbered(f, p->step, p->mode_step, p->mode, p->time_us);
    }
    for (size_t i = 0; !of && i < sm_trial_step_count(f->t); i++) {
        const struct sm_trial_step *s = sm_trial_step(f->t, i);
        add_numbered(f, s->step, s->mode_step, s->mode, s->time_us);
    }
    if (f->n)
        qsort(f->items, f->n, sizeof *f->items, by_number);
}

/* ---- one step ---- */

static bool check_any_steps(const struct finder *f, struct sm_err *err)
{
    bool named = counts_mode_steps(f);
    return f->n > 0 || sm_err_set(err, SM_ERR_MISSING, "There are no %s%ssteps yet.",
                                  named ? sm_mode_name((int)f->among.mode) : "", named ? " " : "");
}

/* Sets err only if there are no steps at all. */
static bool find_by_kind(const struct finder *f, enum sm_step_kind kind, int64_t n,
                         struct sm_step *out, struct sm_err *err)
{
    return check_any_steps(f, err) && sm_place_find_step(&f->among, kind, n, out);
}

static bool find_relative(const struct finder *f, int64_t by, struct sm_step *out,
                          struct sm_err *err)
{
    if (!check_any_steps(f, err))
        return false;
    return find_by_kind(f, SM_STEP_RELATIVE, by, out, err) ||
           sm_err_set(err, SM_ERR_MISSING, "There is no step %+" PRId64 " from the current step.",
                      by);
}

/* The last step that was saved at or before a time. */
static bool find_at_time(const struct finder *f, int64_t time_us, struct sm_step *out,
                         struct sm_err *err)
{
    if (!check_any_steps(f, err))
        return false;
    struct sm_step_clock clock = {.fetch = f->c->session->fetch, .trial = f->among.trial};
    *out = f->items[0].step;
    for (size_t i = 0; i < f->n; i++)
        if (sm_step_clock_read(&clock, f->items[i].step, f->items[i].time_us) <= time_us)
            *out = f->items[i].step;
    return !clock.waiting || sm_err_set(err, SM_ERR_WAIT, "reading the times of %zu steps", f->n);
}

/* When the newest step was saved. */
static bool newest_time(const struct finder *f, int64_t *out, struct sm_err *err)
{
    struct sm_step_clock clock = {.fetch = f->c->session->fetch, .trial = f->among.trial};
    size_t n = sm_trial_step_count(f->t);
    *out = sm_trial_newest_us(f->t);
    if (n)
        *out = sm_step_clock_read(&clock, sm_trial_step(f->t, n - 1)->step,
                                  sm_trial_step(f->t, n - 1)->time_us);
    return !clock.waiting || sm_err_set(err, SM_ERR_WAIT, "reading the time of the newest step");
}

/* "12:30:05" on the day of the newest step; "-10m" before it. */
static bool find_by_wall_time(const struct finder *f, struct sm_text t, struct sm_step *out,
                              struct sm_err *err)
{
    int64_t newest, ago;
    int hour, minute, second;
    bool local = sm_session_settings(f->c->session)->time_zone == 0;
    char text[16] = "";
    memcpy(text, t.p, t.n < sizeof text ? t.n : sizeof text - 1);
    bool before =
        t.n > 1 && t.p[0] == '-' && sm_number_duration((struct sm_text){t.p + 1, t.n - 1}, &ago);
    if (!before && sscanf(text, "%2d:%2d:%2d", &hour, &minute, &second) != 3)
        return sm_err_set(err, SM_ERR_USAGE, "Invalid time \"%.*s\": expected @12:30:05 or @-10m.",
                          (int)t.n, t.p);
    if (!newest_time(f, &newest, err))
        return false;
    if (before)
        return find_at_time(f, newest - ago, out, err);
    time_t seconds = (time_t)(newest / 1000000);
    struct tm tm;
    if (!(local ? localtime_r(&seconds, &tm) : gmtime_r(&seconds, &tm)))
        return sm_err_set(err, SM_ERR_DATA,
                          "the time of the newest step is not a valid date: %lld s since 1970",
                          (long long)seconds);
    tm.tm_hour = hour;
    tm.tm_min = minute;
    tm.tm_sec = second;
    tm.tm_isdst = -1;
    return find_at_time(f, ((int64_t)(local ? mktime(&tm) : timegm(&tm)) + 1) * 1000000 - 1, out,
                        err);
}

/* Exactly this number. A global step need not be on disk. */
static bool find_exact(const struct finder *f, int64_t number, struct sm_step *out,
                       struct sm_err *err)
{
    struct sm_place at = f->among;
    struct sm_nearest near;
    at.worker = SM_WORKER_ANY;
    if (sm_place_find_step(&f->among, SM_STEP_NUMBER, number, &at.step) &&
        (!counts_mode_steps(f) || at.tensor == SM_NAME_NONE || sm_place_is_saved(&at))) {
        *out = at.step;
        return true;
    }
    sm_nearest_find(f->t, sm_place_tensor(&at), at.mode, SM_WORKER_ANY, number, &near);
    const struct sm_near_step *s = sm_nearest_of(&near, number);
    if (!s)
        return check_any_steps(f, err);
    return sm_err_set(err, SM_ERR_MISSING,
                      "There is no step %" PRId64 " of %s.  Nearest: %" PRId64 ".", number,
                      sm_mode_name((int)at.mode), s->number);
}

/* "a" and "'a"; digits without the quote are steps. */
static bool find_by_bookmark(const struct finder *f, struct sm_text t, struct sm_step *out,
                             struct sm_err *err)
{
    bool quoted = t.n == 2 && t.p[0] == '\'' && sm_bookmark_letter(t.p[1]);
    if ((quoted || (t.n == 1 && isalpha((unsigned char)t.p[0]))) &&
        sm_place_bookmark(f->c, f->t, t.p[t.n - 1], out))
        return true;
    if (quoted)
        return sm_err_set(err, SM_ERR_MISSING, "No bookmark \"%c\" in this trial.", t.p[1]);
    return sm_err_set(err, SM_ERR_USAGE,
                      "Invalid step \"%.*s\": expected 100, first, last, ., +5, ~137 or @-10m.",
                      (int)t.n, t.p);
}

static bool parse_one_step(const struct finder *f, struct sm_text t, struct sm_step *out,
                           struct sm_err *err)
{
    int64_t n;
    struct sm_text rest = {t.p + 1, t.n - 1};
    if (t.n > 1 && t.p[0] == '@' && isdigit((unsigned char)t.p[1]) && sm_number_int(rest, &n))
        return find_exact(f, n, out, err);
    if (t.n && t.p[0] == '@')
        return find_by_wall_time(f, rest, out, err);
    if (t.n > 1 && t.p[0] == '~' && sm_number_int(rest, &n))
        return find_by_kind(f, SM_STEP_NEAREST, n, out, err);
    if (sm_text_is(t, "first") || sm_text_is(t, "last"))
        return find_by_kind(f, t.p[0] == 'f' ? SM_STEP_FIRST : SM_STEP_LAST, 0, out, err);
    if (sm_text_is(t, ".")) {
        *out = f->among.step;
        return true;
    }
    if (t.n && sm_number_int(t, &n))
        return t.p[0] == '+' || t.p[0] == '-' ? find_relative(f, n, out, err)
                                              : find_exact(f, n, out, err);
    return find_by_bookmark(f, t, out, err);
}

/* ---- several ---- */

struct chosen {
    struct sm_step *items;
    size_t n, cap;
};

static void add_chosen(struct chosen *s, struct sm_step step)
{
    SM_GROW(s->items, s->n, s->cap);
    s->items[s->n++] = step;
}

/* The mode step, if a mode is named and the step has that mode; else the global step. */
static int64_t number_of(const struct finder *f, struct sm_step step)
{
    const struct sm_trial_step *s = sm_place_trial_step(f->t, step);
    return counts_mode_steps(f) && s && s->mode == f->among.mode ? s->mode_step.n : step.n;
}

/* An end of a range; a number need not be on disk. */
static bool parse_range_end(const struct finder *f, struct sm_text t, int64_t otherwise,
                            int64_t *out, struct sm_err *err)
{
    struct sm_step step;
    *out = otherwise;
    if (!t.n || (isdigit((unsigned char)t.p[0]) && sm_number_int(t, out)))
        return true;
    if (!parse_one_step(f, t, &step, err))
        return false;
    *out = number_of(f, step);
    return true;
}

/* a:b:s is without b, a..b with b. */
static bool add_range(const struct finder *f, struct sm_text from, struct sm_text to,
                      struct sm_text by, bool inclusive, struct chosen *out, struct sm_err *err)
{
    int64_t first, stop, stride = 1;
    if (!parse_range_end(f, from, f->n ? f->items[0].number : 0, &first, err) ||
        !parse_range_end(f, to, INT64_MAX, &stop, err))
        return false;
    if (by.n && (!sm_number_int(by, &stride) || stride < 1))
        return sm_err_set(err, SM_ERR_USAGE, "Invalid stride \"%.*s\".", (int)by.n, by.p);
    for (size_t i = 0; i < f->n; i++) {
        int64_t n = f->items[i].number;
        if (n >= first && (n < stop || (inclusive && n == stop) || !to.n) &&
            (n - first) % stride == 0)
            add_chosen(out, f->items[i].step);
    }
    return true;
}

static const char *find_dots(struct sm_text t)
{
    for (size_t i = 0; i + 1 < t.n; i++)
        if (t.p[i] == '.' && t.p[i + 1] == '.')
            return t.p + i;
    return NULL;
}

static struct sm_text text_between(const char *start, const char *end)
{
    return (struct sm_text){start, (size_t)(end - start)};
}

/* An item of the comma list. */
static bool add_list_item(const struct finder *f, struct sm_text t, struct chosen *out,
                          struct sm_err *err)
{
    struct sm_step step;
    const char *end = t.p + t.n, *dots = find_dots(t),
               *colon = t.n && t.p[0] == '@' ? NULL : memchr(t.p, ':', t.n);
    if (sm_text_is(t, "all"))
        return add_range(f, (struct sm_text){0}, (struct sm_text){0}, (struct sm_text){0}, true,
                         out, err);
    if (dots && t.n > 2)
        return add_range(f, text_between(t.p, dots), text_between(dots + 2, end),
                         (struct sm_text){0}, true, out, err);
    if (colon) {
        const char *second = memchr(colon + 1, ':', (size_t)(end - colon - 1));
        struct sm_text by = second ? text_between(second + 1, end) : (struct sm_text){0};
        return add_range(f, text_between(t.p, colon),
                         text_between(colon + 1, second ? second : end), by, false, out, err);
    }
    if (!parse_one_step(f, t, &step, err))
        return false;
    add_chosen(out, step);
    return true;
}

static void init_finder(struct finder *f, struct sm_call *c, const struct sm_place *among)
{
    *f = (struct finder){.c = c, .t = among->trial, .among = *among};
    f->among.step = sm_place_current_step(among);
    f->among.mode = among->mode == SM_MODE_GLOBAL ? SM_MODE_ANY : among->mode;
    collect_steps(f);
}

static int by_step(const void *a, const void *b)
{
    const struct sm_step *x = a, *y = b;
    return (x->n > y->n) - (x->n < y->n);
}

static void copy_unique_steps(struct sm_call *c, struct chosen *s, struct sm_steps *out)
{
    *out = (struct sm_steps){.items = sm_arena_xalloc(&c->arena, (s->n + 1) * sizeof *out->items)};
    if (s->n)
        qsort(s->items, s->n, sizeof *s->items, by_step);
    for (size_t i = 0; i < s->n; i++)
        if (!i || s->items[i].n != s->items[i - 1].n)
            out->items[out->n++] = s->items[i];
}

bool sm_place_steps(struct sm_call *c, struct sm_place among, struct sm_text spec,
                    struct sm_steps *out, struct sm_err *err)
{
    struct finder f;
    struct chosen s = {0};
    bool ok = true;
    const char *p = spec.p, *end = spec.p + spec.n;
    init_finder(&f, c, &among);
    while (ok) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        ok = add_list_item(&f, text_between(p, comma ? comma : end), &s, err);
        if (!comma)
            break;
        p = comma + 1;
    }
    if (ok)
        copy_unique_steps(c, &s, out);
    sm_free(s.items);
    sm_free(f.items);
    return ok;
}

bool sm_place_several(struct sm_text spec)
{
    return sm_text_is(spec, "all") ||
           (spec.n && (memchr(spec.p, ',', spec.n) || find_dots(spec) ||
                       (memchr(spec.p, ':', spec.n) && spec.p[0] != '@')));
}

bool sm_place_step(struct sm_call *c, struct sm_place among, struct sm_text spec,
                   struct sm_step *out, struct sm_err *err)
{
    struct finder f;
    if (sm_place_several(spec))
        return sm_err_set(err, SM_ERR_USAGE, "Expected one step, not \"%.*s\".", (int)spec.n,
                          spec.p);
    init_finder(&f, c, &among);
    bool ok = parse_one_step(&f, spec, out, err);
    sm_free(f.items);
    return ok;
}

struct sm_place sm_place_all(const struct sm_session *s, enum sm_mode mode)
{
    struct sm_place all = s->at;
    all.tensor = SM_NAME_NONE;
    all.mode = mode;
    all.worker = SM_WORKER_ANY;
    return all;
}

/* ---- bookmarks ---- */

const char *sm_place_bookmark_key(struct sm_call *c, const struct sm_trial *t)
{
    const char *path = sm_trial_path(t);
    char *whole = realpath(path, NULL),
         *kept = sm_arena_xstrndup(&c->arena, whole ? whole : path, strlen(whole ? whole : path));
    free(whole);
    return kept;
}

bool sm_place_bookmark(struct sm_call *c, const struct sm_trial *t, char letter,
                       struct sm_step *out)
{
    return sm_bookmarks_find(&c->session->bookmarks, sm_place_bookmark_key(c, t), letter, &out->n);
}
