/* SPDX-License-Identifier: Apache-2.0 */
/* What a directory holds of an earlier run: whether there is one, its last steps, removing it. */
#include "reader/hook/hook_private.h"

#include "reader/base/json.h"
#include "reader/base/mem.h"
#include "reader/format/index_json.h"
#include "reader/format/location.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COLLECTIONS_DIR "collections"
#define BOARD_DIR       "tensorboard"

bool hook_run_exists(const char *dir)
{
    static const char *const parts[] = {SM_INDEX_DIR, SM_EVENTS_DIR};
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool found = false;
    for (size_t i = 0; fd >= 0 && i < sizeof parts / sizeof *parts; i++)
        found = found || faccessat(fd, parts[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if (fd >= 0)
        close(fd);
    return found;
}

/* ---- the files of a run ---- */

/* A walk over the files of DIR/PART/FOLDER, for all folders. */
struct run_walk {
    const char *worker; /* NULL: the files of all workers */
    int64_t beyond;     /* with a worker: also those of worker_N, for N from this on; 0: not */
    bool (*visit)(struct run_walk *w, int folder, const char *file, struct sm_err *err);
    void *ctx;
    bool prune; /* remove folders that are empty afterwards */
};

static DIR *open_folder(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d && fd >= 0)
        close(fd);
    return d;
}

static const char *next_name(DIR *d)
{
    const struct dirent *e;
    while ((e = readdir(d)))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            return e->d_name;
    return NULL;
}

/* "000000000012_worker_0.json", "..._worker_0-numbers-0.tfevents", "worker_0_collections.json", the
 * same with ".tmp", "..._worker_0-spare-0.json.tmp" */
static bool is_of_worker(const char *name, const char *worker, int64_t beyond)
{
    static const char usual[] = "worker_";
    struct sm_str found = {0};
    int64_t step;
    char file[NAME_MAX + 1];
    snprintf(file, sizeof file, "%.*s",
             (int)(strlen(name) - (sm_ends_with(name, ".tmp") ? strlen(".tmp") : 0)), name);
    bool parsed = sm_location_parse(file, ".json", &step, &found) ||
                  sm_location_parse(file, ".tfevents", &step, &found) ||
                  sm_location_parse_collections(file, &found);
    size_t n = strlen(worker);
    bool same = parsed && strncmp(sm_str_text(&found), worker, n) == 0 &&
                (found.len == n || strncmp(found.data + n, "-numbers-", 9) == 0 ||
                 strncmp(found.data + n, "-spare-", 7) == 0);
    if (parsed && beyond && strncmp(sm_str_text(&found), usual, strlen(usual)) == 0)
        same = same || strtoll(found.data + strlen(usual), NULL, 10) >= beyond;
    sm_str_clear(&found);
    return same;
}

static bool walk_folder(struct run_walk *w, int parent, const char *name, struct sm_err *err)
{
    DIR *d = open_folder(parent, name);
    bool ok = true;
    const char *file;
    while (ok && d && (file = next_name(d)))
        if (!w->worker || is_of_worker(file, w->worker, w->beyond))
            ok = w->visit(w, dirfd(d), file, err);
    if (d)
        closedir(d);
    if (ok && w->prune)
        unlinkat(parent, name, AT_REMOVEDIR);
    return ok;
}

static bool walk_part(struct run_walk *w, const char *dir, const char *part, struct sm_err *err)
{
    int root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = root < 0 ? NULL : open_folder(root, part);
    bool ok = true;
    const char *folder;
    while (ok && d && (folder = next_name(d)))
        ok = walk_folder(w, dirfd(d), folder, err);
    if (d)
        closedir(d);
    if (ok && w->prune && root >= 0)
        unlinkat(root, part, AT_REMOVEDIR);
    if (root >= 0)
        close(root);
    return ok;
}

static bool note_file(struct run_walk *w, int folder, const char *file, struct sm_err *err)
{
    (void)folder, (void)file, (void)err;
    *(bool *)w->ctx = true;
    return false; /* enough */
}

bool hook_run_has_worker(const char *dir, const char *worker)
{
    bool found = false;
    struct run_walk w = {.worker = worker, .visit = note_file, .ctx = &found};
    return !walk_part(&w, dir, SM_INDEX_DIR, NULL);
}

/* ---- removing it ---- */

static bool remove_file(struct run_walk *w, int folder, const char *file, struct sm_err *err)
{
    (void)w;
    return unlinkat(folder, file, 0) == 0 || errno == ENOENT || sm_err_errno(err, "%s", file);
}

/* Also in the folders of modes below those of workers. */
static bool remove_board_file(struct run_walk *w, int folder, const char *file, struct sm_err *err)
{
    return strstr(file, "tfevents") ? remove_file(w, folder, file, err)
                                    : walk_folder(w, folder, file, err);
}

bool hook_run_remove_marks(const char *dir, struct sm_err *err)
{
    static const char *const marks[] = {SM_END_FILE, SM_CLAIM_FILE};
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = true;
    for (size_t i = 0; ok && fd >= 0 && i < sizeof marks / sizeof *marks; i++)
        ok = unlinkat(fd, marks[i], 0) == 0 || errno == ENOENT ||
             sm_err_errno(err, "%s/%s", dir, marks[i]);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* The event files of TensorBoard, of all runs or of the worker's. */
static bool remove_board(const char *dir, const char *worker, struct sm_err *err)
{
    struct run_walk w = {.visit = remove_board_file, .prune = true};
    struct sm_str path = {0};
    if (!worker)
        return walk_part(&w, dir, BOARD_DIR, err);
    sm_str_printf(&path, "%s/" BOARD_DIR "/%s", dir, worker);
    bool ok = path.failed || walk_folder(&w, AT_FDCWD, sm_str_text(&path), err);
    sm_str_clear(&path);
    return ok;
}

/* The index first: a reader sees no index of values that are gone. */
bool hook_run_remove(const char *dir, const char *worker, int64_t beyond, struct sm_err *err)
{
    struct run_walk w = {.worker = worker, .beyond = beyond, .visit = remove_file, .prune = true};
    return hook_run_remove_marks(dir, err) && walk_part(&w, dir, SM_INDEX_DIR, err) &&
           walk_part(&w, dir, SM_EVENTS_DIR, err) && walk_part(&w, dir, COLLECTIONS_DIR, err) &&
           remove_board(dir, worker, err);
}

/* ---- its last steps ---- */

/* The meta object at the beginning of an index file. */
struct meta_reader {
    bool is_mode, is_step, has_step;
    int mode;
    int64_t mode_step;
};

static bool on_meta_key(void *ctx, const char *p, size_t n)
{
    struct meta_reader *m = ctx;
    m->is_mode = n == 4 && memcmp(p, "mode", 4) == 0;
    m->is_step = n == 9 && memcmp(p, "mode_step", 9) == 0;
    return true;
}

static bool on_meta_string(void *ctx, const char *p, size_t n)
{
    struct meta_reader *m = ctx;
    if (m->is_mode && !m->mode)
        m->mode = sm_mode_of_name(p, n);
    return !(m->mode && m->has_step);
}

static bool on_meta_number(void *ctx, const char *digits, size_t n)
{
    struct meta_reader *m = ctx;
    if (m->is_step && !m->has_step)
        m->has_step = sm_json_int(digits, n, &m->mode_step);
    return !(m->mode && m->has_step);
}

static bool count_step(struct run_walk *w, int folder, const char *file, struct sm_err *err)
{
    static const struct sm_json_ops ops = {
        .key = on_meta_key, .string = on_meta_string, .number = on_meta_number};
    struct meta_reader m = {0};
    struct sm_err ignored = {0};
    struct sm_str worker = {0};
    char head[1024];
    int64_t step, *next = w->ctx;
    bool is_index = sm_location_parse(file, ".json", &step, &worker);
    sm_str_clear(&worker);
    if (!is_index)
        return true;
    int fd = openat(folder, file, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    if (n > 0) /* stops at the end of the meta object, or of the bytes */
        sm_json_parse(head, (size_t)n, &ops, &m, &ignored);
    if (!m.mode || !m.has_step)
        return sm_err_set(err, SM_ERR_DATA, "%s: no mode and step of the earlier run", file);
    next[0] = step >= next[0] ? step + 1 : next[0];
    next[m.mode] = m.mode_step >= next[m.mode] ? m.mode_step + 1 : next[m.mode];
    return true;
}

bool hook_run_next_steps(const char *dir, const char *worker, int64_t *next, struct sm_err *err)
{
    struct run_walk w = {.worker = worker, .visit = count_step, .ctx = next};
    return walk_part(&w, dir, SM_INDEX_DIR, err);
}
