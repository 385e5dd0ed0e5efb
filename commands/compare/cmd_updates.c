/* SPDX-License-Identifier: Apache-2.0 */
/* updates: how far tensors moved between two steps. */
#include "commands/compare/compare.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "reader/analysis/saved_weights.h"
#include "reader/base/crc32c.h"
#include "reader/fetch/read_pair.h"
#include "reader/trial_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { SHOWN = 40, WINDOW = 32, BLOCK = 1024, NAMED = 5 };

/* What became of a tensor. */
enum fate { MOVED, UNCHANGED, ZERO, NOT_FINITE, OTHER_SHAPE, UNREAD, FATES };
static const char *const fate_names[] = {"moved",      "unchanged",   "zero",
                                         "not finite", "other shape", "cannot be read"};

struct update {
    double before, after, change; /* l2 of the finite elements; of the difference */
    uint64_t n;
    enum fate fate;
};
struct update_row {
    const struct sm_trial_tensor *of;
    struct sm_entry a, b;
    struct update at;
    bool known;
    const struct update_row *same_as; /* an earlier row with the same values; NULL: none */
    bool tied;                        /* and its elements lie in the same place of the file */
    const char *place;                /* that place */
    double sum;                       /* of the newer values, to find such rows, */
    uint32_t crc;                     /* and of all bytes of both */
};
/* Kept while the call waits. */
struct updates {
    struct sm_step a, b;
    struct update_row *rows; /* natural order of names */
    size_t n, next;
};

/* ---- one tensor ---- */

struct updating {
    struct sm_work work;
    struct sm_tensor *a, *b;     /* whole, or */
    struct sm_pair_side from[2]; /* to be read in pieces */
    struct update out;           /* sums of squares until the end */
    double sum;
    uint32_t crc;
    bool same, finite, real; /* of all elements so far */
    struct sm_err err;
};

static bool is_real(const struct sm_tensor *t)
{
    enum sm_dtype_kind k = sm_dtype_info(t->dtype)->kind;
    return k == SM_KIND_FLOAT || k == SM_KIND_INT || k == SM_KIND_UINT || k == SM_KIND_BOOL;
}

static bool has_same_shape(const struct sm_tensor *a, const struct sm_tensor *b)
{
    return a->n_dims == b->n_dims && memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0;
}

/* The sums of squares of a block. */
static void add_block(struct updating *u, const double *va, const double *vb, size_t n)
{
    double before = 0, after = 0, change = 0, sum = 0, bad = 0;
    for (size_t i = 0; i < n; i++) {
        before += va[i] * va[i];
        after += vb[i] * vb[i];
        change += (vb[i] - va[i]) * (vb[i] - va[i]);
        sum += vb[i];
        bad += (va[i] - va[i]) + (vb[i] - vb[i]); /* NaN for what is not finite */
    }
    u->finite = u->finite && bad == 0;
    u->out.before += before;
    u->out.after += after;
    u->out.change += change;
    u->sum += sum;
}

/* Elements of both, of the same shape. */
static void add_piece(void *ctx, const struct sm_tensor *a, const struct sm_tensor *b, uint64_t at)
{
    struct updating *u = ctx;
    double va[BLOCK], vb[BLOCK];
    size_t sa = sm_dtype_info(a->dtype)->size_bytes, sb = sm_dtype_info(b->dtype)->size_bytes;
    if (!at)
        u->real = is_real(a) && is_real(b);
    for (uint64_t i = 0; u->real && i < a->n && !atomic_load(&u->work.job.cancelled); i += BLOCK) {
        size_t n = a->n - i < BLOCK ? (size_t)(a->n - i) : BLOCK;
        sm_dtype_widen(a->dtype, a->data + i * sa, n, va);
        sm_dtype_widen(b->dtype, b->data + i * sb, n, vb);
        add_block(u, va, vb, n);
    }
    u->same =
        u->same && a->dtype == b->dtype && (!a->n || memcmp(a->data, b->data, a->n * sa) == 0);
    u->crc = sm_crc32c_more(sm_crc32c_more(u->crc, a->data, a->n * sa), b->data, b->n * sb);
    u->out.n += a->n;
}

