/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/progress.h"
#include "tui/terminal/terminal_settings.h"

#include "commands/session/session.h"
#include "reader/base/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { AFTER_US = 300000, EVERY_US = 500000 };

void sm_progress_begin(struct sm_progress *p)
{
    p->next_us = sm_clock_mono_us() + AFTER_US;
}

void sm_progress_erase(struct sm_progress *p)
{
    if (!p->line.len)
        return;
    fprintf(stderr, "\r%*s\r", (int)sm_text_width(p->line.data, p->line.len), "");
    fflush(stderr);
    sm_str_truncate(&p->line, 0);
}

static void describe_command(const struct sm_session *s, const struct sm_exec *x,
                             struct sm_str *out)
{
    const char *line = sm_exec_running(x);
    size_t open = sm_session_reading(s) + sm_exec_left(x);
    sm_str_add_escaped(out, line, strlen(line));
    if (open)
        sm_str_printf(out, ": %zu values to read", open);
    else
        sm_str_add(out, ": waiting");
    sm_str_add(out, ", Ctrl-C stops it");
}

/* Writes nothing if the text is the same, or too long for a line. */
static void draw_progress(struct sm_progress *p, const struct sm_session *s,
                          const struct sm_exec *x)
{
    struct sm_str text = {0};
    size_t width = s->term.w > 0 ? (size_t)s->term.w : 80;
    describe_command(s, x, &text);
    bool unchanged = strcmp(sm_str_text(&text), sm_str_text(&p->line)) == 0;
    if (!unchanged)
        sm_progress_erase(p);
    if (!unchanged && sm_text_width(text.data, text.len) < width) {
        fprintf(stderr, "%s", text.data);
        fflush(stderr);
        sm_str_add(&p->line, text.data);
    }
    sm_str_clear(&text);
}

int64_t sm_progress_show(struct sm_progress *p, const struct sm_session *s, const struct sm_exec *x)
{
    int64_t now = sm_clock_mono_us();
    if (!sm_exec_waiting(x) || !isatty(STDERR_FILENO) || sm_terminal_settings(s)->screen_reader)
        return INT64_MAX;
    if (now >= p->next_us) {
        draw_progress(p, s, x);
        p->next_us = now + EVERY_US;
    }
    return p->next_us;
}

void sm_progress_clear(struct sm_progress *p)
{
    sm_str_clear(&p->line);
}
