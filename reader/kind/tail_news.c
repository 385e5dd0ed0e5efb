/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/kind/tail_news.h"

#include "reader/format/location.h"

#include <stdlib.h>

struct sm_tail_changes *sm_news_new(void)
{
    struct sm_tail_changes *n = sm_alloc_zero(1, sizeof *n);
    if (n)
        n->folders[0] = n->folders[1] = -1;
    return n;
}

void sm_tail_changes_free(struct sm_tail_changes *n)
{
    if (!n)
        return;
    sm_arena_clear(&n->arena);
    sm_free(n->collections);
    sm_run_info_free(n->info);
    sm_problems_clear(&n->problems);
    sm_free(n);
}

void sm_news_report(struct sm_tail_changes *n, const char *file, const struct sm_err *err)
{
    if (err->code == SM_ERR_MEMORY)
        n->no_memory = true;
    else if (err->code != SM_ERR_MISSING)
        sm_problems_add(&n->problems, file, -1, err);
}

/* time_us: its mtime; may be NULL. */
static bool file_exists(struct sm_tail_changes *n, struct sm_source *source, const char *file,
                        int64_t *time_us)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (sm_source_stat(source, file, &st, &err)) {
        if (time_us)
            *time_us = st.mtime_us;
        return !st.is_dir;
    }
    sm_news_report(n, file, &err);
    return false;
}

bool sm_news_check_root(struct sm_tail_changes *n, struct sm_source *source, struct sm_stat *st,
                        struct sm_err *err)
{
    n->exists = sm_source_stat(source, "", st, err);
    if (!n->exists) {
        sm_news_report(n, ".", err);
        return false;
    }
    n->ended = file_exists(n, source, SM_END_FILE, &n->ended_us);
    n->claimed = file_exists(n, source, SM_CLAIM_FILE, NULL);
    return true;
}

struct sm_batch *sm_batch_new(size_t from, size_t to)
{
    struct sm_batch *b = sm_alloc_zero(1, sizeof *b);
    if (!b)
        return NULL;
    b->first = from;
    b->names = sm_names_new();
    b->files = sm_alloc_zero(to - from, sizeof *b->files);
    if (b->names && b->files)
        return b;
    sm_batch_free(b);
    return NULL;
}

/* The values of a part lie behind those of the part before it. */
static int by_step(const void *a, const void *b)
{
    const struct sm_batch_part *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->first_value != y->first_value)
        return x->first_value < y->first_value ? -1 : 1;
    return (x->first_scalar > y->first_scalar) - (x->first_scalar < y->first_scalar);
}

void sm_batch_sort(struct sm_batch *b)
{
    bool sorted = true;
    for (size_t i = 0; i < b->n_parts; i++) {
        if (b->parts[i].removes != SM_REMOVES_NOTHING)
            return;
        sorted = sorted && (!i || b->parts[i - 1].step <= b->parts[i].step);
    }
    if (!sorted)
        qsort(b->parts, b->n_parts, sizeof *b->parts, by_step);
}

void sm_batch_free(struct sm_batch *b)
{
    if (!b)
        return;
    sm_names_free(b->names);
    sm_free(b->files);
    sm_free(b->parts);
    sm_free(b->values);
    sm_free(b->known);
    sm_free(b->scalars);
    sm_free(b->shapes);
    sm_free(b->dims);
    sm_run_info_free(b->info);
    sm_problems_clear(&b->problems);
    sm_free(b);
}

struct sm_run_info *sm_batch_info(struct sm_batch *b)
{
    b->info = b->info ? b->info : sm_alloc_zero(1, sizeof *b->info);
    return b->info;
}
