/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/textlog/textlog_bars.h"
#include "reader/textlog/textlog_clock.h"
#include "reader/textlog/textlog_lines.h"
#include "reader/textlog/textlog_number.h"
#include "reader/textlog/textlog_pairs.h"
#include "reader/textlog/textlog_prefix.h"
#include "reader/textlog/textlog_series.h"
#include "reader/textlog/textlog_table.h"

#include <math.h>
#include <string.h>

/* What lines without a step belong to. An epoch lasts CONTEXT_LINES, a step as long as the lines
 * behind it are indented. Ranks have their own, by a hash of their prefix. */
enum { CONTEXTS = 64, CONTEXT_LINES = 2000 };
struct context {
    int64_t epoch, step, last; /* -1: none; last: of the last line that had one */
    enum sm_textlog_unit unit; /* of step and last */
    unsigned lines;            /* that the epoch still lasts */
};
struct sm_textlog {
    struct sm_textlog_out out;
    struct sm_textlog_matcher *matcher; /* NULL: no patterns */
    struct sm_textlog_lines lines;
    struct sm_textlog_series series;
    struct sm_textlog_clock clocks[SM_TEXTLOG_PHASES];
    struct sm_textlog_times times;
    struct context contexts[CONTEXTS];
    struct sm_textlog_table table;
    int64_t rows;           /* dictionaries without a step so far */
    struct sm_str last_key; /* the first of a dictionary that was no row */
    bool partial;           /* the line has no end yet */
    bool torn;              /* and its last value may not be whole */
    bool in_bar;            /* what is read is of a bar */
    unsigned times_read;    /* before, by parsers that knew less of bars */
    struct sm_textlog_runs runs;
    struct sm_str bar_line;
    double time;
    struct sm_textlog_dict dict;
    struct sm_textlog_pair pairs[SM_TEXTLOG_PAIRS];
};

/* ---- points ---- */

static void put(struct sm_textlog *t, struct sm_text name, enum sm_textlog_phase phase,
                enum sm_textlog_unit unit, int64_t step, double value)
{
    uint32_t id = sm_textlog_series_of(&t->series, &t->out, name, phase, unit, t->in_bar);
    if (id != UINT32_MAX)
        t->out.point(t->out.ctx, id, step, t->time, value);
}

/* The phase that a line speaks of: the last word for one before its first name, or that name as in
 * "train Loss: 0.5 Acc: 0.8". */
static enum sm_textlog_phase line_phase(struct sm_text line, struct sm_text first)
{
    const char *blank = memchr(first.p, ' ', first.n);
    const char *end = blank ? blank : first.p;
    bool inside = first.p >= line.p && end <= line.p + line.n;
    size_t n = inside ? (size_t)(end - line.p) : 0, most = 200;
    return sm_textlog_phase_of(
        (struct sm_text){n > most ? end - most : line.p, n > most ? most : n}, SM_TEXTLOG_TRAIN);
}

static void put_pairs(struct sm_textlog *t, enum sm_textlog_phase phase,
                      const struct sm_textlog_pair *pairs, size_t n, enum sm_textlog_unit unit,
                      int64_t step)
{
    for (size_t i = 0; i < n; i++)
        if (!t->partial || !t->torn || !pairs[i].torn)
            put(t, pairs[i].name, phase, unit, step, pairs[i].value);
}

/* ---- dictionaries ---- */

/* Whether a dictionary without a step is one of a training's rows, and not its configuration: it
 * has a name as trainings have, or begins as the one before. */
static bool is_row(struct sm_textlog *t)
{
    const struct sm_textlog_dict *d = &t->dict;
    for (size_t i = 0; i < d->n; i++)
        if (sm_textlog_is_metric(d->pairs[i].name) || sm_text_is(d->pairs[i].name, "epoch"))
            return true;
    struct sm_text first = d->pairs[0].name;
    if (sm_text_same(first, (struct sm_text){sm_str_text(&t->last_key), t->last_key.len}))
        return true;
    sm_str_truncate(&t->last_key, 0);
    sm_str_addn(&t->last_key, first.p, first.n);
    return false;
}

static bool has_key(const struct sm_textlog_dict *d, const char *key)
{
    for (size_t i = 0; i < d->n; i++)
        if (sm_text_is(d->pairs[i].name, key))
            return true;
    return false;
}

