/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the contents of an archive: from its index, or frame by frame if that is damaged. */
#include "reader/archive/archive_state.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/wire.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 256 << 10 };
/* What opening may unpack: all frames but those of values and statistics, and the index. */
enum { UNPACK_BYTES = 4 << 20, UNPACK_TIMES = 64 };

struct loading {
    struct sm_archive *archive;
    struct sm_str content;           /* scratch */
    struct sm_archive_locations *to; /* the list being filled */
    uint64_t end;                    /* of the frame before, in the file */
    uint64_t unpacked;               /* by opening, or still to be */
    bool no_memory, too_many;
};

static bool no_memory(struct loading *l)
{
    l->no_memory = true;
    return false;
}

static void report(struct loading *l, uint64_t at, const struct sm_err *err)
{
    if (err->code == SM_ERR_MEMORY)
        l->no_memory = true;
    else
        sm_archive_report(l->archive, at, err);
}

/* ---- frames and their items ---- */

static bool fits(const struct sm_archive *a, uint64_t at, const struct sm_smdz_head *h)
{
    return at <= a->size_bytes && a->size_bytes - at >= SM_SMDZ_HEAD &&
           a->size_bytes - at - SM_SMDZ_HEAD >= h->packed;
}

static bool add_frame(struct loading *l, uint64_t at, const struct sm_smdz_head *h)
{
    struct sm_archive *a = l->archive;
    if (a->n_frames == UINT32_MAX || !SM_VEC_ROOM(a->frames, a->n_frames, a->cap_frames))
        return no_memory(l);
    a->frames[a->n_frames++] = (struct sm_archive_frame){.at = at, .head = *h};
    return true;
}

static bool add_place(void *ctx, const struct sm_smdz_item *i)
{
    struct loading *l = ctx;
    if (!SM_VEC_ROOM(l->to->items, l->to->n, l->to->cap))
        return no_memory(l);
    l->too_many = l->too_many || l->to->n >= sm_archive_room(l->archive);
    if (l->too_many)
        return false;
    l->to->items[l->to->n++] = (struct sm_archive_location){
        .offset = i->offset,
        .file = i->file,
        .tag = i->tag,
        .at = i->at,
        .length = i->length,
        .frame = (uint32_t)l->archive->n_frames - 1,
    };
    return true;
}

/* For items of the newest frame. */
static bool add_items(struct loading *l, struct sm_bytes list, struct sm_err *err)
{
    const struct sm_smdz_head *h = &l->archive->frames[l->archive->n_frames - 1].head;
    struct sm_archive_locations *to = h->kind == SM_SMDZ_VALUES  ? &l->archive->values
                                      : h->kind == SM_SMDZ_STATS ? &l->archive->stats
                                                                 : NULL;
    size_t before = to ? to->n : 0, end;
    l->to = to;
    if (to && h->plain > SM_ARCHIVE_FRAME_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "%lu bytes in a frame of items",
                          (unsigned long)h->plain);
    if (!to || sm_smdz_items(list, h->plain, add_place, l, &end, err))
        return true;
    to->n = before;
    return false;
}

/* Counts what opening unpacks. False: that is more than a file of this size needs. */
static bool count_unpacked(struct loading *l, const struct sm_smdz_head *h, struct sm_err *err)
{
    uint64_t most = UNPACK_BYTES + l->archive->size_bytes * UNPACK_TIMES;
    l->unpacked += h->plain;
    return l->unpacked <= most ||
           sm_err_set(err, SM_ERR_LIMIT, "%lu bytes would become %lu: together more than %llu",
                      (unsigned long)h->packed, (unsigned long)h->plain, (unsigned long long)most);
}

/* ---- the index ---- */

