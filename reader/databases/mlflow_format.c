/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/mem.h"
#include "reader/databases/mlflow.h"

/* A run in a database, or one that is folders. */
struct mlflow_run {
    bool is_table;
    struct sm_db_run table;
    struct sm_mlflow_files *files;
};

static void close_run(void *state)
{
    struct mlflow_run *r = state;
    if (r->is_table)
        sm_db_run_clear(&r->table);
    sm_mlflow_files_free(r->files);
    sm_free(r);
}

static void *open_run(const struct sm_trial_input *in)
{
    struct mlflow_run *r = sm_alloc_zero(1, sizeof *r);
    if (!r)
        return NULL;
    r->is_table = in->options.member;
    bool ok = r->is_table
                  ? sm_db_run_init(&r->table, &sm_mlflow_tables, in->source, in->options.member)
                  : (r->files = sm_mlflow_files_new(in->source)) != NULL;
    if (ok)
        return r;
    close_run(r);
    return NULL;
}

static bool poll_run(void *state, struct sm_log_sink *sink)
{
    struct mlflow_run *r = state;
    return r->is_table ? sm_db_run_poll(&r->table, sink) : sm_mlflow_files_poll(r->files, sink);
}

const struct sm_log_format sm_mlflow_format = {
    .open = open_run, .close = close_run, .poll = poll_run};