/* The step of a dictionary: its own, of the text before it, of the epoch that goes on, or the
 * number of the row. */
static int64_t dict_step(struct sm_textlog *t, struct sm_text before, const struct context *c,
                         enum sm_textlog_unit *unit)
{
    struct sm_textlog_head heads[SM_TEXTLOG_HEADS];
    struct sm_textlog_clock none = {0};
    *unit = t->dict.unit == SM_TEXTLOG_EPOCH ? SM_TEXTLOG_EPOCH : SM_TEXTLOG_STEP;
    if (t->dict.step >= 0)
        return t->dict.step;
    size_t n = sm_textlog_find_heads(before, heads);
    int64_t step = sm_textlog_clock_step(&none, heads, n, -1, unit);
    if (step >= 0)
        return step;
    if (c->lines && c->epoch >= 0 && !has_key(&t->dict, "epoch"))
        return c->epoch;
    *unit = SM_TEXTLOG_STEP;
    if (!is_row(t))
        return -1;
    step = t->rows;
    t->rows += !t->partial;
    return step;
}

static bool take_dict(struct sm_textlog *t, struct sm_text line, const struct context *c)
{
    const char *brace = memchr(line.p, '{', line.n), *end = line.p + line.n;
    if (!brace || end - brace < 6 || (brace[1] != '\'' && brace[1] != '"'))
        return false;
    if (!sm_textlog_read_dict((struct sm_text){brace, (size_t)(end - brace)}, &t->dict))
        return false;
    enum sm_textlog_unit unit;
    struct sm_text before = {line.p, (size_t)(brace - line.p)};
    int64_t step = t->dict.n ? dict_step(t, before, c, &unit) : -1;
    if (step >= 0 && (!t->dict.plural || is_row(t)))
        put_pairs(t, sm_textlog_phase_of(before, SM_TEXTLOG_TRAIN), t->dict.pairs, t->dict.n, unit,
                  step);
    return true;
}

/* ---- lines with a step, and what belongs to them ---- */

static void note_context(struct context *c, const struct sm_textlog_head *heads, size_t n,
                         int64_t step, enum sm_textlog_unit unit)
{
    c->step = c->last = step;
    c->unit = unit;
    for (size_t i = 0; i < n; i++)
        if (heads[i].unit == SM_TEXTLOG_EPOCH && heads[i].leads) {
            c->epoch = heads[i].n;
            c->lines = CONTEXT_LINES;
        }
}

static void take_headed(struct sm_textlog *t, struct sm_text line, struct context *c,
                        const struct sm_textlog_head *heads, size_t n)
{
    enum sm_textlog_unit unit;
    size_t n_pairs = sm_textlog_find_pairs(line, heads, n, false, t->pairs);
    enum sm_textlog_phase phase = n_pairs ? line_phase(line, t->pairs[0].name) : SM_TEXTLOG_TRAIN;
    bool all = n == 2 && phase != SM_TEXTLOG_TRAIN && heads[1].of && heads[1].n == heads[1].of;
    n -= all; /* the end of a validation is of the epoch */
    struct sm_textlog_clock before = t->clocks[phase];
    int64_t step =
        sm_textlog_clock_step(&t->clocks[phase], heads, n, c->lines ? c->epoch : -1, &unit);
    if (n_pairs == 0 || t->partial)
        t->clocks[phase] = before;
    if (step < 0)
        return;
    put_pairs(t, phase, t->pairs, n_pairs, unit, step);
    if (!t->partial && (n_pairs || !heads[0].plural)) /* "steps: 100" alone is a setting */
        note_context(c, heads, n, step, unit);
}

/* What a bar says, as a line with its step. It leaves no step for other lines. */
static void take_bar(struct sm_textlog *t, const struct sm_textlog_bar *bar, struct context *c)
{
    struct sm_textlog_head heads[SM_TEXTLOG_HEADS];
    if (bar->n < 0 || (!bar->values.n && !bar->what.n))
        return;
    size_t n = sm_textlog_bar_line(bar, &t->runs, c->lines && c->epoch >= 0, &t->bar_line, heads);
    struct context before = *c;
    t->in_bar = true;
    if (n && !t->bar_line.failed)
        take_headed(t, (struct sm_text){t->bar_line.data, t->bar_line.len}, c, heads, n);
    t->in_bar = false;
    *c = before;
}

