/* SPDX-License-Identifier: Apache-2.0 */
/* backtrace, frame, up, down: trace a bad value back to its origin. */
#include "commands/answer/shape.h"
#include "commands/origin/origin.h"
#include "commands/origin/trace.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"

#include <string.h>

/* ---- search ---- */

/* Kept while the call waits. */
struct tracing {
    struct sm_origin origin;
    bool loaded, placed; /* placed: origin.row and at are the start of the trace */
    bool from_worst;     /* the start is the worst tensor */
    bool missing;        /* no value was found there */
};

static void load_values(struct sm_call *c, struct tracing *t)
{
    struct sm_step last = sm_session_step(c->session);
    sm_saved_values_init(c, last, c->session->at.mode, SM_NAME_NONE, &t->origin.saved);
    t->loaded = true;
}

/* Starts at the current tensor: at the row of the current worker, else at the first bad row.
 * Returns false with SM_ERR_WAIT. */
static bool place_tensor(struct sm_call *c, struct tracing *t, struct sm_err *err)
{
    struct sm_origin *o = &t->origin;
    const struct sm_place *at = &c->session->at;
    t->missing = true;
    for (size_t i = 0; i < o->saved.n; i++) {
        struct sm_saved_value_row *row = &o->saved.rows[i];
        enum sm_fault fault;
        if (row->tensor != at->tensor || (at->worker != SM_WORKER_ANY && row->worker != at->worker))
            continue;
        if (!sm_origin_judge(o, row, row->n - 1, &fault, err))
            return false;
        if (t->missing || fault != SM_FAULT_NONE) {
            o->row = i;
            o->at = row->n - 1;
        }
        t->missing = false;
        if (fault != SM_FAULT_NONE)
            break;
    }
    t->placed = true;
    return true;
}

static bool place_worst(struct tracing *t, struct sm_err *err)
{
    bool found;
    if (!sm_origin_worst(&t->origin, &found, err))
        return false;
    sm_saved_values_release(&t->origin.saved);
    t->placed = t->from_worst = true;
    t->missing = !found;
    return true;
}

/* Returns true when the session has the trace, or has none because nothing is wrong. */
static bool find_trace(struct sm_call *c, struct tracing *t, bool worst, bool all,
                       struct sm_err *err)
{
    if (!t->loaded) {
        if (!sm_order_read(c, &t->origin.order, err))
            return false;
        t->origin.all = all;
        load_values(c, t);
    }
    worst = worst || c->session->at.tensor == SM_NAME_NONE;
    if (!t->placed && !(worst ? place_worst(t, err) : place_tensor(c, t, err)))
        return false;
    if (!t->missing && !sm_origin_follow(&t->origin, err))
        return false;
    sm_trace_set(c->session, &t->origin);
    return true;
}

/* "No value up to step 499 is NaN ...": how much was looked at, and what was not. */
static void say_none_is_bad(struct sm_call *c, const struct tracing *t, struct sm_result *out)
{
    const struct sm_looked_at *l = &t->origin.looked;
    bool reported = t->origin.saved.tally->unread.n; /* by sm_read_errors_report, with the place */
    struct sm_str text = {0};
    sm_str_printf(
        &text,
        "No value up to step %lld is NaN, infinite or exploding, and none is vanishing or "
        "zero at the end. Looked at: %llu value%s of %llu tensor%s at %llu step%s",
        (long long)sm_session_step(c->session).n, (unsigned long long)l->values,
        l->values == 1 ? "" : "s", (unsigned long long)l->tensors, l->tensors == 1 ? "" : "s",
        (unsigned long long)l->steps, l->steps == 1 ? "" : "s");
    if (c->session->at.mode != SM_MODE_ANY)
        sm_str_printf(&text, " of mode %s", sm_mode_name(c->session->at.mode));
    if (l->unread && !reported)
        sm_str_printf(&text, "; %llu could not be read", (unsigned long long)l->unread);
    if (l->empty)
        sm_str_printf(&text, "; %llu without numbers", (unsigned long long)l->empty);
    sm_result_text(out, "%s.", sm_str_text(&text));
    sm_str_clear(&text);
}

