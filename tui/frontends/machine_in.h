/* What comes on stdin of --interpreter=json, taken apart into lines. */
#ifndef SM_MACHINE_IN_H
#define SM_MACHINE_IN_H

#include "reader/base/str.h"

#include <stdbool.h>

struct sm_line_in {
    struct sm_str input; /* read and not yet taken apart */
    bool ended;
    bool overlong; /* the rest of a line that was too long is to be dropped */
};
/* Reads once and gives each line that is there as a whole, ended by 0; behind the end of stdin the
 * rest, too. text NULL: a line was longer than SM_REQUEST_MAX. */
void sm_line_in_read(struct sm_line_in *in, int fd,
                     void (*line)(void *ctx, const char *text, size_t n), void *ctx);
void sm_line_in_clear(struct sm_line_in *in);

#endif
