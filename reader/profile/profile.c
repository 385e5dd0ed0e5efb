/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/profile.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/profile/profile_read.h"
#include "reader/s3/source_s3.h"
#include "reader/source/watch.h"

#include <stdlib.h>
#include <string.h>

enum {
    READS = 3,          /* pieces that are read at the same time */
    MERGE_WORK = 65536, /* rows and events merged in a turn of the loop: a few milliseconds */
    BEAT_FAST_US = 1000000,
    BEAT_SLOW_US = 5000000,
    BEAT_SURE_US = 30 * 1000000, /* events tell of news */
    PAUSE_US = 100000,           /* from one look to the next that an event asks for */
    QUIET_US = 60 * 1000000
};

/* idle --deadline--> listing --> reading pieces, merged in the order of the queue --> idle */
struct read_job {
    struct sm_job job;
    struct sm_profile *profile;
    uint32_t file;
    bool done;
    struct sm_profile_piece piece;
    struct sm_metric_merge metrics;
    struct sm_event_merge events;
};
struct list_job {
    struct sm_job job;
    struct sm_profile *profile;
};
struct sm_profile {
    struct sm_source *source;
    struct sm_pool *pool;
    struct sm_names *names, *nodes; /* nodes: as files.nodes, which a list may change */
    struct sm_names *python;        /* paths of Python's profiles */
    struct sm_profile_files files;
    struct sm_metric_store metrics;
    struct sm_event_store events;
    struct sm_problems problems;
    struct sm_profile_counts counts;
    struct list_job list;
    struct read_job reads[READS];             /* a ring */
    size_t first_read, n_reads, next, queued; /* next: in the queue, which has `queued` files */
    struct sm_watch *watch; /* of the folders in which files may come; NULL: it only looks */
    int64_t deadline_us, quiet_since_us, looked_us;
    uint64_t version;
    bool follow, listing, closing, changed, read, due, noted, no_memory, ended;
};

/* ---- events of folders ---- */

static void on_event(void *ctx, unsigned tag, const char *name)
{
    (void)tag;
    (void)name;
    ((struct sm_profile *)ctx)->noted = true;
}

static void watch_folder(void *ctx, const char *folder)
{
    struct sm_profile *p = ctx;
    struct sm_str path = {0};
    sm_str_printf(&path, "%s/%s", p->source->root, folder);
    if (!path.failed && sm_watch_add(p->watch, sm_str_text(&path), 0, NULL))
        p->noted = true; /* what came before it was watched */
    sm_str_clear(&path);
}

static void watch_folders(struct sm_profile *p)
{
    if (p->follow && !p->watch)
        p->watch = sm_watch_new(on_event, p, NULL);
    if (p->watch)
        sm_profile_files_open_folders(&p->files, watch_folder, p);
}

/* ---- open and close ---- */

static void free_profile(struct sm_profile *p)
{
    sm_profile_files_clear(&p->files);
    sm_metric_store_clear(&p->metrics);
    sm_event_store_clear(&p->events);
    sm_problems_clear(&p->problems);
    sm_names_free(p->names);
    sm_names_free(p->nodes);
    sm_names_free(p->python);
    sm_source_unref(p->source);
    sm_free(p);
}

struct sm_profile *sm_profile_new(const char *root, struct sm_pool *pool, bool follow,
                                  struct sm_err *err)
{
    struct sm_profile *p = sm_alloc_zero(1, sizeof *p);
    if (!p) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for a profile");
        return NULL;
    }
    p->source = sm_source_files_new(root, err);
    p->pool = pool;
    p->follow = follow;
    p->due = true;
    p->names = p->metrics.names = p->events.names = sm_names_new();
    p->nodes = sm_names_new();
    p->python = sm_names_new();
    p->quiet_since_us = sm_clock_mono_us();
    if (p->source && p->names && p->nodes && p->python &&
        sm_profile_files_init(&p->files, p->source))
        return p;
    if (p->source)
        sm_err_set(err, SM_ERR_MEMORY, "no memory for a profile");
    free_profile(p);
    return NULL;
}

static void drop_reads(struct sm_profile *p);

static bool is_busy(const struct sm_profile *p)
{
    return p->listing || p->n_reads;
}

void sm_profile_close(struct sm_profile *p)
{
    if (!p)
        return;
    p->closing = true;
    sm_watch_free(p->watch);
    p->watch = NULL;
    drop_reads(p);
}

/* ---- pieces ---- */

static void read_run(struct sm_job *job)
{
    sm_profile_piece_read(&((struct read_job *)job)->piece);
}

/* Merging waits for the next pump, which has a budget. */
static void read_done(struct sm_job *job)
{
    struct read_job *r = (struct read_job *)job;
    r->done = true;
    if (r->profile->closing)
        drop_reads(r->profile);
}

static void submit(struct sm_profile *p, struct read_job *r, uint32_t file)
{
    const struct sm_profile_file *f = &p->files.items[file];
    *r = (struct read_job){.profile = p, .file = file};
    r->piece.file = *f;
    r->piece.source = p->source;
    r->piece.node = sm_names_text(p->files.nodes, f->node);
    r->piece.growing = p->follow && !p->ended;
    r->job.run = read_run;
    r->job.done = read_done;
    r->job.urgency = SM_URGENCY_SHOWN;
    sm_pool_submit(p->pool, &r->job);
}

