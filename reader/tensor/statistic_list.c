/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/statistic_list.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- derived ones ---- */

static double abs_mean(const struct sm_stats *s)
{
    return s->l1 / (double)s->finite;
}

static double std(const struct sm_stats *s)
{
    return sqrt(s->variance);
}

static double abs_std(const struct sm_stats *s)
{
    return sqrt(s->abs_variance);
}

static double infinite(const struct sm_stats *s)
{
    return (double)(s->pos_inf + s->neg_inf);
}

/* ---- the list ---- */

#define WORD            8 /* bytes of a field */
#define FIELD(f)        .field = offsetof(struct sm_stats, f) / WORD
#define FROM(f, ...)    FIELD(f), .derived = true, .get = __VA_ARGS__
#define REDUCES(op)     .reduction = SM_REDUCE_##op
#define REDUCES_ABS(op) .reduction = SM_REDUCE_ABS | SM_REDUCE_##op
#define FUNC(f, h)      .function = f, .help = h
#define COUNTS(f)       .kind = SM_STATISTIC_COUNT, FIELD(f), .required = true
#define QUANTILE(i)     .kind = SM_STATISTIC_QUANTILE, .point = i
#define STAT(o, c, l)   .order = o, .column = c, .line = l

/* OFFERED by commands and panes, in this order; ALSO(other name, key of the row above); OTHER.
 * A new row should be OFFERED and have a key, a FIELD and, if expressions should have it, a FUNC.
 */
