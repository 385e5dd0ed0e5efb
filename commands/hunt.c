#include "commands/hunt.h"

#include "commands/evaluate.h"
#include "commands/grow.h"
#include "reader/base/clock.h"

#include <string.h>

/* Looked at together: so many steps, unless their records have more bytes; a condition is computed at once when it looks at
 * no more elements than this. */
enum { AHEAD_STEPS = 16, AHEAD_BYTES = 64 << 20, AT_ONCE = 64 };

/* A breakpoint at one step, for one tensor and worker. */
struct probe {
    unsigned number;
    uint32_t tensor;
    uint16_t worker, seq;
    enum { ASKED, BOUND, NO, YES, FAILED } state;
    struct sm_bound *bound;
    char *why;                           /* FAILED, and YES of an error */
    enum sm_err_code code;
};
struct batch;
struct look {
    struct sm_step step;
    struct probe *probes;
    size_t n, cap;
    uint64_t bytes;
    bool asked, bound;                   /* all of them, once; nothing is waited for but computations */
    struct batch *batch;                 /* what the workers compute of it */
};
/* The conditions of one step that look at elements. */
struct batch {
    struct sm_job job;
    struct sm_hunt *hunt;                /* NULL: nobody wants it any more */
    struct look *look;
    size_t n;
    struct computed {
        size_t probe;
        struct sm_bound *bound;
        bool ok, holds;
        struct sm_err err;
    } items[];
};
struct remark {
    unsigned number;
    char *text;
};

struct sm_hunt {
    struct sm_session *session;
    struct sm_trial *trial;
    bool back;
    struct sm_step at, queued;           /* the last one decided; the last one looked at */
    struct look looks[AHEAD_STEPS];      /* a ring */
    size_t first, n;
    size_t passed;
    uint64_t version;                    /* of the breakpoints */
    struct sm_hit *hits;
    size_t n_hits, cap_hits;
    struct sm_arena said;                /* of the hits */
    struct remark *missing;              /* what conditions look for and the trial does not have: once a breakpoint */
    size_t n_missing, cap_missing;
    struct sm_str remarks;
};

/* ---- one condition ---- */

static void settle(struct probe *p, bool ok, bool holds, const struct sm_err *err)
{
    p->state = !ok ? FAILED : holds ? YES : NO;
    if (ok)
        return;
    p->why = sm_xstrdup(err->msg);
    p->code = err->code;
}

static bool compute(const struct sm_bound *bound, const atomic_bool *stop, bool *holds, struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_value v;
    bool ok = sm_expr_eval_bound(bound, &arena, stop, &v, err);
    *holds = ok && sm_expr_is_true(&v);
    if (ok)
        sm_value_clear(&v);
    sm_arena_clear(&arena);
    return ok;
}

static void ask_condition(struct sm_hunt *h, const struct sm_breakpoint *b, struct sm_step step, struct probe *p)
{
    struct sm_expr_env env;
    struct sm_err err = {0};
    const struct sm_names *names = sm_trial_names(h->trial);
    bool holds;
    sm_evaluate_session_env(h->session, &h->said, &env);
    env.step = step;
    env.step_by_step = true;
    if (p->tensor != SM_NAME_NONE) {
        env.of = sm_trial_find(h->trial, sm_names_text(names, p->tensor), sm_names_length(names, p->tensor));
        env.worker = p->worker;
    }
    if (!sm_expr_bind(b->test, &env, &p->bound, &err)) {
        if (err.code != SM_ERR_WAIT)
            settle(p, false, false, &err);
        return;
    }
    p->state = BOUND;
    if (sm_bound_elements(p->bound) > AT_ONCE)
        return;
    bool ok = compute(p->bound, NULL, &holds, &err);
    settle(p, ok, holds, &err);
    sm_bound_free(p->bound);
    p->bound = NULL;
}

