/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/event_store.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define STEP_PREFIX "Step:ModeKeys."
#define RESTART_NS  (60 * (uint64_t)1000000000)

void sm_event_store_clear(struct sm_event_store *x)
{
    for (size_t i = 0; i < x->n_blocks; i++)
        sm_free(x->blocks[i].events);
    sm_free(x->blocks);
    for (size_t i = 0; i < x->n_phases; i++) {
        sm_free(x->phases[i].events);
        sm_ranks_clear(&x->phases[i].ranks);
    }
    sm_free(x->phases);
    sm_free(x->operators);
    sm_free(x->steps);
    sm_map_clear(&x->by_phase);
    sm_free(x->spans);
    sm_map_clear(&x->by_operator);
    sm_map_clear(&x->by_step);
    *x = (struct sm_event_store){.names = x->names};
}

size_t sm_event_store_bytes(const struct sm_event_store *x)
{
    size_t of_phases = 0;
    for (size_t i = 0; i < x->n_phases; i++)
        of_phases += x->phases[i].n_events * sizeof *x->phases[i].events +
                     x->phases[i].ranks.n * sizeof *x->phases[i].ranks.order;
    return of_phases + x->n_blocks * SM_EVENT_BLOCK * sizeof(struct sm_profile_event) +
           x->cap_blocks * sizeof *x->blocks + x->cap_operators * sizeof *x->operators +
           x->cap_steps * sizeof *x->steps;
}

/* ---- what phases are ---- */

bool sm_phase_is_step(const char *name, enum sm_mode *mode)
{
    static const char *const names[SM_MODES] = {[SM_MODE_TRAIN] = "TRAIN",
                                                [SM_MODE_EVAL] = "EVAL",
                                                [SM_MODE_PREDICT] = "PREDICT",
                                                [SM_MODE_GLOBAL] = "GLOBAL"};
    if (strncmp(name, STEP_PREFIX, sizeof STEP_PREFIX - 1) != 0)
        return false;
    for (int i = 1; i < SM_MODES; i++)
        if (strcmp(name + sizeof STEP_PREFIX - 1, names[i]) == 0) {
            *mode = (enum sm_mode)i;
            return true;
        }
    return false;
}

enum sm_phase_class sm_phase_class(const char *name, enum sm_pevents_kind kind)
{
    if (strcasestr(name, "cpu"))
        return SM_PHASE_CPU;
    if (strcasestr(name, "gpu"))
        return SM_PHASE_GPU;
    if (strstr(name, "Step"))
        return SM_PHASE_STEP;
    if (strcmp(name, "Forward-SubModuleInternal") == 0)
        return SM_PHASE_FORWARD;
    if (strcmp(name, "Backward-SubModuleInternal") == 0)
        return SM_PHASE_BACKWARD;
    return kind == SM_PEVENTS_HOROVOD ? SM_PHASE_HOROVOD : SM_PHASE_GENERAL;
}

/* ---- sums ---- */

static void add_to_sum(struct sm_event_sum *s, const struct sm_profile_event *e)
{
    int64_t end = sm_event_end(e), d = e->duration_ns;
    bool first = s->count++ == 0;
    s->min_ns = first || d < s->min_ns ? d : s->min_ns;
    s->max_ns = first || d > s->max_ns ? d : s->max_ns;
    s->first_ns = first || e->start_ns < s->first_ns ? e->start_ns : s->first_ns;
    s->last_ns = first || end > s->last_ns ? end : s->last_ns;
    if (__builtin_add_overflow(s->total_ns, d, &s->total_ns))
        s->total_ns = INT64_MAX;
}

static struct sm_phase *phase_of(struct sm_event_store *x, const struct sm_profile_event *e)
{
    uint64_t at;
    if (sm_map_get(&x->by_phase, e->phase, &at))
        return &x->phases[at];
    if (!SM_VEC_ROOM(x->phases, x->n_phases, x->cap_phases) ||
        !sm_map_put(&x->by_phase, e->phase, x->n_phases))
        return NULL;
    x->phases[x->n_phases] = (struct sm_phase){.name = e->phase, .kind = e->kind};
    return &x->phases[x->n_phases++];
}

static struct sm_operator *operator_of(struct sm_event_store *x, const struct sm_profile_event *e)
{
    uint64_t at, key = (uint64_t)e->phase << 32 | e->name;
    if (sm_map_get(&x->by_operator, key, &at))
        return &x->operators[at];
    if (!SM_VEC_ROOM(x->operators, x->n_operators, x->cap_operators) ||
        !sm_map_put(&x->by_operator, key, x->n_operators))
        return NULL;
    x->operators[x->n_operators] = (struct sm_operator){.phase = e->phase, .name = e->name};
    return &x->operators[x->n_operators++];
}

