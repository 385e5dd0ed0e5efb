/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates expressions over a trial under tests/trials, or without one. */
#ifndef TESTS_RULES_EVALUATE_H
#define TESTS_RULES_EVALUATE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules/expr/expr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct bench {
    struct sm_pool *pool;
    struct sm_source *source;
    struct sm_trial *trial;
    struct sm_fetch *fetch;
    struct sm_arena arena;
    struct sm_expr_env env;
    struct sm_value value; /* the last answer */
    struct sm_err err;     /* the last error */
    unsigned waits;        /* how often the last one had to wait for values */
};

/* Jobs run in this thread, so nothing depends on timing. */
static inline void bench_open(struct bench *b, const char *trial)
{
    char path[256];
    struct sm_trial_options options = {.follow = false};
    *b = (struct bench){0};
    b->env = (struct sm_expr_env){.step = {-1}, .worker = SM_WORKER_ANY, .arena = &b->arena};
    if (!trial)
        return;
    snprintf(path, sizeof path, "tests/trials/%s", trial);
    b->pool = sm_pool_new(0, 0, &b->err);
    b->source = sm_source_dir_new(path, &b->err);
    b->fetch = sm_fetch_new(b->pool, 64 << 20, &b->err);
    assert_true(sm_trial_open(b->source, &options, b->pool, &b->trial, &b->err));
    for (int i = 0; i < 100000 && !sm_trial_scanned(b->trial); i++) {
        sm_trial_pump(b->trial);
        sm_pool_collect(b->pool, 100);
    }
    assert_true(sm_trial_scanned(b->trial));
    b->env.fetch = b->fetch;
    b->env.trial = b->trial;
    sm_fetch_begin(b->fetch);
}

static inline void bench_close(struct bench *b)
{
    sm_value_clear(&b->value);
    if (b->trial) {
        sm_fetch_end(b->fetch);
        sm_fetch_forget(b->fetch, b->trial);
        sm_trial_close(b->trial);
        sm_fetch_free(b->fetch);
        sm_source_unref(b->source);
        sm_pool_free(b->pool);
    }
    sm_arena_clear(&b->arena);
}

/* Evaluates twice, as a bound expression can be evaluated again. Frees it. */
static inline bool bench_eval_twice(struct bench *b, struct sm_bound *bound)
{
    bool once = sm_expr_eval_bound(bound, &b->arena, NULL, &b->value, &b->err);
    if (once)
        sm_value_clear(&b->value);
    bool twice = sm_expr_eval_bound(bound, &b->arena, NULL, &b->value, &b->err);
    sm_bound_free(bound);
    assert_int_equal(once, twice);
    return twice;
}

static inline bool bench_eval(struct bench *b, const char *text)
{
    struct sm_expr *e;
    sm_value_clear(&b->value);
    sm_err_clear(&b->err);
    if (!sm_expr_parse(text, strlen(text), &b->arena, &e, &b->err))
        return false;
    for (b->waits = 0; b->waits < 10000; b->waits++) {
        struct sm_bound *bound;
        if (sm_expr_bind(e, &b->env, &bound, &b->err))
            return bench_eval_twice(b, bound);
        if (b->err.code != SM_ERR_WAIT)
            return false;
        do
            sm_fetch_pump(b->fetch);
        while (sm_pool_collect(b->pool, 1));
    }
    return false;
}

/* The value of the expression as text: "3", "0.5", "true", "\"abc\"", "float64 (2,): 1 2",
 * "series 0=1 10=2", "1:5", "void", "missing: why", "error: why". Valid until the next. */
static inline const char *bench_text(struct bench *b, const char *text)
{
    struct sm_str s = {0};
    char number[32];
    const struct sm_value *v = &b->value;
    bool ok = bench_eval(b, text);
    if (!ok)
        sm_str_printf(&s, "error: %s", b->err.msg);
    else if (v->type == SM_NUMBER && v->is_int)
        sm_str_printf(&s, "%lld", (long long)v->integer);
    else if (v->type == SM_NUMBER) {
        sm_format_shortest(v->number, v->single, number);
        sm_str_add(&s, number);
    } else if (v->type == SM_BOOL)
        sm_str_add(&s, v->number != 0 ? "true" : "false");
    else if (v->type == SM_STRING)
        sm_str_printf(&s, "\"%.*s\"", (int)v->text.n, v->text.p);
    else if (v->type == SM_UNAVAILABLE)
        sm_str_printf(&s, "missing: %.*s", (int)v->text.n, v->text.p);
    else if (v->type == SM_RANGE)
        sm_str_printf(&s, "%g:%g", v->number, v->stop);
    else if (v->type == SM_TENSOR) {
        sm_str_printf(&s, "%s ", sm_dtype_info(v->tensor->dtype)->name);
        sm_shape_text(&s, v->tensor->dims, v->tensor->n_dims);
        sm_str_add(&s, ":");
        size_t size = sm_dtype_info(v->tensor->dtype)->size_bytes;
        for (uint64_t i = 0; size && i < v->tensor->n && i < 12; i++)
            sm_str_printf(&s, " %.6g", sm_dtype_load(v->tensor->dtype, v->tensor->data + i * size));
    } else if (v->type == SM_SERIES) {
        sm_str_add(&s, "series");
        for (size_t i = 0; i < v->n_points && i < 12; i++)
            sm_str_printf(&s, " %lld=%.6g", (long long)v->points[i].step.n, v->points[i].value);
    } else
        sm_str_add(&s, sm_value_type_name(v->type));
    const char *copy = sm_arena_strndup(&b->arena, sm_str_text(&s), s.len);
    sm_str_clear(&s);
    return copy;
}

struct case_row {
    const char *text, *expected;
};

static inline void bench_check(struct bench *b, const struct case_row *rows, size_t n)
{
    unsigned bad = 0;
    for (size_t i = 0; i < n; i++) {
        const char *got = bench_text(b, rows[i].text);
        if (strcmp(got, rows[i].expected) != 0) {
            print_error("%s\n  expected %s\n  got      %s\n", rows[i].text, rows[i].expected, got);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}
#define BENCH_CHECK(b, rows) bench_check(b, rows, sizeof(rows) / sizeof *(rows))

#endif
