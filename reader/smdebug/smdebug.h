/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of trial that smdebug and SageMaker's debugger write: a directory with index/, events/
 * and collections/ (doc/formats.md). Internal: for smdebug*.c only, but for its traits.
 *
 * An index file is taken when its event file exists and is long enough. Otherwise it is *late*: not
 * remembered, so that each list finds it again, and taken with a problem once it will provably stay
 * incomplete (the same worker has written a later step since, or the job has ended). A file that is
 * written, copied or touched again with the content it had (smdebug_print.c) is no news. The cost
 * of a list does not grow with history: it reads the newest two folders, those with late files, and
 * one old folder in turn. */
#ifndef SM_SMDEBUG_H
#define SM_SMDEBUG_H

#include "reader/base/bytes.h"
#include "reader/kind/trial_kind.h"

/* An index file found by a list and not yet taken. */
struct queued {
    int64_t step, folder;
    uint64_t inode;
    size_t name;     /* offset in sm_smdebug.odd_names; NO_NAME: the standard name */
    uint32_t worker; /* id in sm_smdebug.workers */
};
#define NO_NAME SIZE_MAX

struct seen {
    uint64_t device, inode, size_bytes;
    int64_t time_us;
};

struct sm_smdebug {
    const struct sm_trial_input *in;
    struct sm_names *workers;   /* as in file names, with device names decoded */
    struct sm_map taken, bad;   /* sm_smdebug_key -> inode */
    struct sm_map prints;       /* of files taken: sm_smdebug_key -> print */
    struct sm_map late_since;   /* of late files: sm_smdebug_key -> monotonic us */
    struct sm_map collections;  /* worker -> inode */
    struct sm_map folder_time;  /* of folders listed: number -> mtime us */
    struct sm_map folder_since; /* number -> monotonic us when that mtime was first seen */
    struct sm_map folder_quiet; /* those listed long enough after their mtime -> 1 */
    int64_t *last_step;         /* by worker: the newest step of any list */
    size_t cap_last;
    struct queued *queue; /* by step, then worker */
    size_t n_queue, cap_queue;
    struct sm_str odd_names;
    int64_t *late_folders; /* folders with late files, since the last list */
    size_t n_late, cap_late;
    struct seen root, newest; /* identities of the directory and of the file taken last */
    struct queued newest_file;
    struct sm_str newest_name; /* path of newest; empty if none was taken */
    bool ended, everything;
    bool touched;          /* the file taken last has changed in place: its folder shows nothing */
    int64_t ended_us;      /* mtime of the end marker */
    bool listed, complete; /* a list was made; one was made before the current one */
    bool gone;             /* the files taken have gone, and there are no new ones */
    size_t turn;           /* index of the next old folder to scan */
    int64_t newest_folder; /* of the last list */
};

extern const struct sm_trial_traits sm_smdebug_traits; /* archives of such a trial have them, too */

static inline uint64_t sm_smdebug_key(int64_t step, uint32_t worker)
{
    return (uint64_t)step << 16 | worker;
}
enum { WORKERS_MAX = UINT16_MAX };
#define STEP_MAX ((int64_t)1 << 47)

/* appends */
void sm_smdebug_path(const struct sm_smdebug *t, const struct queued *q, struct sm_str *out);
/* whether the folder had late files since the last list */
bool sm_smdebug_was_late(const struct sm_smdebug *t, int64_t folder);
void sm_smdebug_list_collections(struct sm_smdebug *t, struct sm_tail_changes *n);
/* Fills the queue: from all folders, or from the newest, those created since, those with late
 * files, and one old folder in turn, in case files were added there. */
void sm_smdebug_list_index(struct sm_smdebug *t, struct sm_tail_changes *n);
/* What identifies the content of an index file and of its event file, and when it was written. */
#define SM_PRINT_CUT UINT64_C(2) /* the event file was missing or too short */
struct sm_smdebug_print {
    uint64_t print;     /* 0: not known */
    int64_t written_us; /* wall clock of the job, in its first record; 0: not known */
};
/* index: the text of the index file; events: path of the event file, NULL if it has none; first:
 * offset of its first record. Reads the beginning and the end of the event file only. */
struct sm_smdebug_print sm_smdebug_print(struct sm_source *s, struct sm_bytes index,
                                         const char *events, uint64_t first);
/* the operation `read` of the kind */
struct sm_batch *sm_smdebug_read(const void *state, size_t from, size_t to);

#endif