/* ---- steps ---- */

static int by_start(const void *a, const void *b)
{
    const struct sm_profile_step *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->end_ns != y->end_ns ? (x->end_ns < y->end_ns ? -1 : 1)
                                  : (x->node > y->node) - (x->node < y->node);
}

/* Steps come nearly in order, of several processes: those that came late are sorted in at once. */
static void sort_steps(struct sm_event_store *x)
{
    size_t n = x->n_steps, from = x->sorted_steps;
    int64_t least = INT64_MAX;
    for (size_t i = from; i < n; i++)
        least = x->steps[i].start_ns < least ? x->steps[i].start_ns : least;
    x->n_steps = from;
    from = sm_event_step_at(x, least);
    x->n_steps = x->sorted_steps = n;
    if (n - from > 1)
        qsort(x->steps + from, n - from, sizeof *x->steps, by_start);
}

static uint64_t step_key(enum sm_mode mode, int32_t step)
{
    return (uint64_t)mode << 32 | (uint32_t)step;
}

const struct sm_step_span *sm_event_step_span(const struct sm_event_store *x, enum sm_mode mode,
                                              int32_t step)
{
    uint64_t at;
    return sm_map_get(&x->by_step, step_key(mode, step), &at) ? &x->spans[at] : NULL;
}

/* Workers run a step at about the same time; much later it is another run of it. */
static bool add_span(struct sm_event_store *x, const struct sm_profile_step *s)
{
    uint64_t at;
    if (s->step < 0)
        return true;
    if (!sm_map_get(&x->by_step, step_key(s->mode, s->step), &at)) {
        if (!SM_VEC_ROOM(x->spans, x->n_spans, x->cap_spans) ||
            !sm_map_put(&x->by_step, step_key(s->mode, s->step), x->n_spans))
            return false;
        x->spans[x->n_spans++] = (struct sm_step_span){s->start_ns, s->end_ns};
        return true;
    }
    struct sm_step_span *span = &x->spans[at];
    if (s->start_ns > span->to_ns && (uint64_t)s->start_ns - (uint64_t)span->to_ns > RESTART_NS)
        *span = (struct sm_step_span){s->start_ns, s->end_ns};
    span->from_ns = s->start_ns < span->from_ns ? s->start_ns : span->from_ns;
    span->to_ns = s->end_ns > span->to_ns ? s->end_ns : span->to_ns;
    return true;
}

static bool add_step(struct sm_event_store *x, const struct sm_profile_event *e, enum sm_mode mode)
{
    if (!SM_VEC_ROOM(x->steps, x->n_steps, x->cap_steps))
        return false;
    x->steps[x->n_steps++] = (struct sm_profile_step){.start_ns = e->start_ns,
                                                      .end_ns = sm_event_end(e),
                                                      .step = e->step,
                                                      .node = e->node,
                                                      .mode = (uint8_t)mode};
    if (e->duration_ns > x->longest_step_ns)
        x->longest_step_ns = e->duration_ns;
    return add_span(x, &x->steps[x->n_steps - 1]);
}

