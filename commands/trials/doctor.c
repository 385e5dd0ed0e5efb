#include "commands/trials/doctor.h"

#include "reader/analysis/workers.h"
#include "reader/archive.h"

struct patient {
    struct sm_result *r;
    struct sm_node *list;
    const struct sm_trial *t;
    int64_t now_us;
};

static void finding(struct patient *p, const char *part, const char *verdict, const char *text,
                    const char *cause)
{
    struct sm_node *row = sm_node_map(p->r, p->list, NULL);
    sm_node_text(p->r, row, "part", part);
    sm_node_text(p->r, row, "verdict", verdict);
    sm_node_text(p->r, row, "finding", text);
    sm_node_text(p->r, row, "cause", cause);
}

static bool dir_is_there(const struct patient *p, const char *path)
{
    struct sm_stat st;
    struct sm_err err = {0};
    return sm_source_stat(sm_trial_source(p->t), path, &st, &err) && st.is_dir;
}

static const char *cause_of(enum sm_err_code code)
{
    return code == SM_ERR_MISSING   ? "deleted, or not copied with the rest"
           : code == SM_ERR_DATA    ? "cut off by a kill or a full disk, or damaged in copying"
           : code == SM_ERR_IO      ? "not permitted to this user, or the disk fails"
           : code == SM_ERR_REFUSED ? "a link or a name that leads out of the trial"
                                    : NULL;
}

/* Something at this path or below it could not be read. */
static bool has_problem(const struct patient *p, const char *path)
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

/* False: there is nothing else to look at. */
static bool look_at_directory(struct patient *p)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (!sm_source_stat(sm_trial_source(p->t), "", &st, &err) && err.code != SM_ERR_MISSING) {
        sm_err_strip(&err, sm_trial_path(p->t));
        finding(p, "directory", "bad",
                sm_arena_xprintf(&p->r->arena, "cannot be read: %s", err.msg), cause_of(err.code));
        return false;
    }
    if (err.code || !st.is_dir) {
        bool gone = sm_trial_emptied(p->t);
        finding(p, "directory", "bad", gone ? "does not exist any more" : "does not exist",
                gone ? "it was deleted or moved while it was open"
                     : "the job has not started, or the path is wrong");
        return false;
    }
    if (!dir_is_there(p, "index") && !dir_is_there(p, "events") && !dir_is_there(p, "collections"))
        finding(p, "directory", "bad", "holds no collections, index or events folder",
                "nothing was saved yet, or the trial is in a folder below (debug-output)");
    else
        finding(p, "directory", "ok", "is there", NULL);
    return true;
}

static void look_at_collections(struct patient *p)
{
    size_t n = sm_trial_collection_count(p->t);
    int64_t expected = sm_trial_num_workers(p->t);
    if (!n && has_problem(p, "collections"))
        finding(p, "collections", "bad", "no collections file could be read",
                "see \"files\" below");
    else if (!n)
        finding(p, "collections", "bad", "no collections file",
                sm_trial_step_count(p->t)
                    ? "the job was killed before its second step"
                    : "the job was killed in its first step or has not finished it yet");
    else
        finding(p, "collections", "ok",
                sm_arena_xprintf(&p->r->arena, "%zu collections, num_workers %lld", n,
                                 (long long)expected),
                NULL);
    if (n && (int64_t)sm_trial_worker_count(p->t) < expected)
        finding(p, "workers", "bad",
                sm_arena_xprintf(&p->r->arena, "%zu of %lld workers have written",
                                 sm_trial_worker_count(p->t), (long long)expected),
                "a worker died before its second step, or its files were not copied");
}

/* Steps that wait for a worker, or that only some workers write. */
static void look_at_incomplete(struct patient *p, const struct sm_workers *workers, size_t n)
{
    bool some = !workers->behind && (int64_t)workers->n >= sm_trial_num_workers(p->t);
    if (n && some)
        finding(p, "steps", "note",
                sm_arena_xprintf(&p->r->arena, "%zu steps were written by some workers only", n),
                "the others do not save that mode: none is behind");
    else if (n)
        finding(p, "steps", "note", sm_arena_xprintf(&p->r->arena, "%zu steps lack a worker", n),
                "a worker is behind or was lost");
}

