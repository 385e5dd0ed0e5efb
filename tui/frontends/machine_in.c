/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/frontends/machine_in.h"

#include "commands/language/request.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The bytes up to the end of the line. Returns false if the line is incomplete. */
static bool next_line(struct sm_line_in *in, size_t at, size_t *n, bool *complete)
{
    char *p = in->input.data + at, *end = memchr(p, '\n', in->input.len - at);
    *complete = end != NULL;
    *n = end ? (size_t)(end - p) : in->input.len - at;
    if (end)
        *end = 0;
    return end || in->ended;
}

static void drop_bytes(struct sm_line_in *in, size_t n)
{
    size_t left = in->input.len - n;
    memmove(in->input.data, in->input.data + n, left);
    sm_str_truncate(&in->input, left);
}

static void handle_lines(struct sm_line_in *in, void (*line)(void *ctx, const char *text, size_t n),
                         void *ctx)
{
    size_t at = 0, n;
    for (bool complete; at < in->input.len && next_line(in, at, &n, &complete);
         at += n + complete) {
        if (!in->overlong)
            line(ctx, in->input.data + at, n);
        in->overlong = false;
    }
    drop_bytes(in, at);
    if (in->input.len <= SM_REQUEST_MAX)
        return;
    if (!in->overlong)
        line(ctx, NULL, 0);
    in->overlong = true;
    sm_str_truncate(&in->input, 0);
}

void sm_line_in_read(struct sm_line_in *in, int fd,
                     void (*line)(void *ctx, const char *text, size_t n), void *ctx)
{
    char chunk[1 << 14];
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n > 0)
        sm_str_addn(&in->input, chunk, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        in->ended = true;
    if (in->input.len)
        handle_lines(in, line, ctx);
}

void sm_line_in_clear(struct sm_line_in *in)
{
    sm_str_clear(&in->input);
}
