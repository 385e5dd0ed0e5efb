#include "reader/tail.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/location.h"

#include <stdlib.h>
#include <string.h>

enum { INDEX_FILE_MAX = 256 << 20, COLLECTIONS_FILE_MAX = 256 << 20, FOLDERS_WATCHED = 2 };

/* An index file seen in a listing and not taken yet. */
struct candidate {
    int64_t step, folder;
    uint32_t worker;                     /* id in tail.workers */
    uint64_t inode;
    bool zst;
};

struct sm_tail {
    struct sm_source *source;
    struct sm_trial_options options;
    char *only_worker;
    struct sm_names *workers;            /* as in file names */
    struct sm_map taken;                 /* step << 16 | worker -> inode */
    struct sm_map collections;           /* worker -> inode */
    int64_t *last_step;                  /* by worker: the newest step seen in a listing */
    size_t cap_last;
    struct candidate *todo;              /* found by listing, sorted by step, then worker */
    size_t n_todo, cap_todo, next_todo;
    bool everything, listed_all;
    int64_t newest_folder;
    int64_t *folders;                    /* scratch */
    size_t n_folders, cap_folders;
    struct sm_index index;               /* scratch */
    struct sm_str text, path;            /* scratch */
    bool no_memory;
};

struct sm_tail *sm_tail_new(struct sm_source *source, const struct sm_trial_options *o, struct sm_err *err)
{
    struct sm_tail *t = sm_alloc_zero(1, sizeof *t);
    if (t) {
        t->workers = sm_names_new();
        t->only_worker = o->worker ? sm_strdup(o->worker) : NULL;
    }
    if (!t || !t->workers || (o->worker && !t->only_worker)) {
        if (t)
            sm_names_free(t->workers);
        sm_free(t);
        sm_err_set(err, SM_ERR_MEMORY, "no memory for a trial");
        return NULL;
    }
    t->source = sm_source_ref(source);
    t->options = *o;
    t->everything = true;
    t->newest_folder = -1;
    return t;
}

void sm_tail_free(struct sm_tail *t)
{
    if (!t)
        return;
    sm_source_unref(t->source);
    sm_names_free(t->workers);
    sm_map_clear(&t->taken);
    sm_map_clear(&t->collections);
    sm_index_clear(&t->index);
    sm_str_clear(&t->text);
    sm_str_clear(&t->path);
    sm_free(t->only_worker);
    sm_free(t->last_step);
    sm_free(t->todo);
    sm_free(t->folders);
    sm_free(t);
}

void sm_tail_everything(struct sm_tail *t)
{
    t->everything = true;
}

void sm_batch_free(struct sm_batch *b)
{
    if (!b)
        return;
    sm_names_free(b->names);
    sm_arena_clear(&b->arena);
    sm_free(b->parts);
    sm_free(b->values);
    sm_free(b->shapes);
    sm_free(b->dims);
    sm_free(b->collections);
    sm_problems_clear(&b->problems);
    sm_free(b);
}

/* ---- listing ---- */

static bool wanted_step(const struct sm_trial_options *o, int64_t step)
{
    return !o->stride || (step >= o->first.n && step <= o->last.n && (step - o->first.n) % o->stride == 0);
}

static bool grow_last(struct sm_tail *t, uint32_t worker)
{
    size_t before = t->cap_last;
    if (!sm_vec_reserve((void **)&t->last_step, &t->cap_last, (size_t)worker + 1, sizeof *t->last_step))
        return false;
    for (size_t i = before; i < t->cap_last; i++)
        t->last_step[i] = -1;
    return true;
}

struct listing {
    struct sm_tail *tail;
    int64_t folder;
};

static bool add_candidate(struct sm_tail *t, const struct candidate *c)
{
    uint64_t inode;
    if (sm_map_get(&t->taken, (uint64_t)c->step << 16 | c->worker, &inode) && inode == c->inode)
        return true;
    if (!SM_VEC_ROOM(t->todo, t->n_todo, t->cap_todo))
        return false;
    t->todo[t->n_todo++] = *c;
    return true;
}

