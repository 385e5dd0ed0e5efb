/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/speed/speed_loop.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sm_loop_clear(struct sm_speed_loop *l)
{
    for (size_t i = 0; i < l->n; i++)
        sm_free(l->processes[i].spans);
    sm_free(l->processes);
    sm_loop_classes_clear(&l->classes);
    *l = (struct sm_speed_loop){0};
}

/* ---- spans ---- */

static void add_sums(struct sm_loop_sums *to, const struct sm_loop_sums *x)
{
    to->steps += x->steps;
    to->covered += x->covered;
    to->together += x->together;
    to->gaps += x->gaps;
    if (x->longest_wait_ns > to->longest_wait_ns)
        to->longest_wait_ns = x->longest_wait_ns;
    if (__builtin_add_overflow(to->step_ns, x->step_ns, &to->step_ns) ||
        __builtin_add_overflow(to->forward_ns, x->forward_ns, &to->forward_ns) ||
        __builtin_add_overflow(to->others_ns, x->others_ns, &to->others_ns) ||
        __builtin_add_overflow(to->between_ns, x->between_ns, &to->between_ns) ||
        __builtin_add_overflow(to->covered_ns, x->covered_ns, &to->covered_ns) ||
        __builtin_add_overflow(to->wait_ns, x->wait_ns, &to->wait_ns))
        to->step_ns = to->forward_ns = to->others_ns = to->between_ns = to->covered_ns =
            to->wait_ns = to->longest_wait_ns = 0;
}

static void merge_span(struct sm_loop_span *to, const struct sm_loop_span *x)
{
    to->from_ns = x->from_ns < to->from_ns ? x->from_ns : to->from_ns;
    to->to_ns = x->to_ns > to->to_ns ? x->to_ns : to->to_ns;
    to->first = to->first < 0 ? x->first : to->first;
    to->last = x->last < 0 ? to->last : x->last;
    add_sums(&to->sums, &x->sums);
}

static void halve_spans(struct sm_loop_process *p)
{
    for (size_t i = 0; i < SM_LOOP_SPANS / 2; i++) {
        p->spans[i] = p->spans[2 * i];
        merge_span(&p->spans[i], &p->spans[2 * i + 1]);
    }
    p->n_spans = SM_LOOP_SPANS / 2;
    p->per_span *= 2;
}

/* A step that came late, of an earlier file, counts with the last ones. */
static bool add_cycle(struct sm_loop_process *p, const struct sm_loop_span *x)
{
    struct sm_loop_span *last = p->n_spans ? &p->spans[p->n_spans - 1] : NULL;
    if (last && (last->sums.steps < p->per_span || x->from_ns < last->from_ns)) {
        merge_span(last, x);
        return true;
    }
    if (p->n_spans == SM_LOOP_SPANS)
        halve_spans(p);
    if (!SM_VEC_ROOM(p->spans, p->n_spans, p->cap_spans))
        return false;
    p->spans[p->n_spans++] = *x;
    return true;
}

/* ---- events ---- */

static void forget_pending(struct sm_loop_process *p)
{
    memset(&p->waits, 0, sizeof p->waits);
    memset(&p->others, 0, sizeof p->others);
    p->forward_ns = 0;
}

