/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/origin/find_origin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a longer past at most this many values are read, evenly spaced, then the values between two of
 * them; more if the values are small. */
enum { PROBES = 1024, PROBES_LARGE = 64, PROBED_BYTES = 64 << 20, AHEAD = 512 };

/* ---- a row: its past and its runs of bad values ---- */

static size_t most_probes(const struct sm_saved_value_row *row)
{
    size_t n = PROBED_BYTES / ((size_t)row->values[0].entry.length + 1);
    return n < PROBES_LARGE ? PROBES_LARGE : n < PROBES ? n : PROBES;
}

/* Indices from..to, or evenly spaced ones including both ends. */
static size_t choose_probes(const struct sm_saved_value_row *row, size_t from, size_t to,
                            size_t out[PROBES])
{
    size_t n = to - from + 1, most = most_probes(row);
    if (n > most)
        n = most;
    for (size_t i = 0; i < n; i++)
        out[i] = n == to - from + 1
                     ? from + i
                     : from + (size_t)((double)(to - from) * (double)i / (double)(n - 1));
    return n;
}

static bool read_all(struct sm_origin *o, struct sm_saved_value_row *row, const size_t *at,
                     size_t n, struct sm_err *err)
{
    bool known = true;
    for (size_t i = 0; i < n; i++)
        known = sm_saved_value_read(&o->saved, &row->values[at[i]], err) && known;
    return known || sm_err_set(err, SM_ERR_WAIT, "reading the past");
}

/* Judges the values in order; good values are added to the past. */
static void judge_all(struct sm_saved_value_row *row, const size_t *at, size_t n,
                      struct sm_value_baseline *past, enum sm_fault *faults)
{
    for (size_t i = 0; i < n; i++) {
        struct sm_saved_value *x = &row->values[at[i]];
        faults[i] = sm_value_health_judge(x->health, row->role, past);
        if (x->health->n && faults[i] == SM_FAULT_NONE)
            sm_value_baseline_add(past, x->health, x->step);
    }
}

bool sm_origin_judge(struct sm_origin *o, struct sm_saved_value_row *row, size_t at,
                     enum sm_fault *fault, struct sm_err *err)
{
    size_t probes[PROBES];
    enum sm_fault faults[PROBES];
    struct sm_value_baseline past = {0};
    const struct sm_saved_value *x = &row->values[at], *first = &row->values[0];
    *fault = SM_FAULT_NONE;
    if (!sm_saved_value_read(&o->saved, &row->values[at], err))
        return false;
    if (!x->health->n)
        return true;
    if (!sm_saved_value_read(&o->saved, &row->values[0], err))
        return false;
    size_t n = choose_probes(
        row, sm_value_health_needs_past(x->health, first->health, row->role) ? 0 : at, at, probes);
    if (!read_all(o, row, probes, n, err))
        return false;
    judge_all(row, probes, n, &past, faults);
    *fault = faults[n - 1];
    return true;
}

/* Consecutive values with a fault of the mask, up to a given value. */
struct run {
    size_t first;
    bool has_good;
    size_t good;                   /* the value before the run */
    struct sm_value_baseline past; /* of the good values before the run */
    bool sampled;                  /* only some of them were read */
};

/* Index of the first probe in the run; the last probe is in it. An unreadable value does not end
 * the run. */
static size_t run_start(const struct sm_saved_value_row *row, const size_t *probes,
                        const enum sm_fault *faults, size_t n, unsigned mask)
{
    size_t start = n - 1;
    for (size_t i = n - 1; i-- > 0;) {
        bool readable = row->values[probes[i]].health->n > 0;
        if (readable && !(mask >> faults[i] & 1))
            break;
        start = readable ? i : start;
    }
    return start;
}

static size_t good_before(const struct sm_saved_value_row *row, const size_t *probes, size_t start)
{
    while (start && !row->values[probes[start - 1]].health->n)
        start--;
    return start;
}

