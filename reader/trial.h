/* SPDX-License-Identifier: Apache-2.0 */
/* A trial: names, steps and the location of every value, kept up to date while the job writes.
 *
 * Opening reads only collections, index files, and event files that are small and have numbers. All
 * state belongs to the loop's thread; scanning and parsing run as pool jobs whose finished batches
 * sm_trial_pump merges, so nothing here blocks on a disk. Global steps and mode steps are different
 * types, so that mixing them up does not compile.
 *
 * Live (doc/formats.md): inotify on the newest index folders and periodic scans. An index file
 * counts only when its event file exists and is long enough; until then it is "not yet" and is
 * checked again. A step that is written again with other content, or a lower step written later
 * than those there are, begins a new session; the newest wins, nothing is deleted.
 *
 * The folder reader/ itself is trials and values: finding files (tail.h, trial_kinds.h), trials
 * (trial.h, nearest.h), values on request (fetch.h, series.h, summary.h; cache.h
 * and fetch_*.h serve them). Trials in one file are read by reader/archive and written by
 * reader/save. */
#ifndef SM_TRIAL_H
#define SM_TRIAL_H

#include "reader/base/map.h"
#include "reader/base/pool.h"
#include "reader/brief.h"
#include "reader/format/collections_json.h"
#include "reader/format/index_json.h"
#include "reader/kind/problem.h"
#include "reader/kind/run_info.h"
#include "reader/kind/trial_options.h"
#include "reader/kind/trial_traits.h"
#include "reader/points/glance.h"
#include "reader/points/points.h"
#include "reader/source/source.h"
#include "reader/tensor/stats.h"

#define SM_WORKER_ANY UINT16_MAX

/* UNREADABLE: sm_trial_unreadable. */
enum sm_trial_state {
    SM_TRIAL_WAITING,
    SM_TRIAL_LIVE,
    SM_TRIAL_STALLED,
    SM_TRIAL_ENDED,
    SM_TRIAL_UNREADABLE
};
/* "waiting" "live" "stalled" "ended" "unreadable" */
const char *sm_trial_state_name(enum sm_trial_state s);

/* What one worker wrote in one step: one index file. */
struct sm_part {
    struct sm_step step;
    struct sm_mode_step mode_step;
    uint8_t mode;
    bool replaced; /* of an older session: a newer part has replaced it */
    uint16_t worker, session;
    uint32_t event_file; /* id in sm_trial_paths; NONE: no event file (shapes only) */
    uint32_t entries;
    int64_t time_us; /* wall clock: mtime of the index file */
};

/* NONE: what a function returns if there is no entry; an entry that is all 0 is none. */
enum sm_entry_kind { SM_ENTRY_NONE, SM_ENTRY_VALUE, SM_ENTRY_REDUCTION, SM_ENTRY_SHAPE };
/* The location of one value. 24 bytes. Entries are copies: the trial keeps them in another form,
 * and a copy stays valid as long as its part is there. */
struct sm_entry {
    /* of the framed record, SHAPE: an index for sm_trial_shape; index of the value in the record */
    uint64_t offset : SM_INDEX_OFFSET_BITS, value : 16;
    uint64_t length : SM_INDEX_LENGTH_BITS; /* of the record */
    uint64_t kind : 2, reduction : 6; /* enum sm_entry_kind; enum sm_reduction | SM_REDUCE_ABS */
    uint64_t seq : 16;                /* position in the index file, saturating: write order */
    uint32_t part, tensor;            /* tensor: name id */
};

static inline struct sm_entry sm_entry_none(void)
{
    return (struct sm_entry){.kind = SM_ENTRY_NONE};
}

/* e may be NULL, which is none too. */
static inline bool sm_entry_exists(const struct sm_entry *e)
{
    return e && e->kind != SM_ENTRY_NONE;
}

static inline bool sm_entry_same(const struct sm_entry *a, const struct sm_entry *b)
{
    return a->tensor == b->tensor && a->part == b->part && a->offset == b->offset &&
           a->length == b->length && a->value == b->value && a->kind == b->kind;
}

