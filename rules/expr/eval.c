#include "rules/expr/ast.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ELEMENTS_MAX ((uint64_t)100000000)

/* ---- values ---- */

void sm_value_number(struct sm_value *v, double x)
{
    *v = (struct sm_value){.type = SM_NUMBER, .number = x};
}

void sm_value_int(struct sm_value *v, int64_t x)
{
    *v = (struct sm_value){.type = SM_NUMBER, .number = (double)x, .is_int = true, .integer = x};
}

void sm_value_bool(struct sm_value *v, bool x)
{
    *v = (struct sm_value){.type = SM_BOOL, .number = x};
}

bool sm_expr_unavailable(struct sm_expr_env *env, struct sm_value *out, const char *fmt, ...)
{
    struct sm_str text = {0};
    va_list ap;
    va_start(ap, fmt);
    sm_str_vprintf(&text, fmt, ap);
    va_end(ap);
    char *copy = sm_arena_strndup(env->arena, sm_str_text(&text), text.len);
    *out = (struct sm_value){.type = SM_UNAVAILABLE, .text = {copy ? copy : "", copy ? text.len : 0}};
    sm_str_clear(&text);
    return true;
}

static void number_of_element(const struct sm_tensor *t, struct sm_value *out)
{
    sm_value_number(out, sm_dtype_load(t->dtype, t->data));
    out->single = sm_dtype_info(t->dtype)->single;
    out->is_int = sm_dtype_load_i64(t->dtype, t->data, &out->integer);
}

bool sm_value_as_number(const struct sm_value *v, double *out)
{
    if (v->type == SM_NUMBER || v->type == SM_BOOL) {
        *out = v->number;
        return true;
    }
    enum sm_dtype_kind kind = v->type == SM_TENSOR ? sm_dtype_info(v->tensor->dtype)->kind : SM_KIND_OTHER;
    if (kind == SM_KIND_OTHER || kind == SM_KIND_STRING || kind == SM_KIND_COMPLEX || v->tensor->n != 1)
        return false;
    *out = sm_dtype_load(v->tensor->dtype, v->tensor->data);
    return true;
}

static bool wrong(const struct sm_expr *e, struct sm_err *err, const char *what)
{
    return sm_err_set(err, SM_ERR_USAGE, "%s at column %zu", what, e->column);
}

/* ---- names ---- */

static bool resolve_step(const struct sm_expr *e, struct sm_expr_env *env, const struct sm_trial_tensor *x, struct sm_step *out,
                         struct sm_value *missing)
{
    const struct sm_expr_place *p = &e->place;
    const struct sm_trial *t = env->trial;
    size_t n = sm_trial_step_count(t);
    *out = env->step;
    if (p->first)
        *out = x->first;
    else if (p->last)
        *out = x->last;
    else if (p->given && p->mode != SM_MODE_ANY)
        return sm_trial_step_of_mode(t, p->mode, (struct sm_mode_step){p->n}, out) ||
               (sm_expr_unavailable(env, missing, "there is no step %s %lld", sm_mode_name((int)p->mode), (long long)p->n), false);
    else if (p->given && p->relative) {
        size_t at = sm_trial_step_at(t, env->step);
        if ((p->n < 0 && (uint64_t)-p->n > at) || (p->n > 0 && (uint64_t)p->n >= n - at))
            return sm_expr_unavailable(env, missing, "there are not that many steps"), false;
        *out = sm_trial_step(t, (size_t)((int64_t)at + p->n))->step;
    } else if (p->given)
        out->n = p->n;
    else if (out->n < 0)
        *out = x->last;
    return true;
}

