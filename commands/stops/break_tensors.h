/* SPDX-License-Identifier: Apache-2.0 */
/* What break, watch and dprintf share: the tensors of a breakpoint, and the report of a new one. */
#ifndef SM_BREAK_TENSORS_H
#define SM_BREAK_TENSORS_H

#include "commands/stops/breakpoint.h"

/* If "step", "error", "end" or "stall" is the only word: sets *kind and returns its description.
 * Otherwise returns NULL. */
const char *sm_break_place(const struct sm_word *words, size_t n, enum sm_break_kind *kind);
/* Replaces "weights", if it is a collection and not a tensor, and "collection weights" by
 * "+weights". t may be NULL. */
void sm_break_collections(const struct sm_trial *t, struct sm_arena *arena, struct sm_word *words,
                          size_t *n);
/* False if the condition names a tensor that the trial does not have and will not get. text: the
 * condition, which has been parsed; may be empty. */
bool sm_break_check_names(struct sm_call *c, struct sm_text text, struct sm_err *err);
/* *n: the number of matching tensors. If there are none but the trial may still get some, returns
 * true with the reason in *why. Returns false if there are none. */
bool sm_break_tensors(struct sm_call *c, const struct sm_word *words, size_t n_words, size_t *n,
                      const char **why, struct sm_err *err);
/* place: the description of the place; NULL for the tensors, with their number, or why if there are
 * none yet. */
void sm_break_report(const struct sm_breakpoint *b, const char *place, size_t tensors,
                     const char *why, struct sm_result *out);

#endif
