#include "commands/session/outfile.h"

#include "reader/base/replace.h"

#include <errno.h>
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

/* Neither in its place nor, when it is a link, where that leads; a trial may be an archive's file.
 */
static bool leaves_trials_alone(const struct sm_session *s, const char *path, struct sm_err *err)
{
    char *dir = sm_xstrdup(path), *slash = strrchr(dir, '/'), *place, *itself;
    struct stat st;
    bool ok = true;
    if (slash)
        slash[slash == dir] = 0;
    place = realpath(slash ? dir : ".", NULL);
    itself = realpath(path, NULL);
    if (stat(path, &st) != 0 && lstat(path, &st) == 0)
        ok = sm_err_set(err, SM_ERR_REFUSED, "%s: a link that leads nowhere.", path);
    for (size_t i = 0; ok && i < s->n_trials; i++) {
        char *trial = realpath(sm_trial_path(s->trials[i].trial), NULL);
        if (trial && (is_within(place, trial) || is_within(itself, trial)))
            ok = sm_err_set(err, SM_ERR_REFUSED, "%s: nothing is written into a trial.", path);
        free(trial);
    }
    free(place);
    free(itself);
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

/* A file is replaced. What else has a name (a pipe, a terminal, a link) is written to, and so is a
 * file in a folder that takes no new ones. */
static bool write_whole(const char *path, const char *bytes, size_t n)
{
    struct stat st;
    bool there = lstat(path, &st) == 0;
    if (there && !S_ISREG(st.st_mode))
        return write_bytes(path, "we", bytes, n);
    if (there && access(path, W_OK) != 0)
        return false;
    return sm_replace_file(path, bytes, n, 0666) ||
           (there && errno == EACCES && write_bytes(path, "we", bytes, n));
}

bool sm_outfile_path(const struct sm_session *s, const char *path, struct sm_str *full,
                     struct sm_err *err)
{
    const char *home = getenv("HOME");
    if (strncmp(path, "~/", 2) == 0 && home)
        sm_str_printf(full, "%s%s", home, path + 1);
    else
        sm_str_add(full, path);
    return leaves_trials_alone(s, sm_str_text(full), err);
}

bool sm_outfile_check(const struct sm_session *s, const char *path, bool over, struct sm_err *err)
{
    struct sm_str full = {0};
    struct stat st;
    bool ok = sm_outfile_path(s, path, &full, err);
    if (ok && !over && stat(sm_str_text(&full), &st) == 0 && S_ISREG(st.st_mode))
        ok = sm_err_set(err, SM_ERR_REFUSED, "%s exists already.  -f writes over it.", path);
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

bool sm_is_picture_file(const char *path)
{
    return sm_ends_with(path, ".svg");
}
