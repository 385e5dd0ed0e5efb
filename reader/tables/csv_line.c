/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/csv_line.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/logs/log_json.h"
#include "reader/tables/column_name.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The end of the quoted cell that p is in; end if it goes on. */
static const char *quote_end(const char *p, const char *end)
{
    while ((p = memchr(p, '"', (size_t)(end - p)))) {
        if (p + 1 >= end || p[1] != '"')
            return p;
        p += 2;
    }
    return end;
}

/* The first character of a cell that is no blank: a tab that separates is none. */
static const char *cell_begin(const char *p, const char *end, char separator)
{
    while (p < end && is_blank(*p) && *p != separator)
        p++;
    return p;
}

/* The separator after p, or the end. */
static const char *find_separator(const char *p, const char *end, char separator)
{
    const char *at = p < end ? memchr(p, separator, (size_t)(end - p)) : NULL;
    return at ? at : end;
}

bool sm_csv_quote_open(const char *p, size_t n, char separator, bool open)
{
    const char *end = p + n;
    if (separator == ' ')
        return false;
    while (p < end || open) {
        const char *begin = open ? p : cell_begin(p, end, separator);
        if (open || (begin < end && *begin == '"')) {
            p = quote_end(begin + !open, end);
            if (p == end)
                return true;
        }
        open = false;
        p = find_separator(p, end, separator);
        p += p < end;
    }
    return false;
}

/* ---- which separator ---- */

static size_t count_outside_quotes(const char *p, size_t n, char c)
{
    size_t count = 0;
    bool quoted = false;
    for (size_t i = 0; i < n; i++) {
        quoted ^= p[i] == '"';
        count += !quoted && p[i] == c;
    }
    return count;
}

/* Whether one of the names that the separator makes counts steps. */
static bool has_step(const char *p, const char *end, char separator)
{
    while (p < end) {
        const char *stop = find_separator(p, end, separator);
        const char *name = cell_begin(p, stop, separator), *last = stop;
        while (last > name && (is_blank(last[-1]) || last[-1] == '"'))
            last--;
        name += name < last && *name == '"';
        if (sm_step_rank(name, (size_t)(last - name)))
            return true;
        p = stop + 1;
    }
    return false;
}

char sm_csv_separator(const char *p, size_t n)
{
    static const char separators[] = {'\t', ';', ',', '|'};
    size_t most = 0;
    char best = ',';
    bool step = false;
    for (size_t i = 0; i < sizeof separators; i++) {
        size_t count = count_outside_quotes(p, n, separators[i]);
        bool has = count && has_step(p, p + n, separators[i]);
        if (count && has >= step && (has > step || count > most)) {
            most = count;
            step = has;
            best = separators[i];
        }
    }
    while (n && is_blank(p[n - 1]))
        n--;
    while (n && is_blank(*p))
        p++, n--;
    return !most && memchr(p, ' ', n) && !memchr(p, '"', n) ? ' ' : best;
}

/* ---- cells ---- */

static struct sm_text trimmed(const char *p, const char *end)
{
    while (p < end && is_blank(end[-1]))
        end--;
    return (struct sm_text){p, (size_t)(end - p)};
}

/* The quoted cell that begins at *p, its doubled quotes made single in place; *p becomes its
 * closing quote. */
static struct sm_text take_quoted(char **p, char *end)
{
    char *from = *p + 1, *to = from, *begin = from;
    while (from < end && (*from != '"' || (from + 1 < end && from[1] == '"'))) {
        from += *from == '"';
        *to++ = *from++;
    }
    *p = from;
    return (struct sm_text){begin, (size_t)(to - begin)};
}

/* Quotes are taken out in a copy of the line. */
static char *copy_line(struct sm_csv_cells *c, const char *p, size_t n)
{
    sm_str_truncate(&c->copy, 0);
    sm_str_addn(&c->copy, p, n);
    return c->copy.failed ? NULL : c->copy.data;
}

