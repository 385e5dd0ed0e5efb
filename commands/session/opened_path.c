/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/opened_path.h"

#include "commands/session/first_run.h"
#include "commands/session/incident.h"
#include "commands/session/run_files.h"
#include "commands/session/trial_list.h"
#include "reader/base/clock.h"
#include "reader/base/grow.h"
#include "reader/s3/source_s3.h"
#include "reader/source/watch.h"

#include <string.h>

/* The pause between two searches. ABSENT: of a path that does not exist. WATCHED: of a directory
 * whose folders are all watched, where a search follows at once what happens in them. FEW: the
 * same with so few runs that it costs nothing to look for other files in their folders. */
enum {
    FEW = 16,
    BEAT_FEW_US = 10000000,
    BEAT_ABSENT_US = 500000,
    BEAT_FAST_US = 2000000,
    BEAT_SLOW_US = 30000000,
    BEAT_WATCHED_US = 600000000
};
/* That search waits a little, and many times as long as the last one took. */
enum { GAP_US = 20000, REST = 20 };

struct search_job {
    struct sm_job job;
    struct opened_path *of; /* NULL: the session was freed */
    char *path;
    struct sm_run_list runs;
    int64_t took_us;
    bool ok;
};
struct opened_path {
    char *path;
    struct sm_names *known; /* paths of the runs that were opened */
    struct sm_names *pairs; /* of those that have a run of validation */
    struct sm_names *mixed; /* of those that have files of another kind beside theirs */
    const struct sm_trial *waiting;
    int64_t next_us, beat_us;  /* monotonic: the next search; the pause after it */
    int64_t ended_us, took_us; /* of the last search */
    struct sm_watch *watch;    /* of folders where runs may come; NULL: by searches only */
    struct sm_names *folders;  /* those that are watched; an id is the tag of its events */
    struct sm_names *told;     /* problems of searches that were reported */
    bool watched;              /* all of them, and only this machine writes there */
    bool noted;                /* there may be something new */
    struct sm_run_files files; /* what events have named */
    bool grown;                /* a file was written in which there may be a new run now */
    struct search_job *running, *found;
};
struct sm_opened_paths {
    struct opened_path **items;
    size_t n, cap;
    struct sm_first_run first;
};

struct sm_opened_paths *sm_opened_new(void)
{
    return sm_xalloc_zero(1, sizeof(struct sm_opened_paths));
}

/* ---- jobs ---- */

static void free_search(struct search_job *j)
{
    if (!j)
        return;
    sm_run_list_clear(&j->runs);
    sm_free(j->path);
    sm_free(j);
}

static void run_search(struct sm_job *job)
{
    struct search_job *j = (struct search_job *)job;
    struct sm_err err = {0};
    int64_t began = sm_clock_mono_us();
    j->ok = sm_run_search(j->path, 0, &job->cancelled, &j->runs, &err);
    j->took_us = sm_clock_mono_us() - began;
}

static void end_search(struct sm_job *job)
{
    struct search_job *j = (struct search_job *)job;
    if (!j->of) {
        free_search(j);
        return;
    }
    j->of->running = NULL;
    j->of->found = j;
}

static void start_search(struct sm_session *s, struct opened_path *o)
{
    struct search_job *j = sm_xalloc_zero(1, sizeof *j);
    *j = (struct search_job){
        .job = {.run = run_search, .done = end_search, .urgency = SM_URGENCY_BACKGROUND},
        .of = o,
        .path = sm_xstrdup(o->path)};
    o->running = j;
    o->noted = o->grown = false;
    sm_pool_submit(s->pool, &j->job);
}

static void free_opened(struct opened_path *o)
{
    if (o->running) {
        o->running->of = NULL;
        atomic_store(&o->running->job.cancelled, true);
    }
    free_search(o->found);
    sm_watch_free(o->watch);
    sm_names_free(o->known);
    sm_names_free(o->pairs);
    sm_names_free(o->mixed);
    sm_names_free(o->folders);
    sm_names_free(o->told);
    sm_run_files_clear(&o->files);
    sm_free(o->path);
    sm_free(o);
}

void sm_opened_free(struct sm_opened_paths *all)
{
    for (size_t i = 0; all && i < all->n; i++)
        free_opened(all->items[i]);
    if (all)
        sm_free(all->items);
    sm_free(all);
}

/* ---- events ---- */

