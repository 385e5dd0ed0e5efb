/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor_files/safetensors_shards.h"

#include "reader/base/json.h"
#include "reader/base/map.h"

#include <string.h>

enum { TOP = 1, TENSOR, LIST }; /* nesting */

struct offsets {
    struct sm_ckpt_file *file;
    struct sm_names *names; /* of the file's tensors, in their order */
    struct sm_err err;
    unsigned depth;
    uint32_t tensor; /* that the offsets are of; SM_NAME_NONE: none */
    bool saved;      /* of the key saved_offsets */
    uint64_t at[SM_CKPT_DIMS_MAX];
    unsigned n;
};

static bool refuse(struct offsets *o)
{
    return sm_err_set(&o->err, SM_ERR_DATA, SM_SAFETENSORS_SHARDS " is not as torch writes it");
}

static bool on_key(void *ctx, const char *key, size_t n)
{
    struct offsets *o = ctx;
    if (o->depth == TOP)
        o->tensor = sm_names_find(o->names, key, n);
    o->saved = o->depth == TENSOR && sm_text_is((struct sm_text){key, n}, "saved_offsets");
    return true;
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    struct offsets *o = ctx;
    int64_t v;
    if (o->depth != LIST || !o->saved)
        return true;
    if (!sm_json_int(digits, n, &v) || v < 0 || v > INT64_MAX / 2 || o->n == SM_CKPT_DIMS_MAX)
        return refuse(o);
    o->at[o->n++] = (uint64_t)v;
    return true;
}

static bool on_start(void *ctx)
{
    struct offsets *o = ctx;
    o->n = 0;
    return ++o->depth <= LIST || refuse(o);
}

/* The tensor with its one piece at the offsets; as far as it reaches. */
static bool put_piece(struct offsets *o, struct sm_ckpt_tensor *t)
{
    struct sm_arena *arena = &o->file->arena;
    size_t bytes = (t->n_dims + 1) * sizeof(uint64_t);
    uint64_t *origin = sm_arena_alloc(arena, bytes), *dims = sm_arena_alloc(arena, bytes);
    struct sm_ckpt_piece *piece = sm_arena_alloc(arena, sizeof *piece);
    if (!origin || !dims || !piece)
        return sm_err_set(&o->err, SM_ERR_MEMORY, "no memory for shards");
    for (unsigned k = 0; k < t->n_dims; k++) {
        origin[k] = o->at[k];
        dims[k] = o->at[k] + t->dims[k];
    }
    *piece = *t->pieces;
    piece->origin = origin;
    t->pieces = piece;
    t->dims = dims;
    t->shard = true; /* its number of elements is counted when it is put together */
    return true;
}

static bool on_end(void *ctx)
{
    struct offsets *o = ctx;
    if (o->depth-- != LIST || !o->saved || o->tensor == SM_NAME_NONE)
        return true;
    struct sm_ckpt_tensor *t = &o->file->tensors[o->tensor];
    if (t->shard || t->n_pieces != 1 || o->n != t->n_dims)
        return refuse(o);
    return put_piece(o, t);
}

bool sm_safetensors_take_offsets(struct sm_ckpt_file *f, struct sm_text json)
{
    static const struct sm_json_ops ops = {.number = on_number,
                                           .key = on_key,
                                           .start_map = on_start,
                                           .end_map = on_end,
                                           .start_array = on_start,
                                           .end_array = on_end};
    struct offsets o = {.file = f, .names = sm_names_new(), .tensor = SM_NAME_NONE};
    bool ok = o.names;
    for (size_t i = 0; i < f->n && ok; i++)
        ok = sm_names_add(o.names, f->tensors[i].name, f->tensors[i].name_n) == (uint32_t)i;
    if (!ok || !sm_json_parse(json.p, json.n, &ops, &o, &o.err)) {
        ok = ok && o.err.code != SM_ERR_MEMORY;
        if (ok)
            sm_ckpt_add_problem(f, -1, &o.err);
    }
    sm_names_free(o.names);
    return ok;
}
