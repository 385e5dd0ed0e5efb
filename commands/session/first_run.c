/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/first_run.h"

#include "commands/session/session.h"
#include "commands/session/trial_list.h"

enum { TRIES = 32 };

static bool has_values(const struct sm_trial *t)
{
    return sm_trial_range(t).steps && (sm_trial_glance(t) || sm_trial_tensor_count(t));
}

/* Numbers in files of tensors are no scalars that somebody logged. */
static bool has_scalars(const struct sm_trial *t)
{
    return has_values(t) && !sm_trial_traits(t)->named_by_files;
}

static size_t place_of(const struct sm_session *s, const struct sm_trial *t)
{
    size_t i = 0;
    while (i < s->n_trials && s->trials[i].trial != t)
        i++;
    return i;
}

void sm_first_run_begin(const struct sm_session *s, struct sm_first_run *f)
{
    const struct sm_trial *at = s->trials[s->current].trial;
    *f = (struct sm_first_run){.at = at, .origin = at};
}

/* The trial after the current one that was opened with it, if there is one to be tried. */
static size_t next_of(const struct sm_session *s, const struct sm_first_run *f)
{
    size_t i = s->current + 1;
    bool more =
        f->tried < TRIES && i < s->n_trials && s->trials[i].from == s->trials[s->current].from;
    return more ? i : s->n_trials;
}

/* Where to go from the current trial, which is scanned; *over: no further. s->n_trials: stay. */
static size_t decide(const struct sm_session *s, const struct sm_first_run *f, bool *over)
{
    size_t next = has_scalars(f->at) ? s->current : next_of(s, f);
    *over = next == s->current || next == s->n_trials;
    return next < s->n_trials ? next : place_of(s, f->some ? f->some : f->origin);
}

bool sm_first_run_pump(struct sm_session *s, struct sm_first_run *f)
{
    struct sm_first_run now = *f;
    size_t before = s->current;
    bool over = false;
    while (!over && now.at && s->n_trials && s->trials[s->current].trial == now.at) {
        if (!sm_trial_scanned(now.at))
            return s->current != before;
        now.some = !now.some && has_values(now.at) ? now.at : now.some;
        size_t next = decide(s, &now, &over);
        if (next < s->n_trials)
            sm_trials_select(s, next); /* ends the choice */
        now.at = s->trials[s->current].trial;
        now.tried++;
        *f = now;
    }
    *f = (struct sm_first_run){0};
    return s->current != before;
}
