#include "reader/stats.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels ----
 * A block is first looked at for non-finite elements. Clean blocks take the fast path with LANES independent
 * accumulators, which compilers turn into vectors; others are gone through one by one. The block's moments are taken about
 * a shift close to its mean and merged (Chan, Golub, LeVeque 1979), so the variance survives a large mean. */
enum { BLOCK = 512, LANES = 8 };

struct moments {
    double n, mean, m2;                  /* of the finite elements so far */
    double abs_mean, abs_m2;
};

static void merge(double n, double *mean, double *m2, double n_block, double mean_block, double m2_block)
{
    double delta = mean_block - *mean, total = n + n_block;
    *mean += delta * (n_block / total);
    *m2 += m2_block + delta * delta * (n * n_block / total);
}

struct block_sums {
    double sum, sum_squares, l1, prod;
    double d1, d2, a2;                   /* sums of (x - shift), (x - shift)^2, (|x| - |shift|)^2 */
    double min, max, abs_min;
    uint64_t zero, neg;
};

/* Adds a block's sums to the total. */
static void take_block(struct sm_stats *s, struct moments *m, const struct block_sums *b, double n, double shift)
{
    double mean = shift + b->d1 / n, m2 = b->d2 - b->d1 * (b->d1 / n);
    double abs_shift = fabs(shift), a1 = b->l1 - n * abs_shift;
    double abs_mean = abs_shift + a1 / n, abs_m2 = b->a2 - a1 * (a1 / n);
    merge(m->n, &m->mean, &m->m2, n, mean, m2 > 0 ? m2 : 0);
    merge(m->n, &m->abs_mean, &m->abs_m2, n, abs_mean, abs_m2 > 0 ? abs_m2 : 0);
    m->n += n;
    s->sum += b->sum;
    s->sum_squares += b->sum_squares;
    s->l1 += b->l1;
    s->prod *= b->prod;
    s->min = b->min < s->min ? b->min : s->min;
    s->max = b->max > s->max ? b->max : s->max;
    s->abs_min = b->abs_min < s->abs_min ? b->abs_min : s->abs_min;
    s->zero += b->zero;
    s->neg += b->neg;
    s->finite += (uint64_t)n;
}

static void begin(struct sm_stats *s, struct moments *m)
{
    *s = (struct sm_stats){.min = INFINITY, .max = -INFINITY, .abs_min = INFINITY, .prod = 1};
    *m = (struct moments){0};
}

static void end(struct sm_stats *s, const struct moments *m, uint64_t n)
{
    s->n = n;
    s->pos = s->finite - s->zero - s->neg + s->pos_inf;
    s->neg += s->neg_inf;
    if (!s->finite) {
        s->min = s->max = s->abs_min = s->prod = 0;
        return;
    }
    double count = (double)s->finite;
    s->mean = s->sum / count;
    s->variance = m->m2 / count;
    s->abs_variance = m->abs_m2 / count;
    s->l2 = sqrt(s->sum_squares);
    s->abs_max = fmax(fabs(s->min), fabs(s->max));
    s->abs_prod = fabs(s->prod);
}

#define REDUCE(op, lanes) (op(op(op(lanes[0], lanes[1]), op(lanes[2], lanes[3])), op(op(lanes[4], lanes[5]), op(lanes[6], lanes[7]))))
#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))

/* The clean block, for float and double alike. n is a multiple of LANES. */
#define FAST_BLOCK(name, type)                                                                                         \
    static inline __attribute__((always_inline)) void name(const type *x, size_t n, double shift, struct block_sums *b) \
    {                                                                                                                  \
        double sum[LANES] = {0}, squares[LANES] = {0}, l1[LANES] = {0}, d1[LANES] = {0}, d2[LANES] = {0}, a2[LANES] = {0}; \
        double prod[LANES];                                                                                            \
        type lo[LANES], hi[LANES], small[LANES];                                                                       \
        uint64_t zero = 0, neg = 0;                                                                                    \
        double abs_shift = fabs(shift);                                                                                \
        for (int k = 0; k < LANES; k++) {                                                                              \
            prod[k] = 1;                                                                                               \
            lo[k] = hi[k] = x[k];                                                                                      \
            small[k] = x[k] < 0 ? -x[k] : x[k];                                                                        \
        }                                                                                                              \
        for (size_t i = 0; i < n; i += LANES) {                                                                        \
            for (int k = 0; k < LANES; k++) {                                                                          \
                type v = x[i + (size_t)k], a = v < 0 ? -v : v;                                                         \
                double d = (double)v, e = (double)a, f = d - shift, g = e - abs_shift;                                 \
                lo[k] = LEAST(v, lo[k]);                                                                               \
                hi[k] = MOST(v, hi[k]);                                                                                \
                small[k] = LEAST(a, small[k]);                                                                         \
                sum[k] += d;                                                                                           \
                squares[k] += d * d;                                                                                   \
                l1[k] += e;                                                                                            \
                d1[k] += f;                                                                                            \
                d2[k] += f * f;                                                                                        \
                a2[k] += g * g;                                                                                        \
                prod[k] *= d;                                                                                          \
            }                                                                                                          \
        }                                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                                               \
            zero += x[i] == 0;                                                                                         \
            neg += x[i] < 0;                                                                                           \
        }                                                                                                              \
        *b = (struct block_sums){                                                                                      \
            .sum = REDUCE(ADD, sum), .sum_squares = REDUCE(ADD, squares), .l1 = REDUCE(ADD, l1), .d1 = REDUCE(ADD, d1), \
            .d2 = REDUCE(ADD, d2), .a2 = REDUCE(ADD, a2), .prod = REDUCE(MUL, prod), .min = (double)REDUCE(LEAST, lo),  \
            .max = (double)REDUCE(MOST, hi), .abs_min = (double)REDUCE(LEAST, small), .zero = zero, .neg = neg,         \
        };                                                                                                             \
    }

