/* SPDX-License-Identifier: Apache-2.0 */
/* The selected tensor at the current step, in one of several views. */
#include "commands/place/place.h"
#include "plot/table.h"
#include "plot/wrap.h"
#include "reader/analysis/tensor_health.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"
#include "tui/tensor_pane/tensor_pane.h"

#include <string.h>

static const struct sm_tensor_pane_view *const views[] = {
    &sm_tensor_pane_statistics, &sm_tensor_pane_values, &sm_tensor_pane_histogram,
    &sm_tensor_pane_time, &sm_tensor_pane_image};
enum { VIEWS = sizeof views / sizeof *views, VIEW_IMAGE = VIEWS - 1 };

static size_t view_of(const struct sm_tensor_pane *s)
{
    return s->picture ? VIEW_IMAGE : s->view;
}

static void choose_view(struct sm_tensor_pane *s, size_t view)
{
    s->view = view;
    s->chosen = true;
    s->picture = false;
}

int sm_tensor_pane_line(struct sm_grid *g, struct sm_rect r, int y, enum sm_role role,
                        const char *text)
{
    if (y < r.h)
        sm_grid_text(g, r.x + 1, r.y + y, r.w - 1, role, 0, text);
    return y + 1;
}

/* ---- the value ---- */

static void drop_tensor(struct sm_tensor_pane *s)
{
    sm_tensor_unref(s->tensor);
    s->tensor = NULL;
    s->read = (struct sm_slice){0};
}

static bool is_loaded(const struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame)
{
    return s->tensor && s->trial == frame->trial && s->part == frame->e.part &&
           s->offset == frame->e.offset && s->value == frame->e.value &&
           (frame->part ? sm_slice_same(&s->read, frame->slice) : !s->read.n);
}

const struct sm_tensor *sm_tensor_pane_tensor(struct sm_tensor_pane *s,
                                              const struct sm_tensor_pane_frame *frame,
                                              struct sm_err *err)
{
    struct sm_tensor *t;
    if (is_loaded(s, frame))
        return s->tensor;
    if (!sm_fetch_slice(frame->v->session->fetch, frame->trial, &frame->e,
                        frame->part ? frame->slice : NULL, &t, err))
        return NULL;
    drop_tensor(s);
    s->tensor = t;
    s->trial = frame->trial;
    s->part = frame->e.part;
    s->offset = frame->e.offset;
    s->value = frame->e.value;
    s->read = frame->part ? *frame->slice : (struct sm_slice){0};
    return t;
}

const struct sm_slice *sm_tensor_pane_payload(const struct sm_tensor_pane_frame *frame,
                                              unsigned *n_dims, uint64_t *dims)
{
    *n_dims = frame->facts->n_dims;
    memcpy(dims, frame->facts->dims, *n_dims * sizeof *dims);
    if (frame->part)
        sm_slice_dims(frame->slice, n_dims, dims);
    return frame->part ? NULL : frame->slice;
}

/* Resets slice and cursor if the tensor has changed: they belong to one tensor. */
static void select_tensor(struct sm_tensor_pane *s, const struct sm_trial *trial, uint32_t of)
{
    if (s->of == of && s->of_trial == trial)
        return;
    s->of = of;
    s->of_trial = trial;
    s->slice = (struct sm_slice){0};
    s->sliced = false;
    s->cells = (struct sm_cells){0};
    s->axes = (struct sm_tensor_axes){.row = -1, .col = -1};
    s->image = 0;
    s->text_top = 0;
    s->is_text = s->is_curve = false;
    s->picture = false;
    sm_tensor_pane_drop_image(s);
    drop_tensor(s);
}

void sm_tensor_pane_error(const struct sm_tensor_pane_frame *frame, const struct sm_err *err,
                          struct sm_grid *g, struct sm_rect r)
{
    struct sm_str text = {0};
    if (err->code == SM_ERR_WAIT) {
        char bytes[4];
        sm_str_addn(&text, bytes,
                    frame->v->glyphs->set == SM_SYMBOLS_ASCII
                        ? 0
                        : sm_utf8_encode(frame->v->glyphs->ellipsis, bytes));
        sm_str_add(&text, text.len ? "" : "...");
    } else {
        sm_str_add_escaped(&text, err->msg, strlen(err->msg));
    }
    sm_tensor_pane_text(g, r, SM_ROLE_DIM, sm_str_text(&text));
    sm_str_clear(&text);
}

