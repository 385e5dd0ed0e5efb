/* SPDX-License-Identifier: Apache-2.0 */
/* range: selects the steps that tables, series and statistics over steps look at. */
#include "commands/answer/shape.h"
#include "commands/place/elements.h"
#include "commands/place/place.h"
#include "commands/session/step_range.h"
#include "commands/values/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- statistics of a scalar ---- */

struct spread {
    size_t n, not_finite;
    double first, last, min, max, mean, m2;
};

static void add_value(struct spread *x, double v)
{
    if (!isfinite(v)) {
        x->not_finite++;
        return;
    }
    double before = v - x->mean;
    x->first = x->n ? x->first : v;
    x->min = x->n ? fmin(x->min, v) : v;
    x->max = x->n ? fmax(x->max, v) : v;
    x->last = v;
    x->mean += before / (double)++x->n;
    x->m2 += before * (v - x->mean);
}

static void add_number(struct sm_result *out, struct sm_node *row, const char *key,
                       const struct spread *x, double v)
{
    if (x->n)
        sm_node_double(out, row, key, v, false);
    else
        sm_node_null(out, row, key);
}

static void add_row(struct sm_result *out, struct sm_node *list, const char *name,
                    const struct spread *x)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "name", name);
    sm_node_uint(out, row, "points", x->n + x->not_finite);
    add_number(out, row, "first", x, x->first);
    add_number(out, row, "last", x, x->last);
    add_number(out, row, "min", x, x->min);
    add_number(out, row, "max", x, x->max);
    add_number(out, row, "mean", x, x->mean);
    add_number(out, row, "std", x, x->n ? sqrt(x->m2 / (double)x->n) : 0);
    sm_node_uint(out, row, "not_finite", x->not_finite);
}

static bool is_scalar(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    return x->forms >> SM_FORM_SCALAR & 1 || sm_trial_in_named(t, "losses", x->name) ||
           sm_trial_in_named(t, "metrics", x->name) || sm_trial_in_named(t, "scalars", x->name);
}

/* False with SM_ERR_WAIT. Tensors that are no scalars are left out. */
static bool add_scalar(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                       const struct sm_trial_tensor *x, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_series_spec spec;
    struct sm_series series = {0};
    struct spread spread = {0};
    if (!is_scalar(t, x))
        return true;
    bool ok = sm_series_default(c->session->fetch, t, x, &spec, err) &&
              sm_series_read(c->session->fetch, t, &spec, &series, err);
    sm_step_range_cut(c->session, &series);
    for (size_t i = 0; ok && i < series.n; i++)
        add_value(&spread, series.points[i].value);
    if (ok)
        add_row(out, list, sm_trial_tensor_name(t, x), &spread);
    sm_series_clear(&series);
    return ok || err->code != SM_ERR_WAIT;
}

/* ---- the command ---- */

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "points", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "min", .header = "MIN", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_NUMBER},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER},
    {.key = "std", .header = "STD", .format = SM_COL_NUMBER},
    {.key = "not_finite", .header = "BAD", .format = SM_COL_NUMBER},
};

/* LO:HI as numbers, whether the trial has these steps or not; else a spec of its steps. */
static bool set_range(struct sm_call *c, struct sm_text text, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_steps steps;
    char *end;
    const char *dots = strstr(text.p, ".."), *colon = strchr(text.p, ':');
    const char *second = dots ? dots + 2 : colon ? colon + 1 : NULL;
    long long lo = strtoll(text.p, &end, 10);
    if (second && (end == dots || end == colon) && end > text.p && *second) {
        long long hi = strtoll(second, &end, 10);
        if (!*end) {
            sm_step_range_set(s, lo, hi);
            return true;
        }
    }
    if (!sm_place_steps(c, sm_place_all(s, SM_MODE_ANY), text, &steps, err))
        return false;
    if (!steps.n)
        return sm_err_set(err, SM_ERR_MISSING, "No step is in %s.", text.p);
    sm_step_range_set(s, steps.items[0].n, steps.items[steps.n - 1].n);
    return true;
}

static void add_head(const struct sm_session *s, struct sm_result *out)
{
    struct sm_str text = {0};
    sm_step_range_add(&s->range, &text);
    if (s->range.set)
        sm_result_text(out, "Tables, series and statistics look at %s.", sm_str_text(&text));
    else
        sm_result_text(out, "No range is selected: all steps.");
    sm_str_clear(&text);
}

static bool run_range(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    const struct sm_trial *t = sm_session_trial(s);
    if (c->n_words && sm_text_is(c->words[0].text, "off"))
        sm_step_range_clear(s);
    else if (c->n_words && !set_range(c, c->words[0].text, err))
        return false;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_int_or_null(out, map, "first_step", s->range.set, s->range.lo);
    sm_node_int_or_null(out, map, "last_step", s->range.set, s->range.hi);
    struct sm_node *list = sm_node_list(out, map, "scalars");
    add_head(s, out);
    for (size_t i = 0; s->range.set && i < sm_trial_tensor_count(t); i++)
        if (!add_scalar(c, out, list, sm_trial_tensor(t, i), err))
            return false;
    if (list->first)
        sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    out->root = map;
    return true;
}

static const struct sm_arg range_args[] = {{.name = "FIRST:LAST|off", .kind = SM_ARG_STEP}, {0}};
const struct sm_cmd sm_cmd_range = {
    .name = "range",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Select the steps that tables, series and statistics look at",
    .help = "runs, series, plot and spark show these steps only, and stat, hist and strip one row "
            "for each of them, unless the\n"
            "line names a step. The dashboard marks the range in the charts and names it in its "
            "first line. Lists the scalars of\n"
            "the current run there; std divides by n. In the dashboard R begins and ends a range, "
            "and the mouse selects one\n"
            "in a chart; Esc removes it.",
    .example = "range 20:80",
    .see_also = "goto, runs, stat, series",
    .args = range_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "{first_step:int?,last_step:int?,scalars:[{name:name,points:int,first:num?,last:num?,"
              "min:num?,max:num?,mean:num?,std:num?,not_finite:int}]}",
    .run = run_range,
};