/* The step of a line that says none; says_phase: it begins with "val", "test" or the like. */
static int64_t context_step(struct sm_textlog *t, struct sm_text line, const struct context *c,
                            bool says_phase, enum sm_textlog_unit *unit)
{
    bool indented = line.n > 1 && (line.p[0] == '\t' || (line.p[0] == ' ' && line.p[1] == ' '));
    struct sm_textlog_head position;
    *unit = c->unit;
    if (indented && c->step >= 0)
        return c->step;
    if (c->lines == 0)
        return says_phase ? c->last : -1;
    *unit = SM_TEXTLOG_EPOCH;
    if (says_phase || !sm_textlog_find_position(line, &position))
        return c->epoch;
    return sm_textlog_clock_step(&t->clocks[SM_TEXTLOG_TRAIN], &position, 1, c->epoch, unit);
}

/* "DEV : loss 0.9", " * Acc@1 10.2". */
static bool begins_with_phase(struct sm_text line)
{
    const char *p = line.p, *end = line.p + line.n, *q;
    while (p < end && (sm_textlog_is_blank(*p) || strchr("[|(>", *p)))
        p++;
    for (q = p; q < end && sm_textlog_is_letter(*q);)
        q++;
    struct sm_text word = {p, (size_t)(q - p)};
    return (end - p > 1 && p[0] == '*' && p[1] == ' ') ||
           sm_textlog_phase_of(word, SM_TEXTLOG_PHASES) != SM_TEXTLOG_PHASES;
}

static void take_headless(struct sm_textlog *t, struct sm_text line, struct context *c)
{
    if (!sm_textlog_is_blank(line.p[0]))
        c->step = -1;
    bool says_phase = begins_with_phase(line);
    if (c->step < 0 && c->lines == 0 && (c->last < 0 || !says_phase))
        return;
    size_t n = sm_textlog_find_pairs(line, NULL, 0, !says_phase, t->pairs);
    enum sm_textlog_unit unit;
    int64_t step = n ? context_step(t, line, c, says_phase, &unit) : -1;
    if (step >= 0)
        put_pairs(t, line_phase(line, t->pairs[0].name), t->pairs, n, unit, step);
}

/* "    train/CE loss (avg)=10.36": all before the last '=' is the name. */
static bool take_assignment(struct sm_textlog *t, struct sm_text line, const struct context *c)
{
    const char *sign = memrchr(line.p, '=', line.n), *end = line.p + line.n, *p = line.p;
    struct sm_textlog_number v;
    if (!sign || c->step < 0 || !sm_textlog_is_blank(*p) || end - sign > 60)
        return false;
    while (p < sign && sm_textlog_is_blank(*p))
        p++;
    size_t n = (size_t)(sign - p);
    bool ok = n && n <= SM_TEXTLOG_NAME_MAX && !memchr(p, '=', n) && !memchr(p, ':', n) &&
              !memchr(p, ',', n) && sm_textlog_number(sign + 1, end, true, &v) && v.next == end;
    if (ok && !t->partial)
        put(t, (struct sm_text){p, n}, SM_TEXTLOG_TRAIN, c->unit, c->step, v.value);
    return ok;
}

/* ---- a line ---- */

static void put_matched(void *ctx, int64_t step, struct sm_text name, double value)
{
    struct sm_textlog *t = ctx;
    put(t, name, SM_TEXTLOG_TRAIN, SM_TEXTLOG_STEP, step >= 0 ? step : t->rows, value);
}

static bool take_matched(struct sm_textlog *t, struct sm_text line)
{
    if (!t->matcher || t->partial || !sm_textlog_match(t->matcher, line, put_matched, t))
        return false;
    t->rows++;
    return true;
}

static bool take_table(struct sm_textlog *t, struct sm_text line)
{
    struct sm_textlog_table *x = &t->table;
    enum sm_textlog_table_part part =
        t->partial ? SM_TEXTLOG_NO_TABLE : sm_textlog_table_line(x, line);
    if (part == SM_TEXTLOG_ROW)
        put_pairs(t, SM_TEXTLOG_TRAIN, x->pairs, x->n, x->unit, x->step);
    return part != SM_TEXTLOG_NO_TABLE;
}

