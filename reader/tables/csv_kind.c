/* SPDX-License-Identifier: Apache-2.0 */
/* Which files of a folder are tables of metrics, and the kind of their runs. */
#include "reader/base/mem.h"
#include "reader/tables/column_name.h"
#include "reader/tables/csv_line.h"
#include "reader/tables/series_files.h"
#include "reader/tables/tables.h"

#include <math.h>
#include <string.h>

enum { HEAD_BYTES = 32 * 1024, ROWS_MAX = 64, GUESS_COLUMNS = 512 };

/* What the first rows of a file are like. */
struct column_guess {
    unsigned rank;                /* as a counter of steps; 0: none, or its values are no steps */
    bool metric, counts;          /* by its name; counts: steps, epochs or the like */
    size_t numbers, texts, falls; /* cells; values below the one before */
    int64_t last;
};
struct guess {
    struct column_guess columns[GUESS_COLUMNS];
    size_t n, names_n; /* columns; names, all of them */
    size_t rows, even; /* even: with as many cells as there are names */
    char separator;
    bool named;   /* no name is a number; "nan" is one */
    bool braces;  /* a name has one */
    bool monitor; /* begins with JSON in a comment, as gymnasium's monitor.csv */
};

static void guess_names(struct guess *g, const struct sm_csv_cells *names)
{
    double v;
    g->named = true;
    g->names_n = names->n;
    g->n = names->n < GUESS_COLUMNS ? names->n : GUESS_COLUMNS;
    for (size_t i = 0; i < g->n; i++) {
        struct sm_text x = names->items[i];
        g->columns[i].rank = sm_step_rank(x.p, x.n);
        g->braces = g->braces || memchr(x.p, '{', x.n);
        g->columns[i].counts = g->columns[i].rank != 0;
        g->columns[i].metric = sm_is_metric_name(x.p, x.n);
        g->named = g->named && !(sm_csv_number(x, g->separator, &v) && isfinite(v));
    }
}

static void guess_cell(struct guess *g, struct column_guess *c, struct sm_text cell)
{
    double v;
    int64_t step;
    if (cell.n == 0)
        return;
    if (!sm_csv_number(cell, g->separator, &v)) {
        c->texts++;
        return;
    }
    if (!sm_step_value(v, &step) || step < 0)
        c->rank = 0;
    else
        c->falls += c->numbers && step < c->last;
    if (c->rank)
        c->last = step;
    c->numbers++;
}

static void guess_line(struct guess *g, const char *p, size_t n, struct sm_csv_cells *cells)
{
    if (!g->separator)
        g->separator = sm_csv_separator(p, n);
    if (!sm_csv_split(p, n, g->separator, cells))
        return;
    if (!g->names_n) {
        guess_names(g, cells);
        return;
    }
    for (size_t i = 0; i < g->n && i < cells->n; i++)
        guess_cell(g, &g->columns[i], cells->items[i]);
    g->rows++;
    g->even += cells->n == g->names_n;
}

/* Lines with a quote that goes on in the next one are not looked at. */
static void guess_lines(struct guess *g, const char *p, const char *end, bool whole)
{
    struct sm_csv_cells cells = {0};
    if (end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    g->monitor = end - p > 2 && p[0] == '#' && p[1] == '{';
    while (p < end && g->rows < ROWS_MAX) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        if (!lf && !whole && g->rows)
            break;
        const char *stop = lf ? lf : end;
        while (stop > p && (stop[-1] == '\r' || stop[-1] == ' '))
            stop--;
        if (stop > p && (*p != '#' || g->names_n))
            guess_line(g, p, (size_t)(stop - p), &cells);
        p = lf ? lf + 1 : end;
    }
    sm_csv_cells_clear(&cells);
}

/* ---- what they say ---- */

struct tally {
    size_t numbers, texts, metrics; /* columns; of steps not counted */
    size_t fractions;               /* of numbers: epochs that are no whole numbers */
    unsigned step;                  /* the best rank; 0: no column of steps */
};

static struct tally count_columns(const struct guess *g)
{
    struct tally t = {0};
    for (size_t i = 0; i < g->n; i++) {
        const struct column_guess *c = &g->columns[i];
        bool step = c->rank && c->numbers && !c->texts && 4 * c->falls <= c->numbers;
        bool number = c->numbers && c->numbers >= c->texts;
        if (step && (!t.step || c->rank < t.step))
            t.step = c->rank;
        t.numbers += number && !c->rank;
        t.fractions += number && !c->rank && c->counts;
        t.texts += !number && c->texts;
        t.metrics += number && !c->rank && c->metric;
    }
    return t;
}

