#include "tui/problems.h"

#include "tui/health.h"

#include <string.h>

/* A place where something is wrong; text NULL: the value itself is. */
struct spot {
    int64_t step;
    const char *tensor;                  /* "": the step as a whole */
    const char *rule, *text;
};
struct search {
    struct spot from;                    /* where the person stands */
    int direction;
    struct spot next, first;             /* the nearest behind `from`, and the one to begin again with */
    bool has_next, has_first;
};

static int compare(const struct spot *a, const struct spot *b)
{
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return sm_natural_cmp(a->tensor, b->tensor);
}

static void consider(struct search *s, struct spot x)
{
    if (compare(&x, &s->from) * s->direction > 0 && (!s->has_next || compare(&x, &s->next) * s->direction < 0)) {
        s->next = x;
        s->has_next = true;
    }
    if (!s->has_first || compare(&x, &s->first) * s->direction < 0) {
        s->first = x;
        s->has_first = true;
    }
}

static void look_at_rules(const struct sm_session *s, struct search *search)
{
    const struct sm_rules *r = s->current < s->n_trials ? s->trials[s->current].rules : NULL;
    for (size_t i = 0; r && i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *x = sm_rules_item(r, i);
        for (size_t k = 0; k < x->n_findings; k++) {
            const struct sm_finding *f = &x->findings[k];
            if (f->violated)
                consider(search, (struct spot){f->step, f->tensor ? f->tensor : "", x->name, f->text});
        }
    }
}

static void look_at_values(struct sm_session *s, struct search *search)
{
    struct sm_trial *t = sm_session_trial(s);
    const struct sm_facts *f;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        const struct sm_entry *e = sm_health_entry(s, x);
        if (e && sm_fetch_stats(s->fetch, t, e, &f, NULL) && (f->stats.nan || f->stats.pos_inf || f->stats.neg_inf))
            consider(search, (struct spot){search->from.step, sm_trial_tensor_name(t, x), NULL, NULL});
    }
}

static void tell(const struct spot *x, struct sm_str *told)
{
    if (!x->rule)
        return;
    sm_str_printf(told, "%s at step %lld: ", x->rule, (long long)x->step);
    sm_str_add_escaped(told, x->text, strlen(x->text));
}

void sm_problems_go(struct sm_session *s, int direction, struct sm_str *told)
{
    const struct sm_trial *t = sm_session_trial(s);
    if (!t || !sm_trial_step_count(t))
        return;
    bool there = s->at.tensor < sm_trial_tensor_count(t);
    struct search search = {.direction = direction};
    search.from = (struct spot){sm_session_step(s).n, there ? sm_names_text(sm_trial_names(t), s->at.tensor) : "", NULL, NULL};
    look_at_rules(s, &search);
    look_at_values(s, &search);
    if (!search.has_first) {
        sm_str_add(told, "no rule has fired, and no NaN or Inf among the values read so far at this step");
        return;
    }
    const struct spot *x = search.has_next ? &search.next : &search.first;
    const struct sm_trial_tensor *tensor = *x->tensor ? sm_trial_find(t, x->tensor, strlen(x->tensor)) : NULL;
    s->at.tensor = tensor ? tensor->name : s->at.tensor;
    if (x->step != sm_session_step(s).n) {
        s->at.step = (struct sm_step){x->step};
        s->at.follow = false;
    }
    tell(x, told);
}
