/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/fired_tensors.h"
#include "commands/judge/session_rules.h"

#include "reader/base/mem.h"

#include <string.h>

static void read_rule(const struct sm_trial *t, const struct sm_rule_instance *x,
                      struct sm_fired_tensors *out)
{
    const char *before = "";
    for (size_t i = 0; i < x->n_findings && x->first_fired >= 0; i++) {
        const struct sm_finding *f = &x->findings[i];
        if (!f->violated || !f->tensor || strcmp(f->tensor, before) == 0)
            continue;
        const struct sm_trial_tensor *tensor = sm_trial_find(t, f->tensor, strlen(f->tensor));
        before = f->tensor;
        if (tensor && tensor->name < out->n)
            out->has[tensor->name] = true;
    }
}

void sm_fired_tensors_read(const struct sm_session *s, struct sm_fired_tensors *out)
{
    const struct sm_trial *t = sm_session_trial(s);
    struct sm_fired_tensors now = {.of = t ? sm_session_rules_at(s, s->current) : NULL};
    now.rules = now.of ? sm_rules_count(now.of) : 0;
    for (size_t i = 0; i < now.rules; i++) {
        now.findings += sm_rules_item(now.of, i)->n_findings;
        now.violations += sm_rules_item(now.of, i)->violations;
    }
    if (now.of == out->of && now.rules == out->rules && now.findings == out->findings &&
        now.violations == out->violations)
        return;
    for (size_t i = 0; t && i < sm_trial_tensor_count(t); i++) {
        uint32_t name = sm_trial_tensor(t, i)->name;
        now.n = name >= now.n ? name + 1 : now.n;
    }
    now.has = sm_xalloc_zero(now.n + 1, sizeof *now.has);
    for (size_t i = 0; i < now.rules; i++)
        read_rule(t, sm_rules_item(now.of, i), &now);
    sm_fired_tensors_clear(out);
    *out = now;
}

bool sm_fired_tensors_has(const struct sm_fired_tensors *x, uint32_t name)
{
    return name < x->n && x->has[name];
}

void sm_fired_tensors_clear(struct sm_fired_tensors *x)
{
    sm_free(x->has);
    *x = (struct sm_fired_tensors){0};
}
