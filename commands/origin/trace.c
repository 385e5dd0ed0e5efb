/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/origin/trace.h"
#include "commands/origin/origin.h"

#include "commands/place/describe.h"
#include "plot/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void sm_trace_clear(struct sm_session *s)
{
    if (sm_origin_state(s)->trace)
        sm_free(sm_origin_state(s)->trace->frames);
    sm_free(sm_origin_state(s)->trace);
    sm_origin_state(s)->trace = NULL;
}

void sm_trace_set(struct sm_session *s, const struct sm_origin *o)
{
    sm_trace_clear(s);
    if (!o->n)
        return;
    sm_origin_state(s)->trace = sm_xalloc_zero(1, sizeof *sm_origin_state(s)->trace);
    sm_origin_state(s)->trace->trial = o->saved.trial;
    sm_origin_state(s)->trace->frames =
        sm_xalloc_zero(o->n, sizeof *sm_origin_state(s)->trace->frames);
    memcpy(sm_origin_state(s)->trace->frames, o->frames, o->n * sizeof *o->frames);
    sm_origin_state(s)->trace->n = o->n;
    sm_trace_select(s, 0);
}

void sm_trace_select(struct sm_session *s, size_t frame)
{
    const struct sm_stack_frame *f = &sm_origin_state(s)->trace->frames[frame];
    sm_origin_state(s)->trace->selected = frame;
    s->at.tensor = f->tensor;
    s->at.step = f->step;
    s->at.follow = false;
    if (sm_trial_worker_count(sm_origin_state(s)->trace->trial) > 1)
        s->at.worker = f->worker;
    sm_session_sync_variables(s);
}

struct sm_trace *sm_trace_here(const struct sm_session *s)
{
    struct sm_trace *t = sm_origin_state(s)->trace;
    if (!t || t->trial != sm_session_trial(s))
        return NULL;
    const struct sm_stack_frame *f = &t->frames[t->selected];
    return f->tensor == s->at.tensor && f->step.n == sm_session_step(s).n ? t : NULL;
}

/* ---- rows ---- */

const struct sm_column sm_trace_columns[] = {
    {.key = "frame", .header = "FRAME", .format = SM_COL_NUMBER},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER"},
    {.key = "tensor", .header = "TENSOR"},
    {.key = "problem", .header = "PROBLEM"},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
    {.key = "last_good_step", .header = "LAST-GOOD-STEP", .format = SM_COL_NUMBER},
    {.key = "last_good_value", .header = "LAST-GOOD-VALUE", .format = SM_COL_NUMBER},
    {.key = "z", .header = "Z", .format = SM_COL_NUMBER},
    {.key = "bad", .header = "BAD", .format = SM_COL_NUMBER},
    {.key = "size", .header = "SIZE", .format = SM_COL_NUMBER},
};
const size_t sm_n_trace_columns = sizeof sm_trace_columns / sizeof *sm_trace_columns;

static uint64_t count_bad(const struct sm_stack_frame *f)
{
    switch (f->fault) {
    case SM_FAULT_NAN:
        return f->health.nan;
    case SM_FAULT_INF:
        return f->health.inf;
    case SM_FAULT_ZERO:
        return f->health.zero;
    default:
        return f->health.n;
    }
}

static void add_row(const struct sm_trace *t, size_t frame, struct sm_result *out,
                    struct sm_node *row)
{
    const struct sm_stack_frame *f = &t->frames[frame];
    const struct sm_names *names = sm_trial_names(t->trial);
    sm_node_uint(out, row, "frame", frame);
    sm_node_int(out, row, "step", f->step.n);
    sm_node_text(out, row, "mode", sm_mode_name((int)f->mode));
    sm_node_int(out, row, "mode_step", f->mode_step.n);
    sm_node_text(out, row, "worker", sm_trial_worker(t->trial, f->worker));
    sm_node_textn(out, row, "tensor", sm_names_text(names, f->tensor),
                  sm_names_length(names, f->tensor));
    sm_node_text(out, row, "problem", sm_fault_name(f->fault));
    sm_node_double(out, row, "value", sm_value_health_number(&f->health, f->fault), false);
    if (f->has_good) {
        sm_node_int(out, row, "last_good_step", f->good_step.n);
        sm_node_double(out, row, "last_good_value", sm_value_health_number(&f->good, f->fault),
                       false);
    } else {
        sm_node_null(out, row, "last_good_step");
        sm_node_null(out, row, "last_good_value");
    }
    if (isnan(f->z))
        sm_node_null(out, row, "z");
    else
        sm_node_double(out, row, "z", f->z, false);
    sm_node_uint(out, row, "bad", count_bad(f));
    sm_node_uint(out, row, "size", f->health.n);
}