FAST_BLOCK(block_f32, float)
FAST_BLOCK(block_f64, double)

/* One element at a time: what is not finite, and the rests of blocks. */
static void slow_block(struct sm_stats *s, struct moments *m, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double v = x[i];
        if (isnan(v)) {
            s->nan++;
        } else if (isinf(v)) {
            *(v > 0 ? &s->pos_inf : &s->neg_inf) += 1;
        } else {
            double a = fabs(v);
            struct block_sums one = {.sum = v, .sum_squares = v * v, .l1 = a, .prod = v, .min = v, .max = v, .abs_min = a,
                                     .zero = v == 0, .neg = v < 0};
            take_block(s, m, &one, 1, v);
        }
    }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FOR_EACH_CPU __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define FOR_EACH_CPU
#endif

/* x * 0 is 0 for finite x and NaN otherwise, so the sum tells in one vector loop. */
FOR_EACH_CPU static void pass_f32(const float *x, size_t n, struct sm_stats *s, struct moments *m)
{
    double wide[BLOCK];
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t len = n - at < BLOCK ? n - at : BLOCK, even = len / LANES * LANES;
        float odd[LANES] = {0};
        for (size_t i = 0; i < even; i += LANES)
            for (size_t k = 0; k < LANES; k++)
                odd[k] += x[at + i + k] * 0.0f;
        bool clean = even && REDUCE(ADD, odd) == 0;
        if (clean) {
            struct block_sums b;
            double shift = (double)x[at];
            block_f32(x + at, even, shift, &b);
            take_block(s, m, &b, (double)even, shift);
        }
        size_t from = clean ? even : 0;
        for (size_t i = from; i < len; i++)
            wide[i] = (double)x[at + i];
        slow_block(s, m, wide + from, len - from);
    }
}

FOR_EACH_CPU static void pass_f64(const double *x, size_t n, struct sm_stats *s, struct moments *m)
{
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t len = n - at < BLOCK ? n - at : BLOCK, even = len / LANES * LANES;
        double odd[LANES] = {0};
        for (size_t i = 0; i < even; i += LANES)
            for (size_t k = 0; k < LANES; k++)
                odd[k] += x[at + i + k] * 0.0;
        bool clean = even && REDUCE(ADD, odd) == 0;
        if (clean) {
            struct block_sums b;
            block_f64(x + at, even, x[at], &b);
            take_block(s, m, &b, (double)even, x[at]);
        }
        size_t from = clean ? even : 0;
        slow_block(s, m, x + at + from, len - from);
    }
}

void sm_stats_f32(const float *x, size_t n, struct sm_stats *out)
{
    struct moments m;
    begin(out, &m);
    pass_f32(x, n, out, &m);
    end(out, &m, n);
}

/* ---- tensors ---- */

static void stats_widened(const struct sm_tensor *t, struct sm_stats *out)
{
    double wide[BLOCK];
    struct moments m;
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    begin(out, &m);
    for (uint64_t at = 0; at < t->n; at += BLOCK) {
        size_t len = t->n - at < BLOCK ? (size_t)(t->n - at) : BLOCK;
        sm_dtype_widen(t->dtype, t->data + at * info->size_bytes, len, wide);
        pass_f64(wide, len, out, &m);
    }
    end(out, &m, t->n);
    out->inexact = info->kind != SM_KIND_FLOAT && info->size_bytes == 8 && out->abs_max > 0x1p53;
}

