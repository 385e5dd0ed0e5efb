/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/brief.h"

#include "reader/tensor/facts.h"

#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct sm_brief) == 24, "a brief is kept for every value");

/* A finite number stays finite. */
static float to_float(double v)
{
    return isfinite(v) && fabs(v) > (double)FLT_MAX ? copysignf(FLT_MAX, (float)(v > 0 ? 1 : -1))
                                                    : (float)v;
}

static uint16_t flags_of(const struct sm_stats *s)
{
    bool dead = s->n && (double)s->zero >= 0.99 * (double)s->n;
    return (uint16_t)(SM_BRIEF_NUMBERS | (s->nan ? SM_BRIEF_NAN : 0) |
                      (s->pos_inf ? SM_BRIEF_POS_INF : 0) | (s->neg_inf ? SM_BRIEF_NEG_INF : 0) |
                      (s->n && s->zero == s->n ? SM_BRIEF_ALL_ZERO : 0) |
                      (dead ? SM_BRIEF_MOSTLY_ZERO : 0) | (s->lacks ? SM_BRIEF_NO_STATS : 0));
}

void sm_brief_of(const struct sm_facts *facts, struct sm_brief *out)
{
    const struct sm_stats *s = &facts->stats;
    size_t size = sm_dtype_info(facts->dtype)->size_bytes;
    enum sm_dtype_kind kind = sm_dtype_info(facts->dtype)->kind;
    bool one = facts->n == 1 && size && size <= sizeof out->first && kind != SM_KIND_COMPLEX &&
               kind != SM_KIND_OTHER;
    *out = (struct sm_brief){.time = facts->wall_time,
                             .flags = (uint16_t)(SM_BRIEF_READ | (one ? SM_BRIEF_ONE : 0) |
                                                 (facts->n_dims < 2 ? SM_BRIEF_FLAT : 0) |
                                                 (facts->n ? 0 : SM_BRIEF_EMPTY)),
                             .abs_max = (float)NAN,
                             .dtype = (uint8_t)facts->dtype};
    out->mean = out->abs_mean = (float)NAN;
    if (facts->has_stats) {
        out->flags |= flags_of(s);
        out->abs_max = s->finite ? to_float(s->abs_max) : (float)NAN;
        out->mean = s->finite ? to_float(s->mean) : (float)NAN;
        out->abs_mean = s->finite ? to_float(s->l1 / (double)s->finite) : (float)NAN;
    }
    if (one)
        memcpy(out->first, facts->first, sizeof out->first);
}

void sm_brief_of_number(enum sm_dtype dtype, const uint8_t element[8], double time,
                        struct sm_brief *out)
{
    double value = sm_dtype_load(dtype, element);
    *out = (struct sm_brief){
        .time = time,
        .abs_max = isfinite(value) ? to_float(fabs(value)) : (float)NAN,
        .flags = (uint16_t)(SM_BRIEF_READ | SM_BRIEF_NUMBERS | SM_BRIEF_ONE | SM_BRIEF_FLAT |
                            (isnan(value) ? SM_BRIEF_NAN : 0) |
                            (isinf(value) ? value > 0 ? SM_BRIEF_POS_INF : SM_BRIEF_NEG_INF : 0) |
                            (value == 0 ? SM_BRIEF_ALL_ZERO | SM_BRIEF_MOSTLY_ZERO : 0)),
        .dtype = (uint8_t)dtype,
    };
    memcpy(out->first, element, sizeof out->first);
}

static double finite_element(const struct sm_brief *b)
{
    double v = sm_dtype_load((enum sm_dtype)b->dtype, b->first);
    return isfinite(v) && (b->flags & SM_BRIEF_NUMBERS) ? v : (double)NAN;
}

double sm_brief_mean(const struct sm_brief *b)
{
    return b->flags & SM_BRIEF_ONE ? finite_element(b) : (double)b->mean;
}

double sm_brief_abs_mean(const struct sm_brief *b)
{
    return b->flags & SM_BRIEF_ONE ? fabs(finite_element(b)) : (double)b->abs_mean;
}

double sm_brief_abs_max(const struct sm_brief *b)
{
    return b->flags & SM_BRIEF_ONE ? fabs(finite_element(b)) : (double)b->abs_max;
}

int sm_brief_rank(const struct sm_brief *b)
{
    if (b->flags & SM_BRIEF_NAN)
        return 3;
    if (b->flags & (SM_BRIEF_POS_INF | SM_BRIEF_NEG_INF))
        return 2;
    return (b->flags & SM_BRIEF_NUMBERS) && !(b->flags & SM_BRIEF_EMPTY);
}
