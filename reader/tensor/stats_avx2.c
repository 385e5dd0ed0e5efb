/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of stats_block.c for processors with AVX2, eight elements at a time; stats_block.c
 * defines the results. */
#include "reader/format/minifloat.h"
#include "reader/tensor/stats_block.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <immintrin.h>
#include <pthread.h>

#define AVX2 __attribute__((target("avx2")))

/* Prefetch distance: reading from memory gets 10 % faster; harmless past the end. */
enum { PREFETCH_BYTES = 2048 };

struct eight {
    __m256d low, high; /* lanes 0..3 and 4..7 */
};

struct sums {
    struct eight sum, squares, l1;
};

bool sm_avx2_here(void)
{
    return __builtin_cpu_supports("avx2");
}

AVX2 static inline struct eight eight_of(double v)
{
    return (struct eight){_mm256_set1_pd(v), _mm256_set1_pd(v)};
}

AVX2 static inline struct eight load_floats(const uint8_t *x)
{
    __m256 v = _mm256_loadu_ps((const float *)(const void *)x);
    return (struct eight){_mm256_cvtps_pd(_mm256_castps256_ps128(v)),
                          _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1))};
}

AVX2 static inline struct eight load_doubles(const double *x)
{
    return (struct eight){_mm256_loadu_pd(x), _mm256_loadu_pd(x + 4)};
}

AVX2 static inline struct eight add(struct eight a, struct eight b)
{
    return (struct eight){_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)};
}