static void look_at_index(struct patient *p, const struct sm_workers *workers)
{
    size_t n = sm_trial_step_count(p->t), incomplete = 0;
    for (size_t i = 0; i < n; i++)
        incomplete += !sm_trial_step(p->t, i)->complete;
    finding(p, "index", n ? "ok" : "bad",
            sm_arena_xprintf(&p->r->arena, "%llu index files, %zu steps, %zu tensors",
                             (unsigned long long)sm_trial_index_files(p->t), n,
                             sm_trial_tensor_count(p->t)),
            n ? NULL
            : has_problem(p, "index")
                ? "none could be read: see \"files\" below"
                : "no step was finished: an index file appears at the end of its step");
    look_at_incomplete(p, workers, incomplete);
    if (sm_trial_session_count(p->t) > 1)
        finding(p, "sessions", "note",
                sm_arena_xprintf(&p->r->arena, "%zu sessions: the job was started again",
                                 sm_trial_session_count(p->t)),
                "\"info sessions\" shows them; the newest stands for each step");
}

static void look_at_workers(struct patient *p, const struct sm_workers *workers)
{
    size_t steps = sm_trial_step_count(p->t);
    long long newest = steps ? (long long)sm_trial_step(p->t, steps - 1)->step.n : 0;
    for (size_t i = 0; i < workers->n; i++) {
        const struct sm_worker_progress *w = &workers->items[i];
        const char *name = sm_trial_worker(p->t, w->worker);
        if (!w->behind)
            continue;
        name = sm_result_escape(p->r, name, strlen(name));
        finding(p, "workers", "bad",
                w->steps
                    ? sm_arena_xprintf(&p->r->arena, "%s wrote up to step %lld, others up to %lld",
                                       name, (long long)w->last, newest)
                    : sm_arena_xprintf(&p->r->arena, "%s wrote no step, others up to %lld", name,
                                       newest),
                "it was lost, hangs, or is slower");
    }
}

static void look_at_state(struct patient *p)
{
    enum sm_trial_state state = sm_trial_state(p->t);
    char age[16];
    sm_format_duration(p->now_us - sm_trial_newest_us(p->t), age);
    if (state == SM_TRIAL_ENDED)
        finding(p, "job", "ok", "ended: the end marker is there",
                sm_trial_writing_after_end(p->t)
                    ? "yet data came after it: another worker still writes"
                    : NULL);
    else if (state == SM_TRIAL_STALLED)
        finding(p, "job", "note",
                sm_arena_xprintf(&p->r->arena, "no end marker, nothing new for %s", age),
                sm_trial_claimed(p->t)
                    ? "claim.smd is left over: the process was killed"
                    : "killed, hanging, or run by SageMaker, which writes no end marker");
    else if (state == SM_TRIAL_LIVE)
        finding(p, "job", "ok", sm_arena_xprintf(&p->r->arena, "live: newest data %s old", age),
                NULL);
}

static void look_at_files(struct patient *p, const struct sm_file_check *c)
{
    size_t bad = c->n_missing + c->n_short;
    if (!bad && c->n_files)
        finding(p, "events", "ok",
                sm_arena_xprintf(&p->r->arena,
                                 "%zu event files are there, as long as the index says",
                                 c->n_files),
                NULL);
    for (size_t i = 0; i < c->n_shown; i++)
        finding(p, "events", "bad",
                sm_arena_xprintf(&p->r->arena, "%s %s",
                                 sm_result_escape(p->r, c->shown[i].path, strlen(c->shown[i].path)),
                                 c->shown[i].text),
                cause_of(c->shown[i].code));
    if (bad > c->n_shown)
        finding(p, "events", "bad",
                sm_arena_xprintf(&p->r->arena, "and %zu more", bad - c->n_shown),
                "--check reads every record");
}

