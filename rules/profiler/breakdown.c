/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/profiler/breakdown.h"

#include "reader/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { DROPPED_PERCENT = 2 };

static void add_sum(struct sm_breakdown *b, enum sm_phase_class class, uint32_t name, bool of_phase,
                    double ns)
{
    uint64_t key = (uint64_t) class << 40 | (uint64_t)of_phase << 32 | name, at;
    if (!sm_map_get(&b->places, key, &at)) {
        SM_GROW(b->items, b->n, b->cap);
        at = b->n++;
        b->items[at] = (struct sm_breakdown_sum){(uint8_t) class, name, of_phase, 0};
        if (!sm_map_put(&b->places, key, at))
            sm_xalloc(SIZE_MAX); /* no memory: stops the program */
    }
    b->items[at].ns += ns;
}

void sm_breakdown_add(struct sm_breakdown *b, const struct sm_event_store *x,
                      const struct sm_profile_event *e, double times)
{
    if (e->instant)
        return;
    enum sm_phase_class class = sm_phase_class(sm_names_text(x->names, e->phase), e->kind);
    double ns = (double)e->duration_ns * times;
    add_sum(b, class, e->phase, true, ns);
    if (class == SM_PHASE_CPU || class == SM_PHASE_GPU || class == SM_PHASE_HOROVOD)
        add_sum(b, class, e->name, false, ns);
}

void sm_breakdown_clear(struct sm_breakdown *b)
{
    sm_map_clear(&b->places);
    sm_free(b->items);
    *b = (struct sm_breakdown){0};
}

static double total(const struct sm_breakdown *b, enum sm_phase_class class, bool of_phase)
{
    double ns = 0;
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].class == class && b->items[i].of_phase == of_phase)
            ns += b->items[i].ns;
    return ns;
}

double sm_breakdown_others(const struct sm_breakdown *b, double ns)
{
    size_t gpus = 0;
    for (size_t i = 0; i < b->n; i++)
        gpus += b->items[i].class == SM_PHASE_GPU && b->items[i].of_phase;
    double others = ns - total(b, SM_PHASE_STEP, true) / (double)(gpus ? gpus : 1);
    return others > 0 ? others : 0;
}

/* ---- JSON ---- */

static int by_time(const void *a, const void *b)
{
    const struct sm_breakdown_sum *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

/* Shares of phases in percent of `all`, those of one class. */
static void put_shares(const struct sm_breakdown *b, const struct sm_event_store *x,
                       enum sm_phase_class class, double all, struct sm_json_writer *w)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].class == class && b->items[i].of_phase)
            sm_profiler_number(w, sm_names_text(x->names, b->items[i].name),
                               100 * b->items[i].ns / all);
}

/* The operators of a class above 2 %, in order of their time; their shares sum up to 100 %. */
static void put_operators(const struct sm_breakdown *b, const struct sm_event_store *x,
                          enum sm_phase_class class, const char *key, const char *key_total,
                          struct sm_json_writer *w)
{
    struct sm_breakdown_sum *kept = sm_xalloc_zero(b->n + 1, sizeof *kept);
    double all = total(b, class, false), rest = 0;
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].class == class && !b->items[i].of_phase &&
            100 * b->items[i].ns > DROPPED_PERCENT * all) {
            kept[n++] = b->items[i];
            rest += b->items[i].ns;
        }
    if (n)
        qsort(kept, n, sizeof *kept, by_time);
    for (int us = 0; n && us < (key_total ? 2 : 1); us++) {
        sm_json_key(w, us ? key_total : key);
        sm_json_start_map(w);
        for (size_t i = 0; i < n; i++)
            sm_profiler_number(w, sm_names_text(x->names, kept[i].name),
                               us ? kept[i].ns / 1e3 : 100 * kept[i].ns / rest);
        sm_json_end_map(w);
    }
    sm_free(kept);
}

static void put_class(const struct sm_breakdown *b, const struct sm_event_store *x,
                      enum sm_phase_class class, const char *key, struct sm_json_writer *w)
{
    double all = total(b, class, true);
    if (!(all > 0))
        return;
    sm_json_key(w, key);
    sm_json_start_map(w);
    put_shares(b, x, class, all, w);
    sm_json_end_map(w);
}

static void put_passes(const struct sm_breakdown *b, struct sm_json_writer *w)
{
    double forward = total(b, SM_PHASE_FORWARD, true), backward = total(b, SM_PHASE_BACKWARD, true);
    if (!(forward > 0 && backward > 0))
        return;
    sm_json_key(w, "forward_backward");
    sm_json_start_map(w);
    sm_profiler_number(w, "Forward pass", 100 * forward / (forward + backward));
    sm_profiler_number(w, "Backward pass", 100 * backward / (forward + backward));
    sm_json_end_map(w);
}

void sm_breakdown_json(const struct sm_breakdown *b, const struct sm_event_store *x, bool phases,
                       struct sm_json_writer *w)
{
    double operators = total(b, SM_PHASE_CPU, true) + total(b, SM_PHASE_GPU, true);
    if (operators > 0) {
        sm_json_key(w, "ratio");
        sm_json_start_map(w);
        put_shares(b, x, SM_PHASE_CPU, operators, w);
        put_shares(b, x, SM_PHASE_GPU, operators, w);
        sm_json_end_map(w);
    }
    put_operators(b, x, SM_PHASE_CPU, "CPU", "CPU_total", w);
    put_operators(b, x, SM_PHASE_GPU, "GPU", "GPU_total", w);
    if (phases)
        put_class(b, x, SM_PHASE_STEP, "phase", w);
    put_class(b, x, SM_PHASE_GENERAL, "general", w);
    put_passes(b, w);
    put_operators(b, x, SM_PHASE_HOROVOD, "horovod", NULL, w);
}
