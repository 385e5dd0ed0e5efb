/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare_run.h"

#include "reader/fetch/read_pair.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

static const struct sm_trial_tensor *find_tensor(const struct sm_trial *t, const char *name)
{
    return sm_trial_find(t, name, strlen(name));
}

static struct sm_compare_row *new_row(struct sm_compare *x, const char *name, const char *other)
{
    struct sm_compare_row *row = &x->rows[x->n++];
    *row = (struct sm_compare_row){
        .name = name, .name_b = other, .seen = {-1}, .step = {-1}, .worker = SM_WORKER_ANY};
    row->in_a = find_tensor(x->a.trial, name) != NULL;
    row->in_b = find_tensor(x->b.trial, other) != NULL;
    row->why = !row->in_a ? "only in b" : !row->in_b ? "only in a" : NULL;
    return row;
}

static char *copy_name(struct sm_call *c, const struct sm_trial *t,
                       const struct sm_trial_tensor *of)
{
    const char *name = sm_trial_tensor_name(t, of);
    return sm_arena_xstrndup(&c->arena, name, strlen(name));
}

/* The tensors of B that no row of A means. */
static void add_others(struct sm_call *c, struct sm_compare *x)
{
    struct sm_names *meant = sm_names_new();
    for (size_t i = 0; meant && i < x->n; i++)
        sm_names_add(meant, x->rows[i].name_b, strlen(x->rows[i].name_b));
    for (size_t i = 0; i < sm_trial_tensor_count(x->b.trial); i++) {
        const char *name = copy_name(c, x->b.trial, sm_trial_tensor(x->b.trial, i));
        if (!meant || sm_names_find(meant, name, strlen(name)) == SM_NAME_NONE) {
            struct sm_compare_row *row = new_row(x, name, name);
            row->in_a = false;
            row->why = "only in b";
        }
    }
    sm_names_free(meant);
}

static void pair_workers(struct sm_call *c, struct sm_compare *x)
{
    size_t workers = sm_trial_worker_count(x->a.trial);
    x->pairs = sm_arena_xalloc(&c->arena, (workers + 1) * sizeof *x->pairs);
    for (uint16_t a = 0;
         a < workers && x->a.worker == SM_WORKER_ANY && x->b.worker == SM_WORKER_ANY; a++) {
        uint16_t b = sm_trial_find_worker(x->b.trial, sm_trial_worker(x->a.trial, a));
        if (b != SM_WORKER_ANY)
            x->pairs[x->n_pairs++] = (struct sm_worker_pair){a, b};
    }
    if (x->n_pairs < 2) {
        x->pairs[0] = (struct sm_worker_pair){x->a.worker, x->b.worker};
        x->n_pairs = 1;
    }
}

void sm_compare_prepare(struct sm_call *c, struct sm_compare *x, const struct sm_selection *only)
{
    bool all = only->n == sm_trial_tensor_count(x->a.trial);
    size_t others = sm_trial_tensor_count(x->b.trial);
    x->rows = sm_arena_xalloc(&c->arena, (only->n + others + 1) * sizeof *x->rows);
    for (size_t i = 0; i < only->n; i++) {
        const char *name = copy_name(c, x->a.trial, only->items[i]);
        new_row(x, name, x->names ? sm_name_pairs_find(x->names, name, &c->arena) : name);
    }
    if (all)
        add_others(c, x);
    pair_workers(c, x);
    x->prepared = true;
}

/* B's step for a step of A: the given step, else the same step of its mode. */
static bool other_step(const struct sm_compare *x, const struct sm_trial_step *a,
                       struct sm_step *out)
{
    enum sm_mode mode = x->b.mode != SM_MODE_ANY ? x->b.mode : (enum sm_mode)a->mode;
    if (x->a.step.n >= 0 && a->step.n != x->a.step.n)
        return false;
    if (x->a.step.n < 0 && x->a.mode != SM_MODE_ANY && a->mode != x->a.mode)
        return false;
    *out = x->b.step;
    if (x->b.step.n >= 0)
        return true;
    if (x->a.trial == x->b.trial && x->b.mode == SM_MODE_ANY) {
        *out = a->step;
        return true;
    }
    return sm_compare_operand_same_step(x->b.trial, mode, a, out);
}

/* ---- values ---- */

struct comparing {
    struct sm_work work;
    struct sm_tensor *a, *b;
    struct sm_tensor_compare_limits limits;
    bool turned; /* b's rows are columns */
    struct sm_comparison out;
};

