/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/open_rule.h"
#include "commands/judge/session_rules.h"

#include "commands/language/command_line.h"
#include "reader/base/mem.h"

#include <string.h>

void sm_view_run(struct sm_view *v, const char *line)
{
    sm_free(v->command);
    v->command = sm_xstrdup(line);
}

void sm_view_prefill(struct sm_view *v, const char *line)
{
    sm_free(v->prefill);
    v->prefill = sm_xstrdup(line);
}

void sm_view_set_step(struct sm_view *v, int64_t step)
{
    v->session->at.step = (struct sm_step){step};
    v->session->at.follow = false;
}

static const struct sm_finding *finding_at(const struct sm_rule_instance *i, int64_t step)
{
    for (size_t k = 0; k < i->n_findings; k++)
        if (i->findings[k].violated && (step < 0 || i->findings[k].step == step))
            return &i->findings[k];
    return NULL;
}

bool sm_open_rule(struct sm_view *v, const char *instance, int64_t step)
{
    struct sm_session *s = v->session;
    const struct sm_rules *r = s->current < s->n_trials ? sm_session_rules_at(s, s->current) : NULL;
    size_t at = r ? sm_rules_find(r, instance) : 0;
    struct sm_str line = {0};
    if (!r || at == sm_rules_count(r))
        return false;
    const struct sm_finding *f = finding_at(sm_rules_item(r, at), step);
    bool windows = sm_rules_item(r, at)->rule->on_windows;
    sm_str_add(&line, windows ? "profile rule " : "rule explain ");
    sm_line_quote(&line, instance, strlen(instance));
    if (f && f->tensor) {
        const struct sm_trial_tensor *x =
            sm_trial_find(sm_rules_trial(r), f->tensor, strlen(f->tensor));
        s->at.tensor = x ? x->name : s->at.tensor;
    }
    if (f && !windows)
        sm_view_set_step(v, f->step);
    if (step >= 0 && !windows)
        sm_str_printf(&line, " %lld", (long long)step);
    sm_view_run(v, sm_str_text(&line));
    sm_str_clear(&line);
    return true;
}