size_t sm_event_step_at(const struct sm_event_store *x, int64_t ns)
{
    size_t from = 0, to = x->n_steps;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (x->steps[mid].start_ns < ns)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

/* ---- merging ---- */

static struct sm_event_block *block_for_one(struct sm_event_store *x)
{
    struct sm_event_block *last = x->n_blocks ? &x->blocks[x->n_blocks - 1] : NULL;
    if (last && last->n < SM_EVENT_BLOCK)
        return SM_VEC_ROOM(last->events, last->n, last->cap) ? last : NULL;
    if (!SM_VEC_ROOM(x->blocks, x->n_blocks, x->cap_blocks))
        return NULL;
    last = &x->blocks[x->n_blocks];
    *last = (struct sm_event_block){.from_ns = INT64_MAX, .to_ns = INT64_MIN};
    if (!sm_vec_reserve((void **)&last->events, &last->cap, x->n_blocks ? SM_EVENT_BLOCK : 16,
                        sizeof *last->events))
        return NULL;
    x->n_blocks++;
    return last;
}

static void note_times(struct sm_event_store *x, struct sm_event_block *b,
                       const struct sm_profile_event *e)
{
    int64_t end = sm_event_end(e);
    bool first = x->n_events == 0;
    b->from_ns = e->start_ns < b->from_ns ? e->start_ns : b->from_ns;
    b->to_ns = end > b->to_ns ? end : b->to_ns;
    x->first_ns = first || e->start_ns < x->first_ns ? e->start_ns : x->first_ns;
    x->last_ns = first || end > x->last_ns ? end : x->last_ns;
}

static bool add_sums(struct sm_event_store *x, const struct sm_profile_event *e)
{
    enum sm_mode mode;
    struct sm_phase *phase = phase_of(x, e);
    struct sm_operator *op = operator_of(x, e);
    if (!phase || !op)
        return false;
    add_to_sum(&phase->sum, e);
    add_to_sum(&op->sum, e);
    return !sm_phase_is_step(sm_names_text(x->names, e->phase), &mode) || add_step(x, e, mode);
}

struct durations {
    const struct sm_event_store *store;
    const struct sm_phase *phase;
};

static double duration_of(const void *of, size_t i)
{
    const struct durations *d = of;
    return (double)sm_event_numbered(d->store, d->phase->events[i])->duration_ns;
}

/* The event is the last of the store. */
static bool add_to_phase(struct sm_event_store *x, struct sm_phase *p)
{
    const struct durations d = {x, p};
    if (x->n_events > UINT32_MAX || !SM_VEC_ROOM(p->events, p->n_events, p->cap_events))
        return false;
    p->events[p->n_events++] = (uint32_t)(x->n_events - 1);
    return p->n_events % SM_RANKS_BLOCK ||
           sm_ranks_add(&p->ranks, &(struct sm_ranked){&d, duration_of}, p->n_events);
}

static bool add_event(struct sm_event_store *x, const struct sm_profile_event *e)
{
    struct sm_event_block *block = block_for_one(x);
    if (!block || (!e->instant && !add_sums(x, e)))
        return false;
    if (x->n_events && e->start_ns < x->last_ns)
        sm_earliest_add(&x->added, x->version + 1, e->start_ns);
    note_times(x, block, e);
    block->events[block->n++] = *e;
    x->n_events++;
    x->n_instants += e->instant;
    return e->instant || add_to_phase(x, phase_of(x, e));
}

static bool map_names(struct sm_event_store *x, const struct sm_event_batch *b,
                      struct sm_event_merge *at)
{
    uint32_t n = sm_names_count(b->names);
    at->names = sm_alloc(n * sizeof *at->names);
    for (uint32_t i = 0; at->names && i < n; i++) {
        at->names[i] =
            sm_names_add(x->names, sm_names_text(b->names, i), sm_names_length(b->names, i));
        if (at->names[i] == SM_NAME_NONE)
            return false;
    }
    return at->names;
}

void sm_event_merge_clear(struct sm_event_merge *at)
{
    sm_free(at->names);
    *at = (struct sm_event_merge){0};
}

bool sm_event_store_merge(struct sm_event_store *x, const struct sm_event_batch *b, uint16_t node,
                          struct sm_event_merge *at, size_t *work, bool *done)
{
    size_t n = b->n - at->event < *work ? b->n - at->event : *work;
    bool ok = !b->n || at->names || map_names(x, b, at);
    for (size_t i = 0; ok && i < n; i++, at->event++) {
        struct sm_profile_event e = b->events[at->event];
        e.node = node;
        e.name = at->names[e.name];
        e.phase = at->names[e.phase];
        e.detail = e.detail == SM_NAME_NONE ? e.detail : at->names[e.detail];
        ok = add_event(x, &e);
    }
    sort_steps(x);
    x->version += n > 0;
    *work -= n;
    *done = !ok || at->event == b->n;
    if (*done)
        sm_event_merge_clear(at);
    return ok;
}

/* ---- questions ---- */

const struct sm_profile_event *sm_event_next(const struct sm_event_store *x,
                                             struct sm_event_walk *w)
{
    for (; w->block < x->n_blocks; w->block++, w->event = 0) {
        const struct sm_event_block *b = &x->blocks[w->block];
        bool apart = b->from_ns >= w->to_ns || b->to_ns < w->from_ns;
        while (!apart && w->event < b->n) {
            const struct sm_profile_event *e = &b->events[w->event++];
            if (e->start_ns < w->to_ns &&
                (sm_event_end(e) > w->from_ns || e->start_ns >= w->from_ns))
                return e;
        }
    }
    return NULL;
}

const struct sm_phase *sm_event_phase(const struct sm_event_store *x, const char *name)
{
    uint64_t at;
    uint32_t id = sm_names_find(x->names, name, strlen(name));
    return id != SM_NAME_NONE && sm_map_get(&x->by_phase, id, &at) ? &x->phases[at] : NULL;
}

bool sm_event_phase_quantiles(const struct sm_event_store *x, const struct sm_phase *phase,
                              const double *q, size_t n_q, double *out)
{
    const struct durations d = {x, phase};
    return sm_ranks_quantiles(&phase->ranks, &(struct sm_ranked){&d, duration_of}, 0,
                              phase->n_events, q, n_q, out);
}
