/* SPDX-License-Identifier: Apache-2.0 */
/* Events of timelines, kept in the order in which they came, and what is asked of all of them:
 * totals by phase and by operator, and the steps.
 *
 * Events come in the order of their ends, of several processes: blocks of them know the time that
 * they span, so that a range of time is found without looking at all events. */
#ifndef SM_EVENT_STORE_H
#define SM_EVENT_STORE_H

#include "reader/kind/trial_options.h"
#include "reader/profile/earliest.h"
#include "reader/profile/pevents.h"
#include "reader/profile/ranks.h"

enum { SM_EVENT_BLOCK = 1024 };
struct sm_event_block {
    struct sm_profile_event *events;
    size_t n, cap;
    int64_t from_ns, to_ns; /* first start, last end */
};
/* Sums of complete events; instants do not count. */
struct sm_event_sum {
    uint64_t count;
    int64_t total_ns, min_ns, max_ns;
    int64_t first_ns, last_ns; /* first start, last end */
};
struct sm_phase {
    uint32_t name; /* id in the names of the store */
    uint8_t kind;  /* enum sm_pevents_kind of its first event */
    struct sm_event_sum sum;
    uint32_t *events; /* the numbers of its complete events: sum.count of them */
    size_t n_events, cap_events;
    struct sm_ranks ranks; /* of their durations */
};
/* The events of one name in one phase. */
struct sm_operator {
    uint32_t phase, name;
    struct sm_event_sum sum;
};
struct sm_profile_step {
    int64_t start_ns, end_ns;
    int32_t step; /* within its mode; -1: not given */
    uint16_t node;
    uint8_t mode; /* enum sm_mode */
};
/* Zero-initialised and with names set it is empty. */
struct sm_event_store {
    struct sm_names *names; /* borrowed */
    struct sm_event_block *blocks;
    size_t n_blocks, cap_blocks;
    uint64_t n_events, n_instants;
    struct sm_phase *phases; /* in order of appearance */
    size_t n_phases, cap_phases;
    struct sm_operator *operators;
    size_t n_operators, cap_operators;
    struct sm_map by_phase, by_operator; /* of indices */
    struct sm_profile_step *steps;       /* sorted by start */
    size_t n_steps, cap_steps, sorted_steps;
    int64_t longest_step_ns;
    struct sm_step_span {
        int64_t from_ns, to_ns;
    } * spans; /* of each step of each mode, over all nodes */
    size_t n_spans, cap_spans;
    struct sm_map by_step;    /* of mode and step: index of spans */
    struct sm_earliest added; /* that were earlier than what there was, by version */
    uint64_t version;         /* increases when events are added */
    int64_t first_ns, last_ns;
};
void sm_event_store_clear(struct sm_event_store *x);
/* How far a batch was merged; begin with {0}. */
struct sm_event_merge {
    uint32_t *names; /* ids in the names of the store, for each of the batch */
    size_t event;
};
/* As sm_metric_store_merge; node: of all its events. */
bool sm_event_store_merge(struct sm_event_store *x, const struct sm_event_batch *b, uint16_t node,
                          struct sm_event_merge *at, size_t *work, bool *done);
void sm_event_merge_clear(struct sm_event_merge *at);
size_t sm_event_store_bytes(const struct sm_event_store *x);

static inline int64_t sm_event_end(const struct sm_profile_event *e)
{
    return e->start_ns + e->duration_ns;
}
/* Walks the events that overlap [from, to), in order of their coming; begin with {.from_ns, .to_ns}
 * of the range. NULL: no more. */
struct sm_event_walk {
    int64_t from_ns, to_ns;
    size_t block, event;
};
const struct sm_profile_event *sm_event_next(const struct sm_event_store *x,
                                             struct sm_event_walk *w);
/* The number of the event that was walked last; it stays the same when events are added. */
static inline uint32_t sm_event_number(const struct sm_event_walk *w)
{
    return (uint32_t)(w->block * SM_EVENT_BLOCK + w->event - 1);
}
static inline const struct sm_profile_event *sm_event_numbered(const struct sm_event_store *x,
                                                               uint32_t n)
{
    return &x->blocks[n / SM_EVENT_BLOCK].events[n % SM_EVENT_BLOCK];
}
/* NULL: there is none of this name. */
const struct sm_phase *sm_event_phase(const struct sm_event_store *x, const char *name);
/* Quantiles of the durations in ns of a phase, as numpy's. Their cost hardly grows with the number
 * of events (ranks.h). False: no memory. */
bool sm_event_phase_quantiles(const struct sm_event_store *x, const struct sm_phase *phase,
                              const double *q, size_t n_q, double *out);
/* When a step ran; of one that was repeated after a restart, the last time. NULL: not known. */
const struct sm_step_span *sm_event_step_span(const struct sm_event_store *x, enum sm_mode mode,
                                              int32_t step);
/* Index of the first step that starts at this time or later. */
size_t sm_event_step_at(const struct sm_event_store *x, int64_t ns);

/* Whether a phase is the steps of a mode: "Step:ModeKeys.TRAIN". */
bool sm_phase_is_step(const char *name, enum sm_mode *mode);
/* As RULES.md 6.10 classes phases, the first that fits. */
enum sm_phase_class {
    SM_PHASE_CPU,
    SM_PHASE_GPU,
    SM_PHASE_STEP,
    SM_PHASE_FORWARD,  /* of modules */
    SM_PHASE_BACKWARD, /* of modules */
    SM_PHASE_HOROVOD,
    SM_PHASE_GENERAL
};
enum sm_phase_class sm_phase_class(const char *name, enum sm_pevents_kind kind);

#endif
