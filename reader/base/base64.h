/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 encoding (RFC 4648), padded. */
#ifndef SM_BASE64_H
#define SM_BASE64_H

#include "reader/base/str.h"

void sm_base64_add(struct sm_str *out, const char *bytes, size_t n);

#endif
