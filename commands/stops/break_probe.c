/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_probe.h"

#include "commands/place/evaluate.h"
#include "commands/stops/break_rule.h"
#include "commands/stops/stops.h"

/* A condition that reads no more elements than this is computed at once. */
enum { AT_ONCE = 64 };

void sm_probe_settle(struct sm_break_test *test, struct sm_probe *p,
                     const struct sm_probe_outcome *x)
{
    bool next = !x->holds && p->rest, again = next || (x->ok && x->further);
    p->state = again      ? SM_PROBE_PENDING
               : !x->ok   ? SM_PROBE_FAILED
               : x->holds ? SM_PROBE_YES
                          : SM_PROBE_NO;
    p->finding += next;
    p->rest -= next;
    test->bound = test->bound && !again;
    p->undecided = !again && x->ok && x->undecided;
    if (again || (x->ok && !x->undecided))
        return;
    sm_free(p->why);
    p->why = sm_xstrdup(x->err.msg);
    p->code = x->err.code;
}

/* Whether the value is true. Keeps the reason if there is none. */
static bool holds(const struct sm_value *v, struct sm_probe_outcome *x)
{
    x->undecided = v->type == SM_UNAVAILABLE || v->type == SM_VOID;
    if (v->type == SM_VOID)
        sm_err_set(&x->err, SM_ERR_MISSING, "it is void");
    else if (x->undecided)
        sm_err_set(&x->err, SM_ERR_MISSING, "%.*s", (int)v->text.n, v->text.p);
    return sm_expr_is_true(v);
}

static void compute_change(const struct sm_value *now, const struct sm_bound *past,
                           double tolerance, struct sm_arena *arena, const atomic_bool *stop,
                           struct sm_probe_outcome *x)
{
    struct sm_value before;
    x->ok = sm_expr_eval_bound(past, arena, stop, &before, &x->err);
    if (!x->ok)
        return;
    x->further = before.type == SM_UNAVAILABLE;
    x->holds = !x->further && sm_value_changes(now, &before, tolerance) > 0;
    sm_value_clear(&before);
}

static void compute_condition(const struct sm_bound *condition, struct sm_arena *arena,
                              const atomic_bool *stop, struct sm_probe_outcome *x)
{
    struct sm_value v;
    x->ok = sm_expr_eval_bound(condition, arena, stop, &v, &x->err);
    x->holds = x->ok && holds(&v, x);
    if (x->ok)
        sm_value_clear(&v);
}

void sm_probe_compute(const struct sm_bound *bound, const struct sm_bound *past,
                      const struct sm_bound *condition, double tolerance, const atomic_bool *stop,
                      struct sm_probe_outcome *x)
{
    struct sm_arena arena = {0};
    struct sm_value v;
    *x = (struct sm_probe_outcome){0};
    x->ok = sm_expr_eval_bound(bound, &arena, stop, &v, &x->err);
    if (x->ok && past && v.type != SM_UNAVAILABLE)
        compute_change(&v, past, tolerance, &arena, stop, x);
    else
        x->holds = x->ok && holds(&v, x) && !past;
    if (x->holds && condition)
        compute_condition(condition, &arena, stop, x);
    if (v.type != SM_VOID)
        sm_value_clear(&v);
    sm_arena_clear(&arena);
}

void sm_probe_env(struct sm_break_test *test, const struct sm_probe *p, struct sm_arena *arena,
                  struct sm_expr_env *env)
{
    sm_evaluate_session_env(test->session, arena, env);
    env->step = test->step;
    env->step_by_step = true;
    env->memory = sm_stops_memory(test->session);
    env->of = NULL;
    if (p->tensor == SM_NAME_NONE)
        return;
    env->of = sm_trial_tensor_of(test->trial, p->tensor);
    env->worker = p->worker;
}

static void fail_probe(struct sm_break_test *test, struct sm_probe *p, const struct sm_err *err)
{
    struct sm_probe_outcome x = {.err = *err};
    if (err->code != SM_ERR_WAIT)
        sm_probe_settle(test, p, &x);
}

static void test_light(struct sm_break_test *test, const struct sm_expr *e, struct sm_expr_env *env,
                       struct sm_probe *p)
{
    struct sm_value v;
    struct sm_probe_outcome x = {.ok = true};
    if (!sm_expr_eval_stats(e, env, &v, &x.err)) {
        fail_probe(test, p, &x.err);
        return;
    }
    x.holds = holds(&v, &x);
    sm_value_clear(&v);
    sm_probe_settle(test, p, &x);
}

void sm_probe_drop_bound(struct sm_probe *p)
{
    sm_bound_free(p->bound);
    sm_bound_free(p->past);
    sm_bound_free(p->condition);
    p->bound = p->past = p->condition = NULL;
}

/* Computes small conditions at once; others are left to a worker. */
static void run_bound(struct sm_break_test *test, struct sm_probe *p, double tolerance)
{
    struct sm_probe_outcome x;
    p->state = SM_PROBE_BOUND;
    if (sm_bound_elements(p->bound) > AT_ONCE ||
        (p->condition && sm_bound_elements(p->condition) > AT_ONCE))
        return;
    sm_probe_compute(p->bound, p->past, p->condition, tolerance, NULL, &x);
    sm_probe_drop_bound(p);
    sm_probe_settle(test, p, &x);
}

