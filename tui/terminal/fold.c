/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/fold.h"

#include "plot/wrap.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

static bool is_prose(const char *p, size_t n)
{
    size_t indent = strspn(p, " ");
    for (size_t i = indent; i + 1 < n; i++)
        if (p[i] == ' ' && p[i + 1] == ' ')
            return false;
    return true;
}

static void add_line(struct sm_fold *f, const char *text, size_t from, size_t n, int indent)
{
    int columns = indent + (int)sm_text_width(text + from, n);
    if (SM_VEC_ROOM(f->lines, f->n, f->cap))
        f->lines[f->n++] = (struct sm_fold_line){from, n, indent};
    f->widest = columns > f->widest ? columns : f->widest;
}

/* Folds at blanks; a word longer than a line is not split. Continuation lines have the line's
 * indentation. */
static void add_prose(struct sm_fold *f, const char *text, size_t from, size_t n, int w)
{
    int indent = 0, hang = (int)strspn(text + from, " ");
    hang = hang < w / 2 ? hang : 0;
    while (n) {
        size_t cut = sm_wrap_head(text + from, n, w - indent), blank = cut;
        while (cut < n && blank && text[from + blank] != ' ')
            blank--;
        if (cut < n && blank <= (indent ? 0 : (size_t)hang))
            for (blank = cut; blank < n && text[from + blank] != ' ';)
                blank++;
        add_line(f, text, from, blank, indent);
        blank += blank < n;
        from += blank;
        n -= blank;
        indent = hang;
    }
}

void sm_fold_text(struct sm_fold *f, const char *text, size_t n, int w, bool tables)
{
    f->n = 0;
    f->widest = 0;
    for (size_t at = 0; at < n;) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t length = end ? (size_t)(end - text) - at : n - at;
        if (length && (tables || is_prose(text + at, length)))
            add_prose(f, text, at, length, w);
        else
            add_line(f, text, at, length, 0);
        at += length + 1;
    }
}

void sm_fold_clear(struct sm_fold *f)
{
    sm_free(f->lines);
    *f = (struct sm_fold){0};
}