/* What a killed process leaves, though the trial itself may look well. */
static void look_at_leftovers(struct patient *p, const struct sm_file_check *c)
{
    bool live = sm_trial_state(p->t) == SM_TRIAL_LIVE;
    for (size_t i = 0; i < c->n_leftovers; i++)
        finding(p, "leftover", "note",
                sm_arena_xprintf(&p->r->arena, "%s is half written",
                                 sm_result_escape(p->r, c->leftovers[i], strlen(c->leftovers[i]))),
                live ? "it is being written now, or the process was killed at it"
                     : "the process was killed while it wrote this step");
    if (sm_trial_claimed(p->t) && sm_trial_state(p->t) != SM_TRIAL_STALLED)
        finding(p, "claim", "note", "claim.smd is there",
                "the job still runs, or was killed and its last step is lost");
}

/* A file that is not there is missed by each of its values, in one way. */
static bool is_told(const struct sm_problems *problems, size_t i)
{
    return i && strcmp(problems->items[i].file, problems->items[i - 1].file) == 0 &&
           strcmp(problems->items[i].message, problems->items[i - 1].message) == 0;
}

static void look_at_errors(struct patient *p)
{
    enum { MOST = 10 };
    const struct sm_problems *problems = sm_trial_problems(p->t);
    size_t shown = 0,
           more = problems->total > problems->n ? (size_t)(problems->total - problems->n) : 0;
    for (size_t i = 0; i < problems->n; i++) {
        const struct sm_problem *x = &problems->items[i];
        if (is_told(problems, i))
            continue;
        if (shown++ < MOST)
            finding(p, "files", "bad",
                    sm_arena_xprintf(&p->r->arena, "%s: %s",
                                     sm_result_escape(p->r, x->file, strlen(x->file)), x->message),
                    cause_of(x->code));
    }
    more += shown > MOST ? shown - MOST : 0;
    if (more)
        finding(p, "files", "bad", sm_arena_xprintf(&p->r->arena, "and %zu more", more),
                "see \"info errors\"");
}

static void look_at_archive(struct patient *p, const struct sm_workers *workers)
{
    const struct sm_archive_info *a = sm_trial_archive(p->t);
    finding(p, "archive", "ok",
            sm_arena_xprintf(&p->r->arena, "of %s, which was %s; chosen was %s",
                             sm_result_escape(p->r, a->name.p, a->name.n),
                             sm_result_escape(p->r, a->state.p, a->state.n),
                             sm_result_escape(p->r, a->chosen.p, a->chosen.n)),
            NULL);
    finding(p, "index", "ok",
            sm_arena_xprintf(&p->r->arena, "%zu steps, %zu tensors", sm_trial_step_count(p->t),
                             sm_trial_tensor_count(p->t)),
            NULL);
    if (sm_trial_is_tensorboard(p->t))
        return;
    look_at_collections(p);
    look_at_workers(p, workers);
}

static void look_at_trial(struct patient *p, const struct sm_file_check *files,
                          const struct sm_workers *workers)
{
    if (sm_trial_archive(p->t)) {
        look_at_archive(p, workers);
        look_at_errors(p);
        return;
    }
    if (sm_trial_is_tensorboard(p->t)) {
        finding(p, "directory", "ok",
                "holds TensorBoard's event files: no index, collections or end marker are expected",
                NULL);
    } else if (!look_at_directory(p)) {
        return;
    } else {
        look_at_collections(p);
        look_at_index(p, workers);
        look_at_workers(p, workers);
    }
    look_at_state(p);
    look_at_leftovers(p, files);
    look_at_files(p, files);
    look_at_errors(p);
}

void sm_doctor(struct sm_result *r, struct sm_node *list, const struct sm_trial *t,
               const struct sm_file_check *files, int64_t now_us)
{
    struct patient p = {r, list, t, now_us};
    struct sm_workers workers = {0};
    sm_workers_read(t, &workers);
    look_at_trial(&p, files, &workers);
    sm_workers_clear(&workers);
}
