/* SPDX-License-Identifier: Apache-2.0 */
/* The collections files of a trial: finds new ones and parses them. */
#include "reader/base/clock.h"
#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/smdebug/smdebug.h"

#include <stdlib.h>
#include <string.h>

enum { COLLECTIONS_FILE_MAX = 256 << 20, COLLECTIONS_LATE_US = 10 * 1000000 };

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

static bool keep_collections(struct sm_smdebug *t, struct sm_tail_changes *n, uint32_t worker,
                             uint64_t inode, const struct sm_tail_changed_collections *c)
{
    struct sm_tail_changed_collections x = *c;
    x.worker = sm_arena_strndup(&n->arena, sm_names_text(t->workers, worker),
                                sm_names_length(t->workers, worker));
    if (!x.worker || !SM_VEC_ROOM(n->collections, n->n_collections, n->cap_collections) ||
        !sm_map_put(&t->collections, worker, inode))
        return false;
    n->collections[n->n_collections++] = x;
    return true;
}

/* A file that does not parse may be half written: it is a problem only if the job has ended or the
 * file stays that way. */
static void parse_collections(struct sm_smdebug *t, struct sm_tail_changes *n, uint32_t worker,
                              uint64_t inode, const char *path, struct sm_str *text)
{
    struct sm_err err = {0};
    struct sm_stat st;
    struct sm_tail_changed_collections c;
    if (!sm_source_load(t->in->source, path, COLLECTIONS_FILE_MAX, text, &st, &err)) {
        sm_news_report(n, path, &err);
        return;
    }
    if (sm_collections_parse(sm_str_text(text), text->len, &n->arena, &c.def, &err)) {
        c.time_us = st.mtime_us;
        n->no_memory = !keep_collections(t, n, worker, inode, &c) || n->no_memory;
        return;
    }
    bool whole = text->len && text->data[text->len - 1] == '}';
    if (err.code != SM_ERR_MEMORY && !t->ended && !whole &&
        sm_clock_wall_us() - st.mtime_us < COLLECTIONS_LATE_US) {
        n->late = true;
        return;
    }
    sm_news_report(n, path, &err);
    if (err.code != SM_ERR_MEMORY)
        n->no_memory = !sm_map_put(&t->collections, worker, inode) || n->no_memory;
}

static void take_collections(struct sm_smdebug *t, struct sm_tail_changes *n,
                             const struct file_name *f)
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

void sm_smdebug_list_collections(struct sm_smdebug *t, struct sm_tail_changes *n)
{
    struct file_names f = {0};
    struct sm_err err = {0};
    if (!sm_source_list(t->in->source, SM_COLLECTIONS_DIR, add_file_name, &f, &err))
        sm_news_report(n, SM_COLLECTIONS_DIR, &err);
    n->no_memory = n->no_memory || f.no_memory;
    if (f.n)
        qsort(f.items, f.n, sizeof *f.items, compare_file_names);
    for (size_t i = 0; i < f.n; i++) {
        take_collections(t, n, &f.items[i]);
        sm_free(f.items[i].name);
    }
    sm_free(f.items);
}
