/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/sampler/sample_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MARKER "system/training_job_end.ts"

static bool make_directories(char *path, struct sm_err *err)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool failed = mkdir(path, 0777) != 0 && errno != EEXIST && access(path, F_OK) != 0;
        if (failed)
            sm_err_errno(err, "%s", path);
        *slash = '/';
        if (failed)
            return false;
    }
    return true;
}

static bool set_path(struct sm_sample_file *f, int64_t minute, struct sm_err *err)
{
    time_t t = (time_t)minute;
    struct tm utc;
    char hour[32];
    if (!gmtime_r(&t, &utc) || !strftime(hour, sizeof hour, "%Y%m%d%H", &utc))
        return sm_err_set(err, SM_ERR_IO, "the clock is out of range");
    sm_str_truncate(&f->path, 0);
    sm_str_printf(&f->path, "%s/system/incremental/%s/%010lld.%s.json", sm_str_text(&f->root), hour,
                  (long long)minute, f->node);
    return !f->path.failed || sm_err_set(err, SM_ERR_MEMORY, "no memory for a path");
}

/* Two writers of one node would mix their lines; file systems without locks let them. */
static bool lock(struct sm_sample_file *f, int fd, struct sm_err *err)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return true;
    close(fd);
    return sm_err_set(err, SM_ERR_REFUSED, "%s: another sampler writes the metrics of %s",
                      sm_str_text(&f->root), f->node);
}

static void close_minute(struct sm_sample_file *f)
{
    if (f->minute)
        close(f->fd);
    f->minute = 0;
}

static bool open_minute(struct sm_sample_file *f, int64_t wall_us, struct sm_err *err)
{
    int64_t minute = wall_us / 60000000 * 60;
    if (f->minute == minute)
        return true;
    if (!set_path(f, minute, err) || !make_directories(f->path.data, err))
        return false;
    int fd = open(f->path.data, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return sm_err_errno(err, "%s", sm_str_text(&f->path));
    if (!lock(f, fd, err))
        return false;
    close_minute(f);
    f->fd = fd;
    f->minute = minute;
    return true;
}

bool sm_sample_file_open(struct sm_sample_file *f, const char *root, const char *node,
                         int64_t wall_us, struct sm_err *err)
{
    struct sm_str marker = {0};
    *f = (struct sm_sample_file){0};
    sm_str_add(&f->root, root);
    snprintf(f->node, sizeof f->node, "%s", node);
    bool ok = open_minute(f, wall_us, err);
    sm_str_printf(&marker, "%s/" MARKER, root);
    if (ok && unlink(sm_str_text(&marker)) != 0 && errno != ENOENT)
        ok = sm_err_errno(err, "%s", sm_str_text(&marker));
    sm_str_clear(&marker);
    if (!ok)
        sm_sample_file_close(f, false, NULL);
    return ok;
}

/* A disk that is full may take a part of the lines: it is taken back. */
bool sm_sample_file_write(struct sm_sample_file *f, struct sm_text lines, int64_t wall_us,
                          struct sm_err *err)
{
    struct stat st;
    if (!lines.n)
        return true;
    if (!open_minute(f, wall_us, err))
        return false;
    bool sized = fstat(f->fd, &st) == 0;
    ssize_t n = write(f->fd, lines.p, lines.n);
    if (n == (ssize_t)lines.n)
        return true;
    if (n >= 0)
        errno = ENOSPC;
    sm_err_errno(err, "%s", sm_str_text(&f->path));
    if (n > 0 && sized && ftruncate(f->fd, st.st_size) != 0)
        return false;
    return false;
}

static bool write_marker(const struct sm_sample_file *f, struct sm_err *err)
{
    struct sm_str path = {0};
    sm_str_printf(&path, "%s/" MARKER, sm_str_text(&f->root));
    int fd = open(sm_str_text(&path), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool ok = (fd >= 0 && close(fd) == 0) || sm_err_errno(err, "%s", sm_str_text(&path));
    sm_str_clear(&path);
    return ok;
}

bool sm_sample_file_close(struct sm_sample_file *f, bool ended, struct sm_err *err)
{
    close_minute(f);
    bool ok = !ended || write_marker(f, err);
    sm_str_clear(&f->root);
    sm_str_clear(&f->path);
    return ok;
}
