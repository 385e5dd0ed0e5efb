/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_console.h"

#include <string.h>
#include <strings.h>

/* Redrawn lines keep what they showed last. */
static struct sm_text last_drawing(struct sm_text line)
{
    while (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    for (size_t i = line.n; i-- > 0;)
        if (line.p[i] == '\r')
            return (struct sm_text){line.p + i + 1, line.n - i - 1};
    return line;
}

bool sm_run_console_next(const struct sm_str *console, size_t *at, struct sm_text *line)
{
    if (*at >= console->len)
        return false;
    const char *from = console->data + *at;
    const char *end = memchr(from, '\n', console->len - *at);
    *line = (struct sm_text){from, end ? (size_t)(end - from) : console->len - *at};
    *at += line->n + 1;
    *line = last_drawing(*line);
    return true;
}

bool sm_run_console_has(struct sm_text line, const char *part, size_t n)
{
    for (size_t i = 0; i + n <= line.n; i++)
        if (strncasecmp(line.p + i, part, n) == 0)
            return true;
    return false;
}

void sm_run_console_plain(struct sm_text line, struct sm_str *out)
{
    size_t from = 0;
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] != '\033' || i + 1 >= line.n || line.p[i + 1] != '[')
            continue;
        sm_str_add_escaped(out, line.p + from, i - from);
        for (i += 2; i < line.n && !(line.p[i] >= '@' && line.p[i] <= '~');)
            i++;
        from = i + 1;
    }
    if (from < line.n)
        sm_str_add_escaped(out, line.p + from, line.n - from);
}