/* Bytes in a record may lie at any address: the kernel wants aligned floats. */
static void stats_unaligned_f32(const struct sm_tensor *t, struct sm_stats *out)
{
    float x[BLOCK];
    struct moments m;
    begin(out, &m);
    for (uint64_t at = 0; at < t->n; at += BLOCK) {
        size_t len = t->n - at < BLOCK ? (size_t)(t->n - at) : BLOCK;
        memcpy(x, t->data + at * sizeof *x, len * sizeof *x);
        pass_f32(x, len, out, &m);
    }
    end(out, &m, t->n);
}

static void count_complex(const struct sm_tensor *t, struct sm_stats *out)
{
    *out = (struct sm_stats){.n = t->n};
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    for (uint64_t i = 0; i < t->n; i++) {
        double re = sm_dtype_load(t->dtype, t->data + i * size), im = sm_dtype_imag(t->dtype, t->data + i * size);
        if (isnan(re) || isnan(im))
            out->nan++;
        else if (isinf(re) || isinf(im))
            out->pos_inf++;
        else if (re == 0 && im == 0)
            out->zero++;
    }
}

bool sm_stats_of(const struct sm_tensor *t, struct sm_stats *out, struct sm_err *err)
{
    switch (sm_dtype_info(t->dtype)->kind) {
    case SM_KIND_FLOAT:
    case SM_KIND_INT:
    case SM_KIND_UINT:
    case SM_KIND_BOOL:
        if (t->dtype == SM_DTYPE_FLOAT32)
            stats_unaligned_f32(t, out);
        else
            stats_widened(t, out);
        return true;
    case SM_KIND_COMPLEX:
        count_complex(t, out);
        return true;
    default:
        *out = (struct sm_stats){.n = t->n};
        return sm_err_set(err, SM_ERR_USAGE, "no statistics of %s elements", sm_dtype_info(t->dtype)->name);
    }
}

/* ---- names ---- */

static const char *const names[SM_REDUCE_OPS][2] = {
    [SM_REDUCE_NONE] = {"value", "abs_value"},   [SM_REDUCE_MIN] = {"min", "abs_min"},
    [SM_REDUCE_MAX] = {"max", "abs_max"},        [SM_REDUCE_MEAN] = {"mean", "abs_mean"},
    [SM_REDUCE_STD] = {"std", "abs_std"},        [SM_REDUCE_VARIANCE] = {"variance", "abs_variance"},
    [SM_REDUCE_SUM] = {"sum", "abs_sum"},        [SM_REDUCE_PROD] = {"prod", "abs_prod"},
    [SM_REDUCE_L1] = {"l1", "abs_l1"},           [SM_REDUCE_L2] = {"l2", "abs_l2"},
    [SM_REDUCE_MEDIAN] = {"median", "abs_median"},
};

const char *sm_reduction_name(int reduction)
{
    return names[reduction & (SM_REDUCE_ABS - 1)][(reduction & SM_REDUCE_ABS) != 0];
}

int sm_reduction_of_name(const char *p, size_t n)
{
    static const struct {
        const char *name;
        int reduction;
    } more[] = {{"l1_norm", SM_REDUCE_L1}, {"l2_norm", SM_REDUCE_L2}, {"var", SM_REDUCE_VARIANCE}};
    int absolute = n > 4 && memcmp(p, "abs_", 4) == 0 ? SM_REDUCE_ABS : 0;
    struct sm_text word = {p + (absolute ? 4 : 0), n - (absolute ? 4 : 0)};
    for (int op = SM_REDUCE_MIN; op < SM_REDUCE_OPS; op++)
        if (sm_text_is(word, names[op][0]))
            return op | absolute;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (sm_text_is(word, more[i].name))
            return more[i].reduction | absolute;
    return -1;
}

double sm_stats_get(const struct sm_stats *s, int reduction)
{
    bool absolute = reduction & SM_REDUCE_ABS;
    if (!s->finite)
        return NAN;
    switch (reduction & (SM_REDUCE_ABS - 1)) {
    case SM_REDUCE_MIN:
        return absolute ? s->abs_min : s->min;
    case SM_REDUCE_MAX:
        return absolute ? s->abs_max : s->max;
    case SM_REDUCE_MEAN:
        return absolute ? s->l1 / (double)s->finite : s->mean;
    case SM_REDUCE_STD:
        return sqrt(absolute ? s->abs_variance : s->variance);
    case SM_REDUCE_VARIANCE:
        return absolute ? s->abs_variance : s->variance;
    case SM_REDUCE_SUM:
        return absolute ? s->l1 : s->sum;
    case SM_REDUCE_PROD:
        return absolute ? s->abs_prod : s->prod;
    case SM_REDUCE_L1:
        return s->l1;
    case SM_REDUCE_L2:
        return s->l2;
    default:
        return NAN;
    }
}
