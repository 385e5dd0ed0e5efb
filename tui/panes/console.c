/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/console.h"

#include <string.h>

static void drop_older_half(struct sm_str *s)
{
    const char *end = memchr(s->data + s->len / 2, '\n', s->len - s->len / 2);
    size_t from = end ? (size_t)(end - s->data) + 1 : s->len;
    memmove(s->data, s->data + from, s->len - from);
    sm_str_truncate(s, s->len - from);
}

void sm_console_add(struct sm_str *console, const char *prompt, const char *text, size_t n)
{
    sm_str_add(console, prompt);
    sm_str_addn(console, text, n);
    if (!n || text[n - 1] != '\n')
        sm_str_addc(console, '\n');
    while (console->len > SM_CONSOLE_MAX)
        drop_older_half(console);
}
