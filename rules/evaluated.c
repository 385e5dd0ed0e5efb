/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates expressions of rules: small ones immediately, large ones in worker threads. */
#include "rules/evaluated.h"

#include "rules/expr/ast.h"
#include "rules/private.h"

#include <string.h>

enum { AT_ONCE_ELEMENTS = 1 << 14 };

enum state { ASKED, RUNNING, DONE };
struct sm_evaluated {
    struct sm_rules *rules;
    const struct sm_expr *e; /* the expression, and the record it is evaluated for */
    uint32_t part;
    uint64_t offset;
    enum state state;
    struct sm_rule_answer answer;
    struct job *job;
};
struct job {
    struct sm_job job;
    struct sm_evaluated *of; /* NULL if the result is no longer needed */
    struct sm_bound *bound;
    struct sm_rule_answer answer;
};

/* ---- variables ---- */

struct scope {
    const struct sm_rule_at *x;
    const struct sm_rule_item *it; /* NULL if the condition is evaluated once per step */
};

static bool set_text(const char *text, struct sm_value *out)
{
    *out = (struct sm_value){.type = text ? SM_STRING : SM_VOID, .text = sm_text(text ? text : "")};
    return true;
}

/* $_step and the other variables that commands also have. False if there is none of this name. */
static bool step_variable(const struct scope *p, const char *name, size_t n, struct sm_value *out)
{
    const struct sm_trial_step *s = &p->x->step;
    const struct sm_text asked = {name, n};
    bool step = sm_text_is(asked, "_step");
    if (step || sm_text_is(asked, "_mode_step")) {
        int64_t v = step ? s->step.n : s->mode_step.n;
        *out =
            (struct sm_value){.type = SM_NUMBER, .is_int = true, .integer = v, .number = (double)v};
        return true;
    }
    if (sm_text_is(asked, "_mode"))
        return set_text(sm_mode_name(s->mode), out);
    if (sm_text_is(asked, "_tensor"))
        return set_text(p->it ? p->it->name : NULL, out);
    if (sm_text_is(asked, "_worker"))
        return set_text(p->it ? sm_trial_worker(p->x->trial, p->it->worker) : NULL, out);
    return sm_text_is(asked, "_trial") && set_text(sm_trial_name(p->x->trial), out);
}

/* $NAME is the parameter NAME of the rule, else a variable of the step. */
static bool variable_value(void *ctx, const char *name, size_t n, struct sm_value *out)
{
    const struct scope *p = ctx;
    const struct sm_rule *rule = p->x->instance->rule;
    for (size_t i = 0; i < sm_rule_param_count(rule); i++) {
        const struct sm_rule_param *param = &rule->params[i];
        if (!sm_text_is((struct sm_text){name, n}, param->name) || !p->x->p[i].set)
            continue;
        if (param->type == SM_RULE_TEXT)
            return set_text(p->x->p[i].text, out);
        *out = (struct sm_value){.type = SM_NUMBER, .number = p->x->p[i].number};
        return true;
    }
    return step_variable(p, name, n, out);
}

/* ---- one evaluation ---- */

static void clear_answer(struct sm_rule_answer *a)
{
    sm_free(a->text);
    *a = (struct sm_rule_answer){0};
}

static void evaluate_bound(const struct sm_bound *bound, const atomic_bool *stop,
                           struct sm_rule_answer *out)
{
    struct sm_arena arena = {0};
    struct sm_value v = {0};
    out->ok = sm_expr_eval_bound(bound, &arena, stop, &v, &out->err);
    if (out->ok) {
        sm_value_simplify(&v);
        out->type = v.type;
        out->number = v.number;
        out->holds = sm_expr_is_true(&v);
        out->text = v.type == SM_STRING ? sm_xstrndup(v.text.p, v.text.n) : NULL;
    }
    sm_value_clear(&v);
    sm_arena_clear(&arena);
}

static void job_run(struct sm_job *job)
{
    struct job *j = (struct job *)job;
    evaluate_bound(j->bound, &job->cancelled, &j->answer);
}

static void job_done(struct sm_job *job)
{
    struct job *j = (struct job *)job;
    if (j->of) {
        j->of->state = DONE;
        j->of->answer = j->answer;
        j->of->job = NULL;
        j->of->rules->answered = true;
    } else {
        clear_answer(&j->answer);
    }
    sm_bound_free(j->bound);
    sm_free(j);
}

