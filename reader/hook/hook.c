/* The hook's public face: settings, steps, and what comes in. */
#include "reader/hook/hook_private.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SMDBG_FLOAT32 == (int)SM_DTYPE_FLOAT32 && (int)SMDBG_COMPLEX128 == (int)SM_DTYPE_COMPLEX128 &&
                   (int)SMDBG_DIMS_MAX == (int)SM_DIMS_MAX,
               "the public numbers are the reader's");

/* ---- complaints ---- */

void hook_fail(struct smdbg_hook *h, const struct sm_err *err)
{
    pthread_mutex_lock(&h->queue.lock);
    sm_str_truncate(&h->error, 0);
    sm_str_add(&h->error, err->msg);
    h->untold = true;
    h->counts.errors++;
    pthread_mutex_unlock(&h->queue.lock);
}

/* What a call returns: each error once. */
static int tell(struct smdbg_hook *h)
{
    pthread_mutex_lock(&h->queue.lock);
    bool untold = h->untold;
    h->untold = false;
    pthread_mutex_unlock(&h->queue.lock);
    return untold ? -1 : 0;
}

static int refuse(struct smdbg_hook *h, const struct sm_err *err)
{
    hook_fail(h, err);
    return tell(h);
}

const char *smdbg_hook_error(smdbg_hook *h)
{
    pthread_mutex_lock(&h->queue.lock);
    sm_str_truncate(&h->shown, 0);
    sm_str_add(&h->shown, sm_str_text(&h->error));
    pthread_mutex_unlock(&h->queue.lock);
    return sm_str_text(&h->shown);
}

void smdbg_hook_counts(smdbg_hook *h, smdbg_counts *out)
{
    pthread_mutex_lock(&h->queue.lock);
    *out = h->counts;
    pthread_mutex_unlock(&h->queue.lock);
}

/* ---- the start ---- */

static int64_t from_environment(const char *const *names, int64_t otherwise)
{
    for (; *names; names++) {
        const char *text = getenv(*names);
        int64_t v;
        if (text && hook_parse_int(text, &v, NULL))
            return v;
    }
    return otherwise;
}