static bool find_run(struct sm_origin *o, struct sm_saved_value_row *row, size_t at, unsigned mask,
                     struct run *r, struct sm_err *err)
{
    size_t from = 0, to = at, probes[PROBES];
    enum sm_fault faults[PROBES];
    struct sm_value_baseline before = {0}; /* of the values before `from` */
    bool sampled = false;
    for (;;) {
        size_t n = choose_probes(row, from, to, probes);
        if (!read_all(o, row, probes, n, err))
            return false;
        struct sm_value_baseline past = before;
        sampled = sampled || n < to - from + 1;
        judge_all(row, probes, n, &past, faults);
        size_t start = run_start(row, probes, faults, n, mask),
               good = good_before(row, probes, start);
        *r = (struct run){.first = probes[start],
                          .has_good = good > 0,
                          .good = good ? probes[good - 1] : 0,
                          .past = before,
                          .sampled = sampled};
        judge_all(row, probes, start, &r->past, faults);
        if (!r->has_good || r->first - r->good == 1 || n == to - from + 1)
            return true;
        judge_all(row, probes, good - 1, &before, faults);
        from = r->good;
        to = r->first;
    }
}

/* ---- frames ---- */

static void add_frame(struct sm_origin *o, size_t row, size_t at, enum sm_fault fault,
                      bool is_first, const struct run *r)
{
    const struct sm_saved_value_row *x = &o->saved.rows[row];
    const struct sm_saved_value *c = &x->values[at];
    if (o->n == o->cap) {
        struct sm_stack_frame *larger =
            sm_arena_xalloc(&o->saved.call->arena, (o->cap = 2 * o->cap + 8) * sizeof *larger);
        if (o->n)
            memcpy(larger, o->frames, o->n * sizeof *larger);
        o->frames = larger;
    }
    struct sm_stack_frame *f = &o->frames[o->n++];
    *f = (struct sm_stack_frame){.tensor = x->tensor,
                                 .step = c->step,
                                 .mode_step = c->mode_step,
                                 .mode = (enum sm_mode)c->mode,
                                 .worker = x->worker,
                                 .fault = fault,
                                 .health = *c->health,
                                 .is_first = is_first,
                                 .z = NAN};
    if (r->has_good) {
        f->has_good = true;
        f->good_step = x->values[r->good].step;
        f->good = *x->values[r->good].health;
    }
    if (fault != SM_FAULT_NAN && fault != SM_FAULT_INF)
        f->z = sm_value_baseline_z(&r->past, c->health, fault);
    f->past_n = r->sampled ? r->past.n : 0;
    f->past_first = r->past.first;
    f->past_last = r->past.last;
}

/* Adds the value itself, the first value with the same fault, and the first value with a fault that
 * can lead to it. */
static bool add_run(struct sm_origin *o, struct run *r, bool *bad, struct sm_err *err)
{
    struct sm_saved_value_row *row = &o->saved.rows[o->row];
    enum sm_fault fault, first;
    struct run same;
    if (!sm_origin_judge(o, row, o->at, &fault, err))
        return false;
    *bad = fault != SM_FAULT_NONE;
    if (!*bad)
        return true;
    o->family = sm_fault_family(fault);
    if (!find_run(o, row, o->at, 1u << fault, &same, err) ||
        !find_run(o, row, same.first, o->family, r, err) ||
        !sm_origin_judge(o, row, r->first, &first, err))
        return false;
    add_frame(o, o->row, o->at, fault, same.first == o->at, r);
    if (same.first != o->at)
        add_frame(o, o->row, same.first, fault, true, r);
    if (r->first != same.first)
        add_frame(o, o->row, r->first, first, true, r);
    o->at = r->first;
    return true;
}

/* ---- values written in between ---- */

static void add_found(struct sm_origin *o, struct sm_ordered_value p)
{
    if (o->n_found == o->cap_found) {
        struct sm_ordered_value *larger = sm_arena_xalloc(
            &o->saved.call->arena, (o->cap_found = 2 * o->cap_found + 64) * sizeof *larger);
        if (o->n_found)
            memcpy(larger, o->found, o->n_found * sizeof *larger);
        o->found = larger;
    }
    o->found[o->n_found++] = p;
}

static struct sm_saved_value *value_at(struct sm_saved_value_row *row, struct sm_step step)
{
    size_t i = sm_saved_value_row_at(row, step);
    return i < row->n && row->values[i].step.n == step.n ? &row->values[i] : NULL;
}

