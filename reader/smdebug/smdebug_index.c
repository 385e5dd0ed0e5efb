/* SPDX-License-Identifier: Apache-2.0 */
/* The index files of a trial: finds new ones without reading them. */
#include "reader/base/clock.h"
#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/smdebug/smdebug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEWEST_FOLDERS = 2, COARSE_US = 2000000 };

struct listing {
    struct sm_smdebug *files;
    struct sm_tail_changes *news;
    int64_t folder;
    struct sm_str worker, path; /* scratch */
    int64_t *folders;
    size_t n_folders, cap_folders;
};

static bool no_memory(struct listing *l)
{
    l->news->no_memory = true;
    return false;
}

void sm_smdebug_path(const struct sm_smdebug *t, const struct queued *q, struct sm_str *out)
{
    if (q->name == NO_NAME)
        sm_location_index(out, q->step, sm_names_text(t->workers, q->worker));
    else
        sm_str_printf(out, SM_INDEX_DIR "/%09lld/%s", (long long)q->folder,
                      sm_str_text(&t->odd_names) + q->name);
}

static bool note_last_step(struct sm_smdebug *t, uint32_t worker, int64_t step)
{
    size_t before = t->cap_last;
    if (!sm_vec_reserve((void **)&t->last_step, &t->cap_last, (size_t)worker + 1,
                        sizeof *t->last_step))
        return false;
    for (size_t w = before; w < t->cap_last; w++)
        t->last_step[w] = -1;
    if (step > t->last_step[worker])
        t->last_step[worker] = step;
    return true;
}

static bool map_has_inode(const struct sm_map *m, uint64_t key, uint64_t inode)
{
    uint64_t before;
    return sm_map_get(m, key, &before) && before == inode;
}

/* Keeps names that do not follow from step and worker: unpadded numbers, another folder. */
static bool keep_odd_name(struct listing *l, struct queued *q, const char *name)
{
    struct sm_smdebug *t = l->files;
    size_t n = strlen(name);
    if (sm_ends_with(name, ".zst"))
        n -= 4;
    sm_str_truncate(&l->path, 0);
    sm_smdebug_path(t, q, &l->path);
    const char *slash = strrchr(sm_str_text(&l->path), '/');
    if (q->step / 1000 == q->folder && slash && strlen(slash + 1) == n &&
        memcmp(slash + 1, name, n) == 0)
        return true;
    q->name = t->odd_names.len;
    sm_str_addn(&t->odd_names, name, n);
    sm_str_addc(&t->odd_names, 0);
    return !t->odd_names.failed;
}

/* Reports a file that cannot be named here, once. Its key is of no file that can (sm_smdebug_key).
 */
static bool refuse_step(struct listing *l, const char *name, uint64_t inode)
{
    struct sm_err err;
    uint64_t key = (uint64_t)1 << 63 | inode;
    if (map_has_inode(&l->files->bad, key, inode))
        return true;
    sm_str_truncate(&l->path, 0);
    sm_str_printf(&l->path, SM_INDEX_DIR "/%09lld/%s", (long long)l->folder, name);
    sm_err_set(&err, SM_ERR_LIMIT, "not read: a step must be below %lld", (long long)STEP_MAX);
    sm_news_report(l->news, sm_str_text(&l->path), &err);
    return sm_map_put(&l->files->bad, key, inode) || no_memory(l);
}

static bool on_index_file(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct listing *l = ctx;
    struct sm_smdebug *t = l->files;
    struct queued q = {.folder = l->folder, .inode = inode, .name = NO_NAME};
    sm_str_truncate(&l->worker, 0);
    if (is_dir || !sm_location_parse(name, ".json", &q.step, &l->worker))
        return true;
    if (q.step >= STEP_MAX)
        return refuse_step(l, name, inode);
    if (l->worker.failed)
        return no_memory(l);
    if (t->in->options.worker && strcmp(t->in->options.worker, sm_str_text(&l->worker)) != 0)
        return true;
    q.worker = sm_names_add(t->workers, sm_str_text(&l->worker), l->worker.len);
    if (q.worker == SM_NAME_NONE)
        return no_memory(l);
    if (q.worker >= WORKERS_MAX || !sm_trial_includes_step(&t->in->options, q.step))
        return true;
    if (!note_last_step(t, q.worker, q.step))
        return no_memory(l);
    uint64_t key = sm_smdebug_key(q.step, q.worker);
    if (map_has_inode(&t->taken, key, inode) || map_has_inode(&t->bad, key, inode))
        return true;
    if (!keep_odd_name(l, &q, name) || !SM_VEC_ROOM(t->queue, t->n_queue, t->cap_queue))
        return no_memory(l);
    t->queue[t->n_queue++] = q;
    return true;
}

static bool on_folder(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct listing *l = ctx;
    int64_t folder;
    char spelled[32];
    (void)inode;
    if (!is_dir || !sm_location_parse_index_dir(name, &folder))
        return true;
    snprintf(spelled, sizeof spelled, "%09lld", (long long)folder);
    if (strcmp(spelled, name) != 0)
        return true;
    if (!SM_VEC_ROOM(l->folders, l->n_folders, l->cap_folders))
        return no_memory(l);
    l->folders[l->n_folders++] = folder;
    return true;
}

