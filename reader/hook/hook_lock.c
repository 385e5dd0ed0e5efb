/* SPDX-License-Identifier: Apache-2.0 */
/* A lock on the directory of a run, which the kernel releases when the process dies.
 *
 * It is on the file LOCK_FILE: byte 0 is locked by every hook that writes there (a hook that writes
 * alone excludes all others, several workers share it), byte 1 + N by worker number N. The locks
 * are those of open files (F_OFD_SETLK), which also exclude a second hook of this process; where
 * the file system has none, those of processes (F_SETLK). NFS has both. */
#include "reader/hook/hook_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_FILE ".smdbg-hook.lock"
enum { OWNER_MAX = 300, OPEN_MAX = 64, ATTEMPTS = 100 };

/* The lock files that are open, each plus 1. A forked child closes them, because it would keep the
 * locks when its parent has died. */
static atomic_int open_files[OPEN_MAX];

void hook_lock_forked(void)
{
    for (int i = 0; i < OPEN_MAX; i++) {
        int fd = atomic_exchange(&open_files[i], 0);
        if (fd)
            close(fd - 1);
    }
}

static void remember_file(int fd)
{
    for (int i = 0; i < OPEN_MAX; i++) {
        int none = 0;
        if (atomic_compare_exchange_strong(&open_files[i], &none, fd + 1))
            return;
    }
}

static void close_file(int fd)
{
    for (int i = 0; i < OPEN_MAX; i++) {
        int same = fd + 1;
        if (atomic_compare_exchange_strong(&open_files[i], &same, 0))
            break;
    }
    close(fd);
}

static bool is_taken(int error)
{
    return error == EAGAIN || error == EACCES;
}

/* False: errno is EAGAIN or EACCES if another has it. A file system without locks is no error: then
 * nobody is excluded. */
static bool lock_byte(int fd, short type, off_t at)
{
    struct flock byte = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
    if (fcntl(fd, F_OFD_SETLK, &byte) == 0)
        return true;
    return !is_taken(errno) && (fcntl(fd, F_SETLK, &byte) == 0 || !is_taken(errno));
}

/* "process 12 of host a", as the owner has written it. */
static void add_owner(struct sm_str *out, int fd)
{
    char text[OWNER_MAX];
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    text[strcspn(text, "\n")] = 0;
    sm_str_add(out, *text ? text : "another process");
}

static void write_owner(int fd)
{
    char host[200] = "", text[OWNER_MAX];
    gethostname(host, sizeof host - 1);
    int n = snprintf(text, sizeof text, "process %ld of host %s\n", (long)getpid(), host);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) < 0)
        return; /* it is only for messages */
}

/* Whether fd is still the file of that path: its owner removes it at the end. */
static bool is_current(int fd, const char *path)
{
    struct stat a, b;
    return fstat(fd, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static bool in_use(const char *dir, int fd, struct sm_err *err)
{
    struct sm_str owner = {0};
    add_owner(&owner, fd);
    sm_err_set(err, SM_ERR_REFUSED, "%s: %s writes a run there", dir, sm_str_text(&owner));
    sm_str_clear(&owner);
    errno = EBUSY;
    return false;
}

/* Sets *fd to the locked file, or to -1 if it has to be opened again. */
static bool try_lock(const char *dir, const char *path, bool shared, int64_t worker, int *fd,
                     struct sm_err *err)
{
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*fd < 0) {
        int why = errno;
        sm_err_errno(err, "%s", path);
        errno = why;
        return false;
    }
    remember_file(*fd);
    bool ok =
        lock_byte(*fd, shared ? F_RDLCK : F_WRLCK, 0) && lock_byte(*fd, F_WRLCK, 1 + (off_t)worker);
    if (!ok)
        in_use(dir, *fd, err);
    if (ok && is_current(*fd, path))
        return true;
    close_file(*fd);
    *fd = -1;
    if (!ok)
        errno = EBUSY;
    return ok;
}

bool hook_lock_take(struct hook_lock *l, const char *dir, bool shared, int64_t worker,
                    struct sm_err *err)
{
    struct sm_str path = {0};
    int fd = -1;
    sm_str_printf(&path, "%s/" LOCK_FILE, dir);
    bool ok = !path.failed || sm_err_set(err, SM_ERR_MEMORY, "no memory for a lock");
    for (int i = 0; ok && fd < 0 && i < ATTEMPTS; i++)
        ok = try_lock(dir, sm_str_text(&path), shared, worker, &fd, err);
    if (ok && fd >= 0)
        write_owner(fd);
    int why = errno;
    sm_str_clear(&path);
    l->fd = fd;
    l->shared = shared;
    l->held = ok && fd >= 0;
    errno = why;
    return l->held || (ok && sm_err_set(err, SM_ERR_IO, "%s: cannot be locked", dir));
}

void hook_lock_release(struct hook_lock *l, const char *dir)
{
    struct sm_str path = {0};
    if (!l->held)
        return;
    l->held = false;
    sm_str_printf(&path, "%s/" LOCK_FILE, dir);
    /* a file that workers share stays: another may be about to lock it */
    if (!l->shared && !path.failed && is_current(l->fd, sm_str_text(&path)))
        unlink(sm_str_text(&path));
    close_file(l->fd);
    sm_str_clear(&path);
}