void sm_tensor_pane_text(struct sm_grid *g, struct sm_rect r, enum sm_role role, const char *text)
{
    struct sm_str line = {0};
    for (int y = 0; *text && y < r.h && r.w > 1; y++) {
        size_t n = sm_wrap_text(text, r.w - 1);
        sm_str_truncate(&line, 0);
        sm_str_addn(&line, text, n);
        sm_tensor_pane_line(g, r, y, role, sm_str_text(&line));
        text += n + strspn(text + n, " ");
    }
    sm_str_clear(&line);
}

/* ---- drawing ---- */

static void remove_blanks(struct sm_str *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->len; i++)
        if (s->data[i] != ' ')
            s->data[n++] = s->data[i];
    sm_str_truncate(s, n);
}

/* Adds "values  float32 (8, 1, 3, 3)[0, 0, :, :]"; narrow frames omit the type, then the view. */
static void add_note(const struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                     int room, struct sm_str *note)
{
    const struct sm_facts *f = frame->facts;
    const struct sm_tensor_pane_view *view = views[view_of(s)];
    struct sm_str part = {0};
    sm_shape_text(&part, f->dims, f->n_dims);
    if (frame->part && !(frame->sample && view == &sm_tensor_pane_statistics))
        sm_slice_text(&part, frame->slice);
    if (view->cells)
        sm_tensor_axes_text(&part, &s->axes, &s->cells.at);
    else if (s->sliced && !frame->part)
        sm_slice_text(&part, &s->slice);
    if ((int)part.len > room)
        remove_blanks(&part);
    const char *dtype = sm_dtype_info(f->dtype)->name;
    int w = (int)part.len, name = (int)strlen(view->name) + 2;
    if (w + name <= room)
        sm_str_printf(note, "%s  ", s->is_text ? "text" : s->is_curve ? "curve" : view->name);
    if (w + (int)strlen(dtype) + 1 + name <= room)
        sm_str_printf(note, "%s ", dtype);
    sm_elide_middle(note, sm_str_text(&part), room, frame->v->glyphs);
    sm_str_clear(&part);
}

/* Bytes as pixels: height and width, and 1, 3 or 4 colours, maybe of several images. */
static bool is_picture(const struct sm_facts *f)
{
    enum { SIDE_LEAST = 4 };
    uint64_t colours = f->n_dims ? f->dims[f->n_dims - 1] : 0;
    return f->dtype == SM_DTYPE_UINT8 && (f->n_dims == 3 || f->n_dims == 4) &&
           (colours == 1 || colours == 3 || colours == 4) && f->dims[f->n_dims - 3] >= SIDE_LEAST &&
           f->dims[f->n_dims - 2] >= SIDE_LEAST;
}

/* Of strings only the view of values shows elements, unless there is one. */
static bool shows_text(const struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame)
{
    const struct sm_facts *f = frame->facts;
    bool elements = views[view_of(s)] == &sm_tensor_pane_values && f->n > 1;
    return f->dtype == SM_DTYPE_STRING && !frame->slice && !elements;
}

/* Its elements, and how they change, are as those of other tensors. */
static bool draws_curve(const struct sm_tensor_pane *s)
{
    const struct sm_tensor_pane_view *view = views[view_of(s)];
    return view != &sm_tensor_pane_values && view != &sm_tensor_pane_time;
}

static void draw_view(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                      struct sm_grid *g, struct sm_rect r)
{
    struct sm_err err = {0};
    unsigned n;
    uint64_t dims[SM_DIMS_MAX];
    const struct sm_slice *slice = sm_tensor_pane_payload(frame, &n, dims);
    s->picture = !s->chosen && is_picture(frame->facts);
    s->is_text = shows_text(s, frame);
    s->is_curve = draws_curve(s) && sm_tensor_pane_draw_curve(s, frame, g, r, &err);
    if (s->is_curve)
        return;
    if (err.code == SM_ERR_WAIT) {
        sm_tensor_pane_error(frame, &err, g, r);
    } else if (s->is_text) {
        sm_tensor_pane_draw_text(s, frame, g, r);
    } else if (sm_tensor_axes_set(&s->axes, dims, n, slice, &err)) {
        sm_tensor_axes_clamp(&s->axes, &s->cells.at);
        views[view_of(s)]->draw(s, frame, g, r);
    } else {
        sm_tensor_pane_text(g, r, SM_ROLE_WARN, err.msg);
    }
}

/* What is read of a value that is larger than memory-limit: the slice, else a sample. */
static void choose_part(struct sm_tensor_pane *s, struct sm_tensor_pane_frame *frame)
{
    const struct sm_facts *f = frame->facts;
    frame->part = sm_fetch_too_large(frame->v->session->fetch, &frame->e);
    frame->sample = frame->part && !frame->slice;
    if (!frame->sample)
        return;
    sm_slice_sample(f->n_dims, f->dims, SM_SAMPLE_ELEMENTS, &s->sample);
    frame->slice = &s->sample;
}