/* Takes the bars off a line. Rows of tables may be drawn as bars. */
static void take_bars(struct sm_textlog *t, struct sm_text *line, struct context *c)
{
    struct sm_textlog_bar bar;
    while (sm_textlog_next_bar(line, &bar)) {
        t->time = NAN;
        if (!take_table(t, bar.what))
            take_bar(t, &bar, c);
    }
}

static bool has_digit(struct sm_text line)
{
    for (size_t i = 0; i < line.n; i++)
        if (sm_textlog_is_digit(line.p[i]))
            return true;
    return false;
}

/* The last line of script(1): "Script done on 2026-11-28 [COMMAND_EXIT_CODE="0"]". */
static bool is_of_script(struct sm_text line)
{
    static const char begin[] = "Script done on ";
    return line.n > sizeof begin && memcmp(line.p, begin, sizeof begin - 1) == 0;
}

static void take_line(void *ctx, struct sm_text line)
{
    struct sm_textlog *t = ctx;
    unsigned rank;
    struct sm_textlog_head heads[SM_TEXTLOG_HEADS];
    if (line.n < 4 || is_of_script(line))
        return;
    bool indented = sm_textlog_is_blank(line.p[0]);
    if (!indented && !has_digit(line)) { /* no step, no value, no rank */
        t->contexts[0].step = -1;
        take_table(t, line);
        return;
    }
    struct sm_text text = sm_textlog_after_rank(line, &rank);
    struct context *c = &t->contexts[rank % CONTEXTS];
    take_bars(t, &text, c);
    c->lines -= c->lines > 0 && !t->partial;
    if (text.n == 0)
        return;
    t->time = sm_textlog_time(&t->times, text);
    if (take_matched(t, text))
        return;
    text = sm_textlog_after_time(text);
    if (text.n == 0 || take_table(t, text) || take_dict(t, text, c) || take_assignment(t, text, c))
        return;
    size_t n = sm_textlog_find_heads(text, heads);
    if (n)
        take_headed(t, text, c, heads, n);
    else
        take_headless(t, text, c);
}

/* ---- the parser ---- */

struct sm_textlog *sm_textlog_new(const struct sm_textlog_patterns *patterns,
                                  const struct sm_textlog_out *out)
{
    struct sm_textlog *t = sm_alloc_zero(1, sizeof *t);
    if (!t)
        return NULL;
    t->out = *out;
    for (int i = 0; i < CONTEXTS; i++)
        t->contexts[i].epoch = t->contexts[i].step = t->contexts[i].last = -1;
    if (patterns && !(t->matcher = sm_textlog_matcher_new(patterns))) {
        sm_free(t);
        return NULL;
    }
    return t;
}

void sm_textlog_free(struct sm_textlog *t)
{
    if (!t)
        return;
    sm_textlog_matcher_free(t->matcher);
    sm_textlog_lines_clear(&t->lines);
    sm_textlog_series_clear(&t->series);
    sm_textlog_table_clear(&t->table);
    sm_str_clear(&t->last_key);
    sm_str_clear(&t->bar_line);
    sm_str_clear(&t->dict.names);
    sm_free(t);
}

void sm_textlog_feed(struct sm_textlog *t, const char *p, size_t n)
{
    sm_textlog_lines_feed(&t->lines, p, n, take_line, t);
}

void sm_textlog_peek(struct sm_textlog *t, bool whole)
{
    t->partial = true;
    t->torn = !whole;
    take_line(t, sm_textlog_lines_rest(&t->lines));
    t->partial = false;
}

struct sm_textlog *sm_textlog_again(const struct sm_textlog *t,
                                    const struct sm_textlog_patterns *patterns)
{
    enum { TIMES_MAX = 8 };
    struct sm_names *lines = t->times_read < TIMES_MAX ? sm_textlog_series_lines(&t->series) : NULL;
    struct sm_textlog *next = lines ? sm_textlog_new(patterns, &t->out) : NULL;
    if (!next) {
        sm_names_free(lines);
        return NULL;
    }
    next->series.lines = lines;
    next->times_read = t->times_read + 1;
    return next;
}
