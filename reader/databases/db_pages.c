/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/db_pages.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"

#include <string.h>
#include <time.h>

enum { WAL, JOURNAL, SETTLED_US = 100 * 1000, TICK_US = 10 * 1000 };

static char *path_with(const char *path, const char *suffix)
{
    struct sm_str s = {0};
    sm_str_add(&s, path);
    sm_str_add(&s, suffix);
    return s.data;
}

bool sm_db_pages_init(struct sm_db_pages *p, struct sm_source *source, const char *path)
{
    *p = (struct sm_db_pages){.source = sm_source_ref(source),
                              .path = sm_strdup(path),
                              .paths = {path_with(path, "-wal"), path_with(path, "-journal")}};
    return p->path && p->paths[WAL] && p->paths[JOURNAL];
}

void sm_db_pages_close(struct sm_db_pages *p)
{
    sm_file_close(&p->file);
    sm_file_close(&p->files[WAL]);
    sm_file_close(&p->files[JOURNAL]);
}

void sm_db_pages_clear(struct sm_db_pages *p)
{
    sm_db_pages_close(p);
    sm_db_overlay_clear(&p->wal);
    sm_db_overlay_clear(&p->journal);
    sm_source_unref(p->source);
    sm_free(p->path);
    sm_free(p->paths[WAL]);
    sm_free(p->paths[JOURNAL]);
    *p = (struct sm_db_pages){0};
}

/* ---- what the files are like ---- */

static bool stat_all(struct sm_db_pages *p, struct sm_stat *st, struct sm_stat side[2],
                     struct sm_err *err)
{
    if (!sm_source_stat(p->source, p->path, st, err))
        return false;
    if (st->is_dir)
        return sm_err_set(err, SM_ERR_DATA, "%s: a directory, not a database", p->path);
    for (int i = 0; i < 2; i++)
        if (!sm_source_stat(p->source, p->paths[i], &side[i], NULL) || side[i].is_dir)
            side[i] = (struct sm_stat){0};
    return true;
}

static bool same_stat(const struct sm_stat *a, const struct sm_stat *b)
{
    return a->size_bytes == b->size_bytes && a->mtime_us == b->mtime_us && a->inode == b->inode &&
           a->device == b->device;
}

static bool same_file(const struct sm_stat *a, const struct sm_stat *b)
{
    return a->inode == b->inode && a->device == b->device;
}

/* A file that was changed just now may change again without another time. */
static bool is_settled(const struct sm_stat *st, int64_t now_us)
{
    return now_us - st->mtime_us > SETTLED_US || now_us < st->mtime_us - SETTLED_US;
}

static void note_stats(struct sm_db_pages *p, const struct sm_stat *st,
                       const struct sm_stat side[2], int64_t now_us)
{
    p->stat = *st;
    p->stats[WAL] = side[WAL];
    p->stats[JOURNAL] = side[JOURNAL];
    p->settled = is_settled(st, now_us) && is_settled(&side[WAL], now_us) &&
                 is_settled(&side[JOURNAL], now_us);
    p->looked = true;
}

/* ---- looking ---- */

static bool open_all(struct sm_db_pages *p, const struct sm_stat side[2], struct sm_err *err)
{
    if (!p->file.path && !sm_file_open(&p->file, p->source, p->path, err))
        return false;
    for (int i = 0; i < 2; i++)
        if (side[i].size_bytes && !p->files[i].path &&
            !sm_file_open(&p->files[i], p->source, p->paths[i], NULL))
            return sm_err_set(err, SM_ERR_WAIT, "%s: has just gone", p->paths[i]);
    return true;
}

static bool read_overlays(struct sm_db_pages *p, const struct sm_stat side[2], struct sm_err *err)
{
    if (!p->files[WAL].path)
        sm_db_overlay_clear(&p->wal);
    else if (!sm_db_wal_read(&p->wal, &p->files[WAL], side[WAL].size_bytes, err))
        return false;
    if (!p->files[JOURNAL].path || p->wal.pages)
        sm_db_overlay_clear(&p->journal);
    else if (!sm_db_journal_read(&p->journal, &p->files[JOURNAL], side[JOURNAL].size_bytes, err))
        return false;
    p->over = p->wal.pages ? &p->wal : p->journal.at.count ? &p->journal : NULL;
    return true;
}

/* As the header says: of a compressed file the size is not known. */
static uint64_t size_in_header(const uint8_t *header)
{
    uint32_t page = (uint32_t)header[16] << 8 | header[17];
    return (uint64_t)sm_db_u32(header + 28) * (page == 1 ? 65536 : page);
}

/* Without an overlay the size of a page does not matter here. */
static bool read_header(struct sm_db_pages *p, struct sm_err *err)
{
    size_t got = 0;
    p->page_bytes = p->over ? p->over->page_bytes : 65536;
    p->size_bytes = p->over              ? (uint64_t)p->over->pages * p->over->page_bytes
                    : p->stat.compressed ? sizeof p->header
                                         : p->stat.size_bytes;
    bool ok = sm_db_pages_read(p, 0, p->header, sizeof p->header, &got, err);
    if (!p->over && p->stat.compressed)
        p->size_bytes = size_in_header(p->header);
    return ok;
}

/* Equal marks mean equal pages: the places of the last commit, and the header with its count of
 * changes. */
struct mark {
    const void *over;
    uint64_t taken;
    uint32_t pages, salts[2];
    uint8_t header[100];
};

