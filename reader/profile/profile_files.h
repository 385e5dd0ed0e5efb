/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a profiler's tree (doc/formats.md): which there are, and what of them was read.
 *
 *   system/[FOLDERS/]<seconds>.<node>.json             metrics, one file a minute and node
 *   framework/[FOLDERS/]<end_us>_<node>_<suffix>.json  timelines
 *   framework/[FOLDERS/]<node>_<suffix>[.json].tmp     a timeline that is being written
 *   framework/.../<node>_<start_us>_<end_us>.metadata  begin of the traces in the folder beside it
 *   framework/.../plugins/profile/<time>/<host>.trace.json.gz
 *   training_job_end.ts in system/ or framework/       nothing will come
 *
 * Looking again is cheap: only the newest folders of each folder are looked at, and only files that
 * are not older than the newest by five minutes; sometimes all. */
#ifndef SM_PROFILE_FILES_H
#define SM_PROFILE_FILES_H

#include "reader/kind/problem.h"
#include "reader/profile/pevents.h"
#include "reader/source/source.h"

enum sm_profile_file_kind { SM_PROFILE_METRICS, SM_PROFILE_TIMELINE };
enum { SM_PROFILE_HEAD_BYTES = 4096 };
struct sm_profile_file {
    char *path; /* relative to the root; without .gz or .zst */
    enum sm_profile_file_kind kind;
    enum sm_pevents_kind timeline_kind;
    uint32_t node;                   /* id in nodes; of metrics: for rows that name none */
    int64_t order_us;                /* the number in its name */
    int64_t base_us;                 /* of a trace: when it began; 0: it says so itself */
    uint64_t inode, offset;          /* offset: what was used */
    uint64_t size_bytes, seen_bytes; /* when it was listed; when it was read */
    bool packed, temporary, over;    /* over: nothing of it will be read again */
    struct sm_pevents *timeline;     /* between its pieces; NULL: none was read yet */
    struct sm_str head;              /* of a temporary file: its first bytes */
};
struct sm_profile_folder; /* internal */
struct sm_profile_files {
    struct sm_source *source;
    struct sm_names *nodes;
    struct sm_profile_file *items;
    size_t n, cap;
    struct sm_names *paths; /* of files and folders */
    struct sm_map by_path;  /* of path id: index of the newest file with this path */
    struct sm_profile_folder *folders;
    size_t n_folders, cap_folders;
    uint32_t *active, *queue; /* indices: may grow; have bytes that were not read */
    size_t n_active, cap_active, n_queue, cap_queue;
    int64_t newest_us[2];                     /* greatest order of each kind */
    unsigned scans;                           /* lists so far */
    struct sm_names *python;                  /* paths of Python's profiles, which are not read */
    size_t n_of[2];                           /* files of each kind */
    bool exists, ended, no_memory, told_root; /* told_root: sm_profile_files_open_folders did */
    struct sm_problems problems;
};
/* False: no memory. Keeps a reference to the source of the root. */
bool sm_profile_files_init(struct sm_profile_files *f, struct sm_source *source);
void sm_profile_files_clear(struct sm_profile_files *f);
/* Looks for new files and bytes, in a worker while none is read: fills the queue, oldest first. */
void sm_profile_files_list(struct sm_profile_files *f);

/* Calls `each` for the folders in which files may come, once for each folder: the newest ones. ""
 * is the root. Between lists only. */
void sm_profile_files_open_folders(struct sm_profile_files *f,
                                   void (*each)(void *ctx, const char *path), void *ctx);

/* Whether the directory is the root of a profiler's tree; path "" is the source's root. */
bool sm_profile_is_root(struct sm_source *source, const char *path);
/* Whether a folder of the source is a profiling report: the files of its rules (BatchSize.json) are
 * in it, or in "profiler-reports" there or in "profiler-output"; or it has folders
 * ProfilerReport-..., of the service, with one. dir "" is the source's root. */
bool sm_profile_is_report(struct sm_source *source, const char *dir);
bool sm_profile_is_rule_file(const char *name);
/* The root of the profiler's tree of a run: in its directory, in "profiler-output" in it or beside
 * it. False: there is none. */
bool sm_profile_find(const char *run, struct sm_str *root);
/* The same among the names of one tree: of a profile that is not in the folder of a run itself, the
 * folder that the run is, or is in; "." is the root. Empty: it is on its own. */
struct sm_text sm_profile_parent(const char *path);

#endif