AVX2 static inline struct eight sub(struct eight a, struct eight b)
{
    return (struct eight){_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
}

AVX2 static inline struct eight square(struct eight v)
{
    return (struct eight){_mm256_mul_pd(v.low, v.low), _mm256_mul_pd(v.high, v.high)};
}

AVX2 static inline struct eight magnitude(struct eight v)
{
    const __m256d bits = _mm256_castsi256_pd(_mm256_set1_epi64x(INT64_MAX));
    return (struct eight){_mm256_and_pd(v.low, bits), _mm256_and_pd(v.high, bits)};
}

AVX2 static inline void add_to_lanes(struct sums *s, struct eight v)
{
    s->sum = add(s->sum, v);
    s->squares = add(s->squares, square(v));
    s->l1 = add(s->l1, magnitude(v));
}

/* In the order of stats_block.c. */
AVX2 static double lanes_sum(struct eight s)
{
    __m256d four = _mm256_add_pd(s.low, s.high);
    __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
}

AVX2 static void finish(const struct sums *s, struct sm_stats_block *out)
{
    out->sum = lanes_sum(s->sum);
    out->squares = lanes_sum(s->squares);
    out->l1 = lanes_sum(s->l1);
}

/* ---- doubles ---- */

AVX2 static double least(__m256d v)
{
    __m128d two = _mm_min_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
}

AVX2 static double most(__m256d v)
{
    __m128d two = _mm_max_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
}

/* Each hit subtracted one from its counter. */
AVX2 static uint32_t hits(__m256i counters)
{
    uint64_t c[4];
    _mm256_storeu_si256((__m256i *)c, counters);
    return (uint32_t) - (c[0] + c[1] + c[2] + c[3]);
}

AVX2 static inline __m256i count(__m256i counters, __m256d low, __m256d high)
{
    return _mm256_add_epi64(counters,
                            _mm256_add_epi64(_mm256_castpd_si256(low), _mm256_castpd_si256(high)));
}

AVX2 void sm_avx2_sums(const double *x, size_t n, struct sm_stats_block *out)
{
    const __m256d none = _mm256_setzero_pd();
    struct sums s = {eight_of(0), eight_of(0), eight_of(0)};
    __m256d min = _mm256_loadu_pd(x), max = min, abs_min = magnitude(load_doubles(x)).low;
    __m256i zero = _mm256_setzero_si256(), neg = zero;
    for (size_t i = 0; i < n; i += SM_LANES) {
        struct eight v = load_doubles(x + i), a = magnitude(v);
        add_to_lanes(&s, v);
        min = _mm256_min_pd(v.high, _mm256_min_pd(v.low, min));
        max = _mm256_max_pd(v.high, _mm256_max_pd(v.low, max));
        abs_min = _mm256_min_pd(a.high, _mm256_min_pd(a.low, abs_min));
        zero = count(zero, _mm256_cmp_pd(v.low, none, _CMP_EQ_OQ),
                     _mm256_cmp_pd(v.high, none, _CMP_EQ_OQ));
        neg = count(neg, _mm256_cmp_pd(v.low, none, _CMP_LT_OQ),
                    _mm256_cmp_pd(v.high, none, _CMP_LT_OQ));
    }
    *out = (struct sm_stats_block){.min = least(min),
                                   .max = most(max),
                                   .abs_min = least(abs_min),
                                   .zero = hits(zero),
                                   .neg = hits(neg)};
    finish(&s, out);
}

AVX2 void sm_avx2_spread(const double *x, size_t n, double mean, double abs_mean, double *m2,
                         double *abs_m2)
{
    struct eight a = eight_of(0), b = eight_of(0);
    for (size_t i = 0; i < n; i += SM_LANES) {
        struct eight v = load_doubles(x + i);
        a = add(a, square(sub(v, eight_of(mean))));
        b = add(b, square(sub(magnitude(v), eight_of(abs_mean))));
    }
    *m2 = lanes_sum(a);
    *abs_m2 = lanes_sum(b);
}

/* ---- floats: the kernel that decides the program's speed ---- */

AVX2 static double least_float(__m256 v)
{
    __m128 m = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    return (double)_mm_cvtss_f32(_mm_min_ss(m, _mm_movehdup_ps(m)));
}

AVX2 static double most_float(__m256 v)
{
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return (double)_mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

AVX2 static uint32_t hits_float(__m256i counters)
{
    __m128i c =
        _mm_add_epi32(_mm256_castsi256_si128(counters), _mm256_extracti128_si256(counters, 1));
    c = _mm_add_epi32(c, _mm_shuffle_epi32(c, 0x4e));
    return -(uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(c, _mm_shuffle_epi32(c, 0xb1)));
}

AVX2 void sm_avx2_sums_f32(const uint8_t *x, size_t n, struct sm_stats_block *out)
{
    const __m256 none = _mm256_setzero_ps(),
                 abs_bits = _mm256_castsi256_ps(_mm256_set1_epi32(INT32_MAX));
    struct sums s = {eight_of(0), eight_of(0), eight_of(0)};
    __m256 min = _mm256_loadu_ps((const float *)(const void *)x), max = min,
           abs_min = _mm256_and_ps(min, abs_bits);
    __m256i zero = _mm256_setzero_si256(), neg = zero;
    for (size_t i = 0; i < n; i += SM_LANES) {
        __m256 v = _mm256_loadu_ps((const float *)(const void *)(x + i * sizeof(float)));
        _mm_prefetch((const char *)((uintptr_t)x + i * sizeof(float) + PREFETCH_BYTES),
                     _MM_HINT_T0);
        add_to_lanes(&s, load_floats(x + i * sizeof(float)));
        min = _mm256_min_ps(v, min);
        max = _mm256_max_ps(v, max);
        abs_min = _mm256_min_ps(_mm256_and_ps(v, abs_bits), abs_min);
        zero = _mm256_add_epi32(zero, _mm256_castps_si256(_mm256_cmp_ps(v, none, _CMP_EQ_OQ)));
        neg = _mm256_add_epi32(neg, _mm256_castps_si256(_mm256_cmp_ps(v, none, _CMP_LT_OQ)));
    }
    *out = (struct sm_stats_block){.min = least_float(min),
                                   .max = most_float(max),
                                   .abs_min = least_float(abs_min),
                                   .zero = hits_float(zero),
                                   .neg = hits_float(neg)};
    finish(&s, out);
}

AVX2 void sm_avx2_widen(const uint8_t *x, size_t n, double *out)
{
    for (size_t i = 0; i < n; i += SM_LANES) {
        struct eight v = load_floats(x + i * sizeof(float));
        _mm256_storeu_pd(out + i, v.low);
        _mm256_storeu_pd(out + i + 4, v.high);
    }
}

/* ---- types that float32 holds ---- */

AVX2 static inline __m128i load_16_bytes(const uint8_t *x)
{
    return _mm_loadu_si128((const __m128i *)(const void *)x);
}

AVX2 static inline __m128i load_8_bytes(const uint8_t *x)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)x);
}

