#include "commands/session/opened_path.h"

#include "commands/session/incident.h"
#include "commands/session/trial_list.h"
#include "reader/base/clock.h"
#include "reader/base/grow.h"

#include <string.h>
#include <sys/stat.h>

enum { BEAT_FAST_US = 2000000, BEAT_SLOW_US = 30000000 };

struct search_job {
    struct sm_job job;
    struct opened_path *of; /* NULL: the session was freed */
    char *path;
    struct sm_run_list runs;
    bool ok;
};
struct opened_path {
    char *path;
    struct sm_names *known; /* paths of the runs that were opened */
    const struct sm_trial *waiting;
    int64_t next_us, beat_us; /* monotonic: the next search; the pause after it */
    struct search_job *running, *found;
};
struct sm_opened_paths {
    struct opened_path **items;
    size_t n, cap;
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
    j->ok = sm_run_search(j->path, 0, &job->cancelled, &j->runs, &err);
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
    sm_pool_submit(s->pool, &j->job);
}

static void free_opened(struct opened_path *o)
{
    if (o->running) {
        o->running->of = NULL;
        atomic_store(&o->running->job.cancelled, true);
    }
    free_search(o->found);
    sm_names_free(o->known);
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

/* ---- paths ---- */

/* Whether the run was not known. */
static bool add_known(struct opened_path *o, const struct sm_run_ref *run)
{
    uint32_t before = sm_names_count(o->known);
    return sm_names_add(o->known, run->path, strlen(run->path)) == before;
}

void sm_opened_add(struct sm_session *s, const char *path, const struct sm_run_list *runs,
                   size_t first, const struct sm_trial *waiting)
{
    struct sm_opened_paths *all = s->opened;
    struct stat st;
    if (stat(path, &st) == 0 ? !S_ISDIR(st.st_mode) : !waiting)
        return;
    struct opened_path *o = sm_xalloc_zero(1, sizeof *o);
    *o = (struct opened_path){.path = sm_xstrdup(path),
                              .known = sm_names_new(),
                              .waiting = waiting,
                              .beat_us = BEAT_FAST_US};
    o->next_us = sm_clock_mono_us() + (runs->late ? 0 : o->beat_us);
    for (size_t i = 0; o->known && i < runs->n; i++)
        add_known(o, &runs->items[i]);
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
        s->trials[s->n_trials - 1].from = o;
        report_run(s);
        any = true;
    }
    if (any && o->waiting)
        end_waiting(s, o);
    free_search(o->found);
    o->found = NULL;
    o->beat_us = any ? BEAT_FAST_US : 2 * o->beat_us;
    o->beat_us = o->beat_us < BEAT_SLOW_US ? o->beat_us : BEAT_SLOW_US;
    o->next_us = sm_clock_mono_us() + o->beat_us;
    return any;
}

bool sm_opened_pump(struct sm_session *s)
{
    bool any = false;
    for (size_t i = 0; i < s->opened->n; i++) {
        struct opened_path *o = s->opened->items[i];
        if (o->found)
            any = open_found(s, o) || any;
        else if (!o->running && s->open_options.follow && sm_clock_mono_us() >= o->next_us)
            start_search(s, o);
    }
    return any;
}

int64_t sm_opened_deadline_us(const struct sm_session *s)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; s->open_options.follow && i < s->opened->n; i++) {
        const struct opened_path *o = s->opened->items[i];
        if (!o->running && o->next_us < first)
            first = o->next_us;
    }
    return first;
}
