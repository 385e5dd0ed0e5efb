/* SPDX-License-Identifier: Apache-2.0 */
/* Which files of a folder are lines of JSON with metrics, and the kind of their runs. */
#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/tables/column_name.h"
#include "reader/tables/json_doc.h"
#include "reader/tables/step_files.h"
#include "reader/tables/tables.h"

#include <string.h>

enum { PEEK_BYTES = 4096, HEAD_BYTES = 128 * 1024, ROWS_MAX = 64 };
/* Files with fewer bytes may be alike by chance. */
enum { COPY_BYTES = 200, COPIES_MAX = 256, DOC_BYTES = 8 * 1024 * 1024 };

/* What the first rows of a file are like. */
struct guess {
    size_t lines, rows;             /* that are not empty; that are objects */
    size_t steps, falls;            /* rows with a step; lower ones than in the row before */
    size_t metrics, numbers, texts; /* values; of steps not counted; of long texts each 64 bytes */
    unsigned rank;                  /* the best of a step's */
    int64_t last;
};

static void guess_step(struct guess *g, const struct sm_json_item *x)
{
    int64_t step;
    if (!x || !sm_step_value(x->number, &step) || step < 0)
        return;
    g->falls += g->steps && step < g->last;
    g->last = step;
    g->steps++;
}

static void guess_row(struct guess *g, const struct sm_json_row *r)
{
    const struct sm_json_item *best = NULL;
    for (size_t i = 0; i < r->n; i++) {
        const struct sm_json_item *x = &r->items[i];
        const struct sm_json_key *k = &r->keys[x->key];
        bool number = x->type == SM_LOG_NUMBER;
        if (number && k->rank && (!best || k->rank < r->keys[best->key].rank))
            best = x;
        g->numbers += number && !k->rank;
        g->metrics +=
            number && !k->rank &&
            sm_is_metric_name(sm_names_text(r->names, x->key), sm_names_length(r->names, x->key));
        g->texts += x->type == SM_LOG_TEXT ? 1 + x->text_n / 64 : 0;
    }
    if (best && (!g->rank || r->keys[best->key].rank < g->rank))
        g->rank = r->keys[best->key].rank;
    guess_step(g, best);
    g->rows++;
}

