#include "reader/tail.h"

#include "reader/base/clock.h"
#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/tail_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLLECTIONS_FILE_MAX = 256 << 20, COLLECTIONS_LATE_US = 10 * 1000000, NEWEST_FOLDERS = 2 };

struct sm_tail *sm_tail_new(struct sm_source *source, const struct sm_trial_options *o, struct sm_err *err)
{
    struct sm_tail *t = sm_alloc_zero(1, sizeof *t);
    if (!t)
        goto no_memory;
    t->workers = sm_names_new();
    t->only_worker = o->worker ? sm_strdup(o->worker) : NULL;
    t->source = sm_source_ref(source);
    t->options = *o;
    t->everything = true;
    if (t->workers && (t->only_worker || !o->worker))
        return t;
    sm_tail_free(t);
no_memory:
    sm_err_set(err, SM_ERR_MEMORY, "no memory for a trial");
    return NULL;
}

void sm_tail_free(struct sm_tail *t)
{
    if (!t)
        return;
    sm_board_free(t->board);
    sm_source_unref(t->source);
    sm_names_free(t->workers);
    sm_map_clear(&t->taken);
    sm_map_clear(&t->bad);
    sm_map_clear(&t->collections);
    sm_str_clear(&t->odd_names);
    sm_str_clear(&t->newest_name);
    sm_free(t->only_worker);
    sm_free(t->last_step);
    sm_free(t->late_folders);
    sm_free(t->queue);
    sm_free(t);
}

void sm_tail_everything(struct sm_tail *t)
{
    t->everything = true;
    sm_map_clear(&t->bad);
}

void sm_news_free(struct sm_news *n)
{
    if (!n)
        return;
    sm_arena_clear(&n->arena);
    sm_free(n->collections);
    sm_problems_clear(&n->problems);
    sm_free(n);
}

/* What is missing is no problem: it may come. */
static void report(struct sm_news *n, const char *file, const struct sm_err *err)
{
    if (err->code == SM_ERR_MEMORY)
        n->no_memory = true;
    else if (err->code != SM_ERR_MISSING)
        sm_problems_add(&n->problems, file, -1, err);
}

/* ---- the directory itself ---- */

/* Nothing is known of a directory that has gone, or of one that has taken its place. */
static void forget(struct sm_tail *t)
{
    t->gone = t->gone || t->taken.count || t->collections.count;
    sm_map_clear(&t->taken);
    sm_map_clear(&t->bad);
    sm_map_clear(&t->collections);
    for (size_t w = 0; w < t->cap_last; w++)
        t->last_step[w] = -1;
    sm_str_truncate(&t->newest_name, 0);
    t->n_late = 0;
    t->everything = true;
    t->listed = false;
}

static bool is_there(struct sm_tail *t, struct sm_news *n, const char *file)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (sm_source_stat(t->source, file, &st, &err))
        return !st.is_dir;
    report(n, file, &err);
    return false;
}

static void look_at_root(struct sm_tail *t, struct sm_news *n)
{
    struct sm_stat st;
    struct sm_err err = {0};
    n->exists = sm_source_stat(t->source, "", &st, &err);
    if (!n->exists && err.code == SM_ERR_MISSING)
        forget(t);
    if (!n->exists) {
        report(n, ".", &err);
        return;
    }
    if (t->root.inode && (t->root.device != st.device || t->root.inode != st.inode))
        forget(t);
    t->root = (struct seen){.device = st.device, .inode = st.inode};
    t->ended = n->ended = is_there(t, n, SM_END_FILE);
    n->claimed = is_there(t, n, SM_CLAIM_FILE);
}

/* The file taken last tells of what a list cannot see: the folder was cleared, or the file written over in place. */
static void look_at_newest(struct sm_tail *t)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (!t->newest_name.len)
        return;
    if (!sm_source_stat(t->source, sm_str_text(&t->newest_name), &st, &err)) {
        if (err.code == SM_ERR_MISSING)
            forget(t);
        return;
    }
    if (st.size_bytes != t->newest.size_bytes || st.mtime_us != t->newest.time_us)
        sm_map_remove(&t->taken, sm_tail_key(t->newest_file.step, t->newest_file.worker));
}

/* ---- collections ---- */

struct file_name {
    char *name;
    uint64_t inode;
};
struct file_names {
    struct file_name *items;
    size_t n, cap;
    bool no_memory;
};

