/* Fails the reader's 1st, 2nd, 3rd... allocation, then its 1st, 2nd, 3rd... read, until a run
 * passes untouched. Whatever fails, nothing crashes or leaks (run it under the address sanitizer),
 * and the run either finds everything or says why not: an error, or a problem of the trial.
 *
 * usage: faults [TRIAL]    (default: tests/trials/shapes_with_values) */
#include "reader/archive.h"
#include "reader/archive_save.h"
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/fetch.h"
#include "reader/hook/replay.h"
#include "reader/series.h"
#include "tests/remove_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 4, BEAT_US = 6 * 1000000 };

/* What a run found, to be compared with that of an untouched run; and whether it complained. */
struct found {
    size_t steps, tensors, members, values, points, elements;
    bool complained;
};

struct run {
    struct sm_pool *pool;
    struct sm_source *source;
    struct sm_trial *trial;
    struct sm_fetch *fetch;
    struct found *found;
};

static void settle(struct run *r)
{
    sm_trial_pump(r->trial);
    sm_fetch_pump(r->fetch);
    while (sm_pool_pending(r->pool)) {
        sm_pool_collect(r->pool, 1);
        sm_trial_pump(r->trial);
        sm_fetch_pump(r->fetch);
    }
}

/* Counts the record if it is known. Every other one is asked for its payload, the rest for
 * statistics. */
static bool ask(struct run *r, const struct sm_entry *e, bool whole)
{
    struct sm_tensor *t = NULL;
    const struct sm_facts *facts = NULL;
    struct sm_err err = {0};
    if (whole ? !sm_fetch_tensor(r->fetch, r->trial, e, &t, &err)
              : !sm_fetch_stats(r->fetch, r->trial, e, &facts, &err))
        return false;
    r->found->values++;
    r->found->elements += whole ? t->n : facts->n;
    sm_tensor_unref(t);
    return true;
}

/* One command that asks for everything. */
static bool ask_all(struct run *r)
{
    bool all = true;
    r->found->values = r->found->elements = 0;
    for (size_t i = 0; i < sm_trial_tensor_count(r->trial); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(r->trial, i);
        for (size_t k = 0; k < x->n_entries; k++)
            if (x->entries[k].kind != SM_ENTRY_SHAPE && !ask(r, &x->entries[k], k % 2))
                all = false;
    }
    return all;
}

/* Lack of memory is forgotten by the next command. */
static void read_values(struct run *r)
{
    bool all = false;
    for (int i = 0; i < ROUNDS && !all; i++) {
        sm_fetch_begin(r->fetch);
        all = ask_all(r);
        settle(r);
        all = all || ask_all(r);
        sm_fetch_end(r->fetch);
    }
    r->found->complained = r->found->complained || !all;
}

static void read_series(struct run *r)
{
    struct sm_series_spec spec;
    struct sm_series s = {0};
    struct sm_err err;
    bool ok = false;
    const char *name = "CrossEntropyLoss_output_0";
    const struct sm_trial_tensor *x = sm_trial_find(r->trial, name, strlen(name));
    for (int i = 0; x && i < ROUNDS && !ok; i++) {
        ok = sm_series_default(r->fetch, r->trial, x, &spec, &err) &&
             sm_series_read(r->fetch, r->trial, &spec, &s, &err);
        settle(r);
    }
    r->found->points = s.n;
    r->found->complained = r->found->complained || !ok;
    sm_series_clear(&s);
}

static void scan(struct run *r)
{
    for (int i = 0; i < ROUNDS && !sm_trial_scanned(r->trial); i++) {
        settle(r);
        sm_clock_advance(BEAT_US);
    }
    for (int i = 0; i < 3; i++) { /* what was late is looked at again */
        sm_clock_advance(BEAT_US);
        settle(r);
    }
}

static void read_all(struct run *r)
{
    struct found *f = r->found;
    scan(r);
    f->steps = sm_trial_step_count(r->trial);
    f->tensors = sm_trial_tensor_count(r->trial);
    for (size_t i = 0; i < sm_trial_collection_count(r->trial); i++) {
        size_t n;
        sm_trial_collection_tensors(r->trial, i, &n);
        sm_trial_collection_tensors(r->trial, i, &n); /* without memory the first time */
        f->members += n;
    }
    read_values(r);
    read_series(r);
    f->complained = f->complained || sm_trial_problems(r->trial)->total;
}

static struct found run_reader(const char *path, const char *scratch)
{
    struct found found = {0};
    struct run r = {.found = &found};
    struct sm_err err;
    struct sm_trial_options o = {.follow = true};
    (void)scratch;
    r.pool = sm_pool_new(0, 0, &err);
    r.fetch = r.pool ? sm_fetch_new(r.pool, 1 << 20, &err) : NULL;
    r.source = sm_archive_or_dir(path, &err);
    if (r.fetch && r.source && sm_trial_open(r.source, &o, r.pool, &r.trial, &err)) {
        read_all(&r);
        sm_fetch_forget(r.fetch, r.trial);
        sm_trial_close(r.trial);
    } else {
        found.complained = true;
    }
    sm_fetch_free(r.fetch);
    sm_pool_free(r.pool);
    sm_source_unref(r.source);
    return found;
}