static void take_rank(struct smdbg_hook *h)
{
    static const char *const ranks[] = {"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID", NULL};
    static const char *const sizes[] = {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS", NULL};
    h->rank = from_environment(ranks, 0);
    h->world_size = from_environment(sizes, 1);
}

static void destroy(struct smdbg_hook *h)
{
    hook_queue_close(h);
    for (struct hook_item *x = h->scalars, *next; x; x = next) {
        next = x->next;
        sm_free(x->name);
        sm_free(x->data);
        sm_free(x);
    }
    hook_params_clear(&h->params);
    hook_plan_clear(&h->plan);
    pthread_mutex_destroy(&h->lock);
    sm_str_clear(&h->error);
    sm_str_clear(&h->shown);
    sm_free(h->dir);
    sm_free(h->worker);
    sm_free(h);
}

smdbg_hook *smdbg_hook_new(const char *out_dir)
{
    struct sm_err err;
    struct smdbg_hook *h = sm_alloc_zero(1, sizeof *h);
    if (!h)
        return NULL;
    if (pthread_mutex_init(&h->lock, NULL) != 0 || !hook_queue_init(&h->queue, &err)) {
        sm_free(h);
        return NULL;
    }
    h->dir = sm_strdup(out_dir);
    if (!h->dir || !hook_plan_init(&h->plan, &err)) {
        destroy(h);
        return NULL;
    }
    take_rank(h);
    return h;
}

/* ---- settings ---- */

static bool set_text(char **to, const char *value, struct sm_err *err)
{
    char *copy = sm_strdup(value);
    if (!copy)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a setting");
    sm_free(*to);
    *to = copy;
    return true;
}

static bool set_include_workers(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    h->include_all = strcmp(value, "all") == 0;
    return h->include_all || strcmp(value, "one") == 0 ||
           sm_err_set(err, SM_ERR_USAGE, "include_workers is \"one\" or \"all\", not \"%s\"", value);
}

static bool set_when_full(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    h->queue.drop = strcmp(value, "drop") == 0;
    return h->queue.drop || strcmp(value, "block") == 0 ||
           sm_err_set(err, SM_ERR_USAGE, "when_full is \"block\" or \"drop\", not \"%s\"", value);
}

static bool set_save_all(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    struct hook_collection *all = hook_plan_collection(&h->plan, "all", err);
    return hook_parse_bool(value, &h->save_all, err) && all && (all->saved = h->save_all, true);
}

static bool set_regex(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    struct hook_collection *usual = hook_plan_collection(&h->plan, "default", err);
    return usual && hook_collection_regexes(usual, value, err) && (usual->saved = true);
}

static bool set_queue_bytes(struct smdbg_hook *h, const char *value, struct sm_err *err)
{
    int64_t v;
    if (!hook_parse_int(value, &v, err))
        return false;
    h->queue.limit_bytes = (size_t)v;
    return true;
}

static bool set_own(struct smdbg_hook *h, const char *name, const char *value, bool *known, struct sm_err *err)
{
    *known = true;
    if (strcmp(name, "rank") == 0)
        return hook_parse_int(value, &h->rank, err);
    if (strcmp(name, "world_size") == 0)
        return hook_parse_int(value, &h->world_size, err);
    if (strcmp(name, "worker") == 0)
        return set_text(&h->worker, value, err);
    if (strcmp(name, "dry_run") == 0)
        return hook_parse_bool(value, &h->dry_run, err);
    if (strcmp(name, "save_all") == 0)
        return set_save_all(h, value, err);
    if (strcmp(name, "include_regex") == 0)
        return set_regex(h, value, err);
    if (strcmp(name, "include_workers") == 0)
        return set_include_workers(h, value, err);
    if (strcmp(name, "queue_bytes") == 0)
        return set_queue_bytes(h, value, err);
    if (strcmp(name, "when_full") == 0)
        return set_when_full(h, value, err);
    *known = false;
    return true;
}

static bool is_open(const struct smdbg_hook *h, struct sm_err *err)
{
    return !h->started || sm_err_set(err, SM_ERR_USAGE, "settings cannot change after the first step");
}

int smdbg_hook_set(smdbg_hook *h, const char *name, const char *value)
{
    struct sm_err err = {0};
    bool known = false;
    pthread_mutex_lock(&h->lock);
    bool ok = is_open(h, &err) && set_own(h, name, value, &known, &err);
    if (ok && !known)
        ok = hook_params_set(&h->params, name, value, &known, &err);
    if (ok && !known)
        ok = sm_err_set(&err, SM_ERR_USAGE, "\"%s\" is no setting of a hook", name);
    pthread_mutex_unlock(&h->lock);
    return ok ? 0 : refuse(h, &err);
}

int smdbg_collection_set(smdbg_hook *h, const char *collection, const char *name, const char *value)
{
    struct sm_err err = {0};
    bool known = true;
    pthread_mutex_lock(&h->lock);
    struct hook_collection *c = is_open(h, &err) ? hook_plan_collection(&h->plan, collection, &err) : NULL;
    bool ok = c;
    if (ok && strcmp(name, "include_regex") == 0)
        ok = hook_collection_regexes(c, value, &err);
    else if (ok)
        ok = hook_params_set(&c->params, name, value, &known, &err);
    if (ok && !known)
        ok = sm_err_set(&err, SM_ERR_USAGE, "\"%s\" is no setting of a collection", name);
    if (ok)
        c->saved = true;
    pthread_mutex_unlock(&h->lock);
    return ok ? 0 : refuse(h, &err);
}

int smdbg_collection_save(smdbg_hook *h, const char *collection)
{
    struct sm_err err = {0};
    pthread_mutex_lock(&h->lock);
    struct hook_collection *c = is_open(h, &err) ? hook_plan_collection(&h->plan, collection, &err) : NULL;
    if (c)
        c->saved = true;
    pthread_mutex_unlock(&h->lock);
    return c ? 0 : refuse(h, &err);
}

int smdbg_collection_add(smdbg_hook *h, const char *collection, const char *tensor)
{
    struct sm_err err = {0};
    pthread_mutex_lock(&h->lock);
    struct hook_collection *c = is_open(h, &err) ? hook_plan_collection(&h->plan, collection, &err) : NULL;
    bool ok = c && hook_collection_name(c, tensor, &err);
    if (ok)
        c->saved = true;
    pthread_mutex_unlock(&h->lock);
    return ok ? 0 : refuse(h, &err);
}

/* ---- items for the queue ---- */

static bool push(struct smdbg_hook *h, struct hook_item *x)
{
    struct sm_err err;
    if (x)
        return hook_queue_push(h, x);
    sm_err_set(&err, SM_ERR_MEMORY, "no memory for what is to be saved");
    hook_fail(h, &err);
    return false;
}

static void push_plain(struct smdbg_hook *h, enum hook_item_kind kind)
{
    push(h, hook_queue_item(&h->queue, kind, NULL, 0));
}

static void push_step(struct smdbg_hook *h)
{
    struct hook_item *x = hook_queue_item(&h->queue, HOOK_STEP, NULL, 0);
    if (x) {
        x->mode = h->mode;
        x->step = h->step;
        x->mode_step = h->mode_step;
    }
    push(h, x);
    h->in_step = true;
}

static void push_collections(struct smdbg_hook *h)
{
    struct sm_str json = {0};
    struct hook_item *x = NULL;
    if (hook_plan_json(&h->plan, &h->params, h->include_all ? h->world_size : 1, &json))
        x = hook_queue_item(&h->queue, HOOK_COLLECTIONS, NULL, json.len);
    if (x)
        memcpy(x->data, json.data, json.len);
    push(h, x);
    sm_str_clear(&json);
    h->wrote_collections = true;
}

static double now(void)
{
    return (double)sm_clock_wall_us() / 1e6;
}

/* Scalars wait for the end of a step that is saved. */
static void push_scalars(struct smdbg_hook *h)
{
    for (struct hook_item *x = h->scalars, *next; x; x = next) {
        next = x->next;
        push(h, x);
    }
    h->scalars = h->last_scalar = NULL;
}

/* ---- steps ---- */

static bool writes(const struct smdbg_hook *h)
{
    return !h->disabled && !h->dry_run && (h->include_all || h->rank == 0);
}

/* The step so far is whole. The collections file follows the first saved step, when the names are known. */
static void end_step(struct smdbg_hook *h)
{
    if (h->in_step) {
        push_scalars(h);
        push_plain(h, HOOK_END_STEP);
        h->saved_step = true;
    }
    h->in_step = false;
    if (h->saved_step && !h->wrote_collections)
        push_collections(h);
}

static bool start(struct smdbg_hook *h, struct sm_err *err)
{
    char name[40];
    if (h->started)
        return true;
    h->started = true;
    snprintf(name, sizeof name, "worker_%" PRId64, h->rank);
    if (!h->worker && !set_text(&h->worker, name, err))
        return false;
    if (writes(h) && !h->include_all)
        push_plain(h, HOOK_CLAIM);
    return true;
}

static uint64_t collections_now(const struct smdbg_hook *h)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < h->plan.n; i++) {
        const struct hook_collection *c = &h->plan.items[i];
        struct sm_save_rule r = hook_save_rule(&c->params, &h->params, h->mode);
        if (c->saved && sm_save_rule_wants(&r, h->mode_step))
            mask |= (uint64_t)1 << i;
    }
    return mask;
}