static bool add_file_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct file_names *f = ctx;
    struct sm_str worker = {0};
    bool ours = !is_dir && sm_location_parse_collections(name, &worker);
    sm_str_clear(&worker);
    if (!ours)
        return true;
    char *copy = sm_strdup(name);
    f->no_memory = !copy || !SM_VEC_ROOM(f->items, f->n, f->cap);
    if (f->no_memory) {
        sm_free(copy);
        return false;
    }
    f->items[f->n++] = (struct file_name){copy, inode};
    return true;
}

static int compare_file_names(const void *a, const void *b)
{
    return strcmp(((const struct file_name *)a)->name, ((const struct file_name *)b)->name);
}

static bool keep_collections(struct sm_tail *t, struct sm_news *n, uint32_t worker, uint64_t inode, const struct sm_news_collections *c)
{
    struct sm_news_collections x = *c;
    x.worker = sm_arena_strndup(&n->arena, sm_names_text(t->workers, worker), sm_names_length(t->workers, worker));
    if (!x.worker || !SM_VEC_ROOM(n->collections, n->n_collections, n->cap_collections) ||
        !sm_map_put(&t->collections, worker, inode))
        return false;
    n->collections[n->n_collections++] = x;
    return true;
}

/* A file that does not parse may be half written: it is a problem only when the job has ended or it is left so. */
static void parse_collections(struct sm_tail *t, struct sm_news *n, uint32_t worker, uint64_t inode, const char *path, struct sm_str *text)
{
    struct sm_err err = {0};
    struct sm_stat st;
    struct sm_news_collections c;
    if (!sm_source_load(t->source, path, COLLECTIONS_FILE_MAX, text, &st, &err)) {
        report(n, path, &err);
        return;
    }
    if (sm_collections_parse(sm_str_text(text), text->len, &n->arena, &c.def, &err)) {
        c.time_us = st.mtime_us;
        n->no_memory = !keep_collections(t, n, worker, inode, &c) || n->no_memory;
        return;
    }
    if (err.code != SM_ERR_MEMORY && !t->ended && sm_clock_wall_us() - st.mtime_us < COLLECTIONS_LATE_US) {
        n->late = true;
        return;
    }
    report(n, path, &err);
    if (err.code != SM_ERR_MEMORY)
        n->no_memory = !sm_map_put(&t->collections, worker, inode) || n->no_memory;
}

static void take_collections(struct sm_tail *t, struct sm_news *n, const struct file_name *f)
{
    struct sm_str worker = {0}, path = {0}, text = {0};
    uint64_t before;
    sm_location_parse_collections(f->name, &worker);
    sm_str_add(&path, SM_COLLECTIONS_DIR "/");
    sm_str_add(&path, f->name);
    uint32_t id = sm_names_add(t->workers, sm_str_text(&worker), worker.len);
    if (id == SM_NAME_NONE || worker.failed || path.failed)
        n->no_memory = true;
    else if (!sm_map_get(&t->collections, id, &before) || before != f->inode)
        parse_collections(t, n, id, f->inode, sm_str_text(&path), &text);
    sm_str_clear(&worker);
    sm_str_clear(&path);
    sm_str_clear(&text);
}

static void list_collections(struct sm_tail *t, struct sm_news *n)
{
    struct file_names f = {0};
    struct sm_err err = {0};
    if (!sm_source_list(t->source, SM_COLLECTIONS_DIR, add_file_name, &f, &err))
        report(n, SM_COLLECTIONS_DIR, &err);
    n->no_memory = n->no_memory || f.no_memory;
    if (f.n)
        qsort(f.items, f.n, sizeof *f.items, compare_file_names);
    for (size_t i = 0; i < f.n; i++) {
        take_collections(t, n, &f.items[i]);
        sm_free(f.items[i].name);
    }
    sm_free(f.items);
}

/* ---- index files ---- */

struct listing {
    struct sm_tail *tail;
    struct sm_news *news;
    int64_t folder;
    struct sm_str worker, path;          /* scratch */
    int64_t *folders;
    size_t n_folders, cap_folders;
};

static bool no_memory(struct listing *l)
{
    l->news->no_memory = true;
    return false;
}

