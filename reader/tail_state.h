/* Internal to the tail: for tail*.c only. */
#ifndef SM_TAIL_STATE_H
#define SM_TAIL_STATE_H

#include "reader/archive.h"
#include "reader/board.h"

/* An index file found by a list and not yet taken. */
struct queued {
    int64_t step, folder;
    uint64_t inode;
    size_t name;     /* offset in tail.odd_names; NO_NAME: the standard name */
    uint32_t worker; /* id in tail.workers */
};
#define NO_NAME SIZE_MAX

struct seen {
    uint64_t device, inode, size_bytes;
    int64_t time_us;
};

struct sm_tail {
    struct sm_source *source;
    struct sm_board *board; /* NULL: a trial, or not yet decided */
    struct sm_trial_options options;
    char *only_worker;
    struct sm_names *workers;  /* as in file names, with device names decoded */
    struct sm_map taken, bad;  /* sm_tail_key -> inode */
    struct sm_map collections; /* worker -> inode */
    int64_t *last_step;        /* by worker: the newest step of any list */
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
    bool decided;          /* files of smdebug were seen, so it is no TensorBoard directory */
    bool listed, complete; /* a list was made; one was made before the current one */
    bool gone;             /* the files taken have gone, and there are no new ones */
    size_t turn;           /* index of the next old folder to scan */
    int64_t newest_folder; /* of the last list */
};

static inline uint64_t sm_tail_key(int64_t step, uint32_t worker)
{
    return (uint64_t)step << 16 | worker;
}
enum { WORKERS_MAX = UINT16_MAX };
#define STEP_MAX ((int64_t)1 << 47)

/* appends */
void sm_tail_path(const struct sm_tail *t, const struct queued *q, struct sm_str *out);
/* whether the folder had late files since the last list */
bool sm_tail_was_late(const struct sm_tail *t, int64_t folder);
/* Missing files are no problem: they may still come. */
void sm_tail_report(struct sm_news *n, const char *file, const struct sm_err *err);
void sm_tail_list_collections(struct sm_tail *t, struct sm_news *n);
/* Fills the queue: from all folders, or from the newest, those created since, those with late
 * files, and one old folder in turn, in case files were added there. */
void sm_tail_list_index(struct sm_tail *t, struct sm_news *n);

#endif
