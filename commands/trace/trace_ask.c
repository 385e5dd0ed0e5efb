/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/trace/trace_ask.h"

#include "commands/session/feature.h"
#include "reader/trial.h"

#include <math.h>

/* Views are kept: to order the events of a large trace takes a second. */
struct of_trial {
    const struct sm_trace_set *set; /* NULL: nothing is kept */
    bool as_hta;
    struct sm_trace_view *views; /* of all its traces */
    size_t n;
    struct sm_traces chosen;
};
const struct sm_state_kind sm_traces_state_kind = {.trial_size = sizeof(struct of_trial)};

static void clear(struct of_trial *o)
{
    for (size_t i = 0; i < o->n; i++)
        sm_trace_view_clear(&o->views[i]);
    sm_free(o->views);
    sm_free(o->chosen.items);
    sm_free(o->chosen.views);
    *o = (struct of_trial){0};
}

void sm_traces_closing(struct sm_session *s, size_t trial)
{
    clear(sm_session_trial_state(s, trial, &sm_traces_state_kind));
}

static void make_views(struct of_trial *o, const struct sm_trace_set *set, bool as_hta)
{
    if (o->set == set && o->as_hta == as_hta)
        return;
    clear(o);
    o->set = set;
    o->as_hta = as_hta;
    o->n = sm_trace_set_count(set);
    o->views = sm_xalloc_zero(o->n + 1, sizeof *o->views);
    o->chosen.items = sm_xalloc((o->n + 1) * sizeof *o->chosen.items);
    o->chosen.views = sm_xalloc((o->n + 1) * sizeof *o->chosen.views);
    for (size_t i = 0; i < o->n; i++)
        sm_trace_view_make(sm_trace_set_item(set, i), as_hta, &o->views[i]);
}

/* rank: -1: all. */
static void choose(struct of_trial *o, int64_t rank)
{
    struct sm_traces *t = &o->chosen;
    t->set = o->set;
    t->n = 0;
    t->many = false;
    for (size_t i = 0; i < o->n; i++) {
        const struct sm_trace_item *x = sm_trace_set_item(o->set, i);
        t->many = t->many || (i && sm_trace_set_item(o->set, i - 1)->rank == x->rank);
        if (rank >= 0 && x->rank != rank)
            continue;
        t->items[t->n] = x;
        t->views[t->n++] = o->views[i];
    }
}

bool sm_trace_none(const struct sm_trace_set *set, int64_t rank, struct sm_err *err)
{
    const struct sm_problems *p = sm_trace_set_problems(set);
    if (sm_trace_set_count(set))
        return sm_err_set(err, SM_ERR_MISSING, "There is no trace of rank %lld.", (long long)rank);
    if (p->n)
        return sm_err_set(err, p->items[0].code, "%s: %s", p->items[0].file, p->items[0].message);
    return sm_err_set(err, SM_ERR_MISSING, "The traces have no events.");
}

bool sm_trace_has_format(const struct sm_call *c, enum sm_trace_format format)
{
    const struct sm_trace_set *set = sm_trial_traces(sm_session_trial(c->session));
    return set && sm_trace_set_format(set) == format;
}

const struct sm_trace_set *sm_trace_set_ask(struct sm_call *c, enum sm_trace_format format,
                                            int64_t *rank, struct sm_err *err)
{
    const struct sm_trace_set *set = sm_trial_traces(sm_session_trial(c->session));
    const struct sm_word *word = sm_call_option(c, "rank");
    *rank = -1;
    if (word && !sm_call_int(word, 0, INT64_MAX, rank, err))
        return NULL;
    if (!set || sm_trace_set_format(set) != format) {
        sm_err_set(err, SM_ERR_MISSING,
                   set ? "The run has no traces of torch.profiler, but %s."
                       : "The run has no traces of torch.profiler; \"profile summary\" shows a "
                         "profile.",
                   sm_trial_traits(sm_session_trial(c->session))->title);
        return NULL;
    }
    return sm_trace_set_ready(set, err) ? set : NULL;
}

const struct sm_traces *sm_traces_ask(struct sm_call *c, struct sm_err *err)
{
    struct sm_session *s = c->session;
    int64_t rank;
    const struct sm_trace_set *set = sm_trace_set_ask(c, SM_TRACE_KINETO, &rank, err);
    if (!set)
        return NULL;
    struct of_trial *o = sm_session_trial_state(s, s->current, &sm_traces_state_kind);
    make_views(o, set, sm_call_flag(c, "hta"));
    choose(o, rank);
    return o->chosen.n || sm_trace_none(set, rank, err) ? &o->chosen : NULL;
}

/* ---- values of rows ---- */

void sm_trace_node_file(struct sm_result *out, struct sm_node *row, const struct sm_traces *t,
                        size_t i)
{
    if (t->many)
        sm_node_text(out, row, "trace", t->items[i]->path);
}

void sm_trace_node_name(struct sm_result *out, struct sm_node *row, const char *key,
                        const struct sm_trace_data *t, uint32_t name)
{
    if (name == SM_NAME_NONE)
        sm_node_null(out, row, key);
    else
        sm_node_textn(out, row, key, sm_names_text(t->names, name),
                      sm_names_length(t->names, name));
}

void sm_trace_node_rounded(struct sm_result *out, struct sm_node *row, const char *key, double v,
                           int digits)
{
    double scale = pow(10, digits);
    if (isfinite(v))
        sm_node_double(out, row, key, nearbyint(v * scale) / scale, false);
    else
        sm_node_null(out, row, key);
}

void sm_trace_node_spread(struct sm_result *out, struct sm_node *row, const char *key,
                          const struct sm_spread *s)
{
    struct sm_node *map = sm_node_map(out, row, key);
    sm_node_uint(out, map, "count", s->n);
    sm_node_double(out, map, "mean", s->mean, false);
    sm_node_double(out, map, "std", s->std, false);
    sm_node_int(out, map, "min", s->min);
    sm_node_double(out, map, "25%", s->q25, false);
    sm_node_double(out, map, "50%", s->q50, false);
    sm_node_double(out, map, "75%", s->q75, false);
    sm_node_int(out, map, "max", s->max);
}

void sm_trace_remarks(struct sm_result *out, const struct sm_traces *t)
{
    int64_t world = sm_trace_set_world(t->set);
    size_t ranks = 0, all = sm_trace_set_count(t->set);
    for (size_t i = 0; i < all; i++) {
        const struct sm_trace_item *x = sm_trace_set_item(t->set, i);
        ranks += !i || sm_trace_set_item(t->set, i - 1)->rank != x->rank;
        if (x->trace.cut)
            sm_result_dim(out, "The trace of rank %lld ends too early; see \"info errors\".",
                          (long long)x->rank);
    }
    if (world > (int64_t)ranks)
        sm_result_dim(out, "Traces of %zu of %lld ranks are here.", ranks, (long long)world);
}
