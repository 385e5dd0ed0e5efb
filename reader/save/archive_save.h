/* SPDX-License-Identifier: Apache-2.0 */
/* Saves part of a trial as an archive (reader/archive/archive.h).
 *
 * The selection is copied at once in the loop's thread; reading, measuring and writing depend only
 * on that copy, so a worker can do them. Each frame of values or statistics is of one tensor, by
 * ascending steps. */
#ifndef SM_ARCHIVE_SAVE_H
#define SM_ARCHIVE_SAVE_H

#include "reader/trial.h"

enum { SM_ARCHIVE_LEVEL = 3, SM_ARCHIVE_LEVEL_MAX = 19 };
struct sm_archive_choice {
    const struct sm_trial_tensor *const *tensors; /* NULL: all, and also steps without values */
    size_t n_tensors;
    const struct sm_step *steps; /* ascending; NULL: all */
    size_t n_steps;
    enum sm_mode mode;
    uint16_t worker;
    bool stats_only;         /* omit values of more than one element */
    int level;               /* zstd's */
    struct sm_text words;    /* the selection in words, for display */
    struct sm_text findings; /* JSON; n == 0 if none */
};
struct sm_archive_saved {
    size_t steps, tensors;
    /* values saved; those saved with statistics only; those omitted as unreadable */
    uint64_t values, left_out, unread;
    uint64_t trial_bytes, bytes; /* size in the trial; size of the archive */
    struct sm_err why;           /* the first unreadable value */
};

struct sm_archive_save;
/* SM_ERR_MISSING: nothing is chosen. Afterwards neither the trial nor the choice is needed. */
bool sm_archive_save_new(struct sm_trial *t, const struct sm_archive_choice *c,
                         struct sm_archive_save **out, struct sm_err *err);
void sm_archive_save_free(struct sm_archive_save *s);
size_t sm_archive_save_count(const struct sm_archive_save *s); /* values to read */
/* May run in any thread. The file appears under its name only when complete; on failure no file is
 * left. left: counts down the remaining values. */
bool sm_archive_save_run(struct sm_archive_save *s, const char *path, const atomic_bool *cancelled,
                         atomic_ulong *left, struct sm_archive_saved *out, struct sm_err *err);

#endif
