/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing a block of finite numbers of one type with AVX2: the inner loop of tensor_compare.c,
 * which defines the results. */
#ifndef SM_COMPARE_BLOCK_H
#define SM_COMPARE_BLOCK_H

#include "reader/tensor/tensor_compare.h"

struct sm_compared_block {
    double max_abs, max_rel;
    uint32_t ulp; /* the largest distance */
    uint32_t different;
    bool equal;
};
/* n elements of float32, float16 or bfloat16 at any alignment, a positive multiple of 8. a and b
 * are their values. False: of another type, one of them is not finite, or the processor cannot. */
bool sm_compare_block(enum sm_dtype d, const uint8_t *raw_a, const uint8_t *raw_b, const float *a,
                      const float *b, size_t n, const struct sm_tensor_compare_limits *limits,
                      struct sm_compared_block *out);

#endif