static int by_length(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The median of the last ones, of `count`; 0: too few. */
static int64_t usual(const int64_t recent[SM_LOOP_RECENT], uint64_t count)
{
    int64_t copy[SM_LOOP_RECENT];
    size_t n = count < SM_LOOP_RECENT ? (size_t)count : SM_LOOP_RECENT;
    memcpy(copy, recent, sizeof copy);
    qsort(copy, n, sizeof *copy, by_length);
    return n > SM_LOOP_RECENT / 2 ? copy[n / 2] : 0;
}

/* A step that waits until another worker has written a checkpoint says nothing of the worker that
 * it is of, and one checkpoint can be as long as a hundred steps. What is slow from now on becomes
 * usual after five steps. */
static bool is_pause(const struct sm_loop_process *p, int64_t ns)
{
    return p->cycles > SM_LOOP_RECENT / 2 && ns / SM_LOOP_PAUSE > usual(p->recent_ns, p->cycles);
}

/* From the end of the step before to the begin of this one, without the waits for data. Evaluation
 * between them is none, nor is a pause, as that of a checkpoint: one that is as long each time is
 * none. */
static void find_between(struct sm_loop_process *p, const struct sm_profile_event *e,
                         int64_t wait_ns, struct sm_loop_sums *out)
{
    int64_t ns, before;
    if (!p->ended || __builtin_sub_overflow(e->start_ns, p->end_ns, &ns) || ns < wait_ns)
        return;
    ns -= wait_ns;
    before = usual(p->recent_gaps_ns, p->n_gaps);
    p->recent_gaps_ns[p->n_gaps++ % SM_LOOP_RECENT] = ns;
    if (is_pause(p, ns) && !(before && ns / SM_LOOP_PAUSE <= before))
        return;
    out->gaps = 1;
    out->between_ns = ns;
}

/* Waits may lie inside of the step, if it was made to begin before them. */
static bool take_step(struct sm_loop_process *p, const struct sm_profile_event *e)
{
    bool inside = p->waits.n && p->waits.from_ns >= e->start_ns;
    bool before = p->waits.n && p->waits.from_ns < e->start_ns;
    struct sm_loop_span x = {
        .from_ns = before ? p->waits.from_ns : e->start_ns,
        .to_ns = sm_event_end(e),
        .first = e->step,
        .last = e->step,
        .sums = {.steps = 1,
                 .step_ns = e->duration_ns,
                 .forward_ns = p->forward_ns,
                 .together = p->others.n > 0,
                 .others_ns = p->others.ns < e->duration_ns ? p->others.ns : e->duration_ns,
                 .covered = p->waits.n > 0,
                 .wait_ns = p->waits.ns}};
    if (inside && p->waits.ns > e->duration_ns)
        x.sums.wait_ns = e->duration_ns;
    if (x.sums.covered &&
        __builtin_add_overflow(e->duration_ns, inside ? 0 : x.sums.wait_ns, &x.sums.covered_ns))
        x.sums.covered_ns = x.sums.wait_ns = 0;
    find_between(p, e, before ? p->waits.ns : 0, &x.sums);
    forget_pending(p);
    p->ended = true;
    p->end_ns = x.to_ns;
    if (!p->cycles) {
        p->begin_ns = x.from_ns;
        p->begin_step = x.first;
    }
    bool pause = is_pause(p, e->duration_ns);
    p->recent_ns[p->cycles % SM_LOOP_RECENT] = e->duration_ns;
    if (p->cycles++ < SM_LOOP_WARMUP || pause)
        return true;
    x.sums.longest_wait_ns = x.sums.wait_ns;
    return add_cycle(p, &x);
}

/* Of another mode. */
static void take_other_step(struct sm_loop_process *p)
{
    forget_pending(p);
    p->ended = false;
}

static void take_wait(struct sm_loop_process *p, const struct sm_profile_event *e)
{
    if (!p->waits.n++)
        p->waits.from_ns = e->start_ns;
    p->waits.to_ns = sm_event_end(e);
    if (__builtin_add_overflow(p->waits.ns, e->duration_ns, &p->waits.ns))
        p->waits.ns = INT64_MAX;
}

/* Events come in the order of their ends: what lies after the end of those before is new. */
static void take_range(struct sm_loop_cover *c, const struct sm_profile_event *e)
{
    int64_t end = sm_event_end(e), from = e->start_ns, ns;
    bool first = !c->n++;
    if (first || from < c->from_ns)
        c->from_ns = from;
    if (!first && from < c->to_ns)
        from = c->to_ns;
    if (end <= from || __builtin_sub_overflow(end, from, &ns))
        return;
    if (__builtin_add_overflow(c->ns, ns, &c->ns))
        c->ns = INT64_MAX;
    c->longest_ns = ns > c->longest_ns ? ns : c->longest_ns;
    c->to_ns = end;
}

static struct sm_loop_process *process_of(struct sm_speed_loop *l, uint16_t node)
{
    size_t n = (size_t)node + 1;
    if (!sm_vec_reserve((void **)&l->processes, &l->cap, n, sizeof *l->processes))
        return NULL;
    for (; l->n < n; l->n++)
        l->processes[l->n] = (struct sm_loop_process){.per_span = 1, .loader = SM_NAME_NONE};
    return &l->processes[node];
}

/* False: it would be too much, and is left out. */
static bool add_up(int64_t *to, int64_t ns)
{
    bool fits = ns < INT64_MAX / 4 - *to;
    *to += fits ? ns : 0;
    return fits;
}

static bool take_event(struct sm_speed_loop *l, const struct sm_names *names,
                       const struct sm_profile_event *e)
{
    enum sm_loop_event what = sm_loop_event_of(&l->classes, names, e);
    struct sm_loop_process *p = what > SM_LOOP_NOTHING ? process_of(l, e->node) : NULL;
    if (!p)
        return what == SM_LOOP_NOTHING;
    if (what == SM_LOOP_STEP)
        return take_step(p, e);
    if (what == SM_LOOP_OTHER_STEP)
        take_other_step(p);
    else if (what == SM_LOOP_WAIT)
        take_wait(p, e);
    else if (what == SM_LOOP_LOADER)
        p->loader = e->detail;
    else if (what == SM_LOOP_FORWARD)
        add_up(&p->forward_ns, e->duration_ns);
    else if (what == SM_LOOP_OTHERS)
        p->others.n += add_up(&p->others.ns, e->duration_ns);
    else if (what != SM_LOOP_LOAD)
        take_range(what == SM_LOOP_ITERATOR ? &p->iterator : &p->communication, e);
    return true;
}

bool sm_loop_update(struct sm_speed_loop *l, const struct sm_event_store *x, enum sm_mode mode)
{
    if (l->mode != mode || x->n_events < l->taken)
        sm_loop_clear(l);
    l->mode = l->classes.mode = mode;
    for (; l->block < x->n_blocks; l->block++, l->event = 0) {
        const struct sm_event_block *b = &x->blocks[l->block];
        for (; l->event < b->n; l->event++, l->taken++)
            if (!take_event(l, x->names, &b->events[l->event]))
                return false;
        if (l->block + 1 == x->n_blocks)
            break;
    }
    return true;
}

/* ---- questions ---- */

struct sm_loop_sums sm_loop_total(const struct sm_loop_process *p, size_t from)
{
    struct sm_loop_sums sum = {0};
    for (size_t i = from; i < p->n_spans; i++)
        add_sums(&sum, &p->spans[i].sums);
    return sum;
}

double sm_loop_sums_share(const struct sm_loop_sums *s)
{
    return s->covered && s->covered_ns > 0 ? (double)s->wait_ns / (double)s->covered_ns
                                           : (double)NAN;
}

double sm_loop_wait_share(const struct sm_loop_sums *s)
{
    struct sm_loop_sums x = *s;
    if (s->covered < SM_LOOP_FEW)
        return (double)NAN;
    x.wait_ns -= x.longest_wait_ns;
    x.covered_ns -= x.longest_wait_ns;
    return sm_loop_sums_share(&x);
}

double sm_loop_communication_share(const struct sm_loop_process *p, double step_ns)
{
    double range = (double)p->communication.to_ns - (double)p->communication.from_ns;
    if (!(p->communication.ns > 0 && step_ns > 0 && range >= SM_LOOP_FEW * step_ns))
        return (double)NAN;
    return (double)p->communication.ns / range;
}

double sm_loop_others_share(const struct sm_loop_sums *s)
{
    return s->together >= SM_LOOP_FEW && 2 * s->together >= s->steps && s->step_ns > 0
               ? (double)s->others_ns / (double)s->step_ns
               : (double)NAN;
}

double sm_loop_between_ns(const struct sm_loop_sums *s)
{
    return s->gaps ? (double)s->between_ns / (double)s->gaps : 0;
}

double sm_loop_own_ns(const struct sm_loop_process *p, const struct sm_loop_sums *s)
{
    double n = (double)s->steps, share,
           wait = s->covered ? (double)s->wait_ns / (double)s->covered : 0;
    if (s->steps < SM_LOOP_FEW)
        return (double)NAN;
    share = sm_loop_others_share(s);
    if (share == share)
        return wait + sm_loop_between_ns(s) + (double)s->step_ns / n * (1 - fmin(share, 1));
    share = sm_loop_communication_share(p, (double)s->step_ns / n);
    if (share == share)
        return wait + (double)s->step_ns / n * (1 - fmin(share, 1));
    return s->forward_ns > 0 ? wait + (double)s->forward_ns / n : (double)NAN;
}

/* The first one may be the begin of an epoch, which fills a buffer; so the longest does not count.
 */
double sm_loop_iterator_share(const struct sm_loop_process *p)
{
    const struct sm_loop_cover *c = &p->iterator;
    double range = (double)c->to_ns - (double)c->from_ns - (double)c->longest_ns;
    return c->n >= SM_LOOP_FEW && range > 0 ? ((double)c->ns - (double)c->longest_ns) / range
                                            : (double)NAN;
}

/* The mean of those that are known; NaN: none is. */
static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (x[i] == x[i]) {
            sum += x[i];
            known++;
        }
    return known ? sum / (double)known : (double)NAN;
}

static bool is_beyond(double x, double limit, bool above)
{
    return above ? x > limit : x < limit;
}

/* The same for the means of each `group` values. */
static size_t onset_of_groups(const double *x, size_t n, size_t group, double limit, bool above)
{
    size_t first = n, beyond = 0, known = 0;
    for (size_t i = (n - 1) / group * group, k = 0; k < n; k += group, i -= group) {
        double mean = mean_of(x + i, n - i < group ? n - i : group);
        bool is = is_beyond(mean, limit, above);
        known += mean == mean;
        beyond += is;
        if (is && 4 * beyond >= 3 * known)
            first = i;
    }
    return first;
}

/* What is slow now and then is beyond the limit in few of the values: then before the onset it is
 * beyond it in the mean, too, and longer parts are looked at. */
size_t sm_loop_onset(const double *x, size_t n, double limit, bool above)
{
    size_t first = n ? onset_of_groups(x, n, 1, limit, above) : n;
    for (size_t group = 2; is_beyond(mean_of(x, first), limit, above); group *= 2)
        first = group < n ? onset_of_groups(x, n, group, limit, above) : 0;
    return first;
}