static void run_comparing(struct sm_work *w)
{
    struct comparing *x = (struct comparing *)w;
    struct sm_tensor *turned = x->turned ? sm_tensor_transpose(x->b) : NULL;
    x->out = (struct sm_comparison){.likeness = SM_LIKE_INCOMPARABLE, .why = "other shape"};
    if (turned || !x->turned)
        sm_tensor_compare(x->a, turned ? turned : x->b, &x->limits, &w->job.cancelled, &x->out);
    sm_tensor_unref(turned);
}

static void free_comparing(struct sm_work *w)
{
    struct comparing *x = (struct comparing *)w;
    sm_tensor_unref(x->a);
    sm_tensor_unref(x->b);
    sm_free(x);
}

bool sm_compare_values(struct sm_call *c, const struct sm_compare *x, const void *what,
                       struct sm_tensor *a, struct sm_tensor *b, bool turned,
                       struct sm_comparison *out, struct sm_err *err)
{
    struct sm_work *w = sm_work_find(&c->works, what, a);
    struct comparing *k = (struct comparing *)w;
    bool done;
    if (w) {
        sm_tensor_unref(a);
        sm_tensor_unref(b);
        done = sm_work_check_done(w, err);
    } else {
        k = sm_xalloc_zero(1, sizeof *k);
        k->work = (struct sm_work){.run = run_comparing,
                                   .free = free_comparing,
                                   .what = what,
                                   .of = sm_tensor_ref(a),
                                   .elements = a->n};
        k->a = a;
        k->b = b;
        k->turned = turned;
        k->limits = x->limits;
        done = sm_work_start(&c->works, &k->work, err);
    }
    if (done) {
        *out = k->out;
        sm_work_drop(&c->works, &k->work);
    }
    return done;
}

static struct sm_entry entry_of(const struct sm_place *operand, const char *name,
                                struct sm_step step, uint16_t worker)
{
    const struct sm_trial_tensor *x = find_tensor(operand->trial, name);
    struct sm_place p = *operand;
    p.tensor = x ? x->name : SM_NAME_NONE;
    p.step = step;
    p.worker = worker;
    return sm_place_find_value(&p);
}

/* ---- large values, in pieces ---- */

struct streaming {
    struct sm_work work;
    struct sm_pair_side a, b;
    struct sm_tensor_compare_limits limits;
    struct sm_comparison out;
    double time; /* of A's record */
    struct sm_err err;
};

static void compare_piece(void *ctx, const struct sm_tensor *a, const struct sm_tensor *b,
                          uint64_t at)
{
    struct streaming *x = ctx;
    struct sm_comparison piece;
    (void)at;
    sm_tensor_compare(a, b, &x->limits, &x->work.job.cancelled, &piece);
    sm_comparison_join(&x->out, &piece);
}

static void run_streaming(struct sm_work *w)
{
    struct streaming *x = (struct streaming *)w;
    sm_read_pair(&x->a, &x->b, &w->job.cancelled, compare_piece, x, &x->time, &x->err);
}

static void free_streaming(struct sm_work *w)
{
    struct streaming *x = (struct streaming *)w;
    sm_pair_side_clear(&x->a);
    sm_pair_side_clear(&x->b);
    sm_free(x);
}

/* A comparison in pieces, which is begun, or found again; NULL: these values are not for that. */
static struct streaming *stream_of(struct sm_call *c, const struct sm_compare *x,
                                   struct sm_compare_row *row, const struct sm_entry *a,
                                   const struct sm_entry *b, bool *done, struct sm_err *err)
{
    struct streaming *k = (struct streaming *)sm_work_find(&c->works, row, NULL);
    struct sm_pair_side sa, sb;
    if (k) {
        *done = sm_work_check_done(&k->work, err);
        return k;
    }
    if (!sm_pair_side_of(x->a.trial, a, &sa))
        return NULL;
    if (!sm_pair_side_of(x->b.trial, b, &sb)) {
        sm_pair_side_clear(&sa);
        return NULL;
    }
    k = sm_xalloc_zero(1, sizeof *k);
    k->work = (struct sm_work){
        .run = run_streaming, .free = free_streaming, .what = row, .elements = a->length};
    k->a = sa;
    k->b = sb;
    k->limits = x->limits;
    *done = sm_work_start(&c->works, &k->work, err);
    return k;
}

struct sm_entry sm_compare_entry(const struct sm_place *side, const char *name, struct sm_step step)
{
    return entry_of(side, name, step, side->worker);
}

/* Stores the comparison in the row, unless an earlier step or another worker is more different. */
static void keep_comparison(struct sm_compare *x, struct sm_compare_row *row,
                            const struct sm_comparison *at, double time, uint16_t seq,
                            struct sm_step a, struct sm_step b)
{
    bool later = row->step.n != a.n, first = !row->values++;
    x->looked++;
    row->found_pair = true;
    if (first || at->likeness > row->at.likeness ||
        (at->likeness == row->at.likeness && (later || at->max_rel > row->at.max_rel))) {
        row->at = *at;
        row->time = time;
        row->seq = seq;
        row->step = a;
        row->other = b;
        row->worker = x->n_pairs > 1 ? x->pairs[row->pair].a : SM_WORKER_ANY;
    }
    if (at->likeness == SM_LIKE_INCOMPARABLE)
        row->why = at->why;
}

