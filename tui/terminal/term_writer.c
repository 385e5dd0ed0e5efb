/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/term_writer.h"

#include "reader/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* If the terminal cannot be opened again (for example after su), uses stdout, which may block. */
static int open_terminal(void)
{
    const char *name = ttyname(STDOUT_FILENO);
    int fd = name ? open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    return fd >= 0 ? fd : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
}

bool sm_term_writer_open(struct sm_term_writer *o, struct sm_err *err)
{
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    *o = (struct sm_term_writer){.tty = open_terminal(),
                                 .memory = memfd_create("frame", MFD_CLOEXEC),
                                 .file = fd < 0 ? NULL : fdopen(fd, "w")};
    if (o->tty >= 0 && o->memory >= 0 && o->file)
        return true;
    sm_err_errno(err, "the terminal");
    sm_term_writer_close(o);
    return false;
}

void sm_term_writer_close(struct sm_term_writer *o)
{
    if (o->tty >= 0)
        close(o->tty);
    if (o->memory >= 0)
        close(o->memory);
    if (o->file)
        fclose(o->file);
    sm_str_clear(&o->pending);
    *o = (struct sm_term_writer){.tty = -1, .memory = -1};
}

/* ---- collecting ---- */

void sm_term_writer_begin(struct sm_term_writer *o)
{
    dup3(o->memory, fileno(o->file), O_CLOEXEC);
}

static void collect_output(struct sm_term_writer *o)
{
    char chunk[16384];
    off_t at = 0;
    for (ssize_t n; (n = pread(o->memory, chunk, sizeof chunk, at)) > 0; at += n)
        sm_str_addn(&o->pending, chunk, (size_t)n);
    if (at && ftruncate(o->memory, 0) == 0)
        lseek(o->memory, 0, SEEK_SET);
}

/* Removes all occurrences of `unwanted` after `from`. */
static void remove_text(struct sm_str *text, size_t from, const char *unwanted)
{
    size_t n = unwanted ? strlen(unwanted) : 0;
    for (char *at; n && text->len > from && (at = strstr(text->data + from, unwanted));
         sm_str_truncate(text, text->len - n))
        memmove(at, at + n, (size_t)(text->data + text->len - at) - n);
}

void sm_term_writer_end(struct sm_term_writer *o, bool frame)
{
    static const char from[] = "\033[?2026h", to[] = "\033[?2026l";
    bool marked = frame && o->synchronized;
    dup3(STDOUT_FILENO, fileno(o->file), O_CLOEXEC);
    sm_str_addn(&o->pending, from, marked ? sizeof from - 1 : 0);
    size_t before = o->pending.len;
    collect_output(o);
    for (size_t i = 0; i < 2; i++)
        remove_text(&o->pending, before, o->unwanted[i]);
    if (o->pending.len == before) /* nothing has changed */
        sm_str_truncate(&o->pending, marked ? before - sizeof from + 1 : before);
    else
        sm_str_addn(&o->pending, to, marked ? sizeof to - 1 : 0);
}

void sm_term_writer_add(struct sm_term_writer *o, const char *text)
{
    sm_str_add(&o->pending, text);
}

/* ---- sending ---- */

bool sm_term_writer_flush(struct sm_term_writer *o)
{
    while (o->sent < o->pending.len) {
        ssize_t n = write(o->tty, o->pending.data + o->sent, o->pending.len - o->sent);
        if (n < 0 && errno == EAGAIN)
            return false;
        if (n < 0 && errno != EINTR)
            break; /* the terminal is gone: a signal or its input reports it */
        o->sent += n > 0 ? (size_t)n : 0;
    }
    sm_str_truncate(&o->pending, 0);
    o->sent = 0;
    return true;
}

bool sm_term_writer_ready(struct sm_term_writer *o)
{
    struct pollfd p = {.fd = o->tty, .events = POLLOUT};
    return sm_term_writer_flush(o) && poll(&p, 1, 0) != 0;
}

bool sm_term_writer_drain(struct sm_term_writer *o, int most_ms)
{
    int64_t until = sm_clock_mono_us() + most_ms * 1000LL;
    while (!sm_term_writer_flush(o)) {
        int64_t left = until - sm_clock_mono_us();
        struct pollfd p = {.fd = o->tty, .events = POLLOUT};
        if (left > 0) {
            poll(&p, 1, (int)(left / 1000) + 1);
            continue;
        }
        bool cut = o->sent > 0;
        sm_str_truncate(&o->pending, 0);
        sm_str_add(&o->pending, cut ? "\030" : ""); /* cancels an incomplete control sequence */
        o->sent = 0;
        return false;
    }
    return true;
}