bool sm_expr_locate(const struct sm_expr *e, struct sm_expr_env *env, struct sm_located *l, struct sm_value *out, struct sm_err *err)
{
    *l = (struct sm_located){.worker = env->worker};
    *out = (struct sm_value){0};
    if (!env->trial)
        return sm_err_set(err, SM_ERR_USAGE, "no trial is open, so there is no tensor \"%.*s\"", (int)e->text.n, e->text.p);
    l->tensor = sm_trial_find(env->trial, e->text.p, e->text.n);
    if (!l->tensor)
        return sm_err_set(err, SM_ERR_MISSING, "No tensor \"%.*s\".", (int)e->text.n, e->text.p);
    if (e->place.has_worker) {
        char *name = sm_arena_strndup(env->arena, e->place.worker.p, e->place.worker.n);
        l->worker = name ? sm_trial_find_worker(env->trial, name) : SM_WORKER_ANY;
        if (l->worker == SM_WORKER_ANY)
            return sm_err_set(err, SM_ERR_MISSING, "No worker \"%.*s\".", (int)e->place.worker.n, e->place.worker.p);
    }
    if (!resolve_step(e, env, l->tensor, &l->step, out))
        return false;
    size_t from, to;
    if (!sm_trial_entries_at(env->trial, l->tensor, l->step, &from, &to))
        return sm_expr_unavailable(env, out, "%.*s was not saved at step %lld", (int)e->text.n, e->text.p, (long long)l->step.n), false;
    l->entry = sm_trial_entry(env->trial, l->tensor, l->step, l->worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    return true;
}

static bool eval_series(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    const struct sm_trial_tensor *x = env->trial ? sm_trial_find(env->trial, e->text.p, e->text.n) : NULL;
    struct sm_series_spec spec;
    struct sm_series s = {0};
    if (!x)
        return sm_err_set(err, SM_ERR_MISSING, "No tensor \"%.*s\".", (int)e->text.n, e->text.p);
    if (!sm_series_default(env->fetch, env->trial, x, &spec, err))
        return false;
    spec.mode = env->mode;
    spec.worker = env->worker;
    if (!sm_series_read(env->fetch, env->trial, &spec, &s, err)) {
        sm_series_clear(&s);
        return false;
    }
    *out = (struct sm_value){.type = SM_SERIES, .points = s.points, .n_points = s.n};
    return true;
}

/* "a/b" may be one name or a division: if there is no such tensor, the last slash divides. */
static bool eval_division(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err, bool *done)
{
    const char *slash = e->quoted ? NULL : memrchr(e->text.p, '/', e->text.n);
    *done = slash && (!env->trial || !sm_trial_find(env->trial, e->text.p, e->text.n));
    if (!*done)
        return true;
    struct sm_expr left = *e, *right;
    left.text.n = (size_t)(slash - e->text.p);
    left.place = (struct sm_expr_place){0};
    if (!sm_expr_parse(slash + 1, e->text.n - left.text.n - 1, env->arena, &right, err))
        return false;
    struct sm_expr both = {.type = SM_EXPR_BINARY, .op = SM_TOK_SLASH, .column = e->column, .n_args = 2};
    both.args[0] = &left;
    both.args[1] = right;
    struct sm_err whole;
    if (sm_eval(&both, env, out, err))
        return true;
    if (err && err->code == SM_ERR_MISSING) {
        sm_err_set(&whole, SM_ERR_MISSING, "No tensor \"%.*s\".", (int)e->text.n, e->text.p);
        *err = whole;
    }
    return false;
}

static bool eval_name(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_located l;
    bool done;
    if (e->place.all)
        return eval_series(e, env, out, err);
    if (!eval_division(e, env, out, err, &done) || done)
        return done && out->type != SM_VOID;
    if (!sm_expr_locate(e, env, &l, out, err))
        return out->type == SM_UNAVAILABLE;
    if (!l.entry)
        return sm_expr_unavailable(env, out, "%.*s has no value at step %lld, only reductions or its shape", (int)e->text.n,
                                   e->text.p, (long long)l.step.n);
    struct sm_tensor *t;
    if (!sm_fetch_tensor(env->fetch, env->trial, l.entry, &t, err))
        return false;
    *out = (struct sm_value){.type = SM_TENSOR, .tensor = t};
    return true;
}

static bool eval_variable(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    double n;
    *out = (struct sm_value){0};
    if (env->subject && sm_text_is(e->text, "t"))
        return sm_value_copy(out, env->subject, env->arena) || sm_err_set(err, SM_ERR_MEMORY, "no memory for $t");
    if (env->subject && sm_text_is(e->text, "v") && sm_value_as_number(env->subject, &n)) {
        sm_value_number(out, n);
        return true;
    }
    if (env->subject && sm_text_is(e->text, "s")) {
        sm_value_int(out, env->step.n);
        return true;
    }
    if (env->variable)
        env->variable(env->ctx, e->text.p, e->text.n, out);
    return true;
}

/* ---- operators on numbers, tensors and series ---- */

static double apply(enum sm_token_type op, double a, double b)
{
    switch (op) {
    case SM_TOK_PLUS:
        return a + b;
    case SM_TOK_MINUS:
        return a - b;
    case SM_TOK_STAR:
        return a * b;
    case SM_TOK_SLASH:
        return a / b;
    case SM_TOK_PERCENT:
        return a - b * floor(a / b);     /* the sign of b, as in Python */
    case SM_TOK_POWER:
        return pow(a, b);
    case SM_TOK_EQ:
        return a == b;
    case SM_TOK_NE:
        return a != b && !isnan(a) && !isnan(b);
    case SM_TOK_LT:
        return a < b;
    case SM_TOK_LE:
        return a <= b;
    case SM_TOK_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static bool compares(enum sm_token_type op)
{
    return op >= SM_TOK_EQ && op <= SM_TOK_GE;
}

static bool int_result(enum sm_token_type op, int64_t a, int64_t b, int64_t *out)
{
    if (op == SM_TOK_PLUS)
        return !__builtin_add_overflow(a, b, out);
    if (op == SM_TOK_MINUS)
        return !__builtin_sub_overflow(a, b, out);
    if (op == SM_TOK_STAR)
        return !__builtin_mul_overflow(a, b, out);
    if (op == SM_TOK_PERCENT && b > 0) {
        *out = a % b + (a % b < 0 ? b : 0);
        return true;
    }
    return false;
}

static bool is_small(const struct sm_value *v)
{
    return v->type == SM_NUMBER || v->type == SM_BOOL || (v->type == SM_TENSOR && v->tensor->n_dims == 0);
}

/* A 0-d tensor or a one-element one beside a number becomes its number, exactly. */
static void simplify(struct sm_value *v)
{
    if (v->type != SM_TENSOR || v->tensor->n != 1)
        return;
    enum sm_dtype_kind kind = sm_dtype_info(v->tensor->dtype)->kind;
    if (kind != SM_KIND_FLOAT && kind != SM_KIND_INT && kind != SM_KIND_UINT && kind != SM_KIND_BOOL)
        return;
    struct sm_value number;
    number_of_element(v->tensor, &number);
    sm_value_clear(v);
    *v = number;
}

static void binary_numbers(enum sm_token_type op, const struct sm_value *a, const struct sm_value *b, struct sm_value *out)
{
    int64_t n;
    if (compares(op))
        sm_value_bool(out, a->is_int && b->is_int ? apply(op, a->integer < b->integer ? -1 : a->integer > b->integer, 0) != 0
                                                  : apply(op, a->number, b->number) != 0);
    else if (a->is_int && b->is_int && int_result(op, a->integer, b->integer, &n))
        sm_value_int(out, n);
    else
        sm_value_number(out, apply(op, a->number, b->number));
}

/* Strides in elements over the result's axes; 0 where the operand is stretched. */
static bool broadcast(const struct sm_tensor *t, unsigned n_dims, const uint64_t *dims, uint64_t *strides)
{
    uint64_t stride = 1;
    for (unsigned k = 0; k < n_dims; k++) {
        unsigned axis = n_dims - 1 - k;
        uint64_t size = k < t->n_dims ? t->dims[t->n_dims - 1 - k] : 1;
        if (size != dims[axis] && size != 1)
            return false;
        strides[axis] = size == 1 ? 0 : stride;
        stride *= size;
    }
    return true;
}

struct operand {
    const struct sm_tensor *tensor;      /* NULL: a number */
    double number;
    uint64_t strides[SM_DIMS_MAX];
};

static double operand_at(const struct operand *o, const uint64_t *index, unsigned n_dims)
{
    if (!o->tensor)
        return o->number;
    uint64_t flat = 0;
    for (unsigned d = 0; d < n_dims; d++)
        flat += index[d] * o->strides[d];
    return sm_dtype_load(o->tensor->dtype, o->tensor->data + flat * sm_dtype_info(o->tensor->dtype)->size_bytes);
}

static void fill_elements(enum sm_token_type op, const struct operand *a, const struct operand *b, struct sm_tensor *t)
{
    uint64_t index[SM_DIMS_MAX] = {0};
    bool logical = t->dtype == SM_DTYPE_BOOL;
    uint8_t *bytes = t->buffer;
    for (uint64_t i = 0; i < t->n; i++) {
        double v = apply(op, operand_at(a, index, t->n_dims), operand_at(b, index, t->n_dims));
        if (logical)
            bytes[i] = v != 0;
        else
            memcpy(bytes + i * sizeof v, &v, sizeof v);
        for (unsigned d = t->n_dims; d-- > 0 && ++index[d] == t->dims[d];)
            index[d] = 0;
    }
}

static bool has_numbers(const struct sm_value *v)
{
    enum sm_dtype_kind k = v->type == SM_TENSOR ? sm_dtype_info(v->tensor->dtype)->kind : SM_KIND_FLOAT;
    return k == SM_KIND_FLOAT || k == SM_KIND_INT || k == SM_KIND_UINT || k == SM_KIND_BOOL;
}

static bool binary_tensors(const struct sm_expr *e, const struct sm_value *a, const struct sm_value *b, struct sm_value *out,
                           struct sm_err *err)
{
    struct operand x = {.tensor = a->tensor, .number = a->number}, y = {.tensor = b->tensor, .number = b->number};
    unsigned na = a->tensor ? a->tensor->n_dims : 0, nb = b->tensor ? b->tensor->n_dims : 0, n = na > nb ? na : nb;
    uint64_t dims[SM_DIMS_MAX], total = 1;
    for (unsigned k = 0; k < n; k++) {
        uint64_t da = k < na ? a->tensor->dims[na - 1 - k] : 1, db = k < nb ? b->tensor->dims[nb - 1 - k] : 1;
        dims[n - 1 - k] = da == 1 ? db : da;
        total = dims[n - 1 - k] && total > ELEMENTS_MAX / dims[n - 1 - k] ? ELEMENTS_MAX + 1 : total * dims[n - 1 - k];
    }
    if (!has_numbers(a) || !has_numbers(b))
        return wrong(e, err, "these elements are no numbers,");
    if (total > ELEMENTS_MAX)
        return wrong(e, err, "the result has more than 100,000,000 elements,");
    if ((x.tensor && !broadcast(x.tensor, n, dims, x.strides)) || (y.tensor && !broadcast(y.tensor, n, dims, y.strides)))
        return wrong(e, err, "the shapes do not fit together,");
    struct sm_tensor *t;
    if (!sm_tensor_new(compares(e->op) ? SM_DTYPE_BOOL : SM_DTYPE_FLOAT64, n, dims, NULL, &t, err))
        return false;
    fill_elements(e->op, &x, &y, t);
    *out = (struct sm_value){.type = SM_TENSOR, .tensor = t};
    return true;
}

static bool binary_series(const struct sm_expr *e, struct sm_value *a, struct sm_value *b, struct sm_value *out, struct sm_err *err)
{
    struct sm_value *s = a->type == SM_SERIES ? a : b;
    double na = 0, nb = 0;
    bool both = a->type == SM_SERIES && b->type == SM_SERIES;
    if ((a->type != SM_SERIES && !sm_value_as_number(a, &na)) || (b->type != SM_SERIES && !sm_value_as_number(b, &nb)))
        return wrong(e, err, "a series goes with a number or a series,");
    if (both && a->n_points != b->n_points)
        return wrong(e, err, "the series have different steps,");
    for (size_t i = 0; i < s->n_points; i++) {
        if (both && a->points[i].step.n != b->points[i].step.n)
            return wrong(e, err, "the series have different steps,");
        double x = a->type == SM_SERIES ? a->points[i].value : na, y = b->type == SM_SERIES ? b->points[i].value : nb;
        s->points[i].value = apply(e->op, x, y);
        s->points[i].dtype = SM_DTYPE_NONE;
    }
    *out = *s;
    *s = (struct sm_value){0};
    return true;
}

static bool binary_strings(const struct sm_expr *e, const struct sm_value *a, const struct sm_value *b, struct sm_value *out, struct sm_err *err)
{
    if (e->op != SM_TOK_EQ && e->op != SM_TOK_NE)
        return wrong(e, err, "strings can only be compared with == and !=,");
    bool same = a->type == b->type && a->text.n == b->text.n && memcmp(a->text.p, b->text.p, a->text.n) == 0;
    sm_value_bool(out, same == (e->op == SM_TOK_EQ));
    return true;
}

static bool combine(const struct sm_expr *e, struct sm_value *a, struct sm_value *b, struct sm_value *out, struct sm_err *err)
{
    if (a->type == SM_UNAVAILABLE || b->type == SM_UNAVAILABLE) {
        *out = a->type == SM_UNAVAILABLE ? *a : *b;
        out->tensor = NULL;
        out->points = NULL;
        out->n_points = 0;
        return true;
    }
    if (a->type == SM_STRING || b->type == SM_STRING)
        return binary_strings(e, a, b, out, err);
    if (a->type == SM_SERIES || b->type == SM_SERIES)
        return binary_series(e, a, b, out, err);
    if (a->type == SM_VOID || b->type == SM_VOID || a->type == SM_RANGE || b->type == SM_RANGE)
        return wrong(e, err, "this value cannot be calculated with,");
    if (is_small(b) || (b->type == SM_TENSOR && b->tensor->n == 1))
        simplify(b);
    if (is_small(a) || (a->type == SM_TENSOR && a->tensor->n == 1))
        simplify(a);
    if (a->type != SM_TENSOR && b->type != SM_TENSOR) {
        binary_numbers(e->op, a, b, out);
        return true;
    }
    return binary_tensors(e, a, b, out, err);
}

static bool eval_binary(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value a = {0}, b = {0};
    if (!sm_eval(e->args[0], env, &a, err))
        return false;
    if (e->op == SM_TOK_AND || e->op == SM_TOK_OR) {
        bool left = sm_expr_is_true(&a);
        sm_value_clear(&a);
        if (left == (e->op == SM_TOK_OR)) {
            sm_value_bool(out, left);
            return true;
        }
        if (!sm_eval(e->args[1], env, &b, err))
            return false;
        sm_value_bool(out, sm_expr_is_true(&b));
        sm_value_clear(&b);
        return true;
    }
    bool ok = sm_eval(e->args[1], env, &b, err) && combine(e, &a, &b, out, err);
    sm_value_clear(&a);
    sm_value_clear(&b);
    return ok;
}

static bool eval_unary(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value a = {0}, zero;
    if (!sm_eval(e->args[0], env, &a, err))
        return false;
    if (e->op == SM_TOK_NOT) {
        bool unavailable = a.type == SM_UNAVAILABLE;
        bool yes = sm_expr_is_true(&a);
        if (unavailable)
            *out = a;
        else
            sm_value_bool(out, !yes);
        if (!unavailable)
            sm_value_clear(&a);
        return true;
    }
    if (a.type == SM_NUMBER && !a.is_int) {
        sm_value_number(out, e->op == SM_TOK_MINUS ? -a.number : a.number);
        return true;
    }
    sm_value_int(&zero, 0);
    bool ok = combine(e, &zero, &a, out, err);
    sm_value_clear(&a);
    return ok;
}

static bool eval_slice(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value whole = {0};
    if (!sm_eval(e->args[0], env, &whole, err))
        return false;
    if (whole.type == SM_UNAVAILABLE) {
        *out = whole;
        return true;
    }
    bool ok = whole.type == SM_TENSOR ? sm_slice_apply(e->slice, whole.tensor, &out->tensor, err) : wrong(e, err, "only tensors have elements,");
    if (ok) {
        out->type = SM_TENSOR;
        if (out->tensor->n_dims == 0)
            simplify(out);
    }
    sm_value_clear(&whole);
    return ok;
}

static bool eval_ternary(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value condition = {0};
    if (!sm_eval(e->args[0], env, &condition, err))
        return false;
    bool yes = sm_expr_is_true(&condition);
    sm_value_clear(&condition);
    return sm_eval(e->args[yes ? 1 : 2], env, out, err);
}

static bool eval_range(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_value a = {0}, b = {0};
    double from, to;
    bool ok = sm_eval(e->args[0], env, &a, err) && sm_eval(e->args[1], env, &b, err);
    if (ok)
        ok = (sm_value_as_number(&a, &from) && sm_value_as_number(&b, &to)) || wrong(e, err, "a range needs two numbers,");
    if (ok)
        *out = (struct sm_value){.type = SM_RANGE, .number = from, .stop = to};
    sm_value_clear(&a);
    sm_value_clear(&b);
    return ok;
}

bool sm_eval(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    *out = (struct sm_value){0};
    switch (e->type) {
    case SM_EXPR_CONSTANT:
        *out = e->constant;
        return true;
    case SM_EXPR_NAME:
        return eval_name(e, env, out, err);
    case SM_EXPR_VARIABLE:
        return eval_variable(e, env, out, err);
    case SM_EXPR_UNARY:
        return eval_unary(e, env, out, err);
    case SM_EXPR_BINARY:
        return eval_binary(e, env, out, err);
    case SM_EXPR_TERNARY:
        return eval_ternary(e, env, out, err);
    case SM_EXPR_RANGE:
        return eval_range(e, env, out, err);
    case SM_EXPR_SLICE:
        return eval_slice(e, env, out, err);
    case SM_EXPR_CALL:
        return e->func->run(e, env, out, err);
    }
    return false;
}

bool sm_expr_eval(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out, struct sm_err *err)
{
    struct sm_err ignored;
    if (!sm_eval(e, env, out, err ? err : &ignored))
        return false;
    if (out->type == SM_TENSOR && out->tensor->n == 1 && out->tensor->n_dims == 0)
        simplify(out);
    return true;
}