/* A value that cannot be read, or whose checksum is wrong. */
static void ask_health(struct sm_hunt *h, struct sm_step step, struct probe *p)
{
    const struct sm_names *names = sm_trial_names(h->trial);
    const struct sm_trial_tensor *x = sm_trial_find(h->trial, sm_names_text(names, p->tensor), sm_names_length(names, p->tensor));
    const struct sm_entry *e = sm_trial_entry(h->trial, x, step, p->worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    const struct sm_facts *facts;
    struct sm_err err = {0};
    bool ok = !e || sm_fetch_stats(h->session->fetch, h->trial, e, &facts, &err);
    if (!ok && err.code == SM_ERR_WAIT)
        return;
    bool damaged = ok && e && facts->crc == SM_CRC_BAD;
    p->state = !ok || damaged ? YES : NO;
    if (p->state == YES)
        p->why = sm_xstrdup(ok ? "the payload's checksum is wrong" : err.msg);
}

/* ---- the conditions of a step that take longer ---- */

static void batch_run(struct sm_job *job)
{
    struct batch *x = (struct batch *)job;
    for (size_t i = 0; i < x->n && !atomic_load(&job->cancelled); i++)
        x->items[i].ok = compute(x->items[i].bound, &job->cancelled, &x->items[i].holds, &x->items[i].err);
}

static void batch_done(struct sm_job *job)
{
    struct batch *x = (struct batch *)job;
    for (size_t i = 0; i < x->n; i++) {
        if (x->hunt)
            settle(&x->look->probes[x->items[i].probe], x->items[i].ok, x->items[i].holds, &x->items[i].err);
        sm_bound_free(x->items[i].bound);
    }
    if (x->hunt) {
        x->look->batch = NULL;
        x->hunt->session->news++;
    }
    sm_free(x);
}

static void start_batch(struct sm_hunt *h, struct look *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += l->probes[i].bound != NULL;
    if (!n)
        return;
    struct batch *x = l->batch = sm_xalloc_zero(1, sizeof *x + n * sizeof *x->items);
    x->job = (struct sm_job){.run = batch_run, .done = batch_done, .urgency = 1};
    x->hunt = h;
    x->look = l;
    for (size_t i = 0; i < l->n; i++) {
        if (!l->probes[i].bound)
            continue;
        x->items[x->n++] = (struct computed){.probe = i, .bound = l->probes[i].bound};
        l->probes[i].bound = NULL;
    }
    sm_pool_submit(h->session->pool, &x->job);
}

/* ---- one step ---- */

static void add_probe(struct look *l, const struct sm_breakpoint *b, uint32_t tensor, uint16_t worker, uint16_t seq)
{
    bool asks = b->test || b->kind == SM_BREAK_ERROR;
    SM_GROW(l->probes, l->n, l->cap);
    l->probes[l->n++] =
        (struct probe){.number = b->number, .tensor = tensor, .worker = worker, .seq = seq, .state = asks ? ASKED : YES};
}

/* One for each worker that saved something of the tensor. */
static void add_tensor(struct sm_hunt *h, struct look *l, const struct sm_breakpoint *b, const struct sm_trial_tensor *x)
{
    size_t from, to, first = l->n;
    if (!x || !sm_trial_entries_at(h->trial, x, l->step, &from, &to))
        return;
    for (size_t i = from; i < to; i++) {
        const struct sm_part *p = sm_trial_part(h->trial, x->entries[i].part);
        if (p->replaced)
            continue;
        if (l->n == first || l->probes[l->n - 1].worker != p->worker)
            add_probe(l, b, x->name, p->worker, x->entries[i].seq);
        l->bytes += x->entries[i].kind == SM_ENTRY_SHAPE ? 0 : x->entries[i].length;
    }
}

static void add_breakpoint(struct sm_hunt *h, struct look *l, struct sm_breakpoint *b, enum sm_mode mode)
{
    const struct sm_names *names = sm_trial_names(h->trial);
    if (!b->enabled || (b->mode != SM_MODE_ANY && b->mode != mode))
        return;
    if (b->kind == SM_BREAK_STEP)
        add_probe(l, b, SM_NAME_NONE, SM_WORKER_ANY, 0);
    if (b->kind != SM_BREAK_TENSORS && b->kind != SM_BREAK_ERROR)
        return;
    sm_breakpoint_select(b, h->session);
    for (size_t i = 0; i < b->n_tensors; i++)
        add_tensor(h, l, b,
                   sm_trial_find(h->trial, sm_names_text(names, b->tensors[i]), sm_names_length(names, b->tensors[i])));
}

/* True: all is bound, at least. */
static bool ask(struct sm_hunt *h, struct look *l)
{
    bool all = true;
    const struct sm_breakpoints *list = &h->session->breakpoints;
    const struct sm_breakpoint *b = NULL;
    for (size_t i = 0; i < l->n && !l->bound; i++) {
        struct probe *p = &l->probes[i];
        if (p->state != ASKED)
            continue;
        if (!b || b->number != p->number)
            b = sm_breakpoints_find(list, p->number);
        if (b->kind == SM_BREAK_ERROR)
            ask_health(h, l->step, p);
        else
            ask_condition(h, b, l->step, p);
        all = all && p->state != ASKED;
    }
    if (all && !l->bound)
        start_batch(h, l);
    l->asked = true;
    l->bound = all;
    return all;
}

static bool is_decided(const struct look *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->probes[i].state == ASKED || l->probes[i].state == BOUND)
            return false;
    return true;
}