static void run_updating(struct sm_work *w)
{
    struct updating *u = (struct updating *)w;
    double time;
    bool ok = true;
    u->out = (struct update){.fate = OTHER_SHAPE};
    u->same = u->finite = u->real = true;
    if (!u->a)
        ok =
            sm_read_pair(&u->from[0], &u->from[1], &w->job.cancelled, add_piece, u, &time, &u->err);
    else if ((ok = has_same_shape(u->a, u->b)))
        add_piece(u, u->a, u->b, 0);
    if (!ok && u->a == NULL && u->err.code != SM_ERR_USAGE)
        u->out.fate = UNREAD;
    if (!ok || !u->real)
        return;
    u->out.fate = !u->finite                 ? NOT_FINITE
                  : u->same && !u->out.after ? ZERO
                  : u->same                  ? UNCHANGED
                                             : MOVED;
    u->out.before = sqrt(u->out.before);
    u->out.after = sqrt(u->out.after);
    u->out.change = sqrt(u->out.change);
}

static void free_updating(struct sm_work *w)
{
    struct updating *u = (struct updating *)w;
    sm_tensor_unref(u->a);
    sm_tensor_unref(u->b);
    sm_pair_side_clear(&u->from[0]);
    sm_pair_side_clear(&u->from[1]);
    sm_free(u);
}

/* Takes the result, if it is done. */
static bool take_update(struct sm_call *c, struct update_row *row, struct updating *u, bool done)
{
    if (!done)
        return false;
    row->at = u->out;
    row->sum = u->sum;
    row->crc = u->crc;
    row->known = true;
    sm_work_drop(&c->works, &u->work);
    return true;
}

/* Large values, in pieces. *handled is false if these are not for that. */
static bool compute_in_pieces(struct sm_call *c, struct sm_trial *t, struct update_row *row,
                              bool *handled, struct sm_err *err)
{
    struct updating *u = (struct updating *)sm_work_find(&c->works, row, NULL);
    struct sm_pair_side a, b;
    *handled = true;
    if (u)
        return take_update(c, row, u, sm_work_check_done(&u->work, err));
    *handled = sm_pair_side_of(t, &row->a, &a);
    if (*handled && !(*handled = sm_pair_side_of(t, &row->b, &b)))
        sm_pair_side_clear(&a);
    if (!*handled)
        return false;
    u = sm_xalloc_zero(1, sizeof *u);
    u->work = (struct sm_work){
        .run = run_updating, .free = free_updating, .what = row, .elements = row->a.length};
    u->from[0] = a;
    u->from[1] = b;
    bool done = sm_work_start(&c->works, &u->work, err);
    return done && take_update(c, row, u, true);
}

/* Takes the tensors over. False with SM_ERR_WAIT. */
static bool compute(struct sm_call *c, struct update_row *row, struct sm_tensor *a,
                    struct sm_tensor *b, struct sm_err *err)
{
    struct updating *u = (struct updating *)sm_work_find(&c->works, row, a);
    bool done;
    if (u) {
        sm_tensor_unref(a);
        sm_tensor_unref(b);
        done = sm_work_check_done(&u->work, err);
    } else {
        u = sm_xalloc_zero(1, sizeof *u);
        u->work = (struct sm_work){.run = run_updating,
                                   .free = free_updating,
                                   .what = row,
                                   .of = sm_tensor_ref(a),
                                   .elements = a->n};
        u->a = a;
        u->b = b;
        done = sm_work_start(&c->works, &u->work, err);
    }
    return done && take_update(c, row, u, true);
}

/* False with SM_ERR_WAIT. */
static bool look_at_row(struct sm_call *c, struct sm_trial *t, struct update_row *row,
                        struct sm_err *err)
{
    struct sm_tensor *a = NULL, *b = NULL;
    struct sm_fetch *f = c->session->fetch;
    bool handled;
    if (row->known || compute_in_pieces(c, t, row, &handled, err))
        return true;
    if (handled)
        return false;
    bool has_a = sm_fetch_tensor(f, t, &row->a, &a, err);
    bool wait = !has_a && err->code == SM_ERR_WAIT;
    bool has_b = sm_fetch_tensor(f, t, &row->b, &b, err);
    wait = wait || (!has_b && err->code == SM_ERR_WAIT);
    if (has_a && has_b)
        return compute(c, row, a, b, err);
    sm_tensor_unref(a);
    sm_tensor_unref(b);
    row->known = !wait;
    row->at.fate = UNREAD;
    return !wait;
}

