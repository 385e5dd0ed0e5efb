/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/trials/doctor.h"

#include "reader/analysis/workers.h"
#include "reader/archive/archive.h"

struct diagnosis {
    struct sm_result *r;
    struct sm_node *list;
    const struct sm_trial *t;
    int64_t now_us;
};

static void add_finding(struct diagnosis *p, const char *part, const char *verdict,
                        const char *text, const char *cause)
{
    struct sm_node *row = sm_node_map(p->r, p->list, NULL);
    sm_node_text(p->r, row, "part", part);
    sm_node_text(p->r, row, "verdict", verdict);
    sm_node_text(p->r, row, "finding", text);
    sm_node_text(p->r, row, "cause", cause);
}

static bool dir_exists(const struct diagnosis *p, const char *path)
{
    struct sm_stat st;
    struct sm_err err = {0};
    return sm_source_stat(sm_trial_source(p->t), path, &st, &err) && st.is_dir;
}

static const char *cause_of(enum sm_err_code code)
{
    return code == SM_ERR_MISSING   ? "deleted, or not copied with the rest"
           : code == SM_ERR_DATA    ? "cut off by a kill or a full disk, or damaged in copying"
           : code == SM_ERR_IO      ? "no permission, or the disk fails"
           : code == SM_ERR_REFUSED ? "a link or a name that leads out of the trial"
                                    : NULL;
}

/* Whether something at this path or below it could not be read. */
static bool has_problem(const struct diagnosis *p, const char *path)
{
    const struct sm_problems *problems = sm_trial_problems(p->t);
    size_t n = strlen(path);
    for (size_t i = 0; i < problems->n; i++) {
        const char *file = problems->items[i].file;
        if (strncmp(file, path, n) == 0 && (!file[n] || file[n] == '/'))
            return true;
    }
    return false;
}

/* Returns false if nothing else can be checked. */
static bool check_directory(struct diagnosis *p)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (!sm_source_stat(sm_trial_source(p->t), "", &st, &err) && err.code != SM_ERR_MISSING) {
        sm_err_strip(&err, sm_trial_path(p->t));
        add_finding(p, "directory", "bad",
                    sm_arena_xprintf(&p->r->arena, "cannot be read: %s", err.msg),
                    cause_of(err.code));
        return false;
    }
    if (err.code || !st.is_dir) {
        bool gone = sm_trial_emptied(p->t);
        add_finding(p, "directory", "bad", gone ? "does not exist any more" : "does not exist",
                    gone ? "it was deleted or moved while it was open"
                         : "the job has not started, or the path is wrong");
        return false;
    }
    if (!dir_exists(p, "index") && !dir_exists(p, "events") && !dir_exists(p, "collections"))
        add_finding(p, "directory", "bad", "contains no collections, index or events folder",
                    "nothing was saved yet, or the trial is in a subfolder (debug-output)");
    else
        add_finding(p, "directory", "ok", "exists", NULL);
    return true;
}

static void check_collections(struct diagnosis *p)
{
    size_t n = sm_trial_collection_count(p->t);
    int64_t expected = sm_trial_num_workers(p->t);
    if (!n && has_problem(p, "collections"))
        add_finding(p, "collections", "bad", "no collections file could be read",
                    "see \"files\" below");
    else if (!n)
        add_finding(p, "collections", "bad", "no collections file",
                    sm_trial_step_count(p->t)
                        ? "the job was killed before its second step"
                        : "the job was killed in its first step or has not finished it yet");
    else
        add_finding(p, "collections", "ok",
                    sm_arena_xprintf(&p->r->arena, "%zu collections, num_workers %lld", n,
                                     (long long)expected),
                    NULL);
    if (n && (int64_t)sm_trial_worker_count(p->t) < expected)
        add_finding(p, "workers", "bad",
                    sm_arena_xprintf(&p->r->arena, "%zu of %lld workers have written",
                                     sm_trial_worker_count(p->t), (long long)expected),
                    "a worker died before its second step, or its files were not copied");
}

