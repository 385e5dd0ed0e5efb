/* SPDX-License-Identifier: Apache-2.0 */
/* Reads every value of a trial once, for its brief (reader/brief.h), without keeping the records.
 * Internal to reader/fetch/fetch.c, whose functions sm_fetch_all and sm_fetch_survey are for the
 * others.
 *
 * What is wanted is a list: all values of one tensor, or of a trial. Each want walks from the
 * newest value to the oldest, a bounded piece at a time, and takes what was not read and is not
 * being read. All values of a trial are walked by steps, so that a file with values of many tensors
 * is opened once. Nothing is read twice, except what could not be read from a file that was not yet
 * complete: that is tried again when more has arrived. Without news there is nothing to do: the
 * trial counts what is left. */
#ifndef SM_SURVEY_H
#define SM_SURVEY_H

#include "reader/fetch/fetch.h"

struct sm_survey;
struct sm_survey *sm_survey_new(struct sm_pool *pool); /* NULL: no memory */
void sm_survey_free(struct sm_survey *s);

/* Wants all values of the tensor, or of all if x is NULL. True: nothing is left to read. Otherwise
 * SM_ERR_WAIT, or SM_ERR_MEMORY. */
bool sm_survey_ask(struct sm_survey *s, struct sm_trial *t, const struct sm_trial_tensor *x,
                   int urgency, struct sm_err *err);
/* Wants all values of the trial, now and later, until records of limit_bytes were read for it. */
void sm_survey_all(struct sm_survey *s, struct sm_trial *t, uint64_t limit_bytes);
bool sm_survey_reads(const struct sm_survey *s, const struct sm_trial *t);
/* Drops what a command wanted. */
void sm_survey_cancel(struct sm_survey *s);
/* Call before the trial is closed; NULL: all trials. */
void sm_survey_forget(struct sm_survey *s, const struct sm_trial *t);

/* Submits jobs, within bounds. limit: of a record that is read whole, as in struct sm_read. */
void sm_survey_flush(struct sm_survey *s, enum sm_checksum checksum, uint64_t limit);
/* True once after a want was answered, and from time to time before. */
bool sm_survey_news(struct sm_survey *s);
bool sm_survey_busy(const struct sm_survey *s); /* a command waits for some */
/* Values that are left to read, without those that only the background wants. */
size_t sm_survey_open(const struct sm_survey *s);
/* How often it has looked for values of other tensors in the file of one; for tests. */
uint64_t sm_survey_looks(const struct sm_survey *s);

#endif
