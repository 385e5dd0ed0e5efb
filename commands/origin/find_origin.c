#include "commands/origin/find_origin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a longer past so many spots are looked at, spread evenly, and then those between two of them;
 * of small values more. */
enum { PROBES = 1024, PROBES_LARGE = 64, PROBED_BYTES = 64 << 20, AHEAD = 512 };

/* ---- a row: its past and its runs of bad spots ---- */

static size_t most_probes(const struct sm_saved_value_row *row)
{
    size_t n = PROBED_BYTES / ((size_t)row->spots[0].entry.length + 1);
    return n < PROBES_LARGE ? PROBES_LARGE : n < PROBES ? n : PROBES;
}

/* Indices from..to, or some of them with both ends. */
static size_t spread(const struct sm_saved_value_row *row, size_t from, size_t to,
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
        known = sm_saved_value_read(&o->spots, &row->spots[at[i]], err) && known;
    return known || sm_err_set(err, SM_ERR_WAIT, "reading the past");
}

/* Judges the spots in their order; the sound ones go into the past. */
static void judge_all(struct sm_saved_value_row *row, const size_t *at, size_t n,
                      struct sm_value_baseline *past, enum sm_fault *ills)
{
    for (size_t i = 0; i < n; i++) {
        struct sm_saved_value *x = &row->spots[at[i]];
        ills[i] = sm_value_health_judge(x->vitals, row->organ, past);
        if (x->vitals->n && ills[i] == SM_FAULT_NONE)
            sm_value_baseline_add(past, x->vitals, x->step);
    }
}

bool sm_origin_judge(struct sm_origin *o, struct sm_saved_value_row *row, size_t at,
                     enum sm_fault *ill, struct sm_err *err)
{
    size_t probes[PROBES];
    enum sm_fault ills[PROBES];
    struct sm_value_baseline past = {0};
    const struct sm_saved_value *x = &row->spots[at], *first = &row->spots[0];
    *ill = SM_FAULT_NONE;
    if (!sm_saved_value_read(&o->spots, &row->spots[at], err))
        return false;
    if (!x->vitals->n)
        return true;
    if (!sm_saved_value_read(&o->spots, &row->spots[0], err))
        return false;
    size_t n = spread(row, sm_value_health_want_past(x->vitals, first->vitals, row->organ) ? 0 : at,
                      at, probes);
    if (!read_all(o, row, probes, n, err))
        return false;
    judge_all(row, probes, n, &past, ills);
    *ill = ills[n - 1];
    return true;
}

/* The unbroken run of spots with an ill of the mask that ends at a spot. */
struct run {
    size_t first;
    bool has_good;
    size_t good;                   /* the spot before it */
    struct sm_value_baseline past; /* of the sound ones before it */
    bool sampled;                  /* of some of them */
};

/* Where the run begins among the probes, the last of which is in it. Spots that cannot be read
 * break nothing. */
static size_t run_begin(const struct sm_saved_value_row *row, const size_t *probes,
                        const enum sm_fault *ills, size_t n, unsigned mask)
{
    size_t begin = n - 1;
    for (size_t i = n - 1; i-- > 0;) {
        bool readable = row->spots[probes[i]].vitals->n > 0;
        if (readable && !(mask >> ills[i] & 1))
            break;
        begin = readable ? i : begin;
    }
    return begin;
}

static size_t good_before(const struct sm_saved_value_row *row, const size_t *probes, size_t begin)
{
    while (begin && !row->spots[probes[begin - 1]].vitals->n)
        begin--;
    return begin;
}

static bool find_run(struct sm_origin *o, struct sm_saved_value_row *row, size_t at, unsigned mask,
                     struct run *r, struct sm_err *err)
{
    size_t from = 0, to = at, probes[PROBES];
    enum sm_fault ills[PROBES];
    struct sm_value_baseline before = {0}; /* of what lies before `from` */
    bool sampled = false;
    for (;;) {
        size_t n = spread(row, from, to, probes);
        if (!read_all(o, row, probes, n, err))
            return false;
        struct sm_value_baseline past = before;
        sampled = sampled || n < to - from + 1;
        judge_all(row, probes, n, &past, ills);
        size_t begin = run_begin(row, probes, ills, n, mask),
               good = good_before(row, probes, begin);
        *r = (struct run){.first = probes[begin],
                          .has_good = good > 0,
                          .good = good ? probes[good - 1] : 0,
                          .past = before,
                          .sampled = sampled};
        judge_all(row, probes, begin, &r->past, ills);
        if (!r->has_good || r->first - r->good == 1 || n == to - from + 1)
            return true;
        judge_all(row, probes, good - 1, &before, ills);
        from = r->good;
        to = r->first;
    }
}