static bool get_entry(struct loading *l, struct sm_bytes b, size_t *at, struct sm_err *err)
{
    uint64_t v[5];
    struct sm_text list;
    for (int i = 0; i < 5; i++)
        if (!sm_wire_get(b, at, &v[i]))
            return sm_err_set(err, SM_ERR_DATA, "the index is broken");
    struct sm_smdz_head h = {(enum sm_smdz_kind)v[1], (uint32_t)v[2], (uint32_t)v[3],
                             (uint32_t)v[4]};
    if (!sm_smdz_text(b, at, &list) || !v[1] || v[1] >= SM_SMDZ_INDEX ||
        v[2] > SM_SMDZ_PACKED_MAX || v[3] > SM_SMDZ_PLAIN_MAX || v[4] > UINT32_MAX ||
        !fits(l->archive, v[0], &h))
        return sm_err_set(err, SM_ERR_DATA, "the index is broken");
    if (v[0] < l->end)
        return sm_err_set(err, SM_ERR_DATA, "the index names a frame at %llu that others overlap",
                          (unsigned long long)v[0]);
    l->end = v[0] + SM_SMDZ_HEAD + h.packed;
    return add_frame(l, v[0], &h) &&
           add_items(l, (struct sm_bytes){(const uint8_t *)list.p, list.n}, err);
}

static bool read_head(struct loading *l, uint64_t at, struct sm_smdz_head *out, struct sm_err *err)
{
    uint8_t p[SM_SMDZ_HEAD];
    size_t got;
    if (!sm_archive_read_at(l->archive, at, p, sizeof p, &got, err))
        return false;
    return (got == sizeof p && sm_smdz_head(p, out) && fits(l->archive, at, out)) ||
           sm_err_set(err, SM_ERR_DATA, "no frame begins at %llu", (unsigned long long)at);
}

static bool read_index_frame(struct loading *l, uint64_t *at, struct sm_err *err)
{
    struct sm_archive_frame f = {.at = *at};
    if (!read_head(l, *at, &f.head, err))
        return false;
    if (f.head.kind != SM_SMDZ_INDEX)
        return sm_err_set(err, SM_ERR_DATA, "no index frame is at %llu", (unsigned long long)*at);
    if (!count_unpacked(l, &f.head, err) || !sm_archive_content(l->archive, &f, &l->content, err))
        return false;
    struct sm_bytes b = {(const uint8_t *)l->content.data, l->content.len};
    for (size_t k = 0; k < b.n;)
        if (!get_entry(l, b, &k, err))
            return false;
    *at += SM_SMDZ_HEAD + (uint64_t)f.head.packed;
    return true;
}

/* False with the reason: the frames must be read in sequence. *at: offset of the index. */
static bool read_index(struct loading *l, uint64_t *at, struct sm_err *err)
{
    const struct sm_archive *a = l->archive;
    uint8_t p[SM_SMDZ_FOOTER];
    size_t got = 0;
    uint32_t frames;
    uint64_t index;
    *at = a->size_bytes < SM_SMDZ_FOOTER ? 0 : a->size_bytes - SM_SMDZ_FOOTER;
    if (!sm_archive_read_at(a, *at, p, sizeof p, &got, err) || got < sizeof p ||
        !sm_smdz_footer(p, &index, &frames))
        return sm_err_set(err, SM_ERR_DATA, "the archive has no end: it was cut or is damaged");
    *at = index;
    for (uint32_t i = 0; i < frames; i++)
        if (!read_index_frame(l, at, err))
            return false;
    return true;
}

/* ---- without an index ---- */

static void forget(struct sm_archive *a)
{
    a->n_frames = a->values.n = a->stats.n = a->columns.n = 0;
}

/* The next head after `at`; the file's size if there is none. */
static uint64_t find_head(struct loading *l, uint64_t at)
{
    struct sm_archive *a = l->archive;
    struct sm_smdz_head h;
    struct sm_err err;
    size_t got = 0;
    sm_str_truncate(&l->content, 0);
    sm_str_fill(&l->content, 0, WINDOW);
    if (l->content.failed)
        return no_memory(l), a->size_bytes;
    const uint8_t *p = (const uint8_t *)l->content.data;
    for (; a->size_bytes - at >= SM_SMDZ_HEAD; at += got - SM_SMDZ_HEAD + 1) {
        if (!sm_archive_read_at(a, at, l->content.data, WINDOW, &got, &err) || got < SM_SMDZ_HEAD)
            break;
        for (size_t i = 0; i + SM_SMDZ_HEAD <= got; i++)
            if (p[i] == 0x5D && sm_smdz_head(p + i, &h) && fits(a, at + i, &h))
                return at + i;
    }
    return a->size_bytes;
}

