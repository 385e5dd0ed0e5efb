/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_bars.h"
#include "reader/textlog/textlog_number.h"
#include "reader/textlog/textlog_pairs.h"

#include <string.h>

static const char *find(const char *p, const char *end, const char *what)
{
    return p < end ? memmem(p, (size_t)(end - p), what, strlen(what)) : NULL;
}

static struct sm_text trim(const char *p, const char *end)
{
    while (p < end && sm_textlog_is_blank(*p))
        p++;
    while (end > p && (sm_textlog_is_blank(end[-1]) || end[-1] == ':'))
        end--;
    return (struct sm_text){p, (size_t)(end - p)};
}

static const char *digits_before(const char *p, const char *q)
{
    while (q > p && sm_textlog_is_digit(q[-1]))
        q--;
    return q;
}

static const char *blanks_before(const char *p, const char *q)
{
    while (q > p && sm_textlog_is_blank(q[-1]))
        q--;
    return q;
}

static int64_t count_at(const char *p, const char *end)
{
    struct sm_textlog_number v;
    return sm_textlog_number(p, end, false, &v) && v.whole && v.next == end ? v.integer : -1;
}

/* "7/60" that ends at `end`. */
static void read_counts(const char *p, const char *end, struct sm_textlog_bar *out)
{
    const char *of = digits_before(p, end), *n;
    if (of == end || of == p || of[-1] != '/')
        return;
    n = digits_before(p, of - 1);
    out->n = count_at(n, of - 1);
    out->of = count_at(of, end);
    if (out->of < out->n || out->of <= 0)
        out->n = -1;
}

static bool is_elapsed(const char *p, const char *end)
{
    return end - p > 3 && *p == '[' && sm_textlog_is_digit(p[1]) &&
           (p[2] == ':' || (sm_textlog_is_digit(p[2]) && p[3] == ':'));
}

/* "[00:01<00:02, 33.1it/s, loss=1]" at p. Returns what is behind it. */
static const char *read_rate(const char *p, const char *end, struct sm_textlog_bar *out)
{
    const char *close = memchr(p, ']', (size_t)(end - p)), *stop = close ? close : end;
    const char *comma = memchr(p, ',', (size_t)(stop - p));
    struct sm_text values = trim(comma ? comma + 1 : stop, stop);
    comma = memchr(values.p, ',', values.n);
    if (values.n && (*values.p == '?' || sm_textlog_is_digit(*values.p))) /* the rate */
        values = trim(comma ? comma + 1 : stop, stop);
    out->values = values;
    return close ? close + 1 : end;
}

/* "  7/60 [00:01<00:02 ..." behind the bar of tqdm at p. NULL: "%|" is no bar. */
static const char *read_tqdm(const char *line, const char *bar, const char *end,
                             struct sm_textlog_bar *out)
{
    const char *open = bar;
    while ((open = memchr(open, '[', (size_t)(end - open))) && !is_elapsed(open, end))
        open++;
    if (!open)
        return bar > line && sm_textlog_is_digit(bar[-1]) ? end : NULL;
    out->what = trim(line, digits_before(line, bar));
    read_counts(bar, blanks_before(bar, open), out);
    return read_rate(open, end, out);
}

/* "30it [00:01, 33.1it/s": a bar without an end. */
static const char *read_endless(const char *line, const char *end, struct sm_textlog_bar *out)
{
    for (const char *p = line; (p = find(p, end, "it [")); p++) {
        const char *n = digits_before(line, p);
        if (n == p || !is_elapsed(p + 3, end))
            continue;
        out->what = trim(line, n);
        out->n = count_at(n, p);
        return read_rate(p + 3, end, out);
    }
    return NULL;
}

static bool is_stroke(const char *p, const char *end)
{
    return end - p > 2 && p[0] == '\xe2' && p[1] == '\x94' && (p[2] == '\x80' || p[2] == '\x81');
}