static void say_sound(struct sm_call *c, const struct tracing *t, struct sm_result *out)
{
    const struct sm_origin *o = &t->origin;
    struct sm_step step = sm_session_step(c->session);
    struct sm_str text = {0};
    if (t->missing && t->from_worst) {
        say_none_is_bad(c, t, out);
        return;
    }
    if (t->missing) {
        sm_result_text(out, "The current tensor has no value up to step %lld.", (long long)step.n);
        return;
    }
    const struct sm_saved_value_row *row = &o->saved.rows[o->row];
    const struct sm_saved_value *x = &row->values[o->at];
    const struct sm_names *names = sm_trial_names(o->saved.trial);
    sm_str_add(&text, "Nothing is wrong with ");
    sm_str_add_escaped(&text, sm_names_text(names, row->tensor),
                       sm_names_length(names, row->tensor));
    sm_str_add(&text, " at ");
    sm_describe_step(&text, x->step, (enum sm_mode)x->mode, x->mode_step);
    sm_str_add(&text, ": ");
    if (x->health->n)
        sm_value_health_text(x->health, SM_FAULT_NONE, &text);
    else
        sm_str_add(&text, "it has no readable numbers");
    sm_result_text(out, "%s. \"bt -worst\" starts at the worst tensor.", sm_str_text(&text));
    sm_str_clear(&text);
}

/* ---- bt ---- */

/* Reads an optional number of frames, then a tensor and its place. If it returns false, also with
 * SM_ERR_WAIT, the words of the call are unchanged. */
static bool read_words(struct sm_call *c, int64_t *frames, struct sm_err *err)
{
    struct sm_place place;
    const char *digits = c->n_words && !c->words[0].quoted ? c->words[0].text.p : "";
    digits += *digits == '-';
    *frames = INT64_MAX;
    bool limited = *digits && strspn(digits, "0123456789") == strlen(digits);
    if (limited && !sm_call_int(&c->words[0], INT32_MIN, INT32_MAX, frames, err))
        return false;
    if (limited) {
        c->words++;
        c->n_words--;
    }
    bool placed = c->n_words || sm_call_keyword(c, "step") || sm_call_keyword(c, "mode") ||
                  sm_call_keyword(c, "worker");
    bool ok = !placed || sm_place_read(c, &place, err);
    if (!ok && limited) {
        c->words--;
        c->n_words++;
    }
    return ok;
}

/* N innermost frames, -N outermost frames, as in gdb. */
static void show_trace(const struct sm_session *s, int64_t frames, struct sm_result *out,
                       struct sm_node *list)
{
    const struct sm_trace *t = sm_origin_state(s)->trace;
    size_t from = 0, to = t->n;
    if (frames >= 0 && (uint64_t)frames < t->n)
        to = (size_t)frames;
    else if (frames < 0 && (uint64_t)-frames < t->n)
        from = t->n - (size_t)-frames;
    sm_trace_rows(t, from, to, out, list);
    sm_trace_lines(s, from, to, out);
    if (to < t->n)
        sm_result_dim(out, "(More frames follow: %zu.)", t->n - to);
    sm_trace_advice(t, out);
}

static bool run_bt(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct bt {
        struct tracing tracing;
        int64_t frames;
    } *b = c->state;
    if (!b) {
        b = sm_arena_xalloc(&c->arena, sizeof *b);
        if (!sm_trial_step_count(sm_session_trial(c->session)))
            return sm_err_set(err, SM_ERR_MISSING, "There are no steps yet.");
        if (!read_words(c, &b->frames, err))
            return false;
        c->state = b;
    }
    if (!find_trace(c, &b->tracing, sm_call_flag(c, "worst"), sm_call_flag(c, "full"), err))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    if (sm_origin_state(c->session)->trace)
        show_trace(c->session, b->frames, out, list);
    else
        say_sound(c, &b->tracing, out);
    out->columns = sm_trace_columns;
    out->n_columns = sm_n_trace_columns;
    const struct sm_saved_values_tally *tally = b->tracing.origin.saved.tally;
    return sm_read_errors_report(&tally->unread, tally->tried, out, err);
}

static const struct sm_arg bt_args[] = {
    {.name = "N", .kind = SM_ARG_TENSOR, .whole = true},
    {.name = "NAME", .kind = SM_ARG_TENSOR, .whole = true},
    SM_PLACE_ROWS,
    {0},
};
static const struct sm_option bt_options[] = {
    {.name = "full",
     .kind = SM_ARG_FLAG,
     .bare = true,
     .help = "show every bad value, not only the first of each stretch"},
    {.name = "worst",
     .kind = SM_ARG_FLAG,
     .help = "start at the worst tensor instead of the current tensor"},
    {0},
};
const struct sm_cmd sm_cmd_bt = {
    .name = "backtrace",
    .aliases = "bt where",
    .cmd_class = SM_CLASS_STACK,
    .summary = "Trace a bad value back to the tensor and step of its origin",
    .help = "Follows a NaN, an infinity, an explosion, a vanishing gradient or a tensor of zeros, "
            "starting at the current tensor and step;\n"
            "without a current tensor at the worst value of all steps, losses first. Frame 0 is "
            "where the search starts.\n"
            "The next frame is the earliest bad value of any tensor written between the last good "
            "value of the frame before and its\n"
            "first bad value. The last frame is the origin. N prints N frames, -N the last N "
            "frames. Within a step, values are in write\n"
            "order (set bt-order). z is the distance from the mean of the good values before, in "
            "standard deviations.\n"
            "Exploding: more than 10 times each good value before and z above 20; 100 times if "
            "they are all equal or, from 10 on, fewer\n"
            "than four; or, from 10 on, 10,000 times the first values. Vanishing: a gradient with "
            "a mean |g| below 1e-7. Zero: only zeros,\n"
            "or an output with 99 % zeros; new biases may be zero.",
    .example = "bt CNN_conv0.weight step 20",
    .see_also = "frame, up, down, layers, rule",
    .args = bt_args,
    .options = bt_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "[{" SM_SHAPE_FRAME "}]",
    .run = run_bt,
};

