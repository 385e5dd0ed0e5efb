/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/origin/value_health.h"

#include "reader/tensor/statistic_list.h"

#include <math.h>
#include <string.h>

#define ENORMOUS        1e18 /* its square overflows float32 */
#define LEAST_EXPLOSION 10.0 /* without a known spread, nothing smaller is an explosion */
#define LEAST_GRADIENT  1e-7 /* as in the rule VanishingGradient */
#define FULL_PAST       4    /* good values needed for a spread */

const char *sm_fault_name(enum sm_fault fault)
{
    static const char *const names[SM_FAULT_COUNT] = {
        [SM_FAULT_NAN] = "nan",
        [SM_FAULT_INF] = "inf",
        [SM_FAULT_EXPLODING] = "exploding",
        [SM_FAULT_VANISHING] = "vanishing",
        [SM_FAULT_ZERO] = "zero",
    };
    return names[fault];
}

unsigned sm_fault_family(enum sm_fault fault)
{
    const unsigned large = 1u << SM_FAULT_NAN | 1u << SM_FAULT_INF | 1u << SM_FAULT_EXPLODING;
    const unsigned small = 1u << SM_FAULT_VANISHING | 1u << SM_FAULT_ZERO;
    return fault == SM_FAULT_NONE ? 0 : large >> fault & 1 ? large : small;
}

void sm_value_health_of(const struct sm_facts *facts, struct sm_value_health *out)
{
    const struct sm_stats *s = &facts->stats;
    *out = (struct sm_value_health){.abs_max = NAN, .abs_mean = NAN, .time = facts->wall_time};
    if (!facts->has_stats)
        return;
    out->n = s->n;
    out->nan = s->nan;
    out->inf = s->pos_inf + s->neg_inf;
    out->zero = s->zero;
    out->whole = sm_dtype_info(facts->dtype)->kind != SM_KIND_FLOAT;
    out->abs_max = sm_stats_get(s, SM_REDUCE_ABS | SM_REDUCE_MAX);
    out->abs_mean = sm_stats_get(s, SM_REDUCE_ABS | SM_REDUCE_MEAN);
}

void sm_value_health_of_brief(const struct sm_brief *b, struct sm_value_health *out)
{
    enum { SEVERAL = 100 };
    *out = (struct sm_value_health){.abs_max = NAN, .abs_mean = NAN, .time = b->time};
    if (!(b->flags & SM_BRIEF_NUMBERS) || (b->flags & SM_BRIEF_EMPTY))
        return;
    out->n = b->flags & SM_BRIEF_ONE ? 1 : SEVERAL;
    out->nan = (b->flags & SM_BRIEF_NAN) != 0;
    out->inf = (b->flags & (SM_BRIEF_POS_INF | SM_BRIEF_NEG_INF)) != 0;
    out->zero = b->flags & SM_BRIEF_ALL_ZERO      ? out->n
                : b->flags & SM_BRIEF_MOSTLY_ZERO ? SEVERAL - 1
                                                  : 0;
    out->whole = sm_dtype_info((enum sm_dtype)b->dtype)->kind != SM_KIND_FLOAT;
    out->abs_max = sm_brief_abs_max(b);
    out->abs_mean = sm_brief_abs_mean(b);
}

static bool in_collection(const struct sm_trial *t, uint32_t tensor, const char *name)
{
    for (size_t i = 0; i < sm_trial_collection_count(t); i++)
        if (strcmp(sm_trial_collection(t, i)->name, name) == 0)
            return sm_trial_in_collection(t, i, tensor);
    return false;
}

struct sm_tensor_role sm_tensor_role_of(const struct sm_trial *t, uint32_t tensor)
{
    const char *name = sm_names_text(sm_trial_names(t), tensor);
    return (struct sm_tensor_role){
        .gradient = in_collection(t, tensor, "gradients") || strncmp(name, "gradient", 8) == 0,
        .bias = in_collection(t, tensor, "biases") || strstr(name, "bias") != NULL,
        .output = strstr(name, "output") != NULL,
        .tree = in_collection(t, tensor, "trees"),
    };
}

/* ---- the past ---- */

static void add_moment(double *mean, double *squares, uint64_t n, double v)
{
    double d = v - *mean;
    *mean += d / (double)n;
    *squares += d * (v - *mean);
}

void sm_value_baseline_add(struct sm_value_baseline *p, const struct sm_value_health *v,
                           struct sm_step step)
{
    if (isnan(v->abs_max) || v->abs_max == 0)
        return;
    if (!p->n++)
        p->first = step;
    p->last = step;
    add_moment(&p->mean, &p->squares, p->n, v->abs_max);
    add_moment(&p->small_mean, &p->small_squares, p->n, v->abs_mean);
    p->max = fmax(p->max, v->abs_max);
    if (p->n <= FULL_PAST)
        p->base = p->max;
}