static bool no_pause(void *ctx, int64_t us)
{
    (void)ctx, (void)us;
    return true;
}

/* The writer, through the replayer; what it wrote is then read without faults. */
static struct found run_replay(const char *path, const char *scratch)
{
    struct sm_replay_options o = {.interval_ms = 1, .pause = no_pause};
    struct sm_err err;
    struct found found = {.complained = !sm_replay(path, scratch, &o, &err)};
    sm_mem_fail_at(0);
    sm_source_fail_read_at(0);
    if (!found.complained)
        found = run_reader(scratch, NULL);
    remove_tree(scratch);
    return found;
}

static bool save(struct sm_trial *t, const char *path)
{
    const struct sm_archive_choice everything = {.worker = SM_WORKER_ANY};
    struct sm_archive_save *s;
    struct sm_archive_saved saved = {0};
    struct sm_err err;
    atomic_bool cancelled = false;
    atomic_ulong left = 0;
    if (!sm_archive_save_new(t, &everything, &s, &err))
        return false;
    bool ok = sm_archive_save_run(s, path, &cancelled, &left, &saved, &err);
    sm_archive_save_free(s);
    return ok && !saved.unread;
}

/* Into an archive, which is then read. */
static struct found run_archive(const char *path, const char *scratch)
{
    struct found found = {.complained = true};
    struct run r = {0};
    struct sm_err err;
    struct sm_trial_options o = {0};
    r.pool = sm_pool_new(0, 0, &err);
    r.fetch = r.pool ? sm_fetch_new(r.pool, 1 << 20, &err) : NULL;
    r.source = sm_archive_or_dir(path, &err);
    if (r.fetch && r.source && sm_trial_open(r.source, &o, r.pool, &r.trial, &err)) {
        scan(&r);
        found.complained = sm_trial_problems(r.trial)->total || !save(r.trial, scratch);
        sm_trial_close(r.trial);
    }
    sm_fetch_free(r.fetch);
    sm_pool_free(r.pool);
    sm_source_unref(r.source);
    if (!found.complained)
        found = run_reader(scratch, NULL);
    unlink(scratch);
    return found;
}

static bool same(const struct found *a, const struct found *b)
{
    return a->steps == b->steps && a->tensors == b->tensors && a->members == b->members &&
           a->values == b->values && a->points == b->points && a->elements == b->elements;
}

struct fault {
    const char *name;
    void (*fail_at)(unsigned long n);
    unsigned long (*count)(void);
};

static int run_all(const char *name, struct found (*run)(const char *, const char *),
                   const struct fault *fault, const char *path, const char *scratch)
{
    sm_clock_freeze(1000000000, 1800000000000000);
    struct found whole = run(path, scratch);
    if (whole.complained || !whole.values) {
        fprintf(stderr, "faults: %s: not even an untouched run of %s finds everything\n", name,
                path);
        return 1;
    }
    for (unsigned long n = 1;; n++) {
        unsigned long before = fault->count();
        fault->fail_at(n);
        struct found found = run(path, scratch);
        fault->fail_at(0);
        if (!found.complained && !same(&found, &whole)) {
            fprintf(stderr,
                    "faults: %s: %s %lu fails, and what is missing is not said: %zu steps, %zu "
                    "tensors, %zu members, "
                    "%zu values, %zu points\n",
                    name, fault->name, n, found.steps, found.tensors, found.members, found.values,
                    found.points);
            return 1;
        }
        if (fault->count() - before < n) {
            printf("faults: %s survives each of %lu %ss\n", name, n - 1, fault->name);
            return 0;
        }
    }
}

int main(int argc, char **argv)
{
    static const struct fault allocation = {"allocation", sm_mem_fail_at, sm_mem_count};
    static const struct fault read = {"read", sm_source_fail_read_at, sm_source_read_count};
    const char *path = argc > 1 ? argv[1] : "tests/trials/shapes_with_values";
    char dir[] = "/tmp/smdbg_faults_XXXXXX", scratch[64];
    if (!mkdtemp(dir)) {
        perror("faults");
        return 1;
    }
    snprintf(scratch, sizeof scratch, "%s/trial", dir);
    int bad = run_all("the reader", run_reader, &allocation, path, scratch) ||
              run_all("the reader", run_reader, &read, path, scratch) ||
              run_all("the replayer", run_replay, &allocation, path, scratch) ||
              run_all("the replayer", run_replay, &read, path, scratch) ||
              run_all("the archive", run_archive, &allocation, path, scratch) ||
              run_all("the archive", run_archive, &read, path, scratch);
    rmdir(dir);
    return bad;
}