/* ---- all of them ---- */

static bool read_updates_steps(struct sm_call *c, const struct sm_selection *of, struct updates *u,
                               struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_place among = sm_place_all(c->session, SM_MODE_ANY);
    const struct sm_word *from = sm_call_keyword(c, "from"), *to = sm_call_keyword(c, "to");
    if (!sm_weight_steps(t, of->items, of->n, &u->a, &u->b) || u->a.n == u->b.n)
        return sm_err_set(err, SM_ERR_MISSING, "The trial has no two steps with tensors.");
    if ((from && !sm_place_step(c, among, from->text, &u->a, err)) ||
        (to && !sm_place_step(c, among, to->text, &u->b, err)))
        return false;
    return u->a.n != u->b.n || sm_err_set(err, SM_ERR_USAGE, "Both steps are the same.");
}

static struct sm_entry value_at(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                struct sm_step step, uint16_t worker)
{
    return sm_trial_entry(t, x, step, worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
}

/* Tensors with values at both steps; numbers alone never, such state only if it was named. */
static void add_rows(struct sm_call *c, const struct sm_selection *of, bool named,
                     struct updates *u)
{
    struct sm_trial *t = sm_session_trial(c->session);
    u->rows = sm_arena_xalloc(&c->arena, (of->n + 1) * sizeof *u->rows);
    for (size_t i = 0; i < of->n; i++) {
        const struct sm_trial_tensor *x = of->items[i];
        struct sm_entry a = value_at(t, x, u->a, SM_WORKER_ANY);
        if (!sm_entry_exists(&a) || sm_entry_is_scalar(&a) ||
            (!named && sm_is_training_state(sm_trial_tensor_name(t, x))))
            continue;
        struct sm_entry b = value_at(t, x, u->b, sm_trial_part(t, a.part)->worker);
        if (sm_entry_exists(&b))
            u->rows[u->n++] = (struct update_row){.of = x, .a = a, .b = b};
    }
}

/* Tensors of the pattern, if there is one, at the steps that are named. */
static bool select_rows(struct sm_call *c, struct updates *u, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_selection sel;
    const struct sm_word *in = sm_call_keyword(c, "in");
    if (!sm_select_some(c->session, t, &c->arena, in, in != NULL, &sel, err) ||
        !read_updates_steps(c, &sel, u, err))
        return false;
    add_rows(c, &sel, in != NULL, u);
    return true;
}

static bool look_at_all(struct sm_call *c, struct updates *u, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    while (u->next < u->n) {
        size_t waiting = 0;
        for (size_t i = u->next; i < u->n && waiting < WINDOW; i++) {
            waiting += !look_at_row(c, t, &u->rows[i], err);
            u->next += !waiting;
        }
        if (waiting)
            return sm_err_set(err, SM_ERR_WAIT, "reading values");
        sm_fetch_end(c->session->fetch);
        sm_fetch_begin(c->session->fetch);
    }
    return true;
}

/* ---- tied tensors ---- */

static int by_values(const void *l, const void *r)
{
    const struct update_row *a = *(struct update_row *const *)l,
                            *b = *(struct update_row *const *)r;
    int order = (a->at.n > b->at.n) - (a->at.n < b->at.n);
    if (!order)
        order = (a->at.after > b->at.after) - (a->at.after < b->at.after);
    if (!order)
        order = (a->sum > b->sum) - (a->sum < b->sum);
    if (!order)
        order = (a->at.before > b->at.before) - (a->at.before < b->at.before);
    if (!order)
        order = (a->crc > b->crc) - (a->crc < b->crc);
    if (!order)
        order = strcmp(a->place, b->place);
    return order ? order : (a > b) - (a < b);
}

static bool has_values_of(const struct update_row *a, const struct update_row *b)
{
    return a->at.n > 1 && a->at.n == b->at.n && a->at.fate <= UNCHANGED &&
           b->at.fate <= UNCHANGED && a->at.after == b->at.after && a->sum == b->sum &&
           a->at.before == b->at.before && a->at.change == b->at.change && a->crc == b->crc;
}

/* Where in which file the newer values are, as text; "" if the trial does not say. */
static const char *place_of(struct sm_trial *t, const struct update_row *r, struct sm_arena *arena)
{
    struct sm_str place = {0};
    bool known = sm_value_place(t, &r->b, &place);
    const char *copy = known ? sm_arena_xstrndup(arena, sm_str_text(&place), place.len) : "";
    sm_str_clear(&place);
    return copy;
}

/* Tensors of which all bytes are the same at both steps, by their sums and checksums. Those that
 * are one in the file follow one another, and are said to be the first of them. */
static void find_tied(struct sm_trial *t, struct updates *u, struct sm_arena *arena)
{
    struct update_row **all = sm_arena_xalloc(arena, (u->n + 1) * sizeof(struct update_row *));
    const struct update_row *equal = NULL, *one = NULL;
    for (size_t i = 0; i < u->n; i++) {
        all[i] = &u->rows[i];
        all[i]->place = place_of(t, all[i], arena);
    }
    if (u->n)
        qsort(all, u->n, sizeof *all, by_values);
    for (size_t i = 0; i < u->n; i++) {
        bool same = i && has_values_of(all[i], all[i - 1]);
        equal = same ? equal : all[i];
        one = same && *one->place && strcmp(one->place, all[i]->place) == 0 ? one : all[i];
        all[i]->tied = one != all[i];
        all[i]->same_as = all[i]->tied ? one : equal != all[i] ? equal : NULL;
    }
}

/* ---- output ---- */

static const struct sm_column update_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "update", .header = "UPDATE", .format = SM_COL_NUMBER},
    {.key = "norm", .header = "NORM", .format = SM_COL_NUMBER},
    {.key = "growth", .header = "GROWTH", .format = SM_COL_NUMBER},
    {.key = "size", .header = "SIZE", .format = SM_COL_NUMBER},
    {.key = "state", .header = "STATE"},
    {.key = "same_as", .header = "SAME-AS"},
    {.key = "same_by", .header = "BY"},
};

