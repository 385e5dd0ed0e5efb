/* Saves a part of a trial as an archive (reader/archive.h).
 *
 * What is to be saved is looked up at once in the loop's thread; reading, measuring and writing is
 * a pure function of that, for a worker. Frames of values and of statistics are of one tensor each,
 * its steps one after another. */
#ifndef SM_ARCHIVE_SAVE_H
#define SM_ARCHIVE_SAVE_H

#include "reader/trial.h"

enum { SM_ARCHIVE_LEVEL = 3, SM_ARCHIVE_LEVEL_MAX = 19 };
struct sm_archive_choice {
    const struct sm_trial_tensor *const *tensors; /* NULL: all, and also steps that have none */
    size_t n_tensors;
    const struct sm_step *steps; /* ascending; NULL: all */
    size_t n_steps;
    enum sm_mode mode;
    uint16_t worker;
    bool stats_only;         /* values of more than one element are left out */
    int level;               /* zstd's */
    struct sm_text words;    /* what was chosen, for people */
    struct sm_text findings; /* JSON, or n == 0 */
};
struct sm_archive_saved {
    size_t steps, tensors;
    /* saved; of them only with statistics; could not be read and are not there */
    uint64_t values, left_out, unread;
    uint64_t trial_bytes, bytes; /* as they lay in the trial; the archive */
    struct sm_err why;           /* the first that could not be read */
};

struct sm_archive_save;
/* SM_ERR_MISSING: nothing is chosen. The trial is not needed any more afterwards, nor is the
 * choice. */
bool sm_archive_save_new(struct sm_trial *t, const struct sm_archive_choice *c,
                         struct sm_archive_save **out, struct sm_err *err);
void sm_archive_save_free(struct sm_archive_save *s);
size_t sm_archive_save_count(const struct sm_archive_save *s); /* values to read */
/* In any thread. The file comes under its name when it is whole; otherwise nothing is left behind.
 * left: is counted down. */
bool sm_archive_save_run(struct sm_archive_save *s, const char *path, const atomic_bool *cancelled,
                         atomic_ulong *left, struct sm_archive_saved *out, struct sm_err *err);

#endif
