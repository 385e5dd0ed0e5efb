/* SPDX-License-Identifier: Apache-2.0 */
/* A kind of trial, as a constant record of operations: recognise its files, list new ones, read
 * them.
 *
 * The room reader/kind/ is what all kinds share: this record, what a list and a read return
 * (tail_news.h), what the trials of a kind are like (trial_traits.h), options (trial_options.h) and
 * problems (problem.h). A kind is a room or a file that defines `const struct sm_trial_kind
 * sm_trial_kind_NAME`, and a line in reader/trial_kinds.h. The tail (reader/tail.h) chooses the
 * kind of a source and calls its operations:
 *
 *   list    exclusive, in a worker: finds new files and queues them
 *   read    several at a time, in workers: reads a range of that queue; changes nothing
 *   settle, everything, unread
 *           in the loop's thread, while no list runs
 *
 * A batch gives the location of a value: file, offset and length of an event record (framed as in
 * reader/format/tfrecord.h), which is read later through the source. A kind whose files are in
 * another format needs a source of its own (open_path) that makes such records when they are read.
 */
#ifndef SM_TRIAL_KIND_H
#define SM_TRIAL_KIND_H

#include "reader/kind/tail_news.h"
#include "reader/kind/trial_options.h"
#include "reader/kind/trial_traits.h"

struct stat;
struct sm_run_folder;
struct sm_log_format;

/* Valid as long as the state of the kind. */
struct sm_trial_input {
    struct sm_source *source;
    struct sm_trial_options options;
    const struct sm_trial_kind *kind;
    /* The source is a run of validation that is read for the run of training in this folder:
     * sm_trial_options.validation_name. Both NULL: it is the trial's own. */
    const char *training_root, *validation_name;
};

struct sm_trial_kind {
    const struct sm_trial_traits *traits; /* NULL: each list sets those of the trial */

    /* Adds the runs of this kind that a folder has (run_folder.h). NULL: they are found otherwise.
     */
    void (*find)(struct sm_run_folder *folder);
    const struct sm_log_format *log; /* of kinds that are logs (reader/logs/log_kind.h), else NULL
                                      */

    /* Both NULL if the trials of this kind are directories only. owns_path: whether open_path opens
     * this path, which is not a directory; st is its stat, NULL if nothing has that name.
     * open_path: NULL on error; may return the source of another path, like the directory of the
     * file. */
    bool (*owns_path)(const char *path, const struct stat *st);
    struct sm_source *(*open_path)(const char *path, struct sm_err *err);

    /* Optional: the source that a run of this kind is opened with, over the files of its folder, to
     * which it keeps a reference. NULL on error. */
    struct sm_source *(*wrap)(struct sm_source *files, struct sm_err *err);
    struct sm_source *(*unwrap)(struct sm_source *s); /* what was wrapped; borrowed */

    /* Whether the source has files of this kind, in a worker. Called before each list until a kind
     * is decided. NULL: only what `find` found is opened with this kind. The last kind takes all
     * others, is used while nothing is decided, and is decided when it finds its first files. */
    bool (*detect)(struct sm_source *source);

    void *(*new_state)(const struct sm_trial_input *in); /* NULL if there is no memory; no I/O */
    void (*free_state)(void *state);
    void (*list)(void *state, struct sm_tail_changes *n);
    /* NULL if there is no memory */
    struct sm_batch *(*read)(const void *state, size_t from, size_t to);
    /* Records the fates of a range. n_merged: how many of b's parts the trial has taken; the others
     * must be found again. */
    void (*settle)(void *state, const struct sm_batch *b, size_t n_merged);
    /* Optional: makes the next list search all folders, and retry bad files. */
    void (*everything)(void *state);
    /* Optional, after lack of memory: unsettled files and collections must be found again. */
    void (*unread)(void *state);
};

#endif
