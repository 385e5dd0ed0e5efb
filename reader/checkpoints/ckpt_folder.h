/* SPDX-License-Identifier: Apache-2.0 */
/* The names in folders of checkpoints and the sizes of files, as they were when the folder was
 * looked at.
 *
 * A folder in which nothing has been written for five minutes is looked at once a minute, others
 * each time: looking for news costs the same however many checkpoints there are. Of a folder that
 * may get new checkpoints, the time of its last change is compared each time. */
#ifndef SM_CKPT_FOLDER_H
#define SM_CKPT_FOLDER_H

#include "reader/source/source.h"

enum { SM_CKPT_QUIET_US = 300000000, SM_CKPT_LOOK_US = 60000000 };

struct sm_ckpt_entry {
    char *name;        /* of a file that may have tensors, or of a folder, with '/' at its end */
    struct sm_stat st; /* of a file */
};
struct sm_ckpt_folder {
    struct sm_ckpt_entry *items; /* in natural order */
    size_t n, cap;
    bool has_metadata;  /* of torch.distributed.checkpoint */
    bool failed;        /* no memory: some are missing */
    int64_t changed_us; /* mtime of the folder; 0: not known */
    int64_t newest_us;  /* of the folder and its files */
    int64_t looked_us;  /* wall clock; for struct sm_ckpt_folders, as is `used` */
    bool used;
};
/* Lists a folder ("" is the root). only: the name of a file that counts whatever it is called, and
 * no other; NULL: all whose names say that they may have tensors. Files get their stat if `stats`
 * is set. One that cannot be read is empty. Clear it in any case. */
void sm_ckpt_folder_read(struct sm_ckpt_folder *f, struct sm_source *files, const char *path,
                         const char *only, bool stats);
void sm_ckpt_folder_clear(struct sm_ckpt_folder *f);

/* What is known of folders, by their paths. */
struct sm_ckpt_folders;
struct sm_ckpt_folders *sm_ckpt_folders_new(void); /* NULL: no memory */
void sm_ckpt_folders_free(struct sm_ckpt_folders *c);
/* Begins to look at all: those that are not looked at until the next time are forgotten. now_us:
 * wall clock. */
void sm_ckpt_folders_begin(struct sm_ckpt_folders *c, int64_t now_us);
/* Everything is looked at again. */
void sm_ckpt_folders_forget(struct sm_ckpt_folders *c);
/* The folder with its stats, valid until the next begin; NULL: no memory. grows: it may get new
 * checkpoints. */
const struct sm_ckpt_folder *sm_ckpt_folders_look(struct sm_ckpt_folders *c,
                                                  struct sm_source *files, const char *path,
                                                  const char *only, bool grows);

#endif
