/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/session.h"
#include "commands/session/session_settings.h"

#include "commands/session/first_look.h"
#include "commands/session/incident.h"
#include "commands/session/opened_path.h"
#include "commands/session/trial_list.h"
#include "commands/session/trial_news.h"
#include "reader/base/clock.h"
#include "reader/base/grow.h"
#include "reader/images/png_file.h"
#include "reader/s3/source_s3.h"
#include "reader/source/source_pipe.h"
#include "reader/source/watch.h"
#include "reader/trial_kinds.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS_PER_PUMP = 64 };
/* Looking for runs takes so long at most before the first of them are shown. */
enum { SEARCH_US = 200000 };

/* ---- state of the features ---- */

static size_t count_features(const struct sm_session *s)
{
    size_t n = 0;
    while (s->features[n])
        n++;
    return n;
}

static size_t kind_index(const struct sm_session *s, const struct sm_state_kind *kind)
{
    size_t i = 0;
    while (s->features[i] && s->features[i]->state != kind)
        i++;
    assert(s->features[i]);
    return i;
}

void *sm_session_state(const struct sm_session *s, const struct sm_state_kind *kind)
{
    return s->states[kind_index(s, kind)];
}

void *sm_session_trial_state(const struct sm_session *s, size_t i, const struct sm_state_kind *kind)
{
    return s->trials[i].states[kind_index(s, kind)];
}

static void *new_state(size_t size)
{
    return size ? sm_xalloc_zero(1, size) : NULL;
}

static void **trial_states_new(const struct sm_session *s)
{
    void **states = sm_xalloc_zero(count_features(s) + 1, sizeof *states);
    for (size_t f = 0; s->features[f]; f++)
        states[f] = new_state(s->features[f]->state ? s->features[f]->state->trial_size : 0);
    return states;
}

static void states_free(const struct sm_session *s, void **states)
{
    for (size_t f = 0; states && s->features[f]; f++)
        sm_free(states[f]);
    sm_free(states);
}

static void init_features(struct sm_session *s)
{
    s->states = sm_xalloc_zero(count_features(s) + 1, sizeof *s->states);
    for (size_t f = 0; s->features[f]; f++) {
        s->states[f] = new_state(s->features[f]->state ? s->features[f]->state->size : 0);
        if (s->features[f]->init)
            s->features[f]->init(s);
    }
}

static void clear_features(struct sm_session *s)
{
    for (size_t f = count_features(s); f-- > 0;)
        if (s->features[f]->clear)
            s->features[f]->clear(s);
    states_free(s, s->states);
}

/* ---- the session ---- */

struct sm_session *sm_session_new(struct sm_pool *pool, const struct sm_feature *const *features,
                                  struct sm_err *err)
{
    struct sm_session *s = sm_xalloc_zero(1, sizeof *s);
    sm_tensor_decode_images(sm_png_decode);
    s->pool = pool;
    s->features = features;
    s->at = sm_place_of_trial(NULL);
    s->at.follow = true;
    s->open_options.follow = true;
    sm_settings_init(&s->settings, features);
    s->threads = sm_session_settings(s)->threads;
    s->niceness = sm_session_settings(s)->niceness;
    s->incidents = sm_incidents_new();
    s->opened = sm_opened_new();
    init_features(s);
    s->fetch = sm_fetch_new(pool, (size_t)sm_session_settings(s)->memory_limit, err);
    if (s->fetch)
        s->summaries = sm_summaries_new(pool, s->fetch, err);
    if (!s->summaries) {
        sm_session_free(s);
        return NULL;
    }
    return s;
}

void sm_session_free(struct sm_session *s)
{
    if (!s)
        return;
    while (s->n_trials)
        sm_session_close(s, s->n_trials - 1);
    clear_features(s);
    sm_session_clear_variables(s);
    sm_incidents_free(s->incidents);
    sm_bookmarks_clear(&s->bookmarks);
    sm_trends_clear(&s->trends);
    sm_trends_clear(&s->cells);
    sm_summaries_free(s->summaries);
    sm_fetch_free(s->fetch);
    sm_opened_free(s->opened);
    sm_free(s->trials);
    sm_settings_clear(&s->settings);
    sm_free(s);
}

/* Changes the pool only if a setting has changed: until then it has its initial options. */
static void apply_to_pool(struct sm_session *s)
{
    int64_t threads = sm_session_settings(s)->threads, niceness = sm_session_settings(s)->niceness;
    if (threads == s->threads && niceness == s->niceness)
        return;
    sm_pool_set(s->pool, (unsigned)threads, (int)niceness);
    s->threads = threads;
    s->niceness = niceness;
}

void sm_session_apply_settings(struct sm_session *s)
{
    if (s->applied == s->settings.version)
        return;
    s->applied = s->settings.version;
    apply_to_pool(s);
    int64_t limit = sm_session_settings(s)->memory_limit;
    sm_fetch_budget(s->fetch, limit > PTRDIFF_MAX ? PTRDIFF_MAX : (size_t)limit);
    sm_fetch_checksum(s->fetch, (enum sm_checksum)sm_session_settings(s)->checksum);
}

/* ---- trials ---- */

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
                               .states = trial_states_new(s)};
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

/* Of the runs of --shard only those of its part, if each part gets one. Then whole runs are
 * divided, and not their steps. */
