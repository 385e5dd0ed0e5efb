/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/compare_block.h"

#include "reader/tensor/stats_block.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

enum { LANES = 8 };

/* Of eight elements at a time. */
struct compared {
    __m256d abs, rel; /* the largest in each of four lanes */
    __m256i ulp;      /* the largest in each of eight */
    __m256d bad;      /* some lane is set: an element is not finite */
    uint32_t different, apart;
};
struct bounds {
    __m256d atol, rtol;
    __m256i ulp;
};

/* Numbers of the bits of a type, in their order: neighbours are one apart. */
AVX2 static inline __m256i order_of(enum sm_dtype d, const uint8_t *raw)
{
    __m256i bits = d == SM_DTYPE_FLOAT32
                       ? _mm256_loadu_si256((const __m256i *)(const void *)raw)
                       : _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)raw)),
            most = _mm256_set1_epi32(d == SM_DTYPE_FLOAT32 ? 0x7fffffff : 0x7fff),
            size = _mm256_and_si256(bits, most), negative = _mm256_srai_epi32(bits, 31);
    return _mm256_sub_epi32(_mm256_xor_si256(size, negative), negative);
}

AVX2 static inline __m256d magnitude(__m256d x)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}

/* Four elements. Returns which of them are close, and in *apart which are not the same. */
AVX2 static inline int compare_four(struct compared *c, const struct bounds *k, __m128 a, __m128 b,
                                    int *apart)
{
    __m256d x = _mm256_cvtps_pd(a), y = _mm256_cvtps_pd(b), size = magnitude(y),
            d = magnitude(_mm256_sub_pd(x, y)), zero = _mm256_setzero_pd(),
            differs = _mm256_cmp_pd(d, zero, _CMP_GT_OQ),
            rel = _mm256_and_pd(_mm256_div_pd(d, size), differs),
            most = _mm256_add_pd(k->atol, _mm256_mul_pd(k->rtol, size));
    c->bad = _mm256_or_pd(c->bad, _mm256_cmp_pd(_mm256_sub_pd(d, d), zero, _CMP_NEQ_UQ));
    c->abs = _mm256_max_pd(c->abs, d);
    c->rel = _mm256_max_pd(c->rel, rel);
    *apart = _mm256_movemask_pd(differs);
    return _mm256_movemask_pd(_mm256_cmp_pd(d, most, _CMP_LE_OQ));
}

AVX2 static inline void compare_eight(struct compared *c, const struct bounds *k, __m256 a,
                                      __m256 b, __m256i order_a, __m256i order_b)
{
    int low, high;
    int close = compare_four(c, k, _mm256_castps256_ps128(a), _mm256_castps256_ps128(b), &low);
    close |= compare_four(c, k, _mm256_extractf128_ps(a, 1), _mm256_extractf128_ps(b, 1), &high)
             << 4;
    __m256i ulp = _mm256_sub_epi32(_mm256_max_epi32(order_a, order_b),
                                   _mm256_min_epi32(order_a, order_b)),
            within = _mm256_cmpeq_epi32(_mm256_max_epu32(ulp, k->ulp), k->ulp);
    unsigned apart = (unsigned)(low | high << 4);
    close |= _mm256_movemask_ps(_mm256_castsi256_ps(within));
    c->ulp = _mm256_max_epu32(c->ulp, ulp);
    c->apart |= apart;
    c->different += (uint32_t)__builtin_popcount(apart & ~(unsigned)close);
}

AVX2 static double largest(__m256d x)
{
    double v[4];
    _mm256_storeu_pd(v, x);
    double a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

AVX2 static uint32_t largest_of_eight(__m256i x)
{
    uint32_t v[LANES], most = 0;
    _mm256_storeu_si256((__m256i *)(void *)v, x);
    for (size_t i = 0; i < LANES; i++)
        most = v[i] > most ? v[i] : most;
    return most;
}

AVX2 static bool compare_all(enum sm_dtype d, const uint8_t *raw_a, const uint8_t *raw_b,
                             const float *a, const float *b, size_t n,
                             const struct sm_tensor_compare_limits *limits,
                             struct sm_compared_block *out)
{
    size_t size = sm_dtype_info(d)->size_bytes;
    uint32_t ulp = limits->ulp < UINT32_MAX ? (uint32_t)limits->ulp : UINT32_MAX;
    const struct bounds k = {_mm256_set1_pd(limits->atol), _mm256_set1_pd(limits->rtol),
                             _mm256_set1_epi32((int)ulp)};
    struct compared c = {_mm256_setzero_pd(),
                         _mm256_setzero_pd(),
                         _mm256_setzero_si256(),
                         _mm256_setzero_pd(),
                         0,
                         0};
    for (size_t i = 0; i < n; i += LANES)
        compare_eight(&c, &k, _mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i),
                      order_of(d, raw_a + i * size), order_of(d, raw_b + i * size));
    if (_mm256_movemask_pd(c.bad))
        return false;
    *out = (struct sm_compared_block){.max_abs = largest(c.abs),
                                      .max_rel = largest(c.rel),
                                      .ulp = largest_of_eight(c.ulp),
                                      .different = c.different,
                                      .equal = !c.apart};
    return true;
}

bool sm_compare_block(enum sm_dtype d, const uint8_t *raw_a, const uint8_t *raw_b, const float *a,
                      const float *b, size_t n, const struct sm_tensor_compare_limits *limits,
                      struct sm_compared_block *out)
{
    bool known = d == SM_DTYPE_FLOAT32 || d == SM_DTYPE_FLOAT16 || d == SM_DTYPE_BFLOAT16;
    return known && n % LANES == 0 && sm_avx2_here() &&
           compare_all(d, raw_a, raw_b, a, b, n, limits, out);
}

#else

bool sm_compare_block(enum sm_dtype d, const uint8_t *raw_a, const uint8_t *raw_b, const float *a,
                      const float *b, size_t n, const struct sm_tensor_compare_limits *limits,
                      struct sm_compared_block *out)
{
    (void)d, (void)raw_a, (void)raw_b, (void)a, (void)b, (void)n, (void)limits, (void)out;
    return false;
}

#endif