/* A file that was given may be any table of numbers; without names, or with names that are the
 * begin of an object, it has hardly anything else. */
static bool may_be_table(const struct guess *g, const struct tally *t)
{
    if ((!g->named || g->braces) && t->texts > t->numbers)
        return false;
    if (g->separator == ' ' && (!g->named || t->texts || g->even < g->rows))
        return false;
    return g->rows && 2 * g->even >= g->rows && t->numbers;
}

/* What is found by looking must be metrics by the names of its columns, or by its own name. */
static bool is_metrics(const struct guess *g, const struct tally *t, const char *name)
{
    bool known = sm_is_metrics_file(name, strlen(name));
    if (!g->named || g->names_n < 2 || (g->rows && 2 * g->even < g->rows))
        return false;
    if (!t->step && g->monitor)
        return known && t->numbers && !t->texts;
    if (!t->step)
        return known && t->metrics && !t->texts && t->metrics + t->fractions == t->numbers &&
               g->separator != ' ';
    if (t->step >= SM_STEP_SAMPLES)
        return known && t->metrics && !t->texts;
    return t->metrics || (known && t->numbers > t->texts);
}

/* A file that a program has just begun has names only. */
static bool has_begun(const struct guess *g, const char *name, bool given)
{
    bool step = false, metric = false;
    for (size_t i = 0; i < g->n; i++) {
        step = step || (g->columns[i].rank && g->columns[i].rank < SM_STEP_SAMPLES);
        metric = metric || g->columns[i].metric;
    }
    return !g->rows && g->named && step && metric && g->separator != ' ' &&
           (given || sm_is_metrics_file(name, strlen(name)));
}

static bool has_ending(const char *name, const char *const *endings, size_t n)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < n; i++)
        if (sm_same_letters(dot, endings[i]))
            return true;
    return false;
}

static bool is_table(struct sm_run_folder *f, const char *name)
{
    static const char *const tables[] = {".csv", ".tsv", ".tab"}, *const texts[] = {".log", ".txt"};
    bool given = sm_run_folder_is_given(f), table = has_ending(name, tables, 3);
    if (!given && !table && !has_ending(name, texts, 2))
        return false;
    char *head = sm_alloc(HEAD_BYTES);
    struct guess *g = sm_alloc_zero(1, sizeof *g);
    bool yes = false;
    size_t n = head && g ? sm_run_folder_text(f, name, head, HEAD_BYTES) : 0;
    if (n && !memchr(head, 0, n) && !strchr("{[<", *head)) {
        guess_lines(g, head, head + n, n < HEAD_BYTES);
        struct tally t = count_columns(g);
        yes = (given && may_be_table(g, &t)) || has_begun(g, name, given) ||
              (is_metrics(g, &t, name) &&
               (table || (g->rows && t.step && t.metrics && g->even == g->rows && !t.texts)));
    }
    sm_free(head);
    sm_free(g);
    return yes;
}

/* Lightning's loggers for TensorBoard and for CSV may write the same to one folder. */
static bool has_event_files(const struct sm_run_folder *f)
{
    for (size_t i = 0; i < sm_run_folder_count(f); i++)
        if (strstr(sm_run_folder_item(f, i)->name, ".tfevents."))
            return true;
    return false;
}

static void find_tables(struct sm_run_folder *f)
{
    sm_series_files_find(f);
    if (sm_run_folder_has_file(f, "metrics.csv") && has_event_files(f))
        sm_run_folder_claim(f, "metrics.csv");
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (x->is_dir || x->claimed || !is_table(f, x->name))
            continue;
        sm_run_folder_claim(f, x->name);
        sm_run_folder_add(f, x->name, NULL);
    }
}

static const struct sm_trial_traits csv_traits = {
    .name = "csv",
    .label = "CSV",
    .title = "table of metrics",
    .files = "tables of metrics",
    .runs = true,
    .day_ends = true,
};
const struct sm_trial_kind sm_trial_kind_csv = SM_LOG_KIND(csv_traits, sm_csv_format, find_tables);
