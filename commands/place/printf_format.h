/* SPDX-License-Identifier: Apache-2.0 */
/* Formatted output, as for printf: "FORMAT", EXPR... */
#ifndef SM_PRINTF_FORMAT_H
#define SM_PRINTF_FORMAT_H

#include "commands/language/cmd.h"

/* Evaluates an expression; the caller clears *out. Returns false with SM_ERR_WAIT or an error. */
typedef bool sm_printf_format_value(void *ctx, struct sm_text expr, struct sm_value *out,
                                    struct sm_err *err);

struct sm_printf_format;
/* Parses "FORMAT", EXPR...; allocated in the arena; the text must stay valid. name: of the command,
 * for messages. Returns NULL for an invalid format or expression, or if their numbers differ. */
struct sm_printf_format *sm_printf_format_new(struct sm_arena *arena, struct sm_text text,
                                              const char *name, struct sm_err *err);
/* The i-th expression; false if there are fewer. */
bool sm_printf_format_expr(const struct sm_printf_format *p, size_t i, struct sm_text *out);
/* Appends the formatted text. Called again after SM_ERR_WAIT, it calls `value` only for the
 * expressions that are not known yet. */
bool sm_printf_format_make(struct sm_printf_format *p, sm_printf_format_value *value, void *ctx,
                           struct sm_str *out, struct sm_err *err);
/* Like sm_printf_format_make, without a newline at the end. */
bool sm_printf_format_line(struct sm_printf_format *p, sm_printf_format_value *value, void *ctx,
                           struct sm_str *out, struct sm_err *err);

#endif
