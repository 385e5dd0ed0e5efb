/* SPDX-License-Identifier: Apache-2.0 */
/* diff: compares two trials, steps, workers or modes. */
#include "commands/answer/shape.h"
#include "commands/compare/compare.h"
#include "commands/compare/compare_moved.h"
#include "commands/compare/compare_nothing.h"
#include "commands/compare/compare_open.h"
#include "commands/compare/config_diff.h"
#include "commands/place/describe.h"
#include "commands/session/trial_list.h"
#include "commands/stops/stops.h"

#include <inttypes.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { SHOWN = 20 };

/* Kept while the call waits. */
struct diff {
    struct sm_compare contrast;
    struct sm_selection only;
    struct sm_name_pairs names;
    struct sm_compare_opening opening;
    bool ready;   /* the arguments are read */
    bool at_last; /* no step in common: at the last step of each */
};

/* ---- arguments ---- */

static bool read_limit(struct sm_call *c, const char *name, double *out, struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, name);
    return !w || sm_call_double(w, out, err);
}

static bool read_limits(struct sm_call *c, struct sm_tensor_compare_limits *out, struct sm_err *err)
{
    const struct sm_word *ulp = sm_call_option(c, "ulp");
    int64_t n = 0;
    *out = (struct sm_tensor_compare_limits){.rtol = 1e-5, .atol = 1e-8};
    if ((ulp && !sm_call_int(ulp, 0, INT64_MAX, &n, err)) ||
        !read_limit(c, "rtol", &out->rtol, err) || !read_limit(c, "atol", &out->atol, err))
        return false;
    out->ulp = (uint64_t)n;
    return (out->rtol >= 0 && out->atol >= 0) ||
           sm_err_set(err, SM_ERR_USAGE, "A limit must not be negative.");
}

/* Reads "step 0 10" as "@0 @10". */
static bool read_steps(struct sm_call *c, struct sm_err *err)
{
    if (sm_text_is(c->words[0].text, "step") && c->n_words > 1) {
        c->words++;
        c->n_words--;
        for (size_t i = 0; i < c->n_words; i++)
            if (c->words[i].text.p[0] != '@')
                c->words[i].text = sm_text(sm_arena_xprintf(&c->arena, "@%s", c->words[i].text.p));
    }
    return c->n_words < 3 ||
           sm_err_set(err, SM_ERR_USAGE, "Too many arguments: \"%s\".  Try \"help diff\".",
                      c->words[2].text.p);
}

static bool read_sides(struct sm_call *c, struct sm_compare *x, struct sm_err *err)
{
    if (!read_steps(c, err))
        return false;
    const struct sm_word *b = &c->words[c->n_words - 1];
    const struct sm_place *at = &c->session->at;
    x->a = sm_place_of_trial(at->trial);
    if ((c->n_words > 1 && !sm_place_parse_operand(c, at, c->words[0].text, &x->a, err)) ||
        !sm_place_parse_operand(c, at, b->text, &x->b, err))
        return false;
    if (!sm_compare_operands_match(c->session, &x->a, &x->b, err))
        return false;
    bool same = x->a.trial == x->b.trial && x->a.worker == x->b.worker && x->a.mode == x->b.mode &&
                x->a.step.n == x->b.step.n;
    return !same || sm_err_set(err, SM_ERR_USAGE, "Both sides are the same.  Try \"help diff\".");
}

static bool read_pairs(struct sm_call *c, struct diff *d, struct sm_err *err)
{
    const struct sm_word *file = sm_call_option(c, "pairs");
    if (!file)
        return true;
    d->contrast.names = &d->names;
    return sm_name_pairs_read(file->text.p, &c->arena, &d->names, err);
}

/* Selects A's tensors by the patterns. */
static bool read_selection(struct sm_call *c, struct diff *d, struct sm_err *err)
{
    const struct sm_word *in = sm_call_keyword(c, "in");
    return sm_select_some(c->session, d->contrast.a.trial, &c->arena, in, in != NULL, &d->only,
                          err);
}

/* ---- output ---- */

