#include "tui/panes/tensor_health.h"

#include "plot/table.h"

#include <string.h>

const struct sm_entry *sm_tensor_health_entry(const struct sm_session *s,
                                              const struct sm_trial_tensor *x)
{
    const struct sm_trial *t = sm_session_trial(s);
    struct sm_step now = sm_session_step(s);
    for (size_t i = x->n_entries; i-- > 0;) {
        const struct sm_part *p = sm_trial_part(t, x->entries[i].part);
        bool wanted = s->at.worker == SM_WORKER_ANY || s->at.worker == p->worker;
        if (x->entries[i].kind == SM_ENTRY_VALUE && wanted && !p->replaced &&
            (now.n < 0 || p->step.n <= now.n))
            return sm_trial_entry(t, x, p->step, s->at.worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    }
    return NULL;
}

bool sm_tensor_health_text(const struct sm_facts *f, struct sm_str *out)
{
    const struct sm_stats *s = &f->stats;
    if (!f->has_stats)
        return false;
    if (s->nan)
        sm_str_printf(out, "%llu NaN", (unsigned long long)s->nan);
    else if (s->pos_inf + s->neg_inf)
        sm_str_printf(out, "%llu Inf", (unsigned long long)(s->pos_inf + s->neg_inf));
    else if (s->n > 1 && s->zero == s->n)
        sm_str_add(out, "all 0");
    return s->nan || s->pos_inf || s->neg_inf;
}

static enum sm_mode mode_of(const struct sm_trial *t, const struct sm_entry *e)
{
    return sm_trial_part(t, e->part)->mode;
}

/* Modes would jump between two curves: TRAIN goes first. */
static enum sm_mode trend_mode(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    for (size_t i = 0; i < x->n_entries; i++)
        if (mode_of(t, &x->entries[i]) == SM_MODE_TRAIN)
            return SM_MODE_TRAIN;
    return SM_MODE_ANY;
}

static bool has_mean(const struct sm_facts *f)
{
    const struct sm_stats *s = &f->stats;
    return f->has_stats && (s->finite || s->nan || s->pos_inf || s->neg_inf);
}

size_t sm_tensor_health_trend(struct sm_session *s, const struct sm_trial_tensor *x, double *out,
                              size_t most)
{
    struct sm_trial *t = sm_session_trial(s);
    enum sm_mode mode = trend_mode(t, x);
    size_t n = x->n_entries < most ? x->n_entries : most, k = 0;
    int64_t before = -1;
    for (size_t i = 0; i < n; i++) {
        size_t at = n > 1 ? i * (x->n_entries - 1) / (n - 1) : 0;
        while (at && mode != SM_MODE_ANY && mode_of(t, &x->entries[at]) != mode)
            at--;
        const struct sm_entry *e = &x->entries[at];
        struct sm_step step = sm_trial_part(t, e->part)->step;
        const struct sm_facts *facts;
        if (step.n == before || (mode != SM_MODE_ANY && mode_of(t, e) != mode))
            continue;
        before = step.n;
        e = x->has_value
                ? sm_trial_entry(t, x, step, s->at.worker, SM_ENTRY_VALUE, SM_REDUCE_NONE)
                : sm_trial_entry(t, x, step, s->at.worker, SM_ENTRY_REDUCTION, SM_REDUCE_MEAN);
        if (e && sm_fetch_stats(s->fetch, t, e, &facts, NULL) && has_mean(facts))
            out[k++] = facts->stats.nan ? (0.0 / 0.0) : sm_stats_get(&facts->stats, SM_REDUCE_MEAN);
    }
    return k;
}

static void scalar_text(const struct sm_facts *f, int room, struct sm_str *out)
{
    char text[32];
    for (int digits = 5; digits > 0; digits--) {
        sm_format_double(sm_dtype_load(f->dtype, f->first), digits, text);
        if ((int)strlen(text) <= room)
            break;
    }
    sm_str_add(out, text);
}

void sm_tensor_health_shape(const struct sm_facts *f, int room, const struct sm_glyphs *g,
                            struct sm_str *out)
{
    enum sm_dtype_kind kind = sm_dtype_info(f->dtype)->kind;
    struct sm_str shape = {0};
    char times[4];
    size_t n = sm_utf8_encode(g->times, times);
    if (f->n == 1 && kind == SM_KIND_STRING) {
        sm_str_add(out, "text");
    } else if (f->n == 1 && kind != SM_KIND_COMPLEX && kind != SM_KIND_OTHER) {
        scalar_text(f, room, out);
    } else {
        for (unsigned i = 0; i < f->n_dims; i++) {
            sm_str_addn(&shape, times, i ? n : 0);
            sm_str_printf(&shape, "%llu", (unsigned long long)f->dims[i]);
        }
        sm_elide_middle(out, sm_str_text(&shape), room, g);
    }
    sm_str_clear(&shape);
}
