#include "reader/fetch.h"

#include "reader/base/mem.h"

#include <string.h>

/* A node stands for one record of one trial. What has been asked of it and is on its way is in `pending`; nodes with
 * something pending, or touched since the last sm_fetch_begin, are not evicted. */
enum want { WANT_HEAD = 1, WANT_STATS = 2, WANT_TENSOR = 4 };
enum { HEAD_BYTES = 1024, ITEMS_PER_JOB = 32 };
#define RECORD_MAX ((uint64_t)16 << 30)

struct node {
    struct sm_trial *trial;
    uint64_t offset, length;
    uint32_t part;
    uint8_t have, pending;
    bool failed;
    uint64_t failed_version;             /* of the trial: what failed for lack of bytes is tried again after news */
    struct sm_err err;
    struct sm_facts facts;
    uint64_t *dims;
    struct sm_tensor *tensor;
    uint64_t generation;
    struct node *hash_next, *newer, *older;
};

struct item {
    struct node *node;                   /* the loop's thread alone; NULL: forgotten meanwhile */
    uint64_t offset, length;
    uint8_t want;
    struct sm_facts facts;
    uint64_t dims[SM_DIMS_MAX];
    struct sm_tensor *tensor;
    struct sm_err err;
    bool ok;
};

struct batch {
    struct sm_job job;
    struct sm_fetch *fetch;
    struct sm_source *source;
    struct sm_trial *trial;
    char *path;
    bool check_crc;
    size_t n;
    struct item items[ITEMS_PER_JOB];
    struct batch *next;                  /* of the running ones */
};

struct sm_fetch {
    struct sm_pool *pool;
    size_t budget, used;
    enum sm_checksum checksum;
    struct node **buckets;
    size_t n_buckets, n_nodes;
    struct node *newest, *oldest;        /* least recently used list */
    uint64_t generation;
    size_t open;                         /* items in jobs or waiting to be submitted */
    bool in_command, answers;
    struct batch *filling;               /* not submitted yet */
    struct batch *running;
};

/* ---- in a worker ---- */

static void facts_of(const struct sm_tensor *t, struct item *x)
{
    x->facts = (struct sm_facts){
        .dtype = t->dtype, .proto_dtype = t->proto_dtype, .crc = t->crc, .n_dims = t->n_dims, .n = t->n,
        .content_bytes = t->size_bytes, .wall_time = t->wall_time,
    };
    memcpy(x->dims, t->dims, sizeof x->dims);
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    if (size && t->n)
        memcpy(x->facts.first, t->data, size);
}

/* Is the record's own length what the index says? */
static bool length_agrees(const uint8_t *p, size_t n, uint64_t length, struct sm_err *err)
{
    uint64_t payload;
    if (!sm_frame_header((struct sm_bytes){p, n}, &payload, err))
        return false;
    if (payload == length - SM_FRAME_OVERHEAD)
        return true;
    return sm_err_set(err, SM_ERR_DATA, "the record says %llu bytes of payload, the index %llu", (unsigned long long)payload,
                      (unsigned long long)(length - SM_FRAME_OVERHEAD));
}

/* Type, shape and footer from the first and last bytes. False without an error: read the whole. */
static bool read_head(struct batch *b, struct item *x)
{
    uint8_t bytes[HEAD_BYTES], footer[SM_FRAME_FOOTER];
    size_t got, got_footer;
    struct sm_event_value v;
    double wall_time = 0;
    if (x->length <= HEAD_BYTES)
        return false;
    if (!sm_source_read(b->source, b->path, x->offset, bytes, sizeof bytes, &got, &x->err) ||
        !length_agrees(bytes, got, x->length, &x->err))
        return false;
    if (got <= SM_FRAME_HEADER || !sm_event_head((struct sm_bytes){bytes + SM_FRAME_HEADER, got - SM_FRAME_HEADER}, &v, &wall_time))
        return false;
    if (!sm_source_read(b->source, b->path, x->offset + x->length - SM_FRAME_FOOTER, footer, sizeof footer, &got_footer, &x->err))
        return false;
    x->facts = (struct sm_facts){
        .dtype = v.dtype, .proto_dtype = v.proto_dtype, .n_dims = v.n_dims, .n = v.n_elements, .content_bytes = v.content.n,
        .wall_time = wall_time,
        .crc = got_footer == sizeof footer && sm_get_u32(footer) == SM_FOOTER_UNWRITTEN ? SM_CRC_UNWRITTEN : SM_CRC_UNCHECKED,
    };
    memcpy(x->dims, v.dims, sizeof x->dims);
    return true;
}

