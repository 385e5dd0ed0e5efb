/* SPDX-License-Identifier: Apache-2.0 */
/* The filter of a table of runs: `lr > 1e-4 && !ended`.
 *
 *   or    := and { ("||" | "or") and }
 *   and   := not { ("&&" | "and") not }
 *   not   := ("!" | "not") not | "(" or ")" | test
 *   test  := /re/ | name [ ("==" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~") operand ]
 *
 * A name is a key of the configuration (`model.width`, in backticks if it has blanks), a field of
 * the table, or a state. An operand is a number, a "text", true, false, or a word that stands for
 * itself. Numbers are compared as numbers, all else as texts; ~ compares with a pattern (* and ?)
 * or a regular expression (/re/), or finds a part of the text. What a run does not have equals
 * nothing: only != and !~ are true of it. A name alone is true if its value is: not false, 0, empty
 * or missing; a word that is no name in any run finds runs by a part of their name, and /re/ by a
 * regular expression. */
#ifndef SM_RUN_FILTER_H
#define SM_RUN_FILTER_H

#include "reader/base/err.h"
#include "reader/base/mem.h"
#include "reader/base/str.h"

struct sm_run_value {
    enum { SM_RUN_MISSING, SM_RUN_NUMBER, SM_RUN_TEXT } type;
    double number;       /* NUMBER; a bool is 0 or 1 */
    struct sm_text text; /* 0-terminated */
};
struct sm_run_filter;
/* Parsed into the arena, with a copy of the text. Errors end with "at column 7". */
bool sm_run_filter_parse(struct sm_text text, struct sm_arena *arena, struct sm_run_filter **out,
                         struct sm_err *err);
/* value: of a name in the run; false if no run has the name. */
bool sm_run_filter_matches(const struct sm_run_filter *f,
                           bool (*value)(void *ctx, struct sm_text name, struct sm_run_value *out),
                           void *ctx, struct sm_text run_name);

/* The first name that is compared with something and that `value` does not know; NULL: none. */
const char *sm_run_filter_unknown(const struct sm_run_filter *f,
                                  bool (*value)(void *ctx, struct sm_text name,
                                                struct sm_run_value *out),
                                  void *ctx);

#endif