/* ---- frames ---- */

static void add_frame(struct sm_origin *o, size_t row, size_t at, enum sm_fault ill, bool begins,
                      const struct run *r)
{
    const struct sm_saved_value_row *x = &o->spots.rows[row];
    const struct sm_saved_value *c = &x->spots[at];
    if (o->n == o->cap) {
        struct sm_stack_frame *larger =
            sm_arena_xalloc(&o->spots.call->arena, (o->cap = 2 * o->cap + 8) * sizeof *larger);
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
                                 .ill = ill,
                                 .vitals = *c->vitals,
                                 .begins = begins,
                                 .z = NAN};
    if (r->has_good) {
        f->has_good = true;
        f->good_step = x->spots[r->good].step;
        f->good = *x->spots[r->good].vitals;
    }
    if (ill != SM_FAULT_NAN && ill != SM_FAULT_INF)
        f->z = sm_value_baseline_z(&r->past, c->vitals, ill);
    f->past_n = r->sampled ? r->past.n : 0;
    f->past_first = r->past.first;
    f->past_last = r->past.last;
}

/* The spot itself, the first one with the same ill, and the first one with an ill that can lead to
 * it. */
static bool add_run(struct sm_origin *o, struct run *r, bool *bad, struct sm_err *err)
{
    struct sm_saved_value_row *row = &o->spots.rows[o->row];
    enum sm_fault ill, first;
    struct run same;
    if (!sm_origin_judge(o, row, o->at, &ill, err))
        return false;
    *bad = ill != SM_FAULT_NONE;
    if (!*bad)
        return true;
    o->family = sm_fault_family(ill);
    if (!find_run(o, row, o->at, 1u << ill, &same, err) ||
        !find_run(o, row, same.first, o->family, r, err) ||
        !sm_origin_judge(o, row, r->first, &first, err))
        return false;
    add_frame(o, o->row, o->at, ill, same.first == o->at, r);
    if (same.first != o->at)
        add_frame(o, o->row, same.first, ill, true, r);
    if (r->first != same.first)
        add_frame(o, o->row, r->first, first, true, r);
    o->at = r->first;
    return true;
}

/* ---- what was written in between ---- */

static void add_found(struct sm_origin *o, struct sm_ordered_value p)
{
    if (o->n_found == o->cap_found) {
        struct sm_ordered_value *larger = sm_arena_xalloc(
            &o->spots.call->arena, (o->cap_found = 2 * o->cap_found + 64) * sizeof *larger);
        if (o->n_found)
            memcpy(larger, o->found, o->n_found * sizeof *larger);
        o->found = larger;
    }
    o->found[o->n_found++] = p;
}

static struct sm_saved_value *spot_at(struct sm_saved_value_row *row, struct sm_step step)
{
    size_t i = sm_saved_value_row_at(row, step);
    return i < row->n && row->spots[i].step.n == step.n ? &row->spots[i] : NULL;
}

/* Asks for the spots of a step. How many there are; *known: all have come. */
static size_t ask_step(struct sm_origin *o, struct sm_step step, bool *known, struct sm_err *err)
{
    size_t n = 0;
    *known = true;
    for (size_t i = 0; i < o->spots.n; i++) {
        struct sm_saved_value *x = spot_at(&o->spots.rows[i], step);
        n += x != NULL;
        if (x && !sm_saved_value_read(&o->spots, x, err))
            *known = false;
    }
    return n;
}

/* The bad spots of one step between two places. */
static bool look_through(struct sm_origin *o, struct sm_step step,
                         const struct sm_ordered_value *after,
                         const struct sm_ordered_value *before, struct sm_err *err)
{
    size_t first = o->n_found;
    bool known = true;
    for (size_t i = 0; i < o->spots.n; i++) {
        struct sm_saved_value_row *row = &o->spots.rows[i];
        struct sm_saved_value *x = spot_at(row, step);
        enum sm_fault ill;
        if (!x || !x->vitals->n)
            continue;
        struct sm_ordered_value p = sm_order_place(&o->order, &o->spots, row, x);
        if ((after && sm_placed_cmp(&p, after) <= 0) || sm_placed_cmp(&p, before) >= 0)
            continue;
        if (!sm_origin_judge(o, row, (size_t)(x - row->spots), &ill, err))
            known = false;
        else if (o->family >> ill & 1)
            add_found(o, p);
    }
    if (!known)
        o->n_found = first;
    else if (o->n_found - first)
        qsort(o->found + first, o->n_found - first, sizeof *o->found, sm_placed_cmp);
    return known;
}