static bool on_index_file(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct listing *l = ctx;
    struct sm_tail *t = l->tail;
    struct candidate c = {.folder = l->folder, .inode = inode};
    sm_str_truncate(&t->text, 0);
    if (is_dir || !sm_location_parse(name, ".json", &c.step, &t->text))
        return true;
    if (t->only_worker && strcmp(t->only_worker, sm_str_text(&t->text)) != 0)
        return true;
    c.zst = strlen(name) > 4 && strcmp(name + strlen(name) - 4, ".zst") == 0;
    c.worker = sm_names_add(t->workers, sm_str_text(&t->text), t->text.len);
    if (c.worker >= UINT16_MAX)
        return true;
    if (!grow_last(t, c.worker)) {
        t->no_memory = true;
        return false;
    }
    if (c.step > t->last_step[c.worker])
        t->last_step[c.worker] = c.step;
    if (wanted_step(&t->options, c.step) && !add_candidate(t, &c))
        t->no_memory = true;
    return !t->no_memory;
}

static bool on_folder(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct sm_tail *t = ctx;
    int64_t folder;
    (void)inode;
    if (!is_dir || !sm_location_parse_index_dir(name, &folder))
        return true;
    if (!SM_VEC_ROOM(t->folders, t->n_folders, t->cap_folders))
        return t->no_memory = true, false;
    t->folders[t->n_folders++] = folder;
    return true;
}

static int compare_folders(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->worker > y->worker) - (x->worker < y->worker);
}

static bool holds_wanted(const struct sm_tail *t, int64_t folder)
{
    return !t->options.stride || (folder * 1000 + 999 >= t->options.first.n && folder * 1000 <= t->options.last.n);
}

static void report(struct sm_batch *b, const char *file, struct sm_err *err)
{
    if (err->code != SM_ERR_MISSING && err->code != SM_ERR_WAIT)
        sm_problems_add(&b->problems, file, -1, err);
    if (err->code == SM_ERR_MEMORY)
        b->failed = true;
}

static void list_folder(struct sm_tail *t, struct sm_batch *b, int64_t folder)
{
    struct listing l = {t, folder};
    struct sm_err err = {0};
    sm_str_truncate(&t->path, 0);
    sm_str_printf(&t->path, SM_INDEX_DIR "/%09lld", (long long)folder);
    if (!sm_source_list(t->source, sm_str_text(&t->path), on_index_file, &l, &err))
        report(b, sm_str_text(&t->path), &err);
}

/* Fills todo: from all folders, or only from the newest ones. */
static void list_index(struct sm_tail *t, struct sm_batch *b)
{
    struct sm_err err = {0};
    t->n_folders = t->n_todo = t->next_todo = 0;
    if (!sm_source_list(t->source, SM_INDEX_DIR, on_folder, t, &err)) {
        report(b, SM_INDEX_DIR, &err);
        return;
    }
    if (!t->n_folders)
        return;
    qsort(t->folders, t->n_folders, sizeof *t->folders, compare_folders);
    size_t from = t->everything || t->n_folders < FOLDERS_WATCHED ? 0 : t->n_folders - FOLDERS_WATCHED;
    for (size_t i = from; i < t->n_folders; i++)
        if (holds_wanted(t, t->folders[i]))
            list_folder(t, b, t->folders[i]);
    t->newest_folder = t->folders[t->n_folders - 1];
    if (t->n_todo)
        qsort(t->todo, t->n_todo, sizeof *t->todo, compare_candidates);
    t->everything = t->no_memory;
}

/* ---- collections ---- */

struct collections_listing {
    struct sm_tail *tail;
    struct sm_batch *batch;
};

static void take_collections(struct sm_tail *t, struct sm_batch *b, const char *name, uint64_t inode)
{
    struct sm_err err = {0};
    struct sm_str worker = {0}, path = {0}, text = {0};
    uint64_t before;
    if (!sm_location_parse_collections(name, &worker))
        goto done;
    uint32_t id = sm_names_add(t->workers, sm_str_text(&worker), worker.len);
    if (id == SM_NAME_NONE || (sm_map_get(&t->collections, id, &before) && before == inode))
        goto done;
    sm_str_add(&path, SM_COLLECTIONS_DIR "/");
    sm_str_add(&path, name);
    if (!sm_source_slurp(t->source, sm_str_text(&path), COLLECTIONS_FILE_MAX, &text, &err)) {
        report(b, sm_str_text(&path), &err);
        goto done;
    }
    if (!text.len)
        goto done;                       /* not yet */
    struct sm_batch_collections c = {.worker = sm_names_add(b->names, sm_str_text(&worker), worker.len)};
    if (!sm_collections_parse(text.data, text.len, &b->arena, &c.def, &err)) {
        report(b, sm_str_text(&path), &err);
        sm_map_put(&t->collections, id, inode);
    } else if (!SM_VEC_ROOM(b->collections, b->n_collections, b->cap_collections) || !sm_map_put(&t->collections, id, inode)) {
        b->failed = true;
    } else {
        b->collections[b->n_collections++] = c;
    }
done:
    sm_str_clear(&worker);
    sm_str_clear(&path);
    sm_str_clear(&text);
}

