/* SPDX-License-Identifier: Apache-2.0 */
/* The control sequence that copies a text to the clipboard of the user's terminal, also over SSH.
 */
#ifndef SM_SCREEN_COPY_H
#define SM_SCREEN_COPY_H

#include "reader/base/str.h"

/* Returns false if TERM has no clipboard, or the text is too long. */
bool sm_copy_sequence(const char *text, size_t n, struct sm_str *out);

#endif
