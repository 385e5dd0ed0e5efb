/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by tests of runs in databases: a scratch directory, a writer's connection, and runs that
 * are read from it with the fake sink. */
#ifndef SM_TEST_DATABASE_RUN_H
#define SM_TEST_DATABASE_RUN_H

#include "reader/databases/mlflow.h"
#include "reader/databases/trackio.h"
#include "tests/reader/fake_log_sink.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct scratch {
    char dir[64], path[128]; /* of `in` */
    struct sm_source *source;
    sqlite3 *writer;
};

static inline const char *in(struct scratch *t, const char *name)
{
    snprintf(t->path, sizeof t->path, "%s/%s", t->dir, name);
    return t->path;
}

static inline int scratch_setup(void **state)
{
    struct sm_err err;
    struct scratch *t = calloc(1, sizeof *t);
    if (!make_scratch(t->dir, sizeof t->dir))
        return -1;
    t->source = sm_source_tree_new(t->dir, &err);
    *state = t;
    return t->source ? 0 : -1;
}

static inline int scratch_teardown(void **state)
{
    struct scratch *t = *state;
    sqlite3_close(t->writer);
    sm_source_unref(t->source);
    remove_tree(t->dir);
    free(t);
    return 0;
}

static inline void sql(struct scratch *t, const char *text)
{
    char *message = NULL;
    if (sqlite3_exec(t->writer, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", text, message);
}

static inline void sqlf(struct scratch *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void sqlf(struct scratch *t, const char *format, ...)
{
    struct sm_str text = {0};
    va_list ap;
    va_start(ap, format);
    sm_str_vprintf(&text, format, ap);
    va_end(ap);
    sql(t, text.data);
    sm_str_clear(&text);
}

/* A writer's connection to a new database. mode: of its journal. */
static inline void write_database(struct scratch *t, const char *name, const char *mode,
                                  const char *schema)
{
    assert_int_equal(sqlite3_open(in(t, name), &t->writer), SQLITE_OK);
    sqlf(t, "PRAGMA journal_mode=%s; PRAGMA synchronous=OFF", mode);
    sql(t, schema);
}

static inline void put_text(struct scratch *t, const char *name, const char *mode, const char *text)
{
    FILE *f = fopen(in(t, name), mode);
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    fclose(f);
}

struct run {
    const struct sm_log_format *format;
    struct sm_trial_input input;
    void *state;
    struct sm_log_sink *sink;
};

static inline struct run open_member(struct scratch *t, const struct sm_log_format *format,
                                     const char *member)
{
    struct run r = {.format = format,
                    .input = {.source = t->source, .options.member = member},
                    .sink = fake_sink_new()};
    r.state = format->open(&r.input);
    assert_non_null(r.state);
    return r;
}

static inline void close_member(struct run *r)
{
    r->format->close(r->state);
    fake_sink_free(r->sink);
}

/* What was new, as fake_sink_take has it. */
static inline const char *poll_member(struct run *r)
{
    fake_sink_poll(r->sink, r->format, r->state);
    return fake_sink_take(r->sink);
}

static inline bool exists(struct scratch *t, const char *name)
{
    return access(in(t, name), F_OK) == 0;
}

#define MLFLOW_SCHEMA                                                                              \
    "CREATE TABLE experiments(experiment_id INTEGER PRIMARY KEY, name VARCHAR(256),"               \
    " lifecycle_stage VARCHAR(32));"                                                               \
    "CREATE TABLE runs(run_uuid VARCHAR(32) NOT NULL, name VARCHAR(250), status VARCHAR(9),"       \
    " start_time BIGINT, end_time BIGINT, lifecycle_stage VARCHAR(20), experiment_id INTEGER,"     \
    " CONSTRAINT run_pk PRIMARY KEY (run_uuid));"                                                  \
    "CREATE TABLE metrics(key VARCHAR(250) NOT NULL, value FLOAT NOT NULL, timestamp BIGINT NOT "  \
    "NULL, run_uuid VARCHAR(32) NOT NULL, step BIGINT DEFAULT '0' NOT NULL, is_nan BOOLEAN "       \
    "DEFAULT '0' NOT NULL, CONSTRAINT metric_pk PRIMARY KEY "                                      \
    "(key, timestamp, step, run_uuid, value, is_nan));"                                            \
    "CREATE TABLE params(key VARCHAR(250) NOT NULL, value VARCHAR(8000) NOT NULL, run_uuid "       \
    "VARCHAR(32) NOT NULL, CONSTRAINT param_pk PRIMARY KEY (key, run_uuid));"                      \
    "CREATE TABLE tags(key VARCHAR(250) NOT NULL, value VARCHAR(8000), run_uuid VARCHAR(32) NOT "  \
    "NULL, CONSTRAINT tag_pk PRIMARY KEY (key, run_uuid));"
#define MLFLOW_INDEXES                                                                             \
    "CREATE INDEX index_metrics_run_uuid ON metrics (run_uuid);"                                   \
    "CREATE INDEX index_metrics_run_uuid_key_step ON metrics (run_uuid, key, step);"               \
    "CREATE INDEX index_params_run_uuid ON params (run_uuid);"                                     \
    "CREATE INDEX index_tags_run_uuid ON tags (run_uuid);"

#endif
