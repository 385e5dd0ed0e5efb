/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a log while it grows. */
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/logs/log_file.h"
#include "reader/source/source_pipe.h"
#include "reader/textlog/textlog.h"
#include "reader/textlog/textlog_state.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- the patterns of the user ---- */

/* Those that were in use before are kept: a log may still use them. */
struct used_patterns {
    struct sm_textlog_patterns *patterns;
    struct used_patterns *before;
};
static pthread_mutex_t used_lock = PTHREAD_MUTEX_INITIALIZER;
static struct used_patterns *used;

enum { PATTERNS_BYTES = 1024 * 1024 };

static bool read_patterns(const char *path, struct sm_str *out, struct sm_err *err)
{
    char buf[4096];
    size_t n = 1;
    FILE *f = fopen(path, "re");
    if (!f)
        return sm_err_errno(err, "%s", path);
    while (n && out->len <= PATTERNS_BYTES) {
        n = fread(buf, 1, sizeof buf, f);
        sm_str_addn(out, buf, n);
    }
    bool bad = ferror(f);
    fclose(f);
    if (bad)
        return sm_err_set(err, SM_ERR_IO, "%s: cannot be read", path);
    return out->len <= PATTERNS_BYTES ||
           sm_err_set(err, SM_ERR_LIMIT, "%s: more than %d bytes", path, PATTERNS_BYTES);
}

bool sm_textlog_use_patterns(const char *path, struct sm_err *err)
{
    struct sm_str text = {0};
    struct used_patterns *next = sm_alloc_zero(1, sizeof *next);
    bool ok = next || sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    ok = ok && (!*path || read_patterns(path, &text, err));
    if (ok && *path)
        ok = (next->patterns = sm_textlog_patterns_new(path, sm_str_text(&text), text.len, err)) !=
             NULL;
    sm_str_clear(&text);
    pthread_mutex_lock(&used_lock);
    if (ok && (*path || used)) {
        next->before = used;
        used = next;
        next = NULL;
    }
    pthread_mutex_unlock(&used_lock);
    sm_free(next);
    return ok;
}

const struct sm_textlog_patterns *sm_textlog_patterns_in_use(void)
{
    pthread_mutex_lock(&used_lock);
    const struct sm_textlog_patterns *p = used ? used->patterns : NULL;
    pthread_mutex_unlock(&used_lock);
    return p;
}

/* ---- the state ---- */

struct log_text {
    struct sm_log_file file;
    struct sm_textlog *parser;
    struct sm_log_sink *sink; /* of the call of poll that runs */
    uint64_t points;
    bool follow, peeked, finished, said_nothing, said_lost;
};

static uint32_t put_series(void *ctx, const char *name, size_t n)
{
    return sm_log_series(((struct log_text *)ctx)->sink, name, n);
}

static void put_point(void *ctx, uint32_t series, int64_t step, double time, double value)
{
    struct log_text *l = ctx;
    l->points++;
    sm_log_point(l->sink, series, step, time, value);
}

/* parser: NULL if there is no memory. */
static bool use_parser(struct log_text *l, struct sm_textlog *parser)
{
    sm_textlog_free(l->parser);
    l->parser = parser;
    l->points = 0;
    l->peeked = l->finished = l->said_nothing = false;
    return l->parser;
}

static bool new_parser(struct log_text *l)
{
    const struct sm_textlog_out out = {l, put_series, put_point};
    return use_parser(l, sm_textlog_new(sm_textlog_patterns_in_use(), &out));
}

static void *open_text(const struct sm_trial_input *in)
{
    struct log_text *l = sm_alloc_zero(1, sizeof *l);
    if (!l)
        return NULL;
    l->file.source = in->source;
    l->file.path = in->options.member ? in->options.member : "";
    l->follow = in->options.follow;
    if (new_parser(l))
        return l;
    sm_free(l);
    return NULL;
}

static void close_text(void *state)
{
    struct log_text *l = state;
    sm_textlog_free(l->parser);
    sm_log_file_clear(&l->file);
    sm_free(l);
}

/* ---- polling ---- */