static void start_evaluation(struct sm_evaluated *v, struct sm_bound *bound)
{
    if (sm_bound_elements(bound) <= AT_ONCE_ELEMENTS) {
        evaluate_bound(bound, NULL, &v->answer);
        v->state = DONE;
        sm_bound_free(bound);
        return;
    }
    v->job = sm_xalloc_zero(1, sizeof *v->job);
    *v->job = (struct job){.job = {.run = job_run, .done = job_done}, .of = v, .bound = bound};
    v->state = RUNNING;
    sm_pool_submit(v->rules->pool, &v->job->job);
}

/* ---- the evaluations of a step ---- */

static void free_evaluated(struct sm_evaluated *v)
{
    if (v->job) {
        v->job->of = NULL;
        atomic_store(&v->job->job.cancelled, true);
    }
    clear_answer(&v->answer);
    sm_free(v);
}

void sm_evaluated_begin(struct sm_rule_private *p)
{
    p->asked_evaluated = 0;
}

void sm_evaluated_drop(struct sm_rule_private *p, size_t from)
{
    while (p->n_evaluated > from)
        free_evaluated(p->evaluated[--p->n_evaluated]);
}

/* The evaluation with the next index; calls come in the same order each time. */
static struct sm_evaluated *evaluated_at(struct sm_rule_private *p, const struct sm_expr *e,
                                         const struct sm_entry *of)
{
    size_t at = p->asked_evaluated++;
    uint32_t part = sm_entry_exists(of) ? of->part : UINT32_MAX;
    uint64_t offset = sm_entry_exists(of) ? of->offset : 0;
    struct sm_evaluated *v = at < p->n_evaluated ? p->evaluated[at] : NULL;
    if (v && v->e == e && v->part == part && v->offset == offset)
        return v;
    sm_evaluated_drop(p, at);
    v = sm_xalloc_zero(1, sizeof *v);
    *v = (struct sm_evaluated){.rules = p->rules, .e = e, .part = part, .offset = offset};
    if (p->n_evaluated == p->cap_evaluated)
        p->evaluated = sm_xrealloc(p->evaluated, p->cap_evaluated = 2 * p->cap_evaluated + 16,
                                   sizeof *p->evaluated);
    return p->evaluated[p->n_evaluated++] = v;
}

/* Binds the expression to the values of the step. False: waiting, or an error. */
static bool bind_at_step(struct sm_rule_at *x, const struct sm_rule_item *it,
                         const struct sm_expr *e, struct sm_bound **out, struct sm_err *err)
{
    struct scope scope = {x, it};
    struct sm_value subject = {.type = SM_TENSOR};
    if (it && !sm_fetch_tensor(x->fetch, x->trial, &it->value, &subject.tensor, err))
        return false;
    struct sm_expr_env env = {.fetch = x->fetch,
                              .trial = x->trial,
                              .step = x->step.step,
                              .subject = it ? &subject : NULL,
                              .worker = it ? it->worker : SM_WORKER_ANY,
                              .memory = &x->instance->own->memory,
                              .ahead = x->ahead,
                              .variable = variable_value,
                              .ctx = &scope};
    bool ok = sm_expr_bind(e, &env, out, err);
    if (it)
        sm_value_clear(&subject);
    return ok;
}

static bool bind_and_start(struct sm_rule_at *x, const struct sm_rule_item *it,
                           struct sm_evaluated *v, struct sm_err *err)
{
    struct sm_bound *bound;
    if (!bind_at_step(x, it, v->e, &bound, err))
        return false;
    start_evaluation(v, bound);
    return true;
}

static void request_ahead(struct sm_rule_at *x, const struct sm_rule_item *it,
                          const struct sm_expr *e)
{
    struct sm_bound *bound;
    struct sm_err err;
    if (bind_at_step(x, it, e, &bound, &err))
        sm_bound_free(bound);
}

bool sm_rule_evaluate(struct sm_rule_at *x, const struct sm_rule_item *it, const struct sm_expr *e,
                      const struct sm_rule_answer **out, struct sm_err *err)
{
    if (x->ahead) {
        request_ahead(x, it, e);
        return sm_err_set(err, SM_ERR_WAIT, "only requested in advance");
    }
    struct sm_evaluated *v = evaluated_at(x->instance->own, e, it ? &it->value : NULL);
    if (v->state == ASKED && !bind_and_start(x, it, v, err)) {
        x->waiting = x->waiting || err->code == SM_ERR_WAIT;
        return false;
    }
    if (v->state == RUNNING) {
        x->waiting = true;
        return sm_err_set(err, SM_ERR_WAIT, "being computed");
    }
    if (!v->answer.ok)
        *err = v->answer.err;
    *out = &v->answer;
    return v->answer.ok;
}
