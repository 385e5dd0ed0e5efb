/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a trial below its directory: each is written under a temporary name and then
 * renamed. Collections, claim and end marker. */
#include "reader/hook/writer_private.h"

#include "reader/base/mem.h"
#include "reader/format/location.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool hook_writer_no_memory(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "no memory to write a trial");
}

bool sm_writer_make_parents(const char *path, struct sm_err *err)
{
    char *copy = sm_strdup(path);
    bool ok = copy || hook_writer_no_memory(err);
    for (char *slash = copy; ok && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        ok = mkdir(copy, 0777) == 0 || errno == EEXIST || sm_err_errno(err, "%s", copy);
        *slash = '/';
    }
    sm_free(copy);
    return ok;
}

bool sm_writer_dir_is_free(const char *dir)
{
    DIR *d = opendir(dir);
    const struct dirent *e;
    int n = 0;
    while (d && (e = readdir(d)))
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (d)
        closedir(d);
    return n == 0;
}

/* ---- paths ---- */

char *hook_file_path(struct sm_writer *w, const struct sm_str *relative, bool temporary)
{
    sm_str_clear(&w->path);
    sm_str_printf(&w->path, "%s/%s%s", w->dir, sm_str_text(relative), temporary ? ".tmp" : "");
    return relative->failed || w->path.failed ? NULL : w->path.data;
}

bool hook_make_folders(struct sm_writer *w, const struct sm_str *relative, struct sm_err *err)
{
    char *path = hook_file_path(w, relative, false);
    if (!path)
        return hook_writer_no_memory(err);
    char *last = strrchr(path + strlen(w->dir) + 1, '/');
    if (!last)
        return true;
    *last = 0;
    bool there = access(path, F_OK) == 0;
    *last = '/';
    if (there)
        return true;
    for (char *slash = path + strlen(w->dir) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        bool ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!ok)
            sm_err_errno(err, "%s", path);
        *slash = '/';
        if (!ok)
            return false;
    }
    return true;
}

/* ---- a file that is being written ---- */

bool hook_file_open(struct sm_writer *w, const struct sm_str *relative, struct hook_file *f,
                    struct sm_err *err)
{
    *f = (struct hook_file){.fd = hook_spares_take(w->spares)};
    if (f->fd >= 0)
        return true;
    if (!hook_make_folders(w, relative, err))
        return false;
    const char *path = hook_file_path(w, relative, true);
    if (!path)
        return hook_writer_no_memory(err);
    f->named = true;
    f->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return f->fd >= 0 || sm_err_errno(err, "%s", path);
}

static void remove_temporary(struct sm_writer *w, const struct sm_str *relative)
{
    const char *path = hook_file_path(w, relative, true);
    if (path)
        unlink(path);
}

void hook_file_discard(struct sm_writer *w, const struct sm_str *relative, struct hook_file *f)
{
    if (f->fd < 0)
        return;
    close(f->fd);
    f->fd = -1;
    if (f->named)
        remove_temporary(w, relative);
}

static bool rename_final(struct sm_writer *w, const struct sm_str *relative, struct sm_err *err)
{
    const char *path = hook_file_path(w, relative, true);
    char *temporary = path ? sm_strdup(path) : NULL;
    const char *final = hook_file_path(w, relative, false);
    bool ok = temporary && final;
    if (!ok)
        hook_writer_no_memory(err);
    else if (rename(temporary, final) != 0)
        ok = sm_err_errno(err, "%s", final);
    if (!ok && temporary)
        unlink(temporary);
    sm_free(temporary);
    return ok;
}

/* A name that a file has already cannot be given: the file gets its temporary name first. */
static bool name_spare(struct sm_writer *w, const struct sm_str *relative, int fd,
                       struct sm_err *err)
{
    const char *path = hook_file_path(w, relative, false);
    if (path && hook_spare_name(fd, path))
        return true;
    remove_temporary(w, relative);
    if (!hook_make_folders(w, relative, err))
        return false;
    path = hook_file_path(w, relative, true);
    if (!path)
        return hook_writer_no_memory(err);
    return hook_spare_name(fd, path) ? rename_final(w, relative, err)
                                     : sm_err_errno(err, "%s", path);
}