static void guess_lines(struct guess *g, const char *p, const char *end, bool whole)
{
    struct sm_json_row row = {0};
    struct sm_err err;
    if (end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (p < end && g->lines < ROWS_MAX) {
        const char *lf = memchr(p, '\n', (size_t)(end - p)), *stop = lf ? lf : end;
        if (!lf && !whole)
            break;
        while (stop > p && strchr(" \t\r", stop[-1]) && stop[-1])
            stop--;
        if (stop > p && sm_json_row_read(&row, p, (size_t)(stop - p), &err))
            guess_row(g, &row);
        g->lines += stop > p;
        p = lf ? lf + 1 : end;
    }
    sm_json_row_clear(&row);
}

/* ---- what they say ---- */

static bool is_metrics(const struct guess *g, const char *name, bool lines)
{
    bool known = sm_is_metrics_file(name, strlen(name));
    /* the last line may be torn, and the first one a title */
    if (!g->rows || 4 * (g->lines - g->rows) > g->lines + 2 || !g->numbers ||
        (!lines && g->rows < 2 && !known))
        return false;
    if (!g->steps || g->rank >= SM_STEP_SAMPLES)
        return known && lines && g->metrics && !g->texts;
    if (2 * g->steps < g->rows || 4 * g->falls > g->steps)
        return false;
    return (g->metrics || known) && g->texts <= 4 * g->numbers;
}

static bool has_ending(const char *name, const char *ending)
{
    const char *dot = strrchr(name, '.');
    return dot && sm_same_letters(dot, ending);
}

/* Cheap, before more is read: the folder may be a data set of many files. */
static bool may_be_lines(const char *head, size_t n, const char *name)
{
    size_t i = n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (n < i + 2 || head[i] != '{' || memchr(head, 0, n))
        return false;
    bool known = sm_is_metrics_file(name, strlen(name)), json = has_ending(name, ".json");
    return head[i + 1] != '\n' && head[i + 1] != '\r' && (!json || known || memchr(head, '\n', n));
}

static bool looks_like_lines(struct sm_run_folder *f, const char *name, char *head)
{
    struct guess g = {0};
    bool lines = has_ending(name, ".jsonl") || has_ending(name, ".ndjson");
    bool given = sm_run_folder_is_given(f);
    if (!given && !lines && !has_ending(name, ".json") && !has_ending(name, ".log") &&
        !has_ending(name, ".txt"))
        return false;
    size_t n = sm_run_folder_text(f, name, head, PEEK_BYTES);
    if (!may_be_lines(head, n, name) || sm_json_is_doc(head, n))
        return false;
    if (n == PEEK_BYTES)
        n = sm_run_folder_text(f, name, head, HEAD_BYTES);
    guess_lines(&g, head, head + n, n < HEAD_BYTES);
    bool summary = !lines && g.rows == 1 && !g.steps; /* the last values, without any step */
    return (given && g.rows && g.numbers && !summary) || is_metrics(&g, name, lines);
}

/* ---- a file for each step ---- */

/* Whether it is an object with a number of a metric. */
static bool is_step_file(struct sm_run_folder *f, const char *name, char *head)
{
    struct guess g = {0};
    struct sm_json_row row = {0};
    struct sm_err err;
    size_t n = sm_run_folder_text(f, name, head, HEAD_BYTES);
    bool ok = n < HEAD_BYTES && sm_json_row_read(&row, head, n, &err);
    if (ok)
        guess_row(&g, &row);
    sm_json_row_clear(&row);
    return ok && g.metrics && g.texts <= g.numbers;
}

static bool is_of_group(const char *name, const char *prefix, size_t n)
{
    size_t k;
    int64_t step;
    return sm_step_file_name(name, &k, &step) && k == n && memcmp(name, prefix, n) == 0;
}

/* The last values again, in a file without a step: metrics.json beside metrics_step50.json. */
static void claim_summary(struct sm_run_folder *f, const char *prefix, size_t n)
{
    struct sm_str name = {0};
    while (n && !strchr("-_.", prefix[n - 1]))
        n--;
    sm_str_addn(&name, prefix, n ? n - 1 : 0);
    sm_str_add(&name, ".json");
    if (!name.failed && sm_run_folder_has_file(f, name.data))
        sm_run_folder_claim(f, name.data);
    sm_str_clear(&name);
}

/* item i is the first of its group. */
static void add_group(struct sm_run_folder *f, size_t i, size_t n)
{
    const char *first = sm_run_folder_item(f, i)->name;
    struct sm_str member = {0};
    bool given = sm_run_folder_is_given(f);
    sm_str_addn(&member, first, given ? strlen(first) : n);
    sm_str_add(&member, given ? "#step" : "*.json");
    for (size_t k = i; k < sm_run_folder_count(f); k++) {
        const struct sm_run_item *x = sm_run_folder_item(f, k);
        if (!x->is_dir && !x->claimed && is_of_group(x->name, first, n))
            sm_run_folder_claim(f, x->name);
    }
    claim_summary(f, first, n);
    if (!member.failed)
        sm_run_folder_add(f, member.data, NULL);
    sm_str_clear(&member);
}

/* ---- documents ---- */

/* Whether a name that has points is that of a metric. */
static bool has_metric(const struct sm_point_list *points, const struct sm_json_row *row)
{
    for (size_t i = 0; i < points->n; i++) {
        uint32_t key = points->items[i].key;
        if (sm_is_metric_name(sm_names_text(row->names, key), sm_names_length(row->names, key)))
            return true;
    }
    return false;
}

static bool points_of(struct sm_run_folder *f, const char *name, struct sm_json_row *row,
                      struct sm_point_list *points)
{
    struct sm_str path = {0}, text = {0};
    struct sm_err err;
    sm_run_folder_join(f, name, &path);
    bool ok = !path.failed &&
              sm_source_slurp(sm_run_folder_source(f), path.data, DOC_BYTES, &text, &err) &&
              sm_json_doc_points(sm_str_text(&text), text.len, row, points, &err);
    sm_str_clear(&path);
    sm_str_clear(&text);
    return ok;
}

/* A document is found if its name says that it is metrics, too: it is read whole. */
static bool is_document(struct sm_run_folder *f, const char *name, char *head)
{
    struct sm_json_row row = {0};
    struct sm_point_list points = {0};
    bool given = sm_run_folder_is_given(f);
    if (!given && (!has_ending(name, ".json") || !sm_is_metrics_file(name, strlen(name))))
        return false;
    size_t n = sm_run_folder_text(f, name, head, PEEK_BYTES);
    bool yes = sm_json_is_doc(head, n) && points_of(f, name, &row, &points) &&
               (given || (points.n > 1 && has_metric(&points, &row)));
    sm_point_list_clear(&points);
    sm_json_row_clear(&row);
    return yes;
}

static void find_documents(struct sm_run_folder *f, char *head)
{
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (x->is_dir || x->claimed || !is_document(f, x->name, head))
            continue;
        sm_run_folder_claim(f, x->name);
        sm_run_folder_add(f, x->name, NULL);
    }
}

