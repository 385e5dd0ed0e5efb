/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trace/trace_set.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/trace/trace_file.h"
#include "reader/trace/trace_name.h"
#include "reader/trace/trace_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READS = 3, HEAD_BYTES = 16 * 1024 };

/* listing --> reading, up to READS files at a time --> read */
struct read_job {
    struct sm_job job;
    struct sm_trace_set *set;
    size_t item;
    struct sm_trace_file file;
    struct sm_memory_snapshot snapshot;
    struct sm_flight flight;
};
struct list_job {
    struct sm_job job;
    struct sm_trace_set *set;
    struct sm_err err;
};
struct sm_trace_set {
    struct sm_source *source;
    struct sm_pool *pool;
    char *member;
    enum sm_trace_format format;
    struct list_job list;
    struct sm_trace_item *items;
    size_t n, cap, next, n_read, running;
    struct sm_problems problems;
    bool listing, closing, changed, read, started;
};

/* ---- formats ---- */

static void read_trace(struct read_job *r)
{
    sm_trace_file_read(&r->file);
}

static void read_snapshot(struct read_job *r)
{
    struct sm_trace_file *f = &r->file;
    f->err_at = -1;
    sm_memory_snapshot_read(f->source, f->path, &r->snapshot, &f->err);
}

static void read_flight(struct read_job *r)
{
    struct sm_trace_file *f = &r->file;
    f->err_at = -1;
    sm_flight_read(f->source, f->path, &r->flight, &f->err);
}

static const struct format {
    bool (*is_name)(const char *name);
    bool (*looks_like)(const char *p, size_t n);
    void (*read)(struct read_job *r); /* in a worker */
    bool folders;                     /* files are in folders iteration_N, too */
} formats[] = {
    {sm_trace_is_name, sm_trace_looks_like, read_trace, false},
    {sm_trace_is_pickle_name, sm_memory_snapshot_looks_like, read_snapshot, true},
    {sm_trace_is_dump_name, sm_flight_looks_like, read_flight, false},
};

/* What is a trace by its name, or by the name and a head that is compressed. */
static bool is_named_trace(const char *path, const char *head, size_t got)
{
    static const char ending[] = ".trace.json";
    size_t n = sm_source_plain_name(path), e = sizeof ending - 1;
    bool packed = got > 2 && memcmp(head, "\x1f\x8b", 2) == 0;
    return (n > e && memcmp(path + n - e, ending, e) == 0) || (packed && strstr(path, "trace"));
}

bool sm_trace_is_file(struct sm_source *source, const char *path, enum sm_trace_format format)
{
    const struct format *f = &formats[format];
    struct sm_err err = {0};
    size_t got = 0;
    char *head = f->is_name(path) ? sm_alloc(HEAD_BYTES) : NULL;
    if (!head)
        return false;
    sm_source_read(source, path, 0, head, HEAD_BYTES, &got, &err);
    bool ok =
        f->looks_like(head, got) || (format == SM_TRACE_KINETO && is_named_trace(path, head, got));
    sm_free(head);
    return ok;
}

bool sm_trace_is_folder(const char *name, enum sm_trace_format format)
{
    return formats[format].folders && strncmp(name, "iteration_", 10) == 0;
}

/* ---- open and close ---- */

static void free_set(struct sm_trace_set *s)
{
    for (size_t i = 0; i < s->n; i++) {
        sm_trace_data_clear(&s->items[i].trace);
        sm_memory_snapshot_clear(&s->items[i].snapshot);
        sm_flight_clear(&s->items[i].flight);
        sm_free(s->items[i].path);
    }
    sm_free(s->items);
    sm_problems_clear(&s->problems);
    sm_source_unref(s->source);
    sm_free(s->member);
    sm_free(s);
}

struct sm_trace_set *sm_trace_set_new(struct sm_source *source, const char *member,
                                      enum sm_trace_format format, struct sm_pool *pool)
{
    struct sm_trace_set *s = sm_alloc_zero(1, sizeof *s);
    if (!s)
        return NULL;
    s->source = sm_source_ref(source);
    s->pool = pool;
    s->format = format;
    s->member = member ? sm_strdup(member) : NULL;
    if (!member || s->member)
        return s;
    free_set(s);
    return NULL;
}

static void end_closed(struct sm_trace_set *s)
{
    if (s->closing && !s->running && !s->listing)
        free_set(s);
}

