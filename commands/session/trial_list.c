/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/trial_list.h"

#include "commands/answer/typed_number.h"
#include "commands/session/opened_path.h"
#include "reader/base/mem.h"

#include <string.h>

const char *sm_trials_name(const struct sm_session *s, size_t i)
{
    return s->trials[i].name;
}

size_t sm_trials_index(const struct sm_session *s, const struct sm_trial *t)
{
    size_t i = 0;
    while (i + 1 < s->n_trials && s->trials[i].trial != t)
        i++;
    return i;
}

bool sm_trials_find(const struct sm_session *s, struct sm_text which, size_t *i)
{
    int64_t number;
    for (*i = 0; *i < s->n_trials && !sm_text_is(which, sm_trials_name(s, *i)); ++*i)
        ;
    if (*i == s->n_trials) {
        if (!sm_number_int(which, &number) || number < 1 || (uint64_t)number > s->n_trials)
            return false;
        *i = (size_t)number - 1;
    }
    sm_trial_wake(s->trials[*i].trial);
    return true;
}

bool sm_trials_named(const struct sm_session *s, struct sm_text which, size_t *i,
                     struct sm_err *err)
{
    if (sm_trials_find(s, which, i))
        return true;
    for (size_t k = 0; k < s->n_trials; k++)
        if (!sm_trial_scanned(s->trials[k].trial))
            return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    return sm_err_set(err, SM_ERR_MISSING, "No trial \"%.*s\".  Try \"info trials\".", (int)which.n,
                      which.p);
}

const char *sm_trials_label(const struct sm_session *s, size_t i, struct sm_str *out)
{
    const char *name = sm_trials_name(s, i);
    bool same = false;
    for (size_t k = 0; k < s->n_trials; k++)
        same = same || (k != i && strcmp(sm_trials_name(s, k), name) == 0);
    if (same)
        sm_str_printf(out, "%zu ", i + 1);
    sm_str_add_escaped(out, name, strlen(name));
    return sm_str_text(out);
}

bool sm_trials_shown(const struct sm_session *s, size_t i)
{
    return i == s->current || (!s->trials[i].hidden && !s->trials[i].unlisted);
}

void sm_trials_hide(struct sm_session *s, size_t i, bool hidden)
{
    s->trials[i].hidden = hidden;
    sm_trials_restyle(s);
}

void sm_trials_unlist(struct sm_session *s, size_t i, bool unlisted)
{
    s->trials[i].unlisted = unlisted;
    sm_trials_restyle(s);
}

/* The least style that is not taken from `from` on. */
static unsigned free_style(const bool *taken, unsigned from)
{
    while (taken[from])
        from++;
    return from;
}

void sm_trials_restyle(struct sm_session *s)
{
    size_t n = s->n_trials;
    unsigned next = 0;
    bool *taken = sm_xalloc_zero(n + 1, sizeof *taken), *keeps = sm_xalloc_zero(n + 1, 1);
    for (size_t i = 0; i < n; i++) {
        unsigned style = s->trials[i].style;
        keeps[i] = sm_trials_shown(s, i) && s->trials[i].styled && style < n && !taken[style];
        if (keeps[i])
            taken[style] = true;
    }
    for (size_t i = 0; i < n; i++) {
        s->trials[i].styled = sm_trials_shown(s, i);
        if (s->trials[i].styled && s->trials[i].trial)
            sm_trial_wake(s->trials[i].trial);
        if (keeps[i] || !s->trials[i].styled)
            continue;
        s->trials[i].style = next = free_style(taken, next);
        taken[next] = true;
    }
    sm_free(taken);
    sm_free(keeps);
}

bool sm_trials_baseline(const struct sm_session *s, size_t *i)
{
    for (*i = 0; s->baseline && *i < s->n_trials; ++*i)
        if (s->trials[*i].trial == s->baseline)
            return true;
    return false;
}

const char *sm_trials_toggle_baseline(struct sm_session *s, size_t i, struct sm_str *out)
{
    s->baseline = s->baseline == s->trials[i].trial ? NULL : s->trials[i].trial;
    if (!s->baseline) {
        sm_str_add(out, "no baseline: values are shown unchanged");
        return sm_str_text(out);
    }
    sm_str_add(out, "the baseline is ");
    sm_trials_label(s, i, out);
    if (s->n_trials < 2)
        sm_str_add(out, "; open a trial to compare with \"add-trial PATH\"");
    return sm_str_text(out);
}

bool sm_trials_pair(const struct sm_session *s, size_t *a, size_t *b)
{
    bool differs = sm_trials_baseline(s, a) && *a != s->current;
    *b = s->current;
    if (differs || s->current >= s->n_trials)
        return differs;
    *a = s->current;
    for (*b = 0; *b < s->n_trials; ++*b)
        if (*b != s->current && sm_trials_shown(s, *b))
            return true;
    return false;
}

void sm_trials_select(struct sm_session *s, size_t i)
{
    struct sm_place *to = &s->trials[i].left;
    sm_opened_chosen(s);
    if (i == s->current)
        return;
    s->trials[s->current].left = s->at;
    if (to->step.n < -1) {
        *to = sm_place_in_trial(&s->at, s->trials[i].trial);
        to->step.n = -1;
        to->follow = true;
        to->mode = s->open_options.mode;
    }
    s->at = *to;
    s->current = i;
    sm_trials_restyle(s);
    sm_session_sync_variables(s);
}

void sm_trials_move(struct sm_session *s, size_t from, size_t to)
{
    struct sm_open_trial moved = s->trials[from];
    memmove(&s->trials[to + 1], &s->trials[to], (from - to) * sizeof moved);
    s->trials[to] = moved;
    if (s->current == from)
        s->current = to;
    else if (s->current >= to && s->current < from)
        s->current++;
}