double sm_value_baseline_z(const struct sm_value_baseline *p, const struct sm_value_health *v,
                           enum sm_fault fault)
{
    bool small = fault == SM_FAULT_VANISHING || fault == SM_FAULT_ZERO;
    double x = small ? v->abs_mean : v->abs_max;
    double mean = small ? p->small_mean : p->mean;
    double spread = p->n ? sqrt((small ? p->small_squares : p->squares) / (double)p->n) : 0;
    return p->n < FULL_PAST || spread == 0 ? NAN : (x - mean) / spread;
}

/* ---- faults ---- */

/* An explosion is larger than ten times each good value before. */
bool sm_value_health_needs_past(const struct sm_value_health *v,
                                const struct sm_value_health *first, struct sm_tensor_role role)
{
    static const struct sm_value_baseline none = {0};
    if (v->nan || v->inf || v->whole || !(v->abs_max > 0) || v->abs_max >= ENORMOUS)
        return false;
    return !(v->abs_max <= 10 * first->abs_max) ||
           sm_value_health_judge(first, role, &none) != SM_FAULT_NONE;
}

/* A jump far above the values before, or slow growth far above the first values. */
static bool explodes(const struct sm_value_health *v, const struct sm_value_baseline *p)
{
    if (v->abs_max >= ENORMOUS)
        return true;
    bool large = v->abs_max >= LEAST_EXPLOSION;
    if (!p->n || (large && v->abs_max > 1e4 * fmax(p->base, 1e-3)))
        return p->n > 0;
    if (p->n < FULL_PAST)
        return large && v->abs_max > 100 * p->max;
    double z = sm_value_baseline_z(p, v, SM_FAULT_EXPLODING);
    return isnan(z) ? v->abs_max > 100 * p->max : v->abs_max > 10 * p->max && z > 20;
}

static bool is_dead(const struct sm_value_health *v, struct sm_tensor_role role)
{
    if (v->n < 2 || (role.bias && !role.gradient))
        return false;
    return v->zero == v->n || (role.output && (double)v->zero >= 0.99 * (double)v->n);
}

enum sm_fault sm_value_health_judge(const struct sm_value_health *v, struct sm_tensor_role role,
                                    const struct sm_value_baseline *past)
{
    if (role.tree)
        return SM_FAULT_NONE;
    if (v->nan)
        return SM_FAULT_NAN;
    if (v->inf)
        return SM_FAULT_INF;
    if (v->whole)
        return SM_FAULT_NONE;
    if (explodes(v, past))
        return SM_FAULT_EXPLODING;
    if (is_dead(v, role))
        return SM_FAULT_ZERO;
    return role.gradient && v->n && v->zero < v->n && v->abs_mean < LEAST_GRADIENT
               ? SM_FAULT_VANISHING
               : SM_FAULT_NONE;
}

/* ---- text ---- */

static void count_text(struct sm_str *out, uint64_t count, uint64_t of, const char *what)
{
    if (of == 1)
        sm_str_add(out, what);
    else
        sm_str_printf(out, "%llu %s of %llu", (unsigned long long)count, what,
                      (unsigned long long)of);
}

void sm_value_health_text(const struct sm_value_health *v, enum sm_fault fault, struct sm_str *out)
{
    char number[32];
    switch (fault) {
    case SM_FAULT_NAN:
        count_text(out, v->nan, v->n, "NaN");
        return;
    case SM_FAULT_INF:
        count_text(out, v->inf, v->n, "Inf");
        return;
    case SM_FAULT_ZERO:
        if (v->zero == v->n)
            sm_str_printf(out, "all %llu are 0", (unsigned long long)v->n);
        else
            count_text(out, v->zero, v->n, "zero");
        return;
    default:
        break;
    }
    bool small = fault == SM_FAULT_VANISHING;
    if (isnan(v->abs_max)) { /* complex */
        sm_str_add(out, "no NaN or Inf");
        return;
    }
    sm_format_double(small ? v->abs_mean : v->abs_max, 3, number);
    sm_str_printf(out, "%s %s", v->n == 1 ? "|x|" : small ? "mean |x|" : "max |x|", number);
}

double sm_value_health_number(const struct sm_value_health *v, enum sm_fault fault)
{
    if (v->nan)
        return NAN;
    if (v->inf)
        return INFINITY;
    return fault == SM_FAULT_VANISHING || fault == SM_FAULT_ZERO ? v->abs_mean : v->abs_max;
}
