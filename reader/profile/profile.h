/* SPDX-License-Identifier: Apache-2.0 */
/* A profile: what the machines and the framework of a run did over time, read from a profiler's
 * tree (doc/formats.md) and followed while it grows.
 *
 * The room reader/profile knows no trial. From bytes up (reader/format/json_scan.h): lines of
 * metrics and timelines read into batches (metric_lines.h, pevents.h), the columns that batches
 * are merged into (metric_store.h, event_store.h), the files of a tree (profile_name.h,
 * profile_files.h), and this header, which reads them by jobs. Reading and parsing run in workers;
 * batches are merged in the loop's thread, a few milliseconds a turn. Times are integer nanoseconds
 * since 1970. */
#ifndef SM_PROFILE_H
#define SM_PROFILE_H

#include "reader/base/pool.h"
#include "reader/profile/event_store.h"
#include "reader/profile/metric_store.h"
#include "reader/profile/profile_files.h"

struct sm_profile;
/* root: a directory (sm_profile_find). follow: looks for new data all the time (at events of
 * inotify and rarely, or each second or five where these may be missing), else once. NULL: no
 * memory, or the directory cannot be opened. */
struct sm_profile *sm_profile_new(const char *root, struct sm_pool *pool, bool follow,
                                  struct sm_err *err);
void sm_profile_close(struct sm_profile *p); /* may be NULL; jobs that run end by themselves */
/* Merges what was read and looks for news if due; true if something changed. */
bool sm_profile_pump(struct sm_profile *p);
int64_t sm_profile_deadline_us(const struct sm_profile *p); /* monotonic; INT64_MAX: never */
void sm_profile_refresh(struct sm_profile *p);              /* looks for news at the next pump */
/* Whether all that was there at the first look, or the last refresh, is merged. */
bool sm_profile_is_read(const struct sm_profile *p);
/* Share of the bytes that were found and are read, 0 to 100. */
int sm_profile_percent(const struct sm_profile *p);
/* Increases with every change of what follows. */
uint64_t sm_profile_version(const struct sm_profile *p);

/* ---- contents, valid until the next pump ---- */
const char *sm_profile_root(const struct sm_profile *p);
const struct sm_names *sm_profile_names(const struct sm_profile *p); /* of both stores; ids stay */
const struct sm_metric_store *sm_profile_metrics(const struct sm_profile *p);
const struct sm_event_store *sm_profile_events(const struct sm_profile *p);
/* Nodes of events: index is that of sm_profile_event.node. */
size_t sm_profile_node_count(const struct sm_profile *p);
const char *sm_profile_node(const struct sm_profile *p, size_t i);
/* Whether the job said that it has ended. */
bool sm_profile_ended(const struct sm_profile *p);
const struct sm_problems *sm_profile_problems(const struct sm_profile *p);
struct sm_profile_counts {
    size_t metric_files, timeline_files, python_profiles;
    uint64_t rows, not_finite, bad_rows; /* of metrics */
    uint64_t events, bad_events;
    size_t bytes; /* memory of the stores */
};
struct sm_profile_counts sm_profile_counts(const struct sm_profile *p);
/* Of the counts' python_profiles: relative to the root (python_name.h). */
const char *sm_profile_python_path(const struct sm_profile *p, size_t i);

/* ---- time and steps ---- */

/* First and last time of all data; false: there is none. */
bool sm_profile_span(const struct sm_profile *p, int64_t *from_ns, int64_t *to_ns);
/* The steps of a mode (of events) that overlap [from, to): the least and the greatest number.
 * mode ANY: of all. False: none. */
bool sm_profile_steps_in(const struct sm_profile *p, enum sm_mode mode, int64_t from_ns,
                         int64_t to_ns, int32_t *first, int32_t *last);
/* When a step of a mode ran, on all nodes. False: it is not known. */
bool sm_profile_step_time(const struct sm_profile *p, enum sm_mode mode, int32_t step,
                          int64_t *from_ns, int64_t *to_ns);
/* Durations in ns of the steps of a mode: the caller frees them. False: no memory. */
bool sm_profile_step_durations(const struct sm_profile *p, enum sm_mode mode, double **out,
                               size_t *n);
/* The mode whose steps a summary shows: TRAIN if there are any, else GLOBAL, or the first. */
enum sm_mode sm_profile_main_mode(const struct sm_profile *p);

#endif
