/* The selected tensor at the current step: statistics and histogram. */
#include "commands/describe.h"
#include "plot/chart.h"
#include "plot/table.h"
#include "tui/health.h"
#include "tui/panel_list.h"

#include <string.h>

enum { BINS_MAX = 60 };

static int line(struct sm_grid *g, struct sm_rect r, int y, enum sm_role role, const char *text)
{
    if (y < r.h)
        sm_grid_text(g, r.x + 1, r.y + y, r.w - 1, role, 0, text);
    return y + 1;
}

static int stat_lines(struct sm_grid *g, struct sm_rect r, int y, const struct sm_facts *f)
{
    const struct sm_stats *s = &f->stats;
    struct sm_str text = {0};
    if (s->finite) {
        sm_str_printf(&text, "mean %.4g  std %.4g  |x| %.4g", s->mean, sm_stats_get(s, SM_REDUCE_STD), s->l1 / (double)s->finite);
        y = line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
        sm_str_truncate(&text, 0);
        sm_str_printf(&text, "min %.4g  max %.4g", s->min, s->max);
        y = line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
        sm_str_truncate(&text, 0);
    }
    bool bad = s->nan || s->pos_inf || s->neg_inf;
    sm_str_printf(&text, "nan %llu  inf %llu  zero %llu of %llu", (unsigned long long)s->nan,
                  (unsigned long long)(s->pos_inf + s->neg_inf), (unsigned long long)s->zero, (unsigned long long)s->n);
    y = line(g, r, y, bad ? SM_ROLE_PROBLEM : SM_ROLE_TEXT, sm_str_text(&text));
    sm_str_clear(&text);
    return y;
}

static void draw_histogram(const struct sm_view *v, struct sm_grid *g, struct sm_rect r, int y, const struct sm_entry *e)
{
    int bins = r.w - 2 < BINS_MAX ? r.w - 2 : BINS_MAX;
    struct sm_summary_spec spec = {.want = SM_SUMMARY_HISTOGRAM, .bins = (size_t)bins};
    struct sm_summary x;
    if (r.h - y < 3 || bins < 4 || !sm_summary_read(v->session->summaries, sm_session_trial(v->session), e, &spec, &x, NULL))
        return;
    const struct sm_histogram *h = &x.histogram;
    if (x.n > 1)
        sm_hist_draw(g, (struct sm_rect){r.x + 1, r.y + y, r.w - 2, r.h - y}, h->edges, h->counts, h->bins, false, v->glyphs);
    sm_summary_clear(&x);
}

/* Reductions that the hook saved in place of the value. */
static void draw_saved(const struct sm_view *v, const struct sm_trial_tensor *x, struct sm_grid *g, struct sm_rect r, int y)
{
    struct sm_trial *t = sm_session_trial(v->session);
    struct sm_step now = sm_session_step(v->session);
    struct sm_str text = {0};
    size_t from = 0, to = 0;
    for (size_t i = x->n_entries; i-- > 0;) {
        struct sm_step step = sm_trial_part(t, x->entries[i].part)->step;
        if ((now.n < 0 || step.n <= now.n) && sm_trial_entries_at(t, x, step, &from, &to))
            break;
    }
    for (size_t i = from; i < to; i++) {
        const struct sm_entry *e = &x->entries[i];
        const struct sm_facts *f;
        if (e->kind == SM_ENTRY_REDUCTION && sm_fetch_stats(v->session->fetch, t, e, &f, NULL)) {
            sm_str_truncate(&text, 0);
            sm_str_printf(&text, "%-13s %.6g", sm_reduction_name(e->reduction), sm_dtype_load(f->dtype, f->first));
            y = line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
        }
    }
    sm_str_clear(&text);
}

static void heading(const struct sm_view *v, const struct sm_trial_tensor *x, const struct sm_part *p, struct sm_grid *g, struct sm_rect r)
{
    const char *name = sm_trial_tensor_name(sm_session_trial(v->session), x);
    struct sm_str text = {0}, step = {0}, elided = {0};
    sm_str_add_escaped(&text, name, strlen(name));
    if (p)
        sm_describe_step(&step, p->step, p->mode, p->mode_step);
    int w = r.w - 3 - (int)step.len;
    sm_elide_name(&elided, sm_str_text(&text), w > 8 ? w : r.w - 1, v->glyphs);
    sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_TITLE, SM_ATTR_BOLD, sm_str_text(&elided));
    if (w > 8)
        sm_grid_text(g, r.x + r.w - (int)step.len - 1, r.y, (int)step.len, SM_ROLE_DIM, 0, sm_str_text(&step));
    sm_str_clear(&text);
    sm_str_clear(&step);
    sm_str_clear(&elided);
}

static void draw(struct sm_panel *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r, bool focused, struct sm_str *note)
{
    struct sm_trial *t = sm_session_trial(v->session);
    (void)p;
    (void)focused;
    if (!t || v->session->at.tensor >= sm_trial_tensor_count(t)) {
        line(g, r, 0, SM_ROLE_DIM, "no tensor selected");
        return;
    }
    const struct sm_names *names = sm_trial_names(t);
    const struct sm_trial_tensor *x = sm_trial_find(t, sm_names_text(names, v->session->at.tensor), sm_names_length(names, v->session->at.tensor));
    const struct sm_entry *e = sm_health_entry(v->session, x);
    const struct sm_facts *f;
    heading(v, x, e ? sm_trial_part(t, e->part) : NULL, g, r);
    if (!e && x->has_value) {
        line(g, r, 1, SM_ROLE_DIM, "not saved at or before this step");
    } else if (!e) {
        draw_saved(v, x, g, r, 1);
    } else if (!sm_fetch_stats(v->session->fetch, t, e, &f, NULL)) {
        line(g, r, 1, SM_ROLE_DIM, "...");
    } else {
        struct sm_str text = {0};
        sm_str_printf(&text, "%s ", sm_dtype_info(f->dtype)->name);
        sm_shape_text(&text, f->dims, f->n_dims);
        int y = line(g, r, 1, SM_ROLE_DIM, sm_str_text(&text));
        sm_str_clear(&text);
        y = stat_lines(g, r, y, f);
        if (f->stats.finite)
            draw_histogram(v, g, r, y, e);
    }
    if (sm_trial_step_count(t))
        sm_str_printf(note, "at step %lld", (long long)sm_session_step(v->session).n);
}

static bool act(struct sm_panel *p, struct sm_view *v, enum sm_action a)
{
    (void)p;
    (void)v;
    (void)a;
    return false;
}

const struct sm_panel_ops sm_panel_value = {
    .name = "value",
    .title = "tensor",
    .help = "The selected tensor at the current step (or the last one before it that has it): statistics and histogram.",
    .context = SM_CTX_VALUE,
    .hints = {"? help", ": command", "z zoom", "[ ] step", "f follow"},
    .state_size = 1,
    .min_w = 24,
    .min_h = 4,
    .draw = draw,
    .act = act,
};
