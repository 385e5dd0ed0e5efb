/* /20g and friends: how a person wants numbers written. */
#ifndef SM_FORMAT_H
#define SM_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

struct sm_format {
    bool given;
    int64_t count; /* 0: not given */
    char letter;   /* 0: not given */
    int precision; /* -1: not given */
};

#endif