/* Handles one frame: adds it with its items, or reports it. */
static void take_frame(struct loading *l, uint64_t at, const struct sm_smdz_head *h)
{
    struct sm_err err = {0};
    bool has_items = h->kind == SM_SMDZ_VALUES || h->kind == SM_SMDZ_STATS;
    struct sm_archive_frame f = {.at = at, .head = *h};
    if (h->kind == SM_SMDZ_INDEX)
        return;
    if (has_items && !sm_archive_content(l->archive, &f, &l->content, &err)) {
        report(l, at, &err);
        return;
    }
    struct sm_bytes list = {(const uint8_t *)sm_str_text(&l->content), l->content.len};
    if (add_frame(l, at, h) && has_items && !add_items(l, list, &err))
        report(l, at, &err);
}

static bool is_end(const struct loading *l, uint64_t at)
{
    uint8_t p[SM_SMDZ_FOOTER];
    struct sm_err err;
    size_t got;
    uint64_t index;
    uint32_t frames;
    return sm_archive_read_at(l->archive, at, p, sizeof p, &got, &err) && got == sizeof p &&
           sm_smdz_footer(p, &index, &frames);
}

static void walk(struct loading *l)
{
    const struct sm_archive *a = l->archive;
    struct sm_smdz_head h;
    struct sm_err err = {0};
    for (uint64_t at = SM_SMDZ_HEADER; at < a->size_bytes && !l->no_memory && !is_end(l, at);) {
        if (read_head(l, at, &h, &err)) {
            take_frame(l, at, &h);
            at += SM_SMDZ_HEAD + (uint64_t)h.packed;
            continue;
        }
        uint64_t next = find_head(l, at + 1);
        sm_err_set(&err, SM_ERR_DATA, "%llu bytes are damaged or cut: what was in them is lost",
                   (unsigned long long)(next - at));
        report(l, at, &err);
        at = next;
    }
}

/* Refuses the frames that would make opening unpack too much. */
static void refuse_large(struct loading *l)
{
    struct sm_archive *a = l->archive;
    for (size_t i = 0; i < a->n_frames; i++) {
        struct sm_archive_frame *f = &a->frames[i];
        struct sm_err err;
        if (f->head.kind == SM_SMDZ_VALUES || f->head.kind == SM_SMDZ_STATS)
            continue;
        f->refused = !count_unpacked(l, &f->head, &err);
        if (!f->refused)
            continue;
        l->unpacked -= f->head.plain;
        report(l, f->at, &err);
    }
}

/* ---- description ---- */

enum { BOARD = 1, ENDED = 2, CLAIMED = 4, ONE_WORKER = 8, STATS_ONLY = 16 };

static void put_columns(struct sm_str *out)
{
    struct sm_str list = {0};
    sm_facts_columns_put(&list);
    sm_smdz_put_text(out, sm_str_text(&list), list.len);
    out->failed = out->failed || list.failed;
    sm_str_clear(&list);
}

void sm_archive_put_info(const struct sm_archive_info *i, struct sm_str *out)
{
    const struct sm_text texts[] = {i->name, i->path, i->state, i->chosen};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        sm_smdz_put_text(out, texts[k].p, texts[k].n);
    sm_wire_put(out, (i->board ? BOARD : 0u) | (i->ended ? ENDED : 0u) |
                         (i->claimed ? CLAIMED : 0u) | (i->one_worker ? ONE_WORKER : 0u) |
                         (i->stats_only ? STATS_ONLY : 0u));
    sm_wire_put(out, sm_smdz_fold(i->saved_us));
    sm_wire_put(out, i->bytes);
    put_columns(out);
}

