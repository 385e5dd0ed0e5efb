/* Inside of a tail: for tail*.c alone. */
#ifndef SM_TAIL_STATE_H
#define SM_TAIL_STATE_H

#include "reader/archive.h"
#include "reader/board.h"

/* An index file seen in a list and not taken yet. */
struct queued {
    int64_t step, folder;
    uint64_t inode;
    size_t name;     /* offset in tail.odd_names; NO_NAME: as smdebug spells it */
    uint32_t worker; /* id in tail.workers */
};
#define NO_NAME SIZE_MAX

struct seen {
    uint64_t device, inode, size_bytes;
    int64_t time_us;
};

struct sm_tail {
    struct sm_source *source;
    struct sm_board *board; /* NULL: it is a trial, or nothing yet */
    struct sm_trial_options options;
    char *only_worker;
    struct sm_names *workers;  /* as in file names, devices undone */
    struct sm_map taken, bad;  /* sm_tail_key -> inode */
    struct sm_map collections; /* worker -> inode */
    int64_t *last_step;        /* by worker: the newest step in any list */
    size_t cap_last;
    struct queued *queue; /* by step, then worker */
    size_t n_queue, cap_queue;
    struct sm_str odd_names;
    int64_t *late_folders; /* with files that were late, since the last list */
    size_t n_late, cap_late;
    struct seen root, newest; /* the directory itself; the file taken last */
    struct queued newest_file;
    struct sm_str newest_name; /* its path; empty: none was taken */
    bool ended, everything;
    bool decided;          /* smdebug's files were seen: it is no TensorBoard directory */
    bool listed, complete; /* there has been a list; there was one before the present one */
    bool gone;             /* what was taken has gone, and nothing new has come */
    size_t turn;           /* of the old folders */
    int64_t newest_folder; /* in the last list */
};

static inline uint64_t sm_tail_key(int64_t step, uint32_t worker)
{
    return (uint64_t)step << 16 | worker;
}
enum { WORKERS_MAX = UINT16_MAX };
#define STEP_MAX ((int64_t)1 << 47)

/* appends */
void sm_tail_path(const struct sm_tail *t, const struct queued *q, struct sm_str *out);
/* had files that were, since the last list */
bool sm_tail_was_late(const struct sm_tail *t, int64_t folder);
/* What is missing is no problem: it may come. */
void sm_tail_report(struct sm_news *n, const char *file, const struct sm_err *err);
void sm_tail_list_collections(struct sm_tail *t, struct sm_news *n);
/* Fills the queue: from all folders, or from the newest, those that came since, those that had late
 * files, and one old folder in turn, since somebody may have put a file there. */
void sm_tail_list_index(struct sm_tail *t, struct sm_news *n);

#endif