static int begin_step(struct smdbg_hook *h, smdbg_mode mode, bool numbered, int64_t step, int64_t mode_step)
{
    struct sm_err err = {0};
    bool ok = (mode >= SMDBG_TRAIN && mode <= SMDBG_GLOBAL) || sm_err_set(&err, SM_ERR_USAGE, "%d is no mode", (int)mode);
    if (ok && numbered && (step < 0 || mode_step < 0))
        ok = sm_err_set(&err, SM_ERR_USAGE, "a step is negative");
    ok = ok && start(h, &err);
    if (!ok)
        return refuse(h, &err);
    end_step(h);
    h->mode = (int)mode;
    h->step = numbered ? step : h->next[0];
    h->mode_step = numbered ? mode_step : mode == SMDBG_GLOBAL ? h->step : h->next[mode];
    h->next[0] = h->step + 1;
    h->next[mode] = h->mode_step + 1;
    atomic_store_explicit(&h->saving, writes(h) ? collections_now(h) : 0, memory_order_relaxed);
    return tell(h);
}

int smdbg_hook_step(smdbg_hook *h, smdbg_mode mode)
{
    pthread_mutex_lock(&h->lock);
    int told = begin_step(h, mode, false, 0, 0);
    pthread_mutex_unlock(&h->lock);
    return told;
}

