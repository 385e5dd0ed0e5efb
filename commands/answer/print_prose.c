/* SPDX-License-Identifier: Apache-2.0 */
/* Wraps paragraphs at a given width. */
#include "commands/answer/print_cell.h"

#include "plot/wrap.h"

#include <string.h>

static void add_wrapped(struct sm_str *out, const char *text, size_t n, size_t hang, int width)
{
    int w = width;
    if (hang * 2 > (size_t)width) /* too narrow to indent */
        hang = 0;
    do {
        size_t used = sm_wrap_line(text, n, w);
        sm_str_addn(out, text, used);
        sm_str_addc(out, '\n');
        while (used < n && text[used] == ' ')
            used++;
        text += used;
        n -= used;
        w = width - (int)hang;
        sm_str_fill(out, ' ', n ? hang : 0);
    } while (n);
}

/* The start of the last column: the offset after the last two adjacent blanks. 0 if there are
 * none. */
static size_t last_column(const char *line, size_t n)
{
    while (n > 2 && !(line[n - 2] == ' ' && line[n - 3] == ' '))
        n--;
    return n > 2 ? n - 1 : 0;
}

/* A line that is not joined with others: empty, indented or with columns. */
static bool is_separate(const char *line, size_t n)
{
    return !n || line[0] == ' ' || last_column(line, n);
}

static void end_paragraph(struct sm_str *out, struct sm_str *paragraph, int width)
{
    if (paragraph->len)
        add_wrapped(out, sm_str_text(paragraph), paragraph->len, 0, width);
    sm_str_truncate(paragraph, 0);
}

static void add_line(struct sm_str *out, struct sm_str *paragraph, const char *line, size_t n,
                     int width)
{
    if (!is_separate(line, n)) {
        sm_str_add(paragraph, paragraph->len ? " " : "");
        sm_str_addn(paragraph, line, n);
        return;
    }
    end_paragraph(out, paragraph, width);
    add_wrapped(out, line, n, last_column(line, n), width);
}

void sm_print_prose(struct sm_str *out, const char *text, size_t hang, int width)
{
    struct sm_str paragraph = {0};
    if (width <= 0) {
        sm_str_printf(out, "%s\n", text);
        return;
    }
    if (hang) {
        add_wrapped(out, text, strlen(text), hang, width);
        return;
    }
    for (bool more = true; more; text++) {
        size_t n = strcspn(text, "\n");
        add_line(out, &paragraph, text, n, width);
        text += n;
        more = *text;
    }
    end_paragraph(out, &paragraph, width);
    sm_str_clear(&paragraph);
}
