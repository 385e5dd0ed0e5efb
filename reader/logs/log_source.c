/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/log_source.h"

#include "reader/base/map.h"
#include "reader/base/vec.h"
#include "reader/format/tfrecord.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* A value in the file that is not stored. */
struct place {
    uint64_t at, length;
    uint64_t offset; /* of its origin */
    int64_t step;
    double time;
    uint32_t tag, file, key; /* names */
};
struct source_log {
    struct sm_source base;
    struct sm_source *files;
    sm_log_make *make;
    pthread_mutex_t lock; /* of all below */
    struct sm_names *names;
    struct place *places; /* by `at` */
    size_t n, cap;
    uint64_t size;
    uint64_t made_at; /* of the record in `made` */
    struct sm_str made;
};

/* ---- making a record ---- */

static bool write_record(struct sm_text tag, int64_t step, double time,
                         const struct sm_event_value *v, struct sm_str *out, struct sm_err *err)
{
    struct sm_str payload = {0};
    struct sm_event_value tagged = *v;
    tagged.tag = tag;
    struct sm_event e = {
        .wall_time = isfinite(time) ? time : 0, .step = step, .values = &tagged, .n_values = 1};
    bool ok = sm_event_write(&payload, &e, err);
    if (ok)
        sm_frame_write(out, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
    sm_str_clear(&payload);
    return ok && (!out->failed || sm_err_set(err, SM_ERR_MEMORY, "no memory for a value"));
}

/* Names live as long as the source. */
static bool make_record(struct source_log *s, const struct place *p, const char *tag,
                        const struct sm_log_origin *from, struct sm_str *out, struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_event_value v = {0};
    bool ok = s->make(s->files, from, &arena, &v, err) &&
              write_record(sm_text(tag), p->step, p->time, &v, out, err);
    if (ok && out->len != p->length)
        ok = sm_err_set(err, SM_ERR_DATA, "%s: the value is not what it was", from->file);
    sm_arena_clear(&arena);
    return ok;
}

/* ---- reading ---- */

/* The place that has the offset; NULL: none. With the lock. */
static const struct place *place_at(const struct source_log *s, uint64_t offset)
{
    size_t lo = 0, hi = s->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->places[mid].at + s->places[mid].length <= offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->n && s->places[lo].at <= offset ? &s->places[lo] : NULL;
}

static size_t copy_from(const struct sm_str *record, uint64_t at, uint64_t offset, void *buf,
                        size_t n)
{
    size_t skip = (size_t)(offset - at), there = record->len - skip;
    n = n < there ? n : there;
    memcpy(buf, record->data + skip, n);
    return n;
}

/* Keeps the record, since a large one is read in pieces. Takes its bytes over. */
static void keep_record(struct source_log *s, uint64_t at, struct sm_str *record)
{
    pthread_mutex_lock(&s->lock);
    struct sm_str old = s->made;
    s->made = *record;
    s->made_at = at;
    pthread_mutex_unlock(&s->lock);
    *record = old;
}

/* Some of the bytes from `offset` on; *got is 0 at the end. */
static bool read_some(struct source_log *s, uint64_t offset, void *buf, size_t n, size_t *got,
                      struct sm_err *err)
{
    struct sm_str record = {0};
    struct sm_log_origin from = {0};
    const char *tag = NULL;
    struct place p = {0};
    *got = 0;
    pthread_mutex_lock(&s->lock);
    bool kept = s->made.len && s->made_at <= offset && offset - s->made_at < s->made.len;
    const struct place *found = kept ? NULL : place_at(s, offset);
    if (kept)
        *got = copy_from(&s->made, s->made_at, offset, buf, n);
    if (found) {
        p = *found;
        tag = sm_names_text(s->names, p.tag);
        from = (struct sm_log_origin){sm_names_text(s->names, p.file), p.offset,
                                      sm_names_text(s->names, p.key)};
    }
    pthread_mutex_unlock(&s->lock);
    if (!found)
        return true;
    bool ok = make_record(s, &p, tag, &from, &record, err);
    if (ok)
        *got = copy_from(&record, p.at, offset, buf, n);
    if (ok)
        keep_record(s, p.at, &record);
    sm_str_clear(&record);
    return ok;
}

static bool is_values(const char *path)
{
    return strcmp(path, SM_LOG_VALUES) == 0;
}

static struct source_log *log_of(struct sm_source *s)
{
    return (struct source_log *)s;
}

static bool log_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                     size_t *got, struct sm_err *err)
{
    if (!is_values(path))
        return sm_source_read(log_of(s)->files, path, offset, buf, n, got, err);
    *got = 0;
    for (size_t more = 1; more && *got < n; *got += more)
        if (!read_some(log_of(s), offset + *got, (char *)buf + *got, n - *got, &more, err))
            return false;
    return true;
}