static void submit_reads(struct sm_profile *p)
{
    while (p->n_reads < READS && p->next < p->queued) {
        struct read_job *r = &p->reads[(p->first_read + p->n_reads++) % READS];
        submit(p, r, p->files.queue[p->next++]);
    }
}

static void report(struct sm_profile *p, const char *path, int64_t offset, const struct sm_err *err)
{
    sm_problems_add(&p->problems, path, offset, err);
    p->changed = true;
}

static void report_lines(struct sm_profile *p, const struct read_job *r)
{
    const struct sm_metric_batch *m = &r->piece.metrics;
    const struct sm_event_batch *e = &r->piece.events;
    struct sm_err err;
    p->counts.not_finite += m->not_finite;
    p->counts.bad_rows += m->bad;
    p->counts.bad_events += e->bad;
    if (m->bad) {
        sm_err_set(&err, SM_ERR_DATA, "%s (bad lines: %llu)", m->why.msg,
                   (unsigned long long)m->bad);
        report(p, r->piece.file.path, (int64_t)(r->piece.file.offset + m->bad_at), &err);
    }
    if (e->bad) {
        sm_err_set(&err, SM_ERR_DATA, "an object that is no event (%llu of them)",
                   (unsigned long long)e->bad);
        report(p, r->piece.file.path, (int64_t)e->bad_at, &err);
    }
}

/* Records how far the file was read. Returns whether it goes on. */
static bool settle(struct sm_profile *p, struct read_job *r)
{
    struct sm_profile_file *f = &p->files.items[r->file];
    f->timeline = r->piece.file.timeline;
    if (r->piece.head.len) {
        sm_str_clear(&f->head);
        f->head = r->piece.head;
        r->piece.head = (struct sm_str){0};
    }
    report_lines(p, r);
    if (r->piece.err.code && r->piece.err.code != SM_ERR_MISSING)
        report(p, f->path, -1, &r->piece.err);
    p->no_memory = p->no_memory || r->piece.err.code == SM_ERR_MEMORY;
    f->offset += r->piece.used;
    f->seen_bytes = r->piece.seen_bytes;
    f->over = f->over || (f->packed && !r->piece.more) ||
              (r->piece.failed && r->piece.err.code != SM_ERR_IO);
    return r->piece.more && !r->piece.failed;
}

static void drop_first(struct sm_profile *p)
{
    struct read_job *r = &p->reads[p->first_read];
    sm_metric_merge_clear(&r->metrics);
    sm_event_merge_clear(&r->events);
    sm_profile_piece_clear(&r->piece);
    p->first_read = (p->first_read + 1) % READS;
    p->n_reads--;
}

/* When closing: the timelines go back to their files, which free them. The last job to return frees
 * the profile. */
static void drop_reads(struct sm_profile *p)
{
    while (p->n_reads && p->reads[p->first_read].done) {
        struct read_job *r = &p->reads[p->first_read];
        p->files.items[r->file].timeline = r->piece.file.timeline;
        drop_first(p);
    }
    if (!is_busy(p))
        free_profile(p);
}

/* False: there is more to merge than the work allows. */
static bool merge_piece(struct sm_profile *p, struct read_job *r, size_t *work)
{
    bool done = true, done_events = true, ok;
    uint16_t node = r->piece.file.node < UINT16_MAX ? (uint16_t)r->piece.file.node : UINT16_MAX;
    ok = sm_metric_store_merge(&p->metrics, &r->piece.metrics, &r->metrics, work, &done) &&
         sm_event_store_merge(&p->events, &r->piece.events, node, &r->events, work, &done_events);
    p->changed = true;
    if (!ok && !p->no_memory) {
        p->no_memory = true;
        sm_err_set(&r->piece.err, SM_ERR_MEMORY, "no memory for all of the profile");
    }
    return !ok || (done && done_events);
}

static void end_scan(struct sm_profile *p)
{
    int64_t now = sm_clock_mono_us();
    bool news = p->queued;
    p->queued = 0;
    p->quiet_since_us = news ? now : p->quiet_since_us;
    p->looked_us = now;
    p->deadline_us = now + (p->watch && sm_watch_is_sure(p->watch) ? BEAT_SURE_US
                            : now - p->quiet_since_us > QUIET_US   ? BEAT_SLOW_US
                                                                   : BEAT_FAST_US);
    p->changed = p->changed || !p->read;
    p->read = true;
}

/* Pieces are merged in the order of the queue; a file that goes on is read on in its turn. */
static void merge_reads(struct sm_profile *p)
{
    size_t work = MERGE_WORK;
    while (p->n_reads && p->reads[p->first_read].done && work) {
        struct read_job *r = &p->reads[p->first_read];
        if (!merge_piece(p, r, &work))
            return;
        if (settle(p, r)) {
            sm_profile_piece_clear(&r->piece);
            submit(p, r, r->file);
            continue;
        }
        drop_first(p);
        submit_reads(p);
    }
}