int smdbg_hook_step_at(smdbg_hook *h, smdbg_mode mode, int64_t step, int64_t mode_step)
{
    pthread_mutex_lock(&h->lock);
    int told = begin_step(h, mode, true, step, mode_step);
    pthread_mutex_unlock(&h->lock);
    return told;
}

/* ---- tensors ---- */

static uint64_t wanted_by(struct smdbg_hook *h, const char *tensor)
{
    uint64_t saving = atomic_load_explicit(&h->saving, memory_order_relaxed), member = 0;
    if (!saving || !hook_plan_member(&h->plan, tensor, strlen(tensor), &member))
        return 0;
    return member & saving;
}

int smdbg_hook_wants(smdbg_hook *h, const char *tensor)
{
    if (!atomic_load_explicit(&h->saving, memory_order_relaxed))
        return 0;
    pthread_mutex_lock(&h->lock);
    bool wanted = wanted_by(h, tensor);
    pthread_mutex_unlock(&h->lock);
    return wanted;
}

/* What the collections of a mask want of a tensor together. */
struct wanted {
    bool raw, shape;
    int codes[HOOK_REDUCTIONS_MAX];
    size_t n_codes;
};

static void want_reductions(struct wanted *w, const struct hook_params *p)
{
    for (size_t i = 0; i < p->n_codes; i++) {
        size_t k = 0;
        while (k < w->n_codes && w->codes[k] != p->codes[i])
            k++;
        if (k == w->n_codes && k < HOOK_REDUCTIONS_MAX)
            w->codes[w->n_codes++] = p->codes[i];
    }
}

static struct wanted wanted_of(const struct smdbg_hook *h, uint64_t mask)
{
    struct wanted w = {0};
    for (size_t i = 0; i < h->plan.n; i++) {
        const struct hook_collection *c = &h->plan.items[i];
        const struct hook_params *p = hook_params_reduce(&c->params) ? &c->params : &h->params;
        if (!(mask >> i & 1))
            continue;
        if (hook_plan_is_raw(c) || !hook_params_reduce(p)) {
            w.raw = true;
            continue;
        }
        w.raw = w.raw || p->raw;
        w.shape = w.shape || p->shape;
        want_reductions(&w, p);
    }
    return w;
}

/* A tensor as it came in. */
struct incoming {
    const char *name;
    enum sm_dtype dtype;
    size_t size;                         /* bytes of an element */
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX], n;
    const int64_t *strides;              /* NULL: C order */
    const uint8_t *data;
};

