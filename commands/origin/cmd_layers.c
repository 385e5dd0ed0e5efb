/* SPDX-License-Identifier: Apache-2.0 */
/* layers: one statistic of every tensor of a step, in write order. */
#include "commands/answer/shape.h"
#include "commands/origin/find_origin.h"
#include "commands/origin/origin.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "commands/place/statistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { BAR = 24, NARROW_BAR = 10, NARROW = 100 };

/* ---- arguments ---- */

/* The newest step with most of the tensors; the last step may contain only a loss. */
static struct sm_step full_step(const struct sm_trial *t)
{
    uint32_t most = 0;
    for (size_t i = 0; i < sm_trial_step_count(t); i++)
        most = sm_trial_step(t, i)->tensors > most ? sm_trial_step(t, i)->tensors : most;
    for (size_t i = sm_trial_step_count(t); i-- > 0;)
        if (2 * sm_trial_step(t, i)->tensors >= most)
            return sm_trial_step(t, i)->step;
    return (struct sm_step){-1};
}

/* Kept while the call waits. */
struct layers {
    const struct sm_statistic *statistic;
    struct sm_step step;
    uint16_t worker;
    struct sm_selection only;
    struct sm_origin origin; /* finds the faults */
    struct sm_err missing;   /* why the last of the missing values is missing; code 0 if none is */
};

static bool read_words(struct sm_call *c, struct layers *l, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *step = sm_call_keyword(c, "step"), *worker = sm_call_keyword(c, "worker");
    const struct sm_word *in = sm_call_keyword(c, "in");
    l->statistic = sm_statistic_find(c->n_words ? c->words[0].text : SM_TEXT("abs_mean"));
    if (!l->statistic)
        return sm_err_set(err, SM_ERR_USAGE, "No statistic \"%s\".  Try \"help layers\".",
                          c->words[0].text.p);
    const struct sm_place *at = &c->session->at;
    l->step = at->step.n >= 0 && !at->follow ? at->step : full_step(t);
    l->worker = at->worker;
    return sm_args_select_some(c, in, in != NULL, &l->only, err) &&
           (!step ||
            sm_place_step(c, sm_place_all(c->session, SM_MODE_ANY), step->text, &l->step, err)) &&
           (!worker || sm_place_find_worker(t, worker->text, &l->worker, err));
}

static bool load_values(struct sm_call *c, struct layers *l, struct sm_err *err)
{
    if (!sm_trial_step_count(sm_session_trial(c->session)))
        return sm_err_set(err, SM_ERR_MISSING, "There are no steps yet.");
    if (!read_words(c, l, err) || !sm_order_read(c, &l->origin.order, err))
        return false;
    sm_saved_values_init(c, l->step, SM_MODE_ANY, SM_NAME_NONE, &l->origin.saved);
    return true;
}

/* ---- rows ---- */

struct layer {
    struct sm_ordered_value placed;
    enum sm_fault fault;
    double value; /* NaN if there is none */
};

static bool is_selected(const struct layers *l, const struct sm_saved_value_row *row)
{
    bool wanted = false;
    for (size_t i = 0; i < l->only.n && !wanted; i++)
        wanted = l->only.items[i]->name == row->tensor;
    return wanted && (l->worker == SM_WORKER_ANY || l->worker == row->worker) && row->n &&
           row->values[row->n - 1].step.n == l->step.n;
}