static const struct sm_column config_columns[] = {
    {.key = "what", .header = "CONFIGURATION"},
    {.key = "a", .header = "A"},
    {.key = "b", .header = "B"},
};
enum { WORKER_AT = 9 };
static const struct sm_column tensor_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "max_abs", .header = "MAX-ABS", .format = SM_COL_NUMBER},
    {.key = "max_rel", .header = "MAX-REL", .format = SM_COL_NUMBER},
    {.key = "ulp", .header = "ULP", .format = SM_COL_NUMBER, .spare = true},
    {.key = "beyond", .header = "BEYOND", .format = SM_COL_NUMBER, .spare = true},
    {.key = "size", .header = "SIZE", .format = SM_COL_NUMBER},
    {.key = "status", .header = "STATUS"},
    {.key = "why", .header = "WHY", .hidden = true},
    [WORKER_AT] = {.key = "worker", .header = "WORKER", .hidden = true},
    {.key = "other", .header = "NAME-IN-B", .hidden = true},
    {.key = "equal_as", .header = "EQUAL-AS", .hidden = true},
    {.key = "like", .header = "LIKE", .hidden = true},
    {.key = "transposed", .header = "TRANSPOSED", .hidden = true},
    {.key = "shape_a", .header = "SHAPE-IN-A", .format = SM_COL_SHAPE, .hidden = true},
    {.key = "shape_b", .header = "SHAPE-IN-B", .format = SM_COL_SHAPE, .hidden = true},
};
static const struct sm_column why_columns[] = {
    {.key = "name", .header = "INCOMPARABLE"},
    {.key = "why", .header = "WHY"},
    {.key = "shape_a", .header = "IN-A", .format = SM_COL_SHAPE},
    {.key = "shape_b", .header = "IN-B", .format = SM_COL_SHAPE},
};
enum { WHY_SHAPES = 2 }; /* columns without those of shapes */

static const char *worker_of(const struct sm_compare *x, const struct sm_compare_row *r)
{
    return r->worker == SM_WORKER_ANY ? NULL : sm_trial_worker(x->a.trial, r->worker);
}

/* With the worker if several are compared. */
static const struct sm_column *columns_for(const struct sm_compare *x, struct sm_result *out)
{
    struct sm_column *with = sm_arena_xalloc(&out->arena, sizeof tensor_columns);
    memcpy(with, tensor_columns, sizeof tensor_columns);
    with[WORKER_AT].hidden = x->n_pairs < 2;
    with[WORKER_AT + 1].hidden = !x->names;
    return with;
}

/* The type as which two of different types are equal; NULL: they are not, or of one type. */
static const char *cast_of(const struct sm_compare_row *r)
{
    return !r->why && r->at.equal_as ? sm_dtype_info(r->at.equal_as)->name : NULL;
}

static void add_shape(struct sm_result *out, struct sm_node *row, const char *key,
                      const struct sm_compare_shape *shape)
{
    if (shape->dims)
        sm_node_dims(out, row, key, shape->dims, shape->n_dims);
    else
        sm_node_null(out, row, key);
}

static void add_tensor(struct sm_result *out, struct sm_node *list, const struct sm_compare *x,
                       const struct sm_compare_row *r)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "name", r->name);
    if (r->step.n >= 0)
        sm_node_int(out, row, "step", r->step.n);
    else
        sm_node_null(out, row, "step");
    if (!r->why && r->at.has_numbers) {
        sm_node_double(out, row, "max_abs", r->at.max_abs, false);
        sm_node_double(out, row, "max_rel", r->at.max_rel, false);
    } else {
        sm_node_null(out, row, "max_abs");
        sm_node_null(out, row, "max_rel");
    }
    if (!r->why && r->at.has_ulp)
        sm_node_uint(out, row, "ulp", r->at.ulp);
    else
        sm_node_null(out, row, "ulp");
    sm_node_text(out, row, "status", sm_likeness_name(sm_compare_likeness(r)));
    sm_node_uint(out, row, "beyond", r->at.different);
    sm_node_uint(out, row, "size", r->at.n);
    sm_node_uint(out, row, "steps", r->compared);
    sm_node_text(out, row, "why", r->why);
    sm_node_text(out, row, "worker", worker_of(x, r));
    sm_node_text(out, row, "other", strcmp(r->name, r->name_b) != 0 ? r->name_b : NULL);
    sm_node_text(out, row, "equal_as", cast_of(r));
    sm_node_text(out, row, "like", r->like);
    sm_node_bool(out, row, "transposed", r->transposed);
    add_shape(out, row, "shape_a", &r->shape_a);
    add_shape(out, row, "shape_b", &r->shape_b);
}

