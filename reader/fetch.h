/* Values on request, without ever waiting: what is known is given at once, what is not is asked of
 * the workers.
 *
 * A question is asked again until it is answered: each call returns true, or false with SM_ERR_WAIT
 * when the value has been requested (the caller returns, and is called again when sm_fetch_pump has
 * merged news), or false with the reason. What a command asks goes before what panels ask, and that
 * before what is asked aside, by rules. So commands and panels are straight lines without states.
 * What was asked since sm_fetch_begin is not evicted before sm_fetch_end, so asking again always
 * gets further. Failures are remembered and reported once to the trial's problems. */
#ifndef SM_FETCH_H
#define SM_FETCH_H

#include "reader/trial.h"

/* What is known of one record without keeping its payload. */
struct sm_facts {
    enum sm_dtype dtype;
    int proto_dtype;
    enum sm_crc crc;
    unsigned n_dims;
    const uint64_t *dims; /* valid as long as the facts */
    uint64_t n;
    uint64_t content_bytes;
    double wall_time;
    bool whole;            /* the whole record was read: first and crc are known */
    bool has_stats;        /* whole, and of a type with numbers */
    uint8_t first[16];     /* the first element as stored; a string's first bytes are not here */
    struct sm_stats stats; /* when has_stats; zeros otherwise; it says which it lacks */
    /* NULL unless the source keeps them: at sm_summary_points, then the median of |x|; NaN: it does
     * not have that one */
    const double *quantiles;
};
enum { SM_FACTS_QUANTILES = 8 };
/* Asked for the values of what sm_trial_left_out is true of. */
#define SM_LEFT_OUT "the values are not in the archive, only their statistics"
/* Asked for a statistic that such a value has not; with its key. */
#define SM_NOT_SAVED "%s was not saved in the archive, nor the values to compute it from"

enum sm_checksum {
    SM_CHECKSUM_AUTO,
    SM_CHECKSUM_FULL,
    SM_CHECKSUM_OFF
}; /* AUTO: verify what was written when the whole is read */

struct sm_fetch;
struct sm_fetch *sm_fetch_new(struct sm_pool *pool, size_t budget_bytes, struct sm_err *err);
void sm_fetch_free(struct sm_fetch *f);
void sm_fetch_budget(struct sm_fetch *f, size_t budget_bytes);
void sm_fetch_checksum(struct sm_fetch *f, enum sm_checksum c);
size_t sm_fetch_memory(const struct sm_fetch *f);

void sm_fetch_begin(struct sm_fetch *f); /* a command starts: urgent, nothing it asks is evicted */
/* it has finished or was cancelled: its open requests are dropped */
void sm_fetch_end(struct sm_fetch *f);
/* What is asked while it is on is background work, whatever command runs: not urgent, not kept. */
void sm_fetch_aside(struct sm_fetch *f, bool on);
/* The background goes on to its next step: payloads that only it asked for, and not in the last
 * two, need not be kept. */
void sm_fetch_lap(struct sm_fetch *f);
bool sm_fetch_busy(const struct sm_fetch *f);   /* requests of the current command are open */
size_t sm_fetch_open(const struct sm_fetch *f); /* all open requests, for a progress line */
/* before the loop waits: what was asked goes to the workers */
void sm_fetch_flush(struct sm_fetch *f);
/* after sm_pool_collect: true when answers have come since */
bool sm_fetch_pump(struct sm_fetch *f);
void sm_fetch_forget(struct sm_fetch *f, const struct sm_trial *t); /* before a trial is closed */

/* e must be a VALUE or REDUCTION entry of t. */
bool sm_fetch_head(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                   const struct sm_facts **out, struct sm_err *err);
bool sm_fetch_stats(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    const struct sm_facts **out, struct sm_err *err);
/* A counted reference: unref it. */
bool sm_fetch_tensor(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                     struct sm_tensor **out, struct sm_err *err);

#endif
