/* SPDX-License-Identifier: Apache-2.0 */
/* A result that a test builds, and the text that it is printed as. */
#ifndef TESTS_COMMANDS_PRINTED_H
#define TESTS_COMMANDS_PRINTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/answer/print.h"

static struct sm_result result;
static struct sm_str text;

static inline int set_up(void **state)
{
    (void)state;
    sm_result_init(&result);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    sm_result_clear(&result);
    sm_str_clear(&text);
    return 0;
}

#endif
