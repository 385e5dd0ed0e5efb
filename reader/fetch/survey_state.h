/* SPDX-License-Identifier: Apache-2.0 */
/* Internal to the survey: for survey*.c only. */
#ifndef SM_SURVEY_STATE_H
#define SM_SURVEY_STATE_H

#include "reader/fetch/read_job.h"
#include "reader/fetch/survey.h"

/* A turn takes at most TAKEN values; a job reads at most so many files. */
enum { SM_SURVEY_TAKEN = 2048, SM_SURVEY_FILES_PER_JOB = 32 };
enum { SM_SURVEY_CREDIT_FIRST = 8192 }; /* of struct sm_survey: credit */

struct sm_survey_want {
    struct sm_trial *trial;
    uint32_t tensor; /* name id; NONE: all */
    int urgency;
    bool lasting; /* stays when all was read */
    uint64_t limit, bytes;
    /* Of one tensor: entries below index `to` are left. Of all: steps below index `to` are, and
     * those of [from, to) from tensor `next` on. */
    size_t from, to;
    uint32_t next;
    bool walking, found; /* this walk has found something to read */
    bool stuck;          /* a whole walk found nothing to read, at this version of the trial: */
    uint64_t version;
    bool failed; /* no memory */
    bool far;    /* its source is told what is going to be read */
};

/* Failed, but its file may still grow, or there may be more memory. */
struct sm_survey_retry {
    struct sm_trial *trial;
    struct sm_entry entry;
    uint64_t arrivals;
};

struct sm_survey_taken {
    struct sm_entry entry;
    uint32_t file; /* of its part */
};

struct sm_survey {
    struct sm_pool *pool;
    struct sm_survey_want *wants;
    size_t n_wants, cap_wants;
    struct sm_read_job *jobs;
    size_t n_jobs;
    struct sm_survey_taken *taken;
    size_t n_taken, of_file; /* of_file: taken by the last take_of_file */
    int64_t credit;          /* of take_of_file */
    uint64_t looks;          /* of it, for tests */
    struct sm_survey_retry *retries;
    size_t n_retries, cap_retries;
    bool answered, progress;
    enum sm_checksum checksum;
    uint64_t limit;         /* of a record that is read whole */
    int64_t told_us;        /* of the last news */
    uint64_t n_read, n_old; /* values that were read, and how many of them at the last news */
};

/* ---- survey_take.c: which values of a want are read next ---- */

size_t sm_survey_left(const struct sm_survey_want *w);   /* values that were not read */
size_t sm_survey_asked(const struct sm_survey_want *w);  /* those that are being read */
bool sm_survey_may_take(const struct sm_survey_want *w); /* whether there is something to take */
/* The flags of what is known of a value. False: no memory. */
bool sm_survey_mark(struct sm_trial *t, const struct sm_entry *e, unsigned flags);
/* Fills s->taken with a turn's values of the want, each marked as asked for, and adds the bytes of
 * their records. False: no memory. */
bool sm_survey_take(struct sm_survey *s, struct sm_survey_want *w, uint64_t *bytes);

#endif