/* ---- frame, up, down ---- */

/* Finds the trace of the current tensor and step if the session has none. */
static bool need_trace(struct sm_call *c, struct sm_err *err)
{
    if (!c->state && sm_trace_here(c->session))
        return true;
    c->state = c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof(struct tracing));
    if (!find_trace(c, c->state, false, false, err))
        return false;
    return sm_origin_state(c->session)->trace ||
           sm_err_set(err, SM_ERR_MISSING,
                      "Nothing is wrong here: there are no frames.  Try \"bt\".");
}

static bool show_selected(struct sm_call *c, struct sm_result *out)
{
    const struct sm_trace *t = sm_origin_state(c->session)->trace;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    sm_trace_rows(t, t->selected, t->selected + 1, out, list);
    sm_trace_lines(c->session, t->selected, t->selected + 1, out);
    out->root = list->first;
    out->columns = sm_trace_columns;
    out->n_columns = sm_n_trace_columns;
    return true;
}

static bool run_frame(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    int64_t number = 0;
    bool origin = c->n_words && sm_text_is(c->words[0].text, "origin");
    if ((c->n_words && !origin && !sm_call_int(&c->words[0], 0, INT32_MAX, &number, err)) ||
        !need_trace(c, err))
        return false;
    if (origin)
        number = (int64_t)sm_origin_state(c->session)->trace->n - 1;
    if (c->n_words && (uint64_t)number >= sm_origin_state(c->session)->trace->n)
        return sm_err_set(err, SM_ERR_USAGE, "No frame at level %lld.", (long long)number);
    if (c->n_words)
        sm_trace_select(c->session, (size_t)number);
    return show_selected(c, out);
}

static bool select_frame(struct sm_call *c, int direction, struct sm_result *out,
                         struct sm_err *err)
{
    int64_t by = 1;
    if ((c->n_words && !sm_call_int(&c->words[0], 0, INT32_MAX, &by, err)) || !need_trace(c, err))
        return false;
    const struct sm_trace *t = sm_origin_state(c->session)->trace;
    int64_t to = (int64_t)t->selected + direction * by;
    if (by && direction > 0 && t->selected + 1 == t->n)
        return sm_err_set(err, SM_ERR_USAGE, "Initial frame selected; you can't go up.");
    if (by && direction < 0 && t->selected == 0)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Bottom (innermost) frame selected; you can't go down.");
    to = to < 0 ? 0 : to;
    sm_trace_select(c->session, (uint64_t)to < t->n ? (size_t)to : t->n - 1);
    return show_selected(c, out);
}

static bool run_up(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return select_frame(c, 1, out, err);
}

static bool run_down(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return select_frame(c, -1, out, err);
}

static const struct sm_arg frame_args[] = {{.name = "N", .kind = SM_ARG_NUMBER}, {0}};

static const struct sm_arg frame_number[] = {{.name = "N|origin", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_frame = {
    .name = "frame",
    .aliases = "f",
    .cmd_class = SM_CLASS_STACK,
    .summary = "Select frame N of bt, or show the selected frame",
    .help =
        "Makes the tensor and step of the frame current; \"frame origin\" selects the last frame.",
    .example = "frame",
    .see_also = "backtrace, up, down",
    .args = frame_number,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "{" SM_SHAPE_FRAME "}",
    .run = run_frame,
};
const struct sm_cmd sm_cmd_up = {
    .name = "up",
    .cmd_class = SM_CLASS_STACK,
    .summary = "Select the next frame of bt towards the origin, or N frames further",
    .see_also = "backtrace, frame, down",
    .args = frame_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "{" SM_SHAPE_FRAME "}",
    .run = run_up,
};
const struct sm_cmd sm_cmd_down = {
    .name = "down",
    .cmd_class = SM_CLASS_STACK,
    .summary = "Select the previous frame of bt away from the origin, or N frames back",
    .see_also = "backtrace, frame, up",
    .args = frame_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "{" SM_SHAPE_FRAME "}",
    .run = run_down,
};