static void say_nothing(const struct sm_session *s, const struct sm_compare *x,
                        struct sm_result *out)
{
    struct sm_str why = {0};
    sm_compare_nothing_text(s, x, &why);
    sm_result_text(out, "Nothing can be compared%s%s.", why.len ? ": " : "", sm_str_text(&why));
    sm_str_clear(&why);
}

static void say_first(const struct sm_session *s, const struct sm_compare *x, struct sm_result *out,
                      struct sm_node *map)
{
    const struct sm_compare_row *first = sm_compare_first(x);
    if (!first) {
        sm_node_null(out, map, "first_divergence");
        if (sm_compare_has_nothing(x))
            say_nothing(s, x, out);
        else
            sm_result_text(out, "No divergence at %" PRIu64 " common step%s.", x->common_steps,
                           x->common_steps == 1 ? "" : "s");
        return;
    }
    struct sm_node *node = sm_node_map(out, map, "first_divergence");
    sm_node_int(out, node, "step", first->step.n);
    sm_node_text(out, node, "tensor", first->name);
    const char *worker = worker_of(x, first);
    char number[32];
    sm_node_text(out, node, "worker", worker);
    sm_format_double(first->at.max_abs, 3, number);
    sm_result_text(out,
                   "First divergence: step %lld, %s%s%s: max |a - b| %s, %" PRIu64 " of %" PRIu64
                   " beyond the limits.",
                   (long long)first->step.n,
                   sm_result_escape(out, first->name, strlen(first->name)), worker ? ", " : "",
                   worker ? sm_result_escape(out, worker, strlen(worker)) : "", number,
                   first->at.different, first->at.n);
}

/* "; 12 of these as bfloat16" */
static void say_casts(const struct sm_compare *x, struct sm_str *text)
{
    size_t counts[SM_DTYPE_COUNT] = {0};
    for (size_t i = 0; i < x->n; i++)
        counts[cast_of(&x->rows[i]) ? x->rows[i].at.equal_as : SM_DTYPE_NONE]++;
    for (int d = SM_DTYPE_NONE + 1; d < SM_DTYPE_COUNT; d++)
        if (counts[d])
            sm_str_printf(text, "%s%zu as %s", text->len ? ", " : "", counts[d],
                          sm_dtype_info((enum sm_dtype)d)->name);
}

static const struct sm_column moved_columns[] = {
    {.key = "name", .header = "IN-A"},
    {.key = "like", .header = "HAS-THE-VALUES-IN-B-OF"},
    {.key = "transposed", .header = "TRANSPOSED", .format = SM_COL_MARK},
};

static void add_moved(struct sm_result *out, struct sm_node *list, const struct sm_compare_row *r)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "name", r->name);
    sm_node_text(out, row, "like", r->like ? r->like : r->name_b);
    sm_node_bool(out, row, "transposed", r->transposed);
}

/* Tensors of A that B has under other names, or transposed. */
static void say_moved(const struct sm_compare *x, const struct sm_compare_row **rows, size_t most,
                      struct sm_result *out)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    size_t n = 0, transposed = 0;
    for (size_t i = 0; i < x->n; i++) {
        if (!rows[i]->like && !rows[i]->transposed)
            continue;
        transposed += rows[i]->transposed;
        if (n++ < most)
            add_moved(out, list, rows[i]);
    }
    if (list->first)
        sm_result_table(out, list, moved_columns, transposed ? COUNT(moved_columns) : 2);
    if (n > most)
        sm_result_dim(out, "%zu more have the values of another one, or are transposed.", n - most);
}

/* Whether a row was said to have the values of another one, so that its own line says nothing. */
static bool is_found(const struct sm_compare_row *r)
{
    return r->like || r->transposed || r->found;
}