/* The saved reduction, or the statistic of the saved value. Returns false with SM_ERR_WAIT. */
static bool value_of(struct layers *l, const struct sm_saved_value_row *row, double *out,
                     struct sm_err *err)
{
    struct sm_trial *t = l->origin.saved.trial;
    struct sm_entry e = row->values[row->n - 1].entry;
    const struct sm_names *names = sm_trial_names(t);
    *out = NAN;
    if (e.kind != SM_ENTRY_VALUE) {
        const struct sm_trial_tensor *x = sm_trial_find(t, sm_names_text(names, row->tensor),
                                                        sm_names_length(names, row->tensor));
        e = x ? sm_trial_entry(t, x, l->step, row->worker, SM_ENTRY_REDUCTION,
                               l->statistic->reduction)
              : sm_entry_none();
    }
    if (!sm_entry_exists(&e) ||
        sm_statistic_read(l->origin.saved.call->session->fetch, t, &e, l->statistic, out, err))
        return true;
    if (err->code == SM_ERR_MISSING)
        l->missing = *err;
    return err->code != SM_ERR_WAIT;
}

static bool read_layers(struct layers *l, struct layer *out, size_t *n, struct sm_err *err)
{
    struct sm_origin *o = &l->origin;
    bool known = true;
    *n = 0;
    for (size_t i = 0; i < o->saved.n; i++) {
        struct sm_saved_value_row *row = &o->saved.rows[i];
        struct layer *x = &out[*n];
        if (!is_selected(l, row))
            continue;
        bool judged = sm_origin_judge(o, row, row->n - 1, &x->fault, err);
        known = value_of(l, row, &x->value, err) && judged && known;
        if (known)
            x->placed = sm_order_place(&o->order, &o->saved, row, &row->values[row->n - 1]);
        ++*n;
    }
    return known || sm_err_set(err, SM_ERR_WAIT, "reading %zu tensors", *n);
}

/* ---- output ---- */

static const struct sm_column columns[] = {
    {.key = "layer", .header = "#", .format = SM_COL_NUMBER},
    {.key = "name", .header = "NAME"},
    {.key = "worker", .header = "WORKER"},
    {.key = "statistic", .header = "STATISTIC", .hidden = true},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
    {.key = "bar", .header = "", .text_only = true},
    {.key = "problem", .header = "PROBLEM"},
    {.key = "what", .header = "", .text_only = true},
};

/* With the worker if there are several. */
static const struct sm_column *columns_for(struct sm_call *c)
{
    struct sm_column *copy = sm_arena_xalloc(&c->arena, sizeof columns);
    memcpy(copy, columns, sizeof columns);
    for (size_t i = 0; i < COUNT(columns); i++)
        if (strcmp(copy[i].key, "worker") == 0)
            copy[i].hidden = sm_trial_worker_count(sm_session_trial(c->session)) < 2;
    return copy;
}

struct scale {
    double low, high; /* of log10 |value| */
};

static struct scale scale_of(const struct layer *layers, size_t n)
{
    struct scale s = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        double v = log10(fabs(layers[i].value));
        if (isfinite(v)) {
            s.low = fmin(s.low, v);
            s.high = fmax(s.high, v);
        }
    }
    return s;
}

/* Logarithmic: the smallest number has one cell, the largest the full width. */
static void draw_bar(struct sm_str *out, double value, struct scale s,
                     const struct sm_print_options *o)
{
    int width = o->width > 0 && o->width < NARROW ? NARROW_BAR : BAR;
    char rune[4];
    double v = log10(fabs(value));
    int n = !isfinite(v)     ? 0
            : s.high > s.low ? 1 + (int)((width - 1) * (v - s.low) / (s.high - s.low))
                             : width / 2;
    size_t bytes = sm_utf8_encode(o->glyphs->bar[8], rune);
    for (int i = 0; i < n; i++)
        sm_str_addn(out, rune, bytes);
}

