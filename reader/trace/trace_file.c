/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trace/trace_file.h"

#include "reader/base/mem.h"
#include "reader/source/unpack.h"
#include "reader/trace/trace_read.h"

#include <string.h>

enum { STORED_BYTES = 256 * 1024, TEXT_BYTES = 1024 * 1024 };

/* Bytes of a file, decompressed. */
struct bytes {
    struct sm_file file;
    const struct sm_unpacker *format; /* NULL: they are stored as they are */
    void *state;
    char *in; /* of a compressed file: STORED_BYTES */
    size_t in_at, in_n;
    uint64_t taken; /* of the file */
    bool at_end, between;
};

static const struct sm_unpacker *format_of(const char *p, size_t n)
{
    if (n >= 2 && memcmp(p, "\x1f\x8b", 2) == 0)
        return &sm_unpack_gzip;
    return n >= 4 && memcmp(p, "\x28\xb5\x2f\xfd", 4) == 0 ? &sm_unpack_zstd : NULL;
}

static bool open_bytes(struct bytes *b, struct sm_trace_file *f)
{
    char head[4];
    size_t got;
    if (!sm_file_open(&b->file, f->source, f->path, &f->err) ||
        !sm_file_read(&b->file, 0, head, sizeof head, &got, &f->err))
        return false;
    b->format = format_of(head, got);
    if (!b->format)
        return true;
    b->in = sm_alloc(STORED_BYTES);
    b->state = b->in ? b->format->open() : NULL;
    return b->state || sm_err_set(&f->err, SM_ERR_MEMORY, "no memory to decompress a trace");
}

static void close_bytes(struct bytes *b)
{
    if (b->state)
        b->format->close(b->state);
    sm_free(b->in);
    sm_file_close(&b->file);
}

static bool refill(struct bytes *b, struct sm_err *err)
{
    if (!sm_file_read(&b->file, b->taken, b->in, STORED_BYTES, &b->in_n, err))
        return false;
    b->in_at = 0;
    b->taken += b->in_n;
    b->at_end = b->in_n == 0;
    return true;
}

/* Fills `n` bytes, or fewer at the end. False: *got bytes are good, and err says what comes after
 * them. */
static bool next_bytes(struct bytes *b, char *out, size_t n, size_t *got, struct sm_err *err)
{
    *got = 0;
    if (!b->format) {
        bool ok = sm_file_read(&b->file, b->taken, out, n, got, err);
        b->taken += *got;
        return ok;
    }
    while (*got < n) {
        if (b->in_at == b->in_n && !b->at_end && !refill(b, err))
            return false;
        if (b->at_end)
            return b->between ||
                   sm_err_set(err, SM_ERR_DATA, "the compressed file ends too early (%s)",
                              b->format->name);
        struct sm_unpack_room room = {b->in + b->in_at, b->in_n - b->in_at, out + *got, n - *got};
        const char *bad = b->format->step(b->state, &room, &b->between);
        *got = n - room.n_out;
        b->in_at = b->in_n - room.n_in;
        if (bad)
            return sm_err_set(err, SM_ERR_DATA, "damaged %s data: %s", b->format->name, bad);
    }
    return true;
}

/* The text that is not used yet. */
struct text {
    char *data;
    size_t n, cap;
};

/* A value that fills the text needs more room, which ends at a bound. */
static bool make_room(struct text *t)
{
    if (t->n < t->cap)
        return true;
    size_t cap = t->cap ? 2 * t->cap : TEXT_BYTES;
    char *grown = sm_realloc(t->data, cap, 1);
    if (!grown)
        return false;
    t->data = grown;
    t->cap = cap;
    return true;
}

static bool is_cancelled(const struct sm_trace_file *f)
{
    return f->cancelled && atomic_load_explicit(f->cancelled, memory_order_relaxed);
}

static void read_text(struct sm_trace_file *f, struct bytes *b, struct sm_trace_reader *r)
{
    struct text t = {0};
    bool more = true;
    while (more && !f->trace.no_memory && !is_cancelled(f)) {
        size_t got = 0;
        if (!make_room(&t)) {
            f->trace.no_memory = true;
            break;
        }
        bool ok = next_bytes(b, t.data + t.n, t.cap - t.n, &got, &f->err);
        more = ok && got;
        t.n += got;
        f->trace.size_bytes += got;
        size_t used = sm_trace_feed(r, t.data, t.n);
        t.n -= used;
        memmove(t.data, t.data + used, t.n);
    }
    f->err_at = (int64_t)(f->trace.size_bytes - t.n);
    sm_free(t.data);
}

/* What is wrong, of several things the first. */
static void judge(struct sm_trace_file *f, bool is_trace)
{
    const struct sm_trace_data *t = &f->trace;
    if (t->no_memory) {
        sm_err_set(&f->err, SM_ERR_MEMORY, "no memory for all of the trace: %zu events are kept",
                   t->n);
    } else if (f->err.code) {
        return;
    } else if (!is_trace) {
        f->err_at = 0;
        sm_err_set(&f->err, SM_ERR_DATA, "expected a trace: a list of events or \"traceEvents\"");
    } else if (t->bad) {
        f->err_at = (int64_t)t->bad_at;
        sm_err_set(&f->err, SM_ERR_DATA, "an object that is no event (%llu of them)",
                   (unsigned long long)t->bad);
    } else if (t->cut) {
        sm_err_set(&f->err, SM_ERR_DATA, "the trace ends too early, after %zu events", t->n);
    }
}

bool sm_trace_file_read(struct sm_trace_file *f)
{
    struct bytes b = {0};
    f->err_at = -1;
    if (open_bytes(&b, f)) {
        struct sm_trace_reader *r = sm_trace_reader_new(&f->trace);
        if (r) {
            read_text(f, &b, r);
            judge(f, sm_trace_finish(r));
        } else {
            sm_err_set(&f->err, SM_ERR_MEMORY, "no memory for a trace");
        }
        sm_trace_reader_free(r);
    }
    close_bytes(&b);
    return f->trace.n || !f->err.code;
}
