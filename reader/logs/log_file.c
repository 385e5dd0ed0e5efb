/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/log_file.h"

#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/logs/log_fresh.h"
#include "reader/logs/log_kind.h"

#include <string.h>

enum { PRINT_BYTES = 4096, CHUNK_BYTES = 256 * 1024 };

/* ---- has it changed ---- */

void sm_log_file_rewind(struct sm_log_file *f)
{
    f->offset = f->lines = 0;
    f->head_crc = f->tail_crc = 0;
    f->head_n = f->tail_n = 0;
    f->drained = f->skipping = false;
}

/* Whether n bytes at `at` are those that were taken; unreadable ones are not. */
static bool same_bytes(const struct sm_log_file *f, uint64_t at, size_t n, uint32_t crc)
{
    uint8_t bytes[PRINT_BYTES];
    size_t got;
    return n == 0 || (sm_source_read(f->source, f->path, at, bytes, n, &got, NULL) && got == n &&
                      sm_crc32c(bytes, n) == crc);
}

/* Whether the file still begins with what was taken of it, as far as its checksums tell. */
static bool continues(const struct sm_log_file *f, const struct sm_stat *st)
{
    if (f->offset == 0)
        return true;
    if (!st->compressed && st->size_bytes < f->offset)
        return false;
    if (f->head_n == 0 && st->inode != f->inode)
        return false;
    return same_bytes(f, 0, f->head_n, f->head_crc) &&
           same_bytes(f, f->offset - f->tail_n, f->tail_n, f->tail_crc);
}

static enum sm_log_change note_gone(struct sm_log_file *f)
{
    f->lost = f->lost || f->known;
    sm_log_file_rewind(f);
    return SM_LOG_GONE;
}

enum sm_log_change sm_log_file_look(struct sm_log_file *f, struct sm_err *err)
{
    struct sm_stat st;
    sm_err_clear(err);
    if (!sm_source_stat(f->source, f->path, &st, err))
        return note_gone(f);
    if (st.is_dir) {
        sm_err_set(err, SM_ERR_DATA, "%s: is a directory", f->path);
        return note_gone(f);
    }
    bool anew = f->lost;
    if (f->known && !anew && st.inode == f->inode && st.size_bytes == f->size_bytes &&
        st.mtime_us == f->mtime_us)
        return f->drained ? SM_LOG_SAME : SM_LOG_GROWN;
    if (f->known && !anew && !continues(f, &st)) {
        sm_log_file_rewind(f);
        anew = true;
    }
    f->known = true;
    f->lost = false;
    f->inode = st.inode;
    f->size_bytes = st.size_bytes;
    f->mtime_us = st.mtime_us;
    f->packed = st.compressed;
    f->drained = !st.compressed && st.size_bytes == f->offset;
    return anew ? SM_LOG_ANEW : f->drained ? SM_LOG_SAME : SM_LOG_GROWN;
}

/* ---- taking bytes ---- */

void sm_log_file_took(struct sm_log_file *f, const void *buf, size_t n)
{
    const uint8_t *p = buf;
    size_t tail = n < PRINT_BYTES ? n : PRINT_BYTES;
    if (n == 0)
        return;
    if (f->head_n == f->offset && f->head_n < PRINT_BYTES) {
        size_t more = PRINT_BYTES - f->head_n < n ? PRINT_BYTES - f->head_n : n;
        f->head_crc = sm_crc32c_more(f->head_crc, p, more);
        f->head_n += more;
    }
    f->tail_n = tail;
    f->tail_crc = sm_crc32c(p + n - tail, tail);
    f->offset += n;
}

/* Where a compressed file is damaged or torn it is read to its end, unless it is being written. */
static void judge_fault(struct sm_log_file *f, struct sm_err *err)
{
    bool late = err->code == SM_ERR_WAIT && sm_is_fresh(f->mtime_us);
    bool bad = err->code == SM_ERR_DATA || err->code == SM_ERR_LIMIT || err->code == SM_ERR_WAIT;
    if (!f->packed || !bad)
        return;
    f->drained = !late;
    if (late)
        sm_err_clear(err);
}

size_t sm_log_file_peek(struct sm_log_file *f, void *buf, size_t n, struct sm_err *err)
{
    size_t got = 0;
    sm_err_clear(err);
    if (sm_source_read(f->source, f->path, f->offset, buf, n, &got, err)) {
        f->drained = got < n;
        return got;
    }
    if (got)
        sm_err_clear(err);
    else
        judge_fault(f, err);
    return got;
}

size_t sm_log_file_take(struct sm_log_file *f, void *buf, size_t n, struct sm_err *err)
{
    size_t got = sm_log_file_peek(f, buf, n, err);
    sm_log_file_took(f, buf, got);
    return got;
}

static void note_encoding(struct sm_log_file *f, const void *first, size_t n)
{
    if (f->offset == 0)
        f->encoding = sm_text_encoding_of(first, n);
}

const char *sm_log_file_take_text(struct sm_log_file *f, char *buf, size_t n, size_t *got,
                                  struct sm_err *err)
{
    size_t raw = sm_log_file_peek(f, buf, n, err);
    note_encoding(f, buf, raw);
    *got = raw;
    if (f->encoding == SM_TEXT_UTF8) {
        sm_log_file_took(f, buf, raw);
        return buf;
    }
    sm_str_truncate(&f->buffer, 0);
    sm_log_file_took(f, buf, sm_text_decode(f->encoding, buf, raw, &f->buffer));
    if (f->buffer.failed)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", f->path);
    *got = f->buffer.len;
    return sm_str_text(&f->buffer);
}

