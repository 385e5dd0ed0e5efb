/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the 1st, 2nd, 3rd ... allocation fail, then the 1st, 2nd, 3rd ... read, until a run
 * completes without a failure. No failure may crash or leak (run it under the address sanitizer),
 * and each run either finds everything or reports an error or a problem of the trial.
 *
 * usage: faults [TRIAL]    (default: tests/trials/shapes_with_values) */
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/fetch/fetch.h"
#include "reader/fetch/series.h"
#include "reader/hook/replay.h"
#include "reader/save/archive_save.h"
#include "reader/trial_kinds.h"
#include "tests/remove_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 4, BEAT_US = 6 * 1000000 };

/* The numbers a run found, and whether it reported an error. */
struct results {
    size_t steps, tensors, members, values, points, elements;
    bool has_errors;
};

struct reader_run {
    struct sm_pool *pool;
    struct sm_source *source;
    struct sm_trial *trial;
    struct sm_fetch *fetch;
    struct results *results;
};

static void pump_until_idle(struct reader_run *r)
{
    sm_trial_pump(r->trial);
    sm_fetch_pump(r->fetch);
    while (sm_pool_pending(r->pool)) {
        sm_pool_collect(r->pool, 1);
        sm_trial_pump(r->trial);
        sm_fetch_pump(r->fetch);
    }
}

/* Reads the payload of an entry (whole) or its statistics, and counts it. False: not known yet. */
static bool fetch_entry(struct reader_run *r, const struct sm_entry *e, bool whole)
{
    struct sm_tensor *t = NULL;
    const struct sm_facts *facts = NULL;
    struct sm_err err = {0};
    if (whole ? !sm_fetch_tensor(r->fetch, r->trial, e, &t, &err)
              : !sm_fetch_stats(r->fetch, r->trial, e, &facts, &err))
        return false;
    r->results->values++;
    r->results->elements += whole ? t->n : facts->n;
    sm_tensor_unref(t);
    return true;
}

/* Reads everything, as one command would. */
static bool fetch_all(struct reader_run *r)
{
    bool all = true;
    r->results->values = r->results->elements = 0;
    for (size_t i = 0; i < sm_trial_tensor_count(r->trial); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(r->trial, i);
        for (size_t k = 0; k < x->n_entries; k++) {
            struct sm_entry e = sm_tensor_entry(r->trial, x, k);
            if (e.kind != SM_ENTRY_SHAPE && !fetch_entry(r, &e, k % 2))
                all = false;
        }
    }
    return all;
}

/* A failed allocation is tried again by the next command. */
static void read_values(struct reader_run *r)
{
    bool all = false;
    for (int i = 0; i < ROUNDS && !all; i++) {
        sm_fetch_begin(r->fetch);
        all = fetch_all(r);
        pump_until_idle(r);
        all = all || fetch_all(r);
        sm_fetch_end(r->fetch);
    }
    r->results->has_errors = r->results->has_errors || !all;
}

static void read_series(struct reader_run *r)
{
    struct sm_series_spec spec;
    struct sm_series s = {0};
    struct sm_err err;
    bool ok = false;
    const char *name = "CrossEntropyLoss_output_0";
    const struct sm_trial_tensor *x = sm_trial_find(r->trial, name, strlen(name));
    if (!x && sm_trial_tensor_count(r->trial))
        x = sm_trial_tensor(r->trial, 0);
    for (int i = 0; x && i < ROUNDS && !ok; i++) {
        ok = sm_series_default(r->fetch, r->trial, x, &spec, &err) &&
             sm_series_read(r->fetch, r->trial, &spec, &s, &err);
        pump_until_idle(r);
    }
    r->results->points = s.n;
    r->results->has_errors = r->results->has_errors || !ok;
    sm_series_clear(&s);
}

static void scan_trial(struct reader_run *r)
{
    for (int i = 0; i < ROUNDS && !sm_trial_scanned(r->trial); i++) {
        pump_until_idle(r);
        sm_clock_advance(BEAT_US);
    }
    for (int i = 0; i < 3; i++) { /* late files are checked again */
        sm_clock_advance(BEAT_US);
        pump_until_idle(r);
    }
}

static void read_all(struct reader_run *r)
{
    struct results *f = r->results;
    scan_trial(r);
    f->steps = sm_trial_step_count(r->trial);
    f->tensors = sm_trial_tensor_count(r->trial);
    for (size_t i = 0; i < sm_trial_collection_count(r->trial); i++) {
        size_t n;
        sm_trial_collection_tensors(r->trial, i, &n);
        sm_trial_collection_tensors(r->trial, i, &n); /* again: the first call may fail */
        f->members += n;
    }
    read_values(r);
    read_series(r);
    f->has_errors = f->has_errors || sm_trial_problems(r->trial)->total;
}

