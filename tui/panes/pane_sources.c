/* SPDX-License-Identifier: Apache-2.0 */
/* The data sources: the open trials with files, size, rate and errors. */
#include "plot/table.h"
#include "tui/panes/listing.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"
#include "tui/panes/trial_mark.h"

#include <math.h>
#include <string.h>

enum { LINES = 3 }; /* lines per trial */

struct state {
    struct sm_rows rows;
};

static void draw_text(const struct sm_view *v, struct sm_grid *g, struct sm_rect row, int x,
                      enum sm_role role, struct sm_str *text)
{
    sm_cut_text(g, row.x + x, row.y, row.w - x - 1, role, sm_str_text(text), v->glyphs);
    sm_str_truncate(text, 0);
}

static void add_rate(struct sm_str *text, const struct sm_trial *t)
{
    double rate = sm_trial_steps_per_second(t);
    size_t steps = sm_trial_step_count(t);
    char bytes[16], steps_per_s[16];
    if (!isfinite(rate) || sm_trial_state(t) != SM_TRIAL_LIVE || !steps)
        return;
    sm_format_bytes((uint64_t)((double)sm_trial_bytes(t) / (double)steps * rate), bytes);
    sm_format_rate(rate, steps_per_s);
    sm_str_printf(text, ", %s steps/s, %s/s", steps_per_s, bytes);
}

static void draw_trial(const struct sm_view *v, size_t i, struct sm_grid *g, struct sm_rect r)
{
    const struct sm_glyphs *glyphs = v->glyphs;
    const struct sm_open_trial *o = &v->session->trials[i];
    const struct sm_trial *t = o->trial;
    const struct sm_problems *problems = sm_trial_problems(t);
    struct sm_str text = {0};
    char bytes[32];
    enum sm_role role;
    uint32_t mark = sm_trial_mark(t, glyphs, &role);
    sm_grid_put(g, r.x + 1, r.y, mark, role, 0);
    sm_str_printf(&text, "%zu  ", i + 1);
    sm_str_add_escaped(&text, sm_trial_name(t), strlen(sm_trial_name(t)));
    sm_str_printf(&text, "  %s, %s", sm_trial_archive(t) ? "archive" : sm_trial_traits(t)->label,
                  sm_trial_state_word(t));
    draw_text(v, g, r, 3, i == v->session->current ? SM_ROLE_TITLE : SM_ROLE_TEXT, &text);
    sm_format_bytes(sm_trial_bytes(t), bytes);
    sm_str_printf(&text, "%zu steps, %s", sm_trial_step_count(t), bytes);
    add_rate(&text, t);
    sm_str_printf(&text, ", %llu index files", (unsigned long long)sm_trial_index_files(t));
    draw_text(v, g, (struct sm_rect){r.x, r.y + 1, r.w, 1}, 6, SM_ROLE_DIM, &text);
    if (problems->total) {
        sm_str_printf(&text, "%llu errors: ", (unsigned long long)problems->total);
        for (size_t k = 0; k < problems->n && k < 1; k++)
            sm_str_add_escaped(&text, problems->items[k].message,
                               strlen(problems->items[k].message));
        sm_grid_put(g, r.x + 4, r.y + 2, glyphs->error, SM_ROLE_PROBLEM, 0);
    } else {
        sm_str_add(&text, "no errors");
    }
    draw_text(v, g, (struct sm_rect){r.x, r.y + 2, r.w, 1}, 6,
              problems->total ? SM_ROLE_PROBLEM : SM_ROLE_DIM, &text);
    sm_str_clear(&text);
}

static void draw_sources(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    size_t n = v->session->n_trials;
    int most = r.h / LINES > 0 ? r.h / LINES : 1;
    sm_rows_show(&s->rows, n, most);
    for (int y = 0; y < most && s->rows.top + (size_t)y < n; y++) {
        struct sm_rect row = {r.x, r.y + y * LINES, r.w, 1};
        draw_trial(v, s->rows.top + (size_t)y, g, row);
        if (focused && n > 1)
            sm_rows_mark(&s->rows, g, row, s->rows.top + (size_t)y, true);
    }
    sm_rows_note(&s->rows, n, note);
}

static bool act_on_sources(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    struct sm_str line = {0};
    if (a != SM_ACT_OPEN)
        return sm_rows_act(&s->rows, v->session->n_trials, a);
    if (v->session->n_trials > 1 && s->rows.cursor != v->session->current)
        sm_str_printf(&line, "trial %zu", s->rows.cursor + 1);
    else
        sm_str_add(&line, "info errors");
    sm_view_run(v, sm_str_text(&line));
    sm_str_clear(&line);
    return true;
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_sources = {
    .name = "sources",
    .title = "sources",
    .help = "The open trials: index files, steps and bytes, rate, and errors in the files. Enter "
            "makes a trial current; on the current trial it lists the errors.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "Enter errors", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 3,
    .draw = draw_sources,
    .act = act_on_sources,
};
