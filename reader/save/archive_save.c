/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/archive/archive_state.h"
#include "reader/archive/archive_steps.h"
#include "reader/archive/facts_pack.h"
#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/base/replace.h"
#include "reader/base/vec.h"
#include "reader/fetch/fetch_read.h"
#include "reader/fetch/summary.h"
#include "reader/format/location.h"
#include "reader/format/wire.h"
#include "reader/save/archive_plan.h"

#include <stdio.h>
#include <string.h>

/* A frame of values ends after this many bytes, at a slice of a larger record, or at the end of its
 * tensor. Records of at least MEASURED_BYTES get their statistics stored; for smaller ones reading
 * those takes longer than computing them. */
enum {
    GROUP_BYTES = 128 << 10,
    SLICE_BYTES = 1 << 20,
    MEASURED_BYTES = 512,
    STEPS_ENTRIES = 16 << 10,
    INDEX_BYTES = 1 << 20,
    COLLECTIONS_MAX = SM_SMDZ_PLAIN_MAX - 4096
};

/* The items collected for one frame. */
struct group {
    enum sm_smdz_kind kind;
    struct sm_smdz_item *items;
    size_t n, cap;
    struct sm_str bytes;
};
struct writing {
    struct sm_archive_save *save;
    struct sm_archive_saved *saved;
    FILE *file;
    const char *name; /* of the archive, for messages */
    uint64_t at;
    struct group values, stats;
    struct sm_str plain, packed; /* scratch */
    struct sm_str index;
    size_t *cuts, n_cuts, cap_cuts; /* ends of the index frames */
    uint8_t *stored; /* by the first value of a record: whether its bytes are in the archive */
    struct sm_scratch scratch;
};

static bool no_memory(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "no memory to save a trial");
}

/* ---- frames ---- */

static bool put_bytes(struct writing *w, const void *p, size_t n, struct sm_err *err)
{
    w->at += n;
    return fwrite(p, 1, n, w->file) == n || sm_err_errno(err, "%s", w->name);
}

static bool put_entry(struct writing *w, uint64_t at, const struct sm_smdz_head *h,
                      struct sm_bytes list, struct sm_err *err)
{
    size_t begin = w->n_cuts ? w->cuts[w->n_cuts - 1] : 0;
    const uint64_t v[] = {at, h->kind, h->packed, h->plain, h->crc};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        sm_wire_put(&w->index, v[i]);
    sm_smdz_put_text(&w->index, (const char *)list.p, list.n);
    if (w->index.len - begin < INDEX_BYTES)
        return !w->index.failed || no_memory(err);
    if (w->index.failed || !SM_VEC_ROOM(w->cuts, w->n_cuts, w->cap_cuts))
        return no_memory(err);
    w->cuts[w->n_cuts++] = w->index.len;
    return true;
}

/* list: the start of plain, repeated in the index. */
static bool put_frame(struct writing *w, enum sm_smdz_kind kind, struct sm_bytes plain, size_t list,
                      struct sm_err *err)
{
    uint8_t head[SM_SMDZ_HEAD];
    uint64_t at = w->at;
    sm_str_truncate(&w->packed, 0);
    if (!sm_smdz_pack(plain, w->save->level, &w->packed, err))
        return false;
    struct sm_bytes packed = {(const uint8_t *)w->packed.data, w->packed.len};
    struct sm_smdz_head h = {kind, (uint32_t)packed.n, (uint32_t)plain.n,
                             sm_crc32c(packed.p, packed.n)};
    sm_smdz_put_head(&h, head);
    return put_bytes(w, head, sizeof head, err) && put_bytes(w, packed.p, packed.n, err) &&
           (kind == SM_SMDZ_INDEX || put_entry(w, at, &h, (struct sm_bytes){plain.p, list}, err));
}

static bool put_text_frame(struct writing *w, enum sm_smdz_kind kind, const struct sm_str *text,
                           struct sm_err *err)
{
    if (text->failed)
        return no_memory(err);
    return put_frame(w, kind, (struct sm_bytes){(const uint8_t *)sm_str_text(text), text->len}, 0,
                     err);
}

static bool end_group(struct writing *w, struct group *g, struct sm_err *err)
{
    if (!g->n)
        return true;
    sm_str_truncate(&w->plain, 0);
    sm_smdz_put_items(g->items, g->n, &w->plain);
    size_t list = w->plain.len;
    sm_str_addn(&w->plain, sm_str_text(&g->bytes), g->bytes.len);
    bool ok = !w->plain.failed && !g->bytes.failed;
    g->n = 0;
    sm_str_truncate(&g->bytes, 0);
    return ok ? put_frame(w, g->kind,
                          (struct sm_bytes){(const uint8_t *)w->plain.data, w->plain.len}, list,
                          err)
              : no_memory(err);
}

