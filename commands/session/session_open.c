/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing the trials of a session. */
#include "commands/session/session.h"
#include "commands/session/session_settings.h"

#include "commands/session/first_look.h"
#include "commands/session/incident.h"
#include "commands/session/opened_path.h"
#include "commands/session/trial_list.h"
#include "commands/session/trial_news.h"
#include "reader/base/clock.h"
#include "reader/base/grow.h"
#include "reader/s3/address.h"
#include "reader/s3/source_s3.h"
#include "reader/source/source_pipe.h"
#include "reader/trial_kinds.h"

#include <string.h>

/* Looking for runs takes so long at most before the first of them are shown. */
enum { SEARCH_US = 200000 };

static void forget_place(struct sm_session *s)
{
    s->at = sm_place_of_trial(sm_session_trial(s));
    s->at.follow = true;
    s->at.mode = s->open_options.mode;
}

static struct sm_trial_options options_of(const struct sm_session *s)
{
    struct sm_trial_options options = s->open_options;
    if (!options.stall_us)
        options.stall_us = sm_session_settings(s)->stall;
    return options;
}

/* Takes the source over; NULL: err says why. */
static struct sm_trial *open_source(const struct sm_session *s, struct sm_source *source,
                                    const struct sm_trial_options *options, struct sm_err *err)
{
    struct sm_trial *t = NULL;
    if (source)
        sm_trial_open(source, options, s->pool, &t, err);
    sm_source_unref(source);
    return t;
}

/* With its run of validation, if that can be opened. */
static struct sm_trial *open_run(const struct sm_session *s, const struct sm_run_ref *run,
                                 struct sm_trial_options *options, struct sm_err *err)
{
    options->validation = sm_run_validation_source(run);
    options->validation_name = run->validation_name;
    struct sm_trial *t = open_source(s, sm_run_source(run, err), options, err);
    sm_source_unref(options->validation);
    return t;
}

/* run: NULL for a path that has none (yet). */
static struct sm_trial *open_trial(struct sm_session *s, const char *path,
                                   const struct sm_run_ref *run, bool several, bool asleep,
                                   struct sm_err *err)
{
    struct sm_trial_options options = options_of(s);
    if (run) {
        bool own = several || run->titled || (run->member && !run->kind->open_path);
        options.kind = run->kind;
        options.beside = run->beside;
        options.member = run->member;
        options.run_name = own ? run->name : NULL;
        options.asleep =
            asleep && (run->kind->log || (run->kind->traits && run->kind->traits->runs));
    } else {
        options.kind = sm_trial_kind_of_path(path);
    }
    return run ? open_run(s, run, &options, err)
               : open_source(s, sm_source_of_path(path, err), &options, err);
}

bool sm_session_open_again(const struct sm_session *s, size_t i, struct sm_trial **out,
                           struct sm_err *err)
{
    const struct sm_run_ref *run = s->trials[i].ref;
    struct sm_trial_options options = options_of(s);
    *out = NULL;
    if (!run)
        return sm_err_set(err, SM_ERR_USAGE, "%s: it is open", sm_trials_name(s, i));
    options.kind = run->kind;
    options.member = run->member;
    options.run_name = run->name;
    options.follow = false;
    options.aside = true;
    *out = open_run(s, run, &options, err);
    return *out;
}

/* run: its path in the directory that was opened. */
static void add_open_trial(struct sm_session *s, struct sm_trial *t, const char *alias,
                           const char *run, bool hidden)
{
    SM_GROW(s->trials, s->n_trials, s->cap_trials);
    s->trials[s->n_trials++] =
        (struct sm_open_trial){.trial = t,
                               .alias = alias ? sm_xstrdup(alias) : NULL,
                               .name = sm_xstrdup(alias ? alias : sm_trial_name(t)),
                               .run = sm_xstrdup(run),
                               .hidden = hidden,
                               .left = {.step = {SM_NEVER_CURRENT}},
                               .states = sm_feature_trial_states(s)};
    if (s->trials[s->current].trial == t)
        forget_place(s);
    sm_trials_restyle(s);
    for (size_t f = 0; s->features[f]; f++)
        if (s->features[f]->trial_opened)
            s->features[f]->trial_opened(s, s->n_trials - 1);
}