void sm_trace_rows(const struct sm_trace *t, size_t from, size_t to, struct sm_result *out,
                   struct sm_node *list)
{
    for (size_t i = from; i < to; i++)
        add_row(t, i, out, sm_node_map(out, list, NULL));
}

/* ---- lines ---- */

enum { NUMBER, STEP, WORKER, TENSOR, WHAT, NOTE, FIELDS };

static void note_text(const struct sm_trace *t, size_t frame, struct sm_str *out)
{
    static const char *const firsts[SM_FAULT_COUNT] = {[SM_FAULT_NAN] = "first NaN",
                                                       [SM_FAULT_INF] = "first Inf",
                                                       [SM_FAULT_ZERO] = "first zero",
                                                       [SM_FAULT_VANISHING] = "first so small"};
    const struct sm_stack_frame *f = &t->frames[frame];
    bool large = f->fault == SM_FAULT_EXPLODING;
    char number[32];
    if (!isnan(f->z) && (large || f->is_first)) {
        sm_format_double(f->z, 3, number);
        sm_str_printf(out, "z %s against steps %" PRId64 "..%" PRId64, number, f->past_first.n,
                      f->past_last.n);
        if (f->past_n)
            sm_str_printf(out, " (%" PRIu64 " of them)", f->past_n);
    } else if (large && f->has_good && f->good.abs_max > 0) {
        sm_format_double(f->health.abs_max / f->good.abs_max, 2, number);
        sm_str_printf(out, "x %s since %" PRId64, number, f->good_step.n);
    } else if (f->is_first && firsts[f->fault] && frame) {
        sm_str_add(out, firsts[f->fault]);
        if (f->has_good && !isnan(f->good.abs_max) &&
            (frame + 1 == t->n || t->frames[frame + 1].tensor != f->tensor)) {
            sm_format_double(sm_value_health_number(&f->good, f->fault), 3, number);
            sm_str_printf(out, ", was %s at %" PRId64, number, f->good_step.n);
        }
    }
    if (frame + 1 == t->n)
        sm_str_add(out, out->len ? "  origin" : "origin");
}

static void field_text(const struct sm_trace *t, size_t frame, int field, struct sm_str *out)
{
    const struct sm_stack_frame *f = &t->frames[frame];
    const struct sm_names *names = sm_trial_names(t->trial);
    switch (field) {
    case NUMBER:
        sm_str_printf(out, "#%zu", frame);
        break;
    case STEP:
        sm_describe_step(out, f->step, f->mode_step.n == f->step.n ? SM_MODE_ANY : f->mode,
                         f->mode_step);
        break;
    case WORKER:
        if (sm_trial_worker_count(t->trial) > 1)
            sm_str_add_escaped(out, sm_trial_worker(t->trial, f->worker),
                               strlen(sm_trial_worker(t->trial, f->worker)));
        break;
    case TENSOR:
        sm_str_add_escaped(out, sm_names_text(names, f->tensor), sm_names_length(names, f->tensor));
        break;
    case WHAT:
        sm_value_health_text(&f->health, f->fault, out);
        break;
    default:
        note_text(t, frame, out);
    }
}

static void measure_fields(const struct sm_trace *t, size_t from, size_t to, size_t widths[FIELDS])
{
    struct sm_str text = {0};
    for (size_t i = from; i < to; i++)
        for (int k = 0; k < FIELDS; k++) {
            sm_str_truncate(&text, 0);
            field_text(t, i, k, &text);
            size_t w = sm_text_width(sm_str_text(&text), text.len);
            widths[k] = w > widths[k] ? w : widths[k];
        }
    sm_str_clear(&text);
}

