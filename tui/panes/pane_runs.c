/* The open trials: state, newest step, newest loss, and which is current and which the baseline. */
#include "commands/session/trial_list.h"
#include "commands/trials/loss.h"
#include "plot/table.h"
#include "reader/base/mem.h"
#include "tui/panes/baseline.h"
#include "tui/panes/listing.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"
#include "tui/panes/row_columns.h"
#include "tui/panes/scalar_chart.h"
#include "tui/panes/trial_mark.h"

#include <stdio.h>
#include <string.h>

enum {
    HEAD_W = 6,
    NUMBER_W = 9,
    STEP_W = 8,
    STATE_W = 10,
    NAME_MIN_W = 10,
    WIDEST = 90
}; /* "> # -- " before each name */

struct state {
    struct sm_rows rows;
};

/* Widths from the right; 0 if the column does not fit. */
struct columns {
    int difference, loss, step, steps, age, state;
};

/* The longest name of a trial with its number and the gap, at most half a wide pane. */
static int longest_name(const struct sm_session *s)
{
    int longest = NAME_MIN_W;
    for (size_t i = 0; i < s->n_trials; i++) {
        const char *name = sm_trials_name(s, i);
        int w = (int)sm_text_width(name, strlen(name)) + 4;
        longest = w > longest ? w : longest;
    }
    return longest < WIDEST / 2 ? longest : WIDEST / 2;
}

static struct columns columns_in(const struct sm_view *v, int w)
{
    int room = w - HEAD_W, whole = longest_name(v->session);
    struct columns c = {0};
    c.loss = sm_row_column(&room, NUMBER_W, NAME_MIN_W);
    c.difference = v->session->baseline != NULL ? sm_row_column(&room, NUMBER_W, NAME_MIN_W) : 0;
    c.step = sm_row_column(&room, STEP_W, NAME_MIN_W);
    c.state = sm_row_column(&room, STATE_W, whole);
    c.age = !v->timeless ? sm_row_column(&room, NUMBER_W, whole) : 0;
    c.steps = sm_row_column(&room, STEP_W, whole);
    return c;
}

static void draw_header(const struct columns *c, struct sm_grid *g, struct sm_rect r)
{
    int right = r.x + r.w - 1;
    sm_row_column_draw(g, &right, r.y, c->difference, SM_ROLE_DIM, "DIFF");
    sm_row_column_draw(g, &right, r.y, c->loss, SM_ROLE_DIM, "LOSS");
    sm_row_column_draw(g, &right, r.y, c->step, SM_ROLE_DIM, "STEP");
    sm_row_column_draw(g, &right, r.y, c->steps, SM_ROLE_DIM, "STEPS");
    sm_row_column_draw(g, &right, r.y, c->age, SM_ROLE_DIM, "NEWEST");
    sm_row_column_draw(g, &right, r.y, c->state, SM_ROLE_DIM, "STATE");
    sm_grid_text(g, r.x + HEAD_W + 2, r.y, right - r.x - HEAD_W - 2, SM_ROLE_DIM, 0, "TRIAL");
}

/* ---- a row ---- */

static void draw_head(const struct sm_view *v, size_t i, struct sm_grid *g, struct sm_rect row)
{
    const struct sm_session *s = v->session;
    const struct sm_glyphs *glyphs = v->glyphs;
    const struct sm_trial *t = s->trials[i].trial;
    bool deleted = sm_trial_emptied(t);
    enum sm_role role;
    uint32_t mark = sm_trial_mark(t, glyphs, &role);
    if (i == s->current)
        sm_grid_put(g, row.x, row.y, glyphs->cursor, SM_ROLE_ACCENT, SM_ATTR_BOLD);
    sm_grid_put(g, row.x + 1, row.y, deleted ? glyphs->error : mark,
                deleted ? SM_ROLE_PROBLEM : role, 0);
    for (int k = 0; sm_trials_shown(s, i) && k < 2; k++)
        sm_grid_put(g, row.x + 3 + k, row.y, glyphs->dash[sm_scalar_dash(i, 0)], sm_scalar_role(i),
                    0);
}

static void draw_name(const struct sm_view *v, size_t i, struct sm_grid *g, struct sm_rect row,
                      int right)
{
    struct sm_str name = {0}, cut = {0};
    int x = row.x + HEAD_W, w = right - x;
    x += sm_grid_printf(g, x, row.y, w, SM_ROLE_DIM, 0, "%zu ", i + 1);
    sm_str_add_escaped(&name, sm_trials_name(v->session, i), strlen(sm_trials_name(v->session, i)));
    sm_elide_name(&cut, sm_str_text(&name), right - x, v->glyphs);
    sm_grid_text(g, x, row.y, right - x,
                 sm_trials_shown(v->session, i) ? SM_ROLE_TEXT : SM_ROLE_DIM,
                 i == v->session->current ? SM_ATTR_BOLD : 0, sm_str_text(&cut));
    sm_str_clear(&name);
    sm_str_clear(&cut);
}

static const char *state_word(const struct sm_trial *t)
{
    return !sm_trial_scanned(t)  ? "reading"
           : sm_trial_emptied(t) ? "deleted"
                                 : sm_trial_state_name(sm_trial_state(t));
}

