/* A trial: names, steps and where every value lies, kept up to date while the job writes.
 *
 * Opening reads only collections and index files. All state belongs to the loop's thread; scanning
 * and parsing run as pool jobs whose finished batches sm_trial_pump merges, so nothing here waits
 * for a disk. A global step and a mode step are different types: the wrong one does not compile.
 *
 * Live (doc/formats.md): inotify on the newest index folders and a heartbeat scan. An index file
 * counts only when its event file is there and long enough; until then it is "not yet" and is
 * looked at again. A step that comes again with another file, or lower steps after a restart, begin
 * a new session; the newest wins, nothing is deleted. */
#ifndef SM_TRIAL_H
#define SM_TRIAL_H

#include "reader/base/map.h"
#include "reader/base/pool.h"
#include "reader/format/collections_json.h"
#include "reader/format/index_json.h"
#include "reader/problem.h"
#include "reader/source/source.h"
#include "reader/tensor/stats.h"

struct sm_step {
    int64_t n; /* global step */
};
struct sm_mode_step {
    int64_t n; /* step within a mode */
};
enum sm_mode {
    SM_MODE_ANY = 0,
    SM_MODE_TRAIN,
    SM_MODE_EVAL,
    SM_MODE_PREDICT,
    SM_MODE_GLOBAL,
    SM_MODES
};
#define SM_WORKER_ANY UINT16_MAX

enum sm_trial_state { SM_TRIAL_WAITING, SM_TRIAL_LIVE, SM_TRIAL_STALLED, SM_TRIAL_ENDED };
const char *sm_trial_state_name(enum sm_trial_state s); /* "waiting" "live" "stalled" "ended" */

/* What one worker wrote in one step: one index file. */
struct sm_part {
    struct sm_step step;
    struct sm_mode_step mode_step;
    uint8_t mode;
    bool replaced; /* an older session's: a newer part stands for this step and worker */
    uint16_t worker, session;
    uint32_t event_file; /* id in sm_trial_paths, NONE: no event file (shapes only) */
    uint32_t entries;
    int64_t time_us; /* wall clock: the index file's mtime */
};

enum sm_entry_kind { SM_ENTRY_VALUE, SM_ENTRY_REDUCTION, SM_ENTRY_SHAPE };
/* Where one value lies. 24 bytes. */
struct sm_entry {
    uint64_t offset;                  /* of the framed record; SHAPE: an index for sm_trial_shape */
    uint64_t length : 48, value : 16; /* of the record; which of the values in it */
    uint32_t part;
    uint8_t kind, reduction; /* enum sm_entry_kind; enum sm_reduction | SM_REDUCE_ABS */
    uint16_t seq;            /* place in the index file, saturating: write order */
};

struct sm_trial_tensor {
    uint32_t name; /* id in sm_trial_names */
    /* by step, then worker (natural order), then write order; newest session last */
    struct sm_entry *entries;
    size_t n_entries, cap_entries;
    struct sm_step first, last;
    uint32_t steps;         /* distinct global steps */
    uint8_t modes;          /* bit 1 << mode */
    uint32_t reductions[2]; /* bit op, [1] of |x| */
    bool has_value, has_shape;
};

struct sm_trial_step {
    struct sm_step step;
    struct sm_mode_step mode_step;
    uint8_t mode;
    bool complete; /* smdebug's trial.steps() lists it (doc/formats.md) */
    uint16_t n_workers;
    uint32_t first_part; /* parts of this step: sm_trial_step_part */
    uint32_t tensors;    /* distinct names written, reductions under their tensor */
    int64_t time_us;
};

struct sm_trial_session {
    uint16_t id; /* 0 first */
    struct sm_step first, last;
    int64_t begin_us, end_us;
    uint32_t steps;
};

struct sm_trial_options {
    /* --steps: first <= step <= last and (step - first) % stride == 0 */
    struct sm_step first, last;
    int64_t stride; /* 0: everything */
    enum sm_mode mode;
    const char *worker;             /* NULL: all */
    bool follow;                    /* false: one scan, then only sm_trial_refresh */
    int64_t stall_us, heartbeat_us; /* 0: 10 min; 1 s local, growing to 5 s when nothing comes */
};

bool sm_trial_wants_step(const struct sm_trial_options *o, int64_t step);

struct sm_trial;
struct sm_archive_info;
/* Never fails for a directory that is empty or missing: the state is waiting. Fails without memory.
 * `source` is kept (ref). */
bool sm_trial_open(struct sm_source *source, const struct sm_trial_options *o, struct sm_pool *pool,
                   struct sm_trial **out, struct sm_err *err);
void sm_trial_close(struct sm_trial *t);

/* ---- news ---- */
int sm_trial_fd(const struct sm_trial *t); /* inotify, or -1 */
/* monotonic; when pump wants to be called at the latest */
int64_t sm_trial_deadline_us(const struct sm_trial *t);
/* takes events, starts a scan if due; true: something changed */
bool sm_trial_pump(struct sm_trial *t);
void sm_trial_refresh(struct sm_trial *t); /* a full scan as soon as possible */
/* the first scan (or the refresh) has been merged */
bool sm_trial_scanned(const struct sm_trial *t);
/* grows with every change of what is asked below */
uint64_t sm_trial_version(const struct sm_trial *t);

