/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/history.h"
#include "commands/run/run_state.h"
#include "commands/session/permission.h"

#include "reader/base/mem.h"
#include "tui/app/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>

enum { LOCK_TRIES = 20, LOCK_PAUSE_MS = 10 };

static int n_unsaved; /* lines not yet in the file: the newest in readline's list */

char *sm_history_path(void)
{
    const char *file = getenv("SMDBG_HISTFILE");
    if (file)
        return *file ? sm_xstrdup(file) : NULL;
    return sm_user_file_state("history");
}

/* How many lines are kept. SMDBG_HISTSIZE works as in bash: empty or negative means no limit. */
static int most_lines(const struct sm_session *s)
{
    const char *text = getenv("SMDBG_HISTSIZE");
    char *end;
    int64_t n = sm_run_settings(s)->history_size;
    if (text) {
        long v = strtol(text, &end, 10);
        n = end == text || *end || v < 0 ? INT64_MAX : v;
    }
    return n > INT_MAX ? INT_MAX : (int)n;
}

void sm_history_load(const struct sm_session *s)
{
    char *path = sm_history_path();
    using_history();
    stifle_history(most_lines(s));
    if (path)
        read_history(path);
    sm_free(path);
    n_unsaved = 0;
}

void sm_history_add(const char *line)
{
    const HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
    if (!line[0] || line[0] == ' ' || !line[strspn(line, " \t")] ||
        (last && strcmp(last->line, line) == 0))
        return;
    add_history(line);
    using_history(); /* searches and Up start after it */
    n_unsaved++;
}

/* ---- saving ---- */

static bool same_file(int fd, const char *path)
{
    struct stat a, b;
    return fstat(fd, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Truncating the file replaces it, so a lock on a replaced file is useless: try again. */
static int open_locked(const char *path)
{
    for (int i = 0; i < LOCK_TRIES; i++) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 && same_file(fd, path))
            return fd;
        int reason = errno;
        close(fd);
        if (reason == EWOULDBLOCK)
            poll(NULL, 0, LOCK_PAUSE_MS);
        errno = reason;
    }
    return -1;
}

static bool append_lines(const char *path, int most)
{
    struct stat st;
    int fd = open_locked(path), n = n_unsaved < history_length ? n_unsaved : history_length;
    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 077))
        (void)!fchmod(fd, 0600);
    int reason = append_history(n, path);
    if (!reason && most < INT_MAX)
        reason = history_truncate_file(path, most);
    close(fd);
    errno = reason;
    return !reason;
}

bool sm_history_save(const struct sm_session *s, struct sm_err *err)
{
    int most = most_lines(s);
    struct sm_err refused;
    if (!sm_session_may(s, SM_DEED_WRITE, &refused))
        return true;
    if (!n_unsaved || !most || !sm_run_settings(s)->history_save)
        return true;
    char *path = sm_history_path();
    if (!path)
        return getenv("SMDBG_HISTFILE") ||
               sm_err_set(err, SM_ERR_IO, "history not saved: HOME is not set");
    bool ok = (getenv("SMDBG_HISTFILE") || sm_user_file_make(s, path)) && append_lines(path, most);
    if (ok)
        n_unsaved = 0;
    else
        sm_err_errno(err, "history not saved: %s", path);
    sm_free(path);
    return ok;
}