/* ---- files that say the same ---- */

static bool is_claimed(const struct sm_run_folder *f, const char *name)
{
    for (size_t i = 0; i < sm_run_folder_count(f); i++)
        if (strcmp(sm_run_folder_item(f, i)->name, name) == 0)
            return sm_run_folder_item(f, i)->claimed;
    return false;
}

/* Some loggers write each row as CSV and as JSON: progress.json beside progress.csv
 * (stable-baselines), result.json beside progress.csv (RLlib). */
static bool is_of_table(const struct sm_run_folder *f, const char *name)
{
    struct sm_str table = {0};
    sm_str_addn(&table, name, strcspn(name, "."));
    sm_str_add(&table, ".csv");
    bool yes = !table.failed && is_claimed(f, table.data);
    sm_str_clear(&table);
    return yes || (strcmp(name, "result.json") == 0 && is_claimed(f, "progress.csv"));
}

/* mmengine writes two files with the same lines. crcs: of those that were found before. */
static bool is_copy(struct sm_run_folder *f, const char *name, char *head, uint32_t *crcs, size_t n)
{
    size_t got = sm_run_folder_text(f, name, head, PEEK_BYTES);
    crcs[n] = sm_crc32c(head, got);
    for (size_t i = 0; i < n && got >= COPY_BYTES; i++)
        if (crcs[i] == crcs[n])
            return true;
    return false;
}

static void find_lines(struct sm_run_folder *f, char *head)
{
    uint32_t crcs[COPIES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (x->is_dir || x->claimed || !looks_like_lines(f, x->name, head))
            continue;
        sm_run_folder_claim(f, x->name);
        if (is_of_table(f, x->name) || is_copy(f, x->name, head, crcs, n))
            continue;
        sm_run_folder_add(f, x->name, NULL);
        n += n + 1 < COPIES_MAX;
    }
}

static void find_rows(struct sm_run_folder *f)
{
    char *head = sm_alloc(HEAD_BYTES);
    size_t n;
    int64_t step;
    for (size_t i = 0; head && i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (!x->is_dir && !x->claimed && sm_step_file_name(x->name, &n, &step) &&
            is_step_file(f, x->name, head))
            add_group(f, i, n);
    }
    if (head) {
        find_lines(f, head);
        find_documents(f, head);
    }
    sm_free(head);
}

static const struct sm_trial_traits jsonl_traits = {
    .name = "jsonl",
    .label = "JSONL",
    .title = "lines of JSON with metrics",
    .files = "lines of JSON with metrics",
    .runs = true,
    .day_ends = true,
};
const struct sm_trial_kind sm_trial_kind_jsonl =
    SM_LOG_KIND(jsonl_traits, sm_jsonl_format, find_rows);