/* Steps that lack a worker, or that only some workers write. */
static void check_incomplete_steps(struct diagnosis *p, const struct sm_workers *workers, size_t n)
{
    bool some = !workers->behind && (int64_t)workers->n >= sm_trial_num_workers(p->t);
    if (n && some)
        add_finding(
            p, "steps", "note",
            sm_arena_xprintf(&p->r->arena, "%zu steps were written by some workers only", n),
            "the others do not save that mode; no worker is behind");
    else if (n)
        add_finding(p, "steps", "note",
                    sm_arena_xprintf(&p->r->arena, "%zu steps lack a worker", n),
                    "a worker is behind or was lost");
}

static void check_index(struct diagnosis *p, const struct sm_workers *workers)
{
    size_t n = sm_trial_step_count(p->t), incomplete = 0;
    for (size_t i = 0; i < n; i++)
        incomplete += !sm_trial_step(p->t, i)->complete;
    add_finding(p, "index", n ? "ok" : "bad",
                sm_arena_xprintf(&p->r->arena, "%llu index files, %zu steps, %zu tensors",
                                 (unsigned long long)sm_trial_index_files(p->t), n,
                                 sm_trial_tensor_count(p->t)),
                n ? NULL
                : has_problem(p, "index")
                    ? "none could be read: see \"files\" below"
                    : "no step was finished: an index file appears at the end of its step");
    check_incomplete_steps(p, workers, incomplete);
    if (sm_trial_session_count(p->t) > 1)
        add_finding(p, "sessions", "note",
                    sm_arena_xprintf(&p->r->arena, "%zu sessions: the job was started again",
                                     sm_trial_session_count(p->t)),
                    "\"info sessions\" shows them; the newest session of a step counts");
}

static void check_workers(struct diagnosis *p, const struct sm_workers *workers)
{
    size_t steps = sm_trial_step_count(p->t);
    long long newest = steps ? (long long)sm_trial_step(p->t, steps - 1)->step.n : 0;
    for (size_t i = 0; i < workers->n; i++) {
        const struct sm_worker_progress *w = &workers->items[i];
        const char *name = sm_trial_worker(p->t, w->worker);
        if (!w->behind)
            continue;
        name = sm_result_escape(p->r, name, strlen(name));
        add_finding(p, "workers", "bad",
                    w->steps ? sm_arena_xprintf(&p->r->arena,
                                                "%s wrote up to step %lld, others up to %lld", name,
                                                (long long)w->last, newest)
                             : sm_arena_xprintf(&p->r->arena, "%s wrote no step, others up to %lld",
                                                name, newest),
                    "it was lost, hangs, or is slower");
    }
}

static void check_state(struct diagnosis *p)
{
    enum sm_trial_state state = sm_trial_state(p->t);
    char age[16];
    sm_format_duration(p->now_us - sm_trial_newest_us(p->t), age);
    if (sm_trial_end_unsaid(p->t))
        add_finding(p, "job", "ok",
                    sm_arena_xprintf(&p->r->arena, "ended, or stopped: nothing new for %s", age),
                    "files of this kind have no end marker");
    else if (state == SM_TRIAL_ENDED)
        add_finding(p, "job", "ok", "ended: the end marker exists",
                    sm_trial_writing_after_end(p->t)
                        ? "but data was written after it: another worker still writes"
                        : NULL);
    else if (state == SM_TRIAL_STALLED)
        add_finding(p, "job", "note",
                    sm_arena_xprintf(&p->r->arena, "no end marker, nothing new for %s", age),
                    sm_trial_claimed(p->t)
                        ? "claim.smd still exists: the process was killed"
                        : "killed, hanging, or run by SageMaker, which writes no end marker");
    else if (state == SM_TRIAL_LIVE)
        add_finding(p, "job", "ok", sm_arena_xprintf(&p->r->arena, "live: newest data %s old", age),
                    NULL);
}

static void check_event_files(struct diagnosis *p, const struct sm_file_check *c)
{
    size_t bad = c->n_missing + c->n_short;
    if (!bad && c->n_files)
        add_finding(p, "events", "ok",
                    sm_arena_xprintf(&p->r->arena,
                                     "%zu event files exist and are as long as the index says",
                                     c->n_files),
                    NULL);
    for (size_t i = 0; i < c->n_shown; i++)
        add_finding(
            p, "events", "bad",
            sm_arena_xprintf(&p->r->arena, "%s %s",
                             sm_result_escape(p->r, c->shown[i].path, strlen(c->shown[i].path)),
                             c->shown[i].text),
            cause_of(c->shown[i].code));
    if (bad > c->n_shown)
        add_finding(p, "events", "bad",
                    sm_arena_xprintf(&p->r->arena, "and %zu more", bad - c->n_shown),
                    "--check reads every record");
}