enum { LOOKED_AT = 64 }; /* of the open trials; later ones are hidden anyway */

/* Whether charts show a run that comes now: the first ones, but no sessions of hyperparameters,
 * which have numbers of one step. */
static bool is_hidden(const struct sm_session *s, const struct sm_run_ref *run)
{
    size_t drawn = 0, n = s->n_trials < LOOKED_AT ? s->n_trials : LOOKED_AT;
    for (size_t i = 0; i < n; i++)
        drawn += !s->trials[i].hidden;
    return run->session || drawn >= SM_RUNS_SHOWN || n == LOOKED_AT;
}

bool sm_session_add_run(struct sm_session *s, const struct sm_run_ref *run, bool several,
                        struct sm_err *err)
{
    bool hidden = is_hidden(s, run);
    struct sm_trial *t = open_trial(s, NULL, run, several, hidden, err);
    if (!t)
        return false;
    add_open_trial(s, t, NULL, run->path, hidden);
    if (sm_trial_glance(t))
        s->trials[s->n_trials - 1].ref = sm_run_ref_copy(run);
    return true;
}

void sm_session_join(struct sm_session *s, size_t i, const struct sm_run_ref *run)
{
    struct sm_open_trial *t = &s->trials[i];
    struct sm_source *source = sm_run_validation_source(run);
    if (source)
        sm_trial_join(t->trial, source, run->validation_name);
    sm_source_unref(source);
    if (!t->ref)
        return;
    sm_run_ref_free(t->ref);
    t->ref = sm_run_ref_copy(run);
}

/* Closes the current trial if another path takes its place. */
static void make_place(struct sm_session *s, bool add)
{
    if (!add && s->n_trials)
        sm_session_close(s, s->current);
    if (!add || !s->n_trials)
        s->current = s->n_trials;
}

/* Goes to the first run that has something to show. */
static void leave_bare_runs(struct sm_session *s, const struct sm_run_list *runs, size_t first)
{
    size_t i = 0;
    while (i < runs->n && (runs->items[i].bare || runs->items[i].session))
        i++;
    if (s->current != first)
        return;
    if (i < runs->n && first + i < s->n_trials)
        sm_trials_select(s, first + i);
    sm_opened_choose(s);
}

/* Of the runs of --shard only those of its part, if each part gets one. Then whole runs are
 * divided, and not their steps. */
static bool open_runs(struct sm_session *s, const char *path, struct sm_run_list *runs, bool add,
                      struct sm_err *err)
{
    size_t of = s->parts > 1 && runs->n >= s->parts ? runs->n : 0;
    make_place(s, add);
    size_t first = s->n_trials;
    if (of)
        sm_run_list_deal(runs, s->part, s->parts);
    for (size_t i = 0; i < runs->n; i++) {
        if (!sm_session_add_run(s, &runs->items[i], true, err))
            return false;
        if (of)
            s->trials[s->n_trials - 1].dealt =
                (struct sm_dealt){sm_xstrdup(path), s->part + i * s->parts + 1, of};
    }
    leave_bare_runs(s, runs, first);
    return true;
}

/* One run, or the path itself if it has none. */
static bool open_one(struct sm_session *s, const char *path, const struct sm_run_ref *run,
                     const char *alias, bool add, struct sm_err *err)
{
    struct sm_trial *t = open_trial(s, path, run, false, false, err);
    if (!t)
        return false;
    make_place(s, add);
    add_open_trial(s, t, alias, run ? run->path : ".", false);
    return true;
}