static struct mark take_mark(const struct sm_db_pages *p)
{
    struct mark m = {.over = p->over};
    memcpy(m.header, p->header, sizeof m.header);
    if (p->over) {
        m.taken = p->over->taken;
        m.pages = p->over->pages;
        memcpy(m.salts, p->over->salts, sizeof m.salts);
    }
    return m;
}

static bool same_mark(const struct mark *a, const struct mark *b)
{
    return a->over == b->over && a->taken == b->taken && a->pages == b->pages &&
           memcmp(a->salts, b->salts, sizeof a->salts) == 0 &&
           memcmp(a->header, b->header, sizeof a->header) == 0;
}

/* What a checkpoint writes into the file is told by the time of the file only, so that time must
 * not be that of now. Waits so long, which is as long as a clock of files stands still. */
static bool let_pass(struct sm_db_pages *p, const struct sm_stat *st, int64_t now_us,
                     struct sm_err *err)
{
    static const struct timespec tick = {.tv_nsec = TICK_US * 1000L};
    struct sm_stat later, side[2];
    if (now_us < st->mtime_us || now_us - st->mtime_us > TICK_US)
        return true;
    nanosleep(&tick, NULL);
    if (!stat_all(p, &later, side, err))
        return false;
    return same_stat(&later, st) || sm_err_set(err, SM_ERR_WAIT, "%s: is being written", p->path);
}

bool sm_db_pages_look(struct sm_db_pages *p, bool *changed, struct sm_err *err)
{
    struct sm_stat st, side[2];
    int64_t now_us = sm_clock_wall_us();
    if (!stat_all(p, &st, side, err))
        return false;
    bool same = p->looked && same_stat(&st, &p->stat), first = !p->looked;
    bool same_sides =
        same_stat(&side[WAL], &p->stats[WAL]) && same_stat(&side[JOURNAL], &p->stats[JOURNAL]);
    *changed = false;
    if (same && same_sides && p->settled)
        return true;
    if (!same || !same_sides)
        sm_db_pages_close(p); /* they may be other files */
    if (!open_all(p, side, err))
        return false;
    if (side[WAL].size_bytes && !let_pass(p, &st, now_us, err))
        return false;
    struct mark before = take_mark(p);
    p->looked = false;
    struct sm_stat old = p->stat;
    p->stat = st;
    if (!read_overlays(p, side, err) || !read_header(p, err))
        return false;
    struct mark after = take_mark(p);
    note_stats(p, &st, side, now_us);
    *changed = first || (!same && !p->over) || !same_file(&old, &st) || !same_mark(&before, &after);
    return true;
}

bool sm_db_pages_open(struct sm_db_pages *p, struct sm_err *err)
{
    return open_all(p, p->stats, err);
}

/* The first frame of a log that is written anew comes after another header. */
static bool same_log(const struct sm_db_pages *p)
{
    uint8_t salts[8];
    struct sm_err err;
    size_t got = 0;
    return sm_file_read(&p->files[WAL], 16, salts, sizeof salts, &got, &err) &&
           got == sizeof salts && sm_db_u32(salts) == p->wal.salts[0] &&
           sm_db_u32(salts + 4) == p->wal.salts[1];
}

/* Each commit counts in the header, also one within the resolution of the file's time. */
static bool same_count(const struct sm_db_pages *p)
{
    uint8_t count[4];
    struct sm_err err;
    size_t got = 0;
    return p->over || (sm_file_read(&p->file, 24, count, sizeof count, &got, &err) &&
                       got == sizeof count && memcmp(count, p->header + 24, sizeof count) == 0);
}

/* A log may grow: its frames that count stay where they are until it is written anew. What a
 * checkpoint writes into the file is told by its time only. */
bool sm_db_pages_hold(struct sm_db_pages *p)
{
    struct sm_stat st, side[2];
    struct sm_err err;
    if (!stat_all(p, &st, side, &err) || !same_stat(&st, &p->stat) || !sm_db_pages_open(p, &err))
        return false;
    if (p->over == &p->wal)
        return same_file(&side[WAL], &p->stats[WAL]) && same_log(p);
    return same_stat(&side[WAL], &p->stats[WAL]) && same_stat(&side[JOURNAL], &p->stats[JOURNAL]) &&
           same_count(p);
}

/* ---- reading ---- */

static bool read_piece(struct sm_db_pages *p, uint64_t offset, void *buf, size_t n, size_t *got,
                       struct sm_err *err)
{
    uint64_t at;
    if (p->over && sm_map_get(&p->over->at, offset / p->page_bytes + 1, &at))
        return sm_file_read(&p->files[p->over == &p->wal ? WAL : JOURNAL],
                            at + offset % p->page_bytes, buf, n, got, err);
    return sm_file_read(&p->file, offset, buf, n, got, err);
}

bool sm_db_pages_read(struct sm_db_pages *p, uint64_t offset, void *buf, size_t n, size_t *got,
                      struct sm_err *err)
{
    memset(buf, 0, n);
    *got = 0;
    uint64_t left = offset < p->size_bytes ? p->size_bytes - offset : 0;
    n = n < left ? n : (size_t)left;
    while (*got < n) {
        size_t piece = p->page_bytes - (offset + *got) % p->page_bytes, some = 0;
        piece = piece < n - *got ? piece : n - *got;
        if (!read_piece(p, offset + *got, (uint8_t *)buf + *got, piece, &some, err))
            return false;
        *got += piece; /* a hole is zero, as in a file */
        if (some < piece && !p->over)
            break;
    }
    return true;
}