static bool check(struct incoming *x, const int64_t *shape, struct sm_err *err)
{
    if (x->dtype <= SM_DTYPE_NONE || x->dtype >= SM_DTYPE_STRING)
        return sm_err_set(err, SM_ERR_USAGE, "%s: %d is no element type", x->name, (int)x->dtype);
    if (x->n_dims > SM_DIMS_MAX)
        return sm_err_set(err, SM_ERR_USAGE, "%s: %u dimensions, at most %d", x->name, x->n_dims, SM_DIMS_MAX);
    x->size = sm_dtype_info(x->dtype)->size_bytes;
    x->n = 1;
    for (unsigned d = 0; d < x->n_dims; d++) {
        x->dims[d] = (uint64_t)shape[d];
        if (shape[d] < 0 || __builtin_mul_overflow(x->n, x->dims[d], &x->n) || x->n > PTRDIFF_MAX / x->size)
            return sm_err_set(err, SM_ERR_USAGE, "%s: impossible shape", x->name);
    }
    return true;
}

/* Elements in C order, axis by axis; the innermost contiguous run is copied at once. */
static uint8_t *gather(const struct incoming *x, unsigned axis, const uint8_t *from, uint8_t *to)
{
    if (axis == x->n_dims) {
        memcpy(to, from, x->size);
        return to + x->size;
    }
    if (axis + 1 == x->n_dims && x->strides[axis] == (int64_t)x->size) {
        memcpy(to, from, x->dims[axis] * x->size);
        return to + x->dims[axis] * x->size;
    }
    for (uint64_t i = 0; i < x->dims[axis]; i++)
        to = gather(x, axis + 1, from + (int64_t)i * x->strides[axis], to);
    return to;
}

static bool is_contiguous(const struct incoming *x)
{
    int64_t expected = (int64_t)x->size;
    for (unsigned d = x->n_dims; x->strides && d-- > 0; expected *= (int64_t)x->dims[d])
        if (x->dims[d] != 1 && x->strides[d] != expected)
            return false;
    return true;
}

static struct hook_item *raw_item(struct smdbg_hook *h, const struct incoming *x)
{
    struct hook_item *item = hook_queue_item(&h->queue, HOOK_TENSOR, x->name, x->n * x->size);
    if (!item)
        return NULL;
    item->dtype = x->dtype;
    item->n_dims = x->n_dims;
    item->n = x->n;
    item->wall_time = now();
    memcpy(item->dims, x->dims, sizeof item->dims);
    if (is_contiguous(x))
        memcpy(item->data, x->data, item->bytes);
    else
        gather(x, 0, x->data, item->data);
    return item;
}

static struct hook_item *shape_item(struct smdbg_hook *h, const struct incoming *x)
{
    struct hook_item *item = hook_queue_item(&h->queue, HOOK_SHAPE, x->name, 0);
    if (item) {
        item->n_dims = x->n_dims;
        memcpy(item->dims, x->dims, sizeof item->dims);
    }
    return item;
}

/* "head:0.weight" is reduced as "head.weight", as the original names it. */
static void reduction_name(struct sm_str *out, int code, const char *tensor)
{
    sm_str_printf(out, "smdebug/reductions/%s/", sm_reduction_name(code));
    for (const char *p = tensor; *p; p++) {
        size_t digits = *p == ':' ? strspn(p + 1, "0123456789") : 0;
        if (digits)
            p += digits;
        else
            sm_str_addc(out, *p);
    }
}

static struct hook_item *reduction_item(struct smdbg_hook *h, const struct incoming *x, int code, double v)
{
    bool wide = x->dtype == SM_DTYPE_FLOAT64;
    struct sm_str name = {0};
    reduction_name(&name, code, x->name);
    struct hook_item *item = name.failed ? NULL : hook_queue_item(&h->queue, HOOK_TENSOR, sm_str_text(&name), wide ? 8 : 4);
    sm_str_clear(&name);
    if (!item)
        return NULL;
    float narrow = (float)v;
    item->dtype = wide ? SM_DTYPE_FLOAT64 : SM_DTYPE_FLOAT32;
    item->n = 1;
    item->wall_time = now();
    memcpy(item->data, wide ? (const void *)&v : (const void *)&narrow, item->bytes);
    return item;
}

