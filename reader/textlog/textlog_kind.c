/* SPDX-License-Identifier: Apache-2.0 */
/* The kind `log`: finds the plain logs of a folder. */
#include "reader/base/mem.h"
#include "reader/source/source_pipe.h"
#include "reader/textlog/textlog.h"
#include "reader/textlog/textlog_state.h"

#include <string.h>
#include <strings.h>

/* A folder with so many texts that are no logs has data. */
enum { HEAD_BYTES = 256 * 1024, FIRST_BYTES = 8 * 1024, STRANGERS_MAX = 100 };

static bool ends_with(const char *name, const char *const *endings)
{
    for (; *endings; endings++)
        if (sm_ends_with(name, *endings))
            return true;
    return false;
}

static bool begins_with(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strncasecmp(name, *words, strlen(*words)) == 0)
            return true;
    return false;
}

static bool is_log_name(const char *name)
{
    static const char *const endings[] = {".log",    ".txt", ".out", ".err", ".stdout",
                                          ".stderr", ".LOG", ".TXT", NULL};
    static const char *const whole[] = {"stdout", "stderr", "log", "std_log", NULL};
    static const char *const others[] = {"readme",  "requirements", "constraints", "license",
                                         "licence", "changelog",    "authors",     "cmakelists.",
                                         "notice",  "copying",      NULL};
    if (begins_with(name, others))
        return false;
    for (const char *const *w = whole; *w; w++)
        if (strcmp(name, *w) == 0)
            return true;
    const char *log = strstr(name, ".log."); /* train.log.1 */
    return ends_with(name, endings) || (log && strspn(log + 5, "0123456789") == strlen(log + 5));
}

static bool is_text(const char *p, size_t n)
{
    return n && !memchr(p, 0, n);
}

/* A file that the user named may have no values yet. */
static bool is_log(struct sm_run_folder *f, const char *name, char *buf)
{
    bool given = sm_run_folder_is_given(f);
    if (!given && !is_log_name(name))
        return false;
    size_t n = sm_run_folder_text(f, name, buf, FIRST_BYTES);
    if (given && is_log_name(name))
        return n == 0 || is_text(buf, n);
    if (!is_text(buf, n))
        return false;
    if (n == FIRST_BYTES)
        n = sm_run_folder_text(f, name, buf, HEAD_BYTES);
    return sm_textlog_looks_like(buf, n, sm_textlog_patterns_in_use());
}

static void find_logs(struct sm_run_folder *f)
{
    char *buf = sm_alloc(HEAD_BYTES);
    size_t strangers = 0, found = 0;
    for (size_t i = 0; buf && i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *item = sm_run_folder_item(f, i);
        if (item->is_dir || item->claimed || (!found && strangers > STRANGERS_MAX))
            continue;
        if (is_log(f, item->name, buf)) {
            sm_run_folder_add(f, item->name, NULL);
            sm_run_folder_claim(f, item->name);
            found++;
        } else {
            strangers += is_log_name(item->name);
        }
    }
    sm_free(buf);
}

static const struct sm_trial_traits traits = {
    .name = "log",
    .label = "log",
    .title = "log of a terminal",
    .files = "logs of a terminal (.log, .txt, .out)",
    .runs = true,
    .day_ends = true,
};

const struct sm_trial_kind sm_trial_kind_log = SM_LOG_KIND(traits, sm_textlog_format, find_logs);

/* ---- standard input ---- */

static bool owns_pipe(const char *path, const struct stat *st)
{
    (void)st;
    return sm_pipe_is_path(path);
}

static struct sm_source *open_pipe(const char *path, struct sm_err *err)
{
    struct sm_source *s = sm_pipe_source();
    if (!s)
        sm_err_set(err, SM_ERR_MISSING, "%s: no pipe is read", path);
    return s;
}

static bool detect_pipe(struct sm_source *source)
{
    return sm_pipe_is_source(source);
}

static const struct sm_trial_traits pipe_traits = {
    .name = "log",
    .label = "log",
    .title = "log on standard input (-)",
    .files = "a log on standard input",
    .runs = true,
};

const struct sm_trial_kind sm_trial_kind_pipe = {
    .traits = &pipe_traits,
    .log = &sm_textlog_pipe_format,
    .owns_path = owns_pipe,
    .open_path = open_pipe,
    .detect = detect_pipe,
    .new_state = sm_log_state_new,
    .free_state = sm_log_state_free,
    .list = sm_log_list,
    .read = sm_log_read,
    .settle = sm_log_settle,
    .unread = sm_log_unread,
};