static struct results run_with(const char *path, const struct sm_trial_kind *kind,
                               const char *member)
{
    struct results results = {0};
    struct reader_run r = {.results = &results};
    struct sm_err err;
    struct sm_trial_options o = {.follow = true, .kind = kind, .member = member};
    r.pool = sm_pool_new(0, 0, &err);
    r.fetch = r.pool ? sm_fetch_new(r.pool, 1 << 20, &err) : NULL;
    r.source = sm_source_of_path(path, &err);
    if (r.fetch && r.source && sm_trial_open(r.source, &o, r.pool, &r.trial, &err)) {
        read_all(&r);
        sm_fetch_forget(r.fetch, r.trial);
        sm_trial_close(r.trial);
    } else {
        results.has_errors = true;
    }
    sm_fetch_free(r.fetch);
    sm_pool_free(r.pool);
    sm_source_unref(r.source);
    return results;
}

static struct results run_reader(const char *path, const char *scratch)
{
    (void)scratch;
    return run_with(path, NULL, NULL);
}

/* Runs that are tables. */
static struct results run_csv(const char *path, const char *scratch)
{
    (void)scratch;
    return run_with(path, &sm_trial_kind_csv, "metrics.csv");
}

static struct results run_jsonl(const char *path, const char *scratch)
{
    (void)scratch;
    return run_with(path, &sm_trial_kind_jsonl, "log.jsonl");
}

static struct results run_step_files(const char *path, const char *scratch)
{
    (void)scratch;
    return run_with(path, &sm_trial_kind_jsonl, "metrics_step*.json");
}

static struct results run_trainer(const char *path, const char *scratch)
{
    (void)scratch;
    return run_with(path, &sm_trial_kind_trainer_state, NULL);
}

struct table {
    const char *name, *path;
    struct results (*run)(const char *path, const char *scratch);
};
static const struct table tables[] = {
    {"a table", "tests/samples/lightning/version_0", run_csv},
    {"lines of JSON", "tests/samples/jsonl_order", run_jsonl},
    {"a file for each step", "tests/samples/olmo_metrics", run_step_files},
    {"a trainer's history", "tests/samples/hf_trainer", run_trainer},
};

static bool no_pause(void *ctx, int64_t us)
{
    (void)ctx, (void)us;
    return true;
}

/* Tests replay and writer; the copy is then read without failures. */
static struct results run_replay(const char *path, const char *scratch)
{
    struct sm_replay_options o = {.interval_ms = 1, .pause = no_pause};
    struct sm_err err;
    struct results results = {.has_errors = !sm_replay(path, scratch, &o, &err)};
    sm_mem_fail_at(0);
    sm_source_fail_read_at(0);
    if (!results.has_errors)
        results = run_reader(scratch, NULL);
    remove_tree(scratch);
    return results;
}

static bool save_archive(struct sm_trial *t, const char *path)
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

/* Saves an archive, which is then read. */
static struct results run_archive(const char *path, const char *scratch)
{
    struct results results = {.has_errors = true};
    struct reader_run r = {0};
    struct sm_err err;
    struct sm_trial_options o = {0};
    r.pool = sm_pool_new(0, 0, &err);
    r.fetch = r.pool ? sm_fetch_new(r.pool, 1 << 20, &err) : NULL;
    r.source = sm_source_of_path(path, &err);
    if (r.fetch && r.source && sm_trial_open(r.source, &o, r.pool, &r.trial, &err)) {
        scan_trial(&r);
        results.has_errors = sm_trial_problems(r.trial)->total || !save_archive(r.trial, scratch);
        sm_trial_close(r.trial);
    }
    sm_fetch_free(r.fetch);
    sm_pool_free(r.pool);
    sm_source_unref(r.source);
    if (!results.has_errors)
        results = run_reader(scratch, NULL);
    unlink(scratch);
    return results;
}

static bool same_results(const struct results *a, const struct results *b)
{
    return a->steps == b->steps && a->tensors == b->tensors && a->members == b->members &&
           a->values == b->values && a->points == b->points && a->elements == b->elements;
}

struct fault {
    const char *name;
    void (*fail_at)(unsigned long n);
    unsigned long (*count)(void);
};

static int run_all(const char *name, struct results (*run_one)(const char *, const char *),
                   const struct fault *fault, const char *path, const char *scratch)
{
    sm_clock_freeze(1000000000, 1800000000000000);
    struct results whole = run_one(path, scratch);
    if (whole.has_errors || !whole.values) {
        fprintf(stderr, "faults: %s: a run of %s without failures has errors or finds nothing\n",
                name, path);
        return 1;
    }
    for (unsigned long n = 1;; n++) {
        unsigned long before = fault->count();
        fault->fail_at(n);
        struct results results = run_one(path, scratch);
        fault->fail_at(0);
        if (!results.has_errors && !same_results(&results, &whole)) {
            fprintf(stderr,
                    "faults: %s: %s %lu failed: results are missing, but no error was reported: "
                    "%zu steps, %zu tensors, %zu members, %zu values, %zu points\n",
                    name, fault->name, n, results.steps, results.tensors, results.members,
                    results.values, results.points);
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
    for (size_t i = 0; !bad && i < sizeof tables / sizeof *tables; i++)
        bad = run_all(tables[i].name, tables[i].run, &allocation, tables[i].path, scratch) ||
              run_all(tables[i].name, tables[i].run, &read, tables[i].path, scratch);
    rmdir(dir);
    return bad;
}
