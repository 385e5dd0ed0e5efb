/* SPDX-License-Identifier: Apache-2.0 */
/* What a kind of trial hands to the trial: news of the files (a list), then batches of steps and
 * locations of values (read from ranges of the list's queue). */
#ifndef SM_TAIL_NEWS_H
#define SM_TAIL_NEWS_H

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/format/collections_json.h"
#include "reader/kind/problem.h"
#include "reader/kind/run_info.h"
#include "reader/source/source.h"

/* ---- list ---- */

struct sm_trial_traits;
struct sm_archive_info;
struct sm_tail_changed_collections {
    const char *worker; /* NULL: of no file, but what the kind itself says of names */
    int64_t time_us;    /* mtime */
    struct sm_collections_def def;
};
struct sm_tail_changes {
    bool exists, ended, claimed; /* the directory; its end marker; claim.smd */
    int64_t ended_us;            /* mtime of the end marker; 0: not known */
    int64_t newest_us; /* of a run without steps: when its newest data was written; 0: none */
    bool emptied;      /* the files taken have gone, and there are no new ones */
    bool recreated;    /* removed and created again: files taken before are of another directory */
    bool late;         /* a collections file is still incomplete */
    bool final;        /* a copy of a trial: nothing will be added */
    bool one_worker;   /* of several workers: a step is complete when this one has it */
    bool one_by_one;   /* a queued file is large: read each in a range of its own */
    bool more;         /* more can be read at once: list again when this is merged */
    bool by_lines;     /* its files are written line by line: not every event is worth a list */
    bool whole_info;   /* `info` is all that is said, and not to be added to what was said before */
    bool no_memory;    /* incomplete for lack of memory */
    size_t n_files;    /* queued files: read [0, n_files) in ranges */
    const struct sm_trial_traits *traits;  /* never NULL after a list */
    struct sm_run_info *info;              /* owned; what the logger says; NULL: no news */
    const struct sm_archive_info *archive; /* reader/archive/archive.h; NULL if not an archive */
    int64_t folders[2];                    /* the newest two of index/; -1 if none */
    struct sm_arena arena;                 /* memory of the collections */
    struct sm_tail_changed_collections *collections; /* sorted by file name */
    size_t n_collections, cap_collections;
    struct sm_problems problems;
};
struct sm_tail_changes *sm_news_new(void); /* NULL if there is no memory */
void sm_tail_changes_free(struct sm_tail_changes *n);
/* Missing files are no problem: they may still come. */
void sm_news_report(struct sm_tail_changes *n, const char *file, const struct sm_err *err);
/* Sets exists, ended and claimed for a directory; *st is that of the directory. False, with the
 * reason in err: it does not exist or cannot be read. */
/* After the first worker has ended, the others may still write: for so long, as smdebug's reader
 * waits (doc/formats.md). */
enum { SM_END_GRACE_US = 1000000 };
bool sm_news_check_root(struct sm_tail_changes *n, struct sm_source *source, struct sm_stat *st,
                        struct sm_err *err);

/* ---- read ---- */

/* SAME: read again, with the content it had before; it adds no part. */
enum sm_fate { SM_FATE_TAKEN, SM_FATE_LATE, SM_FATE_BAD, SM_FATE_UNWANTED, SM_FATE_SAME };
struct sm_batch_file {
    enum sm_fate fate;
    uint64_t print; /* of the content; 0: not known */
    uint64_t size_bytes;
    int64_t time_us;
    uint32_t own[2]; /* what the kind wants to know again when it settles */
};
/* What a part removes of its worker's values before it: those that come first in the order of event
 * files by name, then of batches. */
enum sm_batch_removal {
    SM_REMOVES_NOTHING,
    SM_REMOVES_STEPS, /* all from its step on; it has no values itself */
    SM_REMOVES_LATER  /* of its own tensors, those after its step */
};
/* One index file; its lists are ranges of the batch's arrays. */
struct sm_batch_part {
    int64_t step, mode_step, time_us;
    int64_t written_us; /* when the job wrote it, as its first record says; 0: not known */
    int mode;
    uint32_t session; /* number in the archived trial, from 1; 0: derived from the steps */
    bool completes;   /* replaces a part that was taken when its event file was not whole */
    bool adds;        /* extends an existing part of the step: files without an index grow */
    enum sm_batch_removal removes;
    uint32_t worker, event_file; /* ids in the batch's names; event_file NONE if none */
    size_t first_value, n_values, first_shape, n_shapes, first_scalar, n_scalars;
    uint64_t scalar_bytes; /* of the records that its scalars were read from */
};
struct sm_batch_value {
    uint64_t offset, length;
    uint32_t name;
    uint16_t value; /* index in the record */
    uint8_t form;   /* enum sm_value_form */
};
/* A number that the kind has read already: there is no record to read later. */
struct sm_batch_scalar {
    double time; /* seconds since 1970; NaN: not known */
    union {
        double number;      /* of SM_DTYPE_FLOAT64 */
        uint8_t element[8]; /* of any real type: as stored, little endian; the rest is 0 */
    };
    uint32_t name;
    uint8_t dtype; /* enum sm_dtype */
};
struct sm_batch_shape {
    uint32_t name;
    size_t first_dim; /* position in dims of the number of dims, followed by the dims */
};
struct sm_batch {
    struct sm_names *names; /* of tensors, workers and files; ids are local to this batch */
    size_t first, n_files;  /* the range of the queue that was read */
    /* Of a run of validation beside the trial's: what the names of its scalars begin with, borrowed
     * from the tail; NULL: of the trial itself. */
    const char *validation;
    bool session; /* of a session of hyperparameters: scalars that the trial has itself are left out
                   */
    struct sm_batch_file *files;
    struct sm_batch_part *parts; /* one per file taken, in order */
    struct sm_batch_value *values;
    /* Of each value, its number if it has one element and was read already; dtype NONE: it was not.
     * NULL: none was. */
    struct sm_batch_scalar *known;
    struct sm_batch_scalar *scalars;
    struct sm_batch_shape *shapes;
    uint64_t *dims;
    size_t n_parts, cap_parts, n_values, cap_values, n_scalars, cap_scalars, n_shapes, cap_shapes,
        n_dims, cap_dims;
    struct sm_run_info *info; /* owned; added to what is known of the run; NULL: nothing */
    struct sm_problems problems;
};
/* Its info, made when it is first asked for; NULL: no memory. */
struct sm_run_info *sm_batch_info(struct sm_batch *b);
/* a batch for those files; NULL if there is no memory */
struct sm_batch *sm_batch_new(size_t from, size_t to);
void sm_batch_free(struct sm_batch *b);
/* Orders the parts by step, those of one step as they are: packed points that arrive in order cost
 * less. Nothing if a part removes some of what is before it. */
void sm_batch_sort(struct sm_batch *b);

#endif
