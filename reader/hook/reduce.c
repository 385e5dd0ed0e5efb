#include "reader/hook/hook_private.h"

#include <math.h>

/* PyTorch divides by n - 1, and has NaN for one element (doc/formats.md). */
static double unbiased(double variance, double n)
{
    return n > 1 ? variance * (n / (n - 1)) : (double)NAN;
}

/* What a framework computes of all elements is NaN when one of them is. */
static double with_specials(const struct sm_stats *s, int reduction)
{
    int op = reduction & (SM_REDUCE_ABS - 1);
    bool absolute = reduction & SM_REDUCE_ABS, both = s->pos_inf && s->neg_inf;
    if (s->nan || op == SM_REDUCE_STD || op == SM_REDUCE_VARIANCE)
        return (double)NAN;
    if (op == SM_REDUCE_L1 || op == SM_REDUCE_L2 || (absolute && op != SM_REDUCE_MIN && op != SM_REDUCE_PROD))
        return (double)INFINITY;
    if (op == SM_REDUCE_MIN)
        return absolute ? (s->finite ? s->abs_min : (double)INFINITY)
               : s->neg_inf ? -(double)INFINITY : s->finite ? s->min : (double)INFINITY;
    if (op == SM_REDUCE_MAX)
        return s->pos_inf ? (double)INFINITY : s->finite ? s->max : -(double)INFINITY;
    if (op == SM_REDUCE_PROD && s->zero)
        return (double)NAN;
    if (op == SM_REDUCE_PROD)
        return s->neg % 2 && !absolute ? -(double)INFINITY : (double)INFINITY;
    return both ? (double)NAN : s->pos_inf ? (double)INFINITY : -(double)INFINITY;
}

double hook_reduce(const struct sm_stats *s, int reduction)
{
    int op = reduction & (SM_REDUCE_ABS - 1);
    if (s->nan || s->pos_inf || s->neg_inf)
        return with_specials(s, reduction);
    double v = sm_stats_get(s, reduction), n = (double)s->finite;
    if (op == SM_REDUCE_VARIANCE)
        return unbiased(v, n);
    return op == SM_REDUCE_STD ? sqrt(unbiased(v * v, n)) : v;
}