static int compare_folders(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int compare_queued(const void *a, const void *b, void *ranks)
{
    const struct queued *x = a, *y = b;
    const uint32_t *rank = ranks;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    uint32_t k = rank ? rank[x->worker] : x->worker, m = rank ? rank[y->worker] : y->worker;
    return (k > m) - (k < m);
}

static int compare_workers(const void *a, const void *b, void *names)
{
    return sm_natural_cmp(sm_names_text(names, *(const uint32_t *)a),
                          sm_names_text(names, *(const uint32_t *)b));
}

/* The place of each worker in natural order, as in the trial, so that the trial appends parts. NULL
 * if there is no memory. */
static uint32_t *worker_ranks(const struct sm_smdebug *t)
{
    uint32_t n = sm_names_count(t->workers), *order = sm_alloc(2 * ((size_t)n + 1) * sizeof *order),
             *rank = order ? order + n : NULL;
    for (uint32_t i = 0; order && i < n; i++)
        order[i] = i;
    if (order && n)
        qsort_r(order, n, sizeof *order, compare_workers, t->workers);
    for (uint32_t i = 0; order && i < n; i++)
        rank[order[i]] = i;
    for (uint32_t i = 0; order && i < n; i++)
        order[i] = rank[i];
    return order;
}

static void sort_queue(struct sm_smdebug *t)
{
    uint32_t *ranks = worker_ranks(t);
    qsort_r(t->queue, t->n_queue, sizeof *t->queue, compare_queued, ranks);
    sm_free(ranks);
}

/* Whether nothing was created, renamed or removed in the folder since it was listed. A list that is
 * not clearly later than the folder's mtime proves nothing, because times are coarse; which is
 * later, only the own clock can say. A folder of a bucket has no mtime. */
static bool is_quiet(struct sm_smdebug *t, const char *path, int64_t folder)
{
    uint64_t key = (uint64_t)folder, before, since, now = (uint64_t)sm_clock_mono_us(), quiet;
    struct sm_stat st;
    struct sm_err err = {0};
    if (!sm_source_stat(t->in->source, path, &st, &err) || !st.mtime_us)
        return false;
    if (!sm_map_get(&t->folder_time, key, &before) || (int64_t)before != st.mtime_us ||
        !sm_map_get(&t->folder_since, key, &since)) {
        sm_map_remove(&t->folder_quiet, key);
        sm_map_put(&t->folder_since, key, now);
        sm_map_put(&t->folder_time, key, (uint64_t)st.mtime_us);
        return false;
    }
    if (sm_map_get(&t->folder_quiet, key, &quiet))
        return true;
    if (now - since >= COARSE_US)
        sm_map_put(&t->folder_quiet, key, 1); /* by the list that follows */
    return false;
}

static void list_folder(struct listing *l, int64_t folder, bool anyway)
{
    const struct sm_trial_options *o = &l->files->in->options;
    struct sm_err err = {0};
    char path[64];
    if (o->stride && (folder > o->last.n / 1000 || folder < o->first.n / 1000))
        return;
    l->folder = folder;
    snprintf(path, sizeof path, SM_INDEX_DIR "/%09lld", (long long)folder);
    if (is_quiet(l->files, path, folder) && !anyway)
        return;
    if (!sm_source_list(l->files->in->source, path, on_index_file, l, &err)) {
        sm_map_remove(&l->files->folder_quiet, (uint64_t)folder);
        sm_news_report(l->news, path, &err);
    }
}

bool sm_smdebug_was_late(const struct sm_smdebug *t, int64_t folder)
{
    for (size_t i = 0; i < t->n_late; i++)
        if (t->late_folders[i] == folder)
            return true;
    return false;
}

static void list_folders(struct listing *l)
{
    struct sm_smdebug *t = l->files;
    struct sm_err err = {0};
    bool everything = t->everything, touched = t->touched;
    t->touched = false;
    if (!sm_source_list(t->in->source, SM_INDEX_DIR, on_folder, l, &err))
        sm_news_report(l->news, SM_INDEX_DIR, &err);
    if (!l->n_folders)
        return;
    qsort(l->folders, l->n_folders, sizeof *l->folders, compare_folders);
    size_t old = l->n_folders > NEWEST_FOLDERS ? l->n_folders - NEWEST_FOLDERS : 0;
    t->turn = old ? (t->turn + 1) % old : 0;
    for (size_t i = 0; i < l->n_folders; i++)
        if (everything || i >= old || i == t->turn || l->folders[i] > t->newest_folder ||
            sm_smdebug_was_late(t, l->folders[i]))
            list_folder(l, l->folders[i],
                        everything || touched || sm_smdebug_was_late(t, l->folders[i]));
    t->newest_folder = l->folders[l->n_folders - 1];
    for (size_t i = 0; i < 2 && i < l->n_folders; i++)
        l->news->folders[i] = l->folders[l->n_folders - 1 - i];
    if (t->n_queue)
        sort_queue(t);
    t->n_late = 0;
    t->everything = l->news->no_memory;
}

void sm_smdebug_list_index(struct sm_smdebug *t, struct sm_tail_changes *n)
{
    struct listing l = {.files = t, .news = n};
    list_folders(&l);
    sm_str_clear(&l.worker);
    sm_str_clear(&l.path);
    sm_free(l.folders);
}
