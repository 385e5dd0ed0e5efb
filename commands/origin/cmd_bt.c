/* backtrace, frame, up, down: from a bad number to where it began. */
#include "commands/origin/origin.h"
#include "commands/origin/trace.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"

#include <string.h>

/* ---- finding ---- */

/* Kept while the call waits. */
struct tracing {
    struct sm_origin origin;
    bool begun, placed, from_worst; /* placed: origin.row and at say where to begin */
    bool nowhere;                   /* nothing was saved there */
};

static void begin(struct sm_call *c, struct tracing *t)
{
    struct sm_step last = sm_session_step(c->session);
    sm_saved_values_take(c, last, c->session->at.mode, SM_NAME_NONE, &t->origin.spots);
    t->begun = true;
}

/* The row of the current tensor: of the current worker, else the first one that is bad. False:
 * SM_ERR_WAIT. */
static bool place_tensor(struct sm_call *c, struct tracing *t, struct sm_err *err)
{
    struct sm_origin *o = &t->origin;
    const struct sm_place *at = &c->session->at;
    t->nowhere = true;
    for (size_t i = 0; i < o->spots.n; i++) {
        struct sm_saved_value_row *row = &o->spots.rows[i];
        enum sm_fault ill;
        if (row->tensor != at->tensor || (at->worker != SM_WORKER_ANY && row->worker != at->worker))
            continue;
        if (!sm_origin_judge(o, row, row->n - 1, &ill, err))
            return false;
        if (t->nowhere || ill != SM_FAULT_NONE) {
            o->row = i;
            o->at = row->n - 1;
        }
        t->nowhere = false;
        if (ill != SM_FAULT_NONE)
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
    sm_saved_values_rest(&t->origin.spots);
    t->placed = t->from_worst = true;
    t->nowhere = !found;
    return true;
}

/* Once it is true the session has the trace, or none because nothing is wrong. */
static bool trace(struct sm_call *c, struct tracing *t, bool worst, bool all, struct sm_err *err)
{
    if (!t->begun) {
        if (!sm_order_read(c, &t->origin.order, err))
            return false;
        t->origin.all = all;
        begin(c, t);
    }
    worst = worst || c->session->at.tensor == SM_NAME_NONE;
    if (!t->placed && !(worst ? place_worst(t, err) : place_tensor(c, t, err)))
        return false;
    if (!t->nowhere && !sm_origin_follow(&t->origin, err))
        return false;
    sm_trace_set(c->session, &t->origin);
    return true;
}

static void say_sound(struct sm_call *c, const struct tracing *t, struct sm_result *out)
{
    const struct sm_origin *o = &t->origin;
    struct sm_step step = sm_session_step(c->session);
    struct sm_str text = {0};
    if (t->nowhere) {
        sm_result_text(
            out,
            t->from_worst
                ? "No value up to step %lld is NaN, infinite, exploding, vanishing or zero."
                : "The current tensor has no value up to step %lld.",
            (long long)step.n);
        return;
    }
    const struct sm_saved_value_row *row = &o->spots.rows[o->row];
    const struct sm_saved_value *x = &row->spots[o->at];
    const struct sm_names *names = sm_trial_names(o->spots.trial);
    sm_str_add(&text, "Nothing is wrong with ");
    sm_str_add_escaped(&text, sm_names_text(names, row->tensor),
                       sm_names_length(names, row->tensor));
    sm_str_add(&text, " at ");
    sm_describe_step(&text, x->step, (enum sm_mode)x->mode, x->mode_step);
    sm_str_add(&text, ": ");
    if (x->vitals->n)
        sm_value_health_text(x->vitals, SM_FAULT_NONE, &text);
    else
        sm_str_add(&text, "it has no numbers that can be read");
    sm_result_text(out, "%s. \"bt -worst\" begins at the worst tensor.", sm_str_text(&text));
    sm_str_clear(&text);
}

/* ---- bt ---- */

/* A number of frames as the first word; the rest names a tensor and a place. False: SM_ERR_WAIT
 * too, the words are then as before. */
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

/* As gdb counts: N innermost frames, or with a minus the outermost. */
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
    if (!trace(c, &b->tracing, sm_call_flag(c, "worst"), sm_call_flag(c, "full"), err))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    if (sm_origin_state(c->session)->trace)
        show_trace(c->session, b->frames, out, list);
    else
        say_sound(c, &b->tracing, out);
    out->columns = sm_trace_columns;
    out->n_columns = sm_n_trace_columns;
    const struct sm_saved_values_tally *tally = b->tracing.origin.spots.tally;
    return sm_read_errors_say(&tally->unread, tally->looked, out, err);
}