void sm_tail_path(const struct sm_tail *t, const struct queued *q, struct sm_str *out)
{
    if (q->name == NO_NAME)
        sm_location_index(out, q->step, sm_names_text(t->workers, q->worker));
    else
        sm_str_printf(out, SM_INDEX_DIR "/%09lld/%s", (long long)q->folder, sm_str_text(&t->odd_names) + q->name);
}

static bool is_wanted_step(const struct sm_trial_options *o, int64_t step)
{
    return !o->stride || (step >= o->first.n && step <= o->last.n && (step - o->first.n) % o->stride == 0);
}

static bool note_last_step(struct sm_tail *t, uint32_t worker, int64_t step)
{
    size_t before = t->cap_last;
    if (!sm_vec_reserve((void **)&t->last_step, &t->cap_last, (size_t)worker + 1, sizeof *t->last_step))
        return false;
    for (size_t w = before; w < t->cap_last; w++)
        t->last_step[w] = -1;
    if (step > t->last_step[worker])
        t->last_step[worker] = step;
    return true;
}

static bool is_known(const struct sm_map *m, uint64_t key, uint64_t inode)
{
    uint64_t before;
    return sm_map_get(m, key, &before) && before == inode;
}

/* Names that do not follow from step and worker are kept: unpadded numbers, another folder. */
static bool keep_odd_name(struct listing *l, struct queued *q, const char *name)
{
    struct sm_tail *t = l->tail;
    size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, ".zst") == 0)
        n -= 4;
    sm_str_truncate(&l->path, 0);
    sm_tail_path(t, q, &l->path);
    const char *slash = strrchr(sm_str_text(&l->path), '/');
    if (q->step / 1000 == q->folder && slash && strlen(slash + 1) == n && memcmp(slash + 1, name, n) == 0)
        return true;
    q->name = t->odd_names.len;
    sm_str_addn(&t->odd_names, name, n);
    sm_str_addc(&t->odd_names, 0);
    return !t->odd_names.failed;
}

static bool on_index_file(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct listing *l = ctx;
    struct sm_tail *t = l->tail;
    struct queued q = {.folder = l->folder, .inode = inode, .name = NO_NAME};
    sm_str_truncate(&l->worker, 0);
    if (is_dir || !sm_location_parse(name, ".json", &q.step, &l->worker) || q.step >= STEP_MAX)
        return true;
    if (l->worker.failed)
        return no_memory(l);
    if (t->only_worker && strcmp(t->only_worker, sm_str_text(&l->worker)) != 0)
        return true;
    q.worker = sm_names_add(t->workers, sm_str_text(&l->worker), l->worker.len);
    if (q.worker == SM_NAME_NONE)
        return no_memory(l);
    if (q.worker >= WORKERS_MAX || !is_wanted_step(&t->options, q.step))
        return true;
    if (!note_last_step(t, q.worker, q.step))
        return no_memory(l);
    uint64_t key = sm_tail_key(q.step, q.worker);
    if (is_known(&t->taken, key, inode) || is_known(&t->bad, key, inode))
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

static int compare_queued(const void *a, const void *b)
{
    const struct queued *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->worker > y->worker) - (x->worker < y->worker);
}

static void list_folder(struct listing *l, int64_t folder)
{
    const struct sm_trial_options *o = &l->tail->options;
    struct sm_err err = {0};
    char path[64];
    if (o->stride && (folder > o->last.n / 1000 || folder < o->first.n / 1000))
        return;
    l->folder = folder;
    snprintf(path, sizeof path, SM_INDEX_DIR "/%09lld", (long long)folder);
    if (!sm_source_list(l->tail->source, path, on_index_file, l, &err))
        report(l->news, path, &err);
}

static bool was_late(const struct sm_tail *t, int64_t folder)
{
    for (size_t i = 0; i < t->n_late; i++)
        if (t->late_folders[i] == folder)
            return true;
    return false;
}

/* Fills the queue: from all folders, or from the newest, those that came since, those that had late files, and one old
 * folder in turn, since somebody may have put a file there. */
