/* SPDX-License-Identifier: Apache-2.0 */
/* Which characters may be shown: shared by errors, text and JSON, so that all three agree. */
#ifndef SM_UTF8_H
#define SM_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Controls (C0, DEL, C1) and format characters that reorder or hide text (see
 * sm_str_add_escaped). */
bool sm_rune_is_harmful(uint32_t rune);

/* The number of leading bytes of p, at most n, that are printable ASCII and need no decoding. */
size_t sm_ascii_run(const char *p, size_t n);

/* Writes the first character of p (n > 0) to out, escaped if necessary; *length gets the bytes
 * written. Returns the bytes of p used, at least 1. */
size_t sm_utf8_escape(const char *p, size_t n, char out[16], size_t *length);

#endif