/* columns: empty in an archive of version 1. */
static bool get_info(struct sm_bytes b, struct sm_archive_info *i, struct sm_text *columns)
{
    struct sm_text *const texts[] = {&i->name, &i->path, &i->state, &i->chosen};
    uint64_t flags, saved;
    size_t at = 0;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (!sm_smdz_text(b, &at, texts[k]))
            return false;
    if (!sm_wire_get(b, &at, &flags) || !sm_wire_get(b, &at, &saved) ||
        !sm_wire_get(b, &at, &i->bytes) || (at < b.n && !sm_smdz_text(b, &at, columns)))
        return false;
    i->board = flags & BOARD;
    i->ended = flags & ENDED;
    i->claimed = flags & CLAIMED;
    i->one_worker = flags & ONE_WORKER;
    i->stats_only = flags & STATS_ONLY;
    i->saved_us = sm_smdz_unfold(saved);
    return true;
}

static bool take_info(struct loading *l, uint64_t at, const struct sm_str *content,
                      struct sm_archive_info *info, struct sm_err *err)
{
    struct sm_text list = {0};
    struct sm_err broken = {0};
    if (!get_info((struct sm_bytes){(const uint8_t *)content->data, content->len}, info, &list))
        return sm_err_set(err, SM_ERR_DATA, "the frame about the trial is broken");
    struct sm_bytes columns = {(const uint8_t *)list.p, list.n};
    if (list.n && !sm_facts_columns_get(columns, &l->archive->columns, &broken))
        report(l, at, &broken);
    return true;
}

static void read_info(struct loading *l)
{
    struct sm_archive *a = l->archive;
    struct sm_archive_info info = {
        .name = SM_TEXT(""), .path = SM_TEXT(""), .state = SM_TEXT(""), .chosen = SM_TEXT("")};
    bool known = false;
    a->info = info;
    for (size_t i = 0; i < a->n_frames; i++) {
        const struct sm_archive_frame *f = &a->frames[i];
        struct sm_err err = {0};
        struct sm_str *to = f->head.kind == SM_SMDZ_TRIAL      ? &a->trial_text
                            : f->head.kind == SM_SMDZ_FINDINGS ? &a->findings
                                                               : NULL;
        if (!to || f->refused)
            continue;
        bool ok = sm_archive_content(a, f, to, &err);
        if (ok && f->head.kind == SM_SMDZ_TRIAL)
            ok = known = take_info(l, f->at, to, &info, &err);
        if (!ok)
            report(l, f->at, &err);
        if (!ok && to == &a->findings)
            sm_str_clear(to);
    }
    if (known)
        a->info = info;
    a->info.findings = (struct sm_text){sm_str_text(&a->findings), a->findings.len};
}

/* ---- loading ---- */

static int compare_places(const void *p, const void *q)
{
    const struct sm_archive_location *x = p, *y = q;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static void sort(struct sm_archive_locations *p)
{
    if (p->n)
        qsort(p->items, p->n, sizeof *p->items, compare_places);
}

static void check_header(struct loading *l)
{
    uint8_t p[SM_SMDZ_HEADER];
    struct sm_err err = {0};
    size_t got;
    if (!sm_archive_read_at(l->archive, 0, p, sizeof p, &got, &err) || !sm_smdz_header(p, &err))
        report(l, 0, &err);
}

/* Of an object in a bucket, which is not asked for before. */
static void find_size(struct loading *l)
{
    struct sm_archive *a = l->archive;
    struct sm_stat st = {0};
    struct sm_err err = {0};
    if (a->files && !sm_source_stat(a->files, a->name, &st, &err))
        report(l, 0, &err);
    else if (a->files)
        a->size_bytes = st.size_bytes;
}

bool sm_archive_load(struct sm_archive *a)
{
    struct loading l = {.archive = a};
    struct sm_err err = {0};
    uint64_t at;
    sm_problems_clear(&a->problems);
    forget(a);
    find_size(&l);
    check_header(&l);
    if (!read_index(&l, &at, &err) && !l.no_memory) {
        report(&l, at, &err);
        forget(a);
        walk(&l);
    }
    refuse_large(&l);
    if (l.too_many) {
        sm_err_set(&err, SM_ERR_LIMIT, "more than %llu values: the others are not read",
                   (unsigned long long)sm_archive_room(a));
        report(&l, 0, &err);
    }
    sort(&a->values);
    sort(&a->stats);
    read_info(&l);
    sm_str_clear(&l.content);
    a->loaded = !l.no_memory;
    return a->loaded;
}
