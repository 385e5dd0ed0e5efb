/* TensorBoard log directories: event files (*tfevents*) without an index, which grow at their ends.
 * A run (a folder with event files) is a worker, and its name may be that of a mode; a tag is a
 * tensor, whatever the form of its values (reader/tensor/tensor.h). The path of an event file opens
 * the directory that it is in. Internal: for tensorboard*.c only.
 *
 * The order of a run's records is TensorBoard's: its files by name, each from its beginning; of
 * several values of one tag and step the last one counts. A restart (a session log START at a step)
 * removes what the run has before it from that step on. In files of version 1 or without a version,
 * where a tag's step goes back, its later steps are removed.
 *
 * A record that is not valid may be incomplete: it is *torn* until it is certain that it stays that
 * way, and then *broken*. What follows it is not read. Both are read again when the file changes.
 *
 * When a file that was read is removed, replaced or written anew, all files are read again. */
#ifndef SM_TENSORBOARD_H
#define SM_TENSORBOARD_H

#include "reader/kind/trial_kind.h"

enum sm_board_fault { SM_BOARD_NO_FAULT, SM_BOARD_TORN, SM_BOARD_BROKEN };

/* its number is that of its path in sm_board.paths */
struct sm_board_file {
    size_t run_bytes;    /* length of the path's folder part */
    uint64_t inode;      /* 0: not seen */
    uint64_t size_bytes; /* at the last list, like time_us: mtime */
    int64_t time_us;
    uint64_t taken; /* bytes merged so far; the records are whole */
    uint32_t print; /* checksum of the last bytes taken */
    uint32_t version;
    uint64_t torn_bytes; /* size of the file when its record at `taken` was first seen torn; or 0 */
    int64_t purged_from; /* a later file of the run has removed the steps from here on */
    enum sm_board_fault fault;
    bool again; /* must be read */
    bool later; /* the run has a later file */
    bool lost;  /* removed, or its content is not what was taken */
};
struct sm_board {
    const struct sm_trial_input *in;
    struct sm_names *paths;
    struct sm_board_file *files;
    size_t n_files, cap_files;
    uint32_t *order; /* all files: by run, then by name */
    size_t cap_order;
    uint32_t *queue; /* files to read, in that order */
    size_t n_queue, cap_queue;
    bool named; /* the trial has the collections */
};

/* In sm_batch_file.own. */
enum { SM_BOARD_VERSION, SM_BOARD_CHECKSUM };

bool sm_board_same_run(const struct sm_board *b, uint32_t i, uint32_t j);
bool sm_board_is_event_file(const char *name);
/* Whether the source is a directory with event files that belong to no trial; the operation
 * `detect`. */
bool sm_board_detect(struct sm_source *source);
/* The operation `list`. */
void sm_board_list(void *state, struct sm_tail_changes *n);
/* The operation `read`. */
struct sm_batch *sm_board_read(const void *state, size_t from, size_t to);
/* The checksum of the bytes before `taken` (at most SM_BOARD_PRINT). SM_ERR_DATA: the file has
 * fewer. */
enum { SM_BOARD_PRINT = 256 };
bool sm_board_print(struct sm_source *source, const char *path, uint64_t taken, uint32_t *print,
                    struct sm_err *err);

#endif
