/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/trial_set.h"

#include "commands/session/trial_list.h"

#include <string.h>

/* Marks the trials of a comma list. */
static bool read_list(const struct sm_session *s, struct sm_text list, bool *chosen,
                      struct sm_err *err)
{
    while (list.n) {
        const char *comma = memchr(list.p, ',', list.n);
        struct sm_text one = {list.p, comma ? (size_t)(comma - list.p) : list.n};
        size_t i;
        if (!sm_trials_named(s, one, &i, err))
            return false;
        chosen[i] = true;
        list.p += one.n + (comma != NULL);
        list.n -= one.n + (comma != NULL);
    }
    return true;
}

static bool choose_trials(struct sm_call *c, bool *chosen, struct sm_err *err)
{
    const struct sm_session *s = c->session;
    const struct sm_word *w = sm_call_option(c, "trials");
    bool all = w && sm_text_is(w->text, "all"), current = w && sm_text_is(w->text, "current");
    for (size_t i = 0; i < s->n_trials; i++)
        chosen[i] = all || (current && i == s->current) || (!w && sm_trials_shown(s, i));
    if (w && !all && !current && !w->text.n)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Which trials?  Try \"-trials all\" or \"-trials 1,2\".");
    return !w || all || current || read_list(s, w->text, chosen, err);
}

bool sm_trial_set_read(struct sm_call *c, struct sm_trial_set *out, struct sm_err *err)
{
    const struct sm_session *s = c->session;
    bool *chosen = sm_arena_xalloc(&c->arena, s->n_trials + 1);
    out->items = sm_arena_xalloc(&c->arena, (s->n_trials + 1) * sizeof *out->items);
    out->n = 0;
    if (!choose_trials(c, chosen, err))
        return false;
    for (size_t i = 0; i < s->n_trials; i++) {
        if (!chosen[i])
            continue;
        if (!sm_trial_scanned(s->trials[i].trial))
            return sm_err_set(err, SM_ERR_WAIT, "reading the index");
        out->items[out->n++] = i;
    }
    return true;
}