/* Keeps the result of a comparison in pieces that is done. */
static bool take_stream(struct sm_call *c, struct sm_compare *x, struct sm_compare_row *row,
                        struct streaming *k, const struct sm_entry *ea, struct sm_step a,
                        struct sm_step b)
{
    if (k->err.code == SM_ERR_USAGE)
        k->out = (struct sm_comparison){.likeness = SM_LIKE_INCOMPARABLE, .why = "other shape"};
    if (k->err.code && k->err.code != SM_ERR_USAGE)
        row->why = "cannot be read";
    else
        keep_comparison(x, row, &k->out, k->time, ea->seq, a, b);
    sm_work_drop(&c->works, &k->work);
    return true;
}

/* Compares one tensor at one step for the row's pair of workers. Returns false with SM_ERR_WAIT;
 * other read errors are stored in the row. */
static bool compare_pair(struct sm_call *c, struct sm_compare *x, struct sm_compare_row *row,
                         struct sm_step a, struct sm_step b, struct sm_err *err)
{
    const struct sm_worker_pair *pair = &x->pairs[row->pair];
    struct sm_tensor *ta = NULL, *tb = NULL;
    struct sm_fetch *f = c->session->fetch;
    struct sm_entry ea = entry_of(&x->a, row->name, a, pair->a),
                    eb = entry_of(&x->b, row->name_b, b, pair->b);
    if (!sm_entry_exists(&ea) || !sm_entry_exists(&eb))
        return true;
    bool done = false;
    struct streaming *stream = stream_of(c, x, row, &ea, &eb, &done, err);
    if (stream)
        return done && take_stream(c, x, row, stream, &ea, a, b);
    bool has_a = sm_fetch_tensor(f, x->a.trial, &ea, &ta, err);
    bool wait = !has_a && err->code == SM_ERR_WAIT;
    bool has_b = sm_fetch_tensor(f, x->b.trial, &eb, &tb, err);
    wait = wait || (!has_b && err->code == SM_ERR_WAIT);
    if (!has_a || !has_b) {
        sm_tensor_unref(ta);
        sm_tensor_unref(tb);
        bool left_out = sm_trial_left_out(x->a.trial, &ea) || sm_trial_left_out(x->b.trial, &eb);
        row->why = wait ? NULL : left_out ? "values not in the archive" : "cannot be read";
        return !wait;
    }
    double time = ta->wall_time;
    struct sm_comparison at;
    if (!sm_compare_values(c, x, row, ta, tb, false, &at, err))
        return false;
    keep_comparison(x, row, &at, time, ea.seq, a, b);
    return true;
}

/* Compares one tensor at one step. Returns false with SM_ERR_WAIT. */
static bool compare_row(struct sm_call *c, struct sm_compare *x, struct sm_compare_row *row,
                        struct sm_step a, struct sm_step b, struct sm_err *err)
{
    if (row->seen.n == a.n || (!row->pair && row->at.likeness >= SM_LIKE_DIFFERENT))
        return true;
    for (; row->pair < x->n_pairs && !row->why; row->pair++)
        if (!compare_pair(c, x, row, a, b, err))
            return false;
    row->compared += row->found_pair;
    row->found_pair = false;
    row->pair = 0;
    row->seen = a;
    return true;
}

static bool compare_step(struct sm_call *c, struct sm_compare *x, const struct sm_trial_step *a,
                         struct sm_err *err)
{
    struct sm_step b;
    size_t waiting = 0;
    if (!other_step(x, a, &b))
        return true;
    for (size_t i = x->row; i < x->n && (!x->window || waiting < x->window); i++) {
        waiting += !compare_row(c, x, &x->rows[i], a->step, b, err);
        x->row += !waiting;
    }
    x->common_steps += !waiting;
    return !waiting;
}

/* ---- trials that are being written ---- */

static bool is_written(const struct sm_trial *t)
{
    enum sm_trial_state s = sm_trial_state(t);
    return s == SM_TRIAL_LIVE || s == SM_TRIAL_WAITING;
}

static bool is_past(const struct sm_trial *t, struct sm_step step)
{
    size_t n = sm_trial_step_count(t);
    return n && sm_trial_step(t, n - 1)->step.n > step.n;
}

static bool is_complete(const struct sm_trial *t, struct sm_step step)
{
    const struct sm_trial_step *s = sm_place_trial_step(t, step);
    return !is_written(t) || (s ? s->complete : is_past(t, step));
}