void sm_trace_set_close(struct sm_trace_set *s)
{
    if (!s)
        return;
    s->closing = true;
    end_closed(s);
}

/* ---- reading ---- */

static void read_run(struct sm_job *job)
{
    struct read_job *r = (struct read_job *)job;
    formats[r->set->format].read(r);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Snapshots of torchtitan begin with six digits of the rank. */
static int64_t rank_of_name(const struct sm_trace_set *s, const char *name)
{
    char *end;
    long n = s->format == SM_TRACE_SNAPSHOT ? strtol(name, &end, 10) : -1;
    return n >= 0 && end == name + 6 && *end == '_' ? n : sm_trace_name_rank(name);
}

static void take(struct sm_trace_set *s, struct read_job *r)
{
    struct sm_trace_item *x = &s->items[r->item];
    x->trace = r->file.trace;
    x->snapshot = r->snapshot;
    x->flight = r->flight;
    x->step = sm_trace_name_step(base_name(x->path));
    int64_t named = rank_of_name(s, base_name(x->path));
    x->rank = x->trace.names && x->trace.rank >= 0 ? x->trace.rank : named;
    x->named = x->rank >= 0;
    if (r->file.err.code)
        sm_problems_add(&s->problems, x->path, r->file.err_at, &r->file.err);
}

static void start_reads(struct sm_trace_set *s);

static void read_done(struct sm_job *job)
{
    struct read_job *r = (struct read_job *)job;
    struct sm_trace_set *s = r->set;
    s->running--;
    s->n_read++;
    s->changed = true;
    if (s->closing) {
        sm_trace_data_clear(&r->file.trace);
        sm_memory_snapshot_clear(&r->snapshot);
        sm_flight_clear(&r->flight);
    } else {
        take(s, r);
    }
    sm_free(r);
    if (s->closing)
        end_closed(s);
    else
        start_reads(s);
}

static int by_rank(const void *a, const void *b)
{
    const struct sm_trace_item *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return sm_natural_cmp(x->path, y->path);
}

static int by_path(const void *a, const void *b)
{
    const struct sm_trace_item *x = a, *y = b;
    return sm_natural_cmp(x->path, y->path);
}

/* Files that held nothing go; those without a rank are numbered in the order of their names. */
static void settle(struct sm_trace_set *s)
{
    size_t n = 0;
    int64_t ordinal = 0;
    for (size_t i = 0; i < s->n; i++) {
        bool any = (s->items[i].trace.names && s->items[i].trace.objects) ||
                   s->items[i].snapshot.names || s->items[i].flight.n;
        if (!any) {
            sm_trace_data_clear(&s->items[i].trace);
            sm_flight_clear(&s->items[i].flight);
            sm_free(s->items[i].path);
            continue;
        }
        s->items[n] = s->items[i];
        s->items[n].rank = s->items[n].named ? s->items[n].rank : ordinal++;
        snprintf(s->items[n].worker, sizeof s->items[n].worker, "rank_%lld",
                 (long long)s->items[n].rank);
        n++;
    }
    s->n = n;
    if (n)
        qsort(s->items, n, sizeof *s->items, by_rank);
    s->read = true;
}

static void start_reads(struct sm_trace_set *s)
{
    struct sm_err err;
    while (s->running < READS && s->next < s->n) {
        struct read_job *r = sm_alloc_zero(1, sizeof *r);
        size_t at = s->next++;
        if (!r) {
            sm_err_set(&err, SM_ERR_MEMORY, "no memory to read a trace");
            sm_problems_add(&s->problems, s->items[at].path, -1, &err);
            continue;
        }
        r->set = s;
        r->item = at;
        r->file = (struct sm_trace_file){.source = s->source, .path = s->items[at].path};
        r->file.cancelled = &r->job.cancelled;
        r->job.run = read_run;
        r->job.done = read_done;
        r->job.urgency = SM_URGENCY_SHOWN;
        s->running++;
        sm_pool_submit(s->pool, &r->job);
    }
    if (!s->running)
        settle(s);
}

/* ---- the list ---- */

/* A listing, of the root or of a folder in it. */
struct listing {
    struct sm_trace_set *set;
    const char *folder;       /* "" */
    struct sm_names *folders; /* found; NULL: none are looked for */
};

static bool add_file(const struct listing *l, const char *name)
{
    struct sm_trace_set *s = l->set;
    struct sm_str path = {0};
    sm_str_printf(&path, "%s%s%s", l->folder, *l->folder ? "/" : "", name);
    char *copy =
        !path.failed && SM_VEC_ROOM(s->items, s->n, s->cap) ? sm_strdup(sm_str_text(&path)) : NULL;
    sm_str_clear(&path);
    if (!copy)
        return false;
    s->items[s->n++] = (struct sm_trace_item){.path = copy, .rank = -1, .step = -1};
    return s->n < SM_TRACE_FILES_MAX;
}

static bool note_file(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    const struct listing *l = ctx;
    const struct sm_trace_set *s = l->set;
    (void)inode;
    if (is_dir && l->folders && sm_trace_is_folder(name, s->format))
        sm_names_add(l->folders, name, strlen(name));
    if (is_dir || *name == '.' || !formats[s->format].is_name(name))
        return true;
    size_t n = sm_source_plain_name(name);
    if (s->member && (strlen(s->member) != n || memcmp(s->member, name, n) != 0))
        return true;
    return add_file(l, name);
}

static void list_files(struct sm_trace_set *s, struct sm_err *err)
{
    struct listing l = {.set = s, .folder = "", .folders = s->member ? NULL : sm_names_new()};
    struct sm_names *folders = l.folders;
    if (!sm_source_list(s->source, "", note_file, &l, err))
        folders = NULL;
    for (uint32_t i = 0; folders && i < sm_names_count(folders); i++) {
        struct listing inner = {.set = s, .folder = sm_names_text(folders, i)};
        struct sm_err later = {0};
        sm_source_list(s->source, inner.folder, note_file, &inner, &later);
    }
    sm_names_free(l.folders);
}

/* In a worker: names first, then what their files begin with. */
static void list_run(struct sm_job *job)
{
    struct list_job *l = (struct list_job *)job;
    struct sm_trace_set *s = l->set;
    size_t n = 0;
    list_files(s, &l->err);
    for (size_t i = 0; i < s->n; i++) {
        char *path = s->items[i].path, *plain = sm_strndup(path, sm_source_plain_name(path));
        if (plain && (s->member || sm_trace_is_file(s->source, plain, s->format)))
            s->items[n++] = s->items[i];
        else
            sm_free(path);
        sm_free(plain);
    }
    s->n = n;
    if (n)
        qsort(s->items, n, sizeof *s->items, by_path);
}

static void list_done(struct sm_job *job)
{
    struct sm_trace_set *s = ((struct list_job *)job)->set;
    s->listing = false;
    s->changed = true;
    if (s->list.err.code)
        sm_problems_add(&s->problems, ".", -1, &s->list.err);
    if (s->closing)
        end_closed(s);
    else
        start_reads(s);
}

bool sm_trace_set_pump(struct sm_trace_set *s)
{
    bool changed = s->changed;
    if (!s->started) {
        s->started = s->listing = true;
        s->list = (struct list_job){
            .set = s, .job = {.run = list_run, .done = list_done, .urgency = SM_URGENCY_SHOWN}};
        sm_pool_submit(s->pool, &s->list.job);
    }
    s->changed = false;
    return changed;
}

bool sm_trace_set_is_due(const struct sm_trace_set *s)
{
    return !s->started || s->changed;
}

enum sm_trace_format sm_trace_set_format(const struct sm_trace_set *s)
{
    return s->format;
}

bool sm_trace_set_is_read(const struct sm_trace_set *s)
{
    return s->read;
}

bool sm_trace_set_ready(const struct sm_trace_set *s, struct sm_err *err)
{
    if (!s || s->read)
        return true;
    int percent = s->listing || !s->n ? 0 : (int)(100 * s->n_read / s->n);
    return sm_err_set(err, SM_ERR_WAIT, "reading the traces, %d %%", percent);
}

size_t sm_trace_set_count(const struct sm_trace_set *s)
{
    return s->read ? s->n : 0;
}

const struct sm_trace_item *sm_trace_set_item(const struct sm_trace_set *s, size_t i)
{
    return &s->items[i];
}

const struct sm_problems *sm_trace_set_problems(const struct sm_trace_set *s)
{
    return &s->problems;
}

int64_t sm_trace_set_world(const struct sm_trace_set *s)
{
    int64_t world = 0;
    for (size_t i = 0; i < sm_trace_set_count(s); i++)
        world = s->items[i].trace.world_size > world ? s->items[i].trace.world_size : world;
    return world;
}
