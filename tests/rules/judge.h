/* SPDX-License-Identifier: Apache-2.0 */
/* Runs rules over trials under tests/trials or written by the test. Jobs run in this thread,
 * so nothing depends on timing. */
#ifndef TESTS_RULES_JUDGE_H
#define TESTS_RULES_JUDGE_H

#include "rules/builtin/rule_list.h"
#include "rules/run.h"
#include "tests/reader/live.h"

/* Pumps until there is nothing left to do. */
static inline void settle_rules(struct live *l, struct sm_rules *r)
{
    bool news = live_settle(l), first = true;
    while (first || news || sm_rules_busy(r)) {
        first = false;
        sm_rules_pump(r, true, 1000000);
        bool worked = sm_pool_pending(l->pool) > 0; /* also for another trial */
        news = live_settle(l) || worked;
    }
}

static inline struct sm_rules *new_rules(struct live *l)
{
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    sm_rules_finite(r, true);
    return r;
}

/* Attaches a rule; arguments end with NULL. */
static inline struct sm_rule_instance *attach(struct sm_rules *r, const char *rule, ...)
{
    const char *args[16];
    size_t n = 0;
    va_list ap;
    struct sm_err err = {0};
    va_start(ap, rule);
    while ((args[n] = va_arg(ap, const char *)))
        n++;
    va_end(ap);
    assert_non_null(sm_rule_find(rule));
    return sm_rules_add(r, sm_rule_find(rule), NULL, args, n, &err);
}

static inline void close_rules(struct live *l, struct sm_rules *r)
{
    sm_rules_free(r);
    while (sm_pool_pending(l->pool))
        sm_pool_collect(l->pool, 1);
}

/* A float32 tensor with these values. */
static inline void put_values(struct sm_writer *w, const char *name, const float *x,
                              unsigned n_dims, const uint64_t *dims)
{
    struct sm_err err;
    struct sm_event_value v = {.tag = sm_text(name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_dims = n_dims,
                               .n_elements = 1};
    for (unsigned i = 0; i < n_dims; i++) {
        v.dims[i] = dims[i];
        v.n_elements *= dims[i];
    }
    v.content = (struct sm_bytes){(const uint8_t *)x, v.n_elements * sizeof *x};
    if (!sm_writer_tensor(w, &v, 1e9, &err))
        fail_msg("%s", err.msg);
}

/* One scalar in one step. */
static inline void write_scalar(struct live *l, int64_t step, int mode, int64_t mode_step,
                                const char *name, float value)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, step, mode, mode_step, &err));
    put_values(w, name, &value, 0, NULL);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

/* One tensor in one GLOBAL step. */
static inline void write_tensor(struct live *l, int64_t step, const char *name, const float *x,
                                unsigned n_dims, const uint64_t *dims)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, step, SM_MODE_GLOBAL, step, &err));
    put_values(w, name, x, n_dims, dims);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

/* Writes collections: pairs of a name and the pattern of its tensors, at most four, then NULL. */
static inline void write_named(struct live *l, ...)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    const char *regexes[4];
    struct sm_collection_def defs[4];
    struct sm_collections_def all = {defs, 0, 1};
    va_list ap;
    va_start(ap, l);
    for (const char *name; (name = va_arg(ap, const char *)); all.n++) {
        regexes[all.n] = va_arg(ap, const char *);
        defs[all.n] = (struct sm_collection_def){
            .name = name, .regexes = &regexes[all.n], .n_regexes = 1, .reductions = ""};
    }
    va_end(ap);
    assert_true(sm_writer_collections(w, &all, &err));
    sm_writer_close(w);
}

#endif
