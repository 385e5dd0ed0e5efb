/* SPDX-License-Identifier: Apache-2.0 */
/* updates: how far tensors moved between two steps. */
#include "commands/compare/compare.h"
#include "commands/compare/update_measure.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "reader/analysis/saved_weights.h"
#include "reader/trial_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { SHOWN = 40, WINDOW = 32, NAMED = 5 };

struct update_row {
    const struct sm_trial_tensor *of;
    struct sm_entry a, b;
    struct sm_update at;
    bool known;
    const struct update_row *same_as; /* an earlier row with the same values; NULL: none */
    bool tied;                        /* and its elements lie in the same place of the file */
    const char *place;                /* that place */
};
/* Kept while the call waits. */
struct updates {
    struct sm_step a, b;
    struct update_row *rows; /* natural order of names */
    size_t n, next;
};

/* False with SM_ERR_WAIT. */
static bool look_at_row(struct sm_call *c, struct sm_trial *t, struct update_row *row,
                        struct sm_err *err)
{
    struct sm_tensor *a = NULL, *b = NULL;
    struct sm_fetch *f = c->session->fetch;
    bool handled;
    if (row->known)
        return true;
    row->known = sm_update_in_pieces(c, t, &row->a, &row->b, &row->at, &handled, err);
    if (row->known || handled)
        return row->known;
    bool has_a = sm_fetch_tensor(f, t, &row->a, &a, err);
    bool wait = !has_a && err->code == SM_ERR_WAIT;
    bool has_b = sm_fetch_tensor(f, t, &row->b, &b, err);
    wait = wait || (!has_b && err->code == SM_ERR_WAIT);
    if (has_a && has_b)
        return row->known = sm_update_whole(c, a, b, &row->at, err);
    sm_tensor_unref(a);
    sm_tensor_unref(b);
    row->known = !wait;
    row->at.fate = SM_UPDATE_UNREAD;
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
        sm_fetch_release(c->session->fetch);
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
        order = (a->at.sum > b->at.sum) - (a->at.sum < b->at.sum);
    if (!order)
        order = (a->at.before > b->at.before) - (a->at.before < b->at.before);
    if (!order)
        order = (a->at.crc > b->at.crc) - (a->at.crc < b->at.crc);
    if (!order)
        order = strcmp(a->place, b->place);
    return order ? order : (a > b) - (a < b);
}

static bool has_values_of(const struct update_row *a, const struct update_row *b)
{
    return a->at.n > 1 && a->at.n == b->at.n && a->at.fate <= SM_UPDATE_UNCHANGED &&
           b->at.fate <= SM_UPDATE_UNCHANGED && a->at.after == b->at.after &&
           a->at.sum == b->at.sum && a->at.before == b->at.before && a->at.change == b->at.change &&
           a->at.crc == b->at.crc;
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
enum { OF_PAIRS = 2 }; /* the last columns, left out where no row has them */

/* The update relative to the values before; infinite where these were 0. */
static double ratio_of(const struct sm_update *x)
{
    return x->before > 0 ? x->change / x->before : x->change > 0 ? HUGE_VAL : 0;
}

/* What is not finite is a fault, so it comes first; then what moved. */
static int rank_of(enum sm_update_fate fate)
{
    return fate == SM_UPDATE_NOT_FINITE ? 0 : fate == SM_UPDATE_MOVED ? 1 : 2;
}

static int by_ratio(const void *l, const void *r)
{
    const struct update_row *a = *(const struct update_row *const *)l,
                            *b = *(const struct update_row *const *)r;
    double x = ratio_of(&a->at), y = ratio_of(&b->at);
    int order = rank_of(a->at.fate) - rank_of(b->at.fate);
    if (!order)
        order = (x < y) - (x > y);
    return order ? order : (a > b) - (a < b);
}

static void add_update(struct sm_result *out, struct sm_node *list, const struct sm_trial *t,
                       const struct update_row *r)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    bool numbers = r->at.fate <= SM_UPDATE_ZERO;
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
    sm_node_text(out, row, "state", sm_update_fate_name(r->at.fate));
    sm_node_text(out, row, "same_as", r->same_as ? sm_trial_tensor_name(t, r->same_as->of) : NULL);
    sm_node_text(out, row, "same_by", !r->same_as ? NULL : r->tied ? "storage" : "equal");
}

/* "2 of 8 never moved: a, b." */
static void say_fate(struct sm_result *out, const struct sm_trial *t, const struct updates *u,
                     enum sm_update_fate fate, const char *what)
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
    bool pairs = false;
    for (size_t i = 0; i < u->n; i++)
        rows[i] = &u->rows[i];
    if (u->n)
        qsort(rows, u->n, sizeof *rows, by_ratio);
    for (size_t i = 0; i < u->n; i++) {
        add_update(out, list, t, rows[i]);
        if (i < most)
            add_update(out, shown, t, rows[i]);
        pairs = pairs || (i < most && rows[i]->same_as);
    }
    sm_result_text(out, "From step %lld to step %lld:", (long long)u->a.n, (long long)u->b.n);
    if (u->n)
        sm_result_table(out, shown, update_columns, COUNT(update_columns) - (pairs ? 0 : OF_PAIRS));
    if (u->n > most)
        sm_result_dim(out, "%zu more; -all shows them.", u->n - most);
    say_fate(out, t, u, SM_UPDATE_UNCHANGED, "did not change");
    say_fate(out, t, u, SM_UPDATE_ZERO, "are all zero at both steps");
    say_fate(out, t, u, SM_UPDATE_NOT_FINITE, "have NaN or infinity");
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
        "UPDATE is the norm of the difference, divided by the norm before; what has NaN or "
        "infinity comes first. NORM is that at the "
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
              "'zero'|'not finite'|'other shape'|'no numbers'|'cannot be read',same_as:name?,"
              "same_by:'storage'|'equal'?}]",
    .run = run_updates,
};