/* ---- the other operations ---- */

static bool log_list(struct sm_source *s, const char *dir,
                     bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                     void *ctx, struct sm_err *err)
{
    return sm_source_list(log_of(s)->files, dir, each, ctx, err);
}

static bool log_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err)
{
    if (!is_values(path))
        return sm_source_stat(log_of(s)->files, path, out, err);
    pthread_mutex_lock(&log_of(s)->lock);
    *out = (struct sm_stat){.size_bytes = log_of(s)->size, .inode = 1};
    pthread_mutex_unlock(&log_of(s)->lock);
    return true;
}

static bool log_slurp(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                      struct sm_stat *st, struct sm_err *err)
{
    if (is_values(path))
        return sm_err_set(err, SM_ERR_REFUSED, "%s: not a file", path);
    return sm_source_load(log_of(s)->files, path, limit, out, st, err);
}

static bool log_open(struct sm_source *s, const char *path, int *fd, struct sm_err *err)
{
    *fd = -1;
    return is_values(path) || sm_source_open(log_of(s)->files, path, fd, err);
}

static int64_t log_beat_us(struct sm_source *s)
{
    return sm_source_beat_us(log_of(s)->files);
}

static void log_free(struct sm_source *s)
{
    struct source_log *l = log_of(s);
    sm_names_free(l->names);
    sm_free(l->places);
    sm_str_clear(&l->made);
    pthread_mutex_destroy(&l->lock);
    sm_source_unref(l->files);
    sm_free(l);
}

static const struct sm_source_ops log_ops = {
    .list = log_list,
    .stat = log_stat,
    .read = log_read,
    .free = log_free,
    .slurp = log_slurp,
    .open = log_open,
    .beat_us = log_beat_us,
};

struct sm_source *sm_log_source_new(struct sm_source *files, sm_log_make *make, struct sm_err *err)
{
    struct source_log *l = sm_alloc_zero(1, sizeof *l);
    struct sm_names *names = sm_names_new();
    if (!l || !names || !sm_source_init(&l->base, &log_ops, files->root)) {
        sm_free(l);
        sm_names_free(names);
        sm_err_set(err, SM_ERR_MEMORY, "no memory");
        return NULL;
    }
    l->files = sm_source_ref(files);
    l->make = make;
    l->names = names;
    pthread_mutex_init(&l->lock, NULL);
    return &l->base;
}

/* With the lock. */
static bool add_place(struct source_log *l, const struct sm_log_record *r, uint64_t length)
{
    struct place p = {.at = l->size,
                      .length = length,
                      .offset = r->from.offset,
                      .step = r->step,
                      .time = r->time,
                      .tag = sm_names_add(l->names, r->tag.p, r->tag.n),
                      .file = sm_names_add(l->names, r->from.file, strlen(r->from.file)),
                      .key = sm_names_add(l->names, r->from.key, strlen(r->from.key))};
    if (p.tag == SM_NAME_NONE || p.file == SM_NAME_NONE || p.key == SM_NAME_NONE ||
        !SM_VEC_ROOM(l->places, l->n, l->cap))
        return false;
    l->places[l->n++] = p;
    l->size += length;
    return true;
}

bool sm_log_source_add(struct sm_source *s, const struct sm_log_record *r,
                       const struct sm_event_value *v, uint64_t *offset, uint64_t *length)
{
    struct sm_str record = {0};
    struct sm_err err;
    if (s->ops != &log_ops)
        return false;
    bool ok = write_record(r->tag, r->step, r->time, v, &record, &err);
    pthread_mutex_lock(&log_of(s)->lock);
    *offset = log_of(s)->size;
    *length = record.len;
    ok = ok && add_place(log_of(s), r, record.len);
    pthread_mutex_unlock(&log_of(s)->lock);
    sm_str_clear(&record);
    return ok;
}