/* Files left by a killed process; the trial itself may be complete. */
static void check_leftovers(struct diagnosis *p, const struct sm_file_check *c)
{
    bool live = sm_trial_state(p->t) == SM_TRIAL_LIVE;
    for (size_t i = 0; i < c->n_leftovers; i++)
        add_finding(
            p, "leftover", "note",
            sm_arena_xprintf(&p->r->arena, "%s is incomplete",
                             sm_result_escape(p->r, c->leftovers[i], strlen(c->leftovers[i]))),
            live ? "it is being written now, or the process was killed while writing it"
                 : "the process was killed while writing this step");
    if (sm_trial_claimed(p->t) && sm_trial_state(p->t) != SM_TRIAL_STALLED)
        add_finding(p, "claim", "note", "claim.smd exists",
                    "the job is running, or was killed and its last step is lost");
}

/* A missing file causes the same problem once for each of its values. */
static bool is_reported(const struct sm_problems *problems, size_t i)
{
    return i && strcmp(problems->items[i].file, problems->items[i - 1].file) == 0 &&
           strcmp(problems->items[i].message, problems->items[i - 1].message) == 0;
}

static void check_errors(struct diagnosis *p)
{
    enum { MOST = 10 };
    const struct sm_problems *problems = sm_trial_problems(p->t);
    size_t shown = 0,
           more = problems->total > problems->n ? (size_t)(problems->total - problems->n) : 0;
    for (size_t i = 0; i < problems->n; i++) {
        const struct sm_problem *x = &problems->items[i];
        if (is_reported(problems, i))
            continue;
        if (shown++ < MOST)
            add_finding(p, "files", "bad",
                        sm_arena_xprintf(&p->r->arena, "%s: %s",
                                         sm_result_escape(p->r, x->file, strlen(x->file)),
                                         x->message),
                        cause_of(x->code));
    }
    more += shown > MOST ? shown - MOST : 0;
    if (more)
        add_finding(p, "files", "bad", sm_arena_xprintf(&p->r->arena, "and %zu more", more),
                    "see \"info errors\"");
}

static void check_archive(struct diagnosis *p, const struct sm_workers *workers)
{
    const struct sm_archive_info *a = sm_trial_archive(p->t);
    add_finding(p, "archive", "ok",
                sm_arena_xprintf(&p->r->arena, "of %s, state %s; selection: %s",
                                 sm_result_escape(p->r, a->name.p, a->name.n),
                                 sm_result_escape(p->r, a->state.p, a->state.n),
                                 sm_result_escape(p->r, a->chosen.p, a->chosen.n)),
                NULL);
    add_finding(p, "index", "ok",
                sm_arena_xprintf(&p->r->arena, "%zu steps, %zu tensors", sm_trial_step_count(p->t),
                                 sm_trial_tensor_count(p->t)),
                NULL);
    if (sm_trial_traits(p->t)->runs)
        return;
    check_collections(p);
    check_workers(p, workers);
}

static void check_trial(struct diagnosis *p, const struct sm_file_check *files,
                        const struct sm_workers *workers)
{
    const struct sm_trial_traits *traits = sm_trial_traits(p->t);
    if (sm_trial_archive(p->t)) {
        check_archive(p, workers);
        check_errors(p);
        return;
    }
    if (traits->runs) {
        add_finding(p, "directory", "ok",
                    sm_arena_xprintf(&p->r->arena,
                                     "contains %s: no index, collections or end marker expected",
                                     traits->files),
                    NULL);
    } else if (!check_directory(p)) {
        return;
    } else {
        check_collections(p);
        check_index(p, workers);
        check_workers(p, workers);
    }
    check_state(p);
    check_leftovers(p, files);
    check_event_files(p, files);
    check_errors(p);
}

void sm_doctor(struct sm_result *r, struct sm_node *list, const struct sm_trial *t,
               const struct sm_file_check *files, int64_t now_us)
{
    struct diagnosis p = {r, list, t, now_us};
    struct sm_workers workers = {0};
    sm_workers_read(t, &workers);
    check_trial(&p, files, &workers);
    sm_workers_clear(&workers);
}
