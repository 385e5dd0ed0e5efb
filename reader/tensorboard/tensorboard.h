/* SPDX-License-Identifier: Apache-2.0 */
/* TensorBoard log directories: event files (*tfevents*) without an index, which grow at their ends.
 * A run (a folder with event files) is a worker, and its name may be that of a mode; a tag is a
 * tensor, whatever the form of its values (reader/tensor/tensor.h). The path of an event file opens
 * the directory that it is in. Internal: for tensorboard*.c only, but for its
 * traits.
 *
 * The order of a run's records is TensorBoard's: its files by name, each from its beginning; of
 * several values of one tag and step the last one counts. A restart (a session log START at a step)
 * removes what the run has before it from that step on. In files of version 1 or without a version,
 * where a tag's step goes back, its later steps are removed.
 *
 * A record that is not valid may be incomplete: it is *torn* until it is certain that it stays that
 * way, and then *broken*. What follows it is not read. Both are read again when the file changes.
 *
 * PyTorch's add_hparams writes a session into a folder below the run's. If there is only one, or
 * all have the same hyperparameters, these and the metrics are the run's: but for scalars that the
 * run has itself. Otherwise, or if the run itself has no events, each is a run of its own.
 *
 * A run of validation beside one of training is read for that, too: only its scalars, under names
 * that begin with its own. As other runs are no restarts of it, its values are removed only by its
 * own: where a tag's step goes back.
 *
 * When a file that was read is removed, replaced or written anew, all files are read again. */
#ifndef SM_TENSORBOARD_H
#define SM_TENSORBOARD_H

#include "reader/format/event_walk.h"
#include "reader/kind/trial_kind.h"
#include "reader/logs/log_state.h"
#include "reader/tables/table_settings.h"
#include "reader/tensorboard/tensorboard_session.h"

extern const struct sm_trial_traits sm_board_traits; /* archives of such a trial have them, too */

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
    bool again;  /* must be read */
    bool later;  /* the run has a later file */
    bool lost;   /* removed, or its content is not what was taken */
    bool rest;   /* more of it is left than was queued */
    bool packed; /* compressed: size_bytes is that of the compressed file */
    bool guest;  /* of a session below the run */
};
/* What is read at once of a file: whole records. */
struct sm_board_piece {
    uint32_t file, version; /* version: that of the file's beginning */
    uint64_t from, to;      /* offsets; to 0: whatever there is */
};
/* A folder in that of the run; its number is that of its name in sm_board.below. */
struct sm_board_folder {
    enum sm_board_content content;
    uint32_t config;
};
struct sm_board {
    const struct sm_trial_input *in;
    struct sm_names *paths;
    struct sm_board_file *files;
    size_t n_files, cap_files;
    uint32_t *order; /* all files: by run, then by name */
    size_t cap_order;
    struct sm_board_piece *queue; /* to read, in that order */
    size_t n_queue, cap_queue;
    struct sm_names *below; /* folders in that of the run */
    struct sm_board_folder *folders;
    size_t cap_folders;
    bool named;                        /* the trial has the collections */
    struct sm_run_info info;           /* what the files taken say of the run */
    struct sm_table_settings settings; /* hparams.yaml and the like beside them */
    struct sm_log_sink sink;           /* what those say */
};

/* In sm_batch_file.own. */
enum { SM_BOARD_VERSION, SM_BOARD_CHECKSUM };

/* A file that has not changed for so long is not being written. */
enum { SM_BOARD_WRITTEN_US = 10 * 1000000 };

bool sm_board_same_run(const struct sm_board *b, uint32_t i, uint32_t j);
bool sm_board_is_event_file(const char *name);
/* Whether the source is a directory with event files that belong to no trial; the operation
 * `detect`. */
bool sm_board_detect(struct sm_source *source);
/* The operation `list`. */
void sm_board_list(void *state, struct sm_tail_changes *n);
/* Notes a folder in that of the run. False: no memory. */
bool sm_board_add_folder(struct sm_board *b, const char *name);
/* Looks at the folders that were not decided. Returns whether those that are sessions are parts of
 * the run; n->late: another may become one soon. */
bool sm_board_has_sessions(struct sm_board *b, struct sm_tail_changes *n);
/* Queues what has to be read of all files, or, if that is much, the first of it: n->more. */
bool sm_board_queue(struct sm_board *b, struct sm_tail_changes *n);
/* The operation `read`. */
struct sm_batch *sm_board_read(const void *state, size_t from, size_t to);
/* Of "brain.Event:2"; UINT32_MAX if the text is none. */
uint32_t sm_board_version(struct sm_text text);

/* ---- reading a piece ---- */

struct sm_board_reader {
    const struct sm_board *board;
    const struct sm_board_file *file;
    const char *path; /* of the file */
    struct sm_batch *batch;
    struct sm_arena arena; /* memory of one event */
    struct sm_str buffer;
    uint64_t at;  /* offset of the next record in the file */
    uint64_t end; /* of the piece; 0: whatever there is */
    uint32_t version;
    int mode;                     /* of the run */
    size_t before;                /* bytes of what all names begin with: of a run of validation */
    uint32_t worker, event_file;  /* names in the batch; SM_NAME_NONE: not yet, or no file */
    struct sm_walk_value *values; /* of one event */
    size_t cap_values;
    uint32_t *next; /* by name: the name that came after it, which is likely to come again */
    size_t cap_next;
    uint32_t last_name;
    bool torn;         /* the record there may be incomplete */
    struct sm_err cut; /* why there are no more bytes than those in the buffer; code 0: read */
    bool no_memory;
};
void sm_board_report(struct sm_board_reader *r, const struct sm_err *err);
/* Adds what a record of `length` bytes at r->at holds. False: it is not valid. */
bool sm_board_take_event(struct sm_board_reader *r, struct sm_bytes payload, uint64_t length,
                         struct sm_err *err);

/* Takes the content of the plugin "hparams". False: no memory. */
bool sm_board_take_hparams(struct sm_run_info *info, struct sm_bytes content);

/* The checksum of the bytes before `taken` (at most SM_BOARD_PRINT). SM_ERR_DATA: the file has
 * fewer. */
enum { SM_BOARD_PRINT = 256 };
bool sm_board_print(struct sm_source *source, const char *path, uint64_t taken, uint32_t *print,
                    struct sm_err *err);

#endif
