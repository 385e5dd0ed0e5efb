/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a format that is a log (struct sm_log_format), in a scratch directory, with a sink that
 * writes down what it gets. */
#ifndef SM_TEST_LOG_RUN_H
#define SM_TEST_LOG_RUN_H

#include "tests/reader/fake_log_sink.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct log_run {
    char dir[64], path[512];
    const struct sm_log_format *format;
    struct sm_trial_input in;
    struct sm_log_sink *sink;
    void *state;
};

static inline int log_run_setup(void **state)
{
    struct log_run *r = calloc(1, sizeof *r);
    r->sink = fake_sink_new();
    *state = r;
    return make_scratch(r->dir, sizeof r->dir) ? 0 : -1;
}

static inline int log_run_teardown(void **state)
{
    struct log_run *r = *state;
    if (r->state)
        r->format->close(r->state);
    sm_source_unref(r->in.source);
    assert_int_equal(r->sink->early, 0);
    fake_sink_free(r->sink);
    remove_tree(r->dir);
    free(r);
    return 0;
}

/* folder: NULL is the scratch directory. */
static inline void log_run_open(struct log_run *r, const struct sm_log_format *format,
                                const char *folder, const char *member)
{
    struct sm_err err;
    r->format = format;
    r->in.source = sm_source_tree_new(folder ? folder : r->dir, &err);
    r->in.options.member = member;
    r->in.options.follow = true;
    r->state = format->open(&r->in);
    assert_non_null(r->state);
}

static inline const char *log_run_path(struct log_run *r, const char *name)
{
    snprintf(r->path, sizeof r->path, "%s/%s", r->dir, name);
    return r->path;
}

static inline void log_run_folder(struct log_run *r, const char *name)
{
    assert_int_equal(mkdir(log_run_path(r, name), 0777), 0);
}

static inline void log_run_put(struct log_run *r, const char *name, const char *mode,
                               const char *text)
{
    FILE *f = fopen(log_run_path(r, name), mode);
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
}

/* As if the file had been written long ago: a torn one is not being written. */
static inline void log_run_age(struct log_run *r, const char *name)
{
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, log_run_path(r, name), times, 0), 0);
}

/* What a poll hands on. */
static inline const char *log_run_poll(struct log_run *r)
{
    fake_sink_poll(r->sink, r->format, r->state);
    return fake_sink_take(r->sink);
}

/* The points of a series since the last restart. */
static inline const char *log_run_points(struct log_run *r, const char *name)
{
    return fake_sink_points(r->sink, name);
}

#endif