/* Reads for one turn. True: the end was not reached. */
static bool take_turn(struct log_text *l)
{
    enum { PIECE = 64 * 1024 };
    char buf[PIECE];
    struct sm_err err;
    for (size_t done = 0; done < SM_LOG_TURN_BYTES;) {
        size_t n, mark = 0;
        bool first = l->file.offset == 0;
        const char *text = sm_log_file_take_text(&l->file, buf, sizeof buf, &n, &err);
        if (err.code != SM_OK)
            sm_log_problem(l->sink, l->file.path, (int64_t)l->file.offset, &err);
        if (n == 0)
            return false;
        if (first)
            mark = sm_text_mark(text, n);
        sm_log_console(l->sink, text + mark, n - mark);
        sm_textlog_feed(l->parser, text + mark, n - mark);
        l->peeked = l->finished = false;
        done += n;
    }
    return true;
}

/* A file that is read once and holds nothing is a mistake; one that is followed may begin late. */
static void report_nothing(struct log_text *l)
{
    enum { MUCH = 1024 * 1024 };
    struct sm_err err;
    if (l->points || l->said_nothing || l->file.offset == 0 || (l->follow && l->file.offset < MUCH))
        return;
    sm_err_set(&err, SM_ERR_DATA,
               "no line has a step and a value that are known (set log-patterns FILE adds "
               "patterns)");
    sm_log_problem(l->sink, l->file.path, -1, &err);
    l->said_nothing = true;
}

/* Whether nothing more will be written to the last line: it is not followed, or nothing has come
 * for a minute. A program whose output is buffered stops anywhere, but after whole blocks. */
static bool is_finished(const struct log_text *l)
{
    enum { BLOCK = 4096, QUIET_US = 60 * 1000000 };
    return !l->follow ||
           (l->file.offset % BLOCK != 0 && sm_clock_wall_us() - l->file.mtime_us > QUIET_US);
}

static void read_last_line(struct log_text *l)
{
    bool finished = is_finished(l);
    if (!l->peeked || (finished && !l->finished))
        sm_textlog_peek(l->parser, finished);
    l->peeked = true;
    l->finished = finished;
}

/* Whether the log is to be read from its beginning, as of its bars other values count. */
static bool begin_again(struct log_text *l)
{
    struct sm_textlog *parser = sm_textlog_again(l->parser, sm_textlog_patterns_in_use());
    if (!parser)
        return false;
    use_parser(l, parser);
    sm_log_file_rewind(&l->file);
    sm_log_restart(l->sink);
    return true;
}

/* Source without an end: the last line without LF is read when nothing more has come. */
static bool poll_text(void *state, struct sm_log_sink *sink)
{
    struct log_text *l = state;
    struct sm_err err;
    l->sink = sink;
    enum sm_log_change change = sm_log_file_look(&l->file, &err);
    if (change == SM_LOG_GONE)
        return false;
    sm_log_written(sink, l->file.mtime_us);
    if (change == SM_LOG_ANEW) {
        sm_log_restart(sink);
        if (!new_parser(l))
            return false;
    }
    if (change != SM_LOG_SAME)
        return take_turn(l) || !l->peeked;
    bool peeked = l->peeked;
    read_last_line(l);
    if (!peeked && begin_again(l))
        return true;
    report_nothing(l);
    return false;
}

const struct sm_log_format sm_textlog_format = {
    .open = open_text,
    .close = close_text,
    .poll = poll_text,
};

/* ---- a pipe ---- */

static void *open_pipe(const struct sm_trial_input *in)
{
    struct log_text *l = open_text(in);
    if (l)
        l->file.path = SM_PIPE_FILE;
    return l;
}

/* The run has ended when the pipe has, and all of it was read. */
static bool poll_pipe(void *state, struct sm_log_sink *sink)
{
    enum { WAIT_US = 200000 };
    struct log_text *l = state;
    struct sm_err lost;
    struct sm_stat st;
    bool ended = sm_pipe_ended(&lost); /* before the rest is read */
    if (poll_text(state, sink))
        return true;
    if (lost.code != SM_OK && !l->said_lost) {
        sm_log_problem(sink, SM_PIPE_FILE, (int64_t)l->file.offset, &lost);
        l->said_lost = true;
    }
    if (!ended)
        return sm_pipe_wait(l->file.offset, WAIT_US);
    if (sm_source_stat(l->file.source, SM_PIPE_FILE, &st, &lost) && st.size_bytes > l->file.offset)
        return true;
    l->follow = false;
    read_last_line(l);
    report_nothing(l);
    sm_log_ended(sink, true, 0);
    return false;
}

const struct sm_log_format sm_textlog_pipe_format = {
    .open = open_pipe,
    .close = close_text,
    .poll = poll_pipe,
};
