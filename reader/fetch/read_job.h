/* SPDX-License-Identifier: Apache-2.0 */
/* A job for a worker that reads records of one trial. Internal to reader/fetch/fetch.c and
 * reader/fetch/survey.c. */
#ifndef SM_READ_JOB_H
#define SM_READ_JOB_H

#include "reader/fetch/fetch_read.h"

struct sm_read_job {
    struct sm_job job;
    void *owner; /* for `done`; NULL if it was freed */
    struct sm_source *source;
    struct sm_trial *trial; /* NULL if it was closed */
    enum sm_checksum checksum;
    uint64_t limit; /* of a record that is read whole, as in struct sm_read */
    struct sm_arena paths;
    const char *path; /* of the last item, as the trial has it; while items are added */
    struct sm_read_job *next;
    size_t n;
    struct sm_read items[];
};
/* Without items, with room for `most`. NULL: no memory. */
struct sm_read_job *sm_read_job_new(struct sm_trial *t, enum sm_checksum checksum, uint64_t limit,
                                    size_t most);
/* Appends a record; its part has an event file. Records of one file should follow one another.
 * False: no memory. */
bool sm_read_job_add(struct sm_read_job *j, const struct sm_entry *e, uint8_t want);
void sm_read_job_free(struct sm_read_job *j);
/* Removes it from a list. */
void sm_read_job_unlink(struct sm_read_job **list, const struct sm_read_job *j);

#endif
