/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/base64.h"

#include <stdint.h>

void sm_base64_add(struct sm_str *out, const char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = 0;
        for (size_t k = 0; k < 3; k++)
            v = v << 8 | (i + k < n ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            sm_str_addc(out, k > n - i ? '=' : digits[v >> (18 - 6 * k) & 63]);
    }
}