static void draw_tensor_pane(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                             struct sm_rect r, bool focused, struct sm_str *note)
{
    struct sm_tensor_pane *s = p->state;
    struct sm_trial *t = sm_session_trial(v->session);
    struct sm_err err = {0};
    if (!t || v->session->at.tensor >= sm_trial_tensor_count(t)) {
        select_tensor(s, t, SM_NAME_NONE);
        sm_tensor_pane_line(g, r, 0, SM_ROLE_DIM, "no tensor selected");
        return;
    }
    select_tensor(s, t, v->session->at.tensor);
    const struct sm_trial_tensor *x = sm_place_tensor(&v->session->at);
    s->unfinished = false;
    s->place = (struct sm_line_place){.lo = 1, .hi = 0};
    struct sm_tensor_pane_frame frame = {
        .v = v,
        .trial = t,
        .x = x,
        .e = sm_tensor_health_entry(t, x, sm_session_step(v->session), v->session->at.worker),
        .slice = s->sliced ? &s->slice : NULL,
        .focused = focused};
    struct sm_rect below = {r.x, r.y + 1, r.w, r.h - 1};
    sm_tensor_pane_draw_heading(
        v, x, sm_entry_exists(&frame.e) ? sm_trial_part(t, frame.e.part) : NULL, g, r);
    int others = sm_tensor_pane_draw_others(&frame, g, below);
    below.y += others;
    below.h -= others;
    if (!sm_entry_exists(&frame.e) && x->has_value)
        sm_tensor_pane_line(g, below, 0, SM_ROLE_DIM, "not saved at or before this step");
    else if (!sm_entry_exists(&frame.e))
        sm_tensor_pane_draw_saved(v, x, g, below);
    else if (!sm_fetch_stats(v->session->fetch, t, &frame.e, &frame.facts, &err))
        sm_tensor_pane_error(&frame, &err, g, below);
    else {
        choose_part(s, &frame);
        draw_view(s, &frame, g, below);
    }
    p->unfinished = s->unfinished;
    if (frame.facts)
        add_note(s, &frame, r.w - (int)strlen(p->ops->title) - 5, note);
}

/* ---- actions ---- */

/* Puts the current slice into the prompt for the user to edit. */
static void prefill_slice(const struct sm_tensor_pane *s, struct sm_view *v)
{
    struct sm_str line = {0};
    sm_str_add(&line, "pane value set slice ");
    size_t n = line.len;
    if (s->sliced || s->read.n)
        sm_slice_text(&line, s->sliced ? &s->slice : &s->read);
    else if (s->axes.n)
        sm_tensor_axes_text(&line, &s->axes, &s->cells.at);
    if (line.len == n)
        for (unsigned i = 0; i <= s->axes.n; i++)
            sm_str_add(&line, i < s->axes.n ? (i ? ", :" : "[:") : s->axes.n ? "]" : "");
    sm_view_prefill(v, sm_str_text(&line));
    sm_str_clear(&line);
}

static void next_map(struct sm_tensor_pane *s, struct sm_view *v)
{
    static const char *const notices[] = {"colours: viridis", "colours: cividis", "colours: grey"};
    s->map = (enum sm_heat_map)((s->map + 1) % (SM_HEAT_GREY + 1));
    v->notice = notices[s->map];
}

static bool act_on_tensor_pane(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct sm_tensor_pane *s = p->state;
    if (a == SM_ACT_SLICE)
        prefill_slice(s, v);
    else if (a == SM_ACT_VIEW_NEXT || a == SM_ACT_VIEW_PREV)
        choose_view(s, (view_of(s) + (a == SM_ACT_VIEW_NEXT ? 1 : VIEWS - 1)) % VIEWS);
    else if (a == SM_ACT_COLOURS)
        next_map(s, v);
    else if (a >= SM_ACT_VIEW_STATISTICS && a < SM_ACT_VIEW_STATISTICS + VIEWS)
        choose_view(s, (size_t)(a - SM_ACT_VIEW_STATISTICS));
    else if (s->is_text)
        return sm_tensor_pane_act_on_text(s, a);
    else
        return views[view_of(s)]->act && views[view_of(s)]->act(s, v, a);
    return true;
}

/* ---- commands ---- */

