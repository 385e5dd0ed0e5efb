/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/merge_runs.h"

#include "commands/judge/merge_node.h"
#include "reader/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 100000 };

void sm_merge_runs_mark(struct sm_result *r, struct sm_node *row, const struct sm_session *s,
                        size_t i)
{
    const struct sm_dealt *d = &s->trials[i].dealt;
    if (!d->runs)
        return;
    struct sm_node *map = sm_node_map(r, row, "dealt");
    sm_node_uint(r, map, "part", s->part + 1);
    sm_node_uint(r, map, "of", s->parts);
    sm_node_uint(r, map, "run", d->run);
    sm_node_uint(r, map, "runs", d->runs);
    sm_node_text(r, map, "directory", d->directory);
}

/* A row that was marked. */
struct dealt {
    struct sm_node *node;
    struct sm_text directory, rule;
    int64_t part, of, run, runs;
    size_t at; /* in the list */
};

static int compare_texts(struct sm_text a, struct sm_text b)
{
    int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

/* By directory and run, each rule's rows together. */
static int compare_rules(const void *a, const void *b)
{
    const struct dealt *x = a, *y = b;
    int order = compare_texts(x->directory, y->directory);
    order = order ? order : (x->run > y->run) - (x->run < y->run);
    return order ? order : compare_texts(x->rule, y->rule);
}

/* By directory and run, as the file had them. */
static int compare_places(const void *a, const void *b)
{
    const struct dealt *x = a, *y = b;
    int order = compare_texts(x->directory, y->directory);
    order = order ? order : (x->run > y->run) - (x->run < y->run);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static bool read_mark(struct sm_node *row, struct sm_node *mark, size_t at, struct dealt *out,
                      struct sm_err *err)
{
    *out = (struct dealt){.node = row,
                          .directory = sm_merge_text(mark, "directory"),
                          .rule = sm_merge_text(row, "instance"),
                          .part = sm_merge_int(mark, "part", 0),
                          .of = sm_merge_int(mark, "of", 0),
                          .run = sm_merge_int(mark, "run", 0),
                          .runs = sm_merge_int(mark, "runs", 0),
                          .at = at};
    return (out->part >= 1 && out->part <= out->of && out->of <= PARTS_MAX) ||
           sm_err_set(err, SM_ERR_DATA, "a result has a part of runs that cannot be");
}

/* Takes the marked rows out of the list. */
static size_t take_marked(struct sm_node *list, struct dealt *out, bool *ok, struct sm_err *err)
{
    size_t n = 0, at = 0;
    struct sm_node *x = list->first;
    list->first = list->last = NULL;
    for (struct sm_node *next; x; x = next, at++) {
        struct sm_node *mark = sm_merge_member(x, "dealt", SM_NODE_MAP);
        next = x->next;
        x->next = NULL;
        if (mark)
            *ok = read_mark(x, mark, at, &out[n++], err) && *ok;
        else
            sm_merge_append(list, x);
    }
    return n;
}

/* rows: n of one directory, by run and rule. */
static bool is_whole(const struct dealt *rows, size_t n, struct sm_err *err)
{
    bool *seen = sm_xalloc_zero((size_t)rows->of, sizeof *seen), ok = true;
    struct sm_text name = rows->directory;
    for (size_t i = 0; ok && i < n; i++) {
        const struct dealt *x = &rows[i];
        if (x->of != rows->of || x->runs != rows->runs)
            ok = sm_err_set(err, SM_ERR_DATA, "the files are not parts of the same runs of %.*s",
                            (int)name.n, name.p);
        else if (i && !compare_rules(&x[-1], x))
            ok = sm_err_set(err, SM_ERR_DATA, "run %lld of %.*s is in two files", (long long)x->run,
                            (int)name.n, name.p);
        else
            seen[x->part - 1] = true;
    }
    for (int64_t k = 0; ok && k < rows->of; k++)
        if (!seen[k])
            ok = sm_err_set(err, SM_ERR_MISSING, "part %lld of %lld of the runs of %.*s is missing",
                            (long long)k + 1, (long long)rows->of, (int)name.n, name.p);
    sm_free(seen);
    return ok;
}

static bool are_whole(struct dealt *rows, size_t n, struct sm_err *err)
{
    size_t end = 0;
    bool ok = true;
    qsort(rows, n, sizeof *rows, compare_rules);
    for (size_t i = 0; ok && i < n; i = end) {
        while (end < n && !compare_texts(rows[i].directory, rows[end].directory))
            end++;
        ok = is_whole(&rows[i], end - i, err);
    }
    return ok;
}

bool sm_merge_runs_join(struct sm_node *list, struct sm_err *err)
{
    size_t n = 0;
    bool ok = true;
    for (const struct sm_node *x = list->first; x; x = x->next)
        n++;
    struct dealt *rows = sm_xalloc_zero(n + 1, sizeof *rows);
    n = take_marked(list, rows, &ok, err);
    ok = ok && are_whole(rows, n, err);
    qsort(rows, n, sizeof *rows, compare_places);
    for (size_t i = 0; i < n; i++) {
        sm_merge_remove(rows[i].node, "dealt");
        sm_merge_append(list, rows[i].node);
    }
    sm_free(rows);
    return ok;
}