static struct sm_tensor *read_record(struct batch *b, struct item *x)
{
    struct sm_tensor *t = NULL;
    size_t got = 0;
    if (x->length < SM_FRAME_OVERHEAD || x->length > RECORD_MAX) {
        sm_err_set(&x->err, SM_ERR_DATA, "impossible record length %llu", (unsigned long long)x->length);
        return NULL;
    }
    struct sm_stat st;
    if (x->length > 1 << 20 && sm_source_stat(b->source, b->path, &st, &x->err) && !st.compressed && st.size_bytes < x->offset + x->length) {
        sm_err_set(&x->err, SM_ERR_WAIT, "the file ends at %llu", (unsigned long long)st.size_bytes);
        return NULL;
    }
    uint8_t *bytes = sm_alloc((size_t)x->length);
    if (!bytes) {
        sm_err_set(&x->err, SM_ERR_MEMORY, "no memory for a record of %llu bytes", (unsigned long long)x->length);
        return NULL;
    }
    if (!sm_source_read(b->source, b->path, x->offset, bytes, (size_t)x->length, &got, &x->err)) {
        sm_free(bytes);
        return NULL;
    }
    if (got == x->length && !length_agrees(bytes, got, x->length, &x->err)) {
        sm_free(bytes);
        return NULL;
    }
    return sm_tensor_from_record(bytes, got, b->check_crc, &t, &x->err) ? t : NULL;
}

static void work_on(struct batch *b, struct item *x)
{
    if (x->want == WANT_HEAD && read_head(b, x)) {
        x->ok = true;
        return;
    }
    if (x->err.code)
        return;
    struct sm_tensor *t = read_record(b, x);
    if (!t)
        return;
    facts_of(t, x);
    if (t->crc == SM_CRC_BAD)
        sm_err_set(&x->err, SM_ERR_DATA, "the payload's checksum is wrong");
    if (x->want & (WANT_STATS | WANT_TENSOR)) {
        sm_stats_of(t, &x->facts.stats, NULL);             /* strings have a size only */
        x->facts.has_stats = true;
    }
    x->ok = true;
    if (x->want & WANT_TENSOR)
        x->tensor = t;
    else
        sm_tensor_unref(t);
}

static void batch_run(struct sm_job *job)
{
    struct batch *b = (struct batch *)job;
    for (size_t i = 0; i < b->n && !atomic_load(&job->cancelled); i++)
        work_on(b, &b->items[i]);
}

/* ---- nodes ---- */

static size_t bucket_of(const struct sm_fetch *f, const struct sm_trial *t, uint32_t part, uint64_t offset)
{
    uint64_t h = (offset ^ (uint64_t)part << 40 ^ (uint64_t)part ^ (uintptr_t)t) * 0x9e3779b97f4a7c15u;
    return (size_t)(h ^ h >> 31) & (f->n_buckets - 1);
}

