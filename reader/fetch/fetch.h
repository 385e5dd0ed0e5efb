/* SPDX-License-Identifier: Apache-2.0 */
/* Values on request, without ever blocking: what is known is returned at once, the rest is
 * requested from the workers.
 *
 * A request is repeated until it is answered: each call returns true, or false with SM_ERR_WAIT if
 * the value has been requested (the caller returns, and is called again when sm_fetch_pump has
 * merged answers), or false with the reason. Requests of a command go before those of panes, and
 * these before background requests of rules. So commands and panes are straight code without
 * states. Whatever was requested since sm_fetch_begin is not evicted before sm_fetch_end, so that
 * repeating always makes progress. Failures are remembered and reported once to the trial's
 * problems. */
#ifndef SM_FETCH_H
#define SM_FETCH_H

#include "reader/tensor/facts.h"
#include "reader/tensor/slice.h"
#include "reader/trial.h"

/* The error for values of which sm_trial_left_out is true. */
#define SM_LEFT_OUT "the values are not in the archive, only their statistics"
/* Asked for a statistic that such a value has not; with its key. */
#define SM_NOT_SAVED "%s was not saved in the archive, nor the values to compute it from"

enum sm_checksum {
    SM_CHECKSUM_AUTO,
    SM_CHECKSUM_FULL,
    SM_CHECKSUM_OFF
}; /* AUTO: verify checksums that were written, when the whole record is read */

struct sm_fetch;
struct sm_fetch *sm_fetch_new(struct sm_pool *pool, size_t budget_bytes, struct sm_err *err);
void sm_fetch_free(struct sm_fetch *f);
void sm_fetch_budget(struct sm_fetch *f, size_t budget_bytes);
void sm_fetch_checksum(struct sm_fetch *f, enum sm_checksum c);
size_t sm_fetch_memory(const struct sm_fetch *f);

/* Starts a command: its requests are urgent, and nothing it requests is evicted. */
void sm_fetch_begin(struct sm_fetch *f);
/* Ends it, finished or cancelled: drops its open requests. */
void sm_fetch_end(struct sm_fetch *f);
/* While on, requests are background work, even during a command: not urgent, not kept. */
void sm_fetch_set_background(struct sm_fetch *f, bool on);
/* A command goes on to other values: what it has requested so far may be evicted. In the background
 * (sm_fetch_set_background) as sm_fetch_lap: the command that runs meanwhile loses nothing. */
void sm_fetch_release(struct sm_fetch *f);
/* The background moves to its next step: payloads that only it requested are kept for two laps. */
void sm_fetch_lap(struct sm_fetch *f);
bool sm_fetch_busy(const struct sm_fetch *f);   /* whether requests of the command are open */
size_t sm_fetch_open(const struct sm_fetch *f); /* all open requests, for a progress line */
/* call before the loop waits: submits requests to the workers */
void sm_fetch_flush(struct sm_fetch *f);
/* Call after sm_pool_collect; true if there are new answers. */
bool sm_fetch_pump(struct sm_fetch *f);
/* call before a trial is closed */
void sm_fetch_forget(struct sm_fetch *f, const struct sm_trial *t);

/* e must be a VALUE or REDUCTION entry of t. The facts are valid until the next pump; those of a
 * value that came with its step until a thousand others of such values were asked for. */
bool sm_fetch_head(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                   const struct sm_facts **out, struct sm_err *err);
bool sm_fetch_stats(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    const struct sm_facts **out, struct sm_err *err);
/* Statistics as sm_fetch_stats; those of a number that was read once are at hand without its record
 * (then without shape and checksum, as of a value that came with its step). */
bool sm_fetch_number(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                     const struct sm_facts **out, struct sm_err *err);
/* What is kept of the value for good (reader/brief.h); it is read if it is not known yet. */
bool sm_fetch_brief(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    struct sm_brief *out, struct sm_err *err);
/* Returns a counted reference, to be unreferenced. */
bool sm_fetch_tensor(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                     struct sm_tensor **out, struct sm_err *err);
/* The same for the elements that a slice selects (NULL: all). Of a large value only those are read.
 */
bool sm_fetch_slice(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    const struct sm_slice *slice, struct sm_tensor **out, struct sm_err *err);
/* Whether the value has more bytes than the budget: sm_fetch_tensor is then SM_ERR_LIMIT, and
 * statistics are computed in pieces. Values up to 1 MiB are never too large. */
bool sm_fetch_too_large(const struct sm_fetch *f, const struct sm_entry *e);
uint64_t sm_fetch_limit(const struct sm_fetch *f); /* the largest value that is read whole */

/* ---- all values (reader/fetch/survey.h) ---- */

/* Reads every value of the tensor, or of all tensors if x is NULL, that was not read before,
 * without keeping the records: true if nothing is left, then sm_trial_brief knows all. SM_ERR_WAIT:
 * being read. The request of a command ends with it. */
bool sm_fetch_all(struct sm_fetch *f, struct sm_trial *t, const struct sm_trial_tensor *x,
                  struct sm_err *err);
/* Reads all values in the background, the newest first and those to come, until records of so many
 * bytes were read for it. */
void sm_fetch_survey(struct sm_fetch *f, struct sm_trial *t, uint64_t limit_bytes);
/* Whether values of the trial are still being read so, or will be. */
bool sm_fetch_surveying(const struct sm_fetch *f, const struct sm_trial *t);

#endif