/* Goes to the first run that has something to show. */
static void leave_bare_runs(struct sm_session *s, const struct sm_run_list *runs, size_t first)
{
    size_t i = 0;
    while (i < runs->n && (runs->items[i].bare || runs->items[i].session))
        i++;
    if (s->current == first && i < runs->n && first + i < s->n_trials)
        sm_trials_select(s, first + i);
}

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

bool sm_session_open_later(struct sm_session *s, struct sm_works *works, const char *path,
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

void sm_session_close(struct sm_session *s, size_t i)
{
    for (size_t f = count_features(s); f-- > 0;)
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
    states_free(s, s->trials[i].states);
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

struct sm_trial *sm_session_trial(const struct sm_session *s)
{
    return s->current < s->n_trials ? s->trials[s->current].trial : NULL;
}

bool sm_session_no_trial(struct sm_err *err)
{
    sm_err_set(err, SM_ERR_USAGE, "No trial is open.  Use \"open PATH\".");
    return sm_err_kind(err, SM_ERR_IS_NO_TRIAL);
}

bool sm_session_pump(struct sm_session *s)
{
    sm_pool_collect(s->pool, JOBS_PER_PUMP);
    sm_watch_pump();
    bool news = sm_fetch_pump(s->fetch);
    news = sm_summaries_pump(s->summaries) || news;
    for (size_t i = 0; i < s->n_trials; i++)
        news = sm_trial_pump(s->trials[i].trial) || news;
    news = sm_opened_pump(s) || news;
    sm_trial_news(s);
    for (size_t f = 0; s->features[f]; f++)
        if (s->features[f]->pump)
            news = s->features[f]->pump(s, news) || news;
    s->news += news;
    return news;
}

size_t sm_session_reading(const struct sm_session *s)
{
    return sm_fetch_open(s->fetch) + sm_summaries_open(s->summaries);
}

int64_t sm_session_deadline_us(const struct sm_session *s)
{
    int64_t first = sm_opened_deadline_us(s);
    for (size_t i = 0; i < s->n_trials; i++) {
        int64_t d = sm_trial_deadline_us(s->trials[i].trial);
        first = d < first ? d : first;
    }
    for (size_t f = 0; s->features[f]; f++) {
        int64_t d = s->features[f]->deadline_us ? s->features[f]->deadline_us(s) : INT64_MAX;
        first = d < first ? d : first;
    }
    return first;
}

struct sm_step sm_session_step(const struct sm_session *s)
{
    return sm_place_current_step(&s->at);
}

/* ---- print options ---- */

static unsigned to_unsigned(int64_t v)
{
    return v > UINT_MAX ? UINT_MAX : (unsigned)v;
}

/* In columns: the setting, else the width of the terminal, else COLUMNS, else 0 (unlimited). */
static int get_width(const struct sm_session *s)
{
    int64_t set = sm_session_settings(s)->width;
    if (set >= 0)
        return set > INT_MAX ? 0 : (int)set;
    if (!s->batch && s->term.on_tty && s->term.w > 0)
        return s->term.w;
    const char *columns = getenv("COLUMNS");
    int n = columns ? atoi(columns) : 0;
    return n > 0 ? n : 0;
}

static bool is_color_forced(void)
{
    const char *force = getenv("CLICOLOR_FORCE");
    return force && *force && strcmp(force, "0") != 0;
}

static enum sm_color_depth get_depth(const struct sm_session *s)
{
    enum { AUTO, ALWAYS, NEVER };
    int64_t set = sm_session_settings(s)->color;
    if (set == AUTO && is_color_forced())
        set = ALWAYS;
    if (set == NEVER || (set == AUTO && !s->term.on_tty))
        return SM_COLOR_MONO;
    return set == ALWAYS && s->term.depth == SM_COLOR_MONO ? SM_COLOR_256 : s->term.depth;
}

static enum sm_symbols get_symbols(const struct sm_session *s)
{
    const char *term = getenv("TERM");
    int64_t set = sm_session_settings(s)->symbols;
    if (set > 0)
        return (enum sm_symbols)(set - 1);
    if (!s->term.utf8)
        return SM_SYMBOLS_ASCII;
    return term && (strcmp(term, "linux") == 0 || strncmp(term, "vt", 2) == 0) ? SM_SYMBOLS_BLOCK
                                                                               : SM_SYMBOLS_BRAILLE;
}

void sm_session_print_options(const struct sm_session *s, struct sm_print_options *out)
{
    enum { LIGHT = 1, LOCAL = 0, NUMPY = 0 };
    const struct sm_session_settings *v = sm_session_settings(s);
    *out = (struct sm_print_options){
        .width = get_width(s),
        .glyphs = sm_glyphs(get_symbols(s)),
        .depth = get_depth(s),
        .light = v->background == LIGHT,
        .threshold = to_unsigned(v->print_threshold),
        .edgeitems = to_unsigned(v->print_edgeitems),
        .precision = to_unsigned(v->print_precision),
        .linewidth = to_unsigned(v->print_linewidth),
        .numpy_style = v->print_precision_style == NUMPY,
        .local_time = v->time_zone == LOCAL,
    };
    for (size_t i = 0; i < SM_STYLED_ROLES; i++)
        sm_style_parse(v->style[i], &out->styles.of[i], NULL);
}
