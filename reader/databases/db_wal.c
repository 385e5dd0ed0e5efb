/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite's write-ahead log (https://www.sqlite.org/fileformat2.html#walformat). All numbers are big
 * endian; the checksums are over words of the byte order that the magic number says:
 *
 *     32 bytes  magic, version, page size, number of the checkpoint, salt, salt, sum, sum
 *     frames:   page number, pages of the database after a commit or 0, salt, salt, sum, sum; page
 *
 * The sums go on from frame to frame. Frames after the last commit do not count, nor do those after
 * one whose salts or sums are wrong: they are older, or not whole yet. */
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/databases/db_pages.h"

#include <string.h>

enum { WAL_HEAD = 32, FRAME_HEAD = 24 };
#define WAL_MAGIC 0x377f0682u

struct frames { /* since the last commit */
    struct frame {
        uint32_t page;
        uint64_t at;
    } * items;
    size_t n, cap;
};

void sm_db_overlay_clear(struct sm_db_overlay *o)
{
    sm_map_clear(&o->at);
    *o = (struct sm_db_overlay){0};
}

static uint32_t word_at(const uint8_t *p, bool big_endian)
{
    return big_endian ? sm_db_u32(p)
                      : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* n is a multiple of 8. */
static void add_sums(uint32_t sums[2], const uint8_t *p, size_t n, bool big_endian)
{
    uint32_t a = sums[0], b = sums[1];
    for (size_t i = 0; i < n; i += 8) {
        a += word_at(p + i, big_endian) + b;
        b += word_at(p + i + 4, big_endian) + a;
    }
    sums[0] = a;
    sums[1] = b;
}

static bool is_head(const uint8_t *head, struct sm_db_overlay *o)
{
    uint32_t magic = sm_db_u32(head);
    *o = (struct sm_db_overlay){.taken = WAL_HEAD,
                                .page_bytes = sm_db_u32(head + 8),
                                .salts = {sm_db_u32(head + 16), sm_db_u32(head + 20)},
                                .big_endian = magic & 1};
    if ((magic & ~1u) != WAL_MAGIC || !sm_db_page_size_ok(o->page_bytes))
        return false;
    add_sums(o->sums, head, 24, o->big_endian);
    return o->sums[0] == sm_db_u32(head + 24) && o->sums[1] == sm_db_u32(head + 28);
}

/* Goes on where the log was left, or begins again if it was written anew. False: no log. */
static bool resume(struct sm_db_overlay *o, const uint8_t *head, uint64_t size_bytes)
{
    struct sm_db_overlay fresh;
    bool is = is_head(head, &fresh);
    if (is && o->taken && o->taken <= size_bytes && o->page_bytes == fresh.page_bytes &&
        memcmp(o->salts, fresh.salts, sizeof o->salts) == 0)
        return true;
    sm_db_overlay_clear(o);
    if (is)
        *o = fresh;
    return is;
}

/* Whether the frame counts if a commit follows; takes it into the sums. */
static bool frame_ok(const struct sm_db_overlay *o, const uint8_t *frame, uint32_t sums[2])
{
    if (!sm_db_u32(frame) || sm_db_u32(frame + 8) != o->salts[0] ||
        sm_db_u32(frame + 12) != o->salts[1])
        return false;
    add_sums(sums, frame, 8, o->big_endian);
    add_sums(sums, frame + FRAME_HEAD, o->page_bytes, o->big_endian);
    return sums[0] == sm_db_u32(frame + 16) && sums[1] == sm_db_u32(frame + 20);
}

static bool commit(struct sm_db_overlay *o, struct frames *f, uint32_t pages,
                   const uint32_t sums[2], uint64_t taken)
{
    for (size_t i = 0; i < f->n; i++)
        if (!sm_map_put(&o->at, f->items[i].page, f->items[i].at))
            return false;
    f->n = 0;
    o->pages = pages;
    o->taken = taken;
    memcpy(o->sums, sums, sizeof o->sums);
    return true;
}

static bool read_frames(struct sm_db_overlay *o, const struct sm_file *file, uint8_t *frame,
                        struct frames *f, struct sm_err *err)
{
    size_t size = FRAME_HEAD + (size_t)o->page_bytes, got = 0;
    uint32_t sums[2] = {o->sums[0], o->sums[1]};
    for (uint64_t at = o->taken;; at += size) {
        if (!sm_file_read(file, at, frame, size, &got, err))
            return false;
        if (got < size || !frame_ok(o, frame, sums))
            return true;
        if (!SM_VEC_ROOM(f->items, f->n, f->cap))
            return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", file->path);
        f->items[f->n++] = (struct frame){sm_db_u32(frame), at + FRAME_HEAD};
        uint32_t pages = sm_db_u32(frame + 4);
        if (pages && !commit(o, f, pages, sums, at + size))
            return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", file->path);
    }
}

bool sm_db_wal_read(struct sm_db_overlay *o, const struct sm_file *f, uint64_t size_bytes,
                    struct sm_err *err)
{
    uint8_t head[WAL_HEAD];
    size_t got = 0;
    if (!sm_file_read(f, 0, head, sizeof head, &got, err))
        return false;
    if (got < sizeof head) {
        sm_db_overlay_clear(o);
        return true;
    }
    if (!resume(o, head, size_bytes))
        return true;
    struct frames frames = {0};
    uint8_t *frame = sm_alloc(FRAME_HEAD + (size_t)o->page_bytes);
    bool ok = frame ? read_frames(o, f, frame, &frames, err)
                    : sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", f->path);
    sm_free(frame);
    sm_free(frames.items);
    return ok;
}