/* Whether the value came with its step: it has no record, and its brief is all there is. */
static inline bool sm_entry_is_scalar(const struct sm_entry *e)
{
    return e->kind == SM_ENTRY_VALUE && e->length == 0;
}

struct sm_trial_tensor {
    uint32_t name; /* id in sm_trial_names */
    /* Entries are by step, then worker (natural order), then write order; newest session last. Read
     * them by sm_tensor_entry, sm_tensor_part and sm_tensor_brief. */
    size_t n_entries, cap_entries;
    /* For trial_*.c alone. kept: one brief for each entry; NULL: nothing was read yet. */
    struct sm_scalar_points *scalars; /* if all are scalars: these hold them; otherwise NULL */
    struct sm_entry *located;
    struct sm_brief *kept;
    size_t cap_briefs;
    /* values and reductions of which the briefs are not settled; of those, being read */
    size_t unsettled, asked;
    struct sm_step first, last;
    uint32_t steps;         /* number of distinct global steps */
    uint8_t modes;          /* bit 1 << mode */
    uint8_t forms;          /* bit 1 << enum sm_value_form */
    uint32_t reductions[2]; /* bit per operation; [1]: of |x| */
    bool has_value, has_shape;
};

struct sm_trial_step {
    struct sm_step step;
    struct sm_mode_step mode_step;
    uint8_t mode;
    bool complete; /* listed by smdebug's trial.steps() (doc/formats.md) */
    uint16_t n_workers;
    uint32_t first_part; /* head of the parts of this step: sm_trial_step_part */
    uint32_t tensors;    /* distinct names written; reductions count as their tensor */
    int64_t time_us;
};

struct sm_trial_session {
    uint16_t id; /* the first is 0 */
    struct sm_step first, last;
    int64_t begin_us, end_us;
    uint32_t steps;
};

struct sm_trial;
struct sm_archive_info;
struct sm_profile;
struct sm_trace_set;
/* Succeeds for a directory that is empty or missing: the state is waiting. Fails only for lack of
 * memory. Keeps a reference to `source`. */
bool sm_trial_open(struct sm_source *source, const struct sm_trial_options *o, struct sm_pool *pool,
                   struct sm_trial **out, struct sm_err *err);
void sm_trial_close(struct sm_trial *t);
/* From now on the trial, a run of training of TensorBoard, has the scalars of a run of validation,
 * too, as with sm_trial_options.validation. Nothing if it has some. Keeps a reference. */
void sm_trial_join(struct sm_trial *t, struct sm_source *source, const char *name);
/* Whether a tensor of that name is one of that run; the session has it as a run, too. */
bool sm_trial_is_validation(const struct sm_trial *t, const char *name);

/* ---- sleep ---- */

/* A trial that was opened with the option `asleep` follows its files, but keeps a glance of them
 * only (reader/points/glance.h): it has no tensors and no steps. NULL: it is awake. */
const struct sm_glance *sm_trial_glance(const struct sm_trial *t);
/* Its steps, also while it sleeps: then their number is about right. */
struct sm_trial_range {
    uint64_t steps;
    int64_t first, last; /* -1 without */
};
struct sm_trial_range sm_trial_range(const struct sm_trial *t);
/* Begins to read all of it; sm_trial_scanned is false until then. Nothing happens if it is awake.
 */
void sm_trial_wake(struct sm_trial *t);

/* ---- changes ---- */
int sm_trial_fd(const struct sm_trial *t); /* inotify, the same for all trials; or -1 */
/* Monotonic; the latest time at which pump should be called. */
int64_t sm_trial_deadline_us(const struct sm_trial *t);
/* Starts a scan if one is due, by its time or by an event that sm_watch_pump has brought, which is
 * called once for all trials before; true if something changed. */
bool sm_trial_pump(struct sm_trial *t);
void sm_trial_refresh(struct sm_trial *t);           /* requests a full scan as soon as possible */
bool sm_trial_is_followed(const struct sm_trial *t); /* new files are looked for */
/* Whether the first scan (or the refresh) has been merged. */
bool sm_trial_scanned(const struct sm_trial *t);
/* Increases with every change of what the functions below return. No two trials of a process have
 * the same, nor the same upper 32 bits, and none has 0. */