static bool add_item(struct writing *w, struct group *g, struct sm_smdz_item item,
                     const void *bytes, struct sm_err *err)
{
    if (!SM_VEC_ROOM(g->items, g->n, g->cap))
        return no_memory(err);
    g->items[g->n++] = item;
    sm_str_addn(&g->bytes, bytes, item.length);
    return g->bytes.len < GROUP_BYTES || end_group(w, g, err);
}

/* ---- before the values ---- */

static bool load_collections(struct sm_archive_save *s, const char *worker, struct sm_str *text,
                             int64_t *time_us, struct sm_err *err)
{
    struct sm_str path = {0};
    struct sm_stat st = {0};
    if (s->named.len) {
        *time_us = 0;
        sm_str_addn(text, s->named.data, s->named.len);
        return strcmp(worker, s->workers[0]) == 0 ? !text->failed || no_memory(err)
                                                  : sm_err_set(err, SM_ERR_MISSING, "no file");
    }
    if (sm_archive_is(s->source))
        return sm_archive_copy_collections(s->source, worker, text, time_us, err);
    sm_location_collections(&path, worker);
    bool ok = path.failed
                  ? no_memory(err)
                  : sm_source_load(s->source, sm_str_text(&path), COLLECTIONS_MAX, text, &st, err);
    *time_us = st.mtime_us;
    sm_str_clear(&path);
    return ok;
}

static bool put_worker(struct writing *w, const char *worker, const struct sm_str *text,
                       int64_t time_us, struct sm_err *err)
{
    struct sm_str plain = {0};
    sm_smdz_put_text(&plain, worker, strlen(worker));
    sm_wire_put(&plain, sm_smdz_fold(time_us));
    sm_smdz_put_text(&plain, sm_str_text(text), text->len);
    bool ok = put_text_frame(w, SM_SMDZ_COLLECTIONS, &plain, err);
    sm_str_clear(&plain);
    return ok;
}

/* Unreadable values are omitted from the archive too. */
static void note_unread(struct writing *w, const struct sm_err *why)
{
    if (!w->saved->unread++)
        w->saved->why = *why;
}

static bool put_collections(struct writing *w, struct sm_err *err)
{
    struct sm_archive_save *s = w->save;
    bool ok = true, some = false;
    for (size_t i = 0; ok && i < s->n_workers && (i < s->n_wanted || !some); i++) {
        struct sm_str text = {0};
        struct sm_err why = {0};
        int64_t time_us;
        bool loaded = load_collections(s, s->workers[i], &text, &time_us, &why);
        if (loaded)
            ok = put_worker(w, s->workers[i], &text, time_us, err);
        else if (why.code == SM_ERR_MEMORY)
            ok = no_memory(err);
        else if (why.code != SM_ERR_MISSING)
            note_unread(w, &why);
        some = some || loaded;
        sm_str_clear(&text);
    }
    return ok;
}

static bool put_steps(struct writing *w, struct sm_err *err)
{
    const struct sm_batch *b = w->save->batch;
    bool ok = true;
    for (size_t from = 0, to; ok && from < b->n_parts; from = to) {
        struct sm_str plain = {0};
        size_t entries = 0;
        for (to = from; to < b->n_parts && (to == from || entries < STEPS_ENTRIES); to++)
            entries += b->parts[to].n_values + b->parts[to].n_shapes + 1;
        ok = (sm_archive_put_steps(b, from, to, w->save->files, &plain) || no_memory(err)) &&
             put_text_frame(w, SM_SMDZ_STEPS, &plain, err);
        sm_str_clear(&plain);
    }
    return ok;
}

static bool put_about(struct writing *w, struct sm_err *err)
{
    struct sm_str plain = {0};
    const struct sm_text *findings = &w->save->info.findings;
    sm_archive_put_info(&w->save->info, &plain);
    bool ok = put_text_frame(w, SM_SMDZ_TRIAL, &plain, err);
    sm_str_clear(&plain);
    return ok && put_collections(w, err) && put_steps(w, err) &&
           (!findings->n ||
            put_frame(w, SM_SMDZ_FINDINGS,
                      (struct sm_bytes){(const uint8_t *)findings->p, findings->n}, 0, err));
}

/* ---- values ---- */

static const struct sm_batch_part *part_of(const struct writing *w,
                                           const struct sm_archive_record *r)
{
    return &w->save->batch->parts[r->part];
}