#define ROWS(OFFERED, ALSO, OTHER)                                                                 \
    OFFERED("abs_mean", .title = "|x| mean", FROM(l1, abs_mean), REDUCES_ABS(MEAN),                \
            FUNC("absmean", "mean of the absolute values"), STAT(19, 13, 53))                      \
    OFFERED("abs_max", .title = "|x| max", FIELD(abs_max), REDUCES_ABS(MAX),                       \
            FUNC("absmax", "largest absolute value"), STAT(18, 14, 52))                            \
    ALSO("absmax", "abs_max")                                                                      \
    OFFERED("abs_min", .title = "|x| min", FIELD(abs_min), REDUCES_ABS(MIN), STAT(17, 24, 51))     \
    OFFERED("abs_std", .title = "|x| std", FROM(abs_variance, abs_std), REDUCES_ABS(STD),          \
            STAT(20, 25, 61))                                                                      \
    OFFERED("mean", FIELD(mean), REDUCES(MEAN), FUNC("mean", "mean of the finite elements"),       \
            STAT(10, 8, 13))                                                                       \
    OFFERED("std", FROM(variance, std), REDUCES(STD),                                              \
            FUNC("std", "standard deviation, divided by n"), STAT(11, 9, 21))                      \
    OFFERED("variance", .alias = "var", FIELD(variance), REDUCES(VARIANCE),                        \
            FUNC("var", "variance, divided by n"), STAT(12, 22, 22))                               \
    OFFERED("min", FIELD(min), REDUCES(MIN), FUNC("min", "smallest finite element"),               \
            STAT(8, 6, 11))                                                                        \
    OFFERED("max", FIELD(max), REDUCES(MAX), FUNC("max", "largest finite element"),                \
            STAT(9, 7, 12))                                                                        \
    OFFERED("sum", FIELD(sum), REDUCES(SUM), FUNC("sum", "sum of the finite elements"),            \
            STAT(13, 10, 31))                                                                      \
    OFFERED("prod", .title = "product", FIELD(prod), REDUCES(PROD),                                \
            FUNC("prod", "product of the finite elements"), STAT(14, 23, 32))                      \
    OFFERED("l1", .alias = "l1_norm", FIELD(l1), REDUCES(L1),                                      \
            FUNC("l1", "sum of the absolute values"), STAT(15, 11, 41))                            \
    OFFERED("l2", .alias = "l2_norm", FIELD(l2), REDUCES(L2),                                      \
            FUNC("l2", "root of the sum of squares"), STAT(16, 12, 42))                            \
    OFFERED("nan", COUNTS(nan), FUNC("nan", "how many elements are NaN"), STAT(2, 2, 103))         \
    OFFERED("inf", FROM(pos_inf, infinite), .kind = SM_STATISTIC_COUNT, .hidden = true,            \
            FUNC("inf", "how many elements are infinite"))                                         \
    OFFERED("zero", COUNTS(zero), FUNC("zeros", "how many elements are zero"), STAT(5, 5, 102))    \
    OFFERED("size", COUNTS(n), STAT(1, 1, 101))                                                    \
    OTHER("pos_inf", .title = "+inf", COUNTS(pos_inf), STAT(3, 3, 121))                            \
    OTHER("neg_inf", .title = "-inf", COUNTS(neg_inf), STAT(4, 4, 122))                            \
    OTHER("neg", .title = "negative", COUNTS(neg), STAT(6, 20, 112))                               \
    OTHER("pos", .title = "positive", COUNTS(pos), STAT(7, 21, 111))                               \
    OTHER("finite", COUNTS(finite), .hidden = true)                                                \
    OTHER("min_bits", .kind = SM_STATISTIC_COUNT, FIELD(min_bits), .hidden = true)                 \
    OTHER("max_bits", .kind = SM_STATISTIC_COUNT, FIELD(max_bits), .hidden = true)                 \
    OTHER("sum_squares", FIELD(sum_squares), .hidden = true)                                       \
    OTHER("abs_prod", FIELD(abs_prod), REDUCES_ABS(PROD), .hidden = true)                          \
    OTHER("abs_l1", .alias = "abs_l1_norm", FROM(l1, NULL), REDUCES_ABS(L1), .hidden = true)       \
    OTHER("abs_l2", .alias = "abs_l2_norm", FROM(l2, NULL), REDUCES_ABS(L2), .hidden = true)       \
    OTHER("abs_variance", .title = "|x| variance", .alias = "abs_var", FIELD(abs_variance),        \
          REDUCES_ABS(VARIANCE), STAT(21, 26, 62))                                                 \
    OTHER("abs_sum", .title = "|x| sum", FROM(l1, NULL), REDUCES_ABS(SUM), STAT(22, 27, 71))       \
    OTHER("median", QUANTILE(3), REDUCES(MEDIAN), STAT(23, 15, 23))                                \
    OTHER("abs_median", .title = "|x| median", QUANTILE(7), REDUCES_ABS(MEDIAN), STAT(24, 28, 63)) \
    OTHER("p1", .title = "1 %", QUANTILE(0), STAT(25, 29, 81))                                     \
    OTHER("p5", .title = "5 %", QUANTILE(1), STAT(26, 16, 82))                                     \
    OTHER("p25", .title = "25 %", QUANTILE(2), STAT(27, 17, 83))                                   \
    OTHER("p75", .title = "75 %", QUANTILE(4), STAT(28, 18, 91))                                   \
    OTHER("p95", .title = "95 %", QUANTILE(5), STAT(29, 19, 92))                                   \
    OTHER("p99", .title = "99 %", QUANTILE(6), STAT(30, 30, 93))

#define ROW(k, ...)       {.key = k, __VA_ARGS__},
#define NO_ROW(name, key) /* the row is there already */
#define NAME(name, ...)   name,
#define NO_NAME(key, ...) /* not offered */
#define ONE(key, ...)     +1
#define NONE(key, ...)    +0

static const struct sm_statistic rows[] = {ROWS(ROW, NO_ROW, ROW)};
const char *const sm_statistic_names[] = {ROWS(NAME, NAME, NO_NAME) NULL};
/* The offered rows are the first ones. */
enum { COUNT = sizeof rows / sizeof *rows, OFFERED_COUNT = 0 ROWS(ONE, NONE, NONE) };

_Static_assert(sizeof(struct sm_stats) / WORD <= 64, "a bit of `lacks` for each field");
_Static_assert(COUNT <= INT8_MAX, "archives number the rows by int8_t");

size_t sm_statistic_count(void)
{
    return COUNT;
}