/* "0.412". Without a STATE column, the state of trials without a loss ("deleted", "waiting"). */
static void loss_text(const struct sm_view *v, size_t i, const struct columns *c, char text[32])
{
    struct sm_trial *t = v->session->trials[i].trial;
    double loss;
    struct sm_err err;
    if (!c->state && (sm_trial_emptied(t) || !sm_trial_step_count(t)))
        strcpy(text, state_word(t));
    else if (sm_loss_last(v->session, t, &loss, &err))
        sm_format_double(loss, 3, text);
    else
        strcpy(text, err.code == SM_ERR_WAIT ? "..." : "-");
}

static void difference_text(const struct sm_view *v, size_t i, struct sm_str *out)
{
    struct sm_session *s = v->session;
    size_t baseline;
    double loss, other;
    if (!sm_trials_baseline(s, &baseline))
        return;
    if (i == baseline)
        sm_str_add(out, "baseline");
    else if (sm_loss_last(s, s->trials[i].trial, &loss, NULL) &&
             sm_loss_last(s, s->trials[baseline].trial, &other, NULL))
        sm_baseline_add(out, loss, other, NUMBER_W - 1);
}

static void draw_row(const struct sm_view *v, size_t i, const struct columns *c, struct sm_grid *g,
                     struct sm_rect row)
{
    const struct sm_trial *t = v->session->trials[i].trial;
    size_t n = sm_trial_step_count(t);
    int right = row.x + row.w - 1;
    struct sm_str difference = {0};
    char text[64];
    draw_head(v, i, g, row);
    difference_text(v, i, &difference);
    sm_row_column_draw(g, &right, row.y, c->difference, SM_ROLE_TEXT, sm_str_text(&difference));
    sm_str_clear(&difference);
    loss_text(v, i, c, text);
    sm_row_column_draw(g, &right, row.y, c->loss, SM_ROLE_TEXT, text);
    if (n)
        snprintf(text, sizeof text, "%lld", (long long)sm_trial_step(t, n - 1)->step.n);
    else
        strcpy(text, "-");
    sm_row_column_draw(g, &right, row.y, c->step, SM_ROLE_TEXT, text);
    snprintf(text, sizeof text, "%zu", n);
    sm_row_column_draw(g, &right, row.y, c->steps, SM_ROLE_TEXT, text);
    text[0] = '\0';
    if (sm_trial_newest_us(t))
        sm_format_duration((v->now_us - sm_trial_newest_us(t)) / 1000000 * 1000000, text);
    sm_row_column_draw(g, &right, row.y, c->age, SM_ROLE_TEXT, text);
    sm_row_column_draw(g, &right, row.y, c->state,
                       sm_trial_emptied(t) ? SM_ROLE_PROBLEM : SM_ROLE_TEXT, state_word(t));
    draw_name(v, i, g, row, right);
}

static void draw_runs(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    size_t n = v->session->n_trials, hidden = 0;
    r.w = r.w < WIDEST ? r.w : WIDEST;
    struct columns c = columns_in(v, r.w);
    if (r.h > 1) {
        draw_header(&c, g, r);
        r.y++;
        r.h--;
    }
    sm_rows_show(&s->rows, n, r.h);
    for (int y = 0; y < r.h && s->rows.top + (size_t)y < n; y++) {
        struct sm_rect row = {r.x, r.y + y, r.w, 1};
        draw_row(v, s->rows.top + (size_t)y, &c, g, row);
        if (focused)
            sm_rows_mark(&s->rows, g, row, s->rows.top + (size_t)y, true);
    }
    for (size_t i = 0; i < n; i++)
        hidden += !sm_trials_shown(v->session, i);
    sm_rows_note(&s->rows, n, note);
    if (hidden)
        sm_str_printf(note, "%s%zu hidden", note->len ? "  " : "", hidden);
}

/* ---- actions ---- */

static void toggle_shown(struct sm_view *v, size_t i)
{
    struct sm_open_trial *t = &v->session->trials[i];
    t->hidden = !t->hidden;
    v->notice = !t->hidden ? "shown in the charts"
                : i == v->session->current
                    ? "the trial will be hidden when it is not the current one"
                    : "hidden from the charts";
}

static bool act_on_runs(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    struct sm_session *session = v->session;
    struct sm_str text = {0};
    size_t i = s->rows.cursor;
    if (i >= session->n_trials)
        return sm_rows_act(&s->rows, session->n_trials, a);
    if (a == SM_ACT_OPEN) {
        sm_trials_select(session, i);
    } else if (a == SM_ACT_TAG) {
        toggle_shown(v, i);
    } else if (a == SM_ACT_UNTAG) {
        for (size_t k = 0; k < session->n_trials; k++)
            session->trials[k].hidden = false;
    } else if (a == SM_ACT_BASELINE) {
        sm_trials_toggle_baseline(session, i, &text);
        v->notice = session->baseline ? "baseline set: other trials show their differences from it"
                                      : "no baseline: values are shown";
    } else {
        return sm_rows_act(&s->rows, session->n_trials, a);
    }
    sm_str_clear(&text);
    return true;
}

static void click_runs(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    sm_rows_click(&s->rows, v->session->n_trials, y - 1);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_runs = {
    .name = "runs",
    .title = "trials",
    .help = "The open trials: state, newest step, newest loss, and the difference from the "
            "baseline if there is one. Enter makes a trial current, Space hides it from the charts "
            "or shows it again, U shows all, D makes it the baseline. \":add-trial PATH\" opens "
            "another trial.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "Enter current", "Space hide", "D baseline"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 1,
    .draw = draw_runs,
    .act = act_on_runs,
    .click = click_runs,
};