static bool statistics(const struct incoming *x, struct sm_stats *s, struct sm_err *err)
{
    struct sm_tensor t = {.dtype = x->dtype, .n_dims = x->n_dims, .n = x->n, .data = x->data, .size_bytes = x->n * x->size};
    uint8_t *copy = NULL;
    memcpy(t.dims, x->dims, sizeof t.dims);
    if (!is_contiguous(x)) {
        copy = sm_alloc(t.size_bytes);
        if (!copy)
            return sm_err_set(err, SM_ERR_MEMORY, "no memory to reduce %s", x->name);
        gather(x, 0, x->data, copy);
        t.data = copy;
    }
    bool ok = sm_stats_of(&t, s, err);
    sm_free(copy);
    return ok;
}

static void count_dropped(struct smdbg_hook *h)
{
    pthread_mutex_lock(&h->queue.lock);
    h->counts.dropped++;
    pthread_mutex_unlock(&h->queue.lock);
}

static bool save(struct smdbg_hook *h, const struct incoming *x, const struct wanted *w, struct sm_err *err)
{
    struct sm_stats s;
    if (w->n_codes && !statistics(x, &s, err))
        return false;
    for (size_t i = 0; i < w->n_codes; i++)
        push(h, reduction_item(h, x, w->codes[i], hook_reduce(&s, w->codes[i])));
    if (w->raw && !push(h, raw_item(h, x)))
        count_dropped(h);
    if (w->shape)
        push(h, shape_item(h, x));
    return true;
}

int smdbg_hook_save(smdbg_hook *h, const char *tensor, smdbg_dtype dtype, unsigned n_dims, const int64_t *shape,
                    const int64_t *strides, const void *data)
{
    struct sm_err err = {0};
    struct incoming x = {.name = tensor, .dtype = (enum sm_dtype)dtype, .n_dims = n_dims, .strides = strides, .data = data};
    if (!atomic_load_explicit(&h->saving, memory_order_relaxed))
        return 0;
    pthread_mutex_lock(&h->lock);
    uint64_t mask = wanted_by(h, tensor);
    bool ok = !mask || check(&x, shape, &err);
    if (ok && mask && x.n) {
        struct wanted w = wanted_of(h, mask);
        if (!h->in_step)
            push_step(h);
        ok = save(h, &x, &w, &err);
    }
    pthread_mutex_unlock(&h->lock);
    return ok ? tell(h) : refuse(h, &err);
}

int smdbg_hook_scalar(smdbg_hook *h, const char *name, double value)
{
    struct sm_str full = {0};
    sm_str_printf(&full, "scalar/%s", name);
    pthread_mutex_lock(&h->lock);
    struct hook_item *x = writes(h) && !full.failed ? hook_queue_item(&h->queue, HOOK_TENSOR, sm_str_text(&full), sizeof value) : NULL;
    if (x) {
        x->dtype = SM_DTYPE_FLOAT64;
        x->n_dims = 1;
        x->dims[0] = x->n = 1;
        x->wall_time = now();
        memcpy(x->data, &value, sizeof value);
        uint64_t ignored;
        hook_plan_member(&h->plan, sm_str_text(&full), full.len, &ignored);
        *(h->last_scalar ? &h->last_scalar->next : &h->scalars) = x;
        h->last_scalar = x;
    }
    pthread_mutex_unlock(&h->lock);
    sm_str_clear(&full);
    return tell(h);
}

/* ---- the end ---- */

int smdbg_hook_flush(smdbg_hook *h)
{
    hook_queue_flush(h);
    return tell(h);
}

int smdbg_hook_close(smdbg_hook *h)
{
    if (!h)
        return 0;
    pthread_mutex_lock(&h->lock);
    if (h->started && writes(h)) {
        if (h->scalars && !h->in_step)
            push_step(h);
        end_step(h);
        if (!h->wrote_collections)
            push_collections(h);
        push_plain(h, HOOK_END);
    }
    pthread_mutex_unlock(&h->lock);
    hook_queue_flush(h);
    smdbg_counts counts;
    smdbg_hook_counts(h, &counts);
    destroy(h);
    return counts.errors ? -1 : 0;
}
