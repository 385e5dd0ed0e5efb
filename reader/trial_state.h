/* SPDX-License-Identifier: Apache-2.0 */
/* Internal to a trial: for trial*.c only. */
#ifndef SM_TRIAL_STATE_H
#define SM_TRIAL_STATE_H

#include "reader/source/watch.h"
#include "reader/step_list.h"
#include "reader/tail.h"
#include "reader/trial.h"

#define NO_PART UINT32_MAX
enum { ARRIVALS = 16, RANGES = 4, RANGE_FILES = 128 };
enum { MERGE_WORK = 16384 }; /* of a turn of the loop: a few milliseconds */

/* A collection: the contents of its files, and the saved tensors in it, extended as names are
 * added. */
struct collection {
    struct sm_collection_def def; /* memory is in one of the trial's arenas */
    struct sm_names *listed;      /* union of tensor_names of all files */
    /* pcre2_code, parallel to def.regexes; NULL for an invalid pattern, or one that was given up */
    void **regexes;
    size_t n_regexes;
    bool compiled, given_up; /* given_up: the trial's patterns took too long in all */
    uint32_t *tensors;       /* name ids, natural order once sorted */
    size_t n_tensors, cap_tensors;
    uint8_t *member; /* bit by name id */
    size_t cap_member;
    uint32_t seen;          /* names below this id have been matched */
    uint64_t tensors_added; /* the trial's tensors_added at that time */
    uint64_t extending_to;  /* that of the last, perhaps unfinished, matching */
    bool has_empty;         /* some of them had no entries */
    bool sorted;
};

struct list_job {
    struct sm_job job;
    struct sm_trial *trial;
    struct sm_tail_changes *news;
    bool look_for_profile;
    struct sm_str profile_root; /* empty: none was found */
};
struct name_ids;
/* How far a batch has been merged. */
struct sm_trial_merged {
    size_t n; /* parts */
    bool failed;
    struct name_ids *names; /* between the turns */
};
struct read_job {
    struct sm_job job;
    struct sm_trial *trial;
    size_t from, to;
    struct sm_batch *batch;
    struct sm_trial_merged merged;
    bool done;
};

/* A scan (trial_scan.c): one list, then ranges of its queue, several at a time, merged in order. */
struct scan {
    struct list_job list;
    struct read_job ranges[RANGES]; /* a ring */
    size_t first_range, n_ranges;   /* submitted and not yet merged */
    size_t n_files, next_file;      /* of the queue; the next to submit */
    bool one_by_one;                /* a range is one file */
    bool listing, due, refresh_requested, changed, late, more, by_lines, failed;
    bool merging;      /* batches are left for the next turn of the loop */
    unsigned failures; /* consecutive scans that ran out of memory */
    int64_t deadline_us, retry_us, quiet_since_us, began_us;
    int64_t folders[2];
    bool watching[4]; /* root, index, collections, newest folder */
    int64_t watched_folders[2];
};

/* Invariants: steps ascend; the parts of a step are linked from first_part in worker order, without
 * replaced ones; tensors[id] belongs to name id (without entries until one is added); entries
 * ascend by (step, worker, part, seq). */
struct sm_trial {
    struct sm_source *source;
    struct sm_pool *pool;
    char *profile_root;          /* NULL: none was found */
    struct sm_profile *profile;  /* NULL: nobody asked for it */
    struct sm_trace_set *traces; /* NULL: nobody asked for them */
    size_t trace_problems;       /* as profile_problems */
    unsigned profile_looks;
    size_t profile_problems; /* of those of the profile, the trial has so many */
    struct sm_trial_options options;
    char *worker_option, *name;
    struct sm_names *names, *paths;

    struct sm_trial_tensor *tensors; /* by name id */
    size_t n_tensors, cap_tensors;
    uint32_t *room; /* by name id, all 0 between parts: entries that a part will add */
    size_t cap_room;
    uint32_t *order; /* ids of tensors with entries, natural order */
    size_t n_order, cap_order;
    bool order_stale;
    uint64_t tensors_added; /* counts tensors that got their first entry */