static bool on_collections_file(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct collections_listing *l = ctx;
    if (!is_dir)
        take_collections(l->tail, l->batch, name, inode);
    return true;
}

/* ---- one index file ---- */

static bool take_values(struct sm_tail *t, struct sm_batch *b, struct sm_batch_part *p)
{
    const struct sm_index *x = &t->index;
    p->first_value = b->n_values;
    p->first_shape = b->n_shapes;
    if (!sm_vec_reserve((void **)&b->values, &b->cap_values, b->n_values + x->n_payloads, sizeof *b->values) ||
        !sm_vec_reserve((void **)&b->shapes, &b->cap_shapes, b->n_shapes + x->n_shapes, sizeof *b->shapes))
        return false;
    for (size_t i = 0; i < x->n_payloads; i++) {
        uint32_t name = sm_names_add(b->names, x->payloads[i].name.p, x->payloads[i].name.n);
        if (name == SM_NAME_NONE)
            return false;
        b->values[b->n_values + i] = (struct sm_batch_value){x->payloads[i].offset, x->payloads[i].length, name};
    }
    for (size_t i = 0; i < x->n_shapes; i++) {
        const struct sm_index_shape *s = &x->shapes[i];
        uint32_t name = sm_names_add(b->names, s->name.p, s->name.n);
        if (name == SM_NAME_NONE ||
            !sm_vec_reserve((void **)&b->dims, &b->cap_dims, b->n_dims + s->n_dims + 1, sizeof *b->dims))
            return false;
        b->shapes[b->n_shapes + i] = (struct sm_batch_shape){name, b->n_dims};
        b->dims[b->n_dims++] = s->n_dims;
        for (unsigned d = 0; d < s->n_dims; d++)
            b->dims[b->n_dims++] = s->dims[d];
    }
    p->n_values = x->n_payloads;
    p->n_shapes = x->n_shapes;
    b->n_values += p->n_values;
    b->n_shapes += p->n_shapes;
    return true;
}

/* Is the event file there and as long as the index says? *why tells what is missing. */
static bool events_are_there(struct sm_tail *t, struct sm_err *why)
{
    const struct sm_index *x = &t->index;
    struct sm_stat st;
    uint64_t end = 0;
    if (!x->event_file.n)
        return true;
    if (!sm_source_path_ok(x->event_file.p, x->event_file.n))
        return sm_err_set(why, SM_ERR_REFUSED, "event file \"%s\" leaves the trial", x->event_file.p);
    for (size_t i = 0; i < x->n_payloads; i++)
        if (x->payloads[i].offset + x->payloads[i].length > end)
            end = x->payloads[i].offset + x->payloads[i].length;
    if (!sm_source_stat(t->source, x->event_file.p, &st, why))
        return sm_err_prefix(why, "event file");
    if (!st.compressed && st.size_bytes < end)
        return sm_err_set(why, SM_ERR_DATA, "event file %s has %llu bytes, the index says %llu", x->event_file.p,
                          (unsigned long long)st.size_bytes, (unsigned long long)end);
    return true;
}

static void index_path(struct sm_tail *t, const struct candidate *c)
{
    sm_str_truncate(&t->path, 0);
    sm_location_index(&t->path, c->step, sm_names_text(t->workers, c->worker));
}

/* A later step of the same worker, or the end of the job, proves that nothing will come any more. */
static bool is_final(const struct sm_tail *t, const struct sm_batch *b, const struct candidate *c)
{
    return b->ended || t->last_step[c->worker] > c->step;
}

static bool remember(struct sm_tail *t, const struct candidate *c)
{
    return sm_map_put(&t->taken, (uint64_t)c->step << 16 | c->worker, c->inode);
}

/* Only the newest files can be incomplete; for the others reading the value will tell. */
static bool worth_a_look(const struct sm_tail *t, const struct candidate *c)
{
    return t->listed_all || c->step >= t->last_step[c->worker];
}

