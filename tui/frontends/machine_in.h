/* SPDX-License-Identifier: Apache-2.0 */
/* Splits stdin of --interpreter=json into lines. */
#ifndef SM_MACHINE_IN_H
#define SM_MACHINE_IN_H

#include "reader/base/str.h"

#include <stdbool.h>

struct sm_line_in {
    struct sm_str input; /* not yet split */
    bool ended;
    bool overlong; /* drop the rest of a line that was too long */
};
/* Reads once and calls `line` for each complete line, NUL-terminated; at the end of stdin also for
 * an incomplete last line. text is NULL for a line longer than SM_REQUEST_MAX. */
void sm_line_in_read(struct sm_line_in *in, int fd,
                     void (*line)(void *ctx, const char *text, size_t n), void *ctx);
void sm_line_in_clear(struct sm_line_in *in);

#endif