static bool grow_buckets(struct sm_fetch *f)
{
    size_t want = f->n_buckets ? f->n_buckets * 2 : 256;
    struct node **old = f->buckets, **buckets = sm_alloc_zero(want, sizeof *buckets);
    if (!buckets)
        return f->n_buckets > 0;
    size_t n = f->n_buckets;
    f->buckets = buckets;
    f->n_buckets = want;
    for (size_t i = 0; i < n; i++)
        for (struct node *x = old[i], *next; x; x = next) {
            next = x->hash_next;
            size_t k = bucket_of(f, x->trial, x->part, x->offset);
            x->hash_next = buckets[k];
            buckets[k] = x;
        }
    sm_free(old);
    return true;
}

static void unlink_used(struct sm_fetch *f, struct node *x)
{
    *(x->newer ? &x->newer->older : &f->newest) = x->older;
    *(x->older ? &x->older->newer : &f->oldest) = x->newer;
}

static void link_newest(struct sm_fetch *f, struct node *x)
{
    x->newer = NULL;
    x->older = f->newest;
    *(f->newest ? &f->newest->newer : &f->oldest) = x;
    f->newest = x;
}

static size_t node_bytes(const struct node *x)
{
    return sizeof *x + x->facts.n_dims * sizeof *x->dims + (x->tensor ? sm_tensor_bytes(x->tensor) : 0);
}

static void drop_tensor(struct sm_fetch *f, struct node *x)
{
    if (!x->tensor)
        return;
    f->used -= sm_tensor_bytes(x->tensor);
    sm_tensor_unref(x->tensor);
    x->tensor = NULL;
    x->have &= (uint8_t)~WANT_TENSOR;
}

static void free_node(struct sm_fetch *f, struct node *x)
{
    struct node **link = &f->buckets[bucket_of(f, x->trial, x->part, x->offset)];
    while (*link != x)
        link = &(*link)->hash_next;
    *link = x->hash_next;
    unlink_used(f, x);
    drop_tensor(f, x);
    f->used -= node_bytes(x);
    f->n_nodes--;
    sm_free(x->dims);
    sm_free(x);
}

/* Payloads go first, then what is known of old records. */
static void evict(struct sm_fetch *f)
{
    for (struct node *x = f->oldest; x && f->used > f->budget; x = x->newer)
        if (!x->pending && (x->generation != f->generation || !f->in_command))
            drop_tensor(f, x);
    for (struct node *x = f->oldest, *next; x && f->used > f->budget; x = next) {
        next = x->newer;
        if (!x->pending && (x->generation != f->generation || !f->in_command))
            free_node(f, x);
    }
}

static struct node *node_of(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e)
{
    if (f->n_nodes >= f->n_buckets && !grow_buckets(f))
        return NULL;
    size_t k = bucket_of(f, t, e->part, e->offset);
    struct node *x = f->buckets[k];
    while (x && (x->trial != t || x->part != e->part || x->offset != e->offset))
        x = x->hash_next;
    if (x) {
        unlink_used(f, x);
    } else {
        x = sm_alloc_zero(1, sizeof *x);
        if (!x)
            return NULL;
        x->trial = t;
        x->part = e->part;
        x->offset = e->offset;
        x->length = e->length;
        x->hash_next = f->buckets[k];
        f->buckets[k] = x;
        f->n_nodes++;
        f->used += node_bytes(x);
    }
    link_newest(f, x);
    x->generation = f->generation;
    return x;
}

/* ---- answers ---- */

static void remember_failure(struct node *x, const struct sm_err *err, const char *path)
{
    x->failed = true;
    x->err = *err;
    x->failed_version = sm_trial_version(x->trial);
    if (err->code != SM_ERR_WAIT && err->code != SM_ERR_CANCELLED)
        sm_trial_report(x->trial, path, (int64_t)x->offset, err);
    if (err->code == SM_ERR_WAIT)
        x->err.code = SM_ERR_DATA;       /* not yet: for whoever asks now it is not there */
    x->failed_version = sm_trial_version(x->trial);
    sm_err_prefix(&x->err, "%s at offset %llu", path, (unsigned long long)x->offset);
}

