/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/pager.h"

#include "tui/terminal/terminal.h"

#include <string.h>

static const char question[] = "--Type <RET> for more, q to quit, c to continue without paging--";

static void write_text(struct sm_pager *p, const char *text, size_t n)
{
    p->failed = p->failed || !sm_terminal_write(p->out, text, n);
}

/* Returns the end of a control sequence: a colour (ESC [ ... m), or a picture (ESC P or ESC _ up to
 * ESC \). */
static const char *skip_sequence(const char *escape, const char *end)
{
    bool picture = end - escape > 1 && (escape[1] == 'P' || escape[1] == '_');
    const char *last = memchr(escape + 1, picture ? 033 : 'm', (size_t)(end - escape - 1));
    if (!last)
        return escape + 1;
    return last + 1 + (picture && last + 1 < end);
}

/* The number of terminal rows of a line; control sequences have no width. */
static int rows_of(const struct sm_pager *p, const char *line, size_t n)
{
    size_t columns = 0;
    for (const char *end = line + n; line < end;) {
        const char *escape = memchr(line, 033, (size_t)(end - line)), *stop = escape ? escape : end;
        columns += sm_text_width(line, (size_t)(stop - line));
        line = escape ? skip_sequence(escape, end) : end;
    }
    return p->width > 0 && columns ? (int)((columns - 1) / (size_t)p->width) + 1 : 1;
}

/* Shows lines until the screen is full or nothing is left. */
static void show_lines(struct sm_pager *p)
{
    while (p->at < p->waiting.len) {
        const char *line = p->waiting.data + p->at,
                   *end = memchr(line, '\n', p->waiting.len - p->at);
        size_t n = end ? (size_t)(end - line) + 1 : p->waiting.len - p->at;
        int rows = rows_of(p, line, end ? n - 1 : n);
        if (p->height > 0 && !p->unlimited && p->row && p->row + rows > p->height - 1) {
            write_text(p, question, sizeof question - 1);
            p->asking = true;
            return;
        }
        write_text(p, line, n);
        p->at += n;
        p->row += rows;
    }
    sm_str_truncate(&p->waiting, 0);
    p->at = 0;
}

void sm_pager_begin(struct sm_pager *p)
{
    p->row = 0;
    p->unlimited = false;
}

void sm_pager_add(struct sm_pager *p, const char *text, size_t n)
{
    sm_str_addn(&p->waiting, text, n);
    if (!p->asking)
        show_lines(p);
}

static void erase_question(struct sm_pager *p)
{
    struct sm_str blanks = {0};
    if (!p->asking)
        return;
    p->asking = false;
    sm_str_addc(&blanks, '\r');
    sm_str_fill(&blanks, ' ', sizeof question - 1);
    sm_str_addc(&blanks, '\r');
    write_text(p, sm_str_text(&blanks), blanks.len);
    sm_str_clear(&blanks);
}

enum sm_pager_key sm_pager_key(struct sm_pager *p, char key)
{
    if (key == 'q' || key == 'Q' || key == 4) {
        sm_pager_drop(p);
        return SM_PAGER_QUIT;
    }
    if (!strchr("\r\n cf", key) || !key)
        return SM_PAGER_MORE;
    erase_question(p);
    p->unlimited = p->unlimited || key == 'c';
    p->row = 0;
    show_lines(p);
    return SM_PAGER_MORE;
}

void sm_pager_drop(struct sm_pager *p)
{
    erase_question(p);
    sm_str_truncate(&p->waiting, 0);
    p->at = 0;
}

void sm_pager_clear(struct sm_pager *p)
{
    sm_str_clear(&p->waiting);
}