uint64_t sm_trial_version(const struct sm_trial *t);

/* Increases when index files arrive: values that could not be read may exist now. */
uint64_t sm_trial_arrivals(const struct sm_trial *t);

/* ---- state ---- */
enum sm_trial_state sm_trial_state(const struct sm_trial *t);
/* Whether it has ended only because nothing has come for a day (trial_traits.h): it may have been
 * stopped. */
bool sm_trial_end_unsaid(const struct sm_trial *t);
/* Its name for people: "failed" if it has ended with another exit code than 0. */
const char *sm_trial_state_word(const struct sm_trial *t);
/* The silence after which a run without an end counts as stalled: what the options say, or five
 * times its usual pause between steps (99th percentile of the last 256) and at least one minute;
 * ten minutes while there are fewer than 11 steps. */
int64_t sm_trial_stall_us(const struct sm_trial *t);
/* Time until the state becomes stalled if nothing arrives; INT64_MAX if it is not live. */
int64_t sm_trial_stalls_in_us(const struct sm_trial *t);
/* Its kind, as JSON has it: "safetensors", "tensorboard"; "snapshot" for an archive. */
const char *sm_trial_kind_name(const struct sm_trial *t);
/* What its kind is like; never NULL. */
const struct sm_trial_traits *sm_trial_traits(const struct sm_trial *t);
/* Set if the path is an archive's file (reader/archive/archive.h); NULL if not, or before its first
 * scan is complete. */
const struct sm_archive_info *sm_trial_archive(const struct sm_trial *t);
/* Whether an archive has only the value's statistics. */
bool sm_trial_left_out(const struct sm_trial *t, const struct sm_entry *e);
/* Whether the files have gone: deleted, or moved away. */
bool sm_trial_emptied(const struct sm_trial *t);
/* Whether its directory could not be read, for another reason than that it does not exist (yet), or
 * nothing of its files, of which one or more are damaged or refused. *why is the reason, with the
 * first such file; may be NULL. */
bool sm_trial_unreadable(const struct sm_trial *t, struct sm_err *why);
bool sm_trial_writing_after_end(const struct sm_trial *t); /* end marker, but new files */
int64_t sm_trial_newest_us(const struct sm_trial *t); /* wall clock of the newest data; 0 if none */
/* Over the last arrivals; NaN if unknown. */
double sm_trial_steps_per_second(const struct sm_trial *t);
const char *sm_trial_name(const struct sm_trial *t); /* last informative part of the path */
const char *sm_trial_path(const struct sm_trial *t);
struct sm_source *sm_trial_source(const struct sm_trial *t);
bool sm_trial_claimed(const struct sm_trial *t);   /* claim.smd exists */
uint64_t sm_trial_bytes(const struct sm_trial *t); /* of records indexed */
uint64_t sm_trial_index_files(const struct sm_trial *t);
/* The most work, in values, that one turn of the loop has merged. */
size_t sm_trial_merged_most(const struct sm_trial *t);
size_t sm_trial_memory(const struct sm_trial *t); /* Memory held by names, steps and entries. */
/* What its logger says of the run; never NULL, empty for kinds that say nothing. Valid until the
 * next pump. */
const struct sm_run_info *sm_trial_info(const struct sm_trial *t);
uint64_t sm_trial_info_version(const struct sm_trial *t); /* no two trials have the same */
const struct sm_problems *sm_trial_problems(const struct sm_trial *t);
/* Records bad data found by a reader. */
void sm_trial_report(struct sm_trial *t, const char *file, int64_t offset,
                     const struct sm_err *err);

/* ---- the profile of the run (reader/profile/profile.h) ---- */

/* The root of the profiler's tree that is in the trial's directory or beside it; NULL: there is
 * none, or the first scan is not complete. */
