/* SPDX-License-Identifier: Apache-2.0 */
/* Text in UTF-16, as some shells and editors of Windows write it. */
#ifndef SM_UTF16_H
#define SM_UTF16_H

#include "reader/base/str.h"

#include <stddef.h>

enum sm_text_encoding { SM_TEXT_UTF8, SM_TEXT_UTF16LE, SM_TEXT_UTF16BE };
/* By the first bytes of a file: a byte order mark, or two ASCII characters or more and nothing else
 * in the first eight of them. Everything else is UTF8. */
enum sm_text_encoding sm_text_encoding_of(const void *p, size_t n);
/* Appends it as UTF-8, a byte order mark too. Half of a pair becomes U+FFFD. Returns how many bytes
 * were taken: what is left is the beginning of a character, at most three bytes. UTF8: appends all
 * as it is. */
size_t sm_text_decode(enum sm_text_encoding encoding, const void *p, size_t n, struct sm_str *out);
/* The length of the byte order mark that a text in UTF-8 begins with: 3 or 0. */
size_t sm_text_mark(const char *p, size_t n);

#endif