static bool set_slice(struct sm_tensor_pane *s, const char *text, struct sm_err *err)
{
    struct sm_slice slice = {0};
    struct sm_tensor_axes axes;
    size_t used = 0;
    if (*text && !sm_slice_parse(text, strlen(text), &slice, &used, err))
        return false;
    if (text[used + strspn(text + used, " ")])
        return sm_err_set(err, SM_ERR_USAGE, "slice: nothing more expected at column %zu",
                          used + 1);
    if (s->axes.n && !s->read.n && !sm_tensor_axes_set(&axes, s->axes.dims, s->axes.n, &slice, err))
        return false;
    s->slice = slice;
    s->sliced = slice.n > 0;
    s->cells = (struct sm_cells){0};
    s->image = 0;
    sm_tensor_pane_drop_image(s);
    return true;
}

static bool set_tensor_attribute(struct sm_pane *p, struct sm_view *v, const char *name,
                                 const char *value, struct sm_err *err)
{
    struct sm_tensor_pane *s = p->state;
    struct sm_str names = {0};
    if (v->session->at.tensor != SM_NAME_NONE)
        select_tensor(s, sm_session_trial(v->session), v->session->at.tensor);
    if (strcmp(name, "slice") == 0)
        return set_slice(s, value, err);
    if (strcmp(name, "over-time") == 0)
        return sm_tensor_pane_set_drawn(s, value, err);
    if (strcmp(name, "view") != 0)
        return sm_err_set(err, SM_ERR_USAGE,
                          "No attribute \"%s\". There are: view slice over-time.", name);
    for (size_t i = 0; i < VIEWS; i++) {
        sm_str_printf(&names, " %s", views[i]->name);
        if (strcmp(views[i]->name, value) == 0) {
            choose_view(s, i);
            sm_str_clear(&names);
            return true;
        }
    }
    sm_err_set(err, SM_ERR_USAGE, "No view \"%s\". There are:%s.", value, sm_str_text(&names));
    sm_str_clear(&names);
    return false;
}

static void init_tensor_pane(struct sm_pane *p, struct sm_view *v)
{
    struct sm_tensor_pane *s = p->state;
    (void)v;
    s->of = SM_NAME_NONE;
    s->axes = (struct sm_tensor_axes){.row = -1, .col = -1};
    s->window.of = SM_NAME_NONE;
    s->map = SM_HEAT_GREY;
}

static void clear_tensor_pane(struct sm_pane *p)
{
    struct sm_tensor_pane *s = p->state;
    drop_tensor(s);
    sm_tensor_pane_drop_image(s);
    sm_step_window_clear(&s->window);
    sm_fold_clear(&s->texts);
}

static void forget_tensor_pane(struct sm_pane *p)
{
    struct sm_tensor_pane *s = p->state;
    select_tensor(s, NULL, SM_NAME_NONE);
    drop_tensor(s);
    sm_tensor_pane_drop_image(s);
    sm_step_window_clear(&s->window);
}

static const struct sm_trial_tensor *current_tensor(const struct sm_pane *p,
                                                    const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    const struct sm_place *at = &v->session->at;
    (void)p;
    return t && at->tensor < sm_trial_tensor_count(t) ? sm_place_tensor(at) : NULL;
}

const struct sm_pane_ops sm_pane_value = {
    .name = "value",
    .title = "tensor",
    .help = "The selected tensor at the current step, or at the last step before it that has a "
            "value, as statistics, values, histogram, values over the steps, or images; v changes "
            "the view. Pixels are an image until a view is chosen. Curves of precision and recall "
            "are drawn as such. Texts are shown as such, and the "
            "arrows scroll them. i edits the slice. "
            "Among values, the arrows move the cursor, and the last "
            "line shows its element with all digits. Pages continue through the leading axes; < "
            "and > change the plane. [ ] { } go through the steps that have a value of it. Enter "
            "zooms the pane, Backspace goes back. With the mouse on, a click in the chart over the "
            "steps goes to the step there, a drag selects a range of steps. The commands are "
            "\"pane value set slice [0, :, 3:8]\" and \"pane value set view values\".",
    .context = SM_CTX_VALUE,
    .hints = {"? help", ": command", "v view", "i slice", "[ ] step"},
    .state_size = sizeof(struct sm_tensor_pane),
    .values_of = current_tensor,
    .min_w = 24,
    .min_h = 4,
    .init = init_tensor_pane,
    .clear = clear_tensor_pane,
    .forget = forget_tensor_pane,
    .draw = draw_tensor_pane,
    .act = act_on_tensor_pane,
    .click_cell = sm_tensor_pane_click,
    .drag = sm_tensor_pane_drag,
    .set = set_tensor_attribute,
};
