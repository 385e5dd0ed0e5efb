/* SPDX-License-Identifier: Apache-2.0 */
/* A live job: a trial to which a test writes step by step, between the lines that the user types.
 * New steps are read in live_notice only. */
#ifndef TESTS_COMMANDS_LIVE_H
#define TESTS_COMMANDS_LIVE_H

#include "tests/commands/driver.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include "reader/format/dtype.h"
#include "reader/hook/writer.h"

#include <unistd.h>

struct live {
    struct driver d;
    struct sm_writer *writer;
    char dir[64];
};

static inline void live_begin_step(struct live *l, int64_t step)
{
    struct sm_err err;
    assert_true(sm_writer_begin_step(l->writer, step, SM_MODE_TRAIN, step, &err));
}

static inline void live_tensor(struct live *l, const char *name, const float *x, size_t n)
{
    struct sm_err err;
    struct sm_event_value v = {.tag = sm_text(name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_dims = 1,
                               .dims = {n},
                               .n_elements = n,
                               .content = {(const uint8_t *)x, n * sizeof *x}};
    assert_true(sm_writer_tensor(l->writer, &v, 1e9, &err));
}

static inline void live_end_step(struct live *l)
{
    struct sm_err err;
    assert_true(sm_writer_end_step(l->writer, &err));
}

/* A trial with a writer for worker_0 and a collection "losses" of the tensor "loss". */
static inline void live_create_for(struct live *l, unsigned workers)
{
    const char *names[] = {"loss"};
    struct sm_collection_def losses = {
        .name = "losses", .names = names, .n_names = 1, .reductions = ""};
    const struct sm_collections_def all = {.items = &losses, .n = 1, .num_workers = workers};
    char trial[80];
    struct sm_err err;
    assert_non_null(make_scratch(l->dir, sizeof l->dir));
    snprintf(trial, sizeof trial, "%s/trial", l->dir);
    assert_true(sm_writer_open(trial, "worker_0", &l->writer, &err));
    assert_true(sm_writer_collections(l->writer, &all, &err));
}

static inline void live_create(struct live *l)
{
    live_create_for(l, 1);
}

/* Opens the trial with the steps that have been written. */
static inline void live_open(struct live *l)
{
    char trial[80];
    struct sm_err err;
    snprintf(trial, sizeof trial, "%s/trial", l->dir);
    driver_open(&l->d, NULL, false);
    l->d.session->open_options.follow = true;
    l->d.session->open_options.heartbeat_us = INT64_MAX / 4;
    assert_true(sm_session_open(l->d.session, trial, NULL, true, &err));
    driver_prompt(&l->d, "info steps");
}

static inline int live_close(struct live *l)
{
    sm_writer_close(l->writer);
    driver_close(&l->d);
    return remove_tree(l->dir);
}

/* Runs until the trial has this number of steps and nothing is pending. */
static inline void live_notice(struct live *l, size_t steps)
{
    struct sm_session *s = l->d.session;
    sm_trial_refresh(sm_session_trial(s));
    for (int calm = 0; sm_trial_step_count(sm_session_trial(s)) < steps || calm < 10;) {
        sm_fetch_flush(s->fetch);
        calm = sm_session_pump(s) || sm_pool_pending(l->d.pool) ? 0 : calm + 1;
        sm_exec_run(l->d.exec);
    }
}

/* Starts a line, which may still wait on return. */
static inline void live_begin(struct live *l, const char *line)
{
    sm_str_truncate(&l->d.out, 0);
    sm_str_truncate(&l->d.err, 0);
    sm_exec_line(l->d.exec, line, SM_FROM_PROMPT);
    live_notice(l, 0);
}

#endif