static void take_facts(struct sm_fetch *f, struct node *x, struct item *it)
{
    uint64_t *dims = sm_alloc(it->facts.n_dims * sizeof *dims + 1);
    if (!dims) {
        x->failed = true;
        sm_err_set(&x->err, SM_ERR_MEMORY, "no memory for a value");
        return;
    }
    f->used -= node_bytes(x);
    memcpy(dims, it->dims, it->facts.n_dims * sizeof *dims);
    sm_free(x->dims);
    x->dims = dims;
    x->facts = it->facts;
    x->facts.dims = dims;
    x->have |= WANT_HEAD | (it->facts.has_stats ? WANT_STATS : 0);
    if (it->tensor && !x->tensor) {
        x->tensor = it->tensor;
        x->have |= WANT_TENSOR;
        it->tensor = NULL;
    }
    f->used += node_bytes(x);
}

static void take_item(struct sm_fetch *f, struct batch *b, struct item *it)
{
    struct node *x = it->node;
    f->open--;
    if (!x) {
        sm_tensor_unref(it->tensor);
        return;
    }
    x->pending &= (uint8_t)~it->want;
    if (it->ok) {
        take_facts(f, x, it);
        if (it->err.code)
            sm_trial_report(x->trial, b->path, (int64_t)x->offset, &it->err);
    } else if (it->err.code) {
        remember_failure(x, &it->err, b->path);
    }                                    /* else: cancelled before its turn, may be asked again */
    sm_tensor_unref(it->tensor);
    f->answers = true;
}

static void free_batch(struct batch *b)
{
    sm_source_unref(b->source);
    sm_free(b->path);
    sm_free(b);
}

static void batch_done(struct sm_job *job)
{
    struct batch *b = (struct batch *)job;
    struct sm_fetch *f = b->fetch;
    struct batch **link = &f->running;
    while (*link != b)
        link = &(*link)->next;
    *link = b->next;
    for (size_t i = 0; i < b->n; i++)
        take_item(f, b, &b->items[i]);
    free_batch(b);
    evict(f);
}

/* ---- requests ---- */

static void submit(struct sm_fetch *f)
{
    struct batch *b = f->filling;
    if (!b)
        return;
    f->filling = NULL;
    b->next = f->running;
    f->running = b;
    sm_pool_submit(f->pool, &b->job);
}

static struct batch *new_batch(struct sm_fetch *f, struct sm_trial *t, const char *path)
{
    struct batch *b = sm_alloc_zero(1, sizeof *b);
    char *copy = sm_strdup(path);
    if (!b || !copy) {
        sm_free(b);
        sm_free(copy);
        return NULL;
    }
    b->job.run = batch_run;
    b->job.done = batch_done;
    b->job.urgency = f->in_command;
    b->fetch = f;
    b->trial = t;
    b->source = sm_source_ref(sm_trial_source(t));
    b->path = copy;
    b->check_crc = f->checksum != SM_CHECKSUM_OFF;
    return b;
}

static bool request(struct sm_fetch *f, struct node *x, uint8_t want, struct sm_err *err)
{
    if (x->pending & want || (want == WANT_HEAD && x->pending))
        return sm_err_set(err, SM_ERR_WAIT, "being read");
    const char *path = sm_trial_event_path(x->trial, sm_trial_part(x->trial, x->part));
    if (!path)
        return sm_err_set(err, SM_ERR_DATA, "the index names no usable event file");
    struct batch *b = f->filling;
    if (b && (b->trial != x->trial || b->n == ITEMS_PER_JOB || strcmp(b->path, path) != 0)) {
        submit(f);
        b = NULL;
    }
    if (!b)
        b = f->filling = new_batch(f, x->trial, path);
    if (!b)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a request");
    b->items[b->n++] = (struct item){.node = x, .offset = x->offset, .length = x->length, .want = want};
    x->pending |= want;
    f->open++;
    return sm_err_set(err, SM_ERR_WAIT, "being read");
}