static void on_event(void *ctx, unsigned tag, const char *name)
{
    struct opened_path *o = ctx;
    enum sm_run_news news =
        name ? sm_run_files_written(&o->files, sm_names_text(o->folders, tag), name)
             : SM_RUN_NEWS_FILE;
    o->noted = o->noted || news == SM_RUN_NEWS_FILE;
    o->grown = o->grown || news == SM_RUN_NEWS_GROWN;
}

/* What came into a folder before it was watched is found by one more search. */
static void watch_folders(struct opened_path *o, const struct sm_run_list *runs, bool first)
{
    bool all = o->watch && o->folders && runs->n_open && !runs->more_open && !runs->late;
    for (size_t i = 0; o->watch && o->folders && i < runs->n_open; i++) {
        const char *path = runs->open_folders[i];
        uint32_t before = sm_names_count(o->folders);
        uint32_t id = sm_names_add(o->folders, path, strlen(path));
        all = id != SM_NAME_NONE && sm_watch_add(o->watch, path, id, NULL) && all;
        o->noted = o->noted || (id == before && !first);
    }
    o->watched = all && sm_watch_is_sure(o->watch);
}

/* ---- paths ---- */

/* Whether the run was not known. */
static bool add_known(struct opened_path *o, const struct sm_run_ref *run)
{
    struct sm_str key = {0};
    sm_str_printf(&key, "%s\n%s", run->path, run->member ? run->member : "");
    uint32_t before = sm_names_count(o->known);
    bool is_new = sm_names_add(o->known, sm_str_text(&key), key.len) == before;
    sm_str_clear(&key);
    if (is_new)
        sm_run_files_add(&o->files, run);
    return is_new;
}

/* Whether the run was not among them. */
static bool add_path(struct sm_names *paths, const struct sm_run_ref *run)
{
    uint32_t before = sm_names_count(paths);
    return sm_names_add(paths, run->path, strlen(run->path)) == before;
}

/* Once each. The text is printed as it is. */
static void report_problem(struct sm_session *s, struct opened_path *o, const char *file,
                           const char *what)
{
    struct sm_str text = {0};
    bool own = strcmp(file, ".") == 0;
    sm_str_add_escaped(&text, o->path, strlen(o->path));
    sm_str_add(&text, own ? "" : "/");
    sm_str_add_escaped(&text, own ? "" : file, own ? 0 : strlen(file));
    sm_str_add(&text, ": ");
    sm_str_add_escaped(&text, what, strlen(what));
    if (!o->told)
        o->told = sm_names_new();
    uint32_t before = o->told ? sm_names_count(o->told) : 0;
    if (o->told && sm_names_add(o->told, sm_str_text(&text), text.len) == before)
        sm_incidents_add(s->incidents, NULL, -1, false, sm_str_text(&text));
    sm_str_clear(&text);
}

/* What kept a search from seeing all runs. */
static void report_search(struct sm_session *s, struct opened_path *o,
                          const struct sm_run_list *runs)
{
    for (size_t i = 0; i < runs->problems.n; i++)
        report_problem(s, o, runs->problems.items[i].file, runs->problems.items[i].message);
    struct sm_str text = {0}, left = {0};
    sm_run_list_left_out(runs, &left);
    sm_str_printf(&text, "not all was searched for runs; left out: %s", sm_str_text(&left));
    if (left.len)
        report_problem(s, o, ".", sm_str_text(&text));
    sm_str_clear(&text);
    sm_str_clear(&left);
}

void sm_opened_add(struct sm_session *s, const char *path, const struct sm_run_list *runs,
                   size_t first, const struct sm_trial *waiting)
{
    struct sm_opened_paths *all = s->opened;
    const char *member = runs->n ? runs->items[0].member : NULL;
    bool grows = sm_path_is_folder(path) || (member && strchr(member, '#'));
    if (sm_path_exists(path) ? !grows : !waiting)
        return;
    struct opened_path *o = sm_xalloc_zero(1, sizeof *o);
    *o = (struct opened_path){.path = sm_xstrdup(path),
                              .known = sm_names_new(),
                              .pairs = sm_names_new(),
                              .mixed = sm_names_new(),
                              .waiting = waiting,
                              .beat_us = BEAT_FAST_US};
    o->next_us = sm_clock_mono_us() + (runs->late ? 0 : o->beat_us);
    if (s->open_options.follow) {
        o->watch = sm_watch_new(on_event, o, NULL);
        o->folders = sm_names_new();
        watch_folders(o, runs, true);
    }
    for (size_t i = 0; o->known && i < runs->n; i++)
        add_known(o, &runs->items[i]);
    for (size_t i = 0; o->pairs && i < runs->n; i++)
        if (runs->items[i].validation)
            add_path(o->pairs, &runs->items[i]);
    for (size_t i = 0; o->mixed && i < runs->n; i++)
        if (runs->items[i].beside)
            add_path(o->mixed, &runs->items[i]);
    report_search(s, o, runs);
    for (size_t i = first; i < s->n_trials; i++)
        s->trials[i].from = o;
    SM_GROW(all->items, all->n, all->cap);
    all->items[all->n++] = o;
}