static void take_index(struct sm_tail *t, struct sm_batch *b, const struct candidate *c)
{
    struct sm_err err = {0};
    struct sm_stat st = {0};
    uint64_t before;
    index_path(t, c);
    sm_str_truncate(&t->text, 0);
    if (!sm_source_stat(t->source, sm_str_text(&t->path), &st, &err) ||
        !sm_source_slurp(t->source, sm_str_text(&t->path), INDEX_FILE_MAX, &t->text, &err)) {
        report(b, sm_str_text(&t->path), &err);
        b->waiting = true;
        return;
    }
    if (!t->text.len || !sm_index_parse(t->text.data, t->text.len, &t->index, &err)) {
        if (!t->text.len)
            sm_err_set(&err, SM_ERR_DATA, "the index file is empty");
        if (err.code == SM_ERR_MEMORY || !is_final(t, b, c)) {
            b->waiting = true;
            b->failed = b->failed || err.code == SM_ERR_MEMORY;
            return;
        }
        report(b, sm_str_text(&t->path), &err);
        b->failed = !remember(t, c) || b->failed;
        return;
    }
    if (worth_a_look(t, c) && !events_are_there(t, &err)) {
        if (!is_final(t, b, c) && err.code != SM_ERR_REFUSED) {
            b->waiting = true;
            return;
        }
        if (err.code == SM_ERR_MISSING)
            err.code = SM_ERR_DATA;
        report(b, sm_str_text(&t->path), &err);
    }
    if (t->options.mode != SM_MODE_ANY && t->index.mode != (int)t->options.mode) {
        b->failed = !remember(t, c) || b->failed;
        return;
    }
    const char *worker = sm_names_text(t->workers, c->worker);
    struct sm_batch_part p = {
        .step = c->step, .mode = t->index.mode ? t->index.mode : SM_MODE_GLOBAL,
        .mode_step = t->index.mode_step >= 0 ? t->index.mode_step : c->step, .time_us = st.mtime_us,
        .worker = sm_names_add(b->names, worker, strlen(worker)), .event_file = SM_NAME_NONE,
        .replaces = sm_map_get(&t->taken, (uint64_t)c->step << 16 | c->worker, &before),
    };
    if (t->index.event_file.n && sm_source_path_ok(t->index.event_file.p, t->index.event_file.n))
        p.event_file = sm_names_add(b->names, t->index.event_file.p, t->index.event_file.n);
    size_t values = b->n_values, shapes = b->n_shapes, dims = b->n_dims;
    if (SM_VEC_ROOM(b->parts, b->n_parts, b->cap_parts) && take_values(t, b, &p) && remember(t, c)) {
        b->parts[b->n_parts++] = p;
        return;
    }
    b->n_values = values;
    b->n_shapes = shapes;
    b->n_dims = dims;
    b->failed = true;
}

/* ---- the scan ---- */

static bool on_root(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct sm_batch *b = ctx;
    (void)inode;
    b->ended = b->ended || (!is_dir && strcmp(name, SM_END_FILE) == 0);
    b->claimed = b->claimed || (!is_dir && strcmp(name, SM_CLAIM_FILE) == 0);
    return true;
}

static struct sm_batch *new_batch(void)
{
    struct sm_batch *b = sm_alloc_zero(1, sizeof *b);
    if (!b)
        return NULL;
    b->names = sm_names_new();
    if (b->names)
        return b;
    sm_free(b);
    return NULL;
}

struct sm_batch *sm_tail_scan(struct sm_tail *t, size_t budget)
{
    struct sm_batch *b = new_batch();
    struct sm_err err = {0};
    if (!b)
        return NULL;
    struct collections_listing l = {t, b};
    t->no_memory = false;
    b->newest_folder = -1;
    b->exists = sm_source_list(t->source, "", on_root, b, &err);
    if (!b->exists) {
        report(b, "", &err);
        b->newest_folder = t->newest_folder;
        return b;
    }
    if (!sm_source_list(t->source, SM_COLLECTIONS_DIR, on_collections_file, &l, &err))
        report(b, SM_COLLECTIONS_DIR, &err);
    if (t->next_todo == t->n_todo)
        list_index(t, b);
    while (t->next_todo < t->n_todo && budget-- && !b->failed)
        take_index(t, b, &t->todo[t->next_todo++]);
    b->more = t->next_todo < t->n_todo;
    b->failed = b->failed || t->no_memory;
    if (b->failed) {
        t->next_todo = t->n_todo = 0;
        t->everything = true;
    } else if (!b->more) {
        t->listed_all = true;
    }
    b->newest_folder = t->newest_folder;
    return b;
}