const struct sm_statistic *sm_statistic(size_t i)
{
    return &rows[i];
}

const char *sm_statistic_title(const struct sm_statistic *x)
{
    return x->title ? x->title : x->key;
}

/* ---- names ---- */

static bool is_called(const struct sm_statistic *x, struct sm_text name)
{
    return sm_text_is(name, x->key) || (x->alias && sm_text_is(name, x->alias)) ||
           (x->function && sm_text_is(name, x->function));
}

const struct sm_statistic *sm_statistic_find(struct sm_text name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (is_called(&rows[i], name))
            return &rows[i];
    return NULL;
}

const struct sm_statistic *sm_statistic_offered(struct sm_text name)
{
    for (size_t i = 0; sm_statistic_names[i]; i++)
        if (sm_text_is(name, sm_statistic_names[i]))
            return sm_statistic_find(name);
    return NULL;
}

size_t sm_statistic_offered_count(void)
{
    return OFFERED_COUNT;
}

/* ---- values ---- */

bool sm_statistic_known(const struct sm_stats *s, const struct sm_statistic *x)
{
    return x->kind != SM_STATISTIC_QUANTILE && !(s->lacks >> x->field & 1);
}

static double count_of(const struct sm_stats *s, const struct sm_statistic *x)
{
    uint64_t n;
    memcpy(&n, (const char *)s + (size_t)x->field * WORD, sizeof n);
    return (double)n;
}

static double real_of(const struct sm_stats *s, const struct sm_statistic *x)
{
    double v;
    memcpy(&v, (const char *)s + (size_t)x->field * WORD, sizeof v);
    return v;
}

double sm_statistic_of(const struct sm_stats *s, const struct sm_statistic *x)
{
    bool counts = x->kind == SM_STATISTIC_COUNT;
    if (!sm_statistic_known(s, x) || (!counts && !s->finite))
        return (double)NAN;
    return x->get ? x->get(s) : counts ? count_of(s, x) : real_of(s, x);
}

static struct sm_exact magnitude_of(struct sm_exact x)
{
    x.real = fabs(x.real);
    x.integer.negative = false;
    return x;
}

bool sm_statistic_exact(const struct sm_stats *s, enum sm_dtype d, const struct sm_statistic *x,
                        struct sm_exact *out)
{
    struct sm_exact least = sm_stats_extreme(s, d, false), most = sm_stats_extreme(s, d, true);
    if (!least.is_int || !most.is_int)
        return false;
    if (x->reduction == SM_REDUCE_MIN || x->reduction == SM_REDUCE_MAX) {
        *out = x->reduction == SM_REDUCE_MIN ? least : most;
        return true;
    }
    least = magnitude_of(least);
    most = magnitude_of(most);
    *out = sm_exact_compare(&least, &most) > 0 ? least : most;
    return x->reduction == (SM_REDUCE_ABS | SM_REDUCE_MAX);
}

/* ---- reductions ---- */

const struct sm_statistic *sm_reduction_statistic(int reduction)
{
    for (size_t i = 0; i < COUNT; i++)
        if (rows[i].reduction == reduction && reduction != SM_REDUCE_NONE)
            return &rows[i];
    return NULL;
}

int sm_reduction_of_name(const char *p, size_t n)
{
    struct sm_text name = {p, n};
    for (size_t i = 0; i < COUNT; i++)
        if (rows[i].reduction != SM_REDUCE_NONE &&
            (sm_text_is(name, rows[i].key) || (rows[i].alias && sm_text_is(name, rows[i].alias))))
            return rows[i].reduction;
    return -1;
}

const char *sm_reduction_name(int reduction)
{
    const struct sm_statistic *x = sm_reduction_statistic(reduction);
    return x ? x->key : reduction & SM_REDUCE_ABS ? "abs_value" : "value";
}

double sm_stats_get(const struct sm_stats *s, int reduction)
{
    const struct sm_statistic *x = sm_reduction_statistic(reduction);
    return x ? sm_statistic_of(s, x) : (double)NAN;
}
