/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor_files/ckpt_shards.h"

#include "reader/base/map.h"
#include "reader/base/vec.h"

#include <string.h>

/* A shard, and the next one of its name. */
struct shard {
    struct sm_ckpt_file *file;
    size_t tensor;
    size_t next; /* plus 1; 0: none */
};
/* The shards of one name, in the order of the files. */
struct chain {
    size_t first, last; /* plus 1 */
};
struct joiner {
    struct sm_names *names;
    struct chain *chains; /* by id in names */
    size_t cap_chains;
    struct shard *shards;
    size_t n, cap;
    size_t n_files;
    struct sm_problems *problems;
};
/* A tensor that is put together. */
struct whole {
    uint64_t dims[SM_CKPT_DIMS_MAX];
    struct sm_ckpt_piece *pieces;
    size_t n, cap;
    struct sm_map origins; /* of the pieces, to their indices */
};

static uint64_t size_of(const uint64_t *dims, unsigned n_dims)
{
    uint64_t n = 1;
    for (unsigned k = 0; k < n_dims; k++)
        n *= dims[k]; /* only compared */
    return n;
}

bool sm_ckpt_pieces_cover(const struct sm_ckpt_piece *pieces, size_t n, const uint64_t *dims,
                          unsigned n_dims)
{
    uint64_t covered = 0;
    for (size_t i = 0; i < n; i++)
        covered += size_of(pieces[i].dims, n_dims);
    return covered == size_of(dims, n_dims);
}

/* ---- the shards of each name ---- */

static bool note_shard(struct joiner *j, struct sm_ckpt_file *f, size_t tensor)
{
    const struct sm_ckpt_tensor *t = &f->tensors[tensor];
    size_t before = j->cap_chains;
    uint32_t id = sm_names_add(j->names, t->name, t->name_n);
    if (id == SM_NAME_NONE || !SM_VEC_ROOM(j->shards, j->n, j->cap) ||
        !sm_vec_reserve((void **)&j->chains, &j->cap_chains, (size_t)id + 1, sizeof *j->chains))
        return false;
    memset(j->chains + before, 0, (j->cap_chains - before) * sizeof *j->chains);
    j->shards[j->n++] = (struct shard){f, tensor, 0};
    if (j->chains[id].last)
        j->shards[j->chains[id].last - 1].next = j->n;
    else
        j->chains[id].first = j->n;
    j->chains[id].last = j->n;
    return true;
}

static const struct sm_ckpt_tensor *tensor_of(const struct shard *s)
{
    return &s->file->tensors[s->tensor];
}

/* ---- one tensor ---- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The storage of a piece, as one of the file `to`; SM_NAME_NONE: no memory, or not in its folder.
 */
static uint32_t storage_in(struct sm_ckpt_file *to, const struct sm_ckpt_file *from,
                           uint32_t storage, struct sm_err *err)
{
    struct sm_ckpt_storage s = from->storages[storage];
    const char *name = base_of(from->path);
    size_t folder = (size_t)(name - from->path);
    if (to == from)
        return storage;
    if (folder != (size_t)(base_of(to->path) - to->path) ||
        memcmp(to->path, from->path, folder) != 0) {
        sm_err_set(err, SM_ERR_DATA, "a piece of it is in another folder");
        return SM_NAME_NONE;
    }
    name = s.file ? s.file : name;
    s.file = sm_arena_strndup(&to->arena, name, strlen(name));
    if (s.file)
        return sm_ckpt_add_storage(to, &s, err);
    sm_err_set(err, SM_ERR_MEMORY, "no memory for shards");
    return SM_NAME_NONE;
}

/* Whether a piece begins where another one does; if not, it is noted as the next one. False also
 * without memory. */
static bool is_there(struct whole *w, const struct sm_ckpt_piece *p, unsigned n_dims)
{
    uint64_t key = 1, at;
    for (unsigned k = 0; k < n_dims; k++)
        key = (key ^ p->origin[k]) * 0x9e3779b97f4a7c15u;
    if (sm_map_get(&w->origins, key, &at))
        return memcmp(w->pieces[at].origin, p->origin, n_dims * sizeof *p->origin) == 0;
    sm_map_put(&w->origins, key, w->n);
    return false;
}

