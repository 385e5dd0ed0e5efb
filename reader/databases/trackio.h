/* SPDX-License-Identifier: Apache-2.0 */
/* trackio's projects: a SQLite database each, in ~/.cache/huggingface/trackio or $TRACKIO_DIR.
 *
 *     metrics(id, timestamp, run_name, step, metrics, run_id ...)   a row for each call of log()
 *     system_metrics(id, timestamp, run_name, metrics, run_id ...)  of the machine, without a step
 *     configs(id, run_name, config, created_at, run_id)
 *
 * metrics and config are objects of JSON, as texts or blobs; numbers that are not finite are the
 * strings "NaN", "Infinity" and "-Infinity". Times are in ISO 8601. Before version 0.24 runs have
 * no run_id, and their name tells them apart. Nothing says that a run has ended.
 *
 * Internal: the parts of the kind `trackio` that tests call. */
#ifndef SM_TRACKIO_H
#define SM_TRACKIO_H

#include "reader/databases/db_run.h"

/* Adds the numbers of a row to the points; name, system, step and time are those of `like`. False:
 * not JSON. */
bool sm_trackio_add(struct sm_points *points, const char *json, size_t n,
                    const struct sm_point *like, struct sm_err *err);
/* Adds the configuration; names that trackio adds itself begin with '_' and are left out. */
bool sm_trackio_config(struct sm_notes *notes, const char *json, size_t n, struct sm_err *err);
/* Microseconds since 1970 of "2026-11-23T00:39:13.408653+00:00"; without a zone it is local time.
 * SM_NO_TIME: not such a time. */
int64_t sm_trackio_time_us(const char *p, size_t n);
extern const struct sm_log_format sm_trackio_format;
void sm_trackio_find(struct sm_run_folder *folder);

#endif