const char *sm_trial_profile_root(const struct sm_trial *t);
/* Begins to read it when it is first asked for; sm_trial_pump goes on. NULL: there is none, or no
 * memory. Valid as long as the trial. */
struct sm_profile *sm_trial_profile(struct sm_trial *t);
/* The same if it was asked for before, else NULL. */
struct sm_profile *sm_trial_profile_opened(const struct sm_trial *t);
/* Whether it was asked for, and not all of it is read. */
bool sm_trial_profile_pending(const struct sm_trial *t);

/* ---- the traces of the run (reader/trace/trace_set.h) ---- */

/* Begins to read them when they are first asked for; sm_trial_pump goes on. NULL: the trial is none
 * of traces, or there is no memory. Valid as long as the trial. */
struct sm_trace_set *sm_trial_traces(struct sm_trial *t);

/* ---- contents; pointers are valid until the next pump ---- */
const struct sm_names *sm_trial_names(const struct sm_trial *t); /* tensor names; ids are stable */
size_t sm_trial_tensor_count(const struct sm_trial *t);
/* In natural order of names. */
const struct sm_trial_tensor *sm_trial_tensor(const struct sm_trial *t, size_t i);
/* NULL if none */
const struct sm_trial_tensor *sm_trial_find(const struct sm_trial *t, const char *name, size_t n);
/* By id; NULL if none. */
const struct sm_trial_tensor *sm_trial_tensor_of(const struct sm_trial *t, uint32_t name);
const char *sm_trial_tensor_name(const struct sm_trial *t, const struct sm_trial_tensor *x);

size_t sm_trial_step_count(const struct sm_trial *t);
const struct sm_trial_step *sm_trial_step(const struct sm_trial *t, size_t i); /* ascending */
/* Index of the first step >= step. */
size_t sm_trial_step_at(const struct sm_trial *t, struct sm_step step);
/* The steps that something was added to when they were not the newest, in order of arrival; a step
 * may be there several times. For those who keep what they computed from steps. */
size_t sm_trial_late_count(const struct sm_trial *t);
struct sm_step sm_trial_late_step(const struct sm_trial *t, size_t i);
bool sm_trial_has_mode(const struct sm_trial *t, enum sm_mode mode); /* a step is of this mode */
bool sm_trial_step_of_mode(const struct sm_trial *t, enum sm_mode mode, struct sm_mode_step m,
                           struct sm_step *out);
const struct sm_part *sm_trial_part(const struct sm_trial *t, uint32_t part);
/* The entry i of a tensor, its part, and what was read of it: flags 0 if nothing is known. */
/* trial_scalars.c: of a tensor with packed points */
struct sm_entry sm_scalar_entry(const struct sm_trial_tensor *x, size_t i);
struct sm_brief sm_scalar_brief(const struct sm_trial_tensor *x, size_t i);

/* An entry is calm if it is a finite number, which was read, and all that was saved at its step by
 * a part that was not replaced. Many calm entries of one worker and one mode can be looked at
 * together. Returns the first of the entries [from, to) that is not one of them; `from` is one of
 * them if it is calm, and *out is set then. */
struct sm_calm {
    uint16_t worker;
    enum sm_mode mode;
};
size_t sm_tensor_calm_to(const struct sm_trial *t, const struct sm_trial_tensor *x, size_t from,
                         size_t to, struct sm_calm *out);
/* The number of a calm entry. */
double sm_tensor_number(const struct sm_trial_tensor *x, size_t i);

static inline struct sm_entry sm_tensor_entry(const struct sm_trial *t,
                                              const struct sm_trial_tensor *x, size_t i)
{
    (void)t;
    return x->scalars ? sm_scalar_entry(x, i) : x->located[i];
}

static inline const struct sm_part *sm_tensor_part(const struct sm_trial *t,
                                                   const struct sm_trial_tensor *x, size_t i)
{
    return sm_trial_part(t, x->scalars ? sm_points_part(x->scalars, i) : x->located[i].part);
}

static inline struct sm_brief sm_tensor_brief(const struct sm_trial *t,
                                              const struct sm_trial_tensor *x, size_t i)
{
    (void)t;
    return x->scalars ? sm_scalar_brief(x, i) : x->kept ? x->kept[i] : (struct sm_brief){0};
}