/* Adds the pieces of a shard to those of the first one's tensor. */
static bool add_shard(struct whole *w, const struct shard *first, const struct shard *s,
                      struct sm_err *err)
{
    const struct sm_ckpt_tensor *t = tensor_of(s), *f = tensor_of(first);
    if (t->n_dims != f->n_dims || t->dtype != f->dtype)
        return sm_err_set(err, SM_ERR_DATA, "its pieces have several types or numbers of axes");
    for (unsigned k = 0; k < t->n_dims; k++)
        w->dims[k] = t->dims[k] > w->dims[k] ? t->dims[k] : w->dims[k];
    for (uint32_t i = 0; i < t->n_pieces; i++) {
        if (is_there(w, &t->pieces[i], t->n_dims))
            continue;
        if (!SM_VEC_ROOM(w->pieces, w->n, w->cap))
            return sm_err_set(err, SM_ERR_MEMORY, "no memory for shards");
        struct sm_ckpt_piece *p = &w->pieces[w->n++];
        *p = t->pieces[i];
        p->storage = storage_in(first->file, s->file, p->storage, err);
        if (p->storage == SM_NAME_NONE)
            return false;
    }
    return true;
}

/* Puts the tensor in the place of the first shard; the others have no name any more. */
static bool put_whole(const struct shard *first, const struct whole *w, struct sm_err *err)
{
    struct sm_ckpt_file *f = first->file;
    const struct sm_ckpt_tensor *t = tensor_of(first);
    struct sm_ckpt_view v = {.name = {t->name, t->name_n},
                             .dtype = (enum sm_dtype)t->dtype,
                             .n_dims = t->n_dims,
                             .dims = w->dims};
    if (!sm_ckpt_pieces_cover(w->pieces, w->n, w->dims, t->n_dims)) {
        sm_err_set(err, SM_ERR_DATA, "its pieces do not make up its shape");
        return false;
    }
    if (!sm_ckpt_add_pieces(f, &v, w->pieces, w->n, err))
        return false;
    f->tensors[first->tensor] = f->tensors[--f->n];
    return true;
}

/* Of a file that was opened alone: its piece as a tensor of its own. False: it has several. */
static bool put_alone(const struct joiner *j, struct sm_ckpt_tensor *t)
{
    const struct sm_ckpt_piece *own = t->pieces;
    struct sm_ckpt_piece *piece = (struct sm_ckpt_piece *)(uintptr_t)own;
    if (j->n_files > 1 || t->n_pieces != 1)
        return false;
    piece->origin = NULL;
    t->dims = own->dims;
    t->n = size_of(t->dims, t->n_dims);
    t->shard = false;
    return true;
}

/* A tensor that lacks a piece: what is known of its shape stays. */
static bool put_shape(struct joiner *j, const struct shard *first, const struct whole *w,
                      struct sm_err *err)
{
    struct sm_ckpt_file *f = first->file;
    struct sm_ckpt_tensor *t = &f->tensors[first->tensor];
    struct sm_err later = {0};
    if (err->code != SM_ERR_MEMORY && put_alone(j, t))
        return true;
    bool ok =
        err->code != SM_ERR_MEMORY &&
        (sm_ckpt_add_shape(f, (struct sm_text){t->name, t->name_n}, t->n_dims, w->dims, &later) ||
         later.code != SM_ERR_MEMORY);
    sm_err_prefix(err, "tensor %.100s", t->name);
    sm_problems_add(j->problems, f->path, -1, err);
    t->n_pieces = 0;
    return ok;
}

static bool join(struct joiner *j, size_t chain)
{
    const struct shard *first = &j->shards[chain - 1];
    struct whole w = {0};
    struct sm_err err = {0};
    bool ok = true;
    for (size_t i = chain; i && ok; i = j->shards[i - 1].next)
        ok = add_shard(&w, first, &j->shards[i - 1], &err);
    bool whole = ok && put_whole(first, &w, &err);
    ok = whole || put_shape(j, first, &w, &err);
    for (size_t i = first->next; i; i = j->shards[i - 1].next)
        j->shards[i - 1].file->tensors[j->shards[i - 1].tensor].n_pieces = 0;
    sm_free(w.pieces);
    sm_map_clear(&w.origins);
    return ok;
}

/* Takes the shards out whose pieces are in another tensor now, or nowhere. */
static void drop_joined(struct sm_ckpt_file *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->n; i++)
        if (!f->tensors[i].shard || f->tensors[i].n_pieces)
            f->tensors[kept++] = f->tensors[i];
    f->n = kept;
}

bool sm_ckpt_join_shards(struct sm_ckpt_file *const *files, size_t n, struct sm_problems *problems)
{
    struct joiner j = {.names = sm_names_new(), .n_files = n, .problems = problems};
    bool ok = j.names;
    for (size_t i = 0; i < n && ok; i++)
        for (size_t k = 0; k < files[i]->n && ok; k++)
            ok = !files[i]->tensors[k].shard || note_shard(&j, files[i], k);
    for (uint32_t id = 0; ok && id < sm_names_count(j.names); id++)
        ok = join(&j, j.chains[id].first);
    for (size_t i = 0; i < n && j.n; i++)
        drop_joined(files[i]);
    sm_names_free(j.names);
    sm_free(j.chains);
    sm_free(j.shards);
    return ok;
}
