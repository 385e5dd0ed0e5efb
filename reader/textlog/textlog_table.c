/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_table.h"
#include "reader/textlog/textlog_number.h"

#include <string.h>

enum { MISSES_MAX = 50, BOX_BYTES = 16 * 1024 };

static struct sm_text trim(struct sm_text t)
{
    while (t.n && sm_textlog_is_blank(*t.p)) {
        t.p++;
        t.n--;
    }
    while (t.n && sm_textlog_is_blank(t.p[t.n - 1]))
        t.n--;
    return t;
}

static bool is_number(struct sm_text cell, struct sm_textlog_number *v)
{
    return cell.n && sm_textlog_number(cell.p, cell.p + cell.n, true, v) &&
           v->next == cell.p + cell.n;
}

static void add_pair(struct sm_textlog_table *t, struct sm_text name, double value)
{
    if (t->n < SM_TEXTLOG_PAIRS)
        t->pairs[t->n++] = (struct sm_textlog_pair){.name = name, .value = value};
}

/* ---- tables with a header ---- */

/* The next cell of a line, up to a tab or `gap` blanks. Empty: there is none. */
static struct sm_text next_cell(struct sm_text *line, int gap)
{
    *line = trim(*line);
    size_t n = 0;
    for (; n < line->n && line->p[n] != '\t'; n++)
        if (line->p[n] == ' ' && (gap == 1 || (n + 1 < line->n && line->p[n + 1] == ' ')))
            break;
    struct sm_text cell = {line->p, n};
    line->p += n;
    line->n -= n;
    return cell;
}

static void close_table(struct sm_textlog_table *t)
{
    sm_str_truncate(&t->header, 0);
    t->columns = 0;
}

static bool is_column_name(struct sm_text cell)
{
    for (size_t i = 0; i < cell.n; i++)
        if ((unsigned char)cell.p[i] < 0x20 || strchr(":=,;|{}\"", cell.p[i]))
            return false;
    return cell.n && cell.n <= 40 && !sm_textlog_is_digit(cell.p[0]);
}

/* "epoch     train_loss  valid_loss  time": at least three names, the first one of steps. */
static bool read_header(struct sm_textlog_table *t, struct sm_text line)
{
    size_t first = line.n < 24 ? line.n : 24;
    struct sm_text rest = {line.p, first}, cell = next_cell(&rest, 2);
    enum sm_textlog_unit unit = sm_textlog_unit_of(cell.p, cell.n);
    if (unit == SM_TEXTLOG_NO_UNIT || unit == SM_TEXTLOG_BATCH || line.n > 1000)
        return false;
    close_table(t);
    bool ok = true;
    rest = line;
    cell = next_cell(&rest, 2);
    for (; ok && cell.n; cell = next_cell(&rest, 2)) {
        ok = is_column_name(cell) && t->columns < SM_TEXTLOG_COLUMNS;
        sm_str_addn(&t->header, cell.p, cell.n);
        sm_str_addc(&t->header, 0);
        t->columns++;
    }
    t->header_unit = unit == SM_TEXTLOG_EPOCH ? SM_TEXTLOG_EPOCH : SM_TEXTLOG_STEP;
    t->misses = 0;
    if (!ok || t->columns < 3 || t->header.failed)
        close_table(t);
    return t->columns > 0;
}

/* "3", "3/10". */
static bool is_step(struct sm_text cell, struct sm_textlog_number *v)
{
    const char *slash = memchr(cell.p, '/', cell.n);
    struct sm_text n = {cell.p, slash ? (size_t)(slash - cell.p) : cell.n};
    struct sm_textlog_number of;
    return is_number(n, v) && v->whole && v->integer >= 0 &&
           (!slash || (is_number((struct sm_text){slash + 1, cell.n - n.n - 1}, &of) && of.whole));
}

/* "0         2.2  2.1  00:12": as many cells as the header has. */
static bool read_row(struct sm_textlog_table *t, struct sm_text line)
{
    struct sm_text cell = next_cell(&line, 1);
    struct sm_textlog_number v;
    const char *name = sm_str_text(&t->header);
    if (!is_step(cell, &v))
        return false;
    t->step = v.integer;
    t->unit = t->header_unit;
    size_t i = 1;
    for (; (cell = next_cell(&line, 1)).n && i < t->columns; i++) {
        name += strlen(name) + 1;
        if (is_number(cell, &v))
            add_pair(t, sm_text(name), v.value);
    }
    if (i < t->columns || cell.n)
        t->n = 0;
    return t->n;
}