/* The update relative to the values before; infinite where these were 0. */
static double ratio_of(const struct update *x)
{
    return x->before > 0 ? x->change / x->before : x->change > 0 ? HUGE_VAL : 0;
}

static int by_ratio(const void *l, const void *r)
{
    const struct update_row *a = *(const struct update_row *const *)l,
                            *b = *(const struct update_row *const *)r;
    double x = ratio_of(&a->at), y = ratio_of(&b->at);
    int order = (a->at.fate != MOVED) - (b->at.fate != MOVED);
    if (!order)
        order = (x < y) - (x > y);
    return order ? order : (a > b) - (a < b);
}

static void add_update(struct sm_result *out, struct sm_node *list, const struct sm_trial *t,
                       const struct update_row *r)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    bool numbers = r->at.fate <= ZERO;
    sm_node_text(out, row, "name", sm_trial_tensor_name(t, r->of));
    if (numbers) {
        sm_node_double(out, row, "update", ratio_of(&r->at), false);
        sm_node_double(out, row, "norm", r->at.after, false);
    } else {
        sm_node_null(out, row, "update");
        sm_node_null(out, row, "norm");
    }
    if (numbers && r->at.before > 0)
        sm_node_double(out, row, "growth", r->at.after / r->at.before, false);
    else
        sm_node_null(out, row, "growth");
    sm_node_uint(out, row, "size", r->at.n);
    sm_node_text(out, row, "state", fate_names[r->at.fate]);
    sm_node_text(out, row, "same_as", r->same_as ? sm_trial_tensor_name(t, r->same_as->of) : NULL);
    sm_node_text(out, row, "same_by", !r->same_as ? NULL : r->tied ? "storage" : "equal");
}