    struct sm_part *parts;
    uint32_t *next_part; /* links the parts of a step */
    uint32_t tail_part;  /* the part linked last */
    size_t n_parts, cap_parts, cap_next;
    struct sm_step_list *steps;
    size_t mode_steps[SM_MODES]; /* number of steps by their mode */
    int64_t *late; /* steps that got parts when they were not the newest, in order of arrival */
    size_t n_late, cap_late, late_before; /* late_before: n_late before the current merge */
    char **workers;                       /* natural order */
    /* newest step of each in this session, and when it was written (sm_batch_part) */
    int64_t *worker_last, *worker_written;
    size_t n_workers, cap_workers, cap_last, cap_written;
    uint64_t *dims; /* of shapes */
    size_t n_dims, cap_dims;

    struct collection *collections;
    size_t n_collections, cap_collections;
    struct sm_names *collection_names; /* all names of collections, and the index of each by its id
                                        */
    uint32_t *collection_at;
    size_t cap_collection_at, n_matched; /* collections[0 .. n_matched) have been matched once */
    uint64_t collections_merged, match_work; /* steps of pattern matching since the last merge */
    struct sm_arena *arenas;                 /* memory of the collections files read so far */
    size_t n_arenas, cap_arenas;
    char *first_collections; /* the worker whose file counts where files differ */
    int64_t num_workers;
    bool has_collections;

    struct sm_trial_session *sessions;
    size_t n_sessions, cap_sessions;
    bool new_session; /* the next part begins one */
    struct sm_problems problems;

    int64_t last_complete; /* -1 if none */
    size_t completed;      /* steps[0 .. completed) are complete according to last_complete */
    const struct sm_trial_traits *traits;
    uint64_t info_version;
    struct sm_run_info *info;              /* NULL: the kind says nothing */
    const struct sm_archive_info *archive; /* NULL: not an archive, or not listed yet */
    bool final;                            /* a copy: nothing will be added */
    bool one_worker;                       /* a step is complete when one worker has it */
    uint32_t given_session;                /* session stated by the newest part; 0 if none */
    bool exists, emptied, ended, claimed, after_end;
    bool end_read;        /* the end marker was there, and so was everything, in the last scan */
    bool end_fresh;       /* it appeared just now: other workers may still write */
    int64_t end_quiet_us; /* monotonic: the marker appeared, or something came after it */
    int64_t newest_us;
    bool stepless; /* it has data, but no steps */
    uint64_t bytes, index_files, version, arrivals_seen;
    uint64_t scalars_added; /* numbers the entries of scalars */
    size_t merged_most;     /* the most work of one turn */
    /* Values and reductions of all tensors: their number, those whose briefs are not settled and,
     * of the others, those that failed and those that were skipped; those being read. */
    struct {
        uint64_t all, unsettled, failed, skipped, asked;
    } briefs;
    int64_t pause_us; /* the 99th percentile of the last pauses between steps; -1: too few */
    struct {
        int64_t us[ARRIVALS]; /* when the newest new steps arrived, by mtime */
        size_t n;
    } arrivals;

    struct sm_glance *glance;  /* it sleeps; NULL: it is awake */
    bool waking;               /* the glance goes as soon as no scan runs */
    char *validation_name;     /* of the run of validation that is read, too; NULL: there is none */
    struct sm_source *joining; /* that run, until no scan runs; else NULL */
    struct sm_batch *waiting;  /* its scalars that the trial has not itself; NULL: none */
    size_t waited_tensors;     /* the trial had so many when these were last looked at */
    struct sm_names *session_names; /* scalars that only sessions have; NULL: none */
    struct sm_tail *tail;
    struct sm_watch *watch;
    struct scan scan;
    bool closing, scanned, changed;
};

/* The step of a tensor's i-th entry. */
static inline int64_t sm_trial_entry_step(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                          size_t i)
{
    return sm_tensor_part(t, x, i)->step.n;
}