static void say_tables(struct sm_call *c, const struct sm_compare *x,
                       const struct sm_compare_row **rows, struct sm_result *out,
                       const size_t counts[4])
{
    struct sm_node *shown = sm_node_list(out, NULL, NULL), *apart = sm_node_list(out, NULL, NULL);
    size_t n = 0, found = 0, most = sm_call_flag(c, "all") ? x->n : SHOWN;
    bool shapes = false;
    for (size_t i = 0; i < x->n; i++) {
        enum sm_likeness l = sm_compare_likeness(rows[i]);
        found += l == SM_LIKE_INCOMPARABLE && is_found(rows[i]);
        shapes = shapes || (l == SM_LIKE_INCOMPARABLE && rows[i]->shape_a.dims);
        if (l == SM_LIKE_INCOMPARABLE && !is_found(rows[i]))
            add_tensor(out, apart, x, rows[i]);
        else if (l != SM_LIKE_EQUAL && l != SM_LIKE_INCOMPARABLE && n++ < most)
            add_tensor(out, shown, x, rows[i]);
    }
    if (shown->first)
        sm_result_table(out, shown, columns_for(x, out), COUNT(tensor_columns));
    if (n > most)
        sm_result_dim(out, "%zu more; -all shows them.", n - most);
    say_moved(x, rows, most, out);
    if (apart->first)
        sm_result_table(out, apart, why_columns, shapes ? COUNT(why_columns) : WHY_SHAPES);
    struct sm_str casts = {0};
    const char *found_text =
        sm_arena_xprintf(&out->arena, ", %zu of these under another name or transposed", found);
    say_casts(x, &casts);
    sm_result_text(out, "%zu equal%s%s%s, %zu close, %zu different, %zu incomparable%s.",
                   counts[SM_LIKE_EQUAL], casts.len ? " (" : "", sm_str_text(&casts),
                   casts.len ? ")" : "", counts[SM_LIKE_CLOSE], counts[SM_LIKE_DIFFERENT],
                   counts[SM_LIKE_INCOMPARABLE], found ? found_text : "");
    sm_str_clear(&casts);
}

static void add_side(struct sm_call *c, struct sm_result *out, struct sm_node *map, const char *key,
                     const struct sm_place *x)
{
    struct sm_str text = {0};
    sm_compare_operand_text(c->session, x, &text);
    sm_node_textn(out, map, key, sm_str_text(&text), text.len);
    sm_result_text(out, "%s: %s", key, sm_str_text(&text));
    sm_str_clear(&text);
}

static void report_diff(struct sm_call *c, const struct diff *d, struct sm_result *out)
{
    const struct sm_compare *x = &d->contrast;
    size_t counts[4];
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    add_side(c, out, map, "a", &x->a);
    add_side(c, out, map, "b", &x->b);
    if (d->at_last)
        sm_result_text(out, "No step in common: compared at the last steps, %lld and %lld.",
                       (long long)x->a.step.n, (long long)x->b.step.n);
    struct sm_node *config = sm_node_list(out, map, "config");
    if (x->a.trial != x->b.trial)
        sm_config_diff(out, config, x->a.trial, x->b.trial);
    if (config->first)
        sm_result_table(out, config, config_columns, COUNT(config_columns));
    else if (x->a.trial != x->b.trial)
        sm_result_text(out, "The configuration is the same.");
    say_first(c->session, x, out, map);
    struct sm_node *list = sm_node_list(out, map, "tensors");
    const struct sm_compare_row **rows = sm_arena_xalloc(&out->arena, (x->n + 1) * sizeof *rows);
    sm_compare_rank(x, rows, counts);
    for (size_t i = 0; i < x->n; i++)
        add_tensor(out, list, x, rows[i]);
    say_tables(c, x, rows, out, counts);
    out->root = map;
    out->rows = list;
    out->columns = tensor_columns;
    out->n_columns = COUNT(tensor_columns);
    out->verdict = (counts[SM_LIKE_DIFFERENT] || counts[SM_LIKE_INCOMPARABLE] || config->first) &&
                   sm_stops_settings(c->session)->batch_exit;
    out->missing = sm_compare_has_nothing(x);
}

