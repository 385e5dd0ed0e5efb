/* What printf makes of a format and values: "FORMAT", EXPR... */
#ifndef SM_PRINTF_FORMAT_H
#define SM_PRINTF_FORMAT_H

#include "commands/language/cmd.h"

/* What an expression is worth; the caller clears it. False: SM_ERR_WAIT, or what is wrong with it.
 */
typedef bool sm_printf_format_value(void *ctx, struct sm_text expr, struct sm_value *out,
                                    struct sm_err *err);

struct sm_printf_format;
/* In the arena; the text must stay where it is. name: of the command, for messages. NULL: format
 * and expressions are not right, or not as many as each other. */
struct sm_printf_format *sm_printf_format_new(struct sm_arena *arena, struct sm_text text,
                                              const char *name, struct sm_err *err);
/* Appends the text. Called again after SM_ERR_WAIT it asks only for what it does not know. */
bool sm_printf_format_make(struct sm_printf_format *p, sm_printf_format_value *value, void *ctx,
                           struct sm_str *out, struct sm_err *err);
/* The same without its last line end. */
bool sm_printf_format_line(struct sm_printf_format *p, sm_printf_format_value *value, void *ctx,
                           struct sm_str *out, struct sm_err *err);

#endif
