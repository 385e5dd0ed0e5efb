/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/app/stdin_log.h"

#include "reader/source/source_pipe.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_named(const struct sm_options *o)
{
    for (size_t i = 0; i < o->n_trials; i++)
        if (strcmp(o->trials[i], SM_PIPE_PATH) == 0)
            return true;
    return false;
}

/* Commands, or requests, cannot come from where the log comes from. */
static bool check_commands(const struct sm_options *o, struct sm_err *err)
{
    for (size_t i = 0; i < o->n_items; i++)
        if (o->items[i].kind == SM_START_FILE && strcmp(o->items[i].text, "-") == 0)
            return sm_err_set(err, SM_ERR_USAGE,
                              "standard input is the log (-): it cannot have commands (-x -) too");
    if (o->interpreter && strcmp(o->interpreter, "json") == 0)
        return sm_err_set(err, SM_ERR_USAGE,
                          "standard input is the log (-): it cannot have requests too");
    if (isatty(STDIN_FILENO))
        return sm_err_set(err, SM_ERR_USAGE,
                          "-: standard input is a terminal; pipe a log into the program");
    return true;
}

static bool runs_without_keys(const struct sm_options *o)
{
    return o->batch || o->inspect || o->check || o->keys;
}

/* Gives the process another standard input. False: no keys can be read. */
static bool replace_stdin(const struct sm_options *o)
{
    int tty = runs_without_keys(o) ? -1 : open("/dev/tty", O_RDWR | O_CLOEXEC);
    int fd = tty >= 0 ? tty : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        dup2(fd, STDIN_FILENO);
        close(fd);
    }
    return tty >= 0;
}

/* A named pipe, as of "smdbg-tui <(torchrun train.py)"; NULL: none was given. */
static const char *named_pipe(const struct sm_options *o)
{
    struct stat st;
    for (size_t i = 0; i < o->n_trials; i++)
        if (stat(o->trials[i], &st) == 0 && S_ISFIFO(st.st_mode))
            return o->trials[i];
    return NULL;
}

/* Whether answers wait for the end of the pipe. */
static bool is_whole(const struct sm_options *o, bool keys)
{
    return o->follow == SM_NO || (o->follow == SM_AUTO && !keys && !o->keys);
}

bool sm_stdin_log_begin(const struct sm_options *o, struct sm_err *err)
{
    const char *named = named_pipe(o);
    if (!is_named(o))
        return !named || sm_pipe_begin_named(named, is_whole(o, !runs_without_keys(o)), err);
    if (!check_commands(o, err))
        return false;
    bool given =
        o->inspect || o->check || o->rules || o->keys || sm_options_have_commands(o, false);
    if (o->batch && !given)
        return sm_err_set(err, SM_ERR_USAGE,
                          "standard input is the log (-): give commands by -ex or -x FILE");
    int log = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (log < 0)
        return sm_err_errno(err, "standard input");
    bool keys = replace_stdin(o);
    if (!keys && !given)
        return sm_err_set(err, SM_ERR_USAGE,
                          "-: there is no terminal for keys; use -batch -ex COMMAND");
    return sm_pipe_begin(log, is_whole(o, keys), err);
}