/* trial_commit.c: where the entry is or belongs in the order of the tensor's entries; after those
 * that are equal in that order. */
size_t sm_trial_entry_position(const struct sm_trial *t, const struct sm_trial_tensor *x,
                               const struct sm_entry *e);
/* trial_scalars.c: makes the tensor one of packed points, unless it has other values. False: no
 * memory. */
bool sm_trial_pack_scalars(struct sm_trial_tensor *x);
/* Makes the packed points entries and briefs, among which values of other kinds can lie. */
bool sm_trial_unpack_scalars(struct sm_trial *t, struct sm_trial_tensor *x);
size_t sm_trial_scalar_index(const struct sm_trial *t, const struct sm_trial_tensor *x,
                             const struct sm_entry *e); /* n_entries: it has gone */
/* trial_brief.c: makes room for briefs of all entries that there is room for, if the tensor has
 * none. */
bool sm_trial_need_briefs(struct sm_trial_tensor *x);
/* trial_brief.c: entry i, of the entries there were, will be removed. */
void sm_trial_uncount_brief(struct sm_trial *t, struct sm_trial_tensor *x, size_t i);
/* trial.c: after steps were added or removed: how long the run usually pauses */
void sm_trial_note_pauses(struct sm_trial *t);
/* trial_merge.c */
void sm_trial_merge_news(struct sm_trial *t, struct sm_tail_changes *n);
/* Merges parts of the batch, from m->n on, and takes their work (values and shapes) off *work;
 * stops when nothing is left of it. False: not all are merged yet. True: all are, or m->failed, for
 * lack of memory. */
bool sm_trial_merge(struct sm_trial *t, const struct sm_batch *b, struct sm_trial_merged *m,
                    size_t *work);
/* Of a session of hyperparameters only the scalars that the trial does not have itself are taken.
 * A second call changes nothing. */
void sm_trial_keep_unknown(struct sm_trial *t, struct sm_batch *b);
/* Of a run of validation only the scalars that the trial has itself are taken, and the others wait;
 * without memory, all are. */
void sm_trial_keep_known(struct sm_trial *t, struct sm_batch *b);
/* Merges those that wait for a scalar that the trial has now. True: there were some. */
bool sm_trial_take_waiting(struct sm_trial *t);
/* UINT32_MAX if there is no memory */
uint32_t sm_trial_add_worker(struct sm_trial *t, const char *name);
void sm_trial_update_complete(struct sm_trial *t);
/* trial_collections.c */
bool sm_trial_merge_collections(struct sm_trial *t, struct sm_tail_changes *n); /* takes the arena
                                                                                   over */
void sm_trial_clear_collections(struct sm_trial *t);
/* trial_members.c */
/* Forgets the members, which are then matched again. */
void sm_collection_rematch(struct collection *c);
void sm_collection_free_patterns(struct collection *c);
/* Matches collections that were never matched, for some milliseconds. True if none is left. */
bool sm_trial_match_some(struct sm_trial *t);
/* trial_scan.c */
void sm_trial_begin_scans(struct sm_trial *t);
bool sm_trial_is_scanning(const struct sm_trial *t);
void sm_trial_drop_merges(struct sm_trial *t); /* what is left for the next turn */
/* trial_watch.c */
void sm_trial_watch(struct sm_trial *t);        /* without a place; follows if it is asked to */
void sm_trial_watch_places(struct sm_trial *t); /* those that exist by now */
/* After a scan: sets its deadline. Late files are checked again soon, then less and less often, as
 * they may stay late for ever. */
void sm_trial_plan_scan(struct sm_trial *t);
/* When the next scan is due, if none runs: a follower scans on an event, but not at every line of a
 * log, or at the deadline; others until one scan succeeded. */
int64_t sm_trial_scan_due_us(const struct sm_trial *t);
/* trial.c: after closing, when the last job has returned */
void sm_trial_free(struct sm_trial *t);
/* Compares ids by the natural order of their texts; for qsort_r. */
int sm_trial_compare_names(const void *a, const void *b, void *names);

#endif
