/* SPDX-License-Identifier: Apache-2.0 */
/* A sink for tests of formats that are logs: it writes down each call as a line of text.
 *
 * It defines the functions of reader/logs/log_sink.h, so a test that includes it must not link the
 * real ones: it may use the reader of a format (struct sm_log_format), which has to stand in
 * another .c file than the record of its kind (SM_LOG_KIND needs log_kind.c and log_sink.c). */
#ifndef SM_TEST_FAKE_LOG_SINK_H
#define SM_TEST_FAKE_LOG_SINK_H

#include "reader/base/map.h"
#include "reader/base/str.h"
#include "reader/logs/log_kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sm_log_sink {
    struct sm_names *names;
    struct sm_str text; /* lines since the last fake_sink_take */
    struct sm_str points, taken;
    unsigned restarts, problems;
    int64_t written_us; /* not written down */
    unsigned early;     /* points that came before sm_log_written */
};

static inline struct sm_log_sink *fake_sink_new(void)
{
    struct sm_log_sink *s = calloc(1, sizeof *s);
    s->names = sm_names_new();
    return s;
}

static inline void fake_sink_free(struct sm_log_sink *s)
{
    sm_names_free(s->names);
    sm_str_clear(&s->text);
    sm_str_clear(&s->points);
    sm_str_clear(&s->taken);
    free(s);
}

/* The calls since the last time, one a line: "point loss 10 0.5", "point loss 10 0.5 @1700000000",
 * "restart", "name run-1", "config lr 0.1", "config-text lr 0.1", "summary k v", "began 17",
 * "ended 1 0", "console ...", "system cpu 17 0.5", "problem metrics.csv 120 message". Valid until
 * the next call. */
static inline const char *fake_sink_take(struct sm_log_sink *s)
{
    sm_str_truncate(&s->taken, 0);
    sm_str_addn(&s->taken, sm_str_text(&s->text), s->text.len);
    sm_str_truncate(&s->text, 0);
    return sm_str_text(&s->taken);
}

/* The points of a series since the last restart, in the order of the calls: "10=0.5 20=nan". Valid
 * until the next call. */
static inline const char *fake_sink_points(struct sm_log_sink *s, const char *name)
{
    size_t n = strlen(name);
    const char *p = sm_str_text(&s->points);
    sm_str_truncate(&s->taken, 0);
    sm_str_add(&s->taken, "");
    while (*p) {
        const char *tab = strchr(p, '\t'), *end = strchr(tab, '\n');
        if ((size_t)(tab - p) == n && memcmp(p, name, n) == 0) {
            sm_str_add(&s->taken, s->taken.len ? " " : "");
            sm_str_addn(&s->taken, tab + 1, (size_t)(end - tab - 1));
        }
        p = end + 1;
    }
    return sm_str_text(&s->taken);
}

/* Polls a format until it has read all that is there. */
static inline void fake_sink_poll(struct sm_log_sink *s, const struct sm_log_format *f, void *state)
{
    while (f->poll(state, s))
        ;
}

uint32_t sm_log_series(struct sm_log_sink *s, const char *name, size_t n)
{
    return sm_names_add(s->names, name, n);
}

void sm_log_point(struct sm_log_sink *s, uint32_t series, int64_t step, double time, double value)
{
    char text[32];
    const char *name = sm_names_text(s->names, series);
    s->early += !s->written_us;
    sm_format_shortest(value, false, text);
    sm_str_printf(&s->points, "%s\t%" PRId64 "=%s\n", name, step, text);
    sm_str_printf(&s->text, "point %s %" PRId64 " %s", name, step, text);
    if (!isnan(time))
        sm_str_printf(&s->text, " @%.17g", time);
    sm_str_addc(&s->text, '\n');
}

void sm_log_value(struct sm_log_sink *s, struct sm_source *source, uint32_t series, int64_t step,
                  double time, const struct sm_event_value *v, const struct sm_log_origin *from)
{
    (void)source, (void)time, (void)v;
    sm_str_printf(&s->text, "value %s %" PRId64 " at %s %" PRIu64 " %s\n",
                  sm_names_text(s->names, series), step, from->file, from->offset, from->key);
}

void sm_log_unshown(struct sm_log_sink *s, const char *what)
{
    sm_str_printf(&s->text, "unshown %s\n", what);
}

void sm_log_restart(struct sm_log_sink *s)
{
    sm_str_truncate(&s->points, 0);
    sm_str_add(&s->text, "restart\n");
    s->restarts++;
}

void sm_log_written(struct sm_log_sink *s, int64_t mtime_us)
{
    s->written_us = mtime_us > s->written_us ? mtime_us : s->written_us;
}

static inline void fake_sink_pair(struct sm_log_sink *s, const char *what, const char *key,
                                  size_t n, const char *value, size_t m)
{
    sm_str_printf(&s->text, "%s ", what);
    sm_str_addn(&s->text, key, n);
    sm_str_add(&s->text, value ? " " : "");
    sm_str_addn(&s->text, value ? value : "", m);
    sm_str_addc(&s->text, '\n');
}

void sm_log_name(struct sm_log_sink *s, const char *name, size_t n)
{
    fake_sink_pair(s, "name", name, n, NULL, 0);
}

void sm_log_config(struct sm_log_sink *s, const char *key, size_t n, const char *json, size_t m)
{
    fake_sink_pair(s, "config", key, n, json, m);
}

void sm_log_config_text(struct sm_log_sink *s, const char *key, size_t n, const char *text,
                        size_t m)
{
    fake_sink_pair(s, "config-text", key, n, text, m);
}

void sm_log_summary(struct sm_log_sink *s, const char *key, size_t n, const char *json, size_t m)
{
    fake_sink_pair(s, "summary", key, n, json, m);
}

void sm_log_kinds(struct sm_log_sink *s, const char *series, size_t n, const char *kinds)
{
    fake_sink_pair(s, "kinds", series, n, kinds, strlen(kinds));
}

void sm_log_began(struct sm_log_sink *s, double time)
{
    sm_str_printf(&s->text, "began %.17g\n", time);
}

void sm_log_ended(struct sm_log_sink *s, bool ended, int exit_code)
{
    sm_str_printf(&s->text, "ended %d %d\n", ended, exit_code);
}

void sm_log_console(struct sm_log_sink *s, const char *p, size_t n)
{
    fake_sink_pair(s, "console", p, n, NULL, 0);
}

void sm_log_alert(struct sm_log_sink *s, const char *text, size_t n, int64_t step, double time)
{
    sm_str_printf(&s->text, "alert %" PRId64 " %.17g ", step, time);
    sm_str_addn(&s->text, text, n);
    sm_str_addc(&s->text, '\n');
}

void sm_log_system(struct sm_log_sink *s, const char *name, size_t n, double time, double value)
{
    sm_str_add(&s->text, "system ");
    sm_str_addn(&s->text, name, n);
    sm_str_printf(&s->text, " %.17g %.17g\n", time, value);
}

void sm_log_problem(struct sm_log_sink *s, const char *file, int64_t offset,
                    const struct sm_err *err)
{
    sm_str_printf(&s->text, "problem %s %" PRId64 " %s\n", file, offset, err->msg);
    s->problems++;
}

#endif
