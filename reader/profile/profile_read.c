/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/profile_read.h"

#include "reader/base/mem.h"

static bool begin_timeline(struct sm_profile_piece *x)
{
    const struct sm_profile_file *f = &x->file;
    int64_t base_ns;
    if (__builtin_mul_overflow(f->base_us, 1000, &base_ns))
        base_ns = 0;
    if (!f->timeline)
        x->file.timeline = sm_pevents_new(f->timeline_kind, base_ns);
    return x->file.timeline || sm_err_set(&x->err, SM_ERR_MEMORY, "no memory for a timeline");
}

/* The rest of what was read begins a line or an event: it comes again. Without more bytes it is
 * torn, which is usual in files that are being written. */
static void parse(struct sm_profile_piece *x, const char *p, size_t n)
{
    if (x->file.kind == SM_PROFILE_METRICS)
        x->used = sm_metric_lines_read(&x->metrics, p, n, x->node);
    else
        x->used = sm_pevents_read(x->file.timeline, &x->events, p, n);
    x->more = x->used && n == SM_PROFILE_PIECE_BYTES;
    if (x->metrics.no_memory || x->events.no_memory) {
        sm_err_set(&x->err, SM_ERR_MEMORY, "no memory for a part of the file");
        x->used = n;
    }
    size_t head = x->used < SM_PROFILE_HEAD_BYTES ? x->used : SM_PROFILE_HEAD_BYTES;
    if (x->file.temporary && x->file.offset == 0)
        sm_str_addn(&x->head, p, head);
}

void sm_profile_piece_read(struct sm_profile_piece *x)
{
    const struct sm_profile_file *f = &x->file;
    uint64_t left = f->size_bytes > f->offset ? f->size_bytes - f->offset : 1;
    size_t n = f->packed || left > SM_PROFILE_PIECE_BYTES ? SM_PROFILE_PIECE_BYTES : (size_t)left;
    size_t got = 0;
    char *buf = sm_alloc_pages(n);
    bool ok = buf && sm_source_read(x->source, f->path, f->offset, buf, n, &got, &x->err);
    if (!buf)
        sm_err_set(&x->err, SM_ERR_MEMORY, "no memory to read a file");
    x->seen_bytes = f->offset + got;
    x->failed = !ok || (f->kind == SM_PROFILE_TIMELINE && !begin_timeline(x));
    if (!x->failed && got)
        parse(x, buf, got);
    if (!x->failed && !x->more && f->kind == SM_PROFILE_TIMELINE)
        sm_pevents_end(x->file.timeline, &x->events, f->temporary && x->growing);
    sm_free(buf);
}

void sm_profile_piece_clear(struct sm_profile_piece *x)
{
    sm_metric_batch_clear(&x->metrics);
    sm_event_batch_clear(&x->events);
    sm_str_clear(&x->head);
}