void sm_log_file_untake(struct sm_log_file *f, size_t n)
{
    n = n < f->offset ? n : (size_t)f->offset;
    f->offset -= n;
    if (n)
        f->tail_n = f->tail_crc = 0;
    if (f->head_n > f->offset)
        f->head_n = f->head_crc = 0;
}

/* ---- lines ---- */

struct line_reader {
    struct sm_log_file *f;
    struct sm_file open;
    size_t searched;    /* bytes of the buffer that hold no LF */
    struct sm_str text; /* a line of UTF-16 */
    void (*line)(void *ctx, const struct sm_log_line *line);
    void *ctx;
};

static void give_line(struct line_reader *r, const char *p, size_t n, uint64_t offset, bool whole)
{
    struct sm_log_line line = {.p = p, .n = n, .offset = offset, .whole = whole};
    if (r->f->encoding != SM_TEXT_UTF8) {
        sm_str_truncate(&r->text, 0);
        sm_text_decode(r->f->encoding, p, n, &r->text);
        line.p = sm_str_text(&r->text);
        line.n = r->text.len;
    }
    if (whole && line.n && line.p[line.n - 1] == '\r')
        line.n--;
    if (whole && r->f->skipping)
        return;
    line.number = r->f->lines + 1;
    r->f->lines += whole;
    r->line(r->ctx, &line);
}

/* The LF of a line that begins before `from`; NULL: there is none before end. */
static const char *find_end(const struct sm_log_file *f, const char *from, const char *end)
{
    size_t low = f->encoding == SM_TEXT_UTF16BE;
    if (f->encoding == SM_TEXT_UTF8)
        return memchr(from, '\n', (size_t)(end - from));
    for (const char *p = from; p < end; p += 2)
        if (p[low] == '\n' && p[1 - low] == 0)
            return p;
    return NULL;
}

/* Takes the lines that the buffer holds whole, and the beginning of one that is too long. */
static void take_lines(struct line_reader *r)
{
    struct sm_log_file *f = r->f;
    size_t unit = f->encoding == SM_TEXT_UTF8 ? 1 : 2;
    const char *begin = f->buffer.data, *p = begin, *lf;
    const char *end = begin + f->buffer.len - f->buffer.len % unit;
    const char *from = begin + r->searched;
    while ((lf = find_end(f, from, end))) {
        give_line(r, p, (size_t)(lf - p), f->offset + (uint64_t)(p - begin), true);
        f->skipping = false;
        p = from = lf + unit;
    }
    if (f->skipping || end - p >= SM_LOG_LINE_MAX) {
        give_line(r, p, (size_t)(end - p), f->offset + (uint64_t)(p - begin), true);
        f->skipping = true;
        p = end;
    }
    size_t rest = f->buffer.len - (size_t)(p - begin);
    sm_log_file_took(f, begin, (size_t)(p - begin));
    r->searched = (size_t)(end - p);
    memmove(f->buffer.data, p, rest);
    sm_str_truncate(&f->buffer, rest);
}

/* Appends the next bytes to the buffer. False: the end, or an error. */
static bool fill_buffer(struct line_reader *r, char *chunk, struct sm_err *err)
{
    struct sm_str *b = &r->f->buffer;
    size_t got = 0,
           n = SM_LOG_LINE_MAX - b->len < CHUNK_BYTES ? SM_LOG_LINE_MAX - b->len : CHUNK_BYTES;
    bool ok = sm_file_read(&r->open, r->f->offset + b->len, chunk, n, &got, err);
    if (!ok && !got) {
        judge_fault(r->f, err);
        return false;
    }
    if (!ok)
        sm_err_clear(err);
    if (b->len == 0)
        note_encoding(r->f, chunk, got);
    sm_str_addn(b, chunk, got);
    if (b->failed)
        return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", r->f->path);
    r->f->drained = ok && got < n;
    return got > 0;
}

static bool read_lines(struct line_reader *r, char *chunk, struct sm_err *err)
{
    uint64_t began = r->f->offset;
    while (fill_buffer(r, chunk, err)) {
        take_lines(r);
        if (r->f->offset - began >= SM_LOG_TURN_BYTES)
            return !r->f->drained;
    }
    return false;
}

bool sm_log_file_lines(struct sm_log_file *f, bool partial,
                       void (*line)(void *ctx, const struct sm_log_line *line), void *ctx,
                       struct sm_err *err)
{
    struct line_reader r = {.f = f, .line = line, .ctx = ctx};
    sm_err_clear(err);
    if (!sm_file_open(&r.open, f->source, f->path, err))
        return false;
    char *chunk = sm_alloc(CHUNK_BYTES);
    bool more = chunk ? read_lines(&r, chunk, err)
                      : sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", f->path);
    if (partial && !more && err->code == SM_OK && f->buffer.len)
        give_line(&r, f->buffer.data, f->buffer.len, f->offset, false);
    if (r.text.failed)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", f->path);
    sm_str_clear(&r.text);
    sm_free(chunk);
    sm_file_close(&r.open);
    sm_str_clear(&f->buffer);
    return more;
}

void sm_log_file_clear(struct sm_log_file *f)
{
    sm_str_clear(&f->buffer);
    sm_log_file_rewind(f);
    f->known = f->lost = false;
}