/* ---- lists ---- */

static void list_run(struct sm_job *job)
{
    sm_profile_files_list(&((struct list_job *)job)->profile->files);
}

/* What a list found out; the next one may change it at any time. */
static void take_list(struct sm_profile *p)
{
    const struct sm_profile_files *f = &p->files;
    for (uint32_t i = sm_names_count(p->nodes); i < sm_names_count(f->nodes); i++)
        sm_names_add(p->nodes, sm_names_text(f->nodes, i), sm_names_length(f->nodes, i));
    p->counts.metric_files = f->n_of[SM_PROFILE_METRICS];
    p->counts.timeline_files = f->n_of[SM_PROFILE_TIMELINE];
    for (uint32_t i = sm_names_count(p->python); i < sm_names_count(f->python); i++)
        sm_names_add(p->python, sm_names_text(f->python, i), sm_names_length(f->python, i));
    p->counts.python_profiles = sm_names_count(p->python);
    p->ended = f->ended;
    p->queued = f->n_queue;
    for (size_t i = 0; i < p->files.problems.n; i++) {
        const struct sm_problem *x = &p->files.problems.items[i];
        struct sm_err err;
        sm_err_set(&err, x->code, "%s", x->message);
        report(p, x->file, x->offset, &err);
    }
    sm_problems_clear(&p->files.problems);
}

static void list_done(struct sm_job *job)
{
    struct sm_profile *p = ((struct list_job *)job)->profile;
    p->listing = false;
    if (p->closing) {
        free_profile(p);
        return;
    }
    p->next = 0;
    watch_folders(p);
    take_list(p);
    p->changed = p->changed || p->queued || !p->read;
    submit_reads(p);
    if (!p->n_reads)
        end_scan(p);
}

static void start_list(struct sm_profile *p)
{
    p->due = p->noted = false;
    p->listing = true;
    p->list = (struct list_job){
        .profile = p, .job = {.run = list_run, .done = list_done, .urgency = SM_URGENCY_SHOWN}};
    sm_pool_submit(p->pool, &p->list.job);
}

/* ---- what the loop calls ---- */

static int64_t next_look_us(const struct sm_profile *p)
{
    int64_t soon = p->looked_us + PAUSE_US;
    return p->noted && soon < p->deadline_us ? soon : p->deadline_us;
}

bool sm_profile_pump(struct sm_profile *p)
{
    bool reading = p->n_reads;
    merge_reads(p);
    if (reading && !p->n_reads)
        end_scan(p);
    if (!is_busy(p) && (p->due || (p->follow && sm_clock_mono_us() >= next_look_us(p))))
        start_list(p);
    bool changed = p->changed;
    p->version += changed;
    p->changed = false;
    return changed;
}

int64_t sm_profile_deadline_us(const struct sm_profile *p)
{
    bool ready = p->n_reads && p->reads[p->first_read].done;
    if (ready || (!is_busy(p) && p->due))
        return sm_clock_mono_us();
    if (is_busy(p) || !p->follow)
        return INT64_MAX; /* the pool will wake the loop */
    return next_look_us(p);
}

void sm_profile_refresh(struct sm_profile *p)
{
    p->due = true;
    p->read = false;
}

bool sm_profile_is_read(const struct sm_profile *p)
{
    return p->read;
}

int sm_profile_percent(const struct sm_profile *p)
{
    if (p->listing || !p->queued)
        return p->read ? 100 : 0;
    return (int)(100 * (p->next - (p->next ? p->n_reads : 0)) / p->queued);
}

uint64_t sm_profile_version(const struct sm_profile *p)
{
    return p->version;
}

/* ---- contents ---- */

const char *sm_profile_root(const struct sm_profile *p)
{
    return p->source->root;
}

const struct sm_names *sm_profile_names(const struct sm_profile *p)
{
    return p->names;
}

const struct sm_metric_store *sm_profile_metrics(const struct sm_profile *p)
{
    return &p->metrics;
}

const struct sm_event_store *sm_profile_events(const struct sm_profile *p)
{
    return &p->events;
}

size_t sm_profile_node_count(const struct sm_profile *p)
{
    return sm_names_count(p->nodes);
}

const char *sm_profile_node(const struct sm_profile *p, size_t i)
{
    return sm_names_text(p->nodes, (uint32_t)i);
}

const char *sm_profile_python_path(const struct sm_profile *p, size_t i)
{
    return sm_names_text(p->python, (uint32_t)i);
}

bool sm_profile_ended(const struct sm_profile *p)
{
    return p->ended;
}

const struct sm_problems *sm_profile_problems(const struct sm_profile *p)
{
    return &p->problems;
}

struct sm_profile_counts sm_profile_counts(const struct sm_profile *p)
{
    struct sm_profile_counts c = p->counts;
    c.rows = p->metrics.n_samples;
    c.events = p->events.n_events;
    c.bytes = sm_metric_store_bytes(&p->metrics) + sm_event_store_bytes(&p->events) +
              sm_names_bytes(p->names);
    return c;
}