/* The first value of the record that contains this one. */
static size_t record_of(const struct writing *w, const struct sm_archive_record *r)
{
    const struct sm_batch_value *values = w->save->batch->values;
    size_t i = r->value;
    while (i > part_of(w, r)->first_value && values[i - 1].offset == values[i].offset)
        i--;
    return i;
}

static bool put_record(struct writing *w, const struct sm_archive_record *r,
                       const struct sm_tensor *t, struct sm_err *err)
{
    const struct sm_batch_value *v = &w->save->batch->values[r->value];
    uint32_t file = w->save->files[part_of(w, r)->event_file];
    size_t n = t->buffer_bytes, first = record_of(w, r);
    if (w->stored[first])
        return true;
    w->stored[first] = true;
    for (size_t at = 0, more; at < n; at += more) {
        more = n - at < SLICE_BYTES ? n - at : SLICE_BYTES;
        struct sm_smdz_item item = {
            .file = file, .offset = v->offset + at, .length = (uint32_t)more};
        if (!add_item(w, &w->values, item, (const uint8_t *)t->buffer + at, err))
            return false;
    }
    return true;
}

static bool put_facts(struct writing *w, const struct sm_archive_record *r,
                      const struct sm_facts *facts, bool left_out, struct sm_err *err)
{
    const struct sm_batch_value *v = &w->save->batch->values[r->value];
    struct sm_str bytes = {0};
    sm_facts_pack(facts, &bytes);
    struct sm_smdz_item item = {.file = w->save->files[part_of(w, r)->event_file],
                                .offset = v->offset,
                                .length = (uint32_t)bytes.len,
                                .tag = (uint32_t)v->value << 1 | left_out};
    bool ok = bytes.failed ? no_memory(err) : add_item(w, &w->stats, item, bytes.data, err);
    sm_str_clear(&bytes);
    w->saved->left_out += left_out;
    return ok;
}

static bool put_value(struct writing *w, const struct sm_archive_record *r, struct sm_read *x,
                      struct sm_err *err)
{
    double q[SM_FACTS_QUANTILES];
    bool left_out = w->save->stats_only && x->facts.n > 1,
         measured = x->facts.has_stats && x->length >= MEASURED_BYTES;
    x->facts.dims = x->dims;
    if (left_out && x->facts.has_stats && x->facts.stats.finite) {
        if (!sm_summary_quantiles(x->tensor, q, err))
            return false;
        x->facts.quantiles = q;
    }
    return (left_out || put_record(w, r, x->tensor, err)) &&
           ((!left_out && !measured) || put_facts(w, r, &x->facts, left_out, err));
}

static struct sm_read request(const struct writing *w, const struct sm_archive_record *r,
                              const char *path)
{
    const struct sm_batch_value *v = &w->save->batch->values[r->value];
    return (struct sm_read){.path = path,
                            .offset = v->offset,
                            .length = v->length,
                            .value = v->value,
                            .want = r->left_out ? SM_WANT_STATS : SM_WANT_STATS | SM_WANT_TENSOR};
}

static const struct sm_err *name_place(struct sm_read *x)
{
    if (x->path) {
        sm_err_strip(&x->err, x->path);
        sm_err_prefix(&x->err, "%s at offset %llu", x->path, (unsigned long long)x->offset);
    }
    return &x->err;
}

static bool save_scalar(struct writing *w, const struct sm_archive_record *r, struct sm_err *err)
{
    struct sm_str record = {0};
    struct sm_tensor *t;
    if (!sm_archive_scalar_record(w->save, r, &record)) {
        sm_str_clear(&record);
        return no_memory(err);
    }
    if (!sm_tensor_from_record((uint8_t *)record.data, record.len, false, 0, &t, err))
        return false;
    bool ok = put_record(w, r, t, err);
    w->saved->values += ok;
    sm_tensor_unref(t);
    return ok;
}

static bool save_record(struct writing *w, const struct sm_archive_record *r, struct sm_file *file,
                        struct sm_err *err)
{
    uint32_t name = part_of(w, r)->event_file;
    const char *path = name == SM_NAME_NONE ? NULL : sm_names_text(w->save->batch->names, name);
    struct sm_read x = request(w, r, path);
    bool ok = true;
    if (!path)
        sm_err_set(&x.err, SM_ERR_DATA, "the index names no usable event file");
    else if (file->path == path || sm_file_open(file, w->save->source, path, &x.err))
        sm_read_record(file, SM_CHECKSUM_AUTO, &x, &w->scratch);
    if (!x.ok && x.err.code == SM_ERR_MEMORY)
        ok = sm_err_set(err, SM_ERR_MEMORY, "%s", x.err.msg);
    else if (!x.ok)
        note_unread(w, name_place(&x));
    else
        ok = r->left_out ? put_facts(w, r, (x.facts.dims = x.dims, &x.facts), true, err)
                         : put_value(w, r, &x, err);
    w->saved->values += x.ok;
    sm_tensor_unref(x.tensor);
    return ok;
}