static const struct sm_arg bt_args[] = {
    {.name = "N", .kind = SM_ARG_TENSOR},
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    SM_PLACE_ROWS,
    {0},
};
static const struct sm_option bt_options[] = {
    {.name = "full",
     .kind = SM_ARG_FLAG,
     .help = "every bad value on the way, not only the first of each stretch"},
    {.name = "worst",
     .kind = SM_ARG_FLAG,
     .help = "begin at the worst tensor, not at the current one"},
    {0},
};
const struct sm_cmd sm_cmd_bt = {
    .name = "backtrace",
    .aliases = "bt where",
    .cmd_class = SM_CLASS_STACK,
    .summary = "From a bad number back to the tensor and step where it began",
    .help = "A NaN, an infinity, an explosion, a gradient that vanishes or a tensor of zeros, at "
            "the current tensor and step; without\n"
            "a current tensor the worst one, losses first. Each frame is the first bad value of "
            "its stretch: of the tensor itself,\n"
            "then the earliest that was written between its last good value and that. The last "
            "frame is the origin. z is the\n"
            "distance from the mean of its own healthy past, in standard deviations. Exploding: "
            "more than 10 times all of that\n"
            "past and z above 20; 100 times a past that has no spread, or, from 10 on, one of less "
            "than four values; from 10 on,\n"
            "10,000 times its beginning. Vanishing: a gradient with a mean |g| below 1e-7. Zero: "
            "nothing but zeros, or an output\n"
            "with 99 %; fresh biases may be. N: so many frames, -N the last ones. Inside a step "
            "the order\n"
            "is that of writing (set bt-order).",
    .example = "bt CNN_conv0.weight step 20",
    .see_also = "frame up down layers rule",
    .args = bt_args,
    .options = bt_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .run = run_bt,
};

/* ---- frame, up, down ---- */

/* The trace of where the person stands, found now if there is none. */
static bool find_trace(struct sm_call *c, struct sm_err *err)
{
    if (!c->state && sm_trace_here(c->session))
        return true;
    c->state = c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof(struct tracing));
    if (!trace(c, c->state, false, false, err))
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
        !find_trace(c, err))
        return false;
    if (origin)
        number = (int64_t)sm_origin_state(c->session)->trace->n - 1;
    if (c->n_words && (uint64_t)number >= sm_origin_state(c->session)->trace->n)
        return sm_err_set(err, SM_ERR_USAGE, "No frame at level %lld.", (long long)number);
    if (c->n_words)
        sm_trace_select(c->session, (size_t)number);
    return show_selected(c, out);
}

static bool move(struct sm_call *c, int direction, struct sm_result *out, struct sm_err *err)
{
    int64_t by = 1;
    if ((c->n_words && !sm_call_int(&c->words[0], 0, INT32_MAX, &by, err)) || !find_trace(c, err))
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
    return move(c, 1, out, err);
}

static bool run_down(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return move(c, -1, out, err);
}

static const struct sm_arg frame_args[] = {{.name = "N", .kind = SM_ARG_NUMBER}, {0}};

static const struct sm_arg frame_number[] = {{.name = "N|origin", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_frame = {
    .name = "frame",
    .cmd_class = SM_CLASS_STACK,
    .summary = "Stand at frame N of bt, or show the selected one",
    .help = "Tensor and step of the frame become current; \"frame origin\" is the last one.",
    .example = "frame",
    .see_also = "backtrace up down",
    .args = frame_number,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .run = run_frame,
};
const struct sm_cmd sm_cmd_up = {
    .name = "up",
    .cmd_class = SM_CLASS_STACK,
    .summary = "Towards the origin: to the next frame of bt, or N frames on",
    .see_also = "backtrace frame down",
    .args = frame_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .run = run_up,
};
const struct sm_cmd sm_cmd_down = {
    .name = "down",
    .cmd_class = SM_CLASS_STACK,
    .summary = "Back from the origin: to the frame of bt before, or N frames",
    .see_also = "backtrace frame up",
    .args = frame_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .run = run_down,
};
