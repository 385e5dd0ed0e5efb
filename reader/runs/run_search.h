/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for runs in a file or a directory.
 *
 * The room reader/runs knows what is a run, and how several are told apart; it asks the kinds of
 * reader/trial_kinds.h about one folder after the other, breadth first, in natural order of names.
 * Frameworks write what they train and what they validate as two runs of one training, "train" and
 * "validation"; both stay in the list, and the first one names the second (run_pair.h).
 *
 * Names that begin with a dot are not looked at, and links are followed inside the directory only;
 * a folder that is met twice is looked at once. A file that only says which files of its folder are
 * a checkpoint (ckpt_tracker.h) stands for the folder. */
#ifndef SM_RUN_SEARCH_H
#define SM_RUN_SEARCH_H

#include "reader/kind/problem.h"
#include "reader/kind/trial_kind.h"

#include <stdatomic.h>

/* What is looked at: so deep below the directory, so many folders. */
enum { SM_RUNS_DEPTH = 6, SM_RUNS_FOLDERS = 50000 };
enum { SM_RUNS_OPEN = 1000 };

struct sm_run_ref {
    const struct sm_trial_kind *kind;
    const struct sm_trial_kind *beside; /* of which the run has files, too; or NULL */
    char *path;   /* of the run, relative to the directory; "." is the directory itself */
    char *folder; /* the directory that its source is, as it can be opened */
    char *member; /* sm_trial_options.member, or NULL */
    char *name;   /* others may have it, too */
    bool titled;  /* the name is the logger's */
    size_t found; /* runs that were found before */
    bool session; /* TensorBoard: of hyperparameters, in the folder of another run */
    bool joined;  /* a part of the run in the folder above; no run of a list that was searched */
    bool bare;    /* TensorBoard: without an event so far, and with runs in its folders */
    /* TensorBoard, of a run of training: the folder of the run of validation that was found beside
     * it, as it can be opened, and its own name; NULL: there is none. */
    char *validation, *validation_name;
};
struct sm_run_list {
    /* by path, in natural order; those of one file as its kind has them, by their start; sessions
     * come last */
    struct sm_run_ref *items;
    size_t n, cap;
    size_t folders, files; /* looked at */
    /* Of the folders those where runs may come, as they can be opened: the directory, and what is
     * neither a run nor below one. */
    char **open_folders;
    size_t n_open, cap_open;
    bool more_open;  /* there are more than SM_RUNS_OPEN */
    bool cut;        /* there are more folders */
    bool crowded;    /* a folder has more names (SM_RUN_FOLDER_ITEMS) */
    bool deep;       /* a folder that is neither a run nor below one is deeper */
    bool late;       /* stopped by the time, not all was looked at */
    bool exists;     /* the file or directory */
    bool is_folder;  /* a directory, or the prefix of a bucket */
    bool unreadable; /* the directory itself could not be listed */
    bool hides;      /* the directory has nothing but hidden names, of which one is a folder */
    bool begun;      /* the directory has a folder that a trial has, which is perhaps empty */
    /* a few names of what is in the directory, for a message; separated by ", " */
    struct sm_str seen;
    struct sm_problems problems;
    struct sm_names *joined;  /* paths of folders that are parts of runs; NULL: none */
    struct sm_source *source; /* that was searched: what it knows is kept until the list is cleared
                               */
};
/* Begin with {0}; clear in any case. Blocks. True with no runs if nothing was found, or nothing
 * exists. until_us: stops at this time (monotonic) if runs were found by then, and sets `late`; 0:
 * looks at all. cancelled: may be NULL. */
bool sm_run_search(const char *path, int64_t until_us, const atomic_bool *cancelled,
                   struct sm_run_list *out, struct sm_err *err);
/* Appends what was not looked at, for a message; nothing if all was. */
void sm_run_list_left_out(const struct sm_run_list *list, struct sm_str *out);
/* Whether a path without runs may be opened nevertheless, because a trial may begin there: it does
 * not exist, is an empty directory, or one that a trial has begun; or a file, whose reader says
 * what is wrong with it. Otherwise err says what was seen, and what can be opened. */
bool sm_run_may_come(const char *path, const struct sm_run_list *list, struct sm_err *err);
/* Whether a file of this name may have several runs, or is what SQLite keeps beside one: when it is
 * written, there may be one more. */
bool sm_run_file_is_shared(const char *name);
/* A copy that the caller frees; NULL: no memory. */
struct sm_run_ref *sm_run_ref_copy(const struct sm_run_ref *run);
void sm_run_ref_free(struct sm_run_ref *run);
void sm_run_list_clear(struct sm_run_list *list);
/* Keeps every `of`-th run, from number `part` on, counted from 0; part < of. */
void sm_run_list_deal(struct sm_run_list *list, unsigned part, unsigned of);
/* The source of a run, opened as its kind wants it. NULL on error. */
struct sm_source *sm_run_source(const struct sm_run_ref *run, struct sm_err *err);
/* That of its run of validation; NULL: it has none, or no memory. */
struct sm_source *sm_run_validation_source(const struct sm_run_ref *run);

#endif
