/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite's rollback journal (https://www.sqlite.org/fileformat2.html#the_rollback_journal): the
 * pages as they were before a transaction that has not ended, of a writer that is at work or was
 * killed. Big endian:
 *
 *     magic (8), records or ~0: all up to the end, nonce, pages before, sector size, page size
 *     padding up to the sector size
 *     records: page number, page, sum; after them the next header, at the next sector
 *
 * A header that says 0 records was not synced, and the database is untouched. */
#include "reader/base/mem.h"
#include "reader/databases/db_pages.h"

#include <string.h>

enum { JOURNAL_HEAD = 28 };
static const uint8_t MAGIC[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

struct head {
    uint32_t records, nonce, pages, sector_bytes, page_bytes;
};

static bool parse_head(const uint8_t *p, struct head *h)
{
    *h = (struct head){sm_db_u32(p + 8), sm_db_u32(p + 12), sm_db_u32(p + 16), sm_db_u32(p + 20),
                       sm_db_u32(p + 24)};
    return memcmp(p, MAGIC, sizeof MAGIC) == 0 && sm_db_page_size_ok(h->page_bytes) &&
           h->sector_bytes >= 32 && h->sector_bytes <= 65536 &&
           !(h->sector_bytes & (h->sector_bytes - 1));
}

static uint32_t page_sum(const uint8_t *page, uint32_t n, uint32_t nonce)
{
    for (uint32_t i = n - 200; i < n && i > 0; i -= 200)
        nonce += page[i];
    return nonce;
}

/* Records from `at` on; *end is where they end. The first of a page counts. */
static bool read_records(struct sm_db_overlay *o, const struct sm_file *f, const struct head *h,
                         uint8_t *record, uint64_t at, uint64_t *end, struct sm_err *err)
{
    size_t size = (size_t)h->page_bytes + 8, got = 0;
    for (uint32_t i = 0; i < h->records; i++, at += size) {
        if (!sm_file_read(f, at, record, size, &got, err))
            return false;
        uint32_t page = got == size ? sm_db_u32(record) : 0;
        if (!page ||
            sm_db_u32(record + 4 + h->page_bytes) != page_sum(record + 4, h->page_bytes, h->nonce))
            break;
        if (!sm_map_get(&o->at, page, &(uint64_t){0}) && !sm_map_put(&o->at, page, at + 4))
            return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", f->path);
    }
    *end = at;
    return true;
}

static bool read_segments(struct sm_db_overlay *o, const struct sm_file *f, uint8_t *record,
                          struct sm_err *err)
{
    uint8_t bytes[JOURNAL_HEAD];
    struct head h;
    size_t got = 0;
    for (uint64_t at = 0;;) {
        if (!sm_file_read(f, at, bytes, sizeof bytes, &got, err))
            return false;
        if (got < sizeof bytes || !parse_head(bytes, &h) || !h.records ||
            (o->page_bytes && o->page_bytes != h.page_bytes))
            return true;
        if (!o->page_bytes)
            o->pages = h.pages;
        o->page_bytes = h.page_bytes;
        if (!read_records(o, f, &h, record, at + h.sector_bytes, &at, err))
            return false;
        at = (at + h.sector_bytes - 1) / h.sector_bytes * h.sector_bytes;
    }
}

bool sm_db_journal_read(struct sm_db_overlay *o, const struct sm_file *f, uint64_t size_bytes,
                        struct sm_err *err)
{
    sm_db_overlay_clear(o);
    if (size_bytes < JOURNAL_HEAD)
        return true;
    uint8_t *record = sm_alloc(65536 + 8);
    bool ok = record ? read_segments(o, f, record, err)
                     : sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", f->path);
    sm_free(record);
    return ok;
}