static void add_row(struct sm_call *c, struct layers *l, const struct layer *x, size_t number,
                    struct scale scale, struct sm_result *out, struct sm_node *list)
{
    const struct sm_saved_value_row *r = x->placed.row;
    const struct sm_saved_value *value = x->placed.value;
    const struct sm_names *names = sm_trial_names(l->origin.saved.trial);
    struct sm_print_options o;
    struct sm_str text = {0};
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_session_print_options(c->session, &o);
    sm_node_uint(out, row, "layer", number);
    sm_node_textn(out, row, "name", sm_names_text(names, r->tensor),
                  sm_names_length(names, r->tensor));
    sm_node_int(out, row, "step", value->step.n);
    sm_node_text(out, row, "mode", sm_mode_name(value->mode));
    sm_node_int(out, row, "mode_step", value->mode_step.n);
    sm_node_text(out, row, "worker", sm_trial_worker(l->origin.saved.trial, r->worker));
    sm_node_text(out, row, "statistic", l->statistic->key);
    if (isnan(x->value))
        sm_node_null(out, row, "value");
    else
        sm_node_double(out, row, "value", x->value, false);
    sm_node_text(out, row, "problem", sm_fault_name(x->fault));
    if (c->output == SM_OUTPUT_TEXT) {
        draw_bar(&text, x->value, scale, &o);
        sm_node_text(out, row, "bar", sm_str_text(&text));
        sm_str_truncate(&text, 0);
        if (x->fault != SM_FAULT_NONE)
            sm_value_health_text(value->health, x->fault, &text);
        sm_node_text(out, row, "what", sm_str_text(&text));
    }
    sm_str_clear(&text);
}

static int layer_cmp(const void *a, const void *b)
{
    return sm_placed_cmp(&((const struct layer *)a)->placed, &((const struct layer *)b)->placed);
}

static void say_head(const struct layers *l, size_t n, struct sm_result *out)
{
    const struct sm_trial *t = l->origin.saved.trial;
    struct sm_str line = {0};
    sm_str_printf(&line, "%s of %zu tensor%s at ", l->statistic->key, n, n == 1 ? "" : "s");
    sm_place_add_step(&line, t, l->step);
    sm_result_text(out, "%s, in the order of %s", sm_str_text(&line),
                   l->origin.order.kind == SM_ORDER_TIME   ? "writing"
                   : l->origin.order.kind == SM_ORDER_NAME ? "names"
                                                           : "the file");
    sm_str_clear(&line);
}

static bool run_layers(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct layers *l = c->state;
    size_t n;
    if (!l) {
        l = sm_arena_xalloc(&c->arena, sizeof *l);
        if (!load_values(c, l, err))
            return false;
        c->state = l;
    }
    struct layer *layers = sm_arena_xalloc(&c->arena, (l->origin.saved.n + 1) * sizeof *layers);
    if (!read_layers(l, layers, &n, err))
        return false;
    if (!n)
        return sm_err_set(err, SM_ERR_MISSING, "None of these tensors was saved at step %lld.",
                          (long long)l->step.n);
    qsort(layers, n, sizeof *layers, layer_cmp);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    struct scale scale = scale_of(layers, n);
    for (size_t i = 0; i < n; i++)
        add_row(c, l, &layers[i], i + 1, scale, out, list);
    say_head(l, n, out);
    sm_result_listing(out, list, columns_for(c), COUNT(columns));
    if (l->missing.code)
        sm_result_dim(out, "-: %s.", l->missing.msg);
    return sm_read_errors_report(&l->origin.saved.tally->unread, l->origin.saved.tally->tried, out,
                                 err);
}

static const struct sm_arg layers_args[] = {
    {.name = "STAT", .kind = SM_ARG_WORD, .words = sm_statistic_names},
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .keyword = "in"},
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
const struct sm_cmd sm_cmd_layers = {
    .name = "layers",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show one statistic of all tensors of a step, in write order",
    .help =
        "Write order is the order of computation: parameters, forward pass, loss, backward pass "
        "(set bt-order).\n"
        "STAT is abs_mean by default; the bar shows its order of magnitude. PROBLEM is as in "
        "bt.",
    .example = "layers abs_max step 20",
    .see_also = "backtrace, stat, tensors",
    .args = layers_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "[{layer:int,name:name," SM_SHAPE_PLACE ",statistic:text,value:num?,problem:text?}]",
    .run = run_layers,
};