bool hook_file_finish(struct sm_writer *w, const struct sm_str *relative, struct hook_file *f,
                      struct sm_err *err)
{
    int fd = f->fd;
    bool ok = f->named || name_spare(w, relative, fd, err);
    f->fd = -1;
    if (close(fd) != 0 && ok)
        ok = sm_err_errno(err, "%s", sm_str_text(relative));
    if (!f->named)
        return ok;
    if (!ok)
        remove_temporary(w, relative);
    return ok && rename_final(w, relative, err);
}

bool hook_write_parts(int fd, struct iovec *parts, int n)
{
    while (n) {
        ssize_t k = writev(fd, parts, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        for (; n && (size_t)k >= parts->iov_len; parts++, n--)
            k -= (ssize_t)parts->iov_len;
        if (n) {
            parts->iov_base = (char *)parts->iov_base + k;
            parts->iov_len -= (size_t)k;
        }
    }
    return true;
}

struct iovec hook_iovec(const void *p, size_t n)
{
    return (struct iovec){(void *)(uintptr_t)p, n};
}

bool hook_write_file(struct sm_writer *w, const struct sm_str *relative, const struct sm_str *bytes,
                     struct sm_err *err)
{
    struct hook_file f;
    if (bytes->failed)
        return hook_writer_no_memory(err);
    if (!hook_file_open(w, relative, &f, err))
        return false;
    struct iovec all = hook_iovec(sm_str_text(bytes), bytes->len);
    if (hook_write_parts(f.fd, &all, 1))
        return hook_file_finish(w, relative, &f, err);
    sm_err_errno(err, "%s/%s", w->dir, sm_str_text(relative));
    hook_file_discard(w, relative, &f);
    return false;
}

bool sm_writer_file(struct sm_writer *w, const char *path, const struct sm_str *bytes,
                    struct sm_err *err)
{
    struct sm_str relative = {0};
    sm_str_add(&relative, path);
    bool ok = hook_write_file(w, &relative, bytes, err);
    sm_str_clear(&relative);
    return ok;
}

/* ---- files of the whole run ---- */

static bool write_collections(struct sm_writer *w, const struct sm_str *json, struct sm_err *err)
{
    struct sm_str path = {0};
    sm_location_collections(&path, w->worker);
    bool ok = hook_write_file(w, &path, json, err);
    sm_str_clear(&path);
    return ok;
}

bool sm_writer_collections(struct sm_writer *w, const struct sm_collections_def *c,
                           struct sm_err *err)
{
    struct sm_str json = {0};
    sm_collections_write(&json, c);
    bool ok = write_collections(w, &json, err);
    sm_str_clear(&json);
    return ok;
}

bool sm_writer_collections_json(struct sm_writer *w, struct sm_text json, struct sm_err *err)
{
    struct sm_str copy = {0};
    sm_str_addn(&copy, json.p, json.n);
    bool ok = write_collections(w, &copy, err);
    sm_str_clear(&copy);
    return ok;
}

bool sm_writer_set_claim(struct sm_writer *w, bool on, struct sm_err *err)
{
    struct sm_str path = {0}, nothing = {0};
    sm_str_add(&path, SM_CLAIM_FILE);
    const char *full = hook_file_path(w, &path, false);
    bool ok = full || hook_writer_no_memory(err);
    if (ok && on)
        ok = hook_write_file(w, &path, &nothing, err);
    else if (ok && unlink(full) != 0 && errno != ENOENT)
        ok = sm_err_errno(err, "%s", full);
    sm_str_clear(&path);
    return ok;
}

/* Not by a rename: it is empty, and several workers may make it at the same time. */
bool sm_writer_end_job(struct sm_writer *w, struct sm_err *err)
{
    struct sm_str path = {0};
    sm_str_add(&path, SM_END_FILE);
    const char *full = hook_file_path(w, &path, false);
    int fd = full ? open(full, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    bool ok = fd >= 0 || (full ? sm_err_errno(err, "%s", full) : hook_writer_no_memory(err));
    if (fd >= 0)
        close(fd);
    sm_str_clear(&path);
    return ok;
}