/* Shortens names if a line is too long. */
static void shorten_names(size_t widths[FIELDS], int width)
{
    enum { SHORTEST = 12 };
    size_t total = 0;
    for (int k = 0; k < FIELDS; k++)
        total += widths[k] ? widths[k] + 2 : 0;
    if (width <= 0 || total <= (size_t)width + 2 || widths[TENSOR] <= SHORTEST)
        return;
    size_t over = total - 2 - (size_t)width;
    widths[TENSOR] = widths[TENSOR] > over + SHORTEST ? widths[TENSOR] - over : SHORTEST;
}

static void add_field(struct sm_str *line, const struct sm_str *text, size_t width,
                      const struct sm_glyphs *glyphs)
{
    size_t before = line->len;
    if (sm_text_width(sm_str_text(text), text->len) > width)
        sm_elide_name(line, sm_str_text(text), (int)width, glyphs);
    else
        sm_str_addn(line, sm_str_text(text), text->len);
    sm_str_fill(line, ' ', width + 2 - sm_text_width(line->data + before, line->len - before));
}

void sm_trace_lines(const struct sm_session *s, size_t from, size_t to, struct sm_result *out)
{
    const struct sm_trace *t = sm_origin_state(s)->trace;
    size_t widths[FIELDS] = {0};
    struct sm_str line = {0}, text = {0};
    struct sm_print_options o;
    sm_session_print_options(s, &o);
    measure_fields(t, from, to, widths);
    shorten_names(widths, o.width);
    for (size_t i = from; i < to; i++) {
        sm_str_truncate(&line, 0);
        for (int k = 0; k < FIELDS; k++) {
            sm_str_truncate(&text, 0);
            field_text(t, i, k, &text);
            if (widths[k])
                add_field(&line, &text, widths[k], o.glyphs);
        }
        while (line.len && line.data[line.len - 1] == ' ')
            sm_str_truncate(&line, line.len - 1);
        sm_result_text(out, "%s", sm_str_text(&line));
    }
    sm_str_clear(&line);
    sm_str_clear(&text);
}

/* ---- advice ---- */

static const char *statistic_for(enum sm_fault fault)
{
    static const char *const names[SM_FAULT_COUNT] = {
        [SM_FAULT_NAN] = "nan",           [SM_FAULT_INF] = "inf",
        [SM_FAULT_EXPLODING] = "abs_max", [SM_FAULT_VANISHING] = "abs_mean",
        [SM_FAULT_ZERO] = "zero",
    };
    return names[fault];
}

/* The first step from here on with most of the tensors, possibly this step; -1 if there is none. */
static int64_t fuller_step(const struct sm_trial *t, struct sm_step from)
{
    size_t all = sm_trial_tensor_count(t);
    for (size_t i = sm_trial_step_at(t, from); i < sm_trial_step_count(t); i++)
        if (sm_trial_step(t, i)->tensors * (size_t)2 >= all)
            return sm_trial_step(t, i)->step.n;
    return -1;
}

void sm_trace_advice(const struct sm_trace *t, struct sm_result *out)
{
    const struct sm_stack_frame *f = &t->frames[t->n - 1];
    const struct sm_names *names = sm_trial_names(t->trial);
    const char *name =
        sm_result_escape(out, sm_names_text(names, f->tensor), sm_names_length(names, f->tensor));
    const char *statistic = statistic_for(f->fault);
    struct sm_str good = {0};
    int64_t fuller = fuller_step(t->trial, f->step);
    if (f->has_good) {
        sm_value_health_text(&f->good, f->fault == SM_FAULT_VANISHING ? f->fault : SM_FAULT_NONE,
                             &good);
        sm_result_text(out,
                       "Last good: %s at step %" PRId64 ", %s. \"goto %" PRId64
                       "\" goes there, \"layers %s step %" PRId64 "\" shows all layers.",
                       name, f->good_step.n, sm_str_text(&good), f->good_step.n, statistic,
                       f->step.n);
    } else {
        sm_result_text(out,
                       "%s has no good value before: its first saved value is bad. \"layers "
                       "%s step %" PRId64 "\" shows all layers.",
                       name, statistic, f->step.n);
    }
    sm_str_clear(&good);
    if (fuller > f->step.n)
        sm_result_dim(out,
                      "Few tensors were saved at step %" PRId64
                      "; the next step with more is %" PRId64 ": \"layers %s step %" PRId64 "\".",
                      f->step.n, fuller, statistic, fuller);
}