/* The node with `want` known; NULL: waiting or failed, as err says. */
static struct node *get(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e, uint8_t want, struct sm_err *err)
{
    struct node *x = node_of(f, t, e);
    if (!x) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for a value");
        return NULL;
    }
    if (x->have & want)
        return x;
    if (x->failed && (x->failed_version == sm_trial_version(t) || x->err.code == SM_ERR_LIMIT)) {
        if (err)
            *err = x->err;
        return NULL;
    }
    x->failed = false;
    request(f, x, want, err);
    return NULL;
}

bool sm_fetch_head(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e, const struct sm_facts **out, struct sm_err *err)
{
    const struct node *x = get(f, t, e, WANT_HEAD, err);
    if (x)
        *out = &x->facts;
    return x;
}

bool sm_fetch_stats(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e, const struct sm_facts **out, struct sm_err *err)
{
    const struct node *x = get(f, t, e, WANT_STATS, err);
    if (x)
        *out = &x->facts;
    return x;
}

bool sm_fetch_tensor(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e, struct sm_tensor **out, struct sm_err *err)
{
    const struct node *x = get(f, t, e, WANT_TENSOR, err);
    if (x)
        *out = sm_tensor_ref(x->tensor);
    return x;
}

/* ---- the whole ---- */

struct sm_fetch *sm_fetch_new(struct sm_pool *pool, size_t budget_bytes, struct sm_err *err)
{
    struct sm_fetch *f = sm_alloc_zero(1, sizeof *f);
    if (!f) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory");
        return NULL;
    }
    f->pool = pool;
    f->budget = budget_bytes;
    f->generation = 1;
    return f;
}

void sm_fetch_free(struct sm_fetch *f)
{
    if (!f)
        return;
    sm_fetch_forget(f, NULL);
    sm_free(f->buckets);
    sm_free(f);
}

void sm_fetch_budget(struct sm_fetch *f, size_t budget_bytes)
{
    f->budget = budget_bytes;
    evict(f);
}

void sm_fetch_checksum(struct sm_fetch *f, enum sm_checksum c)
{
    f->checksum = c;
}

size_t sm_fetch_memory(const struct sm_fetch *f)
{
    return f->used;
}

void sm_fetch_begin(struct sm_fetch *f)
{
    submit(f);
    f->generation++;
    f->in_command = true;
}

void sm_fetch_end(struct sm_fetch *f)
{
    submit(f);
    f->in_command = false;
    for (struct batch *b = f->running; b; b = b->next)
        if (b->job.urgency)
            atomic_store(&b->job.cancelled, true);
    evict(f);
}

bool sm_fetch_busy(const struct sm_fetch *f)
{
    submit((struct sm_fetch *)(uintptr_t)f);
    for (const struct batch *b = f->running; b; b = b->next)
        if (b->job.urgency)
            return true;
    return false;
}

size_t sm_fetch_open(const struct sm_fetch *f)
{
    return f->open;
}

bool sm_fetch_pump(struct sm_fetch *f)
{
    submit(f);
    bool answers = f->answers;
    f->answers = false;
    return answers;
}

static void forget_items(struct batch *b, const struct sm_trial *t)
{
    if (t && b->trial != t)
        return;
    atomic_store(&b->job.cancelled, true);
    for (size_t i = 0; i < b->n; i++)
        b->items[i].node = NULL;
}

void sm_fetch_forget(struct sm_fetch *f, const struct sm_trial *t)
{
    submit(f);
    for (struct batch *b = f->running; b; b = b->next)
        forget_items(b, t);
    for (struct node *x = f->oldest, *next; x; x = next) {
        next = x->newer;
        if (!t || x->trial == t)
            free_node(f, x);
    }
    while (!t && f->running) {           /* the fetch goes: its jobs first */
        sm_pool_wait(f->pool);
        sm_pool_collect(f->pool, SIZE_MAX);
    }
}
