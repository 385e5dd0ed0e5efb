/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/read_pair.h"

#include "reader/base/mem.h"
#include "reader/fetch/fetch_read.h"

#include <string.h>

enum { PIECE_BYTES = 1 << 20 };

bool sm_pair_side_of(const struct sm_trial *t, const struct sm_entry *e, struct sm_pair_side *out)
{
    const char *path = sm_trial_event_path(t, sm_trial_part(t, e->part));
    if (e->kind != SM_ENTRY_VALUE || e->value || !path || e->length < SM_PAIR_FROM_BYTES ||
        sm_trial_left_out(t, e))
        return false;
    *out = (struct sm_pair_side){.path = sm_strdup(path), .offset = e->offset, .length = e->length};
    if (!out->path)
        return false;
    out->source = sm_source_ref(sm_trial_source(t));
    return true;
}

void sm_pair_side_clear(struct sm_pair_side *s)
{
    sm_source_unref(s->source);
    sm_free(s->path);
    *s = (struct sm_pair_side){0};
}

/* A value that is being read. */
struct reading {
    struct sm_file file;
    struct sm_read read;
    uint64_t content_at;
    size_t size; /* of an element */
    uint8_t *buffer;
};

static bool begin_reading(struct reading *r, const struct sm_pair_side *s, struct sm_err *err)
{
    *r = (struct reading){.read = {.path = s->path, .offset = s->offset, .length = s->length}};
    if (!sm_file_open(&r->file, s->source, s->path, err))
        return false;
    bool ok = sm_read_head(&r->file, &r->read, &r->content_at) && r->content_at;
    r->size = sm_dtype_info(r->read.facts.dtype)->size_bytes;
    if (ok && r->size && (r->buffer = sm_alloc_pages(PIECE_BYTES)))
        return true;
    if (r->read.err.code)
        *err = r->read.err;
    else
        sm_err_set(err, SM_ERR_LIMIT, "the value cannot be read in pieces");
    return false;
}

static void end_reading(struct reading *r)
{
    sm_file_close(&r->file);
    sm_free(r->buffer);
}

static bool read_piece(struct reading *r, uint64_t at, uint64_t n, struct sm_err *err)
{
    size_t got, bytes = (size_t)n * r->size;
    if (!sm_file_read(&r->file, r->read.offset + r->content_at + at * r->size, r->buffer, bytes,
                      &got, err))
        return false;
    return got == bytes || sm_err_set(err, SM_ERR_WAIT, "the file ends inside the record");
}

static struct sm_tensor piece_of(const struct reading *r, uint64_t n)
{
    return (struct sm_tensor){.dtype = r->read.facts.dtype,
                              .n_dims = 1,
                              .dims = {n},
                              .n = n,
                              .data = r->buffer,
                              .size_bytes = (size_t)n * r->size};
}

static bool has_same_dims(const struct reading *a, const struct reading *b)
{
    unsigned n = a->read.facts.n_dims;
    return n == b->read.facts.n_dims &&
           memcmp(a->read.dims, b->read.dims, n * sizeof *a->read.dims) == 0;
}

static bool read_both(struct reading *a, struct reading *b, const atomic_bool *stop,
                      sm_pair_piece *piece, void *ctx, struct sm_err *err)
{
    uint64_t n = a->read.facts.n, most = PIECE_BYTES / (a->size > b->size ? a->size : b->size);
    if (!has_same_dims(a, b))
        return sm_err_set(err, SM_ERR_USAGE, "other shape");
    for (uint64_t at = 0, part; at < n; at += part) {
        part = n - at < most ? n - at : most;
        if (stop && atomic_load(stop))
            return sm_err_set(err, SM_ERR_CANCELLED, "cancelled");
        if (!read_piece(a, at, part, err) || !read_piece(b, at, part, err))
            return false;
        struct sm_tensor ta = piece_of(a, part), tb = piece_of(b, part);
        piece(ctx, &ta, &tb, at);
    }
    return true;
}

bool sm_read_pair(const struct sm_pair_side *a, const struct sm_pair_side *b,
                  const atomic_bool *stop, sm_pair_piece *piece, void *ctx, double *time,
                  struct sm_err *err)
{
    struct reading ra, rb = {0};
    bool ok = begin_reading(&ra, a, err) && begin_reading(&rb, b, err);
    *time = ra.read.facts.wall_time;
    ok = ok && read_both(&ra, &rb, stop, piece, ctx, err);
    end_reading(&ra);
    end_reading(&rb);
    return ok;
}
