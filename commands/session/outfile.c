/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/outfile.h"

#include "commands/session/permission.h"
#include "reader/s3/source_s3.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_within(const char *path, const char *trial)
{
    size_t n = strlen(trial);
    return path && strncmp(path, trial, n) == 0 && (!path[n] || path[n] == '/');
}

/* Checks that neither the path nor, if it is a link, its target is in an open trial. A trial may be
 * a single file (an archive). */
static bool check_outside_trials(const struct sm_session *s, const char *path, struct sm_err *err)
{
    char *dir = sm_xstrdup(path), *slash = strrchr(dir, '/'), *folder, *target;
    struct stat st;
    bool ok = true;
    if (slash)
        slash[slash == dir] = 0;
    folder = realpath(slash ? dir : ".", NULL);
    target = realpath(path, NULL);
    if (stat(path, &st) != 0 && lstat(path, &st) == 0)
        ok = sm_err_set(err, SM_ERR_REFUSED, "%s: the target of the link does not exist.", path);
    for (size_t i = 0; ok && i < s->n_trials; i++) {
        char *trial = realpath(sm_trial_path(s->trials[i].trial), NULL);
        if (trial && (is_within(folder, trial) || is_within(target, trial)))
            ok = sm_err_set(err, SM_ERR_REFUSED, "%s: cannot write into a trial.", path);
        free(trial);
    }
    free(folder);
    free(target);
    sm_free(dir);
    return ok;
}

static bool write_bytes(const char *path, const char *mode, const char *bytes, size_t n)
{
    FILE *f = fopen(path, mode);
    if (!f)
        return false;
    bool ok = fwrite(bytes, 1, n, f) == n;
    return fclose(f) == 0 && ok;
}

/* Replaces a regular file. Writes directly to anything else (a pipe, a terminal, a link), and to a
 * file in a directory that is not writable. */
static bool write_whole(const char *path, const char *bytes, size_t n)
{
    struct stat st;
    bool exists = lstat(path, &st) == 0;
    if (exists && !S_ISREG(st.st_mode))
        return write_bytes(path, "we", bytes, n);
    if (exists && access(path, W_OK) != 0)
        return false;
    return sm_replace_file(path, bytes, n, 0666) ||
           (exists && errno == EACCES && write_bytes(path, "we", bytes, n));
}

bool sm_outfile_path(const struct sm_session *s, const char *path, struct sm_str *full,
                     struct sm_err *err)
{
    const char *home = getenv("HOME");
    if (!sm_session_may(s, SM_DEED_WRITE, err) || !sm_path_may_be_written(path, err))
        return false;
    if (strncmp(path, "~/", 2) == 0 && home)
        sm_str_printf(full, "%s%s", home, path + 1);
    else
        sm_str_add(full, path);
    return check_outside_trials(s, sm_str_text(full), err);
}

bool sm_outfile_check(const struct sm_session *s, const char *path, bool over, struct sm_err *err)
{
    struct sm_str full = {0};
    struct stat st;
    bool ok = sm_outfile_path(s, path, &full, err);
    if (ok && !over && stat(sm_str_text(&full), &st) == 0 && S_ISREG(st.st_mode))
        ok = sm_err_set(err, SM_ERR_REFUSED, "%s already exists.  Use -f to overwrite it.", path);
    sm_str_clear(&full);
    return ok;
}

bool sm_outfile_write(const struct sm_session *s, const char *path, bool append, const char *bytes,
                      size_t n, struct sm_err *err)
{
    struct sm_str full = {0};
    bool ok = sm_outfile_path(s, path, &full, err);
    if (ok && !(append ? write_bytes(sm_str_text(&full), "ae", bytes, n)
                       : write_whole(sm_str_text(&full), bytes, n)))
        ok = sm_err_set(err, SM_ERR_USAGE, "%s: %s.", path, strerror(errno));
    sm_str_clear(&full);
    return ok;
}

FILE *sm_outfile_open(const struct sm_session *s, const char *path, bool append, struct sm_err *err)
{
    struct sm_str full = {0};
    FILE *f = NULL;
    if (sm_outfile_path(s, path, &full, err)) {
        f = fopen(sm_str_text(&full), append ? "ae" : "we");
        if (!f)
            sm_err_set(err, SM_ERR_USAGE, "%s: %s.", path, strerror(errno));
    }
    sm_str_clear(&full);
    return f;
}

/* What is no regular file (a pipe, a terminal, a link) is written directly. */
static bool begin_file(struct sm_outfile *o, const char *path)
{
    struct stat st;
    bool exists = lstat(path, &st) == 0;
    *o = (struct sm_outfile){.replaces = !exists || S_ISREG(st.st_mode)};
    if (exists && o->replaces && access(path, W_OK) != 0)
        return false;
    if (o->replaces && !sm_replacement_begin(&o->file, path, 0666)) {
        o->replaces = false;
        if (!exists || errno != EACCES)
            return false;
    }
    o->f = o->replaces ? fdopen(o->file.fd, "w") : fopen(path, "we");
    if (!o->f && o->replaces)
        sm_replacement_end(&o->file, false);
    return o->f;
}

bool sm_outfile_begin(struct sm_outfile *o, const struct sm_session *s, const char *path, bool over,
                      struct sm_err *err)
{
    struct sm_str full = {0};
    *o = (struct sm_outfile){0};
    bool ok = sm_outfile_check(s, path, over, err) && sm_outfile_path(s, path, &full, err);
    if (ok && !begin_file(o, sm_str_text(&full)))
        ok = sm_err_set(err, SM_ERR_USAGE, "%s: %s.", path, strerror(errno));
    sm_str_clear(&full);
    return ok;
}

bool sm_outfile_end(struct sm_outfile *o, bool keep, struct sm_err *err)
{
    bool ok = o->f && fclose(o->f) == 0;
    o->file.fd = -1;
    if (o->replaces)
        ok = sm_replacement_end(&o->file, keep && ok) && ok;
    *o = (struct sm_outfile){0};
    return ok || !keep ||
           sm_err_set(err, SM_ERR_USAGE, "The file cannot be written: %s.", strerror(errno));
}

bool sm_outfile_touch(const struct sm_session *s, const char *path, struct sm_err *err)
{
    struct sm_str full = {0};
    if (!sm_outfile_path(s, path, &full, err)) {
        sm_str_clear(&full);
        return false;
    }
    int fd = open(sm_str_text(&full), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool ok = (fd >= 0 && futimens(fd, NULL) == 0) || sm_err_errno(err, "%s", path);
    if (fd >= 0)
        close(fd);
    sm_str_clear(&full);
    return ok;
}

bool sm_is_svg_file(const char *path)
{
    return sm_ends_with(path, ".svg");
}