/* Requests the values of a step and returns their number. *known: all were read. */
static size_t read_step(struct sm_origin *o, struct sm_step step, bool *known, struct sm_err *err)
{
    size_t n = 0;
    *known = true;
    for (size_t i = 0; i < o->saved.n; i++) {
        struct sm_saved_value *x = value_at(&o->saved.rows[i], step);
        n += x != NULL;
        if (x && !sm_saved_value_read(&o->saved, x, err))
            *known = false;
    }
    return n;
}

/* Adds the bad values of one step between two places. */
static bool find_bad_values(struct sm_origin *o, struct sm_step step,
                            const struct sm_ordered_value *after,
                            const struct sm_ordered_value *before, struct sm_err *err)
{
    size_t first = o->n_found;
    bool known = true;
    for (size_t i = 0; i < o->saved.n; i++) {
        struct sm_saved_value_row *row = &o->saved.rows[i];
        struct sm_saved_value *x = value_at(row, step);
        enum sm_fault fault;
        if (!x || !x->health->n)
            continue;
        struct sm_ordered_value p = sm_order_place(&o->order, &o->saved, row, x);
        if ((after && sm_placed_cmp(&p, after) <= 0) || sm_placed_cmp(&p, before) >= 0)
            continue;
        if (!sm_origin_judge(o, row, (size_t)(x - row->values), &fault, err))
            known = false;
        else if (o->family >> fault & 1)
            add_found(o, p);
    }
    if (!known)
        o->n_found = first;
    else if (o->n_found - first)
        qsort(o->found + first, o->n_found - first, sizeof *o->found, sm_placed_cmp);
    return known;
}

/* Searches for bad values from the last good value of the run to its start: the first, or all. */
static bool scan_window(struct sm_origin *o, const struct run *r, struct sm_err *err)
{
    const struct sm_trial *t = o->saved.trial;
    struct sm_saved_value_row *row = &o->saved.rows[o->row];
    struct sm_ordered_value before =
                                sm_order_place(&o->order, &o->saved, row, &row->values[r->first]),
                            after = {0};
    size_t from = 0, ahead = 0;
    if (r->has_good) {
        after = sm_order_place(&o->order, &o->saved, row, &row->values[r->good]);
        from = sm_trial_step_at(t, row->values[r->good].step);
    }
    for (size_t i = from + o->scanned; i < sm_trial_step_count(t) && (o->all || !o->n_found); i++) {
        struct sm_step step = sm_trial_step(t, i)->step;
        bool known;
        if (step.n > row->values[r->first].step.n)
            break;
        ahead += read_step(o, step, &known, err);
        known = known && i == from + o->scanned &&
                find_bad_values(o, step, r->has_good ? &after : NULL, &before, err);
        if (known) {
            o->scanned++;
            ahead = 0;
        } else if (ahead > AHEAD) {
            break;
        }
    }
    if (ahead)
        return sm_err_set(err, SM_ERR_WAIT, "reading the values written before");
    sm_saved_values_release(&o->saved);
    return true;
}

/* ---- the trace ---- */

/* Continues from the earliest value found; with `all` the others become frames, the latest first.
 * *more: false if nothing was found. */
static void follow_found(struct sm_origin *o, bool *more)
{
    static const struct run none = {0};
    *more = o->n_found > 0;
    for (size_t i = o->n_found; o->all && i-- > 1;) {
        const struct sm_ordered_value *p = &o->found[i];
        size_t row = (size_t)(p->row - o->saved.rows), at = (size_t)(p->value - p->row->values);
        enum sm_fault fault = SM_FAULT_NONE;
        sm_origin_judge(o, p->row, at, &fault, NULL);
        add_frame(o, row, at, fault, false, &none);
    }
    if (*more) {
        o->row = (size_t)(o->found[0].row - o->saved.rows);
        o->at = (size_t)(o->found[0].value - o->found[0].row->values);
    }
    o->n_found = o->scanned = 0;
}

bool sm_origin_follow(struct sm_origin *o, struct sm_err *err)
{
    struct run r;
    while (!o->done) {
        bool more = true;
        if (!o->scanning) {
            if (!add_run(o, &r, &more, err))
                return false;
            o->done = !more;
            o->scanning = more;
        } else {
            if (!find_run(o, &o->saved.rows[o->row], o->at, o->family, &r, err) ||
                !scan_window(o, &r, err))
                return false;
            follow_found(o, &more);
            o->scanning = false;
            o->done = !more;
        }
    }
    return true;
}