static void clear_look(struct look *l)
{
    if (l->batch) {
        l->batch->hunt = NULL;
        atomic_store(&l->batch->job.cancelled, true);
    }
    for (size_t i = 0; i < l->n; i++) {
        sm_bound_free(l->probes[i].bound);
        sm_free(l->probes[i].why);
    }
    sm_free(l->probes);
    *l = (struct look){0};
}

/* ---- what was found ---- */

static void remark(struct sm_hunt *h, unsigned number, const struct probe *p)
{
    for (size_t i = 0; i < h->n_missing; i++)
        if (h->missing[i].number == number)
            return;
    SM_GROW(h->missing, h->n_missing, h->cap_missing);
    h->missing[h->n_missing++] = (struct remark){number, sm_xstrdup(p->why)};
    sm_str_printf(&h->remarks, "Breakpoint %u: %s\n", number, p->why);
}

/* What the trial does not have may come, what cannot be read is no fault of the condition. Anything else is. */
static void take_failure(struct sm_hunt *h, struct sm_breakpoint *b, const struct probe *p)
{
    if (p->code == SM_ERR_MISSING || p->code == SM_ERR_DATA || p->code == SM_ERR_IO) {
        remark(h, b->number, p);
        return;
    }
    b->enabled = false;
    sm_str_printf(&h->remarks, "Breakpoint %u is disabled: %s\n", b->number, p->why);
}

static bool is_before(const struct probe *a, const struct probe *b)
{
    return a->seq != b->seq ? a->seq < b->seq : a->worker < b->worker;
}

/* The probes of one breakpoint. */
static void decide(struct sm_hunt *h, const struct look *l, size_t from, size_t to)
{
    struct sm_breakpoint *b = sm_breakpoints_find(&h->session->breakpoints, l->probes[from].number);
    const struct probe *first = NULL;
    size_t held = 0;
    for (size_t i = from; i < to && b->enabled; i++) {
        const struct probe *p = &l->probes[i];
        if (p->state == FAILED)
            take_failure(h, b, p);
        if (p->state != YES)
            continue;
        held++;
        first = !first || is_before(p, first) ? p : first;
    }
    if (!first || !b->enabled || !sm_breakpoint_count(b))
        return;
    SM_GROW(h->hits, h->n_hits, h->cap_hits);
    h->hits[h->n_hits++] = (struct sm_hit){
        .number = b->number, .step = l->step, .tensor = first->tensor, .worker = first->worker, .more = held - 1,
        .why = first->why ? sm_arena_xstrndup(&h->said, first->why, strlen(first->why)) : NULL,
    };
}

static void take_first(struct sm_hunt *h)
{
    struct look *l = &h->looks[h->first];
    for (size_t from = 0, to; from < l->n; from = to) {
        for (to = from; to < l->n && l->probes[to].number == l->probes[from].number; to++)
            ;
        decide(h, l, from, to);
    }
    h->at = l->step;
    h->passed++;
    clear_look(l);
    h->first = (h->first + 1) % AHEAD_STEPS;
    h->n--;
}

/* ---- step by step ---- */