/* Each loop takes eight elements of `size` bytes at x. */
#define NARROW_LOOP(size, floats)                                                                  \
    for (; n; n -= SM_LANES, x += SM_LANES * (size), out += SM_LANES)                              \
    _mm256_storeu_ps(out, (floats))

AVX2 static void narrow_integers(enum sm_dtype d, const uint8_t *x, size_t n, float *out)
{
    switch (d) {
    case SM_DTYPE_INT8:
        NARROW_LOOP((size_t)1, _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(load_8_bytes(x))));
        break;
    case SM_DTYPE_UINT8:
        NARROW_LOOP((size_t)1, _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(load_8_bytes(x))));
        break;
    case SM_DTYPE_INT16:
        NARROW_LOOP((size_t)2, _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(load_16_bytes(x))));
        break;
    default:
        NARROW_LOOP((size_t)2, _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(load_16_bytes(x))));
        break;
    }
}

AVX2 static void narrow_bfloat16(const uint8_t *x, size_t n, float *out)
{
    NARROW_LOOP((size_t)2, _mm256_castsi256_ps(
                               _mm256_slli_epi32(_mm256_cvtepu16_epi32(load_16_bytes(x)), 16)));
}

__attribute__((target("avx2,f16c"))) static void narrow_float16(const uint8_t *x, size_t n,
                                                                float *out)
{
    NARROW_LOOP((size_t)2, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)x)));
}

/* Not a name that all compilers know in __builtin_cpu_supports. Asked once: it is slow where the
 * machine is a virtual one. */
static bool f16c_here;
static pthread_once_t f16c_once = PTHREAD_ONCE_INIT;

static void ask_f16c(void)
{
    unsigned a, b, c, d;
    f16c_here = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

static bool has_f16c(void)
{
    pthread_once(&f16c_once, ask_f16c);
    return f16c_here;
}

bool sm_avx2_narrow(enum sm_dtype d, const uint8_t *x, size_t n, float *out)
{
    const float *values = sm_minifloat_values(d);
    switch (d) {
    case SM_DTYPE_BFLOAT16:
        narrow_bfloat16(x, n, out);
        return true;
    case SM_DTYPE_FLOAT16:
        if (!has_f16c())
            return false;
        narrow_float16(x, n, out);
        return true;
    case SM_DTYPE_INT8:
    case SM_DTYPE_UINT8:
    case SM_DTYPE_INT16:
    case SM_DTYPE_UINT16:
        narrow_integers(d, x, n, out);
        return true;
    default:
        for (size_t i = 0; values && i < n; i++)
            out[i] = values[x[i]];
        return values;
    }
}

AVX2 double sm_avx2_squares_f32(const float *x, const float *y, size_t n)
{
    struct eight even = eight_of(0), odd = even;
    for (size_t i = 0; i < n; i += SM_LANES) {
        struct eight v = load_floats((const uint8_t *)(x + i));
        if (y)
            v = sub(v, load_floats((const uint8_t *)(y + i)));
        struct eight total = add(even, square(v)); /* two chains of additions: twice as fast */
        even = odd;
        odd = total;
    }
    return lanes_sum(add(even, odd));
}

#else

#include <assert.h>

bool sm_avx2_here(void)
{
    return false;
}

/* Never called. */
void sm_avx2_sums(const double *x, size_t n, struct sm_stats_block *out)
{
    sm_block_sums(x, n, out);
}

void sm_avx2_sums_f32(const uint8_t *x, size_t n, struct sm_stats_block *out)
{
    (void)x, (void)n, (void)out;
    assert(!"no AVX2 here");
}

void sm_avx2_spread(const double *x, size_t n, double mean, double abs_mean, double *m2,
                    double *abs_m2)
{
    sm_block_spread(x, n, mean, abs_mean, m2, abs_m2);
}

void sm_avx2_widen(const uint8_t *x, size_t n, double *out)
{
    (void)x, (void)n, (void)out;
    assert(!"no AVX2 here");
}

bool sm_avx2_narrow(enum sm_dtype d, const uint8_t *x, size_t n, float *out)
{
    (void)d, (void)x, (void)n, (void)out;
    return false;
}

double sm_avx2_squares_f32(const float *x, const float *y, size_t n)
{
    (void)x, (void)y, (void)n;
    assert(!"no AVX2 here");
    return 0;
}

#endif