void sm_opened_forget(struct sm_session *s, size_t i)
{
    struct sm_opened_paths *all = s->opened;
    const struct opened_path *from = s->trials[i].from;
    size_t others = 0, at = 0;
    for (size_t k = 0; k < s->n_trials; k++)
        others += k != i && s->trials[k].from == from;
    if (!from || others)
        return;
    while (all->items[at] != from)
        at++;
    free_opened(all->items[at]);
    all->items[at] = all->items[--all->n];
}

/* ---- what came since ---- */

static void report_run(struct sm_session *s)
{
    struct sm_str text = {0};
    sm_str_add(&text, "a new run: ");
    sm_trials_label(s, s->n_trials - 1, &text);
    sm_incidents_add(s->incidents, NULL, -1, false, sm_str_text(&text));
    sm_str_clear(&text);
}

/* The trial that stands for the path is that run: nothing has been written into it yet. */
static bool is_waiting_for(const struct opened_path *o, const struct sm_run_ref *run)
{
    return o->waiting && strcmp(run->path, ".") == 0 && run->kind->traits &&
           !run->kind->traits->runs;
}

/* The trial that stood for a path without runs goes when there are some. */
static void end_waiting(struct sm_session *s, struct opened_path *o)
{
    for (size_t i = 0; i < s->n_trials; i++)
        if (s->trials[i].trial == o->waiting && sm_trial_state(o->waiting) == SM_TRIAL_WAITING) {
            sm_session_close(s, i);
            break;
        }
    o->waiting = NULL;
}

static void plan_search(struct opened_path *o, bool any)
{
    int64_t longer = 2 * o->beat_us < BEAT_SLOW_US ? 2 * o->beat_us : BEAT_SLOW_US;
    const struct sm_run_list *runs = &o->found->runs;
    o->took_us = o->found->took_us;
    o->ended_us = sm_clock_mono_us();
    o->beat_us = !o->found->runs.exists ? BEAT_ABSENT_US
                 : any                  ? BEAT_FAST_US
                 : !o->watched          ? longer
                 : runs->n <= FEW       ? BEAT_FEW_US
                                        : BEAT_WATCHED_US;
    o->next_us = o->ended_us + o->beat_us;
}

static int64_t due_us(const struct opened_path *o)
{
    int64_t soon = o->ended_us + GAP_US + REST * o->took_us;
    int64_t later = soon > o->ended_us + BEAT_FAST_US ? soon : o->ended_us + BEAT_FAST_US;
    int64_t due = o->noted ? soon : o->grown ? later : o->next_us;
    return due < o->next_us ? due : o->next_us;
}

/* Runs of training that are open, and of which the run of validation came now. */
static void join_found(struct sm_session *s, struct opened_path *o, const struct sm_run_list *runs)
{
    for (size_t i = 0; o->pairs && i < runs->n; i++) {
        const struct sm_run_ref *run = &runs->items[i];
        bool is_new = run->validation && add_path(o->pairs, run);
        for (size_t k = 0; is_new && k < s->n_trials; k++)
            if (s->trials[k].from == o && strcmp(s->trials[k].run, run->path) == 0)
                sm_session_join(s, k, run);
    }
}

/* Opens the run of trial k once more, in the place of the trial, which it closes. */
static void open_mixed(struct sm_session *s, struct opened_path *o, size_t k,
                       const struct sm_run_ref *run)
{
    struct sm_err err;
    bool current = k == s->current, several = o->found->runs.n > 1;
    if (!sm_session_add_run(s, run, several, &err))
        return;
    s->trials[s->n_trials - 1].from = o;
    s->trials[s->n_trials - 1].hidden = s->trials[k].hidden;
    s->trials[s->n_trials - 1].alias = s->trials[k].alias;
    s->trials[k].alias = NULL;
    if (current)
        sm_trials_select(s, s->n_trials - 1);
    sm_session_close(s, k);
    sm_trials_move(s, s->n_trials - 1, k);
}