/* Whether the step and the step it is compared with are complete. */
static bool is_settled(const struct sm_compare *x, const struct sm_trial_step *a)
{
    struct sm_step b;
    bool both = other_step(x, a, &b);
    return is_complete(x->a.trial, a->step) &&
           (both ? is_complete(x->b.trial, b)
                 : !is_written(x->b.trial) || is_past(x->b.trial, a->step));
}

bool sm_compare_over(const struct sm_compare *x)
{
    return x->step >= sm_trial_step_count(x->a.trial);
}

bool sm_compare_step(struct sm_call *c, struct sm_compare *x, struct sm_err *err)
{
    const struct sm_trial_step *a = sm_trial_step(x->a.trial, x->step);
    x->resting = x->follow && !is_settled(x, a);
    if (x->resting || !compare_step(c, x, a, err))
        return sm_err_set(err, SM_ERR_WAIT, "comparing");
    x->step++;
    x->row = 0;
    return true;
}

bool sm_compare_run(struct sm_call *c, struct sm_compare *x, const struct sm_selection *only,
                    struct sm_err *err)
{
    if (!x->prepared)
        sm_compare_prepare(c, x, only);
    while (!sm_compare_over(x)) {
        if (!sm_compare_step(c, x, err))
            return false;
        sm_fetch_release(c->session->fetch);
    }
    for (size_t i = 0; i < x->n; i++)
        if (!x->rows[i].why && !x->rows[i].compared)
            x->rows[i].why = sm_compare_apart(x, &x->rows[i]);
    return true;
}

/* ---- results ---- */

static bool has_values(const struct sm_trial *t, const char *name)
{
    const struct sm_trial_tensor *x = find_tensor(t, name);
    for (size_t i = 0; x && i < x->n_entries; i++)
        if (sm_tensor_entry(t, x, i).kind == SM_ENTRY_VALUE)
            return true;
    return !x;
}

const char *sm_compare_apart(const struct sm_compare *x, const struct sm_compare_row *r)
{
    if (r->why)
        return r->why;
    bool a = has_values(x->a.trial, r->name), b = has_values(x->b.trial, r->name_b);
    return a && b ? "no step in common"
           : a    ? "no values saved in b"
           : b    ? "no values saved in a"
                  : "only reductions or shapes saved";
}

enum sm_likeness sm_compare_likeness(const struct sm_compare_row *r)
{
    return r->why || !r->compared ? SM_LIKE_INCOMPARABLE : r->at.likeness;
}

static int compare_ranks(const void *left, const void *right)
{
    static const int order[] = {[SM_LIKE_DIFFERENT] = 0,
                                [SM_LIKE_CLOSE] = 1,
                                [SM_LIKE_EQUAL] = 2,
                                [SM_LIKE_INCOMPARABLE] = 3};
    const struct sm_compare_row *a = *(const struct sm_compare_row *const *)left,
                                *b = *(const struct sm_compare_row *const *)right;
    enum sm_likeness like = sm_compare_likeness(a);
    int d = order[like] - order[sm_compare_likeness(b)];
    if (!d && like == SM_LIKE_DIFFERENT)
        d = (a->step.n > b->step.n) - (a->step.n < b->step.n);
    if (!d && like <= SM_LIKE_DIFFERENT)
        d = (a->at.max_rel < b->at.max_rel) - (a->at.max_rel > b->at.max_rel);
    return d ? d : (a > b) - (a < b);
}

void sm_compare_rank(const struct sm_compare *x, const struct sm_compare_row **out,
                     size_t counts[4])
{
    memset(counts, 0, 4 * sizeof *counts);
    for (size_t i = 0; i < x->n; i++) {
        out[i] = &x->rows[i];
        counts[sm_compare_likeness(out[i])]++;
    }
    if (x->n)
        qsort(out, x->n, sizeof *out, compare_ranks);
}

static bool is_before(const struct sm_compare_row *a, const struct sm_compare_row *b)
{
    if (a->step.n != b->step.n)
        return a->step.n < b->step.n;
    return a->time < b->time || (a->time == b->time && a->seq < b->seq);
}

const struct sm_compare_row *sm_compare_first(const struct sm_compare *x)
{
    const struct sm_compare_row *first = NULL;
    int64_t open = sm_compare_over(x) ? -1 : sm_trial_step(x->a.trial, x->step)->step.n;
    for (size_t i = 0; i < x->n; i++) {
        const struct sm_compare_row *r = &x->rows[i];
        if (r->why || r->at.likeness != SM_LIKE_DIFFERENT || r->step.n == open)
            continue;
        if (!first || is_before(r, first))
            first = r;
    }
    return first;
}
