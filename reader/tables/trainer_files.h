/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a run of Hugging Face's Trainer: OUT/trainer_state.json, and those in
 * OUT/checkpoint-N. Each has the whole history up to its step. */
#ifndef SM_TRAINER_FILES_H
#define SM_TRAINER_FILES_H

#include "reader/source/source.h"

#define SM_TRAINER_STATE "trainer_state.json"

/* Whether a name is checkpoint-N. */
bool sm_is_checkpoint_name(const char *name, int64_t *n);

struct sm_trainer_file {
    int64_t checkpoint; /* N; -1: of the folder itself */
    char *path;
    struct sm_stat stat;
    bool there;
};
/* Zero-initialised but for folder ("" or with '/' at its end, borrowed) and source. */
struct sm_trainer_files {
    struct sm_source *source;
    const char *folder;
    struct sm_trainer_file *items; /* in the order of checkpoints; the folder's own is first */
    size_t n, cap;
    int64_t listed_us; /* mtime of the folder when it was listed */
    bool failed;
};
/* Looks which files are there. False: nothing has changed since the last look. err is set (code
 * not 0) if something could not be looked at. */
bool sm_trainer_files_look(struct sm_trainer_files *f, struct sm_err *err);
/* Those that can have the newest history: that of the folder, of the last checkpoint, and the one
 * written last. Items may be NULL, or twice the same. */
struct sm_trainer_newest {
    const struct sm_trainer_file *own, *last, *written;
};
struct sm_trainer_newest sm_trainer_files_newest(const struct sm_trainer_files *f);
void sm_trainer_files_clear(struct sm_trainer_files *f);

#endif