/* "50% " and strokes; the line belongs to it. */
static const char *read_strokes(const char *line, const char *end, struct sm_textlog_bar *out)
{
    for (const char *p = line; (p = find(p, end, "% ")); p++) {
        const char *q = p + 2, *n = digits_before(line, p);
        if (n == p || !is_stroke(q, end))
            continue;
        while (is_stroke(q, end))
            q += 3;
        while (q < end && sm_textlog_is_blank(*q))
            q++;
        const char *stop = q;
        while (stop < end && !sm_textlog_is_blank(*stop))
            stop++;
        out->what = trim(line, n);
        read_counts(q, stop, out);
        return end;
    }
    return NULL;
}

bool sm_textlog_next_bar(struct sm_text *line, struct sm_textlog_bar *out)
{
    const char *p = line->p, *end = p + line->n, *bar = find(p, end, "%|"), *next;
    *out = (struct sm_textlog_bar){.what = {p, 0}, .values = {p, 0}, .n = -1};
    next = bar ? read_tqdm(p, bar, end, out) : read_endless(p, end, out);
    next = next || bar ? next : read_strokes(p, end, out);
    if (!next)
        return false;
    *line = (struct sm_text){next, (size_t)(end - next)};
    return true;
}

bool sm_textlog_is_bar(struct sm_text state)
{
    const char *end = state.p + state.n;
    return find(state.p, end, "%|") || find(state.p, end, "it [") ||
           (find(state.p, end, "% ") && find(state.p, end, "\xe2\x94"));
}

/* ---- as a line ---- */

/* Letters of the description, and the end: what stays the same while a bar is redrawn. */
static uint32_t key_of(const struct sm_textlog_bar *bar)
{
    uint32_t key = 2166136261u ^ (uint32_t)bar->of;
    for (size_t i = 0; i < bar->what.n; i++)
        if (sm_textlog_is_letter(bar->what.p[i]))
            key = (key ^ (unsigned char)bar->what.p[i]) * 16777619u;
    return key ? key : 1;
}

static int64_t count_runs(struct sm_textlog_runs *r, const struct sm_textlog_bar *bar)
{
    uint32_t key = key_of(bar);
    size_t i = 0;
    while (i + 1 < SM_TEXTLOG_RUNS && r->of[i].key && r->of[i].key != key)
        i++;
    if (r->of[i].key != key) {
        r->of[i].key = key;
        r->of[i].runs = 0;
    } else if (bar->n < r->of[i].last && r->of[i].last == bar->of) {
        r->of[i].runs++;
    }
    r->of[i].last = bar->n;
    return r->of[i].runs;
}

static bool counts_steps(const struct sm_textlog_head *heads, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (heads[i].unit != SM_TEXTLOG_EPOCH)
            return true;
    return false;
}

size_t sm_textlog_bar_line(const struct sm_textlog_bar *bar, struct sm_textlog_runs *runs,
                           bool in_epoch, struct sm_str *line,
                           struct sm_textlog_head heads[SM_TEXTLOG_HEADS])
{
    sm_str_truncate(line, 0);
    sm_str_add(line, "  ");
    sm_str_addn(line, bar->what.p, bar->what.n);
    sm_str_add(line, ", ");
    sm_str_addn(line, bar->values.p, bar->values.n);
    const char *p = sm_str_text(line);
    size_t n = sm_textlog_find_heads((struct sm_text){p, line->len}, heads);
    if (!bar->values.n && !sm_textlog_is_metric(bar->what))
        return 0;
    int64_t run = count_runs(runs, bar);
    if (counts_steps(heads, n) || n + 2 > SM_TEXTLOG_HEADS)
        return n;
    if (n == 0 && !in_epoch)
        heads[n++] =
            (struct sm_textlog_head){.unit = SM_TEXTLOG_EPOCH, .n = run, .begin = p, .end = p + 1};
    const char *at = n ? heads[n - 1].end : p + 1;
    heads[n++] = (struct sm_textlog_head){
        .unit = SM_TEXTLOG_BATCH, .n = bar->n, .of = bar->of, .begin = at, .end = at};
    return n;
}