/* "2 of 8 never moved: a, b." */
static void say_fate(struct sm_result *out, const struct sm_trial *t, const struct updates *u,
                     enum fate fate, const char *what)
{
    struct sm_str names = {0};
    size_t n = 0;
    for (size_t i = 0; i < u->n; i++) {
        const char *name = sm_trial_tensor_name(t, u->rows[i].of);
        if (u->rows[i].at.fate != fate || n++ >= NAMED)
            continue;
        sm_str_add(&names, names.len ? ", " : "");
        sm_str_add_escaped(&names, name, strlen(name));
    }
    if (n)
        sm_result_text(out, "%zu of %zu %s: %s%s.", n, u->n, what, sm_str_text(&names),
                       n > NAMED ? ", ..." : "");
    sm_str_clear(&names);
}

static void report_updates(struct sm_call *c, struct updates *u, struct sm_result *out)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL), *shown = sm_node_list(out, NULL, NULL);
    struct update_row **rows = sm_arena_xalloc(&out->arena, (u->n + 1) * sizeof *rows);
    size_t most = sm_call_flag(c, "all") ? u->n : SHOWN;
    for (size_t i = 0; i < u->n; i++)
        rows[i] = &u->rows[i];
    if (u->n)
        qsort(rows, u->n, sizeof *rows, by_ratio);
    for (size_t i = 0; i < u->n; i++) {
        add_update(out, list, t, rows[i]);
        if (i < most)
            add_update(out, shown, t, rows[i]);
    }
    sm_result_text(out, "From step %lld to step %lld:", (long long)u->a.n, (long long)u->b.n);
    if (u->n)
        sm_result_table(out, shown, update_columns, COUNT(update_columns));
    if (u->n > most)
        sm_result_dim(out, "%zu more; -all shows them.", u->n - most);
    say_fate(out, t, u, UNCHANGED, "did not change");
    say_fate(out, t, u, ZERO, "are all zero at both steps");
    say_fate(out, t, u, NOT_FINITE, "have NaN or infinity");
    out->root = list;
    out->rows = list;
    out->columns = update_columns;
    out->n_columns = COUNT(update_columns);
}

static bool run_updates(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct updates *u = c->state;
    if (!u) {
        u = sm_arena_xalloc(&c->arena, sizeof *u);
        if (!select_rows(c, u, err))
            return false;
        c->state = u;
    }
    if (!look_at_all(c, u, err))
        return false;
    find_tied(sm_session_trial(c->session), u, &c->arena);
    report_updates(c, u, out);
    return true;
}

static const struct sm_arg updates_args[] = {
    {.name = "STEP",
     .kind = SM_ARG_STEP,
     .keyword = "from",
     .help = "the first with weights by default"},
    {.name = "STEP",
     .kind = SM_ARG_STEP,
     .keyword = "to",
     .help = "the last with weights by default"},
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .keyword = "in"},
    {0},
};
static const struct sm_option updates_options[] = {
    {.name = "all", .kind = SM_ARG_FLAG, .help = "show every tensor, not only the first 40"},
    {0},
};
const struct sm_cmd sm_cmd_updates = {
    .name = "updates",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show how far tensors moved between two steps, largest first",
    .help =
        "UPDATE is the norm of the difference, divided by the norm before; NORM is that at the "
        "later step, GROWTH how it has grown.\nNorms are l2 of all elements. A tensor is "
        "unchanged if all its bytes are the same, zero if it has nothing else at both\nsteps. "
        "SAME-AS: another tensor with the same bytes at both steps; BY storage if they are the "
        "same bytes of the file, as\ntied weights of torch are, or equal. State beside the model "
        "(names that begin with \"optimizer.\", \"rng_state\",\n\"random_states\") only with a "
        "pattern. Without steps: from the first step with weights to the last.",
    .example = "updates in *weight",
    .see_also = "diff, health, series",
    .args = updates_args,
    .options = updates_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "[{name:name,update:num?,norm:num?,growth:num?,size:int,state:'moved'|'unchanged'|"
              "'zero'|'not finite'|'other shape'|'cannot be read',same_as:name?,"
              "same_by:'storage'|'equal'?}]",
    .run = run_updates,
};
