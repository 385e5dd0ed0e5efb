/* SPDX-License-Identifier: Apache-2.0 */
/* The text that printf and eval build from a format and expressions. */
#ifndef SM_PRINTF_TEXT_H
#define SM_PRINTF_TEXT_H

#include "commands/language/cmd.h"

extern const struct sm_arg sm_printf_args[]; /* "FORMAT", EXPR ... */

/* Appends the text of the call's format and expressions. Returns false with SM_ERR_WAIT while
 * values are being read. */
bool sm_printf_text(struct sm_call *c, struct sm_str *out, struct sm_err *err);
/* The text without its last newline, for a command line. */
bool sm_printf_text_line(struct sm_call *c, struct sm_str *out, struct sm_err *err);

#endif