static void test_bound(struct sm_break_test *test, const struct sm_expr *e, struct sm_expr_env *env,
                       struct sm_probe *p)
{
    struct sm_err err;
    if (!test->started && !sm_expr_request(e, env))
        return;
    if (sm_expr_bind(e, env, &p->bound, &err))
        run_bound(test, p, -1);
    else
        fail_probe(test, p, &err);
}

/* Moves *step to the step before it that has the mode of the tested step. Returns false if there is
 * none. */
static bool step_before(const struct sm_break_test *test, struct sm_step *step)
{
    size_t here = sm_trial_step_at(test->trial, test->step);
    for (size_t i = sm_trial_step_at(test->trial, *step); i-- > 0;)
        if (sm_trial_step(test->trial, i)->mode == sm_trial_step(test->trial, here)->mode) {
            *step = sm_trial_step(test->trial, i)->step;
            return true;
        }
    return false;
}

/* Compares the value with its value at the last earlier step at which it is available. */
static void test_change(struct sm_break_test *test, const struct sm_breakpoint *b,
                        struct sm_expr_env *env, struct sm_probe *p)
{
    struct sm_step before = p->before.n < 0 ? test->step : p->before;
    struct sm_err err = {0};
    while (p->state == SM_PROBE_PENDING) {
        if (!step_before(test, &before)) {
            sm_probe_settle(test, p, &(struct sm_probe_outcome){.ok = true});
            return;
        }
        env->step = test->step;
        bool ok = sm_expr_bind(b->changing, env, &p->bound, &err) &&
                  (!b->test || sm_expr_bind(b->test, env, &p->condition, &err));
        env->step = before;
        ok = ok && sm_expr_bind(b->changing, env, &p->past, &err);
        if (!ok) {
            sm_probe_drop_bound(p);
            fail_probe(test, p, &err);
            return;
        }
        p->before = before;
        run_bound(test, p, b->tolerance);
    }
}

/* Whether the value cannot be read or has a wrong checksum. */
static void test_health(struct sm_break_test *test, struct sm_probe *p)
{
    const struct sm_trial_tensor *x = sm_trial_tensor_of(test->trial, p->tensor);
    struct sm_entry e =
        sm_trial_entry(test->trial, x, test->step, p->worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    const struct sm_facts *facts;
    struct sm_err err = {0};
    bool ok =
        !sm_entry_exists(&e) || sm_fetch_stats(test->session->fetch, test->trial, &e, &facts, &err);
    if (!ok && err.code == SM_ERR_WAIT)
        return;
    bool damaged = ok && sm_entry_exists(&e) && facts->crc == SM_CRC_BAD;
    p->state = !ok || damaged ? SM_PROBE_YES : SM_PROBE_NO;
    if (p->state == SM_PROBE_YES)
        p->why = sm_xstrdup(ok ? "the payload's checksum is wrong" : err.msg);
}

/* If the rule fires, tests the condition, if any, for each tensor that the rule found, until it is
 * true. */
static void test_finding(struct sm_break_test *test, const struct sm_breakpoint *b,
                         struct sm_arena *arena, struct sm_probe *p)
{
    const struct sm_firing *f;
    size_t n;
    struct sm_expr_env env;
    struct sm_err err = {0};
    if (!sm_break_rule_at(b->rule, test->step, &f, &n, &err)) {
        fail_probe(test, p, &err);
        return;
    }
    if (p->finding >= n) {
        p->state = SM_PROBE_NO;
        return;
    }
    f += p->finding;
    p->rest = n - 1 - p->finding;
    p->tensor = f->tensor;
    p->worker = f->worker;
    p->value = f->value;
    sm_free(p->why);
    p->why = sm_xstrdup(f->text);
    if (!b->test) {
        p->state = SM_PROBE_YES;
        return;
    }
    sm_probe_env(test, p, arena, &env);
    (sm_expr_needs_stats_only(b->test, &env) ? test_light : test_bound)(test, b->test, &env, p);
}

static void test_rule(struct sm_break_test *test, const struct sm_breakpoint *b,
                      struct sm_arena *arena, struct sm_probe *p)
{
    size_t finding;
    do {
        finding = p->finding;
        test_finding(test, b, arena, p);
    } while (p->state == SM_PROBE_PENDING && p->finding > finding);
}

void sm_probe_test(struct sm_break_test *test, const struct sm_breakpoint *b, bool light,
                   struct sm_arena *arena, struct sm_expr_env *env, struct sm_probe *p)
{
    if (b->kind == SM_BREAK_ERROR)
        test_health(test, p);
    else if (b->kind == SM_BREAK_RULE)
        test_rule(test, b, arena, p);
    else if (b->changing)
        test_change(test, b, env, p);
    else
        (light ? test_light : test_bound)(test, b->test, env, p);
}
