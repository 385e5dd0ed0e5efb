/* SPDX-License-Identifier: Apache-2.0 */
/* The traces of one folder: the ranks of one job, or several traces of a rank. They are listed and
 * read once, by jobs; sm_trace_set_pump hands over what is done. */
#ifndef SM_TRACE_SET_H
#define SM_TRACE_SET_H

#include "reader/base/pool.h"
#include "reader/kind/problem.h"
#include "reader/source/source.h"
#include "reader/trace/flight.h"
#include "reader/trace/memory_snapshot.h"
#include "reader/trace/trace_data.h"

enum { SM_TRACE_FILES_MAX = 4096 };
enum sm_trace_format { SM_TRACE_KINETO, SM_TRACE_SNAPSHOT, SM_TRACE_FLIGHT };
struct sm_trace_item {
    char *path;      /* relative to the source; untrusted */
    int64_t rank;    /* of the file, of its name, else its place among those without one */
    char worker[32]; /* "rank_3" */
    bool named;      /* the file or its name says the rank */
    int64_t step;    /* of a snapshot, as its name says; -1: it says none */
    /* what the format of the set has; the others are empty */
    struct sm_trace_data trace;
    struct sm_memory_snapshot snapshot;
    struct sm_flight flight;
};
struct sm_trace_set;
/* member: one file of the source; NULL: all of its root folder, of snapshots also those in folders
 * iteration_N of it. NULL: no memory. */
struct sm_trace_set *sm_trace_set_new(struct sm_source *source, const char *member,
                                      enum sm_trace_format format, struct sm_pool *pool);
enum sm_trace_format sm_trace_set_format(const struct sm_trace_set *s);
/* Frees it, or has its last job free it. May be NULL. */
void sm_trace_set_close(struct sm_trace_set *s);
bool sm_trace_set_pump(struct sm_trace_set *s);         /* whether something changed */
bool sm_trace_set_is_due(const struct sm_trace_set *s); /* a pump has something to do */
bool sm_trace_set_is_read(const struct sm_trace_set *s);
/* True if it is read, or NULL. False: SM_ERR_WAIT, with how far it is. */
bool sm_trace_set_ready(const struct sm_trace_set *s, struct sm_err *err);
/* Once it is read: by rank, then by name of file; those that could not be read are left out. */
size_t sm_trace_set_count(const struct sm_trace_set *s);
const struct sm_trace_item *sm_trace_set_item(const struct sm_trace_set *s, size_t i);
const struct sm_problems *sm_trace_set_problems(const struct sm_trace_set *s);
/* The greatest world_size that a trace gives; 0: none does. */
int64_t sm_trace_set_world(const struct sm_trace_set *s);

/* Whether a file has a format, by its name and first bytes. path: as the source reads it, without
 * .gz. One called .trace.json is a trace whatever is in it. */
bool sm_trace_is_file(struct sm_source *source, const char *path, enum sm_trace_format format);
/* Whether a folder may have more files of a run: iteration_N, in which torchtitan writes those of
 * a step. */
bool sm_trace_is_folder(const char *name, enum sm_trace_format format);

#endif
