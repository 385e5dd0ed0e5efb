/* SPDX-License-Identifier: Apache-2.0 */
/* What a kind of trial sees of one folder while runs are looked for (reader/runs/run_search.h), and
 * what it answers.
 *
 * The operation `find` of a kind (trial_kind.h) is called for one folder after the other, in a
 * worker, for each kind in the order of reader/trial_kinds.h. It adds the runs of this folder, and
 * claims what belongs to them: a claimed file or folder is not seen by the kinds that follow, and a
 * claimed folder is not searched. Folders that nobody claims are searched themselves. */
#ifndef SM_RUN_FOLDER_H
#define SM_RUN_FOLDER_H

#include "reader/source/source.h"

struct sm_run_folder;
struct sm_trial_kind;
enum { SM_RUN_FOLDER_ITEMS = 100000 };
struct sm_run_item {
    const char *name; /* as it is read: without .zst or .gz */
    uint64_t inode;   /* of the name itself: for a link, not of what it leads to */
    bool is_dir, claimed;
    bool packed; /* its name on disk has such an ending */
};

/* Relative to the source; "" is its root. */
const char *sm_run_folder_path(const struct sm_run_folder *f);
/* What the logger would call a run by its folder: the last part of its path. */
const char *sm_run_folder_name(const struct sm_run_folder *f);
struct sm_source *sm_run_folder_source(const struct sm_run_folder *f); /* borrowed */
/* In natural order of names. */
size_t sm_run_folder_count(const struct sm_run_folder *f);
const struct sm_run_item *sm_run_folder_item(const struct sm_run_folder *f, size_t i);
/* A folder in it that is not looked at, as its name begins with a dot; NULL: there is none. */
const char *sm_run_folder_hidden(const struct sm_run_folder *f);
/* It has more names than SM_RUN_FOLDER_ITEMS, of which the others are left out. */
bool sm_run_folder_is_cut(const struct sm_run_folder *f);
/* Whether the folder has it and nobody has claimed it. */
bool sm_run_folder_has_file(const struct sm_run_folder *f, const char *name);
bool sm_run_folder_has_dir(const struct sm_run_folder *f, const char *name);
/* The path of a name in the folder, or below it ("a/b"), relative to the source. */
const char *sm_run_folder_join(const struct sm_run_folder *f, const char *name, struct sm_str *out);
/* Reads up to n of the first bytes of a file in the folder, or below it. 0: none, or unreadable. */
size_t sm_run_folder_head(const struct sm_run_folder *f, const char *name, void *buf, size_t n);
/* The same of a text, as UTF-8 where the file is UTF-16; n: there is more. */
size_t sm_run_folder_text(const struct sm_run_folder *f, const char *name, char *buf, size_t n);
void sm_run_folder_claim(struct sm_run_folder *f, const char *name);
void sm_run_folder_claim_all(struct sm_run_folder *f);
/* Adds a run of the kind that was called. member: what tells it from other runs of the kind in this
 * folder, given back to the kind when the run is opened (sm_trial_options.member): a file's name,
 * "FILE#ID" for one of several in a file; NULL: the folder itself. name: what the logger calls the
 * run; NULL: the name of the folder, or of the file without its ending if the kind has several runs
 * in the folder. Copied. */
void sm_run_folder_add(struct sm_run_folder *f, const char *member, const char *name);
/* What the folder has of the kind that was called belongs to a run that another kind found in it:
 * the only one, of a kind whose trials are runs. False: there is no such run. */
bool sm_run_folder_join_run(struct sm_run_folder *f);
/* Whether the user named this file, and nothing else is looked at: what it holds may be stranger.
 */
bool sm_run_folder_is_given(const struct sm_run_folder *f);

/* ---- for those who search ---- */

struct sm_run_find {
    const struct sm_trial_kind *kind;
    const struct sm_trial_kind *beside; /* sm_run_folder_join_run; or NULL */
    char *member, *name;                /* as given to sm_run_folder_add */
};
/* Lists a folder. only: a file that was given, the folder then has nothing else; NULL: all but
 * names that begin with a dot. NULL: no memory, or the folder cannot be listed. */
struct sm_run_folder *sm_run_folder_new(struct sm_source *source, const char *path,
                                        const char *only, struct sm_err *err);
void sm_run_folder_free(struct sm_run_folder *f);
/* Calls the operation find of a kind, if it has one. */
void sm_run_folder_ask(struct sm_run_folder *f, const struct sm_trial_kind *kind);
/* What was found so far. */
const struct sm_run_find *sm_run_folder_finds(const struct sm_run_folder *f, size_t *n);

#endif