/* Whether nothing will be added to the part's files: the job has ended, or its worker has written a
 * later step. */
bool sm_trial_part_is_final(const struct sm_trial *t, const struct sm_part *p);
/* The parts of step i by worker, newest session only: k counts from 0 until NULL. */
const struct sm_part *sm_trial_step_part(const struct sm_trial *t, size_t i, size_t k);
/* The next part of the same step; NULL after the last. */
const struct sm_part *sm_trial_next_part(const struct sm_trial *t, const struct sm_part *p);

/* In natural order; the index is that of sm_part.worker. */
size_t sm_trial_worker_count(const struct sm_trial *t);
const char *sm_trial_worker(const struct sm_trial *t, uint16_t worker);
uint16_t sm_trial_find_worker(const struct sm_trial *t, const char *name); /* ANY if none */
/* From the collections file; -1 if not yet known. */
int64_t sm_trial_num_workers(const struct sm_trial *t);

size_t sm_trial_collection_count(const struct sm_trial *t);
/* In natural order of names. */
const struct sm_collection_def *sm_trial_collection(const struct sm_trial *t, size_t i);
/* Names of saved tensors (those in tensor_names or matching any include_regex), in natural order;
 * ids in sm_trial_names. */
/* The index of a collection; SIZE_MAX if there is none of this name. */
size_t sm_trial_find_collection(const struct sm_trial *t, const char *name);
/* Changes when tensors or collections are added: then collections may have got other members. */
uint64_t sm_trial_members_version(const struct sm_trial *t);
const uint32_t *sm_trial_collection_tensors(const struct sm_trial *t, size_t i, size_t *n);
/* Whether the tensor is in a collection of that name. */
bool sm_trial_in_named(const struct sm_trial *t, const char *collection, uint32_t name);
/* Whether its values are histograms that were saved as such: rows of left edge, right edge and
 * count. */
bool sm_trial_has_histograms(const struct sm_trial *t, uint32_t name);
bool sm_trial_in_collection(const struct sm_trial *t, size_t i, uint32_t name);

size_t sm_trial_session_count(const struct sm_trial *t);
const struct sm_trial_session *sm_trial_session(const struct sm_trial *t, size_t i);

/* NULL if none */
const char *sm_trial_event_path(const struct sm_trial *t, const struct sm_part *p);
const uint64_t *sm_trial_shape(const struct sm_trial *t, const struct sm_entry *e,
                               unsigned *n_dims);

/* Index of the tensor's first entry at this step or a later one. */
size_t sm_trial_entries_from(const struct sm_trial *t, const struct sm_trial_tensor *x,
                             struct sm_step step);
/* The entries of a tensor at a step: their indices [*from, *to). False if there are none. */
bool sm_trial_entries_at(const struct sm_trial *t, const struct sm_trial_tensor *x,
                         struct sm_step step, size_t *from, size_t *to);
/* ---- briefs (reader/brief.h) ---- */

/* How many values and reductions the trial has, without those that were replaced before they were
 * read; how many were read, and how many cannot be. */
struct sm_trial_seen {
    uint64_t values, read, failed;
    uint64_t asked; /* being read for their briefs */
};
struct sm_trial_seen sm_trial_seen(const struct sm_trial *t);
/* Its flags are 0 if nothing is known of the entry. Searches for it: sm_tensor_brief is faster. */
struct sm_brief sm_trial_brief(const struct sm_trial *t, const struct sm_entry *e);
/* Replaces it; flags 0: it is not read any more. False: no memory, or the entry is gone. */
bool sm_trial_set_brief(struct sm_trial *t, const struct sm_entry *e, const struct sm_brief *b);

/* The current entry of a value: of the given kind and reduction, by the first worker unless one is
 * named, the last of several records with one name. */
struct sm_entry sm_trial_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                               struct sm_step step, uint16_t worker, enum sm_entry_kind kind,
                               int reduction);

#endif