/* What was found below a path. */
static bool open_found_runs(struct sm_session *s, const char *path, struct sm_run_list *runs,
                            const char *alias, bool add, struct sm_err *err)
{
    bool ok = (runs->n || s->wait || sm_run_may_come(path, runs, err)) &&
              (runs->n > 1 ? open_runs(s, path, runs, add, err)
                           : open_one(s, path, runs->n ? runs->items : NULL, alias, add, err));
    if (ok)
        sm_opened_add(s, path, runs, s->n_trials - (runs->n ? runs->n : 1),
                      runs->n ? NULL : s->trials[s->n_trials - 1].trial);
    if (ok)
        sm_trial_news(s); /* runs that are called alike are told apart from the start */
    return ok;
}

bool sm_session_open(struct sm_session *s, const char *path, const char *alias, bool add,
                     struct sm_err *err)
{
    struct sm_run_list runs = {0};
    int64_t until_us = s->batch ? 0 : sm_clock_mono_us() + SEARCH_US;
    bool ok = sm_run_search(path, until_us, NULL, &runs, err) &&
              open_found_runs(s, path, &runs, alias, add, err);
    sm_run_list_clear(&runs);
    return ok;
}

static bool open_path(struct sm_session *s, struct sm_works *works, const char *path,
                      const char *alias, unsigned how, struct sm_err *err)
{
    struct sm_run_list runs = {0};
    bool is_s3 = sm_is_s3(path), add = how & SM_OPEN_ADD;
    bool ok = !is_s3 || sm_first_look(works, path, s->batch, &runs, err);
    bool exists = is_s3 ? runs.exists : sm_pipe_is_path(path) || sm_path_exists(path);
    if (ok && (how & SM_OPEN_EXISTING) && !exists)
        ok = sm_err_set(err, SM_ERR_DATA, "%s: no such trial directory (--wait waits for it).",
                        path);
    ok = ok && (is_s3 ? open_found_runs(s, path, &runs, alias, add, err)
                      : sm_session_open(s, path, alias, add, err));
    sm_run_list_clear(&runs);
    return ok;
}

bool sm_session_open_later(struct sm_session *s, struct sm_works *works, const char *path,
                           const char *alias, unsigned how, struct sm_err *err)
{
    struct sm_str place = {0};
    bool ok = sm_s3_address(path, &place, err) &&
              open_path(s, works, sm_str_text(&place), alias, how, err);
    sm_str_clear(&place);
    return ok;
}

void sm_session_close(struct sm_session *s, size_t i)
{
    for (size_t f = sm_features_count(s); f-- > 0;)
        if (s->features[f]->trial_closing)
            s->features[f]->trial_closing(s, i);
    if (s->baseline == s->trials[i].trial)
        s->baseline = NULL;
    sm_opened_forget(s, i);
    sm_trends_forget(&s->trends, s->trials[i].trial);
    sm_trends_forget(&s->cells, s->trials[i].trial);
    sm_summaries_forget(s->summaries, s->trials[i].trial);
    sm_fetch_forget(s->fetch, s->trials[i].trial);
    sm_trial_close(s->trials[i].trial);
    sm_free(s->trials[i].alias);
    sm_free(s->trials[i].dealt.directory);
    sm_free(s->trials[i].name);
    sm_free(s->trials[i].run);
    sm_run_ref_free(s->trials[i].ref);
    sm_tags_clear(&s->trials[i].tagged);
    sm_tags_clear(&s->trials[i].pinned);
    sm_feature_states_free(s, s->trials[i].states);
    memmove(&s->trials[i], &s->trials[i + 1], (s->n_trials - i - 1) * sizeof *s->trials);
    s->n_trials--;
    bool was_current = i == s->current;
    if (s->current > i || (s->current == s->n_trials && s->current))
        s->current--;
    if (was_current)
        forget_place(s);
    if (was_current && s->n_trials && s->trials[s->current].left.step.n != SM_NEVER_CURRENT)
        s->at = s->trials[s->current].left;
    sm_trials_restyle(s);
}
