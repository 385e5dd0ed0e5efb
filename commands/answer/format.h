/* SPDX-License-Identifier: Apache-2.0 */
/* The /FMT of a command ("/20g"): how to print numbers. */
#ifndef SM_FORMAT_H
#define SM_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

struct sm_format {
    bool given;
    int64_t count; /* 0 if not given */
    char letter;   /* 0 if not given */
    int precision; /* -1 if not given */
    char size;     /* b h w g, of an element, as in gdb's x/4xw; 0 if not given */
};

#endif