/* Of a run that goes on, what a worker has not written yet is waited for. */
static bool may_look(const struct sm_hunt *h, size_t i)
{
    enum sm_trial_state state = sm_trial_state(h->trial);
    bool live = h->session->open_options.follow && (state == SM_TRIAL_LIVE || state == SM_TRIAL_WAITING);
    for (size_t k = i; live && k < sm_trial_step_count(h->trial); k++)
        if (sm_trial_step(h->trial, k)->complete)
            return true;
    return !live;
}

/* The index of the step behind the last one looked at. False: none. */
static bool next_step(const struct sm_hunt *h, size_t *i)
{
    size_t n = sm_trial_step_count(h->trial);
    if (h->back) {
        size_t at = sm_trial_step_at(h->trial, h->queued);
        *i = at - 1;
        return at > 0 && at <= n;
    }
    *i = sm_trial_step_at(h->trial, (struct sm_step){h->queued.n + 1});
    return *i < n && may_look(h, *i);
}

static bool add_look(struct sm_hunt *h)
{
    size_t i;
    if (h->n == AHEAD_STEPS || !next_step(h, &i))
        return false;
    const struct sm_trial_step *step = sm_trial_step(h->trial, i);
    struct look *l = &h->looks[(h->first + h->n) % AHEAD_STEPS];
    *l = (struct look){.step = step->step};
    for (size_t k = 0; k < h->session->breakpoints.n; k++)
        add_breakpoint(h, l, h->session->breakpoints.items[k], (enum sm_mode)step->mode);
    h->queued = step->step;
    h->n++;
    return true;
}

static void drop_looks(struct sm_hunt *h)
{
    for (; h->n; h->n--, h->first = (h->first + 1) % AHEAD_STEPS)
        clear_look(&h->looks[h->first]);
    h->queued = h->at;
}

/* What is asked of a step is looked at again only when all before it are there. */
static void ask_all(struct sm_hunt *h)
{
    bool there = true;
    uint64_t bytes = 0;
    for (size_t k = 0; k < h->n || (bytes < AHEAD_BYTES && add_look(h)); k++) {
        struct look *l = &h->looks[(h->first + k) % AHEAD_STEPS];
        if (there || !l->asked)
            there = ask(h, l) && there;
        bytes += l->bytes;
    }
}

enum sm_hunt_result sm_hunt_run(struct sm_hunt *h, int64_t budget_us)
{
    int64_t end = sm_clock_mono_us() + budget_us;
    if (h->version != h->session->breakpoints.version)
        drop_looks(h);
    h->version = h->session->breakpoints.version;
    h->n_hits = 0;
    sm_arena_reset(&h->said);
    sm_fetch_aside(h->session->fetch, true);
    ask_all(h);
    while (h->n && !h->n_hits && is_decided(&h->looks[h->first])) {
        take_first(h);
        ask_all(h);
        if (sm_clock_mono_us() >= end)
            break;
    }
    sm_fetch_aside(h->session->fetch, false);
    if (h->n_hits)
        return SM_HUNT_HIT;
    if (!h->n)
        return SM_HUNT_END;
    return is_decided(&h->looks[h->first]) ? SM_HUNT_BUSY : SM_HUNT_WAITS;
}

/* ---- the whole ---- */

struct sm_hunt *sm_hunt_new(struct sm_session *s, struct sm_step from, bool back)
{
    struct sm_hunt *h = sm_xalloc_zero(1, sizeof *h);
    h->session = s;
    h->trial = sm_session_trial(s);
    h->back = back;
    h->at = h->queued = from;
    h->version = s->breakpoints.version;
    return h;
}

void sm_hunt_free(struct sm_hunt *h)
{
    if (!h)
        return;
    drop_looks(h);
    for (size_t i = 0; i < h->n_missing; i++)
        sm_free(h->missing[i].text);
    sm_free(h->missing);
    sm_free(h->hits);
    sm_arena_clear(&h->said);
    sm_str_clear(&h->remarks);
    sm_free(h);
}

const struct sm_hit *sm_hunt_hits(const struct sm_hunt *h, size_t *n)
{
    *n = h->n_hits;
    return h->hits;
}

struct sm_step sm_hunt_at(const struct sm_hunt *h)
{
    return h->at;
}

size_t sm_hunt_passed(const struct sm_hunt *h)
{
    return h->passed;
}

const char *sm_hunt_remarks(const struct sm_hunt *h)
{
    return sm_str_text(&h->remarks);
}