static bool save_records(struct writing *w, const atomic_bool *cancelled, atomic_ulong *left,
                         struct sm_err *err)
{
    const struct sm_archive_save *s = w->save;
    struct sm_file file = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < s->n_records; i++) {
        bool other = i && s->records[i].tensor != s->records[i - 1].tensor;
        if (atomic_load(cancelled))
            ok = sm_err_set(err, SM_ERR_CANCELLED, "cancelled");
        ok = ok && (!other || (end_group(w, &w->values, err) && end_group(w, &w->stats, err))) &&
             (s->records[i].scalar ? save_scalar(w, &s->records[i], err)
                                   : save_record(w, &s->records[i], &file, err));
        atomic_fetch_sub(left, 1);
    }
    sm_file_close(&file);
    return ok && end_group(w, &w->values, err) && end_group(w, &w->stats, err);
}

/* ---- index and footer ---- */

static bool put_index(struct writing *w, struct sm_err *err)
{
    uint8_t footer[SM_SMDZ_FOOTER];
    uint64_t at = w->at;
    uint32_t frames = 0;
    const uint8_t *p = (const uint8_t *)sm_str_text(&w->index);
    for (size_t from = 0, i = 0; from < w->index.len; i++, frames++) {
        size_t to = i < w->n_cuts ? w->cuts[i] : w->index.len;
        if (!put_frame(w, SM_SMDZ_INDEX, (struct sm_bytes){p + from, to - from}, 0, err))
            return false;
        from = to;
    }
    sm_smdz_put_footer(at, frames, footer);
    return put_bytes(w, footer, sizeof footer, err);
}

static bool put_all(struct writing *w, const atomic_bool *cancelled, atomic_ulong *left,
                    struct sm_err *err)
{
    uint8_t header[SM_SMDZ_HEADER];
    sm_smdz_put_header(header);
    return put_bytes(w, header, sizeof header, err) && put_about(w, err) &&
           save_records(w, cancelled, left, err) && put_index(w, err);
}

static void clear(struct writing *w)
{
    struct group *const groups[] = {&w->values, &w->stats};
    struct sm_str *const texts[] = {&w->plain, &w->packed, &w->index, &w->values.bytes,
                                    &w->stats.bytes};
    for (size_t i = 0; i < 2; i++)
        sm_free(groups[i]->items);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sm_str_clear(texts[i]);
    sm_free(w->cuts);
    sm_free(w->stored);
    sm_free(w->scratch.bytes);
}

/* Closes fd once it is a file. */
static bool write_file(struct writing *w, int *fd, const atomic_bool *cancelled, atomic_ulong *left,
                       struct sm_err *err)
{
    w->stored = sm_alloc_zero(w->save->batch->n_values + 1, 1);
    if (!w->stored)
        return no_memory(err);
    w->file = fdopen(*fd, "w");
    if (!w->file)
        return sm_err_errno(err, "%s", w->name);
    *fd = -1;
    bool ok = put_all(w, cancelled, left, err);
    if (fclose(w->file) != 0 && ok)
        ok = sm_err_errno(err, "%s", w->name);
    return ok;
}

bool sm_archive_save_run(struct sm_archive_save *s, const char *path, const atomic_bool *cancelled,
                         atomic_ulong *left, struct sm_archive_saved *out, struct sm_err *err)
{
    struct sm_replacement file;
    struct writing w = {.save = s,
                        .saved = out,
                        .values.kind = SM_SMDZ_VALUES,
                        .stats.kind = SM_SMDZ_STATS,
                        .name = path};
    *out = (struct sm_archive_saved){
        .steps = s->n_steps, .tensors = s->n_tensors, .trial_bytes = s->info.bytes};
    if (!sm_replacement_begin(&file, path, 0666))
        return sm_err_errno(err, "%s", path);
    bool ok = write_file(&w, &file.fd, cancelled, left, err);
    if (!sm_replacement_end(&file, ok) && ok)
        ok = sm_err_errno(err, "%s", path);
    out->bytes = w.at;
    clear(&w);
    return ok;
}
