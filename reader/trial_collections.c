/* SPDX-License-Identifier: Apache-2.0 */
/* Collections: merges the files of all workers. trial_members.c finds the saved tensors of each. */
#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/trial_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- merging: lists of names are united; for the rest the first worker's file counts ---- */

static void clear_collection(struct collection *c)
{
    sm_collection_free_patterns(c);
    sm_names_free(c->listed);
    sm_free(c->tensors);
    sm_free(c->member);
}

void sm_trial_clear_collections(struct sm_trial *t)
{
    for (size_t i = 0; i < t->n_collections; i++)
        clear_collection(&t->collections[i]);
    for (size_t i = 0; i < t->n_arenas; i++)
        sm_arena_clear(&t->arenas[i]);
    sm_free(t->collections);
    sm_free(t->arenas);
    sm_free(t->first_collections);
    sm_names_free(t->collection_names);
    sm_free(t->collection_at);
    t->collections = NULL;
    t->arenas = NULL;
    t->first_collections = NULL;
    t->collection_names = NULL;
    t->collection_at = NULL;
    t->n_collections = t->cap_collections = t->n_arenas = t->cap_arenas = 0;
    t->cap_collection_at = t->n_matched = 0;
    t->match_work = 0;
    t->num_workers = -1;
    t->has_collections = false;
}

/* The id of the name, which has an index even if no collection has it yet; NONE: no memory. */
static uint32_t collection_id(struct sm_trial *t, const char *name)
{
    t->collection_names = t->collection_names ? t->collection_names : sm_names_new();
    uint32_t id =
        t->collection_names ? sm_names_add(t->collection_names, name, strlen(name)) : SM_NAME_NONE;
    if (id == SM_NAME_NONE)
        return id;
    size_t had = t->cap_collection_at;
    if (!sm_vec_reserve((void **)&t->collection_at, &t->cap_collection_at, (size_t)id + 1,
                        sizeof *t->collection_at))
        return SM_NAME_NONE;
    for (size_t i = had; i < t->cap_collection_at; i++)
        t->collection_at[i] = UINT32_MAX;
    return id;
}

/* Added at the end: sort_collections puts all in their places at once. */
static struct collection *collection_of(struct sm_trial *t, const struct sm_collection_def *def)
{
    uint32_t id = collection_id(t, def->name);
    if (id == SM_NAME_NONE)
        return NULL;
    if (t->collection_at[id] != UINT32_MAX)
        return &t->collections[t->collection_at[id]];
    struct collection c = {.def = *def, .listed = sm_names_new()};
    if (!c.listed || !SM_VEC_ROOM(t->collections, t->n_collections, t->cap_collections)) {
        clear_collection(&c);
        return NULL;
    }
    t->collection_at[id] = (uint32_t)t->n_collections;
    t->collections[t->n_collections] = c;
    return &t->collections[t->n_collections++];
}

static int compare_collections(const void *a, const void *b)
{
    const struct collection *x = a, *y = b;
    return sm_natural_cmp(x->def.name, y->def.name);
}

static void sort_collections(struct sm_trial *t)
{
    if (t->n_collections)
        qsort(t->collections, t->n_collections, sizeof *t->collections, compare_collections);
    for (size_t i = 0; i < t->n_collections; i++) {
        const char *name = t->collections[i].def.name;
        t->collection_at[sm_names_find(t->collection_names, name, strlen(name))] = (uint32_t)i;
    }
}

size_t sm_trial_find_collection(const struct sm_trial *t, const char *name)
{
    uint32_t id =
        t->collection_names ? sm_names_find(t->collection_names, name, strlen(name)) : SM_NAME_NONE;
    if (id == SM_NAME_NONE || id >= t->cap_collection_at || t->collection_at[id] == UINT32_MAX)
        return SIZE_MAX;
    return t->collection_at[id];
}

static bool merge_collection(struct sm_trial *t, const struct sm_collection_def *def, bool leads)
{
    struct collection *c = collection_of(t, def);
    if (!c)
        return false;
    if (leads) {
        sm_collection_free_patterns(c);
        c->def = *def;
    }
    sm_collection_rematch(c);
    for (size_t k = 0; k < def->n_names; k++)
        if (sm_names_add(c->listed, def->names[k], strlen(def->names[k])) == SM_NAME_NONE)
            return false;
    return true;
}

static bool merge_file(struct sm_trial *t, const struct sm_tail_changed_collections *file)
{
    bool leads =
        !t->first_collections || (file->worker && strcmp(file->worker, t->first_collections) <= 0);
    for (size_t i = 0; i < file->def.n; i++)
        if (!merge_collection(t, &file->def.items[i], leads))
            return false;
    if (!file->worker)
        return true;
    if (sm_trial_add_worker(t, file->worker) == UINT32_MAX)
        return false;
    if (leads) {
        char *copy = sm_strdup(file->worker);
        if (!copy)
            return false;
        sm_free(t->first_collections);
        t->first_collections = copy;
        t->num_workers = file->def.num_workers;
    }
    t->has_collections = true;
    t->newest_us = file->time_us > t->newest_us ? file->time_us : t->newest_us;
    return true;
}

bool sm_trial_merge_collections(struct sm_trial *t, struct sm_tail_changes *n)
{
    if (!n->n_collections)
        return true;
    if (!SM_VEC_ROOM(t->arenas, t->n_arenas, t->cap_arenas))
        return false;
    t->arenas[t->n_arenas++] = n->arena; /* taken over */
    n->arena = (struct sm_arena){0};
    bool ok = true;
    for (size_t i = 0; i < n->n_collections; i++)
        ok = merge_file(t, &n->collections[i]) && ok;
    sort_collections(t);
    t->collections_merged++;
    t->n_matched = 0;
    t->match_work = 0;
    return ok;
}
