/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/summary_stream.h"

#include "reader/base/mem.h"
#include "reader/tensor/quantile_pass.h"

#include <math.h>
#include <string.h>

enum { PIECE_BYTES = 256 << 10 }; /* whole elements of all types */

/* Reads all elements once. */
static bool add_elements(const struct sm_file *f, const atomic_bool *stop, struct sm_read *x,
                         uint64_t content_at, uint8_t *piece, struct sm_quantile_pass *pass)
{
    uint64_t left = x->facts.content_bytes, at = x->offset + content_at;
    size_t n, got;
    for (; left; left -= n, at += n) {
        n = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
        if (atomic_load(stop))
            return sm_err_set(&x->err, SM_ERR_CANCELLED, "interrupted");
        if (!sm_file_read(f, at, piece, n, &got, &x->err))
            return false;
        if (got < n)
            return sm_err_set(&x->err, SM_ERR_WAIT, "the file ends inside the record, at %llu",
                              (unsigned long long)at + got);
        sm_quantile_pass_add(pass, piece, n);
    }
    return true;
}

static bool add_quantiles(const struct sm_file *f, const atomic_bool *stop, struct sm_read *x,
                          uint64_t content_at, struct sm_summary *out)
{
    struct sm_quantile_query queries[SM_QUANTILE_QUERIES];
    double points[SM_SUMMARY_POINTS];
    bool more = true;
    sm_summary_queries(points, out->quantiles, queries);
    uint8_t *piece = sm_alloc_pages(PIECE_BYTES);
    struct sm_quantile_pass *pass =
        piece ? sm_quantile_pass_new(out->dtype, queries, SM_QUANTILE_QUERIES, &x->err) : NULL;
    bool ok = pass || (!piece && sm_err_set(&x->err, SM_ERR_MEMORY, "no memory for quantiles"));
    while (ok && more)
        ok = add_elements(f, stop, x, content_at, piece, pass) &&
             sm_quantile_pass_end(pass, &more, &x->err);
    sm_quantile_pass_free(pass);
    sm_free(piece);
    return ok;
}

static void take_stats(const struct sm_read *x, struct sm_summary *out)
{
    *out = (struct sm_summary){.dtype = x->facts.dtype,
                               .n_dims = x->facts.n_dims,
                               .n = x->facts.n,
                               .has_stats = x->facts.has_stats,
                               .stats = x->facts.stats};
    memcpy(out->dims, x->dims, sizeof out->dims);
    for (int i = 0; i < SM_FACTS_QUANTILES; i++)
        out->quantiles[i] = (double)NAN;
}

bool sm_summary_stream(const struct sm_file *f, const atomic_bool *stop, struct sm_read *x,
                       struct sm_scratch *scratch, struct sm_summary *out)
{
    uint64_t content_at = 0;
    struct sm_read head = *x;
    if (x->value || (f->fd < 0 && !f->source->ops->in_pieces) ||
        !sm_read_head(f, &head, &content_at) || !content_at)
        return false;
    x->want = SM_WANT_STATS;
    sm_read_record(f, SM_CHECKSUM_AUTO, x, scratch);
    struct sm_err flaw = x->err;
    bool ok = x->ok;
    if (ok)
        take_stats(x, out);
    if (ok && out->has_stats && out->stats.finite && sm_quantile_type_ok(out->dtype, NULL)) {
        sm_err_clear(&x->err);
        x->facts.content_bytes = head.facts.content_bytes;
        ok = add_quantiles(f, stop, x, content_at, out);
        if (ok)
            x->err = flaw;
    }
    x->want = SM_WANT_TENSOR;
    x->ok = ok;
    return ok;
}