/* ---- boxes ---- */

static bool is_rule(struct sm_text line)
{
    size_t n = 0;
    while (n < line.n && line.p[n] == '-')
        n++;
    return n == line.n && n >= 10;
}

static void begin_box(struct sm_textlog_table *t)
{
    t->n = 0;
    sm_str_truncate(&t->group, 0);
    sm_str_truncate(&t->names, 0);
    t->in_box = true;
    t->step = -1;
    t->unit = SM_TEXTLOG_STEP;
}

/* The names stay where they are from now on. */
static enum sm_textlog_table_part end_box(struct sm_textlog_table *t)
{
    const char *name = sm_str_text(&t->names);
    t->in_box = false;
    for (size_t i = 0; i < t->n; i++, name += strlen(name) + 1)
        t->pairs[i].name = sm_text(name);
    return t->step >= 0 && !t->names.failed ? SM_TEXTLOG_ROW : SM_TEXTLOG_IN_TABLE;
}

/* The step of a box is its total_timesteps, or a count of that kind. */
static void add_value(struct sm_textlog_table *t, struct sm_text key,
                      const struct sm_textlog_number *v)
{
    enum sm_textlog_unit unit = sm_textlog_unit_of(key.p, key.n);
    bool count = v->whole && v->integer >= 0;
    if (count && (unit == SM_TEXTLOG_GLOBAL || (t->step < 0 && unit == SM_TEXTLOG_STEP)))
        t->step = v->integer;
    if (t->n >= SM_TEXTLOG_PAIRS || t->names.len > BOX_BYTES)
        return;
    sm_str_addn(&t->names, sm_str_text(&t->group), t->group.len);
    sm_str_addn(&t->names, key.p, key.n);
    sm_str_addc(&t->names, 0);
    add_pair(t, key, v->value);
}

/* "|    ep_len_mean  | 21.1  |" below "| rollout/  |  |". */
static bool read_box_line(struct sm_textlog_table *t, struct sm_text line)
{
    const char *end = line.p + line.n - 1;
    const char *bar = line.n > 4 ? memchr(line.p + 1, '|', line.n - 2) : NULL;
    if (!bar || line.p[0] != '|' || *end != '|')
        return false;
    struct sm_text key = trim((struct sm_text){line.p + 1, (size_t)(bar - line.p - 1)});
    struct sm_text value = trim((struct sm_text){bar + 1, (size_t)(end - bar - 1)});
    struct sm_textlog_number v;
    if (key.n == 0 || key.n > SM_TEXTLOG_NAME_MAX / 2 || memchr(key.p, 0, key.n) ||
        memchr(value.p, '|', value.n))
        return false;
    if (value.n == 0) {
        sm_str_truncate(&t->group, 0);
        sm_str_addn(&t->group, key.p, key.n);
    } else if (is_number(value, &v)) {
        add_value(t, key, &v);
    }
    return true;
}

/* ---- lines ---- */

/* A box stands between two rules. */
static enum sm_textlog_table_part read_box(struct sm_textlog_table *t, struct sm_text line)
{
    bool rule = is_rule(line);
    if (rule && t->in_box && t->n)
        return end_box(t);
    if (rule)
        begin_box(t);
    else if (t->in_box)
        t->in_box = read_box_line(t, line);
    return t->in_box && !rule ? SM_TEXTLOG_IN_TABLE : SM_TEXTLOG_NO_TABLE;
}

enum sm_textlog_table_part sm_textlog_table_line(struct sm_textlog_table *t, struct sm_text line)
{
    enum sm_textlog_table_part part = read_box(t, line);
    if (part != SM_TEXTLOG_NO_TABLE || t->in_box)
        return part;
    t->n = 0;
    if (read_header(t, line))
        return SM_TEXTLOG_IN_TABLE;
    if (t->columns && read_row(t, line)) {
        t->misses = 0;
        return SM_TEXTLOG_ROW;
    }
    if (t->columns && ++t->misses > MISSES_MAX)
        close_table(t);
    return SM_TEXTLOG_NO_TABLE;
}

void sm_textlog_table_clear(struct sm_textlog_table *t)
{
    sm_str_clear(&t->header);
    sm_str_clear(&t->group);
    sm_str_clear(&t->names);
}
