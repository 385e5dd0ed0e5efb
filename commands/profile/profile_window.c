/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/profile_window.h"

#include "commands/place/describe.h"
#include "reader/profile/buckets.h"
#include "reader/profile/profile_name.h"

#include <stdlib.h>
#include <string.h>

static bool read_step(const char **p, int32_t *out)
{
    char *end;
    long v = strtol(*p, &end, 10);
    bool ok = end > *p && v >= 0 && v <= INT32_MAX;
    *out = ok ? (int32_t)v : -1;
    *p = end;
    return ok;
}

/* "10:20", "10:" or "10". */
static bool read_range(const char *text, int32_t *first, int32_t *last)
{
    const char *p = text;
    if (!read_step(&p, first))
        return false;
    *last = *first;
    if (*p == ':' && !p[1])
        *last = INT32_MAX;
    else if (*p == ':')
        return p++, read_step(&p, last) && !*p;
    return *p == 0 || *p == ':';
}

/* The time from the first to the last of the steps that there are in a range. */
static bool time_of_steps(const struct sm_profile *p, int32_t first, int32_t last,
                          struct sm_profile_window *w)
{
    const struct sm_event_store *x = sm_profile_events(p);
    enum sm_mode mode = sm_profile_main_mode(p);
    bool any = false;
    for (size_t i = 0; i < x->n_steps; i++) {
        const struct sm_profile_step *s = &x->steps[i];
        if (s->mode != mode || s->step < first || s->step > last)
            continue;
        w->from_ns = any && w->from_ns < s->start_ns ? w->from_ns : s->start_ns;
        w->to_ns = any && w->to_ns > s->end_ns ? w->to_ns : s->end_ns;
        any = true;
    }
    return any;
}

static bool apply_steps(const struct sm_word *word, const struct sm_profile *p,
                        struct sm_profile_window *w, struct sm_err *err)
{
    int32_t first, last;
    if (!read_range(word->text.p, &first, &last))
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is no range of steps; use FIRST:LAST.",
                          word->text.p);
    return time_of_steps(p, first, last, w) ||
           sm_err_set(err, SM_ERR_MISSING, "The profile has no %s steps %s.",
                      sm_mode_name(sm_profile_main_mode(p)), word->text.p);
}

static bool is_known(const struct sm_profile *p, const struct sm_profile_window *w)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    for (size_t i = 0; i < m->n_series; i++)
        if (sm_profile_window_has(w, sm_metric_name(m, m->series[i].key.node)))
            return true;
    for (size_t i = 0; i < sm_profile_node_count(p); i++)
        if (sm_profile_window_has(w, sm_profile_node(p, i)))
            return true;
    return false;
}

/* Where the samples begin that a window shows: without any in it, the last of each series before
 * it, if their values still hold (buckets.h). */
static int64_t held_from(const struct sm_metric_store *m, int64_t from_ns, int64_t to_ns)
{
    int64_t hold = sm_buckets_of(m, from_ns, from_ns, 1).hold_ns, least, from = from_ns;
    if (__builtin_sub_overflow(from_ns, hold, &least))
        return from_ns;
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *s = &m->series[i];
        size_t at = sm_metric_at(m, s, from_ns);
        if (at < s->n && sm_metric_time(m, s, at) < to_ns)
            return from_ns;
        int64_t ns = at ? sm_metric_time(m, s, at - 1) : from_ns;
        from = ns >= least && ns < from ? ns : from;
    }
    return from;
}

bool sm_profile_window(struct sm_call *c, const struct sm_profile *p, struct sm_profile_window *out,
                       struct sm_err *err)
{
    const struct sm_word *node = sm_call_option(c, "node"), *last = sm_call_option(c, "last"),
                         *steps = sm_call_option(c, "steps");
    int64_t us;
    *out = (struct sm_profile_window){.node = node ? node->text.p : NULL};
    if (!sm_profile_span(p, &out->from_ns, &out->to_ns))
        return sm_err_set(err, SM_ERR_MISSING, "The profile is empty.");
    out->to_ns += out->to_ns < INT64_MAX;
    if (steps && !apply_steps(steps, p, out, err))
        return false;
    if (last) {
        if (!sm_call_duration(last, &us, err))
            return false;
        int64_t ns, from;
        if (!__builtin_mul_overflow(us, 1000, &ns) &&
            !__builtin_sub_overflow(out->to_ns, ns, &from))
            out->from_ns = from > out->from_ns ? from : out->from_ns;
    }
    out->held_ns = held_from(sm_profile_metrics(p), out->from_ns, out->to_ns);
    return !node || is_known(p, out) ||
           sm_err_set(err, SM_ERR_MISSING, "The profile has no node \"%s\".", node->text.p);
}

bool sm_profile_window_has(const struct sm_profile_window *w, const char *node)
{
    return !w->node || sm_profile_same_node(w->node, node);
}