/* grows when index files came: what could not be read may be there now */
uint64_t sm_trial_arrivals(const struct sm_trial *t);

/* ---- state ---- */
enum sm_trial_state sm_trial_state(const struct sm_trial *t);
/* if nothing comes before; INT64_MAX: it is not live */
int64_t sm_trial_stalls_in_us(const struct sm_trial *t);
/* plain event files: no modes, collections or end marker */
bool sm_trial_is_tensorboard(const struct sm_trial *t);
/* Its path is an archive's file (reader/archive.h); NULL: it is not, or its first scan is not over.
 */
const struct sm_archive_info *sm_trial_archive(const struct sm_trial *t);
/* an archive has no more of it than its statistics */
bool sm_trial_left_out(const struct sm_trial *t, const struct sm_entry *e);
/* what was there has gone: deleted, or moved away */
bool sm_trial_emptied(const struct sm_trial *t);
bool sm_trial_writing_after_end(const struct sm_trial *t); /* end marker, yet news */
int64_t sm_trial_newest_us(const struct sm_trial *t); /* wall clock of the newest data; 0: none */
/* over the last arrivals; NaN: unknown */
double sm_trial_steps_per_second(const struct sm_trial *t);
const char *sm_trial_name(const struct sm_trial *t); /* last part of the path that says something */
const char *sm_trial_path(const struct sm_trial *t);
struct sm_source *sm_trial_source(const struct sm_trial *t);
bool sm_trial_claimed(const struct sm_trial *t);   /* claim.smd is there */
uint64_t sm_trial_bytes(const struct sm_trial *t); /* of records indexed */
uint64_t sm_trial_index_files(const struct sm_trial *t);
size_t sm_trial_memory(const struct sm_trial *t); /* held by names, steps and entries */
const struct sm_problems *sm_trial_problems(const struct sm_trial *t);
/* a reader found bad data */
void sm_trial_report(struct sm_trial *t, const char *file, int64_t offset,
                     const struct sm_err *err);

/* ---- what is there; pointers are valid until the next pump ---- */
const struct sm_names *sm_trial_names(const struct sm_trial *t); /* tensor names; ids are stable */
size_t sm_trial_tensor_count(const struct sm_trial *t);
/* natural order of names */
const struct sm_trial_tensor *sm_trial_tensor(const struct sm_trial *t, size_t i);
/* NULL: none */
const struct sm_trial_tensor *sm_trial_find(const struct sm_trial *t, const char *name, size_t n);
/* by id; NULL: none */
const struct sm_trial_tensor *sm_trial_tensor_of(const struct sm_trial *t, uint32_t name);
const char *sm_trial_tensor_name(const struct sm_trial *t, const struct sm_trial_tensor *x);

size_t sm_trial_step_count(const struct sm_trial *t);
const struct sm_trial_step *sm_trial_step(const struct sm_trial *t, size_t i); /* ascending */
/* index of the first step >= step */
size_t sm_trial_step_at(const struct sm_trial *t, struct sm_step step);
bool sm_trial_step_of_mode(const struct sm_trial *t, enum sm_mode mode, struct sm_mode_step m,
                           struct sm_step *out);
const struct sm_part *sm_trial_part(const struct sm_trial *t, uint32_t part);
/* Nothing more will come to its files: the job has ended, or its worker has gone on. */
bool sm_trial_part_is_final(const struct sm_trial *t, const struct sm_part *p);
/* The parts of step i by worker, newest session only: k from 0 until NULL. */
const struct sm_part *sm_trial_step_part(const struct sm_trial *t, size_t i, size_t k);

/* natural order; index is sm_part.worker's order, see next */
size_t sm_trial_worker_count(const struct sm_trial *t);
const char *sm_trial_worker(const struct sm_trial *t, uint16_t worker);
uint16_t sm_trial_find_worker(const struct sm_trial *t, const char *name); /* ANY: none */
/* as the collections file says; -1: not known yet */
int64_t sm_trial_num_workers(const struct sm_trial *t);

size_t sm_trial_collection_count(const struct sm_trial *t);
/* natural order of names */
const struct sm_collection_def *sm_trial_collection(const struct sm_trial *t, size_t i);
/* Tensor names: (tensor_names u names matching any include_regex) that are saved, natural order;
 * ids in sm_trial_names. */
const uint32_t *sm_trial_collection_tensors(const struct sm_trial *t, size_t i, size_t *n);
bool sm_trial_in_collection(const struct sm_trial *t, size_t i, uint32_t name);

size_t sm_trial_session_count(const struct sm_trial *t);
const struct sm_trial_session *sm_trial_session(const struct sm_trial *t, size_t i);

const char *sm_trial_event_path(const struct sm_trial *t, const struct sm_part *p); /* NULL: none */
const uint64_t *sm_trial_shape(const struct sm_trial *t, const struct sm_entry *e,
                               unsigned *n_dims);

/* The entries of a tensor at a step: [*from, *to) of x->entries. False: none. */
bool sm_trial_entries_at(const struct sm_trial *t, const struct sm_trial_tensor *x,
                         struct sm_step step, size_t *from, size_t *to);
/* The one that stands for a value: kind and reduction as asked, first worker unless one is named,
 * the last of several records of one name. NULL: none. */
const struct sm_entry *sm_trial_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                      struct sm_step step, uint16_t worker, enum sm_entry_kind kind,
                                      int reduction);

#endif