/* Opens what is to be compared, and reads the arguments when all trials are read. */
static bool prepare(struct sm_call *c, struct diff *d, struct sm_err *err)
{
    if (!sm_compare_open(c, &d->opening, err))
        return false;
    for (size_t i = 0; i < c->session->n_trials; i++)
        if (!sm_trial_scanned(c->session->trials[i].trial))
            return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    d->contrast.window = SM_COMPARE_WINDOW;
    if (!read_limits(c, &d->contrast.limits, err) || !read_sides(c, &d->contrast, err) ||
        !read_pairs(c, d, err) || !read_selection(c, d, err))
        return false;
    d->at_last = sm_compare_operands_at_last(&d->contrast.a, &d->contrast.b);
    return true;
}

static bool run_diff(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct diff *d = c->state;
    if (!d)
        d = c->state = sm_arena_xalloc(&c->arena, sizeof *d);
    if (!d->ready && !prepare(c, d, err))
        return false;
    d->ready = true;
    if (!sm_compare_run(c, &d->contrast, &d->only, err))
        return false;
    if (!sm_compare_moved(c, &d->contrast, err))
        return false;
    report_diff(c, d, out);
    return true;
}

static const struct sm_arg diff_args[] = {
    {.name = "A", .kind = SM_ARG_TEXT, .required = true},
    {.name = "B", .kind = SM_ARG_TEXT},
    {.name = "STEP", .kind = SM_ARG_TEXT},
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .keyword = "in"},
    {0},
};
static const struct sm_option diff_options[] = {
    {.name = "rtol",
     .kind = SM_ARG_NUMBER,
     .value = "X",
     .help = "close: |a - b| <= atol + rtol |b|; 1e-5 by default",
     .initial = "1e-5"},
    {.name = "atol",
     .kind = SM_ARG_NUMBER,
     .value = "X",
     .help = "1e-8 by default",
     .initial = "1e-8"},
    {.name = "ulp",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "also close: at most N numbers of the type apart; 0 by default",
     .initial = "0"},
    {.name = "pairs",
     .kind = SM_ARG_FILE,
     .value = "FILE",
     .help = "what tensors of A are called in B: two names or patterns with * in a line"},
    {.name = "all",
     .kind = SM_ARG_FLAG,
     .help = "show every different tensor, not only the first 20"},
    {0},
};
const struct sm_cmd sm_cmd_diff = {
    .name = "diff",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Find the first divergence of two trials, steps, workers or modes",
    .help = "A side is a trial (number or name, or the path or s3:// address of one, which is "
            "opened), a worker, a mode or a step\n"
            "(@100), or all of them: 2@eval:12/worker_1. If only one side is given, the other is "
            "the current trial, step, mode and\n"
            "worker. \"step 100 200\" is \"@100 @200\". Trials and modes are compared at the same "
            "steps of a mode, workers with workers\n"
            "of the same name; checkpoints without a step in common at the last step of each. Each "
            "tensor is compared up to its\n"
            "first different step; the first divergence is the first of these by step and write "
            "time. NaN equals NaN. ULP is the\n"
            "number of steps between representable numbers from a to b. Tensors of two "
            "floating-point types are equal if a cast of\n"
            "one gives the other: \"as bfloat16\". Of two trials, a tensor that differs or has no "
            "counterpart is looked for in B by\n"
            "its values: under another name, or with rows and columns exchanged. With \"set "
            "batch-exit on\" a difference is exit\n"
            "status 3. If nothing could be compared, it is 4.",
    .example = "diff @10 @20 in *weight",
    .see_also = "add-trial, trial, stat, print",
    .args = diff_args,
    .options = diff_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_MAY_OPEN | SM_CMD_LISTING,
    .answer = "{a:text,b:text,config:[{what:text,a:text?,b:text?}],first_divergence:{step:int,"
              "tensor:name,worker:name?}?,tensors:[{name:name,step:int?,max_abs:num?,max_rel:num?,"
              "ulp:int?,status:'equal'|'close'|'different'|'incomparable',beyond:int,size:int,"
              "steps:int,why:text?,worker:name?,other:name?,equal_as:text?,like:name?,transposed:"
              "bool,shape_a:[int]?,shape_b:[int]?}]}",
    .run = run_diff,
};