/* Looks for bad spots from the last good value of the run to its beginning; for the first one, or
 * for all. */
static bool scan_window(struct sm_origin *o, const struct run *r, struct sm_err *err)
{
    const struct sm_trial *t = o->spots.trial;
    struct sm_saved_value_row *row = &o->spots.rows[o->row];
    struct sm_ordered_value before =
                                sm_order_place(&o->order, &o->spots, row, &row->spots[r->first]),
                            after = {0};
    size_t from = 0, ahead = 0;
    if (r->has_good) {
        after = sm_order_place(&o->order, &o->spots, row, &row->spots[r->good]);
        from = sm_trial_step_at(t, row->spots[r->good].step);
    }
    for (size_t i = from + o->scanned; i < sm_trial_step_count(t) && (o->all || !o->n_found); i++) {
        struct sm_step step = sm_trial_step(t, i)->step;
        bool known;
        if (step.n > row->spots[r->first].step.n)
            break;
        ahead += ask_step(o, step, &known, err);
        known = known && i == from + o->scanned &&
                look_through(o, step, r->has_good ? &after : NULL, &before, err);
        if (known) {
            o->scanned++;
            ahead = 0;
        } else if (ahead > AHEAD) {
            break;
        }
    }
    if (ahead)
        return sm_err_set(err, SM_ERR_WAIT, "looking at what was written before");
    sm_saved_values_rest(&o->spots);
    return true;
}

/* ---- the way back ---- */

/* Goes on from the earliest; with `all` the others become frames, the later ones first. False in
 * *more: there is none. */
static void take_found(struct sm_origin *o, bool *more)
{
    static const struct run none = {0};
    *more = o->n_found > 0;
    for (size_t i = o->n_found; o->all && i-- > 1;) {
        const struct sm_ordered_value *p = &o->found[i];
        size_t row = (size_t)(p->row - o->spots.rows), at = (size_t)(p->spot - p->row->spots);
        enum sm_fault ill = SM_FAULT_NONE;
        sm_origin_judge(o, p->row, at, &ill, NULL);
        add_frame(o, row, at, ill, false, &none);
    }
    if (*more) {
        o->row = (size_t)(o->found[0].row - o->spots.rows);
        o->at = (size_t)(o->found[0].spot - o->found[0].row->spots);
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
            if (!find_run(o, &o->spots.rows[o->row], o->at, o->family, &r, err) ||
                !scan_window(o, &r, err))
                return false;
            take_found(o, &more);
            o->scanning = false;
            o->done = !more;
        }
    }
    return true;
}

/* ---- where to begin ---- */

static bool is_loss(const struct sm_origin *o, const struct sm_saved_value_row *row)
{
    const struct sm_trial *t = o->spots.trial;
    for (size_t i = 0; i < sm_trial_collection_count(t); i++)
        if (strcmp(sm_trial_collection(t, i)->name, "losses") == 0 &&
            sm_trial_in_collection(t, i, row->tensor))
            return true;
    return strcasestr(sm_names_text(sm_trial_names(t), row->tensor), "loss") != NULL;
}

/* Higher is worse. */
static int badness(const struct sm_origin *o, const struct sm_saved_value_row *row,
                   enum sm_fault ill)
{
    return ill == SM_FAULT_NONE ? 0 : 2 * (SM_FAULT_COUNT - (int)ill) + is_loss(o, row);
}

bool sm_origin_worst(struct sm_origin *o, bool *found, struct sm_err *err)
{
    int worst = 0;
    struct sm_ordered_value best = {0};
    bool known = true;
    for (size_t i = 0; i < o->spots.n; i++) {
        struct sm_saved_value_row *row = &o->spots.rows[i];
        enum sm_fault ill;
        if (!sm_origin_judge(o, row, row->n - 1, &ill, err)) {
            known = false;
            continue;
        }
        struct sm_ordered_value p =
            sm_order_place(&o->order, &o->spots, row, &row->spots[row->n - 1]);
        int bad = badness(o, row, ill);
        if (bad > worst || (bad && bad == worst && sm_placed_cmp(&p, &best) > 0)) {
            worst = bad;
            best = p;
            o->row = i;
            o->at = row->n - 1;
        }
    }
    *found = worst > 0;
    return known || sm_err_set(err, SM_ERR_WAIT, "looking at the newest values");
}