static bool add_cell(struct sm_csv_cells *c, struct sm_text cell)
{
    if (!SM_VEC_ROOM(c->items, c->n, c->cap))
        return false;
    c->items[c->n++] = cell;
    return true;
}

static bool split_words(const char *p, const char *end, struct sm_csv_cells *out)
{
    while ((p = cell_begin(p, end, 0)) < end) {
        const char *word = p;
        while (p < end && !is_blank(*p))
            p++;
        if (!add_cell(out, (struct sm_text){word, (size_t)(p - word)}))
            return false;
    }
    return true;
}

static bool split_quoted(char *p, char *end, char separator, struct sm_csv_cells *out)
{
    for (;;) {
        char *begin = p + (cell_begin(p, end, separator) - p);
        bool quoted = begin < end && *begin == '"';
        struct sm_text cell = {begin, 0};
        if (quoted)
            cell = take_quoted(&begin, end);
        p = begin + (find_separator(begin, end, separator) - begin);
        if (!add_cell(out, quoted ? cell : trimmed(begin, p)))
            return false;
        if (p == end)
            return true;
        p++;
    }
}

static bool split_plain(const char *p, const char *end, char separator, struct sm_csv_cells *out)
{
    for (;;) {
        const char *begin = cell_begin(p, end, separator);
        p = find_separator(begin, end, separator);
        if (!add_cell(out, trimmed(begin, p)))
            return false;
        if (p == end)
            return true;
        p++;
    }
}

bool sm_csv_split(const char *p, size_t n, char separator, struct sm_csv_cells *out)
{
    out->n = 0;
    if (separator == ' ')
        return split_words(p, p + n, out);
    if (!memchr(p, '"', n))
        return split_plain(p, p + n, separator, out);
    char *copy = copy_line(out, p, n);
    return copy && split_quoted(copy, copy + n, separator, out);
}

void sm_csv_cells_clear(struct sm_csv_cells *c)
{
    sm_free(c->items);
    sm_str_clear(&c->copy);
    *c = (struct sm_csv_cells){0};
}

/* ---- numbers ---- */

/* Copies a number without the marks between its thousands, which stand before groups of three
 * digits: 1,234,567.8 is 1234567.8. False: they do not. */
static bool copy_grouped(const char *p, size_t n, char mark, char *out)
{
    size_t digits = 0, marks = 0, k = 0;
    bool whole = true;
    for (size_t i = 0; i < n; i++) {
        bool digit = p[i] >= '0' && p[i] <= '9';
        if (p[i] == mark && (!whole || !digits || digits > 3 || (marks && digits != 3)))
            return false;
        if (p[i] != mark && !digit && digits) {
            if (marks && whole && digits != 3)
                return false;
            whole = false;
        }
        marks += p[i] == mark;
        digits = digit ? digits + 1 : 0;
        if (p[i] != mark)
            out[k++] = p[i];
    }
    out[k] = 0;
    return marks && (!whole || digits == 3);
}

/* A comma in a number is that of its fraction where the table has another separator and only one
 * comma, behind which nothing but digits stand. */
bool sm_csv_number(struct sm_text cell, char separator, double *out)
{
    char text[64];
    if (cell.n > 1 && cell.p[cell.n - 1] == '%')
        cell.n--;
    const char *comma = cell.n < sizeof text ? memchr(cell.p, ',', cell.n) : NULL;
    if (!comma)
        return sm_log_number(cell.p, cell.n, out);
    bool decimal = separator != ',' && !memchr(cell.p, '.', cell.n) &&
                   !memchr(comma + 1, ',', (size_t)(cell.p + cell.n - comma - 1));
    if (!decimal && copy_grouped(cell.p, cell.n, ',', text))
        return sm_log_number(text, strlen(text), out);
    memcpy(text, cell.p, cell.n);
    text[comma - cell.p] = '.';
    return separator != ',' && sm_log_number(text, cell.n, out);
}
