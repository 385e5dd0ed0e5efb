/* SPDX-License-Identifier: Apache-2.0 */
/* MLflow's stores of runs: a SQLite database (mlflow.db; the default since 3.7), or folders:
 *
 *     mlruns/EXPERIMENT/RUN/meta.yaml     name, status, times
 *                           metrics/KEY   lines "MILLISECONDS VALUE STEP"; a KEY may have slashes
 *                           params/KEY    the whole file is the value
 *                           tags/KEY      as well
 *
 * Internal: the parts of the kind `mlflow`. */
#ifndef SM_MLFLOW_H
#define SM_MLFLOW_H

#include "reader/databases/db_run.h"

/* How a run stands, from the words of the database or the numbers of meta.yaml. */
struct sm_mlflow_status {
    bool ended;
    int exit_code;
};
struct sm_mlflow_status sm_mlflow_status(struct sm_text word);
/* MLflow counts milliseconds; before version 1.0 seconds. */
int64_t sm_mlflow_time_ms(int64_t time);

/* One line of a metric's file. row: its number, the step of lines without one. */
bool sm_mlflow_line(const char *p, size_t n, uint64_t row, struct sm_point *out);

/* meta.yaml: the keys of its top level, as PyYAML writes scalars (plain, quoted, folded). */
struct sm_mlflow_meta {
    struct sm_str run_id, name, status, stage, experiment;
    int64_t start_ms; /* 0: not there */
};
void sm_mlflow_meta_parse(const char *p, size_t n, struct sm_mlflow_meta *out);
void sm_mlflow_meta_clear(struct sm_mlflow_meta *m);

/* The two ways of keeping runs. A run that is folders: */
struct sm_mlflow_files;
struct sm_mlflow_files *sm_mlflow_files_new(struct sm_source *source);
void sm_mlflow_files_free(struct sm_mlflow_files *f);
bool sm_mlflow_files_poll(struct sm_mlflow_files *f, struct sm_log_sink *sink);
/* in a database: */
extern const struct sm_db_run_ops sm_mlflow_tables;

void sm_mlflow_find_tables(struct sm_run_folder *folder);
void sm_mlflow_find_files(struct sm_run_folder *folder);
extern const struct sm_log_format sm_mlflow_format;

/* Whether a metric is of the machine: MLflow counts its samples, which are no steps. */
bool sm_mlflow_is_system(const char *name, size_t n);

#endif
