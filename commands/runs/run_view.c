/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_view.h"

#include "commands/runs/runs.h"

#include <string.h>

struct sm_run_view *sm_run_view(const struct sm_session *s)
{
    return sm_session_state(s, &sm_runs_state_kind);
}

static void count_runs(const struct sm_session *s, struct sm_run_view *v)
{
    v->n = v->table.n;
    v->live = v->stalled = v->ended = v->sick = v->marked = v->out = 0;
    for (size_t i = 0; i < v->table.n; i++) {
        const struct sm_open_trial *t = &s->trials[v->table.rows[i].trial];
        v->live += sm_trial_state(t->trial) == SM_TRIAL_LIVE;
        v->stalled += sm_trial_state(t->trial) == SM_TRIAL_STALLED;
        v->ended += sm_trial_state(t->trial) == SM_TRIAL_ENDED;
        v->sick += v->table.rows[i].issues > 0;
        v->marked += !t->hidden && !t->unlisted;
        v->out += t->unlisted;
    }
}

bool sm_run_view_read(struct sm_session *s, struct sm_run_view *v, struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_run_filter *filter = NULL;
    bool known = sm_run_table_read(s, &v->table, err);
    count_runs(s, v);
    if (v->filter)
        sm_run_filter_parse((struct sm_text){v->filter, strlen(v->filter)}, &arena, &filter, NULL);
    struct sm_run_choice choice = {.unlisted = v->unlisted,
                                   .filter = filter,
                                   .best = v->best,
                                   .sort = v->sort,
                                   .reverse = v->reverse};
    const char *unknown = known ? sm_run_unknown_name(s, &v->table, filter) : NULL;
    sm_free(v->unknown);
    v->unknown = unknown ? sm_xstrdup(unknown) : NULL;
    known = sm_run_table_choose(s, &v->table, &choice, err) && known;
    sm_arena_clear(&arena);
    return known;
}

void sm_run_view_filter(struct sm_run_view *v, const char *text)
{
    struct sm_arena arena = {0};
    struct sm_run_filter *parsed;
    size_t n = strlen(text);
    v->bad = (struct sm_err){0};
    if (!n || sm_run_filter_parse((struct sm_text){text, n}, &arena, &parsed, &v->bad)) {
        sm_free(v->filter);
        v->filter = n ? sm_xstrdup(text) : NULL;
    }
    sm_arena_clear(&arena);
}

void sm_run_view_sort(struct sm_run_view *v, const char *key)
{
    char *copy = key ? sm_xstrdup(key) : NULL;
    sm_free(v->sort);
    v->sort = copy;
}

void sm_run_view_group(struct sm_run_view *v, const char *key)
{
    char *copy = key ? sm_xstrdup(key) : NULL;
    sm_free(v->group);
    v->group = copy;
}

bool sm_run_view_columns(const struct sm_session *s, struct sm_run_view *v, const char *names,
                         struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_run_extra extra;
    bool ok = sm_run_extra_read(s, &v->table, names, &arena, &extra, err);
    sm_arena_clear(ok ? &v->names : &arena);
    if (ok) {
        v->names = arena;
        v->extra = extra;
    }
    return ok;
}

void sm_run_view_clear(struct sm_run_view *v)
{
    sm_run_table_clear(&v->table);
    sm_free(v->filter);
    sm_free(v->unknown);
    sm_free(v->sort);
    sm_free(v->metric);
    sm_free(v->group);
    sm_arena_clear(&v->names);
    *v = (struct sm_run_view){0};
}