/* Runs that are open, and which have files of another kind now: checkpoints of what is logged. */
static bool open_all_mixed(struct sm_session *s, struct opened_path *o,
                           const struct sm_run_list *runs)
{
    bool any = false;
    for (size_t i = 0; o->mixed && i < runs->n; i++) {
        const struct sm_run_ref *run = &runs->items[i];
        bool is_new = run->beside && add_path(o->mixed, run);
        for (size_t k = 0; is_new && k < s->n_trials; k++)
            if (s->trials[k].from == o && strcmp(s->trials[k].run, run->path) == 0) {
                open_mixed(s, o, k, run);
                any = true;
                break;
            }
    }
    return any;
}

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strcmp(folder, ".") == 0 ? strcmp(path, ".") != 0
                                    : strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* Closes the open runs below the last one that are no runs any more: they are its parts now. So
 * Hugging Face's Trainer writes the files of TensorBoard first. */
static void close_parts(struct sm_session *s, const struct opened_path *o,
                        const struct sm_run_list *runs, const struct sm_run_ref *run)
{
    struct sm_names *listed = sm_names_new();
    for (size_t i = 0; listed && i < runs->n; i++)
        sm_names_add(listed, runs->items[i].path, strlen(runs->items[i].path));
    for (size_t i = s->n_trials - 1; listed && i-- > 0;) {
        const struct sm_open_trial *t = &s->trials[i];
        if (t->from != o || !is_below(t->run, run->path) ||
            sm_names_find(listed, t->run, strlen(t->run)) != SM_NAME_NONE)
            continue;
        if (i == s->current)
            sm_trials_select(s, s->n_trials - 1);
        sm_session_close(s, i);
    }
    sm_names_free(listed);
}

/* Closes the open runs that are parts of others now: a session of hyperparameters that was met
 * before anything was in its file. */
static void close_joined(struct sm_session *s, const struct opened_path *o,
                         const struct sm_run_list *runs)
{
    for (size_t i = s->n_trials; runs->joined && i-- > 0 && s->n_trials > 1;) {
        const struct sm_open_trial *t = &s->trials[i];
        if (t->from == o && sm_names_find(runs->joined, t->run, strlen(t->run)) != SM_NAME_NONE)
            sm_session_close(s, i);
    }
}

static bool open_found(struct sm_session *s, struct opened_path *o)
{
    struct sm_run_list *runs = &o->found->runs;
    bool any = false;
    for (size_t i = 0; o->found->ok && i < runs->n; i++) {
        const struct sm_run_ref *run = &runs->items[i];
        struct sm_err err;
        if (!add_known(o, run) || is_waiting_for(o, run) ||
            !sm_session_add_run(s, run, runs->n > 1, &err))
            continue;
        if (run->beside && o->mixed)
            add_path(o->mixed, run);
        s->trials[s->n_trials - 1].from = o;
        report_run(s);
        if (!runs->cut)
            close_parts(s, o, runs, run);
        any = true;
    }
    if (o->found->ok) {
        close_joined(s, o, runs);
        join_found(s, o, runs);
        any = open_all_mixed(s, o, runs) || any;
    }
    if (any && o->waiting)
        end_waiting(s, o);
    watch_folders(o, runs, false);
    report_search(s, o, runs);
    plan_search(o, any);
    free_search(o->found);
    o->found = NULL;
    return any;
}

void sm_opened_choose(struct sm_session *s)
{
    sm_first_run_begin(s, &s->opened->first);
}

void sm_opened_chosen(struct sm_session *s)
{
    s->opened->first = (struct sm_first_run){0};
}

bool sm_opened_pump(struct sm_session *s)
{
    bool any = sm_first_run_pump(s, &s->opened->first);
    for (size_t i = 0; i < s->opened->n; i++) {
        struct opened_path *o = s->opened->items[i];
        if (o->found)
            any = open_found(s, o) || any;
        else if (!o->running && s->open_options.follow && sm_clock_mono_us() >= due_us(o))
            start_search(s, o);
    }
    return any;
}

int64_t sm_opened_deadline_us(const struct sm_session *s)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; s->open_options.follow && i < s->opened->n; i++) {
        const struct opened_path *o = s->opened->items[i];
        int64_t due = o->running ? INT64_MAX : due_us(o);
        first = due < first ? due : first;
    }
    return first;
}