static void list_index(struct listing *l)
{
    struct sm_tail *t = l->tail;
    struct sm_err err = {0};
    bool everything = t->everything;
    if (!sm_source_list(t->source, SM_INDEX_DIR, on_folder, l, &err))
        report(l->news, SM_INDEX_DIR, &err);
    if (!l->n_folders)
        return;
    qsort(l->folders, l->n_folders, sizeof *l->folders, compare_folders);
    size_t old = l->n_folders > NEWEST_FOLDERS ? l->n_folders - NEWEST_FOLDERS : 0;
    t->turn = old ? (t->turn + 1) % old : 0;
    for (size_t i = 0; i < l->n_folders; i++)
        if (everything || i >= old || i == t->turn || l->folders[i] > t->newest_folder || was_late(t, l->folders[i]))
            list_folder(l, l->folders[i]);
    t->newest_folder = l->folders[l->n_folders - 1];
    for (size_t i = 0; i < 2 && i < l->n_folders; i++)
        l->news->folders[i] = l->folders[l->n_folders - 1 - i];
    if (t->n_queue)
        qsort(t->queue, t->n_queue, sizeof *t->queue, compare_queued);
    t->n_late = 0;
    t->everything = l->news->no_memory;
}

/* Decided once there are files; until a trial's first. */
static bool is_board(struct sm_tail *t, struct sm_news *n)
{
    if (t->board || t->decided)
        return t->board;
    if (sm_board_is_one(t->source)) {
        t->board = sm_board_new(t->source, &t->options, t->only_worker);
        n->no_memory = n->no_memory || !t->board;
    }
    return t->board;
}

struct sm_news *sm_tail_list(struct sm_tail *t)
{
    struct sm_news *n = sm_alloc_zero(1, sizeof *n);
    if (!n)
        return NULL;
    struct listing l = {.tail = t, .news = n};
    n->folders[0] = n->folders[1] = -1;
    t->n_queue = 0;
    t->complete = t->listed;
    t->listed = true;
    sm_str_clear(&t->odd_names);
    look_at_root(t, n);
    if (n->exists && is_board(t, n)) {
        sm_board_list(t->board, n);
        return n;
    }
    if (n->exists) {
        look_at_newest(t);
        list_collections(t, n);
        list_index(&l);
    }
    n->reborn = t->gone && (t->n_queue || n->n_collections);
    t->gone = t->gone && !n->reborn;
    n->emptied = t->gone;
    n->n_files = t->n_queue;
    t->decided = t->decided || n->n_files || n->n_collections;
    sm_str_clear(&l.worker);
    sm_str_clear(&l.path);
    sm_free(l.folders);
    return n;
}

/* ---- afterwards ---- */

static void note_late(struct sm_tail *t, int64_t folder)
{
    if (was_late(t, folder))
        return;
    if (SM_VEC_ROOM(t->late_folders, t->n_late, t->cap_late))
        t->late_folders[t->n_late++] = folder;
    else
        t->everything = true;
}

static void note_newest(struct sm_tail *t, const struct queued *q, const struct sm_batch_file *f)
{
    t->newest = (struct seen){.inode = q->inode, .size_bytes = f->size_bytes, .time_us = f->time_us};
    t->newest_file = *q;
    sm_str_clear(&t->newest_name);
    sm_tail_path(t, q, &t->newest_name);
    if (t->newest_name.failed)
        sm_str_clear(&t->newest_name);
}

void sm_tail_settle(struct sm_tail *t, const struct sm_batch *b, size_t n_merged)
{
    if (t->board) {
        sm_board_settle(t->board, b, n_merged);
        return;
    }
    const struct queued *newest = NULL;
    size_t taken = 0, at = 0;
    for (size_t i = 0; i < b->n_files; i++) {
        const struct queued *q = &t->queue[b->first + i];
        uint64_t key = sm_tail_key(q->step, q->worker);
        enum sm_fate fate = b->files[i].fate;
        bool known = true;
        if (fate == SM_FATE_LATE)
            note_late(t, q->folder);
        else if (fate == SM_FATE_BAD)
            known = sm_map_put(&t->bad, key, q->inode);
        else if (fate == SM_FATE_UNWANTED || taken++ < n_merged)
            known = sm_map_put(&t->taken, key, q->inode);
        else
            known = false;
        t->everything = t->everything || !known;
        if (fate == SM_FATE_TAKEN && known) {
            newest = q;
            at = i;
        }
    }
    if (newest)
        note_newest(t, newest, &b->files[at]);
}

void sm_tail_unread(struct sm_tail *t)
{
    sm_map_clear(&t->collections);
    t->everything = true;
}
